// SPDX-License-Identifier: Apache-2.0
// Structural comparison for Python.
#include "tain/graph/structural.h"

#include "base/error.h"
#include "graphs/init.h"
#include "tain/internal/caught.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// Converts an argument, which keeps its identity if it is an object of tain.
Any GraphFrom(nb::handle value) {
  TainAny converted{};
  if (!OwnedFromPython(value.ptr(), &converted)) throw nb::python_error();
  return Any::Steal(converted);
}

/// Runs code of the core. Its errors become those of Python.
template <class F>
auto InCore(F&& body) {
  try {
    return body();
  } catch (...) {
    internal::RaiseHandled();
  }
  ThrowFromCore();
}

nb::object ToObject(const Any& value) {
  nb::object made = nb::steal(ViewToPython(&value.data()));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

nb::object SideOf(const std::optional<Any>& value) { return value ? ToObject(*value) : nb::none(); }

nb::object MismatchOf(nb::handle a, nb::handle b, bool map_free_vars) {
  const Any x = GraphFrom(a);
  const Any y = GraphFrom(b);
  const auto found = InCore([&] { return FirstMismatch(x, y, map_free_vars); });
  if (!found) return nb::none();
  return nb::make_tuple(ToObject(Any(found->path_a)), ToObject(Any(found->path_b)),
                        SideOf(found->a), SideOf(found->b), ToObject(Any(found->message)));
}

}  // namespace

void DefineStructural(nb::module_& m) {
  m.def(
      "structural_equal",
      [](nb::handle a, nb::handle b, bool map_free_vars) {
        const Any x = GraphFrom(a);
        const Any y = GraphFrom(b);
        return InCore([&] { return StructuralEqual::Equal(x, y, map_free_vars); });
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::arg("map_free_vars") = false,
      nb::sig("def structural_equal(a: object, b: object, map_free_vars: bool = False) -> bool"),
      "Returns whether two graphs of objects have the same structure.\n\n"
      "Parameters\n----------\na, b : object\n    The graphs: objects, containers, other values.\n"
      "map_free_vars : bool\n    Whether variables that no field defines may stand for each other, "
      "one for one. Otherwise such\n    a variable equals only itself.\n\n"
      "Raises\n------\nTypeError\n    A tensor is in memory that the processor cannot read.");
  m.def(
      "structural_hash",
      [](nb::handle value, bool map_free_vars) {
        const Any graph = GraphFrom(value);
        return static_cast<int64_t>(
            InCore([&] { return StructuralHash::Hash(graph, map_free_vars); }));
      },
      nb::arg("value").none(), nb::arg("map_free_vars") = false,
      nb::sig("def structural_hash(value: object, map_free_vars: bool = False) -> int"),
      "Returns a hash of the structure of a graph; equal graphs have equal hashes.\n\n"
      "It is the same in all processes for graphs without functions, opaque values, unique "
      "instances and\nfree variables; with `map_free_vars` also for those with free variables.\n\n"
      "Raises\n------\nTypeError\n    A tensor is in memory that the processor cannot read.");
  m.def(
      "free_vars",
      [](nb::handle value) {
        const Any graph = GraphFrom(value);
        return ToObject(Any(InCore([&] { return FreeVars(graph); })));
      },
      nb::arg("value").none(),
      nb::sig("def free_vars(value: object) -> collections.abc.Sequence[typing.Any]"),
      "Returns the variables of a graph that no field defines before they are used.\n\n"
      "Each is returned once, in post-order: what a variable contains comes before it.");
  m.def("first_mismatch", &MismatchOf, nb::arg("a").none(), nb::arg("b").none(),
        nb::arg("map_free_vars") = false,
        nb::sig("def first_mismatch(a: object, b: object, map_free_vars: bool = False) -> "
                "typing.Any"),
        "Returns paths, values and message of the first difference of two graphs, or None.");
}

}  // namespace tain::bindings
