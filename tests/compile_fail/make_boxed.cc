// SPDX-License-Identifier: Apache-2.0
// Wrong use: make_object of a box.
// expect: make_object<Boxed<T>>: a box is made where its object crosses: return a
// std::unique_ptr<T>, a std::shared_ptr<T> or a T
#include "tain/boxed.h"

struct Matrix {
  int rows = 0;
};

tain::Any Make() { return tain::make_object<tain::Boxed<Matrix>>(); }
