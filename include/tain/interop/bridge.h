// SPDX-License-Identifier: Apache-2.0
// The means of extension modules of other binding libraries to exchange values with tain: functions
// of tain._core in a capsule. nanobind.h and pybind11.h make casters from it.
#pragma once

#include <Python.h>

#include <optional>

#include "tain/convert.h"

namespace tain::interop {

/// The functions that tain._core offers to other extensions, in the capsule tain._core._bridge_api.
struct BridgeApi {
  int abi_major;  ///< TAIN_ABI_VERSION_MAJOR
  /// Converts a Python object to an owned value. Returns false with a Python error set.
  bool (*from_python)(PyObject* object, TainAny* out);
  /// Converts an owned value, which is taken over, to a new reference to a Python object. Returns
  /// null with a Python error set.
  PyObject* (*to_python)(const TainAny* value);
};

/// Returns this extension's pointer to the bridge, which the first call fills.
TAIN_HIDDEN inline const BridgeApi*& BridgeSlot() noexcept {
  static const BridgeApi* api = nullptr;
  return api;
}

/// Returns the bridge, or null with a Python error set.
inline const BridgeApi* Bridge() noexcept {
  const BridgeApi*& slot = BridgeSlot();
  if (slot == nullptr) {
    auto* found = static_cast<const BridgeApi*>(PyCapsule_Import("tain._core._bridge_api", 0));
    if (found != nullptr && found->abi_major != TAIN_ABI_VERSION_MAJOR) {
      PyErr_Format(PyExc_ImportError,
                   "the extension was compiled for tain ABI %d, the installed tain has %d: rebuild "
                   "the extension",
                   TAIN_ABI_VERSION_MAJOR, found->abi_major);
      found = nullptr;
    }
    slot = found;
  }
  return slot;
}

/// Converts a Python object to a T. Returns std::nullopt, without an error set, if it does not fit.
template <class T>
std::optional<T> FromPython(PyObject* object) noexcept {
  const BridgeApi* bridge = Bridge();
  TainAny value{};
  if (bridge == nullptr || !bridge->from_python(object, &value)) {
    PyErr_Clear();
    return std::nullopt;
  }
  try {
    return Any::Steal(value).try_cast<T>();
  } catch (...) {
    return std::nullopt;
  }
}

/// Converts a value to a Python object. Returns null with a Python error set.
template <class T>
PyObject* ToPython(T value) noexcept {
  const BridgeApi* bridge = Bridge();
  if (bridge == nullptr) return nullptr;
  TainAny any{};
  try {
    TypeTraits<T>::MoveToAny(std::move(value), &any);
  } catch (...) {
    PyErr_NoMemory();
    return nullptr;
  }
  return bridge->to_python(&any);
}

}  // namespace tain::interop
