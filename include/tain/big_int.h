// SPDX-License-Identifier: Apache-2.0
// BigInt, an integer of any size: the C++ type for a Python int.
//
//   BigInt n("123456789012345678901234567890");
//   n.ToString();  n.fits_int64();  n > BigInt(5);
// It can be passed, printed and compared, but does no arithmetic. A number that fits int64 is
// stored as a plain int value, so both forms are the same value.
#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

#include "tain/convert.h"

namespace tain {
namespace internal {

/// Returns the words of an int or BigInt value: two's complement, least significant first. A plain
/// int is copied to `*room`, and the result points there.
TAIN_DLL const int64_t* BigIntWords(const TainAny& value, int64_t* room, size_t* count) noexcept;
/// Makes an int or BigInt value from words.
TAIN_DLL void BigIntFromWords(const int64_t* words, size_t count, TainAny* out);
/// Returns a negative number, 0 or a positive number, as memcmp does.
TAIN_DLL int BigIntCompare(const TainAny& a, const TainAny& b) noexcept;
/// Parses an optional sign and decimal digits; throws ValueError for any other text.
TAIN_DLL void BigIntFromText(std::string_view text, TainAny* out);
TAIN_DLL std::string BigIntToText(const TainAny& value);

}  // namespace internal

/// An integer of any size.
class BigInt {
 public:
  BigInt() : BigInt(0) {}
  template <std::integral T>
  BigInt(T value) : value_(value) {  // NOLINT: every integer converts
    static_assert(!std::is_same_v<T, bool>, "BigInt(bool): write the number");
  }
  /// Parses decimal text such as `-12`; throws ValueError if the text is not a number.
  explicit BigInt(std::string_view text) {
    TainAny raw{};
    internal::BigIntFromText(text, &raw);
    value_ = Any::Steal(raw);
  }

  std::string ToString() const { return internal::BigIntToText(value_.data()); }
  bool fits_int64() const noexcept { return value_.type_index() == kTainInt; }
  /// Returns the number as an int64; throws OverflowError if it does not fit.
  int64_t int64() const { return value_.cast<int64_t>(); }
  /// Returns the nearest double; throws OverflowError if the number is too large.
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
  Any value_;  ///< type index kTainInt or kTainBigInt
};

template <>
struct TypeTraits<BigInt> : internal::ReadingTraits<BigInt> {
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
  static bool ReadInto(const TainAny* a, BigInt* out) {
    if (a->type_index == kTainBool) {
      *out = BigInt(a->v_int64);
    } else if (CheckAnyStrict(a)) {
      *out = CopyFromAnyViewAfterCheck(a);
    } else if (Any number; internal::FromHost(*a, kTainHostInt, &number)) {
      return ReadInto(&number.data(), out);
    } else {
      return false;
    }
    return true;
  }
  static std::string TypeStr() { return "int"; }
};

inline double BigInt::ToDouble() const {
  double value = 0;
  if (value_.type_index() == kTainInt) return static_cast<double>(value_.data().v_int64);
  if (!internal::BigIntToDouble(&value_.data(), &value)) {
    TAIN_INTERNAL_THROW(OverflowError) << "int too large to convert to float";
  }
  return value;
}

}  // namespace tain
