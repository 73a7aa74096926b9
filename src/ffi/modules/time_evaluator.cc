// SPDX-License-Identifier: Apache-2.0
// Measures how long a function of a module takes; see time_evaluator.h.
#include "modules/time_evaluator.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "tain/arguments.h"
#include "tain/convert.h"
#include "tain/reflection/object_def.h"
#include "tain/signals.h"

namespace tain::internal {
namespace {

using Clock = std::chrono::steady_clock;

/// Calls a function `number` times; returns the seconds. The caller may be interrupted by a signal.
double TimeRound(const Function& function, Args args, int64_t number) {
  constexpr double kPatience = 0.05;  // seconds without a look at signals, if calls take long
  const auto start = Clock::now();
  function.CallPacked(args);
  const double first = std::chrono::duration<double>(Clock::now() - start).count();
  const auto calls_per_check =
      static_cast<int64_t>(std::clamp(kPatience / std::max(first, 1e-9), 1.0, 1024.0));
  for (int64_t i = 1; i < number; ++i) {
    if (i % calls_per_check == 0) check_signals();
    function.CallPacked(args);
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The number of calls for the next try of a round that was too short.
int64_t MoreCalls(int64_t number, double seconds, double wanted) {
  const double factor = seconds > 0 ? std::clamp(1.2 * wanted / seconds, 2.0, 10.0) : 10.0;
  return static_cast<int64_t>(static_cast<double>(number) * factor) + 1;
}

}  // namespace

Function TimeEvaluator(ModuleObj& module, const String& name, const Any&, int64_t number,
                       int64_t repeat, double min_repeat_ms) {
  const auto check = [&](bool good, const char* what, auto value) {
    if (!good) TAIN_THROW(ValueError) << "time_evaluator: " << what << ", got " << value;
  };
  check(number >= 1, "number: expected at least 1", number);
  check(repeat >= 1, "repeat: expected at least 1", repeat);
  check(min_repeat_ms >= 0, "min_repeat_ms: expected at least 0", min_repeat_ms);
  const Module self(GetObjectPtr(&module));
  const Function timed = self[name];
  Function evaluator = Function::FromPacked([=](Args args) -> Any {
    timed.CallPacked(args);  // the first call is slower
    std::vector<double> results;
    int64_t calls = number;
    while (static_cast<int64_t>(results.size()) < repeat) {
      check_signals();  // rounds may be short, and many
      const double seconds = TimeRound(timed, args, calls);
      if (seconds * 1000 < min_repeat_ms) {
        calls = MoreCalls(calls, seconds, min_repeat_ms / 1000);
        continue;
      }
      results.push_back(seconds / static_cast<double>(calls));
    }
    double sum = 0;
    for (const double one : results) sum += one;
    return Any(Ref<TimeResultObj>(make_object<TimeResultObj>(
        sum / static_cast<double>(results.size()), Array<double>(results.begin(), results.end()))));
  });
  // Other threads of Python run meanwhile; functions of Python take the GIL for each call.
  ThrowIfFailed(TainFunctionSetReleasesGil(RefAccess::Header(evaluator), 1));
  return evaluator;
}

}  // namespace tain::internal

TAIN_REGISTER {
  using tain::internal::TimeResultObj;
  tain::reflection::ObjectDef<TimeResultObj>("The seconds that calls of a function took.",
                                             tain::thread_safe())  // nothing changes it
      .def_ro("mean", &TimeResultObj::mean, "seconds of a call, over all rounds")
      .def_ro("results", &TimeResultObj::results, "seconds of a call in each round")
      .def("__len__", [](const TimeResultObj&) { return 2; })
      .def("__getitem__", [](const TimeResultObj& self, int64_t i) -> tain::Any {
        if (i == 0 || i == -2) return tain::Any(self.mean);
        if (i == 1 || i == -1) return tain::Any(self.results);
        TAIN_THROW(IndexError) << "TimeResult index " << i << " out of range for size 2";
      });
}
