// SPDX-License-Identifier: Apache-2.0
// Paths and time spans of tain/stl.h: what they are in the host language, and their texts.
#include <cstdio>
#include <limits>

#include "base/unlocked_call.h"
#include "base/utf8.h"
#include "tain/stl/chrono.h"
#include "tain/stl/path.h"

namespace tain::internal {
namespace {

/// Throws the UnicodeEncodeError of Python's encoder for a surrogate that represents no byte.
[[noreturn]] void ThrowSurrogate(std::string_view text, size_t at) {
  Any unused;
  MakeByHost(Any(text).data(), kTainHostPath, &unused);
  TAIN_THROW(UnicodeEncodeError) << "byte " << static_cast<int64_t>(at)
                                 << " of the path begins a surrogate that stands for no byte";
}

}  // namespace

std::string PathBytes(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size();) {
    const Character character = FirstCharacter(text.substr(i));
    const int32_t byte = EscapedByte(text.substr(i));
    if (byte >= 0) {
      bytes += static_cast<char>(byte);
    } else if (character.code >= 0xd800 && character.code <= 0xdfff) {
      ThrowSurrogate(text, i);
    } else {
      bytes += text.substr(i, character.size);
    }
    i += character.size;
  }
  return bytes;
}

std::string PathText(std::string_view bytes) { return TextOfBytes(bytes); }

Mismatch PathMismatch(const TainAny* a) {
  std::string_view text;
  Any path;
  const TainAny& given = FromHost(*a, kTainHostPath, &path) ? path.data() : *a;
  const bool is_path = BytesOf(&given, &text) || TextOf(&given, &text) || MemberText(given, &text);
  if (!is_path) return std::string("str");
  return Mismatch::Unusable("path without an embedded null character");
}

TimeSpan TimeSpanOf(const TainAny* a, int64_t num, int64_t den) {
  Any micros;
  if (!FromHost(*a, kTainHostMicroseconds, &micros)) return {};
  __extension__ using Wide = __int128;
  Wide count = 0;
  if (const auto small = micros.try_cast<int64_t>()) {
    count = *small;
  } else {
    const TainByteArray bytes = TainBigIntGetContentByteArray(&micros.data());
    const bool negative = bytes.size > 0 && (bytes.data[bytes.size - 1] & 0x80) != 0;
    count = negative ? -1 : 0;
    for (size_t i = bytes.size; i-- > 0;) {  // at most nine bytes: a time span has no more
      count = static_cast<Wide>(static_cast<unsigned __int128>(count) << 8) |
              static_cast<unsigned char>(bytes.data[i]);
    }
  }
  TimeSpan span{};
  span.is_one = true;
  span.seconds = static_cast<long double>(count) / 1000000.0L;
  Wide scaled = 0, divisor = 0;
  if (__builtin_mul_overflow(count, Wide{den}, &scaled)) return span;
  divisor = Wide{num} * 1000000;
  const Wide half = divisor / 2;
  const Wide ticks = (scaled + (scaled < 0 ? -half : half)) / divisor;  // halves away from zero
  span.fits =
      ticks >= std::numeric_limits<int64_t>::min() && ticks <= std::numeric_limits<int64_t>::max();
  span.ticks = span.fits ? static_cast<int64_t>(ticks) : 0;
  span.whole = span.fits && ticks * divisor == scaled;
  return span;
}

std::string SecondsRange(double lo, double hi) {
  char text[80];
  std::snprintf(text, sizeof text, "float in %.15g..%.15g", lo, hi);
  return text;
}

std::string WholeTicks(int64_t num, int64_t den) {
  struct Unit {
    int64_t num, den;
    const char* name;
  };
  static constexpr Unit kUnits[] = {
      {1, 1000000000, "nanoseconds"},
      {1, 1000000, "microseconds"},
      {1, 1000, "milliseconds"},
      {1, 1, "seconds"},
      {60, 1, "minutes"},
      {3600, 1, "hours"},
      {86400, 1, "days"},
      {604800, 1, "weeks"},
  };
  std::string text = "float (seconds) that is a whole number of ";
  for (const Unit& unit : kUnits) {
    if (unit.num == num && unit.den == den) return text + unit.name;
  }
  text += std::to_string(num);
  if (den != 1) text += "/" + std::to_string(den);
  return text + " seconds";
}

}  // namespace tain::internal
