// SPDX-License-Identifier: Apache-2.0
// Functions whose calls keep one object alive as long as another one: tain::keep_alive<N, P>().
#pragma once

#include <cstdint>
#include <string>

#include "tain/internal/keep_alive.h"

namespace tain::internal {

/// Throws ValueError, whose text begins with `where`, if a pair is wrong for a function with this
/// many values, the receiver included; INT32_MAX if any number of values may follow.
void CheckKept(uint64_t keeps, const std::string& where, int32_t num_values);
/// Returns those pairs of a property that are of its getter, which has one value, or of its setter,
/// which has two: the larger number of a pair says which. Throws as CheckKept.
uint64_t KeptOfProperty(uint64_t keeps, const std::string& where, int32_t num_values,
                        bool has_setter);

/// Copies an info and attaches it to the function. Returns the function that is to be registered:
/// that one or, if the info has a keep_alive, one around it that keeps objects alive.
Function WithInfo(const Function& function, const TainFunctionInfo& info);

}  // namespace tain::internal
