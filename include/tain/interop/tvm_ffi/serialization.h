// SPDX-License-Identifier: Apache-2.0
// ToJSONGraph and FromJSONGraph for sources for tvm::ffi.
//
// The value has the form of tain's own texts (tain/graph/json.h), which other programs do not read.
#pragma once

#include "tain/graph/json.h"
#include "tain/graph/json_value.h"

namespace tain::interop::ffi {

/// Returns a graph of objects as a plain value, of which WriteJson makes a text. The metadata is not
/// kept. Throws TypeError if something cannot be saved.
inline Any ToJSONGraph(const Any& value, const Any& metadata = Any()) {
  (void)metadata;
  return ParseJson(SaveJson(AnyView(value)));
}
/// Returns the graph of a value from ToJSONGraph. Throws as LoadJson does.
inline Any FromJSONGraph(const Any& value) { return LoadJson(WriteJson(value)); }

}  // namespace tain::interop::ffi
