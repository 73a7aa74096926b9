// SPDX-License-Identifier: Apache-2.0
// The meanings found for names; see found_names.h.
#include "objects/found_names.h"
#include "objects/state.h"

#include <utility>

namespace tain::bindings {
namespace {

/// Returns the dict of an owner, and makes it if necessary; null without an error if there is no
/// memory.
PyObject* DictOf(PyObject* owner, bool holds) noexcept {
  auto& dicts = GetObjectsState().found_names.dicts;
  if (const auto found = dicts.find(owner); found != dicts.end()) return found->second;
  Own dict(PyDict_New());
  // Under a key that is no name.
  if (!dict || (holds && PyDict_SetItem(dict.get(), Py_None, owner) != 0)) {
    PyErr_Clear();
    return nullptr;
  }
  try {
    return dicts.emplace(owner, dict.get()).first->second = dict.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

bool IsKeptName(PyObject* name) noexcept {
  if (!PyUnicode_CheckExact(name)) return false;
  return PyUnicode_GET_LENGTH(name) < 2 || PyUnicode_READ_CHAR(name, 0) != '_' ||
         PyUnicode_READ_CHAR(name, 1) != '_';
}

PyObject* FindKept(PyObject* owner, PyObject* name) noexcept {
  const FoundNames& kept = GetObjectsState().found_names;
  const auto found = kept.dicts.find(owner);
  if (found == kept.dicts.end()) return nullptr;
  if (TAIN_UNLIKELY(kept.generation != TainRegistryGeneration())) {
    ForgetNames();
    return nullptr;
  }
  PyObject* value = PyDict_GetItemWithError(found->second, name);
  if (value == nullptr) PyErr_Clear();
  return Py_XNewRef(value);
}

Finding::Finding() noexcept
    : generation_(TainRegistryGeneration()), changes_(GetObjectsState().found_names.changes) {}

void Finding::Keep(PyObject* owner, PyObject* name, PyObject* value, bool holds) const noexcept {
  FoundNames& kept = GetObjectsState().found_names;
  if (generation_ != TainRegistryGeneration() || changes_ != kept.changes) return;
  if (kept.generation != generation_) {
    ForgetNames();
    if (generation_ != TainRegistryGeneration()) return;
    kept.generation = generation_;
  }
  PyObject* dict = DictOf(owner, holds);
  if (dict == nullptr) return;
  const Own held = Own::Share(dict);  // comparing keys runs no code, but dropping a value may
  if (PyDict_SetItem(dict, name, value) != 0) PyErr_Clear();
}

void ForgetNames() noexcept {
  FoundNames& kept = GetObjectsState().found_names;
  ++kept.changes;
  // Nobody can find them any more: what they hold may run code as it dies.
  const auto dicts = std::exchange(kept.dicts, {});
  for (const auto& [owner, dict] : dicts) Py_DECREF(dict);
}

void ForgetNamesOf(PyObject* owner) noexcept {
  auto& dicts = GetObjectsState().found_names.dicts;
  const auto found = dicts.find(owner);
  if (found == dicts.end()) return;
  const Own dict(found->second);
  dicts.erase(found);
}

}  // namespace tain::bindings
