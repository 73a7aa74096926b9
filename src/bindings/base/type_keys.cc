// SPDX-License-Identifier: Apache-2.0
// Type keys and other registered names; see type_keys.h.
#include "base/type_keys.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/state.h"
#include "tain/internal/dotted_name.h"

namespace tain::bindings {

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

std::string_view ClassNameOfKey(std::string_view key) noexcept {
  const std::string_view last = internal::LastPart(key);
  return last.empty() ? "_" : last;
}

std::string ModuleOfKey(std::string_view key) {
  const std::string space(internal::NamespaceOf(key));
  const auto& adopted = GetState().adopted;
  // Adopting a namespace does not change the module of nested namespaces.
  if (const auto found = adopted.find(space); found != adopted.end()) return found->second;
  if (space == "ffi") return "tain";
  if (space == "tain.transform") return space;
  return space.empty() ? "tain.types" : "tain.types." + space;
}

}  // namespace tain::bindings
