// SPDX-License-Identifier: Apache-2.0
// Makes exceptions of errors: class, arguments, traceback with the frames of C++, cause and context.
#pragma once

#include "base/py.h"

namespace tain::bindings {

inline const TainErrorCell* ErrorCellOf(const TainObject* error) noexcept {
  return reinterpret_cast<const TainErrorCell*>(error + 1);  // the cell follows the header
}
/// Returns the exception of an Error object as a new reference.
PyObject* ExceptionOf(TainObject* error) noexcept;

}  // namespace tain::bindings
