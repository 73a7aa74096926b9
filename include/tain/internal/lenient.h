// SPDX-License-Identifier: Apache-2.0
// The values that parameters take beyond their type if the author says tain::lenient(): bytes where
// text is expected, and values with a truth value where a bool is.
//
// A lenient parameter is read as any other one. Only a value that its type refuses is looked at
// again, so others pay nothing.
#pragma once

#include <string_view>

#include "tain/convert.h"

namespace tain::internal {

/// Whether the author says that a parameter is lenient; `index` counts the receiver.
TAIN_DLL bool IsLenient(const TainFunctionInfo* info, int32_t index) noexcept;
/// Makes a copy of a value in which each bytes is a str, also inside of arrays and maps, which are
/// copied too, and of what the host makes of its own mappings and, by `form`, sequences. Returns
/// false if it has none. Lists and dicts are left alone: C++ may share them.
TAIN_DLL bool TextForBytes(const TainAny& a, TainHostForm form, Any* out);
/// Gets the truth value of a number, of None or of a value of the host that has one, as `bool(x)`
/// does. Text and containers have none. Throws any error that the host raises.
TAIN_DLL bool TruthOf(const TainAny& a, bool* out);

/// The form that the host is asked for if a T is a collection.
template <class T>
inline constexpr TainHostForm kCollectionForm = kTainHostSequence;
template <class T>
  requires requires { TypeTraits<T>::kCollectionForm; }
inline constexpr TainHostForm kCollectionForm<T> = TypeTraits<T>::kCollectionForm;

/// How a lenient parameter of type T reads a value that its traits refuse. kHelps: whether there is
/// such a way.
template <class T>
struct LenientTraits {
  static constexpr bool kHelps = HoldsText<T>;
  static std::optional<T> Read(const TainAny& a) {
    Any changed;
    if (!TextForBytes(a, kCollectionForm<T>, &changed)) return std::nullopt;
    return TypeTraits<T>::TryCastFromAnyView(&changed.data());
  }
  /// Why a value is refused that Read does not take either.
  static Mismatch Explain(const TainAny* a) {
    Any changed;
    const bool has_bytes = TextForBytes(*a, kCollectionForm<T>, &changed);
    return MismatchOf<T>(has_bytes ? &changed.data() : a);
  }
};
template <>
struct LenientTraits<bool> {
  static constexpr bool kHelps = true;
  static std::optional<bool> Read(const TainAny& a) {
    bool truth = false;
    if (!TruthOf(a, &truth)) return std::nullopt;
    return truth;
  }
  static Mismatch Explain(const TainAny* a) { return MismatchOf<bool>(a); }
};
/// A view of the bytes of the argument, which lives until the call ends.
template <>
struct LenientTraits<std::string_view> {
  static constexpr bool kHelps = true;
  static std::optional<std::string_view> Read(const TainAny& a) noexcept {
    std::string_view bytes;
    if (!BytesOf(&a, &bytes)) return std::nullopt;
    return bytes;
  }
  static Mismatch Explain(const TainAny* a) { return MismatchOf<std::string_view>(a); }
};

/// The treatment of an argument that was read, if its parameter is lenient: the results of a
/// callback are then read as leniently. kHelps: whether there is something to do.
template <class T>
struct LenientResults {
  static constexpr bool kHelps = false;
};

}  // namespace tain::internal
