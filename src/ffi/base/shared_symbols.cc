// SPDX-License-Identifier: Apache-2.0
// Reads the dynamic symbol table of a loaded ELF library; see shared_symbols.h.
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

Tables TablesOf(const link_map& library) {
  Tables tables;
  const auto at = [&](ElfW(Addr) address) {
    // The C library of GNU has added the base already, others have not.
    if (address < library.l_addr) address += library.l_addr;
    return reinterpret_cast<const void*>(address);
  };
  for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
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

/// Returns the number of symbols. The GNU hash table does not say it: it is one more than the last
/// index in the chain of the highest bucket.
uint32_t CountSymbols(const Tables& tables) {
  if (tables.hash != nullptr) return tables.hash[1];
  if (tables.gnu_hash == nullptr) return 0;
  const uint32_t num_buckets = tables.gnu_hash[0], first = tables.gnu_hash[1];
  const uint32_t num_filters = tables.gnu_hash[2];
  const uint32_t* buckets = tables.gnu_hash + 4 + num_filters * (sizeof(ElfW(Addr)) / 4);
  const uint32_t* chains = buckets + num_buckets;
  uint32_t last = num_buckets == 0 ? 0 : *std::max_element(buckets, buckets + num_buckets);
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;
  return last + 1;
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
  const Tables tables = TablesOf(*library);
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

}  // namespace tain::internal

#else

namespace tain::internal {

std::vector<SharedSymbol> SymbolsOf(void*) { return {}; }

}  // namespace tain::internal

#endif
