// SPDX-License-Identifier: Apache-2.0
// Comparing and hashing numbers by value; see number.h.
#include "values/number.h"

#include <cmath>
#include <vector>

#include "tain/big_int.h"

namespace tain::internal {
namespace {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
constexpr double kTwo63 = 9223372036854775808.0;

Any IntValue(int64_t value) {
  TainAny raw{};
  raw.type_index = kTainInt;
  raw.v_int64 = value;
  return Any::Steal(raw);
}

/// Returns a bool as an int value; returns other values unchanged.
TainAny AsInteger(const TainAny& a) noexcept {
  TainAny integer = a;
  if (a.type_index == kTainBool) integer.type_index = kTainInt;
  return integer;
}

/// Converts a float to the integer that it equals. Returns false if it is not integral.
bool IntegerOf(double value, Any* out) {
  if (!std::isfinite(value) || value != std::trunc(value)) return false;
  if (value >= -kTwo63 && value < kTwo63) {
    *out = IntValue(static_cast<int64_t>(value));
    return true;
  }
  int exponent = 0;
  const auto digits = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  const int shift = exponent - 53;  // positive, because the number has at least 64 bits
  std::vector<int64_t> words(static_cast<size_t>(shift) / 64 + 2, 0);
  const auto at = static_cast<size_t>(shift) / 64;
  const int bit = shift % 64;
  words[at] = static_cast<int64_t>(static_cast<uint64_t>(digits) << bit);
  words[at + 1] = bit == 0 ? digits >> 63 : digits >> (64 - bit);
  TainAny raw{};
  BigIntFromWords(words.data(), words.size(), &raw);
  *out = Any::Steal(raw);
  return true;
}

/// Converts an integer to the float that it equals. Returns false if no float equals it.
bool FloatOf(const TainAny& integer, double* out) {
  if (integer.type_index != kTainBigInt) {
    *out = static_cast<double>(integer.v_int64);
    return *out < kTwo63 && static_cast<int64_t>(*out) == integer.v_int64;
  }
  try {
    *out = AnyView(integer).cast<BigInt>().ToDouble();
  } catch (const Error&) {  // beyond the largest float
    return false;
  }
  Any back;
  return IntegerOf(*out, &back) && BigIntCompare(back.data(), integer) == 0;
}

/// Rotates the lowest 61 bits to the left, which multiplies by 2**shift modulo the prime.
uint64_t RotateBits(uint64_t bits, int shift) noexcept {
  return shift == 0 ? bits : ((bits << shift) & kPrime) | (bits >> (61 - shift));
}

int64_t WithSign(uint64_t remainder, bool negative) noexcept {
  const auto value = static_cast<int64_t>(remainder);
  const int64_t hash = negative ? -value : value;
  return hash == -1 ? -2 : hash;
}

int64_t FloatHash(double value) noexcept {
  if (std::isnan(value)) return 0;
  if (std::isinf(value)) return value > 0 ? 314159 : -314159;
  int exponent = 0;
  const double digits = std::ldexp(std::frexp(std::fabs(value), &exponent), 53);
  const int shift = ((exponent - 53) % 61 + 61) % 61;
  return WithSign(RotateBits(static_cast<uint64_t>(digits), shift), value < 0);
}

int64_t IntegerHash(const TainAny& integer) noexcept {
  int64_t room;
  size_t count = 0;
  const int64_t* words = BigIntWords(integer, &room, &count);
  const bool negative = count > 0 && words[count - 1] < 0;
  // Two's complement: the words represent n, or n + 2**(64 * count) if n is negative.
  uint64_t remainder = 0;
  uint64_t beyond = 1;  // 2**(64 * count)
  for (size_t i = count; i-- > 0;) {
    const auto word = static_cast<uint64_t>(words[i]);
    remainder =
        (RotateBits(remainder, 3) + word % kPrime) % kPrime;  // 2**64 is 2**3 modulo 2**61 - 1
    beyond = RotateBits(beyond, 3);
  }
  if (negative) remainder = (beyond % kPrime + kPrime - remainder) % kPrime;
  return WithSign(remainder, negative);
}

}  // namespace

bool NumbersEqual(const TainAny& a, const TainAny& b) {
  const bool a_float = a.type_index == kTainFloat;
  const bool b_float = b.type_index == kTainFloat;
  if (a_float && b_float) return a.v_float64 == b.v_float64;
  if (!a_float && !b_float) {
    if (a.type_index != kTainBigInt && b.type_index != kTainBigInt) return a.v_int64 == b.v_int64;
    return BigIntCompare(AsInteger(a), AsInteger(b)) == 0;
  }
  Any integer;
  if (!IntegerOf(a_float ? a.v_float64 : b.v_float64, &integer)) return false;
  return BigIntCompare(integer.data(), AsInteger(a_float ? b : a)) == 0;
}

int64_t NumberHash(const TainAny& number) noexcept {
  return number.type_index == kTainFloat ? FloatHash(number.v_float64)
                                         : IntegerHash(AsInteger(number));
}

SameNumbers::SameNumbers(const TainAny& number) {
  Any integer{AnyView(AsInteger(number))};
  if (number.type_index == kTainFloat && !IntegerOf(number.v_float64, &integer)) return;
  if (number.type_index != integer.type_index()) values[count++] = integer;
  const TainAny& value = integer.data();
  const bool is_truth = value.type_index == kTainInt && (value.v_int64 == 0 || value.v_int64 == 1);
  if (is_truth && number.type_index != kTainBool) values[count++] = Any(value.v_int64 == 1);
  const bool is_float = number.type_index == kTainFloat;
  double real = is_float ? number.v_float64 : 0;
  if (!is_float && FloatOf(value, &real)) values[count++] = Any(real);
  const bool is_zero = value.type_index == kTainInt && value.v_int64 == 0;
  if (is_zero) values[count++] = Any(-real);
}

}  // namespace tain::internal
