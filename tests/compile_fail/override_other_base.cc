// SPDX-License-Identifier: Apache-2.0
// Wrong use: a class of overrides that does not derive from tain::Overrides<F>.
// expect: Boxed<F, P>: P must derive from tain::Overrides<F>
#include "tain/boxed.h"

namespace lib {
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const { return 0; }
};
}  // namespace lib

struct PyShape : lib::Shape {};

TAIN_REGISTER { tain::reflection::ObjectDef<tain::Boxed<lib::Shape, PyShape>>("wrong.Shape"); }
