// SPDX-License-Identifier: Apache-2.0
// Types that are hard to copy and pickle: without default constructor, copy constructor or setters.
#include "tain/graph/copy.h"
#include "tain/reflection/object_def.h"
#include "tain/tain.h"
#include "testing_types.h"

namespace tain_testing {
namespace {

using tain::Any;
using tain::Array;
using tain::ObjectPtr;

/// Made by `__create__` alone; read-only fields.
struct BeadObj : tain::Object {
  int64_t value = 0;
  ObjectPtr<BeadObj> next;
  TAIN_OBJECT("testing.Bead", BeadObj, tain::Object);
};

ObjectPtr<BeadObj> MakeBead(int64_t value, ObjectPtr<BeadObj> next) {
  auto made = tain::make_object<BeadObj>();
  made->value = value;
  made->next = std::move(next);
  return made;
}

/// The same without any constructor that a copy could use instead of `__create__`.
struct PinObj : tain::Object {
  const int64_t value;
  const Any next;
  PinObj(int64_t value, Any next) : value(value), next(std::move(next)) {}
  PinObj(const PinObj&) = delete;
  TAIN_OBJECT("testing.Pin", PinObj, tain::Object);
};

ObjectPtr<PinObj> MakePin(int64_t value, Any next) {
  return tain::make_object<PinObj>(value, std::move(next));
}

/// Const members, and an attribute that is none of the constructor's.
struct EtchedObj : tain::Object {
  const int64_t value;
  const Any next;
  Any extra;
  explicit EtchedObj(int64_t value, Any next) : value(value), next(std::move(next)) {}
  TAIN_OBJECT("testing.Etched", EtchedObj, tain::Object);
};

/// Compared and hashed by fields, with read-only fields.
struct TermObj : tain::Object {
  tain::String name;
  Array<Any> args;
  TermObj(tain::String name, Array<Any> args) : name(std::move(name)), args(std::move(args)) {}
  TAIN_OBJECT("testing.Term", TermObj, tain::Object);
};

/// Cannot be rebuilt: what its constructor takes is no field.
struct StuckObj : tain::Object {
  int64_t value;
  explicit StuckObj(int64_t seed) : value(2 * seed) {}
  StuckObj(const StuckObj&) = delete;
  TAIN_OBJECT("testing.Stuck", StuckObj, tain::Object);
};

/// No copy constructor, but a default one; a member that is no field.
struct LoneObj : tain::Object {
  int64_t value = 1;
  Any next;
  int64_t hidden = 7;
  LoneObj() = default;
  LoneObj(const LoneObj&) = delete;
  TAIN_OBJECT("testing.Lone", LoneObj, tain::Object);
};

/// Registers a field of its parent again.
struct WideBeadObj : BeadObj {
  tain::String label;
  TAIN_OBJECT("testing.WideBead", WideBeadObj, BeadObj);
};

ObjectPtr<WideBeadObj> MakeWideBead(int64_t value, ObjectPtr<BeadObj> next, tain::String label) {
  auto made = tain::make_object<WideBeadObj>();
  made->value = value;
  made->next = std::move(next);
  made->label = std::move(label);
  return made;
}

}  // namespace
}  // namespace tain_testing

TAIN_REGISTER {
  using namespace tain_testing;  // NOLINT: registered where they are defined
  using tain::arg;
  namespace refl = tain::reflection;
  refl::ObjectDef<BeadObj>()
      .def_ro("value", &BeadObj::value)
      .def_ro("next", &BeadObj::next)
      .def_static("__create__", &MakeBead, arg("value"), arg("next") = nullptr);
  refl::ObjectDef<PinObj>()
      .def_ro("value", &PinObj::value)
      .def_ro("next", &PinObj::next)
      .def_static("__create__", &MakePin, arg("value"), arg("next") = nullptr);
  refl::ObjectDef<EtchedObj>()
      .def_ro("value", &EtchedObj::value)
      .def_ro("next", &EtchedObj::next)
      .def_rw("extra", &EtchedObj::extra)
      .def_init<int64_t, Any>(arg("value"), arg("next") = nullptr);
  refl::ObjectDef<TermObj>(tain::eq(), tain::value_hash())
      .def_ro("name", &TermObj::name)
      .def_ro("args", &TermObj::args)
      .def_init<tain::String, Array<Any>>(arg("name"), arg("args"));
  refl::ObjectDef<StuckObj>().def_ro("value", &StuckObj::value).def_init<int64_t>(arg("seed"));
  refl::ObjectDef<LoneObj>(tain::transient())
      .def_rw("value", &LoneObj::value)
      .def_rw("next", &LoneObj::next)
      .def("hide", [](LoneObj& self, int64_t hidden) { self.hidden = hidden; })
      .def("hidden", [](const LoneObj& self) { return self.hidden; })
      .def_init<>();
  refl::ObjectDef<WideBeadObj>()
      .def_ro("value", &WideBeadObj::value, "The value, described anew.")
      .def_ro("label", &WideBeadObj::label)
      .def_static("__create__", &MakeWideBead, arg("value"), arg("next") = nullptr,
                  arg("label") = "");
  refl::GlobalDef()
      .def("testing.deep_copy", &tain::DeepCopy, arg("value"))
      .def("testing.copy_with", &tain::CopyWith, arg("object"), arg("changes"))
      .def(
          "testing.make_beads",
          [](int64_t length) {
            ObjectPtr<BeadObj> bead;
            for (int64_t i = length; i-- > 0;) bead = MakeBead(i, bead);
            return bead;
          },
          arg("length"))
      .def(
          "testing.count_beads",
          [](ObjectPtr<BeadObj> bead) {
            int64_t count = 0;
            for (const BeadObj* at = bead.get(); at != nullptr; at = at->next.get()) ++count;
            return count;
          },
          arg("bead"));
}
