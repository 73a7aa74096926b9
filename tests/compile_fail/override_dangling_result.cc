// SPDX-License-Identifier: Apache-2.0
// Wrong use: TAIN_OVERRIDE for a function that returns a view.
// expect: TAIN_OVERRIDE: the result does not come from Python: it is a view, which would dangle
#include "tain/boxed.h"

namespace lib {
struct Shape {
  virtual ~Shape() = default;
  virtual std::string_view name() const;
};
}  // namespace lib

struct PyShape : tain::Overrides<lib::Shape> {
  TAIN_OVERRIDE_CONST(std::string_view, name)
};
