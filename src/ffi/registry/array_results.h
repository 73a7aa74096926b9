// SPDX-License-Identifier: Apache-2.0
// Results that are arrays of numpy: their declared type says numpy.ndarray instead of Tensor, and the
// host reads it there (tain::as_numpy).
#pragma once

#include <string>
#include <string_view>

#include "registry/unit_table.h"

namespace tain::internal {

class Arena;

/// Returns a type expression with `numpy.ndarray` for each Tensor but those in the parameters and
/// results of callables.
std::string AsNumpyType(std::string_view type);
/// Rewrites the type of a place if `as_numpy` is set or the unit says so, and remembers it for the
/// case that the unit says so later. Needs the registry's lock; the unit may be null.
void PlaceArrays(Arena& arena, Unit* unit, ArrayPlace place, bool as_numpy);
/// Whether the members of a type have arrays as results.
bool TypeGivesArrays(int32_t type_index) noexcept;

}  // namespace tain::internal
