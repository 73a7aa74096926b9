// SPDX-License-Identifier: Apache-2.0
// Names that are alike; see internal/near_matches.h.
#include "tain/internal/near_matches.h"

#include <algorithm>
#include <utility>

namespace tain::internal {
namespace {

/// Returns how many characters are to be inserted, removed, replaced or exchanged with the next one
/// (optimal string alignment).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool crossed = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (crossed) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearMatches(std::string_view name, const std::vector<std::string>& known) {
  constexpr size_t kMaxShown = 3, kMaxCompared = 200;
  std::vector<std::pair<size_t, std::string>> ranked;
  // At least one character is the same.
  const size_t limit = std::min(std::max<size_t>(2, name.size() / 3), name.size() - !name.empty());
  for (const std::string& candidate : known) {
    if (candidate.size() > kMaxCompared || name.size() > kMaxCompared) continue;
    const size_t distance = EditDistance(name, candidate);
    if (distance <= limit) ranked.emplace_back(distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.empty()) return "";
  std::string text = " Did you mean ";
  for (size_t i = 0; i < std::min(ranked.size(), kMaxShown); ++i) {
    text += (i == 0 ? "'" : ", '") + ranked[i].second + "'";
  }
  return text + "?";
}

}  // namespace tain::internal
