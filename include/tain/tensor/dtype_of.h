// SPDX-License-Identifier: Apache-2.0
// DLPack's data types of C++ types, and comparison of data types and devices.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "tain/c_api.h"

// The structs of DLPack stand in the global namespace, where the compiler finds these operators.
#ifndef TAIN_NO_DLPACK_OPERATORS
constexpr bool operator==(const DLDataType& a, const DLDataType& b) noexcept {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
constexpr bool operator==(const DLDevice& a, const DLDevice& b) noexcept {
  return a.device_type == b.device_type && a.device_id == b.device_id;
}
#endif

namespace tain {
namespace internal {

/// std::complex of float or double, whose header is long, or another class like it.
template <class T>
concept ComplexNumber = std::is_class_v<T> && requires(const T& number) {
  typename T::value_type;
  { number.real() } -> std::convertible_to<typename T::value_type>;
  { number.imag() } -> std::convertible_to<typename T::value_type>;
  requires std::floating_point<typename T::value_type>;
  requires sizeof(typename T::value_type) <= sizeof(double);
  requires sizeof(T) == 2 * sizeof(typename T::value_type);
};

}  // namespace internal

/// The data type of elements that C++ sees as T. Specialize it for a type of your own, such as one
/// for bfloat16:
///
///   template <> struct tain::DTypeOf<my::bf16> { static constexpr DLDataType value{kDLBfloat, 16, 1}; };
template <class T>
struct DTypeOf {
  static constexpr bool kIsComplex = internal::ComplexNumber<T>;
  static_assert(std::is_arithmetic_v<T> || kIsComplex,
                "DTypeOf<T>: T has no data type: specialize tain::DTypeOf for it");
  static constexpr DLDataType value{static_cast<uint8_t>(std::is_same_v<T, bool>       ? kDLBool
                                                         : std::is_floating_point_v<T> ? kDLFloat
                                                         : kIsComplex                  ? kDLComplex
                                                         : std::is_signed_v<T>         ? kDLInt
                                                                                       : kDLUInt),
                                    static_cast<uint8_t>(sizeof(T) * 8), 1};
};

/// Returns the bytes of one element, rounded up for types of less than a byte.
constexpr int64_t ItemSize(DLDataType dtype) noexcept {
  return (int64_t{dtype.bits} * dtype.lanes + 7) / 8;
}

}  // namespace tain
