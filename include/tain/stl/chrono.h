// SPDX-License-Identifier: Apache-2.0
// std::chrono::duration crosses as a number of seconds: a parameter takes a float, an int or a time
// span of the host (datetime.timedelta); a result is a float. A std::chrono::time_point crosses as
// the seconds since the epoch of its clock, as time.time() counts them for system_clock, and
// time.monotonic() for steady_clock on Linux.
//
// If the duration counts integers, seconds that are no whole number of ticks raise ValueError, and
// more ticks than its Rep can hold raise OverflowError. What is below a float's own precision is no
// part of its value, nor what is below a nanosecond, which Python's clocks do not count.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "tain/internal/container_api.h"

namespace tain {
namespace internal {

/// Returns the range for a message: `float in lo..hi`.
TAIN_DLL std::string SecondsRange(double lo, double hi);

/// Returns what was expected of seconds that are no whole number of ticks of num/den seconds.
TAIN_DLL std::string WholeTicks(int64_t num, int64_t den);

/// A time span of the host in ticks.
struct TimeSpan {
  bool is_one;          ///< false for any other value
  bool fits;            ///< whether int64_t can hold the ticks
  bool whole;           ///< whether nothing was rounded; false if the ticks do not fit
  int64_t ticks;        ///< exact, and rounded to the nearest
  long double seconds;  ///< rounded
};
/// Reads a time span of the host in ticks of num/den seconds.
TAIN_DLL TimeSpan TimeSpanOf(const TainAny* a, int64_t num, int64_t den);

}  // namespace internal

template <class Rep, class Period>
struct TypeTraits<std::chrono::duration<Rep, Period>> : TypeTraitsBase {
  using D = std::chrono::duration<Rep, Period>;
  static constexpr bool kCrosses = std::is_arithmetic_v<Rep>;
  // long double, so that 64-bit ticks keep all digits on platforms where it is wide enough.
  static constexpr long double kSecond =
      static_cast<long double>(Period::den) / static_cast<long double>(Period::num);

  static void CopyToAnyView(const D& v, TainAny* out) noexcept {
    TypeTraits<double>::CopyToAnyView(SecondsOf(v.count()), out);
  }
  static void MoveToAny(const D& v, TainAny* out) noexcept { CopyToAnyView(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainFloat && InRange(a->v_float64 * kSecond) && Whole(a->v_float64);
  }
  /// A number fits a parameter for a number better.
  static int FitOf(const TainAny* a) noexcept {
    return internal::IsHostValue(*a) ? internal::kFitConverted : internal::kFitQuantity;
  }
  static D CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    return FromTicks(a->v_float64 * kSecond);
  }
  static std::optional<D> TryCastFromAnyView(const TainAny* a) {
    if constexpr (std::is_integral_v<Rep>) {
      if (internal::IsHostValue(*a)) {
        const internal::TimeSpan span = internal::TimeSpanOf(a, Period::num, Period::den);
        if (span.is_one && span.fits) {
          if (!span.whole || !std::in_range<Rep>(span.ticks)) return std::nullopt;
          return D(static_cast<Rep>(span.ticks));
        }
      }
    }
    long double ticks;
    bool whole;
    if (!TicksOf(a, &ticks, &whole) || !InRange(ticks) || !whole) return std::nullopt;
    return FromTicks(ticks);
  }
  static std::string TypeStr() { return "float"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    long double ticks;
    bool whole;
    if (!TicksOf(a, &ticks, &whole)) return internal::FloatMismatch(a);
    if (InRange(ticks)) {
      return With(*a, Mismatch::Unusable(internal::WholeTicks(Period::num, Period::den)));
    }
    using Limits = std::numeric_limits<Rep>;
    return With(*a, Mismatch::OutOfRange(internal::SecondsRange(SecondsOf(Limits::lowest()),
                                                                SecondsOf((Limits::max)()))));
  }

 private:
  static double SecondsOf(Rep count) noexcept {
    return static_cast<double>(static_cast<long double>(count) / kSecond);
  }
  /// Adds the words for a value of the host.
  static Mismatch With(const TainAny& a, Mismatch mismatch) {
    if (!internal::IsHostValue(a)) return mismatch;
    return std::move(mismatch).Got(internal::TypeAndValue(a));
  }
  static bool InRange(long double ticks) noexcept {
    if constexpr (std::is_floating_point_v<Rep>) return true;
    const long double rounded = std::round(ticks);
    return rounded >= static_cast<long double>(std::numeric_limits<Rep>::lowest()) &&
           rounded < static_cast<long double>((std::numeric_limits<Rep>::max)()) + 1;
  }
  static D FromTicks(long double ticks) noexcept {
    if constexpr (std::is_floating_point_v<Rep>) return D(static_cast<Rep>(ticks));
    return D(static_cast<Rep>(std::round(ticks)));
  }
  /// Whether the nearest tick is as many seconds, but for the last digits of a float.
  static bool Whole(double seconds) noexcept {
    if constexpr (std::is_floating_point_v<Rep>) return true;
    const long double ticks = std::round(seconds * kSecond);
    if (kSecond >= 1e9L && ticks != 0) return true;
    const long double lost = std::abs(static_cast<long double>(seconds) - ticks / kSecond);
    return lost <= 4 * std::numeric_limits<double>::epsilon() * std::abs(seconds);
  }
  static bool TicksOf(const TainAny* a, long double* out, bool* whole) {
    *whole = true;
    if (internal::IsHostValue(*a)) {
      const internal::TimeSpan span = internal::TimeSpanOf(a, Period::num, Period::den);
      if (span.is_one) {
        *out = span.seconds * kSecond;
        *whole = span.whole || std::is_floating_point_v<Rep>;
        return true;
      }
    }
    if (a->type_index == kTainInt) {
      *out = static_cast<long double>(a->v_int64) * kSecond;
      *whole = a->v_int64 % Period::num == 0 || std::is_floating_point_v<Rep>;
      return true;
    }
    const std::optional<double> seconds = TypeTraits<double>::TryCastFromAnyView(a);
    if (!seconds) return false;
    *out = static_cast<long double>(*seconds) * kSecond;
    *whole = Whole(*seconds);
    return true;
  }
};

template <class Clock, class D>
struct TypeTraits<std::chrono::time_point<Clock, D>> : TypeTraitsBase {
  using Point = std::chrono::time_point<Clock, D>;
  using Since = TypeTraits<D>;
  static constexpr bool kCrosses = Since::kCrosses;

  static void CopyToAnyView(const Point& v, TainAny* out) noexcept {
    Since::CopyToAnyView(v.time_since_epoch(), out);
  }
  static void MoveToAny(const Point& v, TainAny* out) noexcept { CopyToAnyView(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return Since::CheckAnyStrict(a); }
  static int FitOf(const TainAny* a) noexcept { return Since::FitOf(a); }
  static Point CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    return Point(Since::CopyFromAnyViewAfterCheck(a));
  }
  static std::optional<Point> TryCastFromAnyView(const TainAny* a) {
    if (IsTimeSpan(a)) return std::nullopt;
    const std::optional<D> since = Since::TryCastFromAnyView(a);
    if (!since) return std::nullopt;
    return Point(*since);
  }
  static std::string TypeStr() { return "float"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    Mismatch mismatch = Since::ExplainMismatch(a);
    if (!IsTimeSpan(a) && mismatch.specific()) return mismatch;
    return Mismatch::Because("float (seconds since the epoch, as datetime.timestamp() gives them)");
  }

 private:
  /// A length of time is no point in time.
  static bool IsTimeSpan(const TainAny* a) {
    return internal::IsHostValue(*a) && internal::TimeSpanOf(a, 1, 1).is_one;
  }
};

}  // namespace tain
