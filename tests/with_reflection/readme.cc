// SPDX-License-Identifier: Apache-2.0
// The example of docs/reflection.md, with all that it names.

// clang-format 19 takes annotations for other syntax.
// clang-format off
#include <tain/reflection/auto.h>

#include <cmath>

namespace geometry {

struct [[=tain::doc("A point in the plane.")]] Point : tain::Object {
  double x = 0;
  [[=tain::doc("ordinate")]] double y = 0;
  const int id = 7;
  double norm() const;
  Point scaled(double by = 2) const;
  [[=tain::property]] double angle() const;
  [[=tain::hidden]] int secret() const;
  [[=tain::named("renamed")]] int CamelName() const;
  Point operator+(const Point&) const;
};

enum class Color { kRed [[=tain::doc("warm")]] = 1, kBlue = 4 };

inline double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y); }

double Point::norm() const { return std::hypot(x, y); }
Point Point::scaled(double by) const {
  Point made;
  made.x = by * x;
  made.y = by * y;
  return made;
}
double Point::angle() const { return std::atan2(y, x); }
int Point::secret() const { return id; }
int Point::CamelName() const { return 1; }
Point Point::operator+(const Point& other) const {
  Point made;
  made.x = x + other.x;
  made.y = y + other.y;
  return made;
}

}  // namespace geometry

TAIN_REFLECT(geometry)
