// SPDX-License-Identifier: Apache-2.0
// Wrong use: a noexcept function without code in C++, for which no result can be made if Python fails.
// expect: TAIN_OVERRIDE: a noexcept function without code in C++ must return a class with a
#include "tain/boxed.h"

namespace lib {
struct Color {
  explicit Color(int) {}
};
struct Shape {
  virtual ~Shape() = default;
  virtual Color color() const noexcept = 0;
};
}  // namespace lib

struct PyShape : tain::Overrides<lib::Shape> {
  lib::Color color() const noexcept override { TAIN_CALL_OVERRIDE_PURE(color); }
};
