// SPDX-License-Identifier: Apache-2.0
// How messages describe a Python value that does not fit, and texts taken from Python values.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Returns the words for a given value, as libtain writes them: `int (3)`, `None`. Throws
/// nb::python_error if the repr of the value asks the program to stop.
std::string GivenText(nb::handle value);
/// Sets an error `text, got int (3)`, or the one that the repr of the value raised.
void SetGivenError(PyObject* error, std::string text, PyObject* value) noexcept;
/// The same, and throws the error.
[[noreturn]] void ThrowGiven(std::string text, nb::handle value, PyObject* error = PyExc_TypeError);

/// Returns the UTF-8 text of a str, with each lone surrogate as three bytes. Throws TypeError
/// `where: expected str, got int (3)` for any other object.
std::string TextFrom(nb::handle text, const char* where);
/// The same for a name that is to be registered. Throws ValueError if the name has a surrogate or
/// NUL.
std::string NameFrom(nb::handle name, const char* where);

}  // namespace tain::bindings
