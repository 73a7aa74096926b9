// SPDX-License-Identifier: Apache-2.0
// The model of standard_types_model.h in Python by nanobind, for its compile time.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace model {
struct Base {};
}  // namespace model

#define OBJECT(name, base) struct name : base {
#define END(name, base) \
  }                     \
  ;
#define REF(name) std::shared_ptr<name>
#define VIRTUAL(name) virtual ~Shape() = default;
#define AREA area
#include "standard_types_model.h"

template <class T>
struct Overridden : T {
  NB_TRAMPOLINE(T, 1);
  double area(std::optional<double> factor) const override { NB_OVERRIDE(area, factor); }
};

NB_MODULE(standard_types, m) {
  using namespace model;
  nb::enum_<Priority>(m, "Priority", nb::is_arithmetic())
      .value("LOW", Priority::kLow)
      .value("NORMAL", Priority::kNormal)
      .value("HIGH", Priority::kHigh);
  nb::enum_<Access>(m, "Access", nb::is_flag(), nb::is_arithmetic())
      .value("READ", Access::kRead)
      .value("WRITE", Access::kWrite)
      .value("EXECUTE", Access::kExecute);
  nb::class_<Tag>(m, "Tag", "A name.")
      .def(nb::init<>())
      .def_rw("name", &Tag::name)
      .def_rw("note", &Tag::note)
      .def_rw("aliases", &Tag::aliases)
      .def("all", &Tag::all);
  nb::class_<Event>(m, "Event", "Something that happened.")
      .def(nb::init<>())
      .def_rw("name", &Event::name)
      .def_rw("at", &Event::at)
      .def_rw("payload", &Event::payload)
      .def_rw("origin", &Event::origin)
      .def("is_before", &Event::is_before, "limit"_a);
  nb::class_<Task>(m, "Task", "Something to do.")
      .def(nb::init<>())
      .def_rw("name", &Task::name)
      .def_rw("priority", &Task::priority)
      .def_rw("events", &Task::events)
      .def_rw("tags", &Task::tags)
      .def_rw("last", &Task::last)
      .def_rw("settings", &Task::settings)
      .def("get", &Task::get, "key"_a, "fallback"_a = Value(0.0))
      .def("set", &Task::set, "key"_a, "value"_a)
      .def("keys", &Task::keys)
      .def("first_time", &Task::first_time);
  nb::class_<Shape, Overridden<Shape>>(m, "Shape", "A shape.")
      .def(nb::init<>())
      .def_rw("label", &Shape::label)
      .def_rw("corners", &Shape::corners)
      .def("area", &Shape::area, "factor"_a = nb::none());
  nb::class_<Circle, Shape, Overridden<Circle>>(m, "Circle", "A circle.")
      .def(nb::init<>())
      .def_rw("radius", &Circle::radius);
  nb::class_<Box, Shape, Overridden<Box>>(m, "Box", "A box.")
      .def(nb::init<>())
      .def_rw("sides", &Box::sides);
  nb::class_<Worker>(m, "Worker", "Who does it.")
      .def(nb::init<>())
      .def_rw("name", &Worker::name)
      .def_rw("access", &Worker::access)
      .def_rw("scale", &Worker::scale)
      .def_rw("counts", &Worker::counts)
      .def("run", &Worker::run, "values"_a, "step"_a)
      .def("count", &Worker::count, "what"_a);
  nb::class_<Report>(m, "Report", "What came of it.")
      .def(nb::init<>())
      .def_rw("head", &Report::head)
      .def_rw("rows", &Report::rows)
      .def_rw("columns", &Report::columns)
      .def_rw("body", &Report::body)
      .def("total", &Report::total);
  nb::class_<Plan>(m, "Plan", "All of it.")
      .def(nb::init<>())
      .def_rw("tasks", &Plan::tasks)
      .def_rw("workers", &Plan::workers)
      .def_rw("shapes", &Plan::shapes)
      .def_rw("report", &Plan::report)
      .def_rw("format", &Plan::format)
      .def("area", &Plan::area, "factor"_a = nb::none())
      .def("priorities", &Plan::priorities);
  m.def("merge", &Merge, "left"_a, "right"_a);
  m.def("map", &Map, "values"_a, "step"_a);
}
