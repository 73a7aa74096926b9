// SPDX-License-Identifier: Apache-2.0
// The Python classes of the exceptions that C++ describes with ErrorDef; error.cc defines them.
#pragma once

#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// Returns the exception class of an ErrorDef as a borrowed reference, and makes it and its parents
/// if necessary; null if no ErrorDef has the key. Throws nb::python_error.
PyObject* DefinedErrorClass(std::string_view key);
/// Gives a new exception the fields of the error of which it is made.
void SetExceptionFields(nb::handle exception, TainObject* error);
/// Gives the exception of which an error was made the fields that C++ has changed since.
void SetChangedFields(nb::handle exception, TainObject* error);
/// Gives a new error the fields of the exception of which it is made. `kind` is that of the error.
void CopyExceptionFields(nb::handle exception, std::string_view kind, TainObject* error);

}  // namespace tain::bindings
