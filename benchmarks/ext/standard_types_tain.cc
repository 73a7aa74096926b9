// SPDX-License-Identifier: Apache-2.0
// The model of standard_types_model.h in Python by tain, for its compile time.
#include <tain/stl/function.h>
#include <tain/stl/map.h>
#include <tain/stl/optional.h>
#include <tain/stl/sequence.h>
#include <tain/stl/set.h>
#include <tain/stl/tuple.h>
#include <tain/tain.h>

namespace model {
using Base = tain::Object;
}

#define OBJECT(name, base) struct name : base {
#define END(name, base)                    \
  TAIN_OBJECT("model." #name, name, base); \
  }                                        \
  ;
#define REF(name) tain::Ref<name>
#define VIRTUAL(name) TAIN_VIRTUAL(name)
#define AREA area_impl
#include "standard_types_model.h"

TAIN_REGISTER {
  using namespace model;
  using tain::arg;
  namespace refl = tain::reflection;
  refl::EnumDef<Priority>("model.Priority")
      .value("LOW", Priority::kLow)
      .value("NORMAL", Priority::kNormal)
      .value("HIGH", Priority::kHigh);
  refl::EnumDef<Access>("model.Access", "", refl::EnumKind::kFlag)
      .value("READ", Access::kRead)
      .value("WRITE", Access::kWrite)
      .value("EXECUTE", Access::kExecute);
  refl::ObjectDef<Tag>("A name.")
      .def_init<>()
      .def_rw("name", &Tag::name)
      .def_rw("note", &Tag::note)
      .def_rw("aliases", &Tag::aliases)
      .def("all", &Tag::all);
  refl::ObjectDef<Event>("Something that happened.")
      .def_init<>()
      .def_rw("name", &Event::name)
      .def_rw("at", &Event::at)
      .def_rw("payload", &Event::payload)
      .def_rw("origin", &Event::origin)
      .def("is_before", &Event::is_before, arg("limit"));
  refl::ObjectDef<Task>("Something to do.")
      .def_init<>()
      .def_rw("name", &Task::name)
      .def_rw("priority", &Task::priority)
      .def_rw("events", &Task::events)
      .def_rw("tags", &Task::tags)
      .def_rw("last", &Task::last)
      .def_rw("settings", &Task::settings)
      .def("get", &Task::get, arg("key"), arg("fallback") = Value(0.0))
      .def("set", &Task::set, arg("key"), arg("value"))
      .def("keys", &Task::keys)
      .def("first_time", &Task::first_time);
  refl::ObjectDef<Shape>("A shape.")
      .def_init<>()
      .def_rw("label", &Shape::label)
      .def_rw("corners", &Shape::corners)
      .def_virtual("area", &Shape::area_impl, arg("factor") = nullptr);
  refl::ObjectDef<Circle>("A circle.").def_init<>().def_rw("radius", &Circle::radius);
  refl::ObjectDef<Box>("A box.").def_init<>().def_rw("sides", &Box::sides);
  refl::ObjectDef<Worker>("Who does it.")
      .def_init<>()
      .def_rw("name", &Worker::name)
      .def_rw("access", &Worker::access)
      .def_rw("scale", &Worker::scale)
      .def_rw("counts", &Worker::counts)
      .def("run", &Worker::run, arg("values"), arg("step"))
      .def("count", &Worker::count, arg("what"));
  refl::ObjectDef<Report>("What came of it.")
      .def_init<>()
      .def_rw("head", &Report::head)
      .def_rw("rows", &Report::rows)
      .def_rw("columns", &Report::columns)
      .def_rw("body", &Report::body)
      .def("total", &Report::total);
  refl::ObjectDef<Plan>("All of it.")
      .def_init<>()
      .def_rw("tasks", &Plan::tasks)
      .def_rw("workers", &Plan::workers)
      .def_rw("shapes", &Plan::shapes)
      .def_rw("report", &Plan::report)
      .def_rw("format", &Plan::format)
      .def("area", &Plan::area, arg("factor") = nullptr)
      .def("priorities", &Plan::priorities);
  refl::GlobalDef()
      .def("model.merge", Merge, arg("left"), arg("right"))
      .def("model.map", Map, arg("values"), arg("step"));
}
