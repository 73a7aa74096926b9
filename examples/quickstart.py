# SPDX-License-Identifier: Apache-2.0
"""The main job in one file: describe a type in C++, import it, extend it in Python."""

import tain

tain.cpp.load_inline(
    name="quickstart",
    cpp_sources=r"""
    #include <cmath>

    struct PointObj : tain::Object {
      double x, y;
      PointObj(double x, double y) : x(x), y(y) {}
      double Norm() const { return std::hypot(x, y); }
      TAIN_OBJECT("quickstart.Point", PointObj, tain::Object);
    };
    using Point = tain::Ref<PointObj>;

    Point Farthest(const tain::Array<Point>& points) {
      TAIN_CHECK(points.size() > 0) << "farthest of no points";
      Point found = points[0];
      for (const Point& p : points) {
        if (p->Norm() > found->Norm()) found = p;
      }
      return found;
    }

    TAIN_REGISTER {
      using tain::arg;
      tain::reflection::ObjectDef<PointObj>("A point in the plane.")
          .def_rw("x", &PointObj::x, "abscissa")
          .def_rw("y", &PointObj::y, "ordinate")
          .def_init<double, double>(arg("x"), arg("y") = 0.0)
          .def("norm", &PointObj::Norm, "Distance from the origin.");
      tain::reflection::GlobalDef().def("quickstart.farthest", Farthest, arg("points"));
    }
    """,
)

from tain.types.quickstart import Point  # noqa: E402


class Labelled(Point):
    """A point with a name, which C++ carries but need not know."""

    def __init__(self, x: float, y: float, label: str) -> None:
        super().__init__(x, y)
        self.label = label


farthest = tain.get_global_func("quickstart.farthest")
found = farthest([Point(1), Point(1, y=2), Labelled(3, 4, "home")])
print(f"{found!r} is {found.label}, {found.norm():g} away")

try:
    Point("east")
except TypeError as error:
    print(f"TypeError: {error}")
