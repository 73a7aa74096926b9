// SPDX-License-Identifier: Apache-2.0
// Opt-in: types of the standard library as parameters, results, fields and defaults.
//
//   vector deque list array set unordered_set map unordered_map optional variant pair tuple
//   function chrono::duration chrono::time_point filesystem::path span
// std::complex is in tain/stl/complex.h. Conversions copy in both directions: Python does not see changes that C++ makes to its vector. To
// share data, use tain::List and tain::Dict. The umbrella tain.h does not include this file.
#pragma once

#include "tain/stl/chrono.h"
#include "tain/stl/function.h"
#include "tain/stl/map.h"
#include "tain/stl/optional.h"
#include "tain/stl/path.h"
#include "tain/stl/sequence.h"
#include "tain/stl/set.h"
#include "tain/stl/span.h"
#include "tain/stl/tuple.h"
