// SPDX-License-Identifier: Apache-2.0
// Types of the testing library that several of its files use.
//
// Functions of this library whose arguments nobody can change, and types that never change, mostly
// say tain::thread_safe(). The others do not: they read fields that can be assigned or containers,
// call functions or overrides of any author, count references, or keep state in globals. The types
// of thread_rules.cc have each rule on purpose.
#pragma once

#include <cmath>

#include "tain/tain.h"

namespace tain_testing {

/// A value type with a constructor, fields that can be assigned, and methods.
struct PointObj : tain::Object {
  double x = 0;
  double y = 0;
  PointObj(double x, double y) : x(x), y(y) {}
  double Norm() const { return std::hypot(x, y); }
  void Scale(double factor) {
    x *= factor;
    y *= factor;
  }
  TAIN_OBJECT("testing.Point", PointObj, tain::Object);
};
using Point = tain::Ref<PointObj>;

/// A node of a graph: everything that can form a cycle.
struct NodeObj : tain::Object {
  int64_t value = 0;
  tain::Ptr<NodeObj> next;
  tain::List<tain::Any> items;
  tain::Any payload;
  tain::Function callback;
  NodeObj() = default;
  explicit NodeObj(int64_t value) : value(value) {}
  TAIN_OBJECT("testing.Node", NodeObj, tain::Object);
};
using Node = tain::Ref<NodeObj>;

enum class Color : int32_t { kRed = 1, kGreen = 2, kBlue = 4 };
enum Access : uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };
enum class Mode : uint8_t { kFast, kSafe };

/// Enums that may be missing, in every place that has a type.
struct PaletteObj : tain::Object {
  tain::Optional<Color> main;
  tain::Optional<Mode> mode = Mode::kSafe;
  tain::Optional<Access> access;
  tain::Optional<Color> Second() const { return second; }
  void SetSecond(tain::Optional<Color> color) { second = color; }
  tain::Optional<Color> Best() const { return main.has_value() ? main : second; }
  tain::Optional<Color> second;
  TAIN_OBJECT("testing.Palette", PaletteObj, tain::Object);
};

}  // namespace tain_testing
