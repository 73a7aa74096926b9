// SPDX-License-Identifier: Apache-2.0
// Calls of overloaded functions from Python.
//
// The arguments are converted once; then each candidate is called until one takes them. Keywords
// are put in the order of the candidate's parameters first.
#pragma once

#include "base/py.h"
#include "calls/arguments.h"
#include "tain/c_api_ext.h"

namespace tain::bindings {

/// A call of one candidate with values in the order of its parameters: 0, or -1 with the error of
/// the core still raised.
using CandidateCall = int (*)(TainObject* function, const TainFunctionInfo* info,
                              const TainAny* args, int32_t num_args, TainAny* result) noexcept;

inline bool IsOverloaded(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallOverloaded) != 0;
}

/// Calls the first candidate of `*info` that takes the arguments, which becomes `*info`; -1 with a
/// Python error set.
int CallOverloaded(const TainFunctionInfo** info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, CandidateCall call, TainAny* result) noexcept;

}  // namespace tain::bindings
