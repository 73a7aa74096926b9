// SPDX-License-Identifier: Apache-2.0
// Graphs of objects in pickles and deep copies, of any depth.
//
// pickle and copy.deepcopy call themselves for what an object holds, so a long chain of objects
// would exceed Python's recursion limit. The first object of a large graph therefore puts a list in
// front of its state: all objects of the graph, which meanwhile give only what makes an empty one,
// and then their states, each of which finds the objects that it names in the memo.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// What belongs in front of the state of an object that reaches many others; None for a small
/// graph. `fields` and `own` are its state.
nb::object GraphOf(nb::handle self, const nb::dict& fields, const nb::object& own);
/// Whether the list of a graph is being written that asked for this object without its state.
bool TakeShell(PyObject* self) noexcept;
/// Sets the states that such a list holds; throws nb::python_error.
void RestoreGraph(nb::handle graph);
void InitPickleGraph(nb::module_& m);

}  // namespace tain::bindings
