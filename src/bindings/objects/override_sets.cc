// SPDX-License-Identifier: Apache-2.0
// What each Python class overrides; see override_sets.h.
//
// CPython gives a class another version tag, or none, whenever it or a class above it changes, so a
// set holds for as long as the tag is the one it was made with.
#include "objects/override_sets.h"

#include <array>
#include <atomic>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/tie.h"
#include "objects/callable_members.h"
#include "objects/class_table.h"
#include "tain/internal/value_ops.h"
#include "tain/virtual.h"

namespace tain::bindings {
namespace {

static_assert(sizeof(PyTypeObject::tp_version_tag) == sizeof(uint32_t));

constexpr uint32_t kFirst = kTainOverrideSetAsk + 1;
/// The others are left to classes whose methods C++ calls, which gain more by them.
constexpr uint32_t kMaxWithoutVirtual = kTainOverrideSetCount / 2;
constexpr uint32_t kNever = 0;  ///< what a set's word points at while it has no class

struct Owner {
  PyTypeObject* type;  ///< borrowed; null if the set is free
  PyObject* weak;      ///< a weak reference to it, whose callback frees the set
  bool is_virtual;     ///< C++ calls methods of it
};

/// Who has which set. All of it is guarded by the GIL and kept for the life of the process.
struct Table {
  std::array<Owner, kTainOverrideSetCount> owners{};
  std::unordered_map<PyTypeObject*, uint32_t> index_of;
  std::array<std::pair<PyTypeObject*, uint32_t>, 64> recent{};  ///< before the map, by address
  uint32_t without_virtual = 0;  ///< how many sets belong to classes that only compare and hash
  uint32_t next = kFirst;        ///< where to look for a free one: the longest unused comes first
};

Table& GetTable() noexcept {
  static auto* table = new Table();
  return *table;
}

std::pair<PyTypeObject*, uint32_t>& Recent(const PyTypeObject* type) noexcept {
  return GetTable().recent[(reinterpret_cast<uintptr_t>(type) >> 6) & 63];
}

std::atomic_ref<uint32_t> Expected(uint32_t index) noexcept {
  return std::atomic_ref<uint32_t>(TainOverrideSets[index].expected);
}

/// Callback of the weak references: the class dies, and its instances ask from now on.
PyObject* FreeSet(PyObject*, PyObject* weak) {
  Table& table = GetTable();
  for (uint32_t i = kFirst; i < kTainOverrideSetCount; ++i) {
    Owner& owner = table.owners[i];
    if (owner.weak != weak) continue;
    Expected(i).store(0, std::memory_order_release);
    std::atomic_ref<const uint32_t*>(TainOverrideSets[i].version)
        .store(&kNever, std::memory_order_release);
    if (Recent(owner.type).first == owner.type) Recent(owner.type) = {};
    table.index_of.erase(owner.type);
    if (!owner.is_virtual) --table.without_virtual;
    Py_DECREF(owner.weak);
    owner = {};
    break;
  }
  Py_RETURN_NONE;
}

PyObject* WeakRefTo(PyTypeObject* type) noexcept {
  static PyMethodDef free_set = {"_free_override_set", &FreeSet, METH_O, nullptr};
  static PyObject* callback = PyCFunction_New(&free_set, nullptr);  // kept for ever
  if (callback == nullptr) return nullptr;
  return PyWeakref_NewRef(reinterpret_cast<PyObject*>(type), callback);
}

/// The names of the virtual methods and properties that a Python class overrides.
std::vector<std::string_view> OverriddenNames(PyTypeObject* type) {
  std::vector<std::string_view> names;
  PyTypeObject* generated = GeneratedBase(type);
  const ClassRecord* known = RecordOfType(generated);
  const TainTypeRecord* record = known == nullptr ? nullptr : known->record;
  for (; record != nullptr; record = TainGetTypeRecord(record->request.parent)) {
    ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
      if ((info->flags & (kTainCallVirtual | kTainCallAbstract)) == 0) return;
      const nb::str key = MemberName(name);
      if (_PyType_Lookup(type, key.ptr()) != _PyType_Lookup(generated, key.ptr())) {
        names.push_back(name);
      }
    });
    if (record->info->type_index == kTainObject) break;
  }
  for (const char* name : {"__eq__", "__hash__"}) {  // of keys: see host_equality.cc
    const nb::str key = MemberName(name);
    if (generated != nullptr &&
        _PyType_Lookup(type, key.ptr()) != _PyType_Lookup(generated, key.ptr())) {
      names.emplace_back(name);
    }
  }
  return names;
}

/// A free set, 0 if there is none.
uint32_t FreeIndex(Table& table) noexcept {
  for (uint32_t tried = kFirst; tried < kTainOverrideSetCount; ++tried) {
    const uint32_t index = table.next;
    table.next = index + 1 == kTainOverrideSetCount ? kFirst : index + 1;
    if (table.owners[index].type == nullptr) return index;
  }
  return 0;
}

/// Fills a set anew if its class has changed since.
void Update(uint32_t index, PyTypeObject* type) noexcept {
  if (TAIN_LIKELY(Expected(index).load(std::memory_order_relaxed) == type->tp_version_tag)) return;
  if (GetTable().owners[index].type != type) return;
  const Own held = Own::Share(reinterpret_cast<PyObject*>(type));  // looking up may run Python
  TainOverrideSet& set = TainOverrideSets[index];
  std::array<uint64_t, std::extent_v<decltype(set.names)>> names{};
  try {
    for (const std::string_view name : OverriddenNames(type)) {
      const uint32_t bit = internal::OverrideBit(name);
      names[bit >> 6] |= uint64_t{1} << (bit & 63);
    }
  } catch (const std::exception&) {  // no memory: C++ asks
    return;
  }
  Expected(index).store(0, std::memory_order_release);
  for (size_t i = 0; i < names.size(); ++i) {
    std::atomic_ref<uint64_t>(set.names[i]).store(names[i], std::memory_order_relaxed);
  }
  // 0 if the class cannot have a version: then C++ asks each time.
  Expected(index).store(type->tp_version_tag, std::memory_order_release);
}

}  // namespace

uint32_t OverrideSetOf(PyTypeObject* type) noexcept {
  auto& recent = Recent(type);
  if (TAIN_LIKELY(recent.first == type)) return recent.second;
  const auto& known = GetTable().index_of;
  const auto found = known.find(type);
  if (found == known.end()) return kTainOverrideSetAsk;
  recent = *found;
  return found->second;
}

void AddOverrideSet(PyTypeObject* type) noexcept {
  if (OverrideSetOf(type) != kTainOverrideSetAsk) return;
  const bool is_virtual = HasVirtual(type);
  if (!is_virtual && GetTable().without_virtual >= kMaxWithoutVirtual) return;
  PyObject *error, *value, *traceback;
  PyErr_Fetch(&error, &value, &traceback);
  Table& table = GetTable();
  PyObject* weak = WeakRefTo(type);
  const uint32_t index = weak == nullptr ? 0 : FreeIndex(table);
  try {
    if (index != 0) {
      table.index_of.emplace(type, index);
      table.owners[index] = {type, weak, is_virtual};
      if (!is_virtual) ++table.without_virtual;
      weak = nullptr;
      std::atomic_ref<const uint32_t*>(TainOverrideSets[index].version)
          .store(&type->tp_version_tag, std::memory_order_release);
    }
  } catch (const std::bad_alloc&) {  // C++ asks each time
  }
  Py_XDECREF(weak);
  PyErr_Restore(error, value, traceback);
}

void AskForeign(int32_t type_index) noexcept {
  try {
    internal::SetClassOverrideSet(type_index, kTainOverrideSetAsk);
  } catch (const std::bad_alloc&) {  // such keys go by address
  }
}

void UpdateOverrideSet(const TainObject* object, PyTypeObject* type) noexcept {
  Update((object->reserved >> kTainHeaderSetShift) & (kTainOverrideSetCount - 1), type);
}

void UpdateOwnOverrideSet(PyTypeObject* type) noexcept { Update(OverrideSetOf(type), type); }

}  // namespace tain::bindings
