// SPDX-License-Identifier: Apache-2.0
// Hooks: the functions of higher folders of the bridge that lower ones call. They are set while
// tain._core is initialized, and read only from then on.
#pragma once

#include <string>

#include "base/py.h"

namespace tain::bindings {

struct ClassRecord;

/// How the library of an array works on the device of the array.
struct ArrayWork {
  bool has_stream = false;  ///< whether the library tells it
  void* stream = nullptr;
  TainTensorAllocator allocator = nullptr;  ///< of new tensors; null if the library has none
};

/// The hooks. `deep_copy` is null until the classes exist.
struct Hooks {
  /// Makes and registers the class of a type index, after those of its parents; null with an error
  /// set.
  ClassRecord* (*build_class)(int32_t type_index) noexcept = nullptr;
  /// Initializes a new wrapper of a Function, or updates one whose function changed.
  void (*init_function)(PyObject* self) noexcept = nullptr;
  /// Frees unreachable cycles of C++ objects; returns the number of freed objects.
  int64_t (*collect_candidates)() noexcept = nullptr;
  /// Fills the set of replaced methods again; null as long as no class is watched.
  void (*update_replaced)() noexcept = nullptr;
  /// Converts an array; see tensors/array_import.h.
  int (*tensor_from_array)(PyObject* object, bool typed, TainAny* out,
                           std::string* fault) noexcept = nullptr;
  /// Makes a Tensor for a parameter with `rules` (internal::TensorRules) of an array or a list, or
  /// with `explain` the text why there is none. Returns 1 if that is done, 0 if not, and -1 with an
  /// error set; see tensors/ruled_import.cc.
  int (*tensor_for_rules)(PyObject* object, const void* rules, bool explain,
                          TainAny* out) noexcept = nullptr;
  /// Converts a Tensor to a numpy.ndarray that shares its memory. Takes over the reference.
  PyObject* (*tensor_to_numpy)(TainObject* tensor) noexcept = nullptr;
  /// Converts a Tensor to the array that it was made from, or to its wrapper. Takes over the
  /// reference.
  PyObject* (*tensor_to_python)(TainObject* tensor) noexcept = nullptr;
  /// Converts an argument of a call of a Python callable, a Tensor: by its name, or by its index if
  /// `name` is null. Borrows it.
  PyObject* (*tensor_argument)(PyObject* callable, int32_t index, PyObject* name,
                               TainObject* tensor) noexcept = nullptr;
  /// Ends the loan of a DLTensor that an argument of a Python callable viewed; -1 with an error set
  /// if an array of it is left.
  int (*end_tensor_view)(PyObject* wrapper) noexcept = nullptr;
  /// Makes the result of a call, a Tensor, one of the library whose array is the first tensor among
  /// the arguments; false with an error set.
  bool (*adopt_tensor)(const TainAny* args, int32_t num_args, TainAny* result) noexcept = nullptr;
  /// Asks the library of the array that a Tensor was made from how it works on the array's device;
  /// false with an error set.
  bool (*work_of_array)(TainObject* tensor, ArrayWork* out) noexcept = nullptr;
  /// Converts a borrowed value of a declared type: an Array may be a tuple there, an int a member of
  /// an enum. Null with an error set.
  PyObject* (*declared_to_python)(std::string_view type, const TainAny& value) noexcept = nullptr;
  /// Converts an object for a place of a declared type to a value that owns its data; false with an
  /// error set.
  bool (*declared_from_python)(std::string_view type, PyObject* object,
                               TainAny* out) noexcept = nullptr;
  /// Copies deeply, without Python if that is possible (graphs/deep_copy): returns null if it is
  /// not, or with `failed` and an error set. Null until the classes exist.
  PyObject* (*deep_copy)(PyObject* self, PyObject* memo, bool* failed) noexcept = nullptr;
};
inline TAIN_HIDDEN Hooks hooks;

inline Hooks& GetHooks() noexcept { return hooks; }

}  // namespace tain::bindings
