// SPDX-License-Identifier: Apache-2.0
// Pickles and deep copies of graphs of objects, at any depth.
//
// pickle and copy.deepcopy call themselves for the objects that an object holds, so a long chain of
// objects would exceed Python's recursion limit. A large graph is therefore written as a list of
// its objects, so that the objects in an object's parts are in the memo already:
// - An object whose constructor needs fields follows the objects in these fields.
// - The other fields are set after all objects are made, by states at the end of the list.
// - An object whose hash or state needs all its fields is written whole, after its parts.
// The objects that the first object of the graph needs for its constructor are in a list of their
// own, which is written before that object. All others are in the list in its state.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// The lists of the graph of one object. None stands for an empty list.
struct GraphLists {
  nb::object before = nb::none();  ///< of the objects that its constructor needs
  nb::object in_state = nb::none();
};
/// Returns the lists for an object that reaches many others; none for a small graph. `needed`,
/// `rest` and `own` are the parts of the object. An object that restores its own state has no
/// place for a list in its state.
GraphLists GraphOf(nb::handle self, const nb::dict& needed, const nb::dict& rest,
                   const nb::object& own, bool own_setter);

/// How a pickler that writes the list of a graph now pickles an object.
enum class GraphEntry : uint8_t {
  kNone,   ///< it pickles no list, or another object
  kShell,  ///< without its state, which follows
  kWhole   ///< with its state; the objects in it are written already
};
/// Returns how this object is pickled now, and notes that the pickler has taken it.
GraphEntry TakeEntry(PyObject* self) noexcept;
/// Whether a pickler is writing the list of a graph and now pickles this object.
bool IsEntry(PyObject* self) noexcept;
/// Sets the states in such a list; throws nb::python_error.
void RestoreGraph(nb::handle graph);
/// Adds a method of C to a class of nanobind's, in its dictionary because the type is immutable.
/// nanobind's own methods crash where there is no memory to bind them.
void AddPlainMethod(PyTypeObject* type, PyMethodDef* method);
void DefinePickleGraph(CoreModule& m);

}  // namespace tain::bindings
