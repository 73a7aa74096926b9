// SPDX-License-Identifier: Apache-2.0
// Type keys and other registered names; see type_keys.h.
#include "base/type_keys.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/state.h"

namespace tain::bindings {
namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

void RaisePendingFaults() {
  if (TainRaisePendingFaults() != 0) ThrowFromCore();
}

bool AskForMissing(const char* kind, std::string_view name) {
  PyObject* hook = GetState().on_missing;
  if (hook == nullptr) return false;
  const nb::object text = nb::steal(ToStr(name.data(), name.size()));
  if (!text.is_valid()) throw nb::python_error();
  const nb::object answer = nb::handle(hook)(kind, text);
  return nb::cast<bool>(answer);
}

std::string NearMatches(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::pair<size_t, std::string>> ranked;
  const size_t limit = std::max<size_t>(2, name.size() / 3);
  for (const std::string& candidate : known) {
    if (candidate.size() > 200 || name.size() > 200) continue;
    const size_t distance = EditDistance(name, candidate);
    if (distance <= limit) ranked.emplace_back(distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.empty()) return "";
  std::string text = " Did you mean ";
  for (size_t i = 0; i < std::min<size_t>(ranked.size(), 3); ++i) {
    text += (i == 0 ? "'" : ", '") + ranked[i].second + "'";
  }
  return text + "?";
}

std::vector<std::string> TypeKeys(std::string_view prefix) {
  struct Context {
    std::string_view prefix;
    std::vector<std::string> keys;
  } context{prefix, {}};
  const auto add = [](const TainByteArray* key, int32_t, void* data) {
    auto* c = static_cast<Context*>(data);
    if (View(*key).substr(0, c->prefix.size()) == c->prefix) c->keys.emplace_back(View(*key));
    return 0;
  };
  if (TainListTypeKeys(add, &context) != 0) ThrowFromCore();
  std::sort(context.keys.begin(), context.keys.end());
  return std::move(context.keys);
}

std::string ModuleOfKey(std::string_view key) {
  const size_t dot = key.rfind('.');
  const std::string space(dot == std::string_view::npos ? std::string_view() : key.substr(0, dot));
  const auto& adopted = GetState().adopted;
  // Deeper namespaces stay where they can be imported.
  if (const auto found = adopted.find(space); found != adopted.end()) return found->second;
  if (space == "ffi") return "tain";
  return space.empty() ? "tain.types" : "tain.types." + space;
}

}  // namespace tain::bindings
