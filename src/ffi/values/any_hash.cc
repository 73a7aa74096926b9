// SPDX-License-Identifier: Apache-2.0
// Hash and equality of values for Map and Dict. The binary contract defines them, because compiled
// code of other libraries searches maps inline.

#include "base/guard.h"
#include "registry/key_functions.h"
#include "registry/type_column.h"
#include "tain/convert.h"
#include "values/any_equal.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

constexpr uint64_t kMultiplier = 1099511628211u;
constexpr uint64_t kModulus = 2147483647u;

uint64_t CombineHashes(uint64_t key, uint64_t value) noexcept {
  return key ^ (value + 0x9e3779b9u + (key << 6) + (key >> 2));
}

/// Reads a word as little-endian memory, whatever the byte order of this machine.
uint64_t LoadWord(const char* bytes, size_t size) noexcept {
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i) {
    word |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return word;
}

uint64_t HashBytes(std::string_view bytes) noexcept {
  uint64_t hash = 0;
  while (bytes.size() >= 8) {
    hash = (hash * kMultiplier + LoadWord(bytes.data(), 8)) % kModulus;
    bytes.remove_prefix(8);
  }
  if (!bytes.empty()) {
    hash = (hash * kMultiplier + LoadWord(bytes.data(), bytes.size())) % kModulus;
  }
  return hash;
}

constexpr const char* kHash = "__any_hash__";
constexpr const char* kEqual = "__any_equal__";
constinit TypeColumn hash_column{kHash};
constinit TypeColumn equal_column{kEqual};

/// Returns the number that an attribute has returned, which must be an int or bool; an Error is thrown.
int64_t NumberOf(const Any& result, const TainAny& value, const char* name) {
  if (result.type_index() == kTainError) throw result.cast<Error>();
  if (result.type_index() != kTainInt && result.type_index() != kTainBool) {
    TAIN_THROW(TypeError) << TypeNameOf(value) << "." << name << ": expected int, got "
                          << TypeNameOf(result.data());
  }
  return result.data().v_int64;
}

/// Calls a Function attribute.
int64_t CallFunction(const TainAny& function, const TainAny* args, int32_t num_args,
                     const char* name) {
  TainAny result{};
  ThrowIfFailed(TainFunctionCall(function.v_obj, args, num_args, &result));
  return NumberOf(Any::Steal(result), args[0], name);
}

const Any& AsAny(const TainAny& value) noexcept {
  return reinterpret_cast<const Any&>(value);  // same 16 bytes
}

uint64_t CallHash(const TainAny& attribute, const TainAny& value) {
  if (IsKeyFunction(attribute)) return ObjectKeyHash(value.v_obj);
  if (attribute.type_index == kTainOpaquePtr) {
    using Hash = TainAny (*)(const Any&) noexcept;
    const auto hash = reinterpret_cast<Hash>(attribute.v_ptr);
    return static_cast<uint64_t>(NumberOf(Any::Steal(hash(AsAny(value))), value, kHash));
  }
  return static_cast<uint64_t>(CallFunction(attribute, &value, 1, kHash));
}

bool CallEqual(const TainAny& attribute, const TainAny& a, const TainAny& b) {
  if (IsKeyFunction(attribute)) return ObjectKeysEqual(a.v_obj, b.v_obj);
  if (attribute.type_index == kTainOpaquePtr) {
    using Equal = TainAny (*)(const Any&, const Any&) noexcept;
    const auto equal = reinterpret_cast<Equal>(attribute.v_ptr);
    return NumberOf(Any::Steal(equal(AsAny(a), AsAny(b))), a, kEqual) != 0;
  }
  const TainAny args[2] = {a, b};
  return CallFunction(attribute, args, 2, kEqual) != 0;
}

const TainAny* EqualAttribute(const TainAny& a, const TainAny& b) noexcept {
  if (a.type_index != b.type_index || a.type_index < kTainStaticObjectBegin) return nullptr;
  return equal_column.Find(a.type_index);
}

}  // namespace

Equality EqualAtOnce(const TainAny& a, const TainAny& b) noexcept {
  if (a.type_index == b.type_index && a.v_uint64 == b.v_uint64 &&
      a.small_str_len == b.small_str_len) {
    return Equality::kEqual;
  }
  if (a.type_index == kTainSmallStr && b.type_index == kTainSmallStr) return Equality::kDifferent;
  std::string_view x, y;
  if (TextOf(&a, &x)) return TextOf(&b, &y) && x == y ? Equality::kEqual : Equality::kDifferent;
  if (BytesOf(&a, &x)) return BytesOf(&b, &y) && x == y ? Equality::kEqual : Equality::kDifferent;
  return EqualAttribute(a, b) == nullptr ? Equality::kDifferent : Equality::kAskType;
}

bool TypeRunsCodeAsKey(int32_t type_index) noexcept {
  return hash_column.Find(type_index) != nullptr || equal_column.Find(type_index) != nullptr;
}

uint64_t AnyHash(const TainAny& value) {
  std::string_view text;
  const auto index = static_cast<uint64_t>(int64_t{value.type_index});
  if (value.type_index == kTainSmallStr) return CombineHashes(kTainStr, value.v_uint64 % kModulus);
  if (value.type_index == kTainSmallBytes)
    return CombineHashes(kTainBytes, value.v_uint64 % kModulus);
  if (TextOf(&value, &text)) return CombineHashes(kTainStr, HashBytes(text));
  if (BytesOf(&value, &text)) return CombineHashes(kTainBytes, HashBytes(text));
  if (value.type_index >= kTainStaticObjectBegin) {
    if (const TainAny* attribute = hash_column.Find(value.type_index)) {
      return CombineHashes(index, CallHash(*attribute, value));
    }
  }
  return CombineHashes(index, value.v_uint64);
}

bool AnyEqual(const TainAny& a, const TainAny& b) {
  const Equality at_once = EqualAtOnce(a, b);
  if (at_once != Equality::kAskType) return at_once == Equality::kEqual;
  return CallEqual(*EqualAttribute(a, b), a, b);
}

}  // namespace tain::internal

extern "C" uint64_t TainAnyHash(const TainAny* value) noexcept {
  using namespace tain::internal;
  uint64_t hash = 0;
  Guard([&] { hash = AnyHash(NotNull(value, "TainAnyHash", "a value")); });
  return hash;
}

extern "C" int TainAnyEqual(const TainAny* a, const TainAny* b) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const TainAny& left = NotNull(a, "TainAnyEqual", "a value");
    return AnyEqual(left, NotNull(b, "TainAnyEqual", "a value")) ? 1 : 0;
  });
}
