// SPDX-License-Identifier: Apache-2.0
// `self.__init_handle_by_constructor__(f, *args, **kwargs)`: fills a wrapper with the object that a
// function makes, as Apache TVM's classes do.
#pragma once

#include "base/py.h"

namespace tain::bindings {

PyObject* InitHandleByConstructor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                  PyObject* kwnames);

}  // namespace tain::bindings
