// SPDX-License-Identifier: Apache-2.0
// The types and functions of the package geometry.
#include <tain/tain.h>

#include <cmath>

namespace geometry {
namespace {

struct PointObj : tain::Object {
  double x, y;
  PointObj(double x, double y) : x(x), y(y) {}
  double Norm() const { return std::hypot(x, y); }
  TAIN_OBJECT("geometry.Point", PointObj, tain::Object);
};
using Point = tain::Ref<PointObj>;

enum class Orientation { kClockwise = -1, kNone = 0, kCounterclockwise = 1 };

struct PolygonObj : tain::Object {
  tain::Array<Point> corners;
  explicit PolygonObj(tain::Array<Point> corners) : corners(std::move(corners)) {}

  /// Twice the area, positive if the corners go counterclockwise.
  double DoubleArea() const {
    double sum = 0;
    for (size_t i = 0, n = corners.size(); i < n; ++i) {
      const Point a = corners[i], b = corners[(i + 1) % n];
      sum += a->x * b->y - b->x * a->y;
    }
    return sum;
  }
  double Area() const { return std::abs(DoubleArea()) / 2; }
  Orientation GetOrientation() const {
    const double area = DoubleArea();
    if (area == 0) return Orientation::kNone;
    return area < 0 ? Orientation::kClockwise : Orientation::kCounterclockwise;
  }
  TAIN_OBJECT("geometry.Polygon", PolygonObj, tain::Object);
};

Point Centroid(const tain::Array<Point>& points) {
  TAIN_CHECK(points.size() > 0) << "centroid of no points";
  double x = 0, y = 0;
  for (const Point& p : points) {
    x += p->x;
    y += p->y;
  }
  const double n = static_cast<double>(points.size());
  return tain::make_object<PointObj>(x / n, y / n);
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  using tain::reflection::EnumDef;
  using tain::reflection::GlobalDef;
  using tain::reflection::ObjectDef;
  // Not tain::thread_safe(): a point may be assigned to while other functions read it.
  ObjectDef<PointObj>("A point in the plane.")
      .def_rw("x", &PointObj::x, "abscissa")
      .def_rw("y", &PointObj::y, "ordinate")
      .def_init<double, double>(arg("x"), arg("y") = 0.0)
      .def("norm", &PointObj::Norm, "Distance from the origin.");
  EnumDef<Orientation>("geometry.Orientation", "The sense in which corners follow one another.")
      .value("CLOCKWISE", Orientation::kClockwise)
      .value("NONE", Orientation::kNone)
      .value("COUNTERCLOCKWISE", Orientation::kCounterclockwise);
  ObjectDef<PolygonObj>("A closed line through some points.")
      .def_ro("corners", &PolygonObj::corners)
      .def_init<tain::Array<Point>>(arg("corners"))
      .def("area", &PolygonObj::Area)
      .def_property("orientation", &PolygonObj::GetOrientation);
  GlobalDef().def("geometry.centroid", Centroid, arg("points"), "The mean of some points.");
}

}  // namespace geometry
