// SPDX-License-Identifier: Apache-2.0
// The version of the binary contract, and a check for a second libtain in the process.
//
// Two copies would have two type tables. The other copy may have been opened with RTLD_LOCAL or be
// linked into another library, so neither dlsym nor file names can find it. So this file searches
// the symbol table of each loaded object for a definition of TainCheckSingleCopy.
#include "load/single_copy.h"

#include <cstring>
#include <string>
#include <vector>

#include "base/guard.h"
#include "base/shared_file.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>
#endif

extern "C" void TainGetVersion(TainVersion* out) noexcept {
  if (out != nullptr) *out = {0, 1, 16};
}

namespace tain::internal {
namespace {

constexpr char kMarker[] = "TainCheckSingleCopy";

#if defined(__linux__)

uint32_t GnuHash(const char* name) noexcept {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

/// The symbols of a loaded object, from its dynamic section.
struct SymbolTable {
  const ElfW(Sym) * symbols;
  const char* names;
  const uint32_t* gnu_hash;
};

/// glibc relocates these addresses in place, musl leaves them relative.
template <class T>
const T* Address(const dl_phdr_info& object, ElfW(Addr) value) noexcept {
  if (value < object.dlpi_addr) value += object.dlpi_addr;
  return reinterpret_cast<const T*>(value);
}

SymbolTable ReadDynamic(const dl_phdr_info& object) noexcept {
  SymbolTable table{};
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const ElfW(Addr) value = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) table.symbols = Address<ElfW(Sym)>(object, value);
      if (entry->d_tag == DT_STRTAB) table.names = Address<char>(object, value);
      if (entry->d_tag == DT_GNU_HASH) table.gnu_hash = Address<uint32_t>(object, value);
    }
  }
  return table;
}

/// Whether the object defines a symbol; walks a hash chain as the dynamic linker does.
bool Defines(const dl_phdr_info& object, const char* name) noexcept {
  const SymbolTable table = ReadDynamic(object);
  if (table.symbols == nullptr || table.names == nullptr || table.gnu_hash == nullptr) return false;
  const uint32_t num_buckets = table.gnu_hash[0];
  const uint32_t first_symbol = table.gnu_hash[1];
  const uint32_t bloom_words = table.gnu_hash[2];
  const auto* buckets = table.gnu_hash + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* chains = buckets + num_buckets;
  if (num_buckets == 0) return false;
  const uint32_t hash = GnuHash(name);
  uint32_t index = buckets[hash % num_buckets];
  if (index < first_symbol) return false;
  for (;; ++index) {
    const uint32_t link = chains[index - first_symbol];
    const ElfW(Sym)& symbol = table.symbols[index];
    if ((link | 1) == (hash | 1) && symbol.st_shndx != SHN_UNDEF &&
        std::strcmp(table.names + symbol.st_name, name) == 0) {
      return true;
    }
    if ((link & 1) != 0) return false;
  }
}

#endif

}  // namespace

#if defined(__linux__)

std::vector<std::string> FilesThatDefine(const char* symbol) {
  struct Search {
    const char* symbol;
    std::vector<std::string> paths;
  } search{symbol, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* context) {
        auto& all = *static_cast<Search*>(context);
        try {
          if (Defines(*object, all.symbol)) {
            const bool program = object->dlpi_name == nullptr || *object->dlpi_name == '\0';
            all.paths.emplace_back(program ? "the program itself" : object->dlpi_name);
          }
        } catch (...) {
          return 1;  // no memory: use what was found so far
        }
        return 0;
      },
      &search);
  return search.paths;
}

#else

// Other systems are not searched; there a second copy causes errors about unknown types.
std::vector<std::string> FilesThatDefine(const char*) { return {}; }

#endif

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainCheckSingleCopy(TainAny* out_text) noexcept {
  return Guard([&] {
    TainAny& out = NotNull(out_text, kMarker, "a place for the result");
    out = TainAny{};
    const std::vector<std::string> paths = FilesThatDefine(kMarker);
    if (paths.size() < 2) return 0;
    std::string text;
    for (const std::string& path : paths) text += (text.empty() ? "" : " and ") + path;
    const TainByteArray bytes{text.data(), text.size()};
    return TainStringFromByteArray(&bytes, &out);
  });
}
