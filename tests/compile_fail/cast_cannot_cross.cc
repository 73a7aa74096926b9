// SPDX-License-Identifier: Apache-2.0
// Wrong use: a cast to a type that does not cross.
// expect: cast<T>(): T does not cross the border: give it a tain::TypeTraits, or include
// tain/stl.h for standard containers
#include "tain/any.h"

#include <vector>

std::vector<int> Take(const tain::Any& any) { return any.cast<std::vector<int>>(); }
