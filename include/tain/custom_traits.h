// SPDX-License-Identifier: Apache-2.0
// CustomTraits<T>: lets a type that is not an object cross, by three functions that you write.
//
//   template <>
//   struct tain::TypeTraits<Rgb> : tain::CustomTraits<Rgb> {
//     static std::string type_str() { return "str"; }
//     static tain::Any to_any(const Rgb& c) { return c.hex(); }
//     static std::optional<Rgb> from_any(const tain::AnyView& a) { ... }
//   };
// type_str is the Python type of the result of to_any, for signatures and messages. from_any
// returns std::nullopt for a value that does not fit, and tain then raises `expected <type_str>,
// got ...`; or from_any throws an error itself. The specialization must precede the first use of
// the type. from_any runs once for each value. In overloads and variants only its result tells
// whether the value fits; if it is slow, a fourth function tells that first:
//     static bool accepts(const tain::AnyView& a) noexcept;   // false: from_any is not called
#pragma once

#include <utility>

#include "tain/internal/container_api.h"

namespace tain {
namespace internal {
/// Whether the traits of T tell by `accepts` which values from_any takes.
template <class T>
concept HasAccepts = requires(const AnyView& a) {
  { TypeTraits<T>::accepts(a) } noexcept -> std::same_as<bool>;
};

/// The traits of a type for which only an attempt to read a value tells whether it fits.
template <class T>
struct TriedTraits : TypeTraitsBase {
  static constexpr bool kViewable = false;
  static constexpr bool kReadOnce = true;

  static bool CheckAnyStrict(const TainAny* a) noexcept {
    try {
      return TypeTraits<T>::TryCastFromAnyView(a).has_value();
    } catch (...) {
      return false;  // the caller tries TryCastFromAnyView next, which throws the error again
    }
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    std::optional<T> read = TypeTraits<T>::TryCastFromAnyView(a);
    if (!read) ThrowCast(&MismatchOf<T>, *a, "");  // `accepts` was wrong
    return *std::move(read);
  }
};

}  // namespace internal

/// Base of TypeTraits<T> for a type that converts by type_str, to_any and from_any.
template <class T>
struct CustomTraits : internal::TriedTraits<T> {
  static constexpr bool kFitsIfRead = true;

  static void MoveToAny(const T& v, TainAny* out) {
    *out = Any(TypeTraits<T>::to_any(v)).Release();
  }
  static int FitOf(const TainAny* a) noexcept {
    if constexpr (internal::HasAccepts<T>) {
      if (!Accepts(a)) return internal::kFitConverted;
    }
    return internal::kFitIfRead;
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if constexpr (internal::HasAccepts<T>) return Accepts(a);
    return internal::TriedTraits<T>::CheckAnyStrict(a);
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    if constexpr (internal::HasAccepts<T>) {
      if (!Accepts(a)) return std::nullopt;
    }
    return TypeTraits<T>::from_any(AnyView(internal::Referred(*a)));
  }
  static std::string TypeStr() { return TypeTraits<T>::type_str(); }

 private:
  static bool Accepts(const TainAny* a) noexcept
    requires internal::HasAccepts<T>
  {
    return TypeTraits<T>::accepts(AnyView(internal::Referred(*a)));
  }
};

/// Returns the real and the imaginary part of a complex number of the host language or of a real
/// number; std::nullopt for other values.
TAIN_DLL std::optional<std::pair<double, double>> ComplexParts(const AnyView& value);
/// Returns a complex number of the host language, or an Array of both parts if there is no host.
TAIN_DLL Any MakeComplex(double real, double imaginary);

}  // namespace tain
