// SPDX-License-Identifier: Apache-2.0
// The methods that a class declares with TAIN_VIRTUAL, and the virtual methods that a library
// calls.
//
// TAIN_VIRTUAL declares an overload of TainVirtualOf for a tag of the name. A probe converts to all
// tags whose hashes are in a range: it finds a single tag by overload resolution, and if there are
// several, the range is halved. Each instantiation of a virtual call leaves a record of 8 bytes in
// a section of its library, so that the end of the load can find calls that no override can reach.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "tain/object.h"

namespace tain::internal {

/// A string literal as a template argument.
template <size_t kSize>
struct LiteralText {
  char text[kSize];  // NOLINT: a template argument is an aggregate
  constexpr LiteralText(const char (&literal)[kSize]) noexcept {  // NOLINT: from a string literal
    for (size_t i = 0; i < kSize; ++i) text[i] = literal[i];
  }
  constexpr std::string_view view() const noexcept { return {text, kSize - 1}; }
};

/// Returns the FNV-1a hash of a text.
constexpr uint32_t HashOfText(std::string_view text, uint32_t hash = 2166136261U) noexcept {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// A method that TAIN_VIRTUAL declares: its names in C++ and in Python.
template <LiteralText kName, LiteralText kPythonName>
struct VirtualTag {
  static constexpr std::string_view kPython{kPythonName.text, sizeof(kPythonName.text) - 1};
  static constexpr uint32_t kHash = HashOfText(kPython, HashOfText(kName.view()));
};

/// A probe that converts to the tags whose hashes are in a range.
template <uint32_t kLow, uint32_t kHigh>
struct VirtualProbe {
  template <class Tag>
    requires(Tag::kHash >= kLow && Tag::kHash <= kHigh)
  operator Tag() const;  // NOLINT: as an argument
};

/// Calls `take(python name)` for each method that T's own body declares with TAIN_VIRTUAL.
template <class T, uint32_t kLow, uint32_t kHigh, class F>
constexpr void ForEachVirtual(F& take) {
  using Probe = VirtualProbe<kLow, kHigh>;
  using Found = typename decltype(T::template TainVirtualFor<Probe>())::Type;
  if constexpr (std::is_same_v<Found, Probe>) {  // several
    if constexpr (kLow < kHigh) {
      constexpr uint32_t kMiddle = kLow + (kHigh - kLow) / 2;
      ForEachVirtual<T, kLow, kMiddle>(take);
      ForEachVirtual<T, kMiddle + 1, kHigh>(take);
    }
  } else if constexpr (!std::is_void_v<Found>) {
    take(Found::kPython);
  }
}

template <class T>
constexpr size_t VirtualTextSize() noexcept {
  size_t size = 0;
  const auto add = [&](std::string_view name) { size += name.size() + 1; };
  ForEachVirtual<T, 0, (std::numeric_limits<uint32_t>::max)()>(add);
  return size;
}

/// The Python names of the methods that T declares, each followed by a NUL. A single text needs no
/// relocations.
template <class T>
constexpr auto MakeVirtualText() noexcept {
  std::array<char, VirtualTextSize<T>()> text{};
  size_t at = 0;
  const auto add = [&](std::string_view name) {
    for (const char c : name) text[at++] = c;
    ++at;
  };
  ForEachVirtual<T, 0, (std::numeric_limits<uint32_t>::max)()>(add);
  return text;
}
template <class T>
TAIN_HIDDEN inline constexpr auto kVirtualText = MakeVirtualText<T>();

/// Whether T's own class body has a TAIN_OBJECT.
template <class T>
concept HasOwnKey = requires { requires TypeOf<T>::kOwn; };

/// Whether T or a registered class above it declares the method.
template <class T>
bool DeclaresVirtual(std::string_view name) noexcept {
  if constexpr (HasOwnKey<T>) {
    std::string_view all(kVirtualText<T>.data(), kVirtualText<T>.size());
    while (!all.empty()) {
      const std::string_view one = all.substr(0, all.find('\0'));
      if (one == name) return true;
      all.remove_prefix(one.size() + 1);
    }
    return DeclaresVirtual<typename TypeOf<T>::Parent>(name);
  }
  return false;
}

/// The record of a method that C++ calls.
struct CalledVirtual {
  uint32_t key;   ///< HashOfText of the class's key
  uint32_t name;  ///< HashOfText of the method's name in Python
};

/// The records of a library.
struct CalledVirtuals {
  const CalledVirtual* begin = nullptr;
  const CalledVirtual* end = nullptr;
};

// The record is in the section group of its function, so that the linker keeps one of each.
#if defined(__ELF__) && (defined(__GNUC__) || defined(__clang__))
#define TAIN_INTERNAL_RECORD_CALL(key, name)                                             \
  __asm__ volatile(                                                                      \
      ".pushsection tain_virtuals,\"a?\"\n\t.balign 4\n\t.4byte %c0, %c1\n\t.popsection" \
      :                                                                                  \
      : "i"(key), "i"(name))
}  // namespace tain::internal
extern "C" {
// The linker defines both.
extern TAIN_HIDDEN const tain::internal::CalledVirtual __start_tain_virtuals[];
extern TAIN_HIDDEN const tain::internal::CalledVirtual __stop_tain_virtuals[];
}
namespace tain::internal {
/// The records of the library that this file is compiled into.
TAIN_HIDDEN TAIN_NOINLINE inline CalledVirtuals AllCalledVirtuals() noexcept {
  TAIN_INTERNAL_RECORD_CALL(0, 0);  // makes sure that the section exists
  return {__start_tain_virtuals, __stop_tain_virtuals};
}
#else
#define TAIN_INTERNAL_RECORD_CALL(key, name) ((void)(key), (void)(name))
inline CalledVirtuals AllCalledVirtuals() noexcept { return {}; }
#endif

/// Records that the library calls a method of a registered class.
template <class Self, uint32_t kName>
inline void RecordCall() noexcept {
  if constexpr (HasOwnKey<Self>) {
    constexpr uint32_t kKey = HashOfText(TypeOf<Self>::kKey);
    TAIN_INTERNAL_RECORD_CALL(kKey, kName);
  }
}

}  // namespace tain::internal
