// SPDX-License-Identifier: Apache-2.0
// std::complex crosses as complex: a parameter takes complex and real numbers; a result is a complex.
//
// Not in stl.h, because <complex> takes long to compile. Without a host, a complex number is an
// Array of both parts.
#pragma once

#include <complex>

#include "tain/custom_traits.h"

namespace tain {

template <class T>
  requires std::is_floating_point_v<T>
struct TypeTraits<std::complex<T>> : internal::TriedTraits<std::complex<T>> {
  using Part = TypeTraits<T>;

  static void MoveToAny(const std::complex<T>& v, TainAny* out) {
    *out = MakeComplex(static_cast<double>(v.real()), static_cast<double>(v.imag())).Release();
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return internal::IsHostValue(*a) && internal::TriedTraits<std::complex<T>>::CheckAnyStrict(a);
  }
  /// A number fits a parameter for a number better.
  static int FitOf(const TainAny* a) noexcept {
    return internal::IsHostValue(*a) ? internal::kFitConverted : internal::kFitQuantity;
  }
  static std::optional<std::complex<T>> TryCastFromAnyView(const TainAny* a) {
    const auto parts = ComplexParts(AnyView(internal::Referred(*a)));
    if (!parts || !Part::InRange(parts->first) || !Part::InRange(parts->second)) {
      return std::nullopt;
    }
    return std::complex<T>(static_cast<T>(parts->first), static_cast<T>(parts->second));
  }
  static std::string TypeStr() { return "complex"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    const auto parts = ComplexParts(AnyView(internal::Referred(*a)));
    if (!parts) return TypeStr();
    const bool is_real = !Part::InRange(parts->first);
    const Any part = is_real ? parts->first : parts->second;
    return Part::ExplainMismatch(&part.data()).At(is_real ? "real" : "imag", part.data());
  }
};

}  // namespace tain
