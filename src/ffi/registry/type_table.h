// SPDX-License-Identifier: Apache-2.0
// TypeTable: all types by index and by key.
//
// Reading by index takes no lock: entries are appended, published with release and never freed.
// Requests and reading by key need the registry's lock. The table decides whether a request is a
// new type, a known one, a new build of a known one, or a mistake; what a type consists of is the
// business of type_builder.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/arena.h"
#include "tain/c_api.h"

namespace tain::internal {

struct Unit;

/// Room in the arrays of an entry.
struct MemberCapacity {
  int32_t abi_fields, abi_methods, fields, methods, properties, constants;
};

/// A type. The two public records come first; the rest is private and guarded by the registry's
/// lock.
struct TypeEntry {
  TainTypeInfo info;        ///< the ABI's record
  TainTypeRecord record;    ///< the side record
  Unit* owner;              ///< the unit that described the type, else the one that asked first
  Unit* provisional;        ///< the unit that made the entry, while that can still be withdrawn
  Unit* saved_by;           ///< the unit whose journal holds the members before its own
  TypeEntry* parent;        ///< null for roots
  TypeEntry* previous;      ///< the build that this one replaced, or null
  int32_t next_child_slot;  ///< first free index of the reserved range
  bool explicit_metadata;   ///< TainTypeRegisterMetadata has been called
  MemberCapacity capacity;

  std::string_view key() const noexcept { return {info.type_key.data, info.type_key.size}; }
  bool dead() const noexcept { return (record.def.flags & kTainTypeDead) != 0; }
  /// As a message names it: the key, with the build if there are several.
  std::string Name() const;
};

class TypeTable {
 public:
  static constexpr int32_t kChunkSize = 1024;
  static constexpr int32_t kMaxTypes = 1 << 20;

  explicit TypeTable(Arena& arena) noexcept : arena_(arena) {}
  ~TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  /// The entry of an index, or null. No lock.
  TypeEntry* Find(int32_t index) const noexcept {
    if (index < 0 || index >= kMaxTypes) return nullptr;
    const Chunk* chunk = chunks_[index / kChunkSize].load(std::memory_order_acquire);
    if (chunk == nullptr) return nullptr;
    return chunk->entries[index % kChunkSize].load(std::memory_order_acquire);
  }
  /// Whether an object of type `index` is an instance of `parent`. No lock.
  bool IsInstance(int32_t index, int32_t parent) const noexcept;

  /// The live entry of a key, or null.
  TypeEntry* FindKey(std::string_view key) const noexcept {
    const auto it = keys_.find(key);
    return it == keys_.end() ? nullptr : it->second;
  }
  /// The entry for a request: known, or new and not mapped to its key yet. Throws Error on a
  /// mistake.
  TypeEntry* Request(const TainTypeRequest& request, Unit* unit, bool* is_new);
  /// A private entry for a request that failed.
  TypeEntry* AddDead(std::string_view key);
  /// An index below kTainStaticObjectBegin: a kind of plain value, which only has a name.
  void AddPlain(int32_t index, std::string_view key);
  /// Makes `entry` what its key means.
  void MapKey(TypeEntry* entry) { keys_.insert_or_assign(entry->key(), entry); }
  /// Takes the key away from `entry` and gives it back to the build before, if that lives.
  void UnmapKey(TypeEntry* entry) noexcept;
  /// One more than the highest index in use.
  int32_t end() const noexcept { return next_index_; }

 private:
  struct Chunk {
    std::atomic<TypeEntry*> entries[kChunkSize];
  };

  TypeEntry* Add(const TainTypeRequest& request, int32_t index, TypeEntry* parent, Unit* unit,
                 TypeEntry* previous);
  TypeEntry* CheckParent(const TainTypeRequest& request) const;
  int32_t AllocateIndex(const TainTypeRequest& request, TypeEntry* parent);
  int32_t AllocateFresh(int32_t count);
  void Publish(TypeEntry* entry);

  Arena& arena_;
  std::atomic<Chunk*> chunks_[kMaxTypes / kChunkSize] = {};
  std::unordered_map<std::string_view, TypeEntry*> keys_;
  int32_t next_index_ = kTainDynObjectBegin;
};

/// The hash that type_key_hash holds: eight bytes at a time, as strings are hashed.
uint64_t HashTypeKey(std::string_view key) noexcept;

/// Throws ValueError `where: ...` unless `name` is UTF-8 text without NUL, and not empty.
void CheckName(std::string_view name, std::string_view where);

}  // namespace tain::internal
