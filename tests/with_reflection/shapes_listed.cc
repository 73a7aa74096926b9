// SPDX-License-Identifier: Apache-2.0
// The types of shapes.h, listed by hand.
#include "shapes.h"

TAIN_REGISTER {
  using tain::arg;
  using tain::reflection::EnumDef;
  using tain::reflection::EnumKind;
  using tain::reflection::GlobalDef;
  using tain::reflection::ObjectDef;
  using namespace shapes;  // NOLINT: a list of its members

  EnumDef<Color>("shapes.Color", "Colors of a shape.")
      .value("kRed", Color::kRed, "warm")
      .value("BLUE", Color::kBlue);
  EnumDef<Access>("shapes.Access", "", EnumKind::kFlag)
      .value("kRead", Access::kRead)
      .value("kWrite", Access::kWrite);
  EnumDef<Shape::Side>("shapes.Shape.Side")
      .value("kLeft", Shape::Side::kLeft)
      .value("kRight", Shape::Side::kRight);
  ObjectDef<Point>("A point in the plane.", tain::eq())
      .def_rw("x", &Point::x)
      .def_rw("y", &Point::y, "ordinate")
      .def_ro("id", &Point::id)
      .def_ro("version", &Point::version, tain::no_repr())
      .def_rw("color", &Point::color, tain::kw_only())
      .def_rw("weight", &Point::weight, tain::default_(2.5))
      .def_rw("height", &Point::height)
      .def_attr("kDimensions", Point::kDimensions)
      .def_attr("kScale", Point::kScale, "of all points")
      .def("norm", &Point::norm, "Euclidean length.")
      .def("plus", static_cast<double (Point::*)(int) const>(&Point::plus), arg("by"))
      .def("plus", static_cast<double (Point::*)(const std::string&) const>(&Point::plus),
           arg("text"))
      .def("distance_to", &Point::distance_to, arg("other"))
      .def_property("angle", &Point::angle)
      .def_property("twice", &Point::twice, &Point::set_twice, "twice x")
      .def("renamed", &Point::CamelName)
      .def("slow", &Point::slow, arg("from_", "where"), arg("to"), tain::release_gil())
      .def("follow", &Point::follow, arg("other"), tain::keep_alive<1, 2>())
      .def("raised", &Point::raised, arg("exponent") = 2.0)
      .def_static("count", &Point::count, arg("values"))
      .def("__float__", &Point::operator double)
      .def("__bool__", &Point::operator bool)
      .def_init_fields();
  ObjectDef<Number>("A number with operators.")
      .def_rw("value", &Number::value)
      .def_init<double>(arg("value"))
      .def_init<const std::string&, int>(arg("text"), arg("base"))
      .def("__add__",
           static_cast<tain::Ref<Number> (Number::*)(const Number&) const>(&Number::operator+),
           arg("other"))
      .def("__neg__", static_cast<tain::Ref<Number> (Number::*)() const>(&Number::operator-))
      .def("__iadd__", &Number::operator+=, arg("other"))
      .def("__eq__", &Number::operator==, arg("other"))
      .def("__call__", &Number::operator(), arg("factor"))
      .def("__getitem__", &Number::operator[], arg("index"))
      .def("__mul__", [](const Number& a, double by) { return a * by; })
      .def("__rmul__", [](const Number& a, double by) { return by * a; });
  ObjectDef<Shape>("A shape.")
      .def_rw("label", &Shape::label)
      .def_rw("corners", &Shape::corners)
      .def("label_size", &Shape::label_size)
      .def_init<tain::Array<tain::Ref<Point>>>(arg("corners"))
      .def_virtual("area", &Shape::area_impl, "The area.")
      .def("doubled", &Shape::doubled)
      .def("opposite", &Shape::opposite, arg("side"));
  ObjectDef<Square>(tain::final_()).def_rw("side", &Square::side).def_init<double>(arg("side"));
  GlobalDef()
      .def("shapes.total", total, arg("points"))
      .def("shapes.half", static_cast<double (*)(double)>(half), arg("value"), "Of a number.")
      .def("shapes.half", static_cast<double (*)(const Point&)>(half), arg("point"))
      .def("shapes.inner.twice", shapes::inner::twice, arg("value"));
}
