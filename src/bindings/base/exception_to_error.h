// SPDX-License-Identifier: Apache-2.0
// Makes errors of exceptions: kind, message, fields, and the exception itself inside.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Returns an Error object for an exception as a new strong reference, or null with an error set.
/// Without `fields` runs no code of the fields.
TainObject* ErrorOf(PyObject* exception, bool fields = true) noexcept;

}  // namespace tain::bindings
