// SPDX-License-Identifier: Apache-2.0
// libtain_names: libtain's names for all libraries of a process, and no other name.
//
// A library that is put into the global scope takes with it all that it needs, which for libtain is
// libstdc++; extensions that were linked with a libstdc++ of their own would then find the wrong
// one. So the bridge puts this library there, which needs libc only. Each of libtain's exported
// names is an indirect function here: the loader calls its resolver, which gives the address in
// libtain, so that callers and data point straight to libtain. The list of names is read from
// libtain when it is built (cmake/core_names.cmake).
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

/// The exports of a library, read from its table of symbols: a search of 700 names by dlsym would
/// take a tenth of the time of `import tain`.
class Symbols {
 public:
  explicit Symbols(const link_map* library) : base_(library->l_addr) {
    for (const ElfW(Dyn)* entry = library->l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SYMTAB) table_ = At<ElfW(Sym)>(entry);
      if (entry->d_tag == DT_STRTAB) texts_ = At<char>(entry);
      if (entry->d_tag == DT_GNU_HASH) count_ = CountOf(At<uint32_t>(entry));
    }
  }

  /// Returns the address of a function or variable, searched from where the last one was found; null
  /// if there is none.
  void* Next(const char* name) {
    if (table_ == nullptr || texts_ == nullptr) return nullptr;
    for (uint32_t at = next_; at < count_; ++at) {
      const ElfW(Sym)& symbol = table_[at];
      const unsigned type = symbol.st_info & 0xf;  // the same in files of 32 and of 64 bits
      if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT)) continue;
      if (strcmp(texts_ + symbol.st_name, name) != 0) continue;
      next_ = at + 1;
      return reinterpret_cast<void*>(base_ + symbol.st_value);
    }
    return nullptr;
  }

 private:
  /// The loaders of some systems have added the library's address already.
  template <class T>
  const T* At(const ElfW(Dyn) * entry) const {
    const ElfW(Addr) address = entry->d_un.d_ptr;
    return reinterpret_cast<const T*>(address < base_ ? base_ + address : address);
  }

  /// Returns the number of symbols, which only the hash table says: one more than the last of the
  /// longest chain.
  static uint32_t CountOf(const uint32_t* table) {
    const uint32_t num_buckets = table[0];
    const uint32_t first = table[1];
    const uint32_t* buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t* chains = buckets + num_buckets;
    uint32_t last = 0;
    for (uint32_t i = 0; i < num_buckets; ++i) last = buckets[i] > last ? buckets[i] : last;
    if (last < first) return first;
    while ((chains[last - first] & 1) == 0) ++last;
    return last + 1;
  }

  ElfW(Addr) base_;
  const ElfW(Sym) * table_ = nullptr;
  const char* texts_ = nullptr;
  uint32_t count_ = 0;
  uint32_t next_ = 0;
};

}  // namespace

extern "C" {

// Every name has the type of a function here; of the data among them only the address matters.
#define TAIN_NAME(index, name) +1
static void* addresses[0
#include "core_names.inc"
];
#undef TAIN_NAME

using Function = void();
// Compilers differ in how they mangle a static function's name, so it is given.
#define TAIN_NAME(index, name)                                             \
  static Function* tain_resolve_##index() __asm__("tain_resolve_" #index); \
  __attribute__((used)) static Function* tain_resolve_##index() {          \
    return reinterpret_cast<Function*>(addresses[index]);                  \
  }                                                                        \
  __attribute__((visibility("default"),                                    \
                 ifunc("tain_resolve_" #index))) void tain_name_##index() __asm__(name);
#include "core_names.inc"
#undef TAIN_NAME

/// Finds all names, those that are not in the table of symbols by `find(library, name)`. Returns how
/// many it did not find. To be called, with what dlopen returned, before the first library needs one.
__attribute__((visibility("default"))) size_t TainNamesFill(void* (*find)(void*, const char*),
                                                            void* library) {
#define TAIN_NAME(index, name) name,
  static const char* const names[] = {
#include "core_names.inc"
  };
#undef TAIN_NAME
  Symbols symbols(static_cast<const link_map*>(library));
  size_t missing = 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    addresses[i] = symbols.Next(names[i]);
    if (addresses[i] == nullptr) addresses[i] = find(library, names[i]);
    missing += addresses[i] == nullptr ? 1 : 0;
  }
  return missing;
}

}  // extern "C"
