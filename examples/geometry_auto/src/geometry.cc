// SPDX-License-Identifier: Apache-2.0
// The types and functions of the package geometry. Nothing lists them: the compiler knows them.

// clang-format 19 takes annotations for other syntax.
// clang-format off
#include <tain/reflection/auto.h>
#include <tain/tain.h>

#include <cmath>

namespace geometry {

struct [[=tain::doc("A point in the plane.")]] Point : tain::Object {
  double x [[=tain::doc("abscissa")]] = 0, y [[=tain::doc("ordinate")]] = 0;
  [[=tain::doc("Distance from the origin.")]] double norm() const { return std::hypot(x, y); }
};

enum class [[=tain::doc("The sense in which corners follow one another.")]] Orientation {
  CLOCKWISE = -1,
  NONE = 0,
  COUNTERCLOCKWISE = 1
};

struct [[=tain::doc("A closed line through some points.")]] Polygon : tain::Object {
  [[=tain::read_only]] tain::Array<tain::Ref<Point>> corners;
  explicit Polygon(tain::Array<tain::Ref<Point>> corners) : corners(std::move(corners)) {}

  double area() const { return std::abs(double_area()) / 2; }
  [[=tain::property]] Orientation orientation() const {
    const double area = double_area();
    return static_cast<Orientation>((area > 0) - (area < 0));
  }

 private:
  /// Twice the area, positive if the corners go counterclockwise.
  double double_area() const {
    double sum = 0;
    for (size_t i = 0, n = corners.size(); i < n; ++i) {
      const tain::Ref<Point> a = corners[i], b = corners[(i + 1) % n];
      sum += a->x * b->y - b->x * a->y;
    }
    return sum;
  }
};

[[=tain::doc("The mean of some points.")]]
inline Point centroid(const tain::Array<tain::Ref<Point>>& points) {
  TAIN_CHECK(points.size() > 0) << "centroid of no points";
  Point mean;
  for (const tain::Ref<Point>& p : points) {
    mean.x += p->x;
    mean.y += p->y;
  }
  const double n = static_cast<double>(points.size());
  mean.x /= n;
  mean.y /= n;
  return mean;
}

}  // namespace geometry

// Not tain::thread_safe(): a point may be assigned to while other functions read it.
TAIN_REFLECT(geometry)
