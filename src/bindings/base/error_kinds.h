// SPDX-License-Identifier: Apache-2.0
// The table of exception classes by the kinds of errors: those of Python, tain.Error, those that are
// registered.
#pragma once

#include <string>
#include <string_view>

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Whether an exception class is none of Python's own.
bool IsHeapClass(PyObject* cls) noexcept;
/// Returns the kind of an exception: that of the first class in its MRO that C++ describes, so that
/// C++ catches the exception as that class, or else of the first that is in the table.
std::string KindOf(PyObject* exception);
/// Returns the exception class of a kind of errors, borrowed; null if there is none. May throw.
PyObject* ErrorClassOf(std::string_view kind);
/// Maps C++ errors of a kind to exceptions of class `cls`, and instances of `cls` to that kind.
void RegisterErrorClass(const std::string& kind, PyObject* cls);
/// Makes tain.Error and fills the table.
void InitErrorKinds(CoreModule& m);

}  // namespace tain::bindings
