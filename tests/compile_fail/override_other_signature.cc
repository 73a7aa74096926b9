// SPDX-License-Identifier: Apache-2.0
// Wrong use: TAIN_OVERRIDE for a function that the base class does not have with these types.
// output: TAIN_OVERRIDE(void, scale, int)
#include "tain/boxed.h"

namespace lib {
struct Shape {
  virtual ~Shape() = default;
  virtual void scale(double by);
};
}  // namespace lib

struct PyShape : tain::Overrides<lib::Shape> {
  TAIN_OVERRIDE(void, scale, int)
};
