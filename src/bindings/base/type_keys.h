// SPDX-License-Identifier: Apache-2.0
// Type keys and other registered names: what resembles them, the module of each, missing ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Raises faults of libraries that were loaded behind tain's back; throws nb::python_error.
void RaisePendingFaults();
/// Asks the on_missing hook to provide a name; true if it did something.
bool AskForMissing(const char* kind, std::string_view name);
/// Near matches of an unknown name for a message: ` Did you mean 'geometry.Point'?` or nothing.
std::string NearMatches(std::string_view name, const std::vector<std::string>& known);
/// Keys that start with a prefix, sorted.
std::vector<std::string> TypeKeys(std::string_view prefix);
/// The module of a key's class: the adopting module, or tain.types.<namespace>.
std::string ModuleOfKey(std::string_view key);

}  // namespace tain::bindings
