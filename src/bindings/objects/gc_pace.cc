// SPDX-License-Identifier: Apache-2.0
// Counts C++ objects for the search for cycles; see gc_pace.h.
#include "objects/gc_pace.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/gil.h"
#include "base/hooks.h"
#include "objects/gc_state.h"

namespace tain::bindings {
namespace {

/// The objects are counted after this many candidates, or after this time: a candidate may be a
/// graph of any size.
constexpr int32_t kCandidatesPerCount = 64;
constexpr auto kTimePerCount = std::chrono::milliseconds(10);
/// Fewer new objects are never worth a search.
constexpr int64_t kFewest = 1000;
/// CPython's own first two thresholds, multiplied, for a module gc that does not tell them.
constexpr int64_t kUsual = 7000;

int64_t LiveObjects() noexcept {
  int64_t sum = 0;
  TainLiveObjects(
      [](int32_t, int64_t count, void* context) { *static_cast<int64_t*>(context) += count; },
      &sum);
  return sum;
}

/// Returns the product of the first two thresholds of the module gc; 0 if the first one is 0.
int64_t Thresholds() {
  const nb::error_scope pending;  // objects are also dropped while an exception propagates
  try {
    const nb::object all = nb::module_::import_("gc").attr("get_threshold")();
    const auto first = nb::cast<int64_t>(all[0]);
    const auto second = std::max<int64_t>(1, nb::cast<int64_t>(all[1]));
    return first > INT64_MAX / second ? INT64_MAX : first * second;
  } catch (const nb::python_error&) {
    return kUsual;
  } catch (const std::exception&) {
    return kUsual;
  }
}

/// Whether enough objects were made since the last search.
bool IsDue() noexcept {
  GcPace& pace = GetGc().gc_pace;
  const int64_t live = LiveObjects();
  pace.base = std::min(pace.base, live);
  const int64_t made = live - pace.base;
  if (made < std::max(kFewest, pace.kept) || PyGC_IsEnabled() == 0) return false;
  const int64_t wanted = Thresholds();
  return wanted > 0 && made >= wanted;
}

}  // namespace

void PaceCandidate() noexcept {
  GcPace& pace = GetGc().gc_pace;
  const auto now = std::chrono::steady_clock::now();
  if (++pace.candidates < kCandidatesPerCount && now - pace.counted < kTimePerCount) return;
  pace.candidates = 0;
  pace.counted = now;
  pace.is_due = IsDue();
}

void PaceSearched(size_t kept) noexcept {
  GcPace& pace = GetGc().gc_pace;
  pace.is_due = false;
  pace.base = LiveObjects();
  pace.kept = static_cast<int64_t>(kept);
}

void CollectIfDue() noexcept {
  if (TAIN_LIKELY(!GetGc().gc_pace.is_due) || Finalizing()) return;
  if (GetGc().probe_visits >= 0) return;  // CPython collects just now
  GetGc().gc_pace.is_due = false;         // also for the objects that die in the search
  const nb::error_scope pending;
  GetHooks().collect_candidates();
}

}  // namespace tain::bindings
