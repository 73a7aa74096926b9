// SPDX-License-Identifier: Apache-2.0
// PassTiming, the instrument that measures passes; see tain/graph/pass.h.
#include <chrono>
#include <cstdio>

#include "tain/graph/pass.h"

namespace tain::transform {
namespace {

double SecondsNow() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

void PassTimingObj::enter_context_impl() {
  entries_.clear();
  running_.clear();
}

void PassTimingObj::before_pass_impl(const Any&, const Pass& pass) {
  running_.push_back(entries_.size());
  entries_.push_back({pass->name, static_cast<int64_t>(running_.size()) - 1, SecondsNow(), -1});
}

void PassTimingObj::after_pass_impl(const Any&, const Pass& pass) { End(pass); }
void PassTimingObj::failed_pass_impl(const Pass& pass) { End(pass); }

void PassTimingObj::End(const Pass& pass) {
  const double now = SecondsNow();
  while (!running_.empty()) {
    Entry& entry = entries_[running_.back()];
    running_.pop_back();
    entry.seconds = now - entry.begin;
    if (entry.name == pass->name) return;
  }
}

Map<String, double> PassTimingObj::Seconds() const {
  Map<String, double> seconds;
  for (const Entry& entry : entries_) {
    if (entry.seconds < 0) continue;
    const auto known = seconds.find(entry.name);
    const double before = known == seconds.end() ? 0.0 : static_cast<double>((*known).second);
    seconds.Set(entry.name, before + entry.seconds);
  }
  return seconds;
}

String PassTimingObj::Report() const {
  std::string report;
  for (const Entry& entry : entries_) {
    char time[32] = " is running";
    if (entry.seconds >= 0) std::snprintf(time, sizeof(time), " %.3f ms", entry.seconds * 1e3);
    report += std::string(static_cast<size_t>(2 * entry.depth), ' ') + std::string(entry.name) +
              time + "\n";
  }
  return report;
}

}  // namespace tain::transform
