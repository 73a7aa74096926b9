// SPDX-License-Identifier: Apache-2.0
// Keyword arguments: putting what Python gave in the order of the parameters, with defaults.
#pragma once

#include "py.h"

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
/// Feeds the sink; false with a Python error set.
bool BindArguments(const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, const ArgSink& sink) noexcept;

}  // namespace tain::bindings
