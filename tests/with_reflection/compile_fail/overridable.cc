// SPDX-License-Identifier: Apache-2.0
// Wrong use: a method that Python may override, without TAIN_VIRTUAL.
// expect: virtual double wrong::Shape::area() const is overridable: write TAIN_VIRTUAL(area) before
// it, and rename the function to area_impl

// clang-format 19 takes annotations for other syntax.
// clang-format off
#include <tain/reflection/auto.h>

namespace wrong {
struct Shape : tain::Object {
  [[=tain::overridable]] virtual double area() const { return 0; }
};
}  // namespace wrong

TAIN_REFLECT(wrong)
