// SPDX-License-Identifier: Apache-2.0
// Calls of overloaded functions from Python.
//
// The arguments are converted once; libtain finds the candidate that takes them.
#pragma once

#include "base/py.h"
#include "calls/arguments.h"
#include "calls/tensor_call.h"
#include "tain/c_api_ext.h"

namespace tain::bindings {

/// How candidates are called.
struct HowToCall {
  bool releases;  ///< without the GIL, whatever the candidate's info says
  Adopt adopt;
};

inline bool IsOverloaded(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallOverloaded) != 0;
}

/// The outcome of a call.
enum class Outcome {
  kDone,
  kRefused,  ///< no candidate takes the arguments; no error is set
  kFailed    ///< a Python error is set
};

/// Calls the first candidate of `*info` that takes the arguments and sets `*info` to its info. If none
/// takes them and `must_take` is set, fails with TypeError.
Outcome TryOverloads(const TainFunctionInfo** info, PyObject* const* args, Py_ssize_t num_args,
                     PyObject* kwnames, HowToCall how, TainAny* result,
                     bool must_take = false) noexcept;
/// TryOverloads, but returns -1 with a Python error set if no candidate takes the arguments.
int CallOverloaded(const TainFunctionInfo** info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, HowToCall how, TainAny* result) noexcept;

}  // namespace tain::bindings
