// SPDX-License-Identifier: Apache-2.0
// Pickles and deep copies of graphs of objects, at any depth.
//
// pickle and copy.deepcopy call themselves for the objects that an object holds, so a long chain of
// objects would exceed Python's recursion limit. The state of the first object of a large graph
// therefore begins with a list. The list contains all objects of the graph, each pickled as an
// empty object, and then their states. When a state is pickled, the objects in it are in the memo
// already.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Returns the list for the state of an object that reaches many others; None for a small graph.
/// `fields` and `own` are the state of the object.
nb::object GraphOf(nb::handle self, const nb::dict& fields, const nb::object& own);
/// Whether a pickler is writing the list of a graph and now pickles this object without its state.
bool TakeShell(PyObject* self) noexcept;
/// Sets the states in such a list; throws nb::python_error.
void RestoreGraph(nb::handle graph);
void InitPickleGraph(nb::module_& m);

}  // namespace tain::bindings
