// SPDX-License-Identifier: Apache-2.0
// Records which methods each Python class overrides; see override_sets.h.
//
// When a class or one of its bases changes, CPython gives the class another version tag, or none.
// So a set is valid as long as the class has the tag with which the set was made.
#include "objects/override_sets.h"

#include <atomic>
#include <utility>
#include <vector>

#include "base/bridge_lock.h"
#include "base/tie.h"
#include "objects/callable_members.h"
#include "objects/class_table.h"
#include "objects/noted_classes.h"
#include "objects/replaced_members.h"
#include "objects/state.h"
#include "tain/internal/value_ops.h"

namespace tain::bindings {
namespace {

static_assert(sizeof(PyTypeObject::tp_version_tag) == sizeof(uint32_t));

constexpr uint32_t kFirst = OverrideSetTable::kFirst;
/// Classes without virtual methods get at most these; the others are reserved for classes whose
/// methods C++ calls, which gain more.
constexpr uint32_t kMaxWithoutVirtual = kTainOverrideSetCount / 2;
constexpr uint32_t kNever = 0;  ///< the word of a free set points here

std::atomic_ref<uint32_t> ExpectedVersion(uint32_t index) noexcept {
  return std::atomic_ref<uint32_t>(TainOverrideSets[index].expected);
}

/// Callback of the weak references: the class has died, and its instances ask from now on.
PyObject* FreeSet(PyObject*, PyObject* weak) {
  OverrideSetTable& table = OverrideSets();
  for (uint32_t i = kFirst; i < kTainOverrideSetCount; ++i) {
    OverrideSetOwner& owner = OwnerAt(i);
    if (owner.weak != weak) continue;
    ExpectedVersion(i).store(0, std::memory_order_release);
    std::atomic_ref<const uint32_t*>(TainOverrideSets[i].version)
        .store(&kNever, std::memory_order_release);
    PyTypeObject* type = owner.type.exchange(nullptr, std::memory_order_relaxed);
    owner.version_of_record.store(0, std::memory_order_relaxed);
    owner.version_of_nothing.store(0, std::memory_order_relaxed);
    table.index_of.erase(type);
    if (!owner.is_virtual) --table.without_virtual;
    Py_DECREF(std::exchange(owner.weak, nullptr));
    break;
  }
  Py_RETURN_NONE;
}

PyObject* WeakRefTo(PyTypeObject* type) noexcept {
  static PyMethodDef free_set = {"_free_override_set", kLocked<&FreeSet>, METH_O, nullptr};
  PyObject*& callback = OverrideSets().on_death;
  if (callback == nullptr) callback = PyCFunction_New(&free_set, nullptr);
  if (callback == nullptr) return nullptr;
  return PyWeakref_NewRef(reinterpret_cast<PyObject*>(type), callback);
}

/// Returns the names of the virtual methods and properties that a Python class overrides.
std::vector<std::string_view> OverriddenNames(PyTypeObject* type) {
  std::vector<std::string_view> names;
  PyTypeObject* generated = GeneratedBase(type);
  const ClassRecord* known = RecordOfType(generated);
  const TainTypeRecord* record = known == nullptr ? nullptr : known->record;
  for (; record != nullptr; record = TainGetTypeRecord(record->request.parent)) {
    ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
      if ((info->flags & (kTainCallVirtual | kTainCallAbstract)) == 0) return;
      const nb::str key = MemberName(name);
      if (OverridingMember(type, generated, key.ptr())) names.push_back(name);
    });
    if (record->info->type_index == kTainObject) break;
  }
  // used for keys, see host_equality.cc, and by structural operations
  for (const char* name : {"__eq__", "__hash__", "__s_equal__", "__s_hash__"}) {
    const nb::str key = MemberName(name);
    if (generated != nullptr &&
        _PyType_Lookup(type, key.ptr()) != _PyType_Lookup(generated, key.ptr())) {
      names.emplace_back(name);
    }
  }
  return names;
}

/// Adds all names that the Python classes in the MRO have, if C++ may call any of them.
void AddAnyNames(PyTypeObject* type, NameBits* names) noexcept {
  const ClassRecord* known = RecordOfType(GeneratedBase(type));
  if (known == nullptr || !known->is_overridden) return;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_mro); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(type->tp_mro, i));
    if (base->tp_dealloc == &InstanceDealloc || base == &PyBaseObject_Type) continue;
    const Own members = Readable(base->tp_dict);
    Py_ssize_t at = 0, size = 0;
    PyObject* name = nullptr;
    while (members && PyDict_Next(members.get(), &at, &name, nullptr) != 0) {
      const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : nullptr;
      if (text != nullptr) AddName({text, static_cast<size_t>(size)}, names);
    }
  }
  PyErr_Clear();  // a name that is no UTF-8 is none in C++
}

/// Returns the index of a free set, 0 if there is none.
uint32_t FreeIndex(OverrideSetTable& table) noexcept {
  for (uint32_t tried = kFirst; tried < kTainOverrideSetCount; ++tried) {
    const uint32_t index = table.next;
    table.next = index + 1 == kTainOverrideSetCount ? kFirst : index + 1;
    if (OwnerAt(index).type.load(std::memory_order_relaxed) == nullptr) return index;
  }
  return 0;
}

/// Fills a set again if its class has changed.
void UpdateSet(uint32_t index, PyTypeObject* type) noexcept {
  const uint32_t before = VersionOf(type);
  if (TAIN_LIKELY(ExpectedVersion(index).load(std::memory_order_relaxed) == before)) return;
  if (OwnerAt(index).type.load(std::memory_order_relaxed) != type) return;
  const Own held = Own::Share(reinterpret_cast<PyObject*>(type));  // look-ups may run Python code
  NameBits names{};
  try {
    for (const std::string_view name : OverriddenNames(type)) AddName(name, &names);
    AddAnyNames(type, &names);
  } catch (const std::exception&) {  // if there is no memory, C++ asks
    return;
  }
  ExpectedVersion(index).store(0, std::memory_order_release);
  StoreNames(index, names);
  ExpectedVersion(index).store(VersionOfNames(type, before), std::memory_order_release);
}

}  // namespace

void AddOverrideSet(PyTypeObject* type) noexcept {
  if (OverrideSetOf(type) != kTainOverrideSetAsk) return;
  const ClassRecord* record = RecordOfType(type);
  const bool is_virtual = record != nullptr && record->has_virtual;
  if (!is_virtual && OverrideSets().without_virtual >= kMaxWithoutVirtual) return;
  const nb::error_scope pending;
  OverrideSetTable& table = OverrideSets();
  PyObject* weak = WeakRefTo(type);
  try {
    if (table.owners.load(std::memory_order_relaxed) == nullptr) {
      table.owners.store(new OverrideSetOwner[kTainOverrideSetCount], std::memory_order_release);
    }
    if (const uint32_t index = weak == nullptr ? 0 : FreeIndex(table); index != 0) {
      table.index_of.emplace(type, index);
      OverrideSetOwner& owner = OwnerAt(index);
      owner.weak = std::exchange(weak, nullptr);
      owner.is_virtual = is_virtual;
      owner.type.store(type, std::memory_order_release);
      if (!is_virtual) ++table.without_virtual;
      std::atomic_ref<const uint32_t*>(TainOverrideSets[index].version)
          .store(&type->tp_version_tag, std::memory_order_release);
    }
  } catch (const std::bad_alloc&) {  // if there is no memory, C++ asks in each call
  }
  Py_XDECREF(weak);
}

void AskForeign(int32_t type_index) noexcept {
  try {
    internal::SetClassOverrideSet(type_index, kTainOverrideSetAsk);
  } catch (const std::bad_alloc&) {  // if there is no memory, such keys are compared by address
  }
}

void UpdateOverrideSet(const TainObject* object, PyTypeObject* type) noexcept {
  UpdateSet((TainObjectWordOf(object) >> kTainHeaderSetShift) & (kTainOverrideSetCount - 1), type);
}

void UpdateOwnOverrideSet(PyTypeObject* type) noexcept { UpdateSet(OverrideSetOf(type), type); }

}  // namespace tain::bindings
