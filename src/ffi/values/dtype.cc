// SPDX-License-Identifier: Apache-2.0
// Names of data types: `int32`, `bfloat16`, `float8_e4m3fn`, `bool`, with lanes as in `float32x4`.
#include <charconv>
#include <string>
#include <string_view>

#include "base/guard.h"
#include "tain/convert.h"

namespace tain::internal {
namespace {

/// A name for one code and width.
struct NamedType {
  std::string_view name;
  uint8_t code;
  uint8_t bits;
};

/// Floating-point numbers of few bits: float8_e4m3fn, and also fp8_e4m3fn, f8_e4m3fn and e4m3fn.
constexpr NamedType kSmallFloats[] = {
    {"e4m3b11fnuz", kDLFloat8_e4m3b11fnuz, 8},
    {"e4m3fnuz", kDLFloat8_e4m3fnuz, 8},
    {"e4m3fn", kDLFloat8_e4m3fn, 8},
    {"e4m3", kDLFloat8_e4m3, 8},
    {"e3m4", kDLFloat8_e3m4, 8},
    {"e5m2fnuz", kDLFloat8_e5m2fnuz, 8},
    {"e5m2", kDLFloat8_e5m2, 8},
    {"e8m0fnu", kDLFloat8_e8m0fnu, 8},
    {"e2m3fn", kDLFloat6_e2m3fn, 6},
    {"e3m2fn", kDLFloat6_e3m2fn, 6},
    {"e2m1fn", kDLFloat4_e2m1fn, 4},
};

constexpr NamedType kNamed[] = {{"bool", kDLBool, 8}, {"handle", kDLOpaqueHandle, 64}};

/// A name that is followed by a number of bits; `bits` is the default, 0 if there is none.
struct SizedType {
  std::string_view name;
  uint8_t code;
  uint8_t bits;
  uint8_t least;  ///< the smallest valid width
};

constexpr SizedType kSized[] = {
    {"int", kDLInt, 32, 1},
    {"uint", kDLUInt, 32, 1},
    {"float", kDLFloat, 32, 9},
    {"bfloat", kDLBfloat, 16, 9},
    {"complex", kDLComplex, 64, 18},
    {"bool", kDLBool, 8, 1},
    {"handle", kDLOpaqueHandle, 64, 1},
    // Short names, which are read alone: i32, u8, f16, bf16.
    {"i", kDLInt, 0, 1},
    {"u", kDLUInt, 0, 1},
    {"f", kDLFloat, 0, 9},
    {"bf", kDLBfloat, 0, 9},
};

constexpr uint8_t kVoidCode = kDLOpaqueHandle;

[[noreturn]] void ThrowUnknown(std::string_view text) {
  TAIN_THROW(ValueError)
      << "dtype: expected int8..int64, uint8..uint64, float16, float32, float64, bfloat16, "
         "complex64, complex128, bool, handle, void, int4 and other widths, float8_e4m3fn "
         "(e3m4, e4m3, e4m3b11fnuz, e4m3fnuz, e5m2, e5m2fnuz, e8m0fnu), float6_e2m3fn, "
         "float6_e3m2fn or float4_e2m1fn, short names as i32, f16, bf16, fp8_e4m3fn and e4m3fn, "
         "with "
         "lanes as in float32x4, got '"
      << text << "'";
}

/// Removes `prefix` from the front.
bool TakePrefix(std::string_view* rest, std::string_view prefix) noexcept {
  if (rest->substr(0, prefix.size()) != prefix) return false;
  rest->remove_prefix(prefix.size());
  return true;
}

/// Removes a number in 1..limit from the front; -1 if there is no digit, 0 if it is out of range.
int TakeNumber(std::string_view* rest, int limit) noexcept {
  if (rest->empty() || rest->front() < '0' || rest->front() > '9') return -1;
  int number = 0;
  const auto [end, code] = std::from_chars(rest->data(), rest->data() + rest->size(), number);
  rest->remove_prefix(static_cast<size_t>(end - rest->data()));
  return code == std::errc() && number <= limit ? number : 0;
}

/// Whether a name ends here: the number of lanes may follow, in torch's names as `_x2`.
bool IsEnd(std::string_view rest) noexcept {
  return rest.empty() || rest.front() == 'x' || rest.substr(0, 2) == "_x";
}

/// Removes the name of a type of some number of bits, 0 for any, from the front.
template <size_t kSize>
bool TakeFrom(const NamedType (&types)[kSize], int bits, std::string_view* rest,
              DLDataType* out) noexcept {
  for (const NamedType& type : types) {
    std::string_view after = *rest;
    if ((bits != 0 && bits != type.bits) || !TakePrefix(&after, type.name) || !IsEnd(after))
      continue;
    *rest = after;
    out->code = type.code;
    out->bits = type.bits;
    return true;
  }
  return false;
}

bool TakeSmallFloat(std::string_view* rest, DLDataType* out) noexcept {
  std::string_view after = *rest;
  int bits = 0;
  if (TakePrefix(&after, "float") || TakePrefix(&after, "fp") || TakePrefix(&after, "f")) {
    bits = TakeNumber(&after, 8);
    if (bits <= 0 || !TakePrefix(&after, "_")) return false;
  }
  if (!TakeFrom(kSmallFloats, bits, &after, out)) return false;
  TakePrefix(&after, "_");
  *rest = after;
  return true;
}

bool TakeSized(std::string_view* rest, DLDataType* out) noexcept {
  for (const SizedType& type : kSized) {
    std::string_view after = *rest;
    if (!TakePrefix(&after, type.name)) continue;
    int bits = TakeNumber(&after, 255);
    if (bits == -1) bits = type.bits;
    if (bits < type.least) return false;
    *rest = after;
    out->code = type.code;
    out->bits = static_cast<uint8_t>(bits);
    return true;
  }
  return false;
}

DLDataType ParseDataType(std::string_view text) {
  DLDataType type{0, 0, 1};
  if (text == "void") return {kVoidCode, 0, 0};
  std::string_view rest = text;
  if (!TakeSmallFloat(&rest, &type) && !TakeFrom(kNamed, 0, &rest, &type) &&
      !TakeSized(&rest, &type)) {
    ThrowUnknown(text);
  }
  if (rest.empty()) return type;
  // Scalable vectors have a negative number of lanes.
  const bool scalable = TakePrefix(&rest, "xvscale");
  if (!TakePrefix(&rest, "x")) ThrowUnknown(text);
  const int lanes = TakeNumber(&rest, 32767);
  if (lanes <= 0 || !rest.empty()) ThrowUnknown(text);
  type.lanes = static_cast<uint16_t>(scalable ? -lanes : lanes);
  return type;
}

std::string DataTypeName(DLDataType type) {
  for (const NamedType& small : kSmallFloats) {
    if (small.code != type.code || small.bits != type.bits) continue;
    return "float" + std::to_string(small.bits) + "_" + std::string(small.name);
  }
  for (const NamedType& named : kNamed) {
    if (named.code == type.code && named.bits == type.bits) return std::string(named.name);
  }
  for (const SizedType& sized : kSized) {
    if (sized.code == type.code) return std::string(sized.name) + std::to_string(type.bits);
  }
  TAIN_THROW(ValueError) << "dtype: expected a type code of DLPack (0..17), got "
                         << static_cast<int>(type.code) << " with " << static_cast<int>(type.bits)
                         << " bits";
}

std::string FormatDataType(DLDataType type) {
  if (type.code == kVoidCode && type.bits == 0 && type.lanes == 0) return "void";
  std::string text = DataTypeName(type);
  // As a signed number, whose sign identifies scalable vectors.
  const auto lanes = static_cast<int16_t>(type.lanes);
  if (lanes < 0) return text + "xvscalex" + std::to_string(-static_cast<int>(lanes));
  if (lanes != 1) text += "x" + std::to_string(lanes);
  return text;
}

}  // namespace
}  // namespace tain::internal

extern "C" int TainDataTypeFromString(const TainByteArray* text, DLDataType* out) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const char* where = "TainDataTypeFromString";
    DLDataType& result = NotNull(out, where, "a place for the result");
    result = ParseDataType(TextOf(text, where, "a name"));
  });
}

extern "C" int TainDataTypeToString(const DLDataType* dtype, TainAny* out) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const char* where = "TainDataTypeToString";
    const std::string text = FormatDataType(NotNull(dtype, where, "a data type"));
    TextToAny(text, &NotNull(out, where, "a place for the result"));
  });
}
