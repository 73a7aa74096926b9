// SPDX-License-Identifier: Apache-2.0
// Registry: all registered types, functions and enums, as one object. The C functions use the
// default registry.
//
// One lock guards the registry. It is never held while users' code runs: references that may be the
// last ones are moved out and dropped after the lock was released.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/error_object.h"
#include "registry/type_table.h"
#include "registry/unit_table.h"
#include "tain/any.h"

namespace tain {
class PackedFunc;
}

namespace tain::internal {

/// Allows look-ups with a string_view in maps with std::string keys.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <class T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// A global function, and the unit that registered it.
struct GlobalFunction {
  ObjectPtr<Object> function;
  Unit* unit = nullptr;
  /// The number of the GlobalDef. Functions with the same name and the same GlobalDef are
  /// overloads.
  uint64_t definition = 0;
};

/// An enum, and the unit that registered it.
struct EnumEntry {
  const TainEnumInfo* info = nullptr;
  Unit* unit = nullptr;
};

/// Throws TypeError unless a C++ type with these integers (TainEnumInfo::kind) can be the enum's.
void CheckEnumIntegers(const TainEnumInfo& info, int32_t integers, std::string_view name);

struct BoxType;
/// The type of a boxed class, and the unit that registered it.
struct BoxEntry {
  const BoxType* type = nullptr;
  Unit* unit = nullptr;
};

class BoxObj;
/// A boxed class: its name in C++, and what ends the object of a box that owns it.
struct BoxClass {
  std::string name;
  void (*end)(BoxObj* box) noexcept = nullptr;
  void* (*move_out)(BoxObj* box) = nullptr;
};

/// The registry's lock. A thread that has it must not wait for the loader.
class RegistryMutex : std::shared_mutex {
 public:
  /// Also made in the child of a fork, where the thread that forked has no lock any more.
  RegistryMutex() { loader_is_forbidden = 0; }

  void lock() {
    shared_mutex::lock();
    ++loader_is_forbidden;
  }
  void unlock() {
    --loader_is_forbidden;
    shared_mutex::unlock();
  }
  void lock_shared() {
    shared_mutex::lock_shared();
    ++loader_is_forbidden;
  }
  void unlock_shared() {
    --loader_is_forbidden;
    shared_mutex::unlock_shared();
  }
};

class Registry : NotCopied {
 public:
  /// Makes a registry with the built-in types and attribute columns.
  Registry();
  ~Registry();

  /// The registry that the C functions use; never destroyed.
  static Registry& Default();

  /// Returns the type index for a request; throws Error on a mistake.
  int32_t RequestType(const TainTypeRequest& request, Unit* unit);
  /// Makes a private type index for a request that failed.
  int32_t AddDeadType(std::string_view key);

  /// Counts a change of the maps of names.
  void Touch() noexcept { generation.fetch_add(1, std::memory_order_release); }
  /// Keeps a value as long as the registry lives. Needs the lock.
  TainAny Keep(Any value) {
    kept.push_back(std::move(value));
    return kept.back().data();
  }
  void KeepObject(TainObject* object);

  mutable RegistryMutex mutex;  ///< guards all members below
  Arena arena;                  ///< names, documentation, records
  std::vector<Any> kept;        ///< references of records: methods, defaults, constants
  TypeTable types{arena};
  TextMap<GlobalFunction> functions;
  TextMap<EnumEntry> enums;
  TextMap<TainTypeAttrColumn*> attrs;
  std::unordered_map<std::string_view, TainByteArray> field_schemas;  ///< by type expression
  UnitTable units;
  /// The functions to which tain::Registry::Get has returned pointers, by their objects.
  std::unordered_map<const TainObject*, std::unique_ptr<const PackedFunc>> returned;
  std::atomic<uint64_t> generation{1};   ///< needs no lock
  TextMap<std::vector<BoxEntry>> boxes;  ///< by the C++ name of the class
  std::deque<BoxClass> box_classes;      ///< those of TypeTable::FindBoxClass
};

/// Returns what a map of the default registry has for a name; an empty T if it has nothing.
template <class T>
T Registered(const TextMap<T> Registry::* map, std::string_view name) {
  const Registry& registry = Registry::Default();
  const std::shared_lock lock(registry.mutex);
  const auto found = (registry.*map).find(name);
  return found == (registry.*map).end() ? T() : found->second;
}
/// Returns the type index of a key in the default registry, or `unknown`.
int32_t KnownIndex(std::string_view key, int32_t unknown) noexcept;

/// Adds the types and attribute columns that the binary contract defines.
void AddBuiltinTypes(Registry& registry);
void AddBuiltinAttrs(Registry& registry);
/// If the attribute of a type has the value `before`, sets it to `after`. Needs the lock.
void ReplaceAttr(Registry& registry, TypeEntry& entry, std::string_view name, const TainAny& before,
                 Any after, Unit* unit);

/// Fills the columns of hash and equality for a type and for those that derive from it. Needs the
/// lock.
void FillKeyColumns(Registry& registry, int32_t type_index, bool with_children);
/// The same for a new type if the columns are filled for its parent. Needs the lock.
void InheritKeyColumns(Registry& registry, int32_t type_index, int32_t parent);

}  // namespace tain::internal
