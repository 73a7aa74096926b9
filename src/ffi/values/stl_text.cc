// SPDX-License-Identifier: Apache-2.0
// Texts of tain/stl.h: the bytes of paths, the range of durations.
#include <cstdio>
#include <limits>

#include "tain/stl/chrono.h"
#include "tain/stl/path.h"

namespace tain::internal {
namespace {

unsigned char ByteAt(std::string_view text, size_t i) noexcept {
  return static_cast<unsigned char>(text[i]);
}

/// Returns the number of bytes of the UTF-8 character at i, or 0 if there is no valid one.
/// Surrogates are not valid.
size_t CharacterAt(std::string_view text, size_t i) noexcept {
  const unsigned char lead = ByteAt(text, i);
  if (lead < 0x80) return 1;
  const size_t size = lead >= 0xC2 && lead < 0xE0   ? 2
                      : (lead & 0xF0) == 0xE0       ? 3
                      : lead >= 0xF0 && lead < 0xF5 ? 4
                                                    : 0;
  if (size == 0 || i + size > text.size()) return 0;
  for (size_t k = 1; k < size; ++k) {
    if ((ByteAt(text, i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = ByteAt(text, i + 1);
  const bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
  return wrong ? 0 : size;
}

/// Throws the UnicodeEncodeError of Python's encoder for a surrogate that represents no byte.
[[noreturn]] void ThrowSurrogate(std::string_view text, size_t at) {
  const TainHost* host = TainGetHost();
  const Any whole = text;
  TainAny made{};
  int handled = 0;
  if (host != nullptr && host->make_opaque != nullptr &&
      host->make_opaque(&whole.data(), kTainHostPath, &made, &handled) != 0) {
    throw Error::MoveFromRaised();
  }
  const Any unused = Any::Steal(made);
  TAIN_THROW(UnicodeEncodeError) << "byte " << static_cast<int64_t>(at)
                                 << " of the path begins a surrogate that stands for no byte";
}

}  // namespace

std::string PathBytes(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size();) {
    // U+DC80..U+DCFF are ED B2 80..BF and ED B3 80..BF.
    if (ByteAt(text, i) == 0xED && i + 2 < text.size() && (ByteAt(text, i + 1) & 0xFE) == 0xB2) {
      const int low = ((ByteAt(text, i + 1) & 0x03) << 6) | (ByteAt(text, i + 2) & 0x3F);
      bytes += static_cast<char>(low & 0xFF);
      i += 3;
    } else if (ByteAt(text, i) == 0xED && i + 1 < text.size() && ByteAt(text, i + 1) >= 0xA0) {
      ThrowSurrogate(text, i);
    } else {
      bytes += text[i++];
    }
  }
  return bytes;
}

std::string PathText(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size();) {
    const size_t size = CharacterAt(bytes, i);
    if (size != 0) {
      text.append(bytes.substr(i, size));
      i += size;
      continue;
    }
    const unsigned char byte = ByteAt(bytes, i++);
    text += static_cast<char>(0xED);
    text += static_cast<char>(byte < 0xC0 ? 0xB2 : 0xB3);
    text += static_cast<char>(0x80 | (byte & 0x3F));
  }
  return text;
}

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
