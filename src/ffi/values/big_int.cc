// SPDX-License-Identifier: Apache-2.0
// BigInt: integers beyond int64 as words of two's complement; conversions to text and double;
// comparison.
#include "tain/big_int.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/guard.h"
#include "base/text_repr.h"

namespace tain::internal {
namespace {

constexpr size_t kMaxWords = SIZE_MAX / 64;

struct BigIntObject {
  TainObject header;
  TainBigIntCell cell;
};

void DeleteBigInt(void* self, int flags) { TainObjectDelete(self, flags, nullptr); }

const TainBigIntCell* CellOf(const TainAny& value) noexcept {
  return reinterpret_cast<const TainBigIntCell*>(value.v_obj + 1);  // it follows the header
}

/// The absolute value as digits of 32 bits, least significant first, and the sign.
struct Magnitude {
  std::vector<uint32_t> digits;
  bool negative = false;

  explicit Magnitude(const TainAny& value) {
    int64_t room = 0;
    size_t count = 0;
    const int64_t* words = BigIntWords(value, &room, &count);
    negative = words[count - 1] < 0;
    uint64_t carry = negative ? 1 : 0;
    for (size_t i = 0; i < count; ++i) {
      uint64_t word = static_cast<uint64_t>(words[i]);
      if (negative) {
        word = ~word + carry;
        carry = carry != 0 && word == 0 ? 1 : 0;
      }
      digits.push_back(static_cast<uint32_t>(word));
      digits.push_back(static_cast<uint32_t>(word >> 32));
    }
    Trim();
  }
  Magnitude() = default;

  void Trim() {
    while (!digits.empty() && digits.back() == 0) digits.pop_back();
  }
  void MultiplyAdd(uint32_t factor, uint32_t summand) {
    uint64_t carry = summand;
    for (uint32_t& digit : digits) {
      carry += uint64_t{digit} * factor;
      digit = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits.push_back(static_cast<uint32_t>(carry));
  }
  /// Divides and returns the remainder.
  uint32_t Divide(uint32_t divisor) {
    uint64_t rest = 0;
    for (size_t i = digits.size(); i-- > 0;) {
      rest = (rest << 32) | digits[i];
      digits[i] = static_cast<uint32_t>(rest / divisor);
      rest %= divisor;
    }
    Trim();
    return static_cast<uint32_t>(rest);
  }
  std::vector<int64_t> Words() const {
    std::vector<int64_t> words;
    uint64_t carry = negative ? 1 : 0;
    // One word more than the digits need, for the sign.
    for (size_t i = 0; i < digits.size() + 2; i += 2) {
      uint64_t word = i < digits.size() ? digits[i] : 0;
      if (i + 1 < digits.size()) word |= uint64_t{digits[i + 1]} << 32;
      if (negative) {
        word = ~word + carry;
        carry = carry != 0 && word == 0 ? 1 : 0;
      }
      words.push_back(static_cast<int64_t>(word));
    }
    return words;
  }
};

[[noreturn]] void ThrowNoNumber(std::string_view text) {
  std::string value;
  AppendStrRepr(Utf8Prefix(text, 60), &value);
  TAIN_THROW(ValueError) << "BigInt: expected decimal digits with an optional sign, got " << value;
}

// The forms of the binary contract: values are returned as the plain struct.
TainAny HashBigInt(const Any& value) noexcept {
  int64_t room = 0;
  size_t count = 0;
  const int64_t* words = BigIntWords(value.data(), &room, &count);
  uint64_t hash = 0;
  for (size_t i = 0; i < count; ++i) {
    hash = (hash * 1099511628211u + static_cast<uint64_t>(words[i])) % 2147483647u;
  }
  return Any(static_cast<int64_t>(hash)).Release();
}

TainAny EqualBigInt(const Any& a, const Any& b) noexcept {
  return Any(BigIntCompare(a.data(), b.data()) == 0).Release();
}

}  // namespace

const int64_t* BigIntWords(const TainAny& value, int64_t* room, size_t* count) noexcept {
  if (value.type_index == kTainBigInt && CellOf(value)->size > 0) {
    *count = CellOf(value)->size;
    return CellOf(value)->words;
  }
  *room = value.type_index == kTainBigInt ? 0 : value.v_int64;
  *count = 1;
  return room;
}

void BigIntFromWords(const int64_t* words, size_t count, TainAny* out) {
  // Words that only repeat the sign are dropped.
  while (count > 1 && words[count - 1] == (words[count - 2] < 0 ? -1 : 0)) --count;
  if (count > kMaxWords) throw std::bad_alloc();
  TainAny value{};
  if (count <= 1) {
    value.type_index = kTainInt;
    value.v_int64 = count == 0 ? 0 : words[0];
  } else {
    const size_t size = sizeof(TainObject) + sizeof(size_t) + count * sizeof(int64_t);
    void* body = TainObjectAlloc(size, alignof(BigIntObject), kTainBigInt);
    if (body == nullptr) throw std::bad_alloc();
    auto* object = static_cast<BigIntObject*>(body);
    object->header = {kBothOne, kTainBigInt, kTainHeaderHasPrefix, &DeleteBigInt};
    object->cell.size = count;
    std::memcpy(static_cast<char*>(body) + sizeof(TainObject) + sizeof(size_t), words,
                count * sizeof(int64_t));
    value = ViewOfObject(&object->header);
  }
  *out = value;
}

int BigIntCompare(const TainAny& a, const TainAny& b) noexcept {
  int64_t room_a = 0, room_b = 0;
  size_t count_a = 0, count_b = 0;
  const int64_t* x = BigIntWords(a, &room_a, &count_a);
  const int64_t* y = BigIntWords(b, &room_b, &count_b);
  const bool negative = x[count_a - 1] < 0;
  if (negative != (y[count_b - 1] < 0)) return negative ? -1 : 1;
  // Words are minimal, so of two numbers with the same sign the longer one has the larger absolute
  // value.
  if (count_a != count_b) return (count_a < count_b) != negative ? -1 : 1;
  for (size_t i = count_a; i-- > 0;) {
    const auto left = static_cast<uint64_t>(x[i]);
    const auto right = static_cast<uint64_t>(y[i]);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

void BigIntFromText(std::string_view text, TainAny* out) {
  std::string_view rest = text;
  Magnitude number;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    number.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  if (rest.empty()) ThrowNoNumber(text);
  while (!rest.empty()) {
    uint32_t chunk = 0;
    uint32_t power = 1;
    for (; !rest.empty() && power < 1000000000; rest.remove_prefix(1), power *= 10) {
      if (rest[0] < '0' || rest[0] > '9') ThrowNoNumber(text);
      chunk = chunk * 10 + static_cast<uint32_t>(rest[0] - '0');
    }
    number.MultiplyAdd(power, chunk);
  }
  const std::vector<int64_t> words = number.Words();
  BigIntFromWords(words.data(), words.size(), out);
}

std::string BigIntToText(const TainAny& value) {
  if (value.type_index != kTainBigInt) return std::to_string(value.v_int64);
  Magnitude number(value);
  std::string reversed;
  while (!number.digits.empty()) {
    uint32_t chunk = number.Divide(1000000000);
    for (int i = 0; i < 9 && (chunk != 0 || !number.digits.empty()); ++i, chunk /= 10) {
      reversed += static_cast<char>('0' + chunk % 10);
    }
  }
  if (reversed.empty()) reversed += '0';
  if (number.negative) reversed += '-';
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

bool RareDouble(const TainAny* a, double* out) {
  if (a->type_index == kTainBigInt) return BigIntToDouble(a, out);
  Any number;
  if (!FromHost(*a, kTainHostFloat, &number)) return false;
  const TainAny& made = number.data();
  if (made.type_index == kTainBigInt) return BigIntToDouble(&made, out);
  const bool is_float = made.type_index == kTainFloat;
  if (!is_float && made.type_index != kTainInt && made.type_index != kTainBool) return false;
  *out = is_float ? made.v_float64 : static_cast<double>(made.v_int64);
  return true;
}

bool BigIntToDouble(const TainAny* a, double* out) noexcept {
  try {
    const Magnitude number(*a);
    const auto& digits = number.digits;
    // The top 64 bits, with a mark for nonzero bits below them, are rounded once, by the
    // conversion.
    uint64_t top = 0;
    size_t used = 0;
    for (; used < 2 && used < digits.size(); ++used) {
      top = (top << 32) | digits[digits.size() - 1 - used];
    }
    size_t exponent = 32 * (digits.size() - used);
    bool rest = false;
    if (used < digits.size()) {
      const uint64_t below = digits[digits.size() - 1 - used];
      int shift = 0;
      for (; (top >> 63) == 0; ++shift) top = (top << 1) | ((below >> (31 - shift)) & 1);
      exponent -= static_cast<size_t>(shift);
      rest = (below & ((uint64_t{1} << (32 - shift)) - 1)) != 0;
      for (size_t i = 0; !rest && i + used + 1 < digits.size(); ++i) rest = digits[i] != 0;
    }
    if (rest) top |= 1;
    if (exponent > 1024) return false;
    const double size = std::ldexp(static_cast<double>(top), static_cast<int>(exponent));
    if (std::isinf(size)) return false;
    *out = number.negative ? -size : size;
    return true;
  } catch (...) {
    return false;  // no memory for the digits
  }
}

bool BigIntToUInt64(const TainAny* a, uint64_t* out) noexcept {
  int64_t room = 0;
  size_t count = 0;
  const int64_t* words = BigIntWords(*a, &room, &count);
  if (words[count - 1] < 0 || count > 2 || (count == 2 && words[1] != 0)) return false;
  *out = static_cast<uint64_t>(words[0]);
  return true;
}

void UInt64ToAny(uint64_t value, TainAny* out) {
  const int64_t words[2] = {static_cast<int64_t>(value), 0};
  BigIntFromWords(words, 2, out);
}

}  // namespace tain::internal

extern "C" int TainBigIntFromByteArray(const TainByteArray* input, TainAny* out) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const char* where = "TainBigIntFromByteArray";
    const std::string_view bytes = TextOf(input, where, "bytes");
    TainAny& result = NotNull(out, where, "a place for the result");
    const bool negative = !bytes.empty() && (bytes.back() & 0x80) != 0;
    std::vector<int64_t> words(bytes.size() / 8 + 1, negative ? -1 : 0);
    for (size_t i = 0; i < bytes.size(); ++i) {
      const auto shift = static_cast<int>(8 * (i % 8));
      const auto byte = static_cast<uint64_t>(static_cast<unsigned char>(bytes[i]));
      const auto word = static_cast<uint64_t>(words[i / 8]) & ~(uint64_t{0xff} << shift);
      words[i / 8] = static_cast<int64_t>(word | (byte << shift));
    }
    BigIntFromWords(words.data(), words.size(), &result);
  });
}

extern "C" TainByteArray TainBigIntGetContentByteArray(const TainAny* value) noexcept {
  // Two's complement words are little-endian bytes on the machines that tain runs on.
  if (value != nullptr && value->type_index == kTainInt) {
    return {reinterpret_cast<const char*>(&value->v_int64), sizeof(int64_t)};
  }
  if (value == nullptr || value->type_index != kTainBigInt || value->v_obj == nullptr) {
    return {nullptr, 0};
  }
  const TainBigIntCell* cell = tain::internal::CellOf(*value);
  return {reinterpret_cast<const char*>(cell->words), cell->size * sizeof(int64_t)};
}

namespace {

/// Equal numbers are equal keys.
const int registered = [] {
  const auto set = [](const char* name, void* function) {
    const TainByteArray text = tain::internal::Bytes(name);
    TainAny value{};
    value.type_index = kTainOpaquePtr;
    value.v_ptr = function;
    return TainTypeRegisterAttr(kTainBigInt, &text, &value);
  };
  // Functions are passed as the opaque pointers that the columns hold.
  return set("__any_hash__", reinterpret_cast<void*>(&tain::internal::HashBigInt)) +
         set("__any_equal__", reinterpret_cast<void*>(&tain::internal::EqualBigInt));
}();

}  // namespace
