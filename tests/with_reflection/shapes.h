// SPDX-License-Identifier: Apache-2.0
// Types that one library registers by TAIN_REFLECT and another by lists: every kind of member.
#pragma once

#include <tain/reflection/annotations.h>
#include <tain/stl.h>
#include <tain/tain.h>

#include <cmath>
#include <compare>
#include <string>
#include <vector>

#if defined(__cpp_impl_reflection)
#define SHAPES_KEY(key, Self, Parent)
#else
#define SHAPES_KEY(key, Self, Parent) TAIN_OBJECT(key, Self, Parent)
#endif

namespace shapes {

enum class TAIN_NOTE(tain::doc("Colors of a shape.")) Color {
  kRed TAIN_NOTE(tain::doc("warm")) = 1,
  kBlue TAIN_NOTE(tain::named("BLUE")) = 4,
  kNever TAIN_NOTE(tain::hidden) = 9
};
enum class TAIN_NOTE(tain::enum_kind(tain::reflection::EnumKind::kFlag)) Access {
  kRead = 1,
  kWrite = 2
};

/// A base class that is no type of its own.
struct Labelled {
  tain::String label = "none";
  int label_size() const { return static_cast<int>(label.size()); }
};

struct TAIN_NOTE(tain::doc("A point in the plane.")) TAIN_NOTE(tain::eq()) Point : tain::Object {
  double x = 0;
  TAIN_NOTE(tain::doc("ordinate")) double y = 0;
  const int id = 7;
  TAIN_NOTE(tain::read_only) TAIN_NOTE(tain::no_repr()) int version = 3;
  TAIN_NOTE(tain::kw_only()) Color color = Color::kRed;
  TAIN_NOTE(tain::default_is(2.5)) double weight = 1;
  double height = 5;
  static constexpr int kDimensions = 2;
  static constexpr double kScale TAIN_NOTE(tain::doc("of all points")) = 0.5;

  TAIN_NOTE(tain::doc("Euclidean length.")) double norm() const { return std::hypot(x, y); }
  double plus(int by) const { return x + by; }
  double plus(const std::string& text) const { return x + static_cast<double>(text.size()); }
  double distance_to(const Point& other) const { return std::hypot(x - other.x, y - other.y); }
  TAIN_NOTE(tain::property) double angle() const { return std::atan2(y, x); }
  TAIN_NOTE(tain::property) TAIN_NOTE(tain::doc("twice x")) double twice() const { return 2 * x; }
  TAIN_NOTE(tain::property) TAIN_NOTE(tain::named("twice")) void set_twice(double to) {
    x = to / 2;
  }
  TAIN_NOTE(tain::hidden) int secret() const { return 1; }
  TAIN_NOTE(tain::named("renamed")) int CamelName() const { return 2; }
  TAIN_NOTE(tain::release_gil()) int slow(int from TAIN_NOTE(tain::doc("where")), int to) const {
    return to - from;
  }
  TAIN_NOTE(tain::keep_alive<1, 2>()) void follow(const Point& other) { x = other.x; }
  double raised(double exponent TAIN_NOTE(tain::default_is(2.0))) const {
    return std::pow(x, exponent);
  }
  static int count(const std::vector<double>& values) { return static_cast<int>(values.size()); }
  explicit operator double() const { return norm(); }
  explicit operator bool() const { return x != 0 || y != 0; }
  SHAPES_KEY("shapes.Point", Point, tain::Object);
};

struct TAIN_NOTE(tain::doc("A number with operators.")) Number : tain::Object {
  double value;

  explicit Number(double value) : value(value) {}
  Number(const std::string& text, int base) : value(std::stoi(text, nullptr, base)) {}
  tain::Ref<Number> operator+(const Number& other) const {
    return tain::make_object<Number>(value + other.value);
  }
  tain::Ref<Number> operator-() const { return tain::make_object<Number>(-value); }
  Number& operator+=(const Number& other) {
    value += other.value;
    return *this;
  }
  bool operator==(const Number& other) const { return value == other.value; }
  double operator()(double factor) const { return value * factor; }
  double operator[](int index) const { return value + index; }
  SHAPES_KEY("shapes.Number", Number, tain::Object);
};
inline tain::Ref<Number> operator*(const Number& a, double by) {
  return tain::make_object<Number>(a.value * by);
}
inline tain::Ref<Number> operator*(double by, const Number& a) {
  return tain::make_object<Number>(a.value * by);
}

struct TAIN_NOTE(tain::doc("A shape.")) Shape : tain::Object, Labelled {
  tain::Array<tain::Ref<Point>> corners;
  explicit Shape(tain::Array<tain::Ref<Point>> corners) : corners(std::move(corners)) {}
  TAIN_VIRTUAL(area)
  TAIN_NOTE(tain::overridable) TAIN_NOTE(tain::doc("The area.")) virtual double area_impl() const {
    return 0;
  }
  double doubled() const { return 2 * area(); }
  enum class Side { kLeft = 0, kRight = 1 };
  Side opposite(Side side) const { return side == Side::kLeft ? Side::kRight : Side::kLeft; }
  SHAPES_KEY("shapes.Shape", Shape, tain::Object);
};

struct Square final : Shape {
  double side = 1;
  explicit Square(double side) : Shape({}), side(side) {}
  double area_impl() const override { return side * side; }
  SHAPES_KEY("shapes.Square", Square, Shape);
};

inline double total(const tain::Array<tain::Ref<Point>>& points) {
  double sum = 0;
  for (const auto& point : points) sum += point->x;
  return sum;
}
TAIN_NOTE(tain::doc("Of a number.")) inline double half(double value) { return value / 2; }
inline double half(const Point& point) { return point.x / 2; }

namespace inner {
inline int twice(int value) { return 2 * value; }
}  // namespace inner

}  // namespace shapes
