// SPDX-License-Identifier: Apache-2.0
// Wrong use: a cast to a type that does not cross.
// expect: cast<T>(): T does not cross the border: see tain/traits.h
#include "tain/any.h"

#include <vector>

std::vector<int> Take(const tain::Any& any) { return any.cast<std::vector<int>>(); }
