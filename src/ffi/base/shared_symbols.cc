// SPDX-License-Identifier: Apache-2.0
// Reads the dynamic symbol tables of loaded ELF libraries; see shared_symbols.h.
#include "base/shared_symbols.h"

#if __has_include(<link.h>)

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tain::internal {
namespace {

/// The tables of a library that its dynamic section names.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const uint32_t* hash = nullptr;
  const uint32_t* gnu_hash = nullptr;
};

/// Returns the tables of a library by its dynamic section and the address where it begins.
Tables TablesOf(const ElfW(Dyn) * section, ElfW(Addr) base) noexcept {
  Tables tables;
  const auto at = [&](ElfW(Addr) address) {
    // The C library of GNU has added the base already, others have not.
    if (address < base) address += base;
    return reinterpret_cast<const void*>(address);
  };
  for (const ElfW(Dyn)* entry = section; entry->d_tag != DT_NULL; ++entry) {
    const void* address = at(entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_SYMTAB: tables.symbols = static_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: tables.names = static_cast<const char*>(address); break;
      case DT_HASH: tables.hash = static_cast<const uint32_t*>(address); break;
      case DT_GNU_HASH: tables.gnu_hash = static_cast<const uint32_t*>(address); break;
      default: break;
    }
  }
  return tables;
}

/// The GNU hash table: symbols from `first` on, sorted by bucket.
struct GnuHashTable {
  uint32_t num_buckets, first;
  const uint32_t *buckets, *chains;

  explicit GnuHashTable(const uint32_t* table) noexcept
      : num_buckets(table[0]),
        first(table[1]),
        buckets(table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t))),
        chains(buckets + num_buckets) {}
  /// The hash of a symbol, but for the lowest bit, which says whether its chain ends.
  uint32_t Chained(uint32_t index) const noexcept { return chains[index - first]; }
};

/// Returns the number of symbols. The GNU hash table does not say it: it is one more than the last
/// index in the chain of the highest bucket.
uint32_t CountSymbols(const Tables& tables) {
  if (tables.hash != nullptr) return tables.hash[1];
  if (tables.gnu_hash == nullptr) return 0;
  const GnuHashTable hashes(tables.gnu_hash);
  if (hashes.num_buckets == 0) return hashes.first;
  uint32_t last = *std::max_element(hashes.buckets, hashes.buckets + hashes.num_buckets);
  if (last < hashes.first) return hashes.first;
  while ((hashes.Chained(last) & 1) == 0) ++last;
  return last + 1;
}

/// Whether the library of the tables defines a symbol; walks a chain as the dynamic linker does.
bool Defines(const Tables& tables, const char* name) noexcept {
  if (!tables.symbols || !tables.names || !tables.gnu_hash) return false;
  const GnuHashTable hashes(tables.gnu_hash);
  if (hashes.num_buckets == 0) return false;
  uint32_t hash = 5381;
  for (const char* c = name; *c != '\0'; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
  uint32_t index = hashes.buckets[hash % hashes.num_buckets];
  if (index < hashes.first) return false;
  for (;; ++index) {
    const uint32_t chained = hashes.Chained(index);
    const ElfW(Sym)& symbol = tables.symbols[index];
    if ((chained | 1) == (hash | 1) && symbol.st_shndx != SHN_UNDEF &&
        std::strcmp(tables.names + symbol.st_name, name) == 0) {
      return true;
    }
    if ((chained & 1) != 0) return false;
  }
}

/// The addresses of a library's memory that may be written.
struct Writable {
  ElfW(Addr) base;
  std::vector<std::pair<ElfW(Addr), ElfW(Addr)>> parts, read_only;  ///< begin and end

  static int Visit(dl_phdr_info* info, size_t, void* data) {
    auto& self = *static_cast<Writable*>(data);
    if (info->dlpi_addr != self.base) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info->dlpi_phdr[i];
      const std::pair range(part.p_vaddr, part.p_vaddr + part.p_memsz);
      if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) self.parts.push_back(range);
      if (part.p_type == PT_GNU_RELRO) self.read_only.push_back(range);
    }
    return 1;
  }
  bool Has(ElfW(Addr) value) const {
    const auto is_in = [value](const auto& part) {
      return part.first <= value && value < part.second;
    };
    return std::any_of(parts.begin(), parts.end(), is_in) &&
           std::none_of(read_only.begin(), read_only.end(), is_in);
  }
};

}  // namespace

std::vector<SharedSymbol> SymbolsOf(void* handle) {
  std::vector<SharedSymbol> found;
  link_map* library = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0 || library == nullptr) return found;
  const Tables tables = TablesOf(library->l_ld, library->l_addr);
  if (tables.symbols == nullptr || tables.names == nullptr) return found;
  Writable writable{library->l_addr, {}, {}};
  dl_iterate_phdr(&Writable::Visit, &writable);
  const uint32_t count = CountSymbols(tables);
  for (uint32_t i = 1; i < count; ++i) {
    const ElfW(Sym)& symbol = tables.symbols[i];
    if (symbol.st_shndx == SHN_UNDEF) continue;
    const unsigned kind = symbol.st_info & 0xf;
    found.push_back({tables.names + symbol.st_name, kind == STT_FUNC || kind == STT_GNU_IFUNC,
                     kind == STT_TLS || writable.Has(symbol.st_value), symbol.st_size});
  }
  return found;
}

std::vector<std::string> FilesThatDefine(const char* symbol) {
  struct Search {
    const char* symbol;
    std::vector<std::string> paths;
  } search{symbol, {}};
  const auto visit = [](dl_phdr_info* object, size_t, void* context) {
    auto& all = *static_cast<Search*>(context);
    Tables tables;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = object->dlpi_phdr[i];
      if (part.p_type != PT_DYNAMIC) continue;
      const ElfW(Addr) section = object->dlpi_addr + part.p_vaddr;
      tables = TablesOf(reinterpret_cast<const ElfW(Dyn)*>(section), object->dlpi_addr);
    }
    if (!Defines(tables, all.symbol)) return 0;
    try {
      const bool program = object->dlpi_name == nullptr || *object->dlpi_name == '\0';
      all.paths.emplace_back(program ? "the program itself" : object->dlpi_name);
    } catch (...) {
      return 1;  // no memory: use what was found so far
    }
    return 0;
  };
  dl_iterate_phdr(visit, &search);
  return search.paths;
}

}  // namespace tain::internal

#else

namespace tain::internal {

std::vector<SharedSymbol> SymbolsOf(void*) { return {}; }
std::vector<std::string> FilesThatDefine(const char*) { return {}; }

}  // namespace tain::internal

#endif
