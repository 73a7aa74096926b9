// SPDX-License-Identifier: Apache-2.0
// DLPack's data types of C++ types, and comparison of data types and devices.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tain/c_api.h"
#include "tain/internal/macro_scan.h"

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

/// A member of a struct whose arrays are elements of tensors.
struct StructField {
  const char* name;
  int64_t offset;    ///< in bytes
  DLDataType dtype;  ///< of the number, or of each number of an array
  int64_t count;     ///< the length of an array; 0 for one number
};
/// A struct as an element of tensors, as TAIN_STRUCT_DTYPE describes it.
struct StructLayout {
  const char* name;
  int64_t size;
  int64_t alignment;
  int32_t num_fields;
  const StructField* fields;
};

namespace internal {

template <class M>
constexpr StructField FieldOfStruct(const char* name, size_t offset) noexcept {
  if constexpr (std::is_array_v<M>) {
    static_assert(std::rank_v<M> == 1, "TAIN_STRUCT_DTYPE: an array in a struct has one dimension");
    return {name, static_cast<int64_t>(offset), DTypeOf<std::remove_extent_t<M>>::value,
            static_cast<int64_t>(std::extent_v<M>)};
  } else if constexpr (requires { std::tuple_size<M>::value; }) {  // std::array
    return {name, static_cast<int64_t>(offset), DTypeOf<typename M::value_type>::value,
            static_cast<int64_t>(std::tuple_size<M>::value)};
  } else {
    return {name, static_cast<int64_t>(offset), DTypeOf<M>::value, 0};
  }
}

}  // namespace internal

/// Returns the bytes of one element, rounded up for types of less than a byte.
constexpr int64_t ItemSize(DLDataType dtype) noexcept {
  return (int64_t{dtype.bits} * dtype.lanes + 7) / 8;
}

}  // namespace tain

// A macro for each argument after the first one, which all get.
#define TAIN_INTERNAL_AGAIN() TAIN_INTERNAL_EACH_STEP
#define TAIN_INTERNAL_EACH_STEP(macro, all, first, ...) \
  macro(all, first) __VA_OPT__(TAIN_INTERNAL_AGAIN TAIN_INTERNAL_PARENS(macro, all, __VA_ARGS__))
#define TAIN_INTERNAL_STRUCT_FIELD(Type, member) \
  ::tain::internal::FieldOfStruct<decltype(Type::member)>(#member, offsetof(Type, member)),

/// Makes a struct of numbers, and of arrays of numbers, an element of tensors: a parameter
/// `tain::TensorRef<const Type>` takes arrays of numpy whose dtype has these fields at the same
/// places. It stands outside of all namespaces, after the struct:
///
///   TAIN_STRUCT_DTYPE(sky::Star, x, y, magnitude);
#define TAIN_STRUCT_DTYPE(Type, ...)                                                            \
  template <>                                                                                   \
  struct tain::DTypeOf<Type> {                                                                  \
    static_assert(std::is_trivially_copyable_v<Type> && std::is_standard_layout_v<Type>,        \
                  "TAIN_STRUCT_DTYPE: numpy copies bytes: the struct must be trivially "        \
                  "copyable and of standard layout");                                           \
    static_assert(sizeof(Type) <= 65535, "TAIN_STRUCT_DTYPE: the struct is too large");         \
    static constexpr ::tain::StructField kFields[] = {TAIN_INTERNAL_SCAN(                       \
        TAIN_INTERNAL_EACH_STEP(TAIN_INTERNAL_STRUCT_FIELD, Type, __VA_ARGS__))};               \
    static constexpr ::tain::StructLayout kStruct{                                              \
        #Type, sizeof(Type), alignof(Type), static_cast<int32_t>(std::size(kFields)), kFields}; \
    static constexpr DLDataType value{kDLOpaqueHandle, 8, static_cast<uint16_t>(sizeof(Type))}; \
  }
