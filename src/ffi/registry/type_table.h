// SPDX-License-Identifier: Apache-2.0
// TypeTable: all types by index and by key.
//
// Reading by index takes no lock: entries are appended, published with release order and never
// freed. Requests and reading by key need the registry's lock. The table decides whether a request
// is a new type, a known type, a new build of a known type, or a mistake. type_builder.cc describes
// the members of a type.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/arena.h"
#include "tain/base.h"

namespace tain::internal {

struct BoxClass;
class TypeFacts;
struct Unit;

/// The capacity of the arrays of an entry.
struct MemberCapacity {
  int32_t abi_fields, abi_methods, fields, methods, properties, constants;
};

/// A type. The two public records come first; the other members are private and guarded by the
/// registry's lock.
struct TypeEntry {
  TainTypeInfo info;        ///< the ABI's record
  TainTypeRecord record;    ///< the side record
  Unit* owner;              ///< the unit that described the type, else the first that requested it
  Unit* provisional;        ///< the unit that made the entry, while it can be withdrawn
  Unit* saved_by;           ///< the unit whose journal holds the earlier members
  TypeEntry* parent;        ///< null for roots
  TypeEntry* previous;      ///< the build that this one replaced, or null
  int32_t next_child_slot;  ///< first free index of the reserved range
  bool explicit_metadata;   ///< TainTypeRegisterMetadata has been called
  MemberCapacity capacity;
  /// Counts the changes of what is registered of the type, with its attributes. Read without the lock.
  uint64_t revision;
  const TypeFacts* facts;  ///< what operations know of the type, or null; see FactsOf

  uint64_t Revision() const noexcept {
    return std::atomic_ref(const_cast<uint64_t&>(revision)).load(std::memory_order_acquire);
  }
  /// Ends what is known of the type and its children. Called after each change.
  void Changed() noexcept { std::atomic_ref(revision).fetch_add(1, std::memory_order_release); }
  std::string_view key() const noexcept { return {info.type_key.data, info.type_key.size}; }
  bool dead() const noexcept { return (record.def.flags & kTainTypeDead) != 0; }
  /// The type in messages: its key, with the build if there are several.
  std::string Name() const;
};

class TypeTable : NotCopied {
 public:
  static constexpr int32_t kChunkSize = 1024;
  static constexpr int32_t kMaxTypes = 1 << 20;

  explicit TypeTable(Arena& arena) noexcept : arena_(arena) {}
  ~TypeTable();

  /// Returns the entry of an index, or null. Takes no lock.
  TypeEntry* Find(int32_t index) const noexcept {
    if (index < 0 || index >= kMaxTypes) return nullptr;
    const Chunk* chunk = chunks_[index / kChunkSize].load(std::memory_order_acquire);
    if (chunk == nullptr) return nullptr;
    return chunk->entries[index % kChunkSize].load(std::memory_order_acquire);
  }
  /// The same for an index that must be that of a type; else throws ValueError.
  TypeEntry* Registered(int32_t index) const;
  /// Returns the boxed class of a type itself, or null. Takes no lock.
  const BoxClass* FindBoxClass(int32_t index) const noexcept {
    if (index < 0 || index >= kMaxTypes) return nullptr;
    const Chunk* chunk = chunks_[index / kChunkSize].load(std::memory_order_acquire);
    if (chunk == nullptr) return nullptr;
    return chunk->box_classes[index % kChunkSize].load(std::memory_order_acquire);
  }
  /// Makes a type that of a boxed class, for ever.
  void SetBoxClass(int32_t index, const BoxClass* box_class) noexcept {
    Chunk* chunk = chunks_[index / kChunkSize].load(std::memory_order_acquire);
    chunk->box_classes[index % kChunkSize].store(box_class, std::memory_order_release);
  }
  /// Whether an object of type `index` is an instance of `parent`. Takes no lock.
  bool IsInstance(int32_t index, int32_t parent) const noexcept;

  /// Returns the present entry of a key, or null.
  TypeEntry* FindKey(std::string_view key) const noexcept {
    const auto it = keys_.find(key);
    return it == keys_.end() ? nullptr : it->second;
  }
  /// Returns the entry for a request: a known one, or a new one whose key is not mapped yet. Throws
  /// Error on a mistake.
  TypeEntry* Request(const TainTypeRequest& request, Unit* unit, bool* is_new);
  /// Makes a private entry for a request that failed.
  TypeEntry* AddDead(std::string_view key);
  /// Adds an index below kTainStaticObjectBegin: a type of plain values, which only has a name.
  void AddPlain(int32_t index, std::string_view key);
  /// Maps the key of `entry` to it.
  void MapKey(TypeEntry* entry) { keys_.insert_or_assign(entry->key(), entry); }
  /// Removes the mapping of the key, and restores the mapping to the previous build, if that
  /// exists.
  void UnmapKey(TypeEntry* entry) noexcept;
  /// Returns the highest used index plus 1.
  int32_t end() const noexcept { return next_index_; }

 private:
  struct Chunk {
    std::atomic<TypeEntry*> entries[kChunkSize];
    std::atomic<const BoxClass*> box_classes[kChunkSize];
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

/// Computes type_key_hash: eight bytes at a time, as for strings.
uint64_t HashTypeKey(std::string_view key) noexcept;

/// Whether a text is UTF-8 without NUL.
bool IsTextWithoutNul(std::string_view text) noexcept;

/// Throws ValueError `where: ...` unless `name` is UTF-8 text without NUL, and not empty.
void CheckName(std::string_view name, std::string_view where);

}  // namespace tain::internal
