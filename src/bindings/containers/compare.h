// SPDX-License-Identifier: Apache-2.0
// Comparison of containers with each other and with Python's containers: order, equality, hash,
// membership.
//
// Elements are compared as in Python (1 == 1.0 == True), even though the core distinguishes them as
// keys of a map.
#pragma once

#include "base/py.h"
#include "tain/any.h"

namespace tain::bindings {

PyObject* SeqRichCompare(PyObject* self, PyObject* other, int op);
/// The hash of a tuple of the same elements.
Py_hash_t SeqHash(PyObject* self);
int SeqContains(PyObject* self, PyObject* value);
PyObject* SeqCount(PyObject* self, PyObject* value);
/// index(value, start=0, stop=sys.maxsize).
PyObject* SeqIndex(PyObject* self, PyObject* const* args, Py_ssize_t nargs);
/// Returns the position of the first element that equals a value; -1 if there is none, -2 with an
/// error set. If `element` is not null (not for a Shape), writes the element to it, because the
/// comparison may have changed the sequence.
int64_t FindInSeq(TainObject* seq, PyObject* value, int64_t start, int64_t stop,
                  Any* element = nullptr) noexcept;

PyObject* MapRichCompare(PyObject* self, PyObject* other, int op);
/// A hash of the entries that does not depend on their order.
Py_hash_t MapHash(PyObject* self);

}  // namespace tain::bindings
