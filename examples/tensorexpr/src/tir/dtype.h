// SPDX-License-Identifier: Apache-2.0
// The data types of expressions: a kind of number, its bits, and the lanes of a vector.
#pragma once

#include <tain/tain.h>

#include <string>

// What another library may call is marked TAIN_DLL_EXPORT; tain_add_library hides everything else.
namespace tensorexpr {

using DType = DLDataType;

constexpr DType TypeOf(DLDataTypeCode code, int bits, int lanes = 1) noexcept {
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
}

inline constexpr DType kInt32 = TypeOf(kDLInt, 32);
inline constexpr DType kInt64 = TypeOf(kDLInt, 64);
inline constexpr DType kFloat32 = TypeOf(kDLFloat, 32);
inline constexpr DType kBool = TypeOf(kDLBool, 8);
inline constexpr DType kHandle = TypeOf(kDLOpaqueHandle, 64);  ///< addresses and texts
inline constexpr DType kVoid = TypeOf(kDLOpaqueHandle, 0, 0);  ///< what has no value

constexpr bool IsFloat(DType t) noexcept { return t.code == kDLFloat || t.code == kDLBfloat; }
constexpr bool IsInt(DType t) noexcept { return t.code == kDLInt; }
constexpr bool IsUInt(DType t) noexcept { return t.code == kDLUInt; }
constexpr bool IsBool(DType t) noexcept { return t.code == kDLBool; }
constexpr bool IsInteger(DType t) noexcept { return IsInt(t) || IsUInt(t); }
constexpr bool IsNumber(DType t) noexcept { return IsInteger(t) || IsFloat(t) || IsBool(t); }
constexpr DType WithLanes(DType t, int lanes) noexcept {
  return {t.code, t.bits, static_cast<uint16_t>(lanes)};
}
constexpr DType ElementOf(DType t) noexcept { return WithLanes(t, 1); }

/// Returns the name of a data type, such as "float32x4".
TAIN_DLL_EXPORT std::string Text(DType dtype);

/// The smallest and the largest value of an integer type, as far as int64 has them.
TAIN_DLL_EXPORT int64_t MinOf(DType dtype);
TAIN_DLL_EXPORT int64_t MaxOf(DType dtype);
/// Returns the value that an integer type keeps of a number: its low bits.
TAIN_DLL_EXPORT int64_t Wrap(int64_t value, DType dtype);

}  // namespace tensorexpr
