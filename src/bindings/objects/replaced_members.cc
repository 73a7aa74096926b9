// SPDX-License-Identifier: Apache-2.0
// Watches generated classes for replaced methods; see replaced_members.h.
#include "objects/replaced_members.h"

#include <atomic>
#include <utility>
#include <vector>

#include "base/hooks.h"
#include "base/release_queue.h"
#include "base/tie.h"
#include "objects/callable_members.h"
#include "objects/class_table.h"

namespace tain::bindings {
namespace {

constexpr uint32_t kVersion = 1;  ///< set 0 belongs to no class, so its version never changes

/// Stores the set 0. Without `is_known` C++ asks in each call.
void StoreReplaced(const NameBits& names, bool is_known) noexcept {
  TainOverrideSet& set = TainOverrideSets[0];
  StoreNames(0, names);
  std::atomic_ref<const uint32_t*>(set.version).store(&kVersion, std::memory_order_release);
  std::atomic_ref<uint32_t>(set.expected).store(is_known ? kVersion : 0, std::memory_order_release);
  const bool may_ask = names != NameBits{} || !is_known;
  const uint32_t objects = may_ask ? uint32_t{kTainHeaderHasPrefix} : 0;
  std::atomic_ref<uint32_t>(TainOverrideMask)
      .store(kTainOverrideMaskOfSets | objects, std::memory_order_release);
}

/// Adds the methods that are replaced in the generated class of a type.
void AddReplaced(const ClassRecord* known, NameBits* names) {
  for (const TainTypeRecord* record = known->record; record != nullptr;
       record = TainGetTypeRecord(record->request.parent)) {
    if (record->info->type_index < kTainDynObjectBegin) return;
    ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
      const bool is_called = (info->flags & (kTainCallVirtual | kTainCallAbstract)) != 0;
      if (!is_called && !known->is_overridden) return;
      const nb::str key = MemberName(name);
      const PyObject* present = PyDict_GetItemWithError(known->generated->tp_dict, key.ptr());
      if (present == nullptr || present == PyDict_GetItemWithError(known->originals, key.ptr())) {
        return;
      }
      AddName(name, names);
    });
  }
}

/// Gives a class a version tag, with which its next change is noticed. Returns false if CPython
/// gives it none.
bool GiveVersion(PyTypeObject* type) noexcept {
  _PyType_Lookup(type, GetState().names.init);
  return type->tp_version_tag != 0;
}

#if PY_VERSION_HEX >= 0x030C0000

/// CPython calls it when a class changes, perhaps before the change.
int OnChange(PyTypeObject*) {
  State& state = GetState();
  if (std::exchange(state.replaced.is_stale, true)) return 0;
  StoreReplaced({}, false);
  Later([](void*) { UpdateReplaced(); }, nullptr);  // before C++ runs again
  return 0;
}

void WatchClass(PyTypeObject* type) {
  int& watcher = GetState().replaced.watcher;
  if (watcher < 0) watcher = PyType_AddWatcher(&OnChange);
  if (watcher < 0 || PyType_Watch(watcher, reinterpret_cast<PyObject*>(type)) != 0) {
    throw nb::python_error();
  }
}

#else

/// A change of a class takes the tags of its children too, so the classes that have none suffice.
void WatchClass(PyTypeObject* type) {
  auto& tags = GetState().replaced.tags;
  for (PyTypeObject* base = type->tp_base; base != nullptr; base = base->tp_base) {
    std::erase(tags, &base->tp_version_tag);
  }
  tags.push_back(&type->tp_version_tag);
  GetState().replaced.first_tag = tags.front();
  GetState().replaced.has_more_tags = tags.size() > 1;
}

#endif

}  // namespace

void WatchMembers(ClassRecord* record) {
  record->originals = PyDict_Copy(record->generated->tp_dict);  // never freed, like the class
  if (record->originals == nullptr) throw nb::python_error();
  GetState().replaced.watched.push_back(record);
  GetHooks().update_replaced = &UpdateReplaced;
  GiveVersion(record->generated);
  WatchClass(record->generated);
}

PyObject* OriginalMember(PyTypeObject* generated, PyObject* name) noexcept {
  for (PyTypeObject* type = generated; type != nullptr; type = type->tp_base) {
    const ClassRecord* record = type->tp_dealloc == &InstanceDealloc ? RecordOfType(type) : nullptr;
    PyObject* members =
        record == nullptr || record->originals == nullptr ? type->tp_dict : record->originals;
    PyObject* found = members == nullptr ? nullptr : PyDict_GetItemWithError(members, name);
    if (found != nullptr) return found;
  }
  return nullptr;
}

Own OverridingMember(PyTypeObject* type, PyTypeObject* generated, PyObject* name) noexcept {
  Own found = ClassMember(type, name);
  return found && found.get() == OriginalMember(generated, name) ? Own() : std::move(found);
}

bool MembersReplaced() noexcept { return (TainOverrideMask & uint32_t{kTainHeaderHasPrefix}) != 0; }

void UpdateReplaced() noexcept {
  State& state = GetState();
  if (state.replaced.watched.empty()) return;
  const nb::error_scope pending;  // also called between a call and its error
  state.replaced.is_stale = false;
  bool is_known = true;
  NameBits names{};
  try {
    const std::vector<ClassRecord*> watched = state.replaced.watched;  // look-ups may add some
    for (const ClassRecord* record : watched) {
      is_known = GiveVersion(record->generated) && is_known;
      AddReplaced(record, &names);
    }
  } catch (const std::exception&) {  // if there is no memory, C++ asks
    is_known = false;
  }
  PyErr_Clear();
  StoreReplaced(names, is_known && !state.replaced.is_stale);
}

}  // namespace tain::bindings
