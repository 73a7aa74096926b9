// SPDX-License-Identifier: Apache-2.0
// Wrong use: TAIN_OVERRIDE for a function with a parameter that Python cannot get.
// expect: TAIN_OVERRIDE: the type of a parameter does not cross the border
#include "tain/boxed.h"

namespace lib {
struct Shape {
  virtual ~Shape() = default;
  virtual void draw(void* canvas, int (*pick)(int));
};
}  // namespace lib

struct PyShape : tain::Overrides<lib::Shape> {
  void draw(void* canvas, int (*pick)(int)) override { TAIN_CALL_OVERRIDE(draw, canvas, pick); }
};
