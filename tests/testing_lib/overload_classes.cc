// SPDX-License-Identifier: Apache-2.0
// Overloads and variants of classes that derive from each other, the parent's always first; fields
// and parameters that have names which Python code cannot write; containers of functions.
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace testing_overload {
namespace {

using tain::arg;
using Text = std::string;

struct BaseObj : tain::Object {
  TAIN_OBJECT("testing.overload.Base", BaseObj, tain::Object);
};
struct MiddleObj : BaseObj {
  TAIN_OBJECT("testing.overload.Middle", MiddleObj, BaseObj);
};
struct LeafObj : MiddleObj {
  TAIN_OBJECT("testing.overload.Leaf", LeafObj, MiddleObj);
};
using Base = tain::Ref<BaseObj>;
using Middle = tain::Ref<MiddleObj>;
using Leaf = tain::Ref<LeafObj>;

/// Classes that are not made for Python.
struct Animal {
  virtual ~Animal() = default;
  int64_t legs = 4;
};
struct Bird : Animal {
  int64_t wings = 2;
};
struct Duck : Bird {};

/// A class with names that are keywords of Python.
struct TripObj : tain::Object {
  tain::String from = "here";
  tain::String class_ = "second";
  tain::List<tain::Function> stops;
  tain::Array<tain::Array<tain::Function>> plans;
  TAIN_OBJECT("testing.overload.Trip", TripObj, tain::Object);
};

template <class... P>
auto Say(const char* text) {
  return [text](P...) { return Text(text); };
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<BaseObj>().def_init_fields();
  refl::ObjectDef<MiddleObj>().def_init_fields();
  refl::ObjectDef<LeafObj>().def_init_fields();
  refl::ObjectDef<tain::Boxed<Animal>>("testing.overload.Animal")
      .def_init<>()
      .def_rw("legs", &Animal::legs);
  refl::ObjectDef<tain::Boxed<Bird>>("testing.overload.Bird", tain::boxed_base<Animal>())
      .def_init<>()
      .def_rw("wings", &Bird::wings);
  refl::ObjectDef<tain::Boxed<Duck>>("testing.overload.Duck", tain::boxed_base<Bird>())
      .def_init<>();
  refl::ObjectDef<TripObj>()
      .def_init_fields()
      .def_rw("from", &TripObj::from)
      .def_rw("class", &TripObj::class_)
      .def_rw("stops", &TripObj::stops)
      .def_rw("plans", &TripObj::plans);
  refl::GlobalDef()
      .def("testing.overload.by_ref",
           tain::overload(Say<Base>("Base"), Say<Middle>("Middle"), Say<int64_t>("int")))
      .def("testing.overload.by_const_ref",
           tain::overload(Say<const BaseObj&>("Base"), Say<const MiddleObj&>("Middle"),
                          Say<const LeafObj&>("Leaf")))
      .def("testing.overload.by_pointer",
           tain::overload(Say<const BaseObj*>("Base"), Say<MiddleObj*>("Middle")))
      .def("testing.overload.by_ptr",
           tain::overload(Say<tain::Ptr<BaseObj>>("Base"), Say<std::optional<Middle>>("Middle")))
      .def("testing.overload.any_last",
           tain::overload(Say<tain::Any>("Any"), Say<Base>("Base"), Say<Leaf>("Leaf")))
      .def("testing.overload.two",
           tain::overload(Say<Base, Base>("Base, Base"), Say<Middle, Base>("Middle, Base"),
                          Say<Base, Leaf>("Base, Leaf"), Say<Middle, Middle>("Middle, Middle")))
      .def("testing.overload.with_number",
           tain::overload(Say<Base, double>("Base, float"), Say<Middle, double>("Middle, float")))
      .def("testing.overload.fails",
           tain::overload(Say<Base, Text>("Base, str"), Say<Middle, int64_t>("Middle, int")))
      .def("testing.overload.box",
           tain::overload(Say<const Animal&>("Animal"), Say<const Bird&>("Bird")))
      .def("testing.overload.box_pointer",
           tain::overload(Say<Animal*>("Animal"), Say<const Bird*>("Bird")))
      .def("testing.overload.box_shared", tain::overload(Say<std::shared_ptr<Animal>>("Animal"),
                                                         Say<std::shared_ptr<Duck>>("Duck")))
      .def("testing.overload.box_value", tain::overload(Say<Animal>("Animal"), Say<Bird>("Bird")))
      .def("testing.overload.which",
           [](const std::variant<Base, Text, Middle>& x) { return x.index(); })
      .def("testing.overload.which_box",
           [](const std::variant<Animal, int64_t, Bird>& x) { return x.index(); })
      .def("testing.overload.which_pointer",
           [](std::variant<std::monostate, const Animal*, std::vector<int64_t>, const Bird*> x) {
             return x.index();
           })
      .def("testing.overload.in_variant",
           tain::overload(Say<std::variant<Base, Text>>("Base | str"), Say<Middle>("Middle")))
      .def(
          "testing.overload.move", [](const Text& from, const Text& to) { return from + to; },
          arg("from"), arg("to") = "!")
      .def(
          "testing.overload.both", [](int64_t in, int64_t in_) { return in * 10 + in_; }, arg("in"),
          arg("in_"))
      .def(
          "testing.overload.rest",
          [](int64_t is, const tain::Kwargs& rest) {
            return std::to_string(is) + " " + std::to_string(rest.map().size());
          },
          arg("is") = 0, arg("rest"))
      .def("testing.overload.call_all", [](const tain::List<tain::Function>& functions) {
        tain::Array<tain::Any> results;
        for (const tain::Function& f : functions) results.push_back(f());
        return results;
      });
}

}  // namespace testing_overload
