// SPDX-License-Identifier: Apache-2.0
// Keyword arguments: putting what Python gave in the order of the parameters, with defaults.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Takes bound arguments in order: Python objects to convert, and values of the core.
struct ArgSink {
  bool (*add)(void* frame, PyObject* object);
  void (*add_view)(void* frame, const TainAny& value);   ///< borrowed
  void (*add_owned)(void* frame, const TainAny& value);  ///< taken over
  void* frame;
};

/// Whether a call must go the long way even without keywords: keyword-only parameters, overloads.
inline bool MustBind(const TainFunctionInfo* info) noexcept {
  if (info == nullptr) return false;
  if ((info->flags & kTainCallOverloaded) != 0) return true;
  return info->num_args > 0 && (info->args[info->num_args - 1].flags & kTainArgKwOnly) != 0;
}
/// Room that bound arguments need.
Py_ssize_t BoundSize(const TainFunctionInfo* info, Py_ssize_t num_args) noexcept;
/// Feeds the sink with the arguments of a Python callable, which knows its parameters itself; false
/// with a Python error set.
bool PassArguments(PyObject* const* args, Py_ssize_t num_args, PyObject* kwnames,
                   const ArgSink& sink) noexcept;
/// Feeds the sink; false with a Python error set.
bool BindArguments(const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, const ArgSink& sink) noexcept;

/// Where the arguments of a call stand, by parameter, the receiver included. Remembered for each
/// function and tuple of names, which is a constant of the calling code.
struct KeywordOrder {
  static constexpr Py_ssize_t kMost = 16;
  static constexpr uint8_t kDefault = 255;  ///< nobody gave it: the default of the author's

  const TainFunctionInfo* info = nullptr;
  Own names;                ///< owned, so that no other tuple gets its address
  Py_ssize_t num_args = 0;  ///< those by position
  int32_t count = 0;        ///< the callee completes what follows
  uint8_t source[kMost] = {};
};

/// The order of a call with keywords; null, without an error, if that is not all there is to say:
/// wrong or missing names, factories of defaults, parameters that take what is left. Valid until
/// the next call of it.
const KeywordOrder* FindKeywordOrder(const TainFunctionInfo* info, PyObject* names,
                                     Py_ssize_t num_args) noexcept;

/// A default that is no factory's.
inline TainAny DefaultOf(const TainArgInfo& arg) noexcept {
  if (TAIN_LIKELY((arg.flags & kTainArgUnchanged) == 0)) return arg.default_value;
  TainAny leave{};  // the field keeps what the default constructor gave it
  leave.type_index = kTainUnchanged;
  return leave;
}

}  // namespace tain::bindings
