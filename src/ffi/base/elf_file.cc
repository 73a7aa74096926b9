// SPDX-License-Identifier: Apache-2.0
// Reads the program headers of ELF files; see elf_file.h.
#include "base/elf_file.h"

#if __has_include(<elf.h>)

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace tain::internal {
namespace {

constexpr unsigned char kByteOrder =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

bool ReadAt(std::ifstream& file, uint64_t offset, void* out, uint64_t size) {
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(static_cast<char*>(out), static_cast<std::streamsize>(size));
  return static_cast<bool>(file);
}

/// Returns the end of a part of the file; the largest number if it overflows.
uint64_t EndOf(uint64_t offset, uint64_t size) noexcept {
  return offset > UINT64_MAX - size ? UINT64_MAX : offset + size;
}

/// Returns the number of bytes that the segments of a file need; 0 for headers that the loader
/// refuses.
template <class Header, class Segment>
uint64_t NeededSize(std::ifstream& file, uint64_t size) {
  Header header;
  if (size < sizeof(header)) return sizeof(header);
  if (!ReadAt(file, 0, &header, sizeof(header))) return 0;
  if (header.e_phentsize != sizeof(Segment)) return 0;
  const uint64_t table = uint64_t{header.e_phnum} * sizeof(Segment);
  const uint64_t end = EndOf(header.e_phoff, table);
  if (end > size) return end;
  std::vector<Segment> segments(header.e_phnum);
  if (!ReadAt(file, header.e_phoff, segments.data(), table)) return 0;
  uint64_t needed = end;
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_NULL || segment.p_filesz == 0) continue;
    needed = std::max(needed, EndOf(segment.p_offset, segment.p_filesz));
  }
  return needed;
}

/// Reads a part of the file that lies in it as a whole; empty if it does not.
template <class T>
std::vector<T> ReadPart(std::ifstream& file, uint64_t size, uint64_t offset, uint64_t bytes) {
  if (EndOf(offset, bytes) > size) return {};
  std::vector<T> part(bytes / sizeof(T));
  if (!ReadAt(file, offset, part.data(), part.size() * sizeof(T))) return {};
  return part;
}

/// NeededSymbols for a file of this class of machines.
template <class Header, class Section, class Symbol>
std::vector<NeededSymbol> NeededIn(std::ifstream& file, uint64_t size, std::string_view prefix) {
  const std::vector<Header> headers = ReadPart<Header>(file, size, 0, sizeof(Header));
  if (headers.empty() || headers[0].e_shentsize != sizeof(Section)) return {};
  const auto sections = ReadPart<Section>(file, size, headers[0].e_shoff,
                                          uint64_t{headers[0].e_shnum} * sizeof(Section));
  std::vector<NeededSymbol> needed;
  for (const Section& table : sections) {
    if (table.sh_type != SHT_DYNSYM || table.sh_link >= sections.size()) continue;
    const Section& texts = sections[table.sh_link];
    const auto names = ReadPart<char>(file, size, texts.sh_offset, texts.sh_size);
    if (names.empty() || names.back() != '\0') continue;
    for (const Symbol& one : ReadPart<Symbol>(file, size, table.sh_offset, table.sh_size)) {
      if (one.st_shndx != SHN_UNDEF || one.st_name >= names.size()) continue;
      const std::string_view name = &names[one.st_name];
      if (name.starts_with(prefix)) {
        needed.push_back({std::string(name), one.st_info >> 4 == STB_WEAK});
      }
    }
  }
  return needed;
}

/// The kind of machine that this library was built for, from its own header in memory; EM_NONE if
/// that cannot be found.
uint16_t OwnMachine() {
  Dl_info info{};
  const auto address = reinterpret_cast<const void*>(&OwnMachine);
  if (dladdr(address, &info) == 0 || info.dli_fbase == nullptr) return EM_NONE;
  Elf64_Half machine;
  static_assert(offsetof(Elf64_Ehdr, e_machine) == offsetof(Elf32_Ehdr, e_machine));
  std::memcpy(&machine, static_cast<const char*>(info.dli_fbase) + offsetof(Elf64_Ehdr, e_machine),
              sizeof(machine));
  return machine;
}

}  // namespace

std::string FaultOfLibrary(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const auto size = static_cast<uint64_t>(file.tellg());
  unsigned char ident[EI_NIDENT];
  Elf64_Half machine;
  if (size < sizeof(ident) || !ReadAt(file, 0, ident, sizeof(ident)) ||
      std::memcmp(ident, ELFMAG, SELFMAG) != 0) {
    return "it is not a shared library";
  }
  constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  const char* other = "it was built for another kind of machine";
  if (ident[EI_DATA] != kByteOrder || ident[EI_CLASS] != kClass) return other;
  if (const uint16_t own = OwnMachine();
      own != EM_NONE && ReadAt(file, offsetof(Elf64_Ehdr, e_machine), &machine, sizeof(machine)) &&
      machine != own) {
    return other;
  }
  const uint64_t needed = kClass == ELFCLASS64 ? NeededSize<Elf64_Ehdr, Elf64_Phdr>(file, size)
                                               : NeededSize<Elf32_Ehdr, Elf32_Phdr>(file, size);
  if (needed <= size) return "";
  return "it is not whole (" + std::to_string(size) + " bytes of at least " +
         std::to_string(needed) + ")";
}

std::vector<NeededSymbol> NeededSymbols(const std::string& path, std::string_view prefix) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const auto size = static_cast<uint64_t>(file.tellg());
  unsigned char ident[EI_NIDENT];
  if (size < sizeof(ident) || !ReadAt(file, 0, ident, sizeof(ident)) ||
      std::memcmp(ident, ELFMAG, SELFMAG) != 0 || ident[EI_DATA] != kByteOrder) {
    return {};
  }
  return ident[EI_CLASS] == ELFCLASS64
             ? NeededIn<Elf64_Ehdr, Elf64_Shdr, Elf64_Sym>(file, size, prefix)
             : NeededIn<Elf32_Ehdr, Elf32_Shdr, Elf32_Sym>(file, size, prefix);
}

}  // namespace tain::internal

#else

namespace tain::internal {

std::string FaultOfLibrary(const std::string&) { return ""; }
std::vector<NeededSymbol> NeededSymbols(const std::string&, std::string_view) { return {}; }

}  // namespace tain::internal

#endif
