// SPDX-License-Identifier: Apache-2.0
// The Python classes of the exceptions that C++ describes with ErrorDef.
//
// A field is an attribute of the exception. The class has an ErrorFieldInfo under its name, which
// gives an exception without the attribute the value that a new C++ exception has.
#pragma once

#include <string>
#include <string_view>

#include "base/py.h"
#include "tain/internal/error_record.h"

namespace tain::bindings {

/// The identity of what C++ said of an exception class.
struct ErrorInfo {
  const internal::ErrorRecord* record;  ///< never freed
};
/// A field, as an attribute of the class that declares it.
struct ErrorFieldInfo {
  const internal::ErrorField* field;    ///< never freed
  const internal::ErrorRecord* record;  ///< of the class
};

/// Enters the exception class of a kind.
void StoreErrorClass(const std::string& kind, PyObject* cls);
/// Returns the exception class that the table has for a kind, borrowed; null if there is none.
PyObject* ClassOfKind(std::string_view kind);
/// Returns the exception class of an ErrorDef as a borrowed reference, and makes it and its parents
/// if necessary; null if no ErrorDef has the key. Throws nb::python_error. `depth` counts the children
/// that are being made.
PyObject* DefinedErrorClass(std::string_view key, int depth = 0);
/// Gives a new exception the fields of the error of which it is made.
void SetExceptionFields(nb::handle exception, TainObject* error);
/// Gives the exception of which an error was made the fields that C++ has changed since.
void SetChangedFields(nb::handle exception, TainObject* error);
/// Gives a new error the fields of the exception of which it is made. `kind` is that of the error.
void CopyExceptionFields(nb::handle exception, std::string_view kind, TainObject* error);

}  // namespace tain::bindings
