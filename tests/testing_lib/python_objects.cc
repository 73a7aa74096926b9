// SPDX-License-Identifier: Apache-2.0
// Functions and types with Python objects that C++ holds as they are.
#include <tain/boxed.h>
#include <tain/reflection/inspect.h>
#include <tain/stl.h>
#include <tain/tain.h>

#include <map>

namespace tain_testing {
namespace {

using tain::Any;
using tain::arg;
using tain::Array;
using tain::Dict;
using tain::Function;
using tain::List;
using tain::Map;
using tain::Object;
using tain::Optional;
using tain::PythonObject;
using tain::String;

/// Keeps Python objects.
class ObjectHolder : public Object {
 public:
  PythonObject value;
  Optional<PythonObject> maybe;
  Array<PythonObject> many;
  Map<PythonObject, PythonObject> entries;
  std::vector<PythonObject> elements;
  ObjectHolder() = default;
  explicit ObjectHolder(PythonObject first) : value(std::move(first)) {}
  PythonObject Swap(PythonObject other) {
    std::swap(value, other);
    return other;
  }
  TAIN_OBJECT("testing.ObjectHolder", ObjectHolder, Object);
};

/// Keeps one in a box.
struct ObjectBox {
  PythonObject value;
};

PythonObject kept;

TAIN_REGISTER {
  tain::reflection::ObjectDef<ObjectHolder>()
      .def_rw("value", &ObjectHolder::value, "Any object.")
      .def_rw("maybe", &ObjectHolder::maybe, "Any object, or None.")
      .def_rw("many", &ObjectHolder::many, "Objects.")
      .def_rw("entries", &ObjectHolder::entries, "Objects by object.")
      .def_rw("elements", &ObjectHolder::elements, "Objects.")
      .def_init<PythonObject>(arg("value") = nullptr)
      .def("swap", &ObjectHolder::Swap, arg("other"), "Set another value and return the former.")
      .def_property(
          "asked", [](const ObjectHolder& self) { return self.value; },
          [](ObjectHolder& self, PythonObject other) { self.value = std::move(other); });
  tain::reflection::ObjectDef<tain::Boxed<ObjectBox>>("testing.ObjectBox")
      .def_init<>()
      .def_rw("value", &ObjectBox::value, "Any object.");
  tain::reflection::GlobalDef()
      .def(
          "testing.object_same", [](PythonObject x) { return x; }, arg("x"))
      .def(
          "testing.echo_python_object", [](PythonObject x) { return x; }, arg("x"))
      .def(
          "testing.object_or_none",
          [](const Optional<PythonObject>& x) -> Optional<PythonObject> { return x; }, arg("x"))
      .def(
          "testing.object_is_none", [](const PythonObject& x) { return x.is_none(); }, arg("x"))
      .def(
          "testing.object_is",
          [](const PythonObject& x, const PythonObject& y) {
            return x.is(y) && x.ptr() == y.ptr();
          },
          arg("x"), arg("y"))
      .def(
          "testing.object_value", [](const PythonObject& x) { return x.value(); }, arg("x"))
      .def(
          "testing.object_sum",
          [](const PythonObject& x) {
            int64_t sum = 0;
            for (const int64_t one : x.cast<Array<int64_t>>()) sum += one;
            return sum;
          },
          arg("x"))
      .def(
          "testing.object_repr", [](const PythonObject& x) { return tain::Repr(x); }, arg("x"))
      .def(
          "testing.object_from", [](const Any& x) { return PythonObject::From(x); }, arg("x"))
      .def(
          "testing.object_with_default", [](PythonObject x, int64_t) { return x; }, arg("x"),
          arg("n") = 1)
      .def(
          "testing.object_list", [](const Array<PythonObject>& x) { return x; }, arg("x"))
      .def(
          "testing.object_at", [](const Array<PythonObject>& x, int64_t i) { return x[i]; },
          arg("x"), arg("i"))
      .def(
          "testing.object_vector",
          [](std::vector<PythonObject> x) {
            std::vector<PythonObject> reversed(x.rbegin(), x.rend());
            return reversed;
          },
          arg("x"))
      .def(
          "testing.object_map", [](const Map<PythonObject, PythonObject>& x) { return x; },
          arg("x"))
      .def(
          "testing.object_of_key",
          [](const std::map<std::string, PythonObject>& x, const std::string& key) {
            return x.at(key);
          },
          arg("x"), arg("key"))
      .def(
          "testing.object_pair",
          [](const std::pair<PythonObject, int64_t>& x) { return std::pair(x.second, x.first); },
          arg("x"))
      .def(
          "testing.object_nested",
          [](const Array<Map<String, Array<PythonObject>>>& x) { return x[0].at("a")[0]; },
          arg("x"))
      .def(
          "testing.object_through", [](const Function& f, PythonObject x) { return f(x); },
          arg("f"), arg("x"))
      .def(
          "testing.object_typed",
          [](const std::function<PythonObject(PythonObject)>& f, PythonObject x) { return f(x); },
          arg("f"), arg("x"))
      .def(
          "testing.object_lenient",
          [](const std::function<PythonObject(PythonObject)>& f, PythonObject x) { return f(x); },
          arg("f").lenient(), arg("x"))
      .def(
          "testing.object_by_keywords",
          [](const tain::TypedFunction<PythonObject(tain::Kwargs)>& f, PythonObject x) {
            return f(tain::Kwargs(Map<String, tain::Any>{{"x", x}}));
          },
          arg("f"), arg("x"))
      .def(
          "testing.object_unlocked", [](PythonObject x) { x = nullptr; }, arg("x"),
          tain::release_gil())
      .def(
          "testing.object_keep", [](PythonObject x) { kept = std::move(x); }, arg("x"))
      .def("testing.object_kept", [] { return kept; })
      .def(
          "testing.object_overload", [](int64_t) { return String("int"); }, arg("x"))
      .def(
          "testing.object_overload", [](PythonObject x, bool) { return x; }, arg("x"),
          arg("other"));
}

}  // namespace
}  // namespace tain_testing
