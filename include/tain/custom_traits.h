// SPDX-License-Identifier: Apache-2.0
// CustomTraits<T>: how a type that is no object crosses, in three functions of yours.
//
//   template <>
//   struct tain::TypeTraits<Rgb> : tain::CustomTraits<Rgb> {
//     static std::string type_str() { return "str"; }
//     static tain::Any to_any(const Rgb& c) { return c.hex(); }
//     static std::optional<Rgb> from_any(const tain::AnyView& a) { ... }
//   };
// type_str is the Python type of what to_any returns, for signatures and messages. from_any gives
// nothing for a value that does not fit, which then raises `expected <type_str>, got ...`, or
// throws an error of its own. The specialization must be seen before the type is first used.
#pragma once

#include <utility>

#include "tain/internal/container_api.h"

namespace tain {

/// Base of TypeTraits<T> for a type that converts by type_str, to_any and from_any.
template <class T>
struct CustomTraits : TypeTraitsBase {
  static constexpr bool kCrosses = true;
  static constexpr bool kViewable = false;

  static void MoveToAny(const T& v, TainAny* out) {
    *out = Any(TypeTraits<T>::to_any(v)).Release();
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    try {
      return TryCastFromAnyView(a).has_value();
    } catch (...) {
      return false;  // TryCastFromAnyView, which follows, throws it again
    }
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) { return *TryCastFromAnyView(a); }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    return TypeTraits<T>::from_any(AnyView(internal::Referred(*a)));
  }
  static std::string TypeStr() { return TypeTraits<T>::type_str(); }
};

/// Real and imaginary part of a complex number of the host language, or of a real number; nothing
/// for other values.
TAIN_DLL std::optional<std::pair<double, double>> ComplexParts(const AnyView& value);
/// A complex number of the host language; where there is no host, an Array of both parts.
TAIN_DLL Any MakeComplex(double real, double imaginary);

}  // namespace tain
