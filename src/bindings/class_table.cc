// SPDX-License-Identifier: Apache-2.0
// Which Python class stands for which type index; see class_table.h.
#include "class_table.h"

#include <algorithm>

#include "class_factory.h"
#include "enums.h"
#include "error.h"
#include "visible_class.h"

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

PyObject* FindRegistered(std::string_view key) {
  const TainByteArray bytes{key.data(), key.size()};
  if (TainGetEnum(&bytes) != nullptr) return EnumClass(key);
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) != 0) {
    DropCoreError();
    return nullptr;
  }
  if (PyObject* builtin = ClassOfStaticIndex(index)) return Py_NewRef(builtin);
  PyTypeObject* type = ClassOf(index);
  if (type == nullptr) throw nb::python_error();
  return Py_NewRef(reinterpret_cast<PyObject*>(type));
}

}  // namespace

ClassRecord* EnterClass(const ClassRecord& made) noexcept {
  State& state = GetState();
  const auto index = static_cast<size_t>(made.type_index);
  try {
    if (state.classes.size() <= index) state.classes.resize(std::max<size_t>(index + 1, 256));
    if (state.classes[index] != nullptr) return state.classes[index];
    auto* record = new ClassRecord(made);
    record->made = {made.generated, made.own};
    for (PyTypeObject* type : {made.generated, made.own, made.type}) {
      state.class_of_type[type] = record;
    }
    state.classes[index] = record;
    return record;
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return nullptr;
  }
}

ClassRecord* RecordOf(int32_t type_index) noexcept {
  const auto& classes = GetState().classes;
  const auto at = static_cast<size_t>(type_index);
  if (at < classes.size() && classes[at] != nullptr) return classes[at];
  return BuildClass(type_index);
}

PyTypeObject* ClassOfSlow(int32_t type_index) noexcept {
  const ClassRecord* record = RecordOf(type_index);
  return record == nullptr ? nullptr : record->type;
}

constinit std::array<ClassCacheEntry, 256> class_cache{};

ClassRecord* RecordOfTypeSlow(PyTypeObject* type) noexcept {
  const auto& map = GetState().class_of_type;
  for (PyTypeObject* base = type; base != nullptr; base = base->tp_base) {
    ClassCacheEntry& entry = ClassCacheFor(base);
    if (TAIN_LIKELY(entry.type == base)) return entry.record;
    const auto found = map.find(base);
    if (found == map.end()) continue;
    entry = {base, found->second};  // a class in the map is never freed
    return found->second;
  }
  return nullptr;
}

bool HasVirtual(PyTypeObject* type) noexcept {
  const ClassRecord* record = RecordOfType(type);
  return record != nullptr && record->has_virtual;
}

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

PyObject* FindClassOfKey(std::string_view key) {
  RaisePendingFaults();
  if (PyObject* found = FindRegistered(key)) return found;
  if (AskForMissing("key", key)) return FindRegistered(key);
  return nullptr;
}

PyObject* ClassOfKey(std::string_view key) {
  if (PyObject* found = FindClassOfKey(key)) return found;
  const std::string text(key);
  ThrowValue("no type is registered under the key '" + text + "'." +
             NearMatches(key, TypeKeys("")));
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

void AdoptNamespace(const std::string& name, const std::string& module) {
  State& state = GetState();
  state.adopted[name] = module;
  for (const ClassRecord* record : state.classes) {
    if (record == nullptr || record->type_index < kTainDynObjectBegin) continue;
    const std::string_view key = View(record->record->info->type_key);
    if (key.substr(0, name.size() + 1) != name + ".") continue;
    if (IsMadeFor(*record, record->type)) GiveNames(*record, NamesOfKey(key));
  }
  for (const auto& [key, cls] : state.enums) {
    if (key.compare(0, name.size() + 1, name + ".") == 0) {
      nb::handle(cls).attr("__module__") = ModuleOfKey(key).c_str();
    }
  }
}

}  // namespace tain::bindings
