// SPDX-License-Identifier: Apache-2.0
// The words of conversion errors.
//
// One grammar: `where: expected X, got Y (value)`. Where the mistake lies inside a value,
// `expected` comes with its own `, got Y (value)`: see internal::MismatchInside.
#include "tain/convert.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>

#include "base/text_repr.h"
#include "tain/error.h"
#include "tain/internal/container_api.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

constexpr size_t kMaxValueText = 60;

std::string Shortened(std::string text) {
  if (text.size() <= kMaxValueText) return text;
  text.resize(Utf8Prefix(text, kMaxValueText).size());
  return text + "...";
}

/// The value for a message; empty where its type says enough.
std::string ValueText(const TainAny& value) {
  std::string_view text;
  std::string out;
  if (TextOf(&value, &text)) {
    const std::string_view prefix = Utf8Prefix(text, kMaxValueText);
    AppendStrRepr(prefix, &out);
    return prefix.size() < text.size() ? out + "..." : out;
  }
  if (BytesOf(&value, &text)) {
    const std::string_view prefix = text.substr(0, kMaxValueText);
    AppendBytesRepr(prefix, &out);
    return prefix.size() < text.size() ? out + "..." : out;
  }
  if (value.type_index == kTainNone || value.type_index == kTainRValueRef) return out;
  if (value.type_index >= kTainStaticObjectBegin && value.type_index != kTainBigInt) return out;
  TainAny owned{};
  if (TainAnyRepr(&value, &owned) != 0) {
    ForgetUnlessStop();
    return out;
  }
  const Any keeper = Any::Steal(owned);
  TextOf(&keeper.data(), &text);
  return Shortened(std::string(text));
}

/// What the host's user gave for a value.
struct Given {
  std::string type;
  std::string text;  ///< empty: the type says enough
};

/// Asks the host what its user knows of an object.
std::optional<Given> AskHost(TainObject* object) {
  const TainHost* host = TainGetHost();
  if (host == nullptr || host->describe == nullptr) return std::nullopt;
  TainAny type{}, text{};
  int handled = 0;
  const int code = host->describe(object, &type, &text, &handled);
  const Any owned_type = Any::Steal(type);
  const Any owned_text = Any::Steal(text);
  if (code != 0) ForgetUnlessStop();
  std::string_view type_view, text_view;
  if (code != 0 || handled == 0 || !TextOf(&type, &type_view)) return std::nullopt;
  TextOf(&text, &text_view);
  return Given{std::string(type_view), Shortened(std::string(text_view))};
}

/// Asks the host what its user gave where an object of a built-in type stands.
std::optional<Given> GivenFor(const TainAny& value) {
  const TainAny referred = Referred(value);
  if (referred.type_index < kTainStaticObjectBegin || referred.type_index >= kTainDynObjectBegin) {
    return std::nullopt;
  }
  return AskHost(referred.v_obj);
}

bool IsInt(const TainAny& value) noexcept {
  return value.type_index == kTainInt || value.type_index == kTainBigInt;
}

bool IsRange(std::string_view expected) noexcept {
  return expected.substr(0, 7) == "int in " || expected.substr(0, 9) == "float in ";
}

/// Whether `expected` states a range of numbers like `got`, which is then out of it.
bool IsOutOf(std::string_view expected, const TainAny& got) noexcept {
  if (!IsRange(expected)) return false;
  return IsInt(got) || (expected[0] == 'f' && got.type_index == kTainFloat);
}

/// The user's words for the built-in kinds of values.
const char* BuiltinName(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainAny: return "Any";
    case kTainNone: return "None";
    case kTainInt:
    case kTainBigInt: return "int";
    case kTainBool: return "bool";
    case kTainFloat: return "float";
    case kTainOpaquePtr: return "ctypes.c_void_p";
    case kTainDataType: return "dtype";
    case kTainDevice: return "Device";
    case kTainDLTensorPtr:
    case kTainTensor: return "Tensor";
    case kTainRawStr:
    case kTainSmallStr:
    case kTainStr: return "str";
    case kTainByteArrayPtr:
    case kTainSmallBytes:
    case kTainBytes: return "bytes";
    case kTainObject: return "Object";
    case kTainError: return "Error";
    case kTainFunction: return "Function";
    case kTainShape: return "Shape";
    case kTainArray: return "Array";
    case kTainList: return "List";
    case kTainMap: return "Map";
    case kTainDict: return "Dict";
    case kTainModule: return "Module";
    case kTainOpaquePyObject: return "object";
    default: return nullptr;
  }
}

}  // namespace

std::string TypeNameOf(const TainAny& value) {
  int32_t index = value.type_index;
  if (index == kTainRValueRef) {
    const TainObject* object = *static_cast<TainObject* const*>(value.v_ptr);
    index = object == nullptr ? kTainNone : object->type_index;
  }
  if (const char* name = BuiltinName(index)) return name;
  const TainTypeInfo* info = TainGetTypeInfo(index);
  if (info == nullptr) return "value of unknown type " + std::to_string(index);
  return std::string(info->type_key.data, info->type_key.size);
}

bool AsksToStop(const Error& error) {
  constexpr std::string_view kKinds[] = {"BaseException", "GeneratorExit", "KeyboardInterrupt",
                                         "SystemExit"};
  return std::find(std::begin(kKinds), std::end(kKinds), error.kind()) != std::end(kKinds);
}

void ForgetUnlessStop() {
  const Error error = Error::MoveFromRaised();
  if (AsksToStop(error)) throw error;
}

std::string GotTypeName(const TainAny& got) {
  const std::optional<Given> given = GivenFor(got);
  return given ? given->type : TypeNameOf(got);
}

std::string ClassNameOf(TainObject* object) {
  const std::optional<Given> given = AskHost(object);
  if (given) return given->type;
  TainAny value{};
  value.type_index = object->type_index;
  value.v_obj = object;
  return TypeNameOf(value);
}

std::string GotText(const std::string& expected, const TainAny& got) {
  const std::optional<Given> given = GivenFor(got);
  const std::string value = given ? given->text : ValueText(got);
  if (IsOutOf(expected, got)) return value;
  std::string text = given ? given->type : TypeNameOf(got);
  if (!value.empty()) text.append(" (").append(value).append(")");
  return text;
}

void ThrowMismatch(std::string_view where, const std::string& expected, const TainAny& got) {
  const bool inside = expected.find(", got ") != std::string::npos;
  const bool overflow = inside ? IsRange(expected) : IsOutOf(expected, got);
  std::string message(where);
  message.append(where.empty() ? "" : ": ").append("expected ").append(expected);
  if (!inside) message.append(", got ").append(GotText(expected, got));
  if (overflow) TAIN_THROW(OverflowError) << message;
  TAIN_THROW(TypeError) << message;
}

void ThrowPlaced(std::string where, const Error& error) {
  const std::string message = error.message();
  const auto begins = [&](std::string_view text) { return message.rfind(text, 0) == 0; };
  const bool key = begins("key:") || begins("key[");
  const bool inside = begins("[");  // a place inside the value
  const bool mismatch = error.kind() == "TypeError" || error.kind() == "OverflowError";
  if (!mismatch || !(key || inside || begins("expected "))) throw error;
  where += key ? " " : inside ? "" : ": ";
  throw Error(error.kind(), where + message, error.backtrace());
}

std::string ClassMismatch(const TainAny* a, int32_t wanted, std::string expected) {
  const TainAny got = Referred(*a);
  const TainTypeRecord* want = TainGetTypeRecord(wanted);
  const TainTypeRecord* have =
      got.type_index < kTainDynObjectBegin ? nullptr : TainGetTypeRecord(got.type_index);
  if (want == nullptr || have == nullptr || want == have) return expected;
  const std::string key(want->info->type_key.data, want->info->type_key.size);
  if (key != std::string_view(have->info->type_key.data, have->info->type_key.size)) {
    return expected;
  }
  const auto named = [&](const TainTypeRecord* record) {
    return key + " (build " + std::to_string(record->build) + ")";
  };
  if (const size_t at = expected.find(key); at != std::string::npos) {
    expected.replace(at, key.size(), named(want));
  }
  return expected + ", got " + named(have);
}

std::string KeyPlace(const TainAny& key) {
  std::string_view text;
  if (!TextOf(&key, &text)) return "[" + ValueText(key) + "]";
  std::string place = "[";
  AppendKeyRepr(Utf8Prefix(text, kMaxValueText), &place);
  return place + "]";
}

std::string UnionStr(const std::string& a, const std::string& b) {
  const std::string whole = " | " + a + " | ";
  return whole.find(" | " + b + " | ") != std::string::npos ? a : a + " | " + b;
}

std::string FloatMismatch(const TainAny* a, double most) {
  Any number;
  const bool by_protocol = FromHost(*a, kTainHostFloat, &number);
  if (!by_protocol && !IsInt(*a) && a->type_index != kTainFloat) return "float";
  std::string text;
  if (most == std::numeric_limits<double>::max()) {
    AppendFloatRepr(most, &text);
  } else {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%g", most);
    text = digits.data();
  }
  const std::string range = "float in -" + text + ".." + text;
  return by_protocol ? range + ", got " + ValueText(number.data()) : range;
}

std::string IntMismatch(const TainAny* a, int64_t lo, uint64_t hi) {
  Any number;
  const bool by_protocol = FromHost(*a, kTainHostInt, &number);
  if (!by_protocol && !IsInt(*a)) return "int";
  const std::string range = "int in " + std::to_string(lo) + ".." + std::to_string(hi);
  return by_protocol ? range + ", got " + ValueText(number.data()) : range;
}

}  // namespace tain::internal
