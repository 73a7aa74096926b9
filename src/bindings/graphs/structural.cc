// SPDX-License-Identifier: Apache-2.0
// Structural comparison for Python.
#include "tain/graph/structural.h"
#include "base/bridge_lock.h"

#include "base/error.h"
#include "graphs/init.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

nb::object ToObject(const Any& value) { return Checked(ViewToPython(&value.data())); }

nb::object SideOf(const std::optional<Any>& value) { return value ? ToObject(*value) : nb::none(); }

nb::object MismatchOf(nb::handle a, nb::handle b, bool map_free_vars, bool skip_tensor_content) {
  const Any x = AnyFrom(a);
  const auto found = FirstMismatch(x, AnyFrom(b), map_free_vars, skip_tensor_content);
  if (!found) return nb::none();
  return nb::make_tuple(ToObject(Any(found->path_a)), ToObject(Any(found->path_b)),
                        SideOf(found->a), SideOf(found->b), ToObject(Any(found->message)));
}

bool AreEqual(nb::handle a, nb::handle b, bool map_free_vars, bool skip_tensor_content) {
  const Any x = AnyFrom(a);
  return StructuralEqual::Equal(x, AnyFrom(b), map_free_vars, skip_tensor_content);
}

int64_t HashOf(nb::handle value, bool map_free_vars, bool skip_tensor_content) {
  return static_cast<int64_t>(
      StructuralHash::Hash(AnyFrom(value), map_free_vars, skip_tensor_content));
}

nb::object FreeVarsOf(nb::handle value) { return ToObject(Any(FreeVars(AnyFrom(value)))); }

}  // namespace

void DefineStructural(CoreModule& m) {
  m.def(
      "structural_equal", Translating(&AreEqual), nb::arg("a").none(), nb::arg("b").none(),
      nb::arg("map_free_vars") = false, nb::arg("skip_tensor_content") = false,
      nb::sig("def structural_equal(a: object, b: object, map_free_vars: bool = False, "
              "skip_tensor_content: bool = False) -> bool"),
      "Returns whether two graphs of objects have the same structure.\n\n"
      "Parameters\n----------\na, b : object\n    The graphs: objects, containers, other values.\n"
      "map_free_vars : bool\n    Whether variables that no field defines may stand for each other, "
      "one for one. Otherwise such\n    a variable equals only itself.\n"
      "skip_tensor_content : bool\n    Whether tensors are equal if shape and data type are. Keys "
      "of "
      "maps are compared whole.\n\n"
      "Raises\n------\nTypeError\n    A tensor is in memory that the processor cannot read.");
  m.def("structural_hash", Translating(&HashOf), nb::arg("value").none(),
        nb::arg("map_free_vars") = false, nb::arg("skip_tensor_content") = false,
        nb::sig("def structural_hash(value: object, map_free_vars: bool = False, "
                "skip_tensor_content: bool = False) -> int"),
        "Returns a hash of the structure of a graph; equal graphs have equal hashes.\n\n"
        "It is the same in all processes for graphs without functions, opaque values, unique "
        "instances and\nfree variables; with `map_free_vars` also for those with free variables. "
        "With "
        "`skip_tensor_content`,\ntensors count by shape and data type only.\n\n"
        "Raises\n------\nTypeError\n    A tensor is in memory that the processor cannot read.");
  m.def("free_vars", Translating(&FreeVarsOf), nb::arg("value").none(),
        nb::sig("def free_vars(value: object) -> collections.abc.Sequence[typing.Any]"),
        "Returns the variables of a graph that no field defines before they are used.\n\n"
        "Each is returned once, in post-order: what a variable contains comes before it.");
  m.def("first_mismatch", Translating(&MismatchOf), nb::arg("a").none(), nb::arg("b").none(),
        nb::arg("map_free_vars") = false, nb::arg("skip_tensor_content") = false,
        nb::sig("def first_mismatch(a: object, b: object, map_free_vars: bool = False, "
                "skip_tensor_content: bool = False) -> "
                "typing.Any"),
        "Returns paths, values and message of the first difference of two graphs, or None.");
}

}  // namespace tain::bindings
