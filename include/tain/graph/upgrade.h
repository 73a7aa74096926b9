// SPDX-License-Identifier: Apache-2.0
// The upgrades of loading for data of types that have changed, and the types that it may create.
//
//   tain::RegisterUpgrade("demo.Node", [](tain::Map<tain::String, tain::Any> fields,
//                                         int64_t version) {
//     fields.Set("name", fields["title"]);
//     fields.erase("title");
//     return fields;
//   }, 2);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/container/map.h"
#include "tain/function.h"

namespace tain {

/// The options of LoadJson and LoadBinary: the data that they accept.
struct LoadOptions {
  /// The types that may be created: keys, or namespaces such as `demo`, which stand for all keys
  /// that begin with `demo.`. Without a list every registered type may be created.
  std::optional<std::vector<std::string>> allow;
};

namespace internal {
TAIN_DLL void SetUpgrade(std::string_view key, Function upgrade, int64_t version);
}  // namespace internal

/// Registers the function that turns old data of a type into the present one: `upgrade(fields,
/// version)` returns the fields by name. `version` is the version that new data of the type gets;
/// data of types without a version has version 1. The function is called for data of an older
/// version, and for data whose fields are not those of the type. A second registration replaces
/// the first. Throws ValueError if `version` is less than 1.
template <class F>
void RegisterUpgrade(std::string_view key, F upgrade, int64_t version = 1) {
  internal::SetUpgrade(key, Function::FromTyped(std::move(upgrade)), version);
}

}  // namespace tain
