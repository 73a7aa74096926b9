// SPDX-License-Identifier: Apache-2.0
// testing.boxed.*: the classes of foreign_classes.h in boxes, and functions that take them.
#include "tain/boxed.h"

#include "foreign_classes.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace tain_testing {
namespace {

using foreign::Given;
using foreign::Handle;
using foreign::Matrix;
using foreign::Node;
using foreign::Pooled;
using foreign::Shape;
using foreign::Vec;

/// A box that inherits: the members of the foreign class are its own.
struct GaugeObj : tain::Object, foreign::Gauge {
  double tripled() const { return level * 3; }
  TAIN_OBJECT("testing.boxed.Gauge", GaugeObj, tain::Object);
};

/// An object of tain with a foreign class in it, which crosses by value too.
struct PlotObj : tain::Object {
  Vec center{1, 2};
  int64_t number = 0;
  PlotObj() = default;
  explicit PlotObj(int64_t n) : number(n) {}
  TAIN_OBJECT("testing.boxed.Plot", PlotObj, tain::Object);
};

/// A foreign class with references to objects of tain, of which one is no field.
struct Slot : foreign::Counted<Slot> {
  tain::Any value;
  std::vector<tain::Any> all;
  Vec vec;
  void hide(tain::Any other) { hidden = std::move(other); }

 private:
  tain::Any hidden;
};

double Last(const Matrix& matrix) {
  if (matrix.begin() == matrix.end()) throw std::out_of_range("the matrix is empty");
  return matrix.end()[-1];
}

std::shared_ptr<Matrix> kept_matrix;
std::shared_ptr<Node> kept_node;
std::unique_ptr<Shape> kept_shape;

PlotObj Next(PlotObj plot) {
  plot.number += 1;
  plot.center.x += 1;
  return plot;
}

TAIN_REGISTER {
  using namespace tain::reflection;
  using tain::arg;
  using tain::Boxed;
  tain::declare_boxed<Matrix>("testing.boxed.Matrix");
  ObjectDef<Boxed<Vec>>("testing.boxed.Vec", "A vector.", tain::eq())
      .def_init<>()
      .def_init<double, double>(arg("x"), arg("y") = 1.0)
      .def_rw("x", &Vec::x, "abscissa")
      .def_rw("y", &Vec::y)
      .def("norm2", &Vec::norm2, "The squared length.")
      .def("scale", &Vec::scale, arg("by"))
      .def("__add__", &Vec::operator+)
      .def("in_matrix", [](const Vec&, const Matrix& m) { return m.rows(); });
  ObjectDef<Boxed<Matrix>>("testing.boxed.Matrix")
      .def_init<int, int>(arg("rows"), arg("columns"))
      .def("rows", &Matrix::rows)
      .def("columns", &Matrix::columns)
      .def("get", &Matrix::get)
      .def("set", &Matrix::set)
      .def("corner", &Matrix::corner)
      .def("origin_reference", &Matrix::origin_reference)
      .def("origin_pointer", &Matrix::origin_pointer)
      .def("itself", &Matrix::itself)
      .def("add_extra", [](Matrix& m, Vec v) { m.extra = std::make_unique<Vec>(v); })
      .def_property("last", Last)
      .def_rw("origin", &Matrix::origin)
      .def_rw("name", &Matrix::name)
      .def_ro("version", &Matrix::version)
      .def_ro("extra", &Matrix::extra)
      .def_iter();
  ObjectDef<Boxed<foreign::Tagged>>("testing.boxed.Tagged").def_ro("tag", &foreign::Tagged::tag);
  ObjectDef<Boxed<Shape>>("testing.boxed.Shape")
      .def("area", &Shape::area)
      .def_rw("label", &Shape::label);
  ObjectDef<Boxed<foreign::Square>>("testing.boxed.Square", tain::boxed_base<Shape>())
      .def_init<double>(arg("side"))
      .def_ro("tag", &foreign::Square::tag)
      .def_rw("side", &foreign::Square::side);
  ObjectDef<Boxed<Node>>("testing.boxed.Node")
      .def_init<int64_t>(arg("value"))
      .def("self", &Node::self)
      .def_rw("value", &Node::value)
      .def_rw("next", &Node::next);
  ObjectDef<Boxed<Handle>>("testing.boxed.Handle")
      .def_init<int64_t>(arg("number"))
      .def_ro("number", &Handle::number);
  ObjectDef<Boxed<foreign::Wide>>("testing.boxed.Wide")
      .def_init<>()
      .def("aligned", &foreign::Wide::Aligned);
  ObjectDef<Boxed<Pooled>>("testing.boxed.Pooled")
      .def_init<int64_t>(arg("number"))
      .def_ro("number", &Pooled::number)
      .def_static("counts", [] { return std::vector<int64_t>{Pooled::allocated, Pooled::freed}; });
  ObjectDef<Boxed<Slot>>("testing.boxed.Slot")
      .def_init<>()
      .def_rw("value", &Slot::value)
      .def_rw("all", &Slot::all)
      .def_rw("vec", &Slot::vec)
      .def("hide", &Slot::hide, arg("other"));
  ObjectDef<Boxed<foreign::Angry>>("testing.boxed.Angry").def_init<>();
  ObjectDef<Boxed<foreign::Managed>>("testing.boxed.Managed")
      .def_ro("number", &foreign::Managed::number)
      .def_static("only", &foreign::Managed::Only);
  ObjectDef<GaugeObj>()
      .def_init<>()
      .def_rw("level", &foreign::Gauge::level)
      .def("doubled", &foreign::Gauge::doubled)
      .def("tripled", &GaugeObj::tripled);
  ObjectDef<PlotObj>()
      .def_init<>()
      .def_init<int64_t>()
      .def_rw("center", &PlotObj::center)
      .def_rw("number", &PlotObj::number);
}

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def("testing.boxed.new_slot", [] { return std::make_unique<Slot>(); })
      .def("testing.boxed.shared_slot", [] { return std::make_shared<Slot>(); })
      .def("testing.boxed.slots_alive", [] { return foreign::Counted<Slot>::alive; })
      .def("testing.boxed.alive",
           [] {
             return std::vector<int64_t>{
                 foreign::Counted<Vec>::alive, Matrix::Alive(), foreign::Counted<Shape>::alive,
                 foreign::Counted<Node>::alive, foreign::Counted<Handle>::alive};
           })
      .def(
          "testing.boxed.by_value", [](Vec v) { return Vec(v.x + 1, v.y); }, arg("v"))
      .def(
          "testing.boxed.by_reference", [](Vec& v) { v.x = 42; }, arg("v"))
      .def(
          "testing.boxed.by_const_reference", [](const Vec& v) { return v.x; }, arg("v"))
      .def(
          "testing.boxed.by_pointer", [](Vec* v) { return v == nullptr ? -1 : v->x; }, arg("v"))
      .def(
          "testing.boxed.by_const_pointer", [](const Vec* v) { return v == nullptr ? -1 : v->x; },
          arg("v"))
      .def("testing.boxed.first", [](Vec& a, Vec&) -> Vec& { return a; })
      .def("testing.boxed.origin_of", [](Matrix& m, int) -> Vec& { return m.origin; })
      .def(
          "testing.boxed.all", [](std::vector<Vec> all) { return all; }, arg("all"))
      .def(
          "testing.boxed.maybe", [](std::optional<Vec> v) -> std::optional<Vec> { return v; },
          arg("v"))
      .def("testing.boxed.new_square",
           [](double side) -> std::unique_ptr<Shape> {
             return std::make_unique<foreign::Square>(side);
           })
      .def("testing.boxed.new_blob",
           []() -> std::unique_ptr<Shape> { return std::make_unique<foreign::Blob>(); })
      .def("testing.boxed.nothing", []() -> std::unique_ptr<Shape> { return nullptr; })
      .def("testing.boxed.no_node", []() -> std::shared_ptr<Node> { return nullptr; })
      .def("testing.boxed.new_handle", [](int64_t n) { return std::make_unique<Handle>(n); })
      .def(
          "testing.boxed.take_shape",
          [](std::unique_ptr<Shape> shape) {
            kept_shape = std::move(shape);
            return kept_shape == nullptr ? -2 : kept_shape->area();
          },
          arg("shape"))
      .def("testing.boxed.take_handle",
           [](std::unique_ptr<Handle> handle, int64_t) { return Given(handle).number; })
      .def("testing.boxed.take_two",
           [](std::unique_ptr<Vec> a, std::unique_ptr<Vec> b) { return Given(a).x + Given(b).x; })
      .def("testing.boxed.take_pooled",
           [](std::unique_ptr<Pooled> pooled) { return Given(pooled).number; })
      .def("testing.boxed.use_during",
           [](Shape& shape, const tain::Function& meanwhile) {
             meanwhile();
             return shape.area();
           })
      .def(
          "testing.boxed.area", [](const Shape& shape) { return shape.area(); }, arg("shape"))
      .def("testing.boxed.keep_matrix",
           [](std::shared_ptr<Matrix> m) { kept_matrix = std::move(m); })
      .def("testing.boxed.kept_matrix", [] { return kept_matrix; })
      .def("testing.boxed.keep_node", [](std::shared_ptr<Node> n) { kept_node = std::move(n); })
      .def("testing.boxed.kept_node", [] { return kept_node; })
      .def("testing.boxed.const_node",
           []() -> std::shared_ptr<const Node> { return std::make_shared<Node>(8); })
      .def("testing.boxed.new_nodes",
           [] {
             auto first = std::make_shared<Node>(1);
             first->next = std::make_shared<Node>(2);
             return first;
           })
      .def("testing.boxed.drop",
           [] {
             kept_matrix.reset();
             kept_node.reset();
             kept_shape.reset();
           })
      .def(
          "testing.boxed.box_handle", [](tain::Ref<tain::Boxed<Vec>> box) { return box; },
          arg("box"))
      .def("testing.boxed.next_plot", &Next, arg("plot"))
      .def("testing.boxed.overloaded", [](const Vec& v) { return v.x; })
      .def("testing.boxed.overloaded", [](int64_t n) { return n; });
}

}  // namespace
}  // namespace tain_testing
