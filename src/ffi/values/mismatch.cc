// SPDX-License-Identifier: Apache-2.0
// The texts of conversion errors: `where: expected X, got Y (value)`.
#include "tain/convert.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>

#include "base/error_object.h"
#include "base/refusal.h"
#include "base/text_repr.h"
#include "tain/error.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/caught.h"
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

/// Returns the text of a value for a message; empty if the name of its type is enough.
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

/// The description of the host's object from which a value was made.
struct Given {
  std::string type;
  std::string text;  ///< empty if the type is enough
};

/// Asks the host to describe an object (TainHost::describe).
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

/// Asks the host for the description of a value that is an object of a built-in type.
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

}  // namespace

std::string TypeNameOf(const TainAny& value) {
  int32_t index = value.type_index;
  if (index == kTainRValueRef) {
    const TainObject* object = *static_cast<TainObject* const*>(value.v_ptr);
    index = object == nullptr ? kTainNone : object->type_index;
  }
  const BuiltinType* builtin = BuiltinOfIndex(index);
  if (builtin != nullptr && !builtin->name.empty()) return std::string(builtin->name);
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
  const Error error = TakeRaisedError();
  if (AsksToStop(error)) throw error;
}

std::string GotTypeName(const TainAny& got) {
  const std::optional<Given> given = GivenFor(got);
  return given ? given->type : TypeNameOf(got);
}

std::string ClassNameOf(TainObject* object) {
  const std::optional<Given> given = AskHost(object);
  if (given) return given->type;
  return TypeNameOf(ViewOfObject(object));
}

std::string TypeAndValue(const TainAny& value) {
  const std::optional<Given> given = GivenFor(value);
  const std::string text = given ? given->text : ValueText(value);
  std::string type = given ? given->type : TypeNameOf(value);
  return text.empty() ? type : type + " (" + text + ")";
}

std::string GotText(const Mismatch& mismatch, const TainAny& value) {
  if (!mismatch.got().empty()) return mismatch.got();
  return mismatch.out_of_range() ? ValueText(value) : TypeAndValue(value);
}

std::string PlaceInside(std::string_view where, std::string_view place) {
  const bool apart = !where.empty() && !place.empty() && place.front() != '[';
  return std::string(where).append(apart ? ": " : "").append(place);
}

void ThrowMismatch(std::string_view where, const Mismatch& mismatch, const TainAny& got) {
  ThrowRefused(PlaceInside(where, mismatch.place()), mismatch, GotText(mismatch, got),
               where.empty() ? Refusal::OfValue(mismatch.place()) : Refusal());
}

void ThrowCast(Explain explain, const TainAny& got, std::string_view where) {
  ThrowMismatch(where, explain(&got), got);
}

void ThrowRefused(const std::string& where, const Mismatch& mismatch, const std::string& got,
                  const Refusal& refusal) {
  std::string message = where;
  message.append(where.empty() ? "" : ": ").append("expected ").append(mismatch.expected());
  message.append(", got ").append(got);
  const char* kind = mismatch.out_of_range() ? "OverflowError"
                     : mismatch.unusable()   ? "ValueError"
                                             : "TypeError";
  ThrowError(kind, message, refusal);
}

void RethrowInside(const std::string& place) {
  RaiseHandled();
  const Error error = TakeRaisedError();
  if (AsksToStop(error) || error.kind() == "MemoryError") throw;
  const Refusal* refusal = RefusalOf(error);
  const bool is_placed = refusal != nullptr && refusal->kind == Refusal::Kind::kValue;
  const std::string joint = place.empty() ? "" : is_placed ? refusal->joint : ": ";
  const Refusal made = place.empty() && is_placed ? *refusal : Refusal::OfValue(place);
  ThrowReworded(error, place + joint + error.message(), made);
}

void ThrowPlaced(const std::string& where, const Error& error) { ThrowPlacedAs({}, where, error); }

void ThrowPlacedAs(const Refusal& made, const std::string& where, const Error& error) {
  const Refusal* refusal = RefusalOf(error);
  if (refusal == nullptr || refusal->kind != Refusal::Kind::kValue) throw error;
  const std::string message = error.message();
  ThrowReworded(error, where + refusal->joint + message, made);
}

namespace {

/// Whether a value is an object of the class but not made by tain, of which such objects cannot be
/// used: everything else that has the index of the class fits.
bool IsForeignInstance(const TainAny& got, int32_t wanted) noexcept {
  return got.type_index >= kTainStaticObjectBegin && got.v_obj != nullptr &&
         (TainObjectWordOf(got.v_obj) & kTainHeaderHasPrefix) == 0 &&
         TainTypeIsInstance(got.type_index, wanted) != 0;
}

std::string ForeignName(const TainObject* object) {
  return "a " + TypeNameOf(ViewOfObject(object)) +
         " of another library, whose C++ class is not tain's";
}

}  // namespace

void ThrowForeignObject(const TainObject* object) {
  const Mismatch mismatch = Mismatch("an object that tain made").Got(ForeignName(object));
  ThrowMismatch("", mismatch, TainAny{});
}

Mismatch ClassMismatch(const TainAny* a, int32_t wanted, std::string expected) {
  const TainAny got = Referred(*a);
  if (IsForeignInstance(got, wanted)) {
    return Mismatch(std::move(expected)).Got(ForeignName(got.v_obj));
  }
  const TainTypeRecord* want = TainGetTypeRecord(wanted);
  const TainTypeRecord* have =
      got.type_index < kTainDynObjectBegin ? nullptr : TainGetTypeRecord(got.type_index);
  if (want == nullptr || have == nullptr || want == have) return Mismatch(std::move(expected));
  const std::string key(want->info->type_key.data, want->info->type_key.size);
  if (key != std::string_view(have->info->type_key.data, have->info->type_key.size)) {
    return Mismatch(std::move(expected));
  }
  const auto named = [&](const TainTypeRecord* record) {
    return key + " (build " + std::to_string(record->build) + ")";
  };
  if (const size_t at = expected.find(key); at != std::string::npos) {
    expected.replace(at, key.size(), named(want));
  }
  return Mismatch(std::move(expected)).Got(named(have));
}

Mismatch SizeMismatch(const std::string& type, int64_t wanted, int64_t size) {
  return Mismatch(type + " of " + std::to_string(wanted) + " elements").Got(std::to_string(size));
}

std::string IndexPlace(int64_t index) { return "[" + std::to_string(index) + "]"; }

std::string KeyPlace(const TainAny& key) {
  std::string_view text;
  if (!TextOf(&key, &text)) return "[" + ValueText(key) + "]";
  std::string place = "[";
  AppendKeyRepr(Utf8Prefix(text, kMaxValueText), &place);
  return place + "]";
}

Mismatch FloatMismatch(const TainAny* a, double most) {
  Any number;
  const bool by_protocol = FromHost(*a, kTainHostFloat, &number);
  if (!by_protocol && !IsInt(*a) && a->type_index != kTainFloat) return std::string("float");
  std::string text;
  if (most == std::numeric_limits<double>::max()) {
    AppendFloatRepr(most, &text);
  } else {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%g", most);
    text = digits.data();
  }
  Mismatch range = Mismatch::OutOfRange("float in -" + text + ".." + text);
  if (!by_protocol) return range;
  return std::move(range).Got(ValueText(number.data()));
}

Mismatch IntMismatch(const TainAny* a, int64_t lo, uint64_t hi) {
  Any number;
  const bool by_protocol = FromHost(*a, kTainHostInt, &number);
  if (!by_protocol && !IsInt(*a)) return std::string("int");
  Mismatch range = Mismatch::OutOfRange("int in " + std::to_string(lo) + ".." + std::to_string(hi));
  if (!by_protocol) return range;
  return std::move(range).Got(ValueText(number.data()));
}

}  // namespace tain::internal

namespace tain {

Mismatch::Mismatch(std::string type) noexcept : expected_(std::move(type)) {}
Mismatch::Mismatch(Mismatch&& other) noexcept = default;
Mismatch& Mismatch::operator=(Mismatch&& other) noexcept = default;
Mismatch::~Mismatch() = default;

Mismatch Mismatch::Because(std::string text) { return Mismatch(std::move(text)); }

Mismatch Mismatch::OutOfRange(std::string range) {
  Mismatch mismatch(std::move(range));
  mismatch.out_of_range_ = true;
  return mismatch;
}

Mismatch Mismatch::Unusable(std::string expected) {
  Mismatch mismatch(std::move(expected));
  mismatch.unusable_ = true;
  return mismatch;
}

Mismatch&& Mismatch::Got(std::string text) && {
  got_ = std::move(text);
  return std::move(*this);
}

Mismatch&& Mismatch::At(std::string_view place, const TainAny& element) && {
  got_ = internal::GotText(*this, element);
  place_ = internal::PlaceInside(place, place_);
  return std::move(*this);
}

}  // namespace tain
