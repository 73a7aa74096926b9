// SPDX-License-Identifier: Apache-2.0
// BigInt, an integer of any size: what a Python int is to C++.
//
//   BigInt n("123456789012345678901234567890");
//   n.ToString();  n.fits_int64();  n > BigInt(5);
// For carrying, printing and comparing; it does no arithmetic. A number that fits int64 is stored
// as one, so that it is the same value as an int.
#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

#include "tain/convert.h"

namespace tain {
namespace internal {

/// The words of an int or BigInt value: two's complement, least significant first. `room` serves a
/// plain int.
TAIN_DLL const int64_t* BigIntWords(const TainAny& value, int64_t* room, size_t* count) noexcept;
/// An int or BigInt value of these words.
TAIN_DLL void BigIntFromWords(const int64_t* words, size_t count, TainAny* out);
/// Below zero, zero or above zero.
TAIN_DLL int BigIntCompare(const TainAny& a, const TainAny& b) noexcept;
/// Parses an optional sign and decimal digits; ValueError.
TAIN_DLL void BigIntFromText(std::string_view text, TainAny* out);
TAIN_DLL std::string BigIntToText(const TainAny& value);

}  // namespace internal

/// An integer of any size.
class BigInt {
 public:
  BigInt() : BigInt(0) {}
  template <std::integral T>
  BigInt(T value) : value_(value) {  // NOLINT: every integer is one
    static_assert(!std::is_same_v<T, bool>, "BigInt(bool): write the number");
  }
  /// Of decimal text such as `-12`; ValueError if it is no number.
  explicit BigInt(std::string_view text) {
    TainAny raw{};
    internal::BigIntFromText(text, &raw);
    value_ = Any::Steal(raw);
  }

  std::string ToString() const { return internal::BigIntToText(value_.data()); }
  bool fits_int64() const noexcept { return value_.type_index() == kTainInt; }
  /// The number as an int64; OverflowError if it does not fit.
  int64_t int64() const { return value_.cast<int64_t>(); }
  /// The nearest double; OverflowError if there is none.
  double ToDouble() const;
  bool negative() const noexcept { return *this < BigInt(0); }

  friend bool operator==(const BigInt& a, const BigInt& b) noexcept {
    return internal::BigIntCompare(a.value_.data(), b.value_.data()) == 0;
  }
  friend std::strong_ordering operator<=>(const BigInt& a, const BigInt& b) noexcept {
    return internal::BigIntCompare(a.value_.data(), b.value_.data()) <=> 0;
  }

 private:
  friend struct TypeTraits<BigInt>;
  Any value_;  ///< index 1 or kTainBigInt
};

template <>
struct TypeTraits<BigInt> : TypeTraitsBase {
  static constexpr bool kCrosses = true;
  static void CopyToAnyView(const BigInt& v, TainAny* out) noexcept { *out = v.value_.data(); }
  static void MoveToAny(BigInt v, TainAny* out) noexcept { *out = v.value_.Release(); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainInt || a->type_index == kTainBigInt;
  }
  static BigInt CopyFromAnyViewAfterCheck(const TainAny* a) {
    BigInt number;
    number.value_ = Any(AnyView(*a));
    return number;
  }
  static std::optional<BigInt> TryCastFromAnyView(const TainAny* a) {
    if (a->type_index == kTainBool) return BigInt(a->v_int64);
    if (CheckAnyStrict(a)) return CopyFromAnyViewAfterCheck(a);
    if (Any number; internal::FromHost(*a, kTainHostInt, &number)) {
      return TryCastFromAnyView(&number.data());
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return "int"; }
};

inline double BigInt::ToDouble() const {
  double value = 0;
  if (value_.type_index() == kTainInt) return static_cast<double>(value_.data().v_int64);
  if (!internal::BigIntToDouble(&value_.data(), &value)) {
    TAIN_THROW(OverflowError) << "int too large to convert to float";
  }
  return value;
}

}  // namespace tain
