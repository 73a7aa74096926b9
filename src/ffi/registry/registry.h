// SPDX-License-Identifier: Apache-2.0
// Registry: everything that is registered, as a value; the C functions use the default one.
//
// One lock guards all of it. It is never held while code of others runs: references that may be the
// last ones are moved out and dropped after the lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "registry/type_table.h"
#include "registry/unit_table.h"
#include "tain/any.h"

namespace tain::internal {

/// Lets maps with std::string keys be searched with a string_view.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <class T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// A global function and who registered it.
struct GlobalFunction {
  ObjectPtr<Object> function;
  Unit* unit = nullptr;
  /// The GlobalDef; functions of one name and one GlobalDef are overloads.
  uint64_t definition = 0;
};

/// An enum and who registered it.
struct EnumEntry {
  const TainEnumInfo* info = nullptr;
  Unit* unit = nullptr;
};

class Registry {
 public:
  /// A registry with the built-in types and attribute columns.
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// The one that the C functions use; never destroyed.
  static Registry& Default();

  /// The index for a request; throws Error on a mistake.
  int32_t RequestType(const TainTypeRequest& request, Unit* unit);
  /// A private index for a request that failed.
  int32_t AddDeadType(std::string_view key);

  /// Counts a change of the name maps.
  void Touch() noexcept { generation.fetch_add(1, std::memory_order_release); }
  /// Keeps a value for as long as the registry lives. Needs the lock.
  TainAny Keep(Any value) {
    kept.push_back(std::move(value));
    return kept.back().data();
  }

  mutable std::shared_mutex mutex;  ///< guards all that follows, but for reading types by index
  Arena arena;                      ///< names, documentation, records
  std::vector<Any> kept;            ///< references that records hold: methods, defaults, constants
  TypeTable types{arena};
  TextMap<GlobalFunction> functions;
  TextMap<EnumEntry> enums;
  TextMap<TainTypeAttrColumn*> attrs;
  std::unordered_map<std::string_view, TainByteArray> field_schemas;  ///< by type expression
  UnitTable units;
  std::atomic<uint64_t> generation{1};  ///< no lock
};

/// Fills a registry with the types and attribute columns that the binary contract names.
void AddBuiltinTypes(Registry& registry);
void AddBuiltinAttrs(Registry& registry);
/// Sets the attribute of a type that holds `before` to `after`, if it does. Needs the lock.
void ReplaceAttr(Registry& registry, const TypeEntry& entry, std::string_view name,
                 const TainAny& before, Any after, Unit* unit);

/// Fills the columns of hash and equality of keys for a type, and for those that derive from it.
/// Needs the lock.
void FillKeyColumns(Registry& registry, int32_t type_index, bool with_children);
/// The same for a new type if its parent's are filled so. Needs the lock.
void InheritKeyColumns(Registry& registry, int32_t type_index, int32_t parent);

}  // namespace tain::internal
