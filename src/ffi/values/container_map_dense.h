// SPDX-License-Identifier: Apache-2.0
// DenseTable, the hash table of Map and Dict. The binary contract defines its memory and search.
//
// Slots come in blocks of 16, with one byte of metadata each. All keys with the same home slot form
// a chain that begins there. The byte of a member says whether it is the head, and how far the next
// member is, as an index into a table of jumps. If the home slot of a new key contains a member of
// another chain, that member moves to another slot. The entries are also linked in order of
// insertion. The table never runs users' code: the caller computes hashes.
#pragma once

#include <cstdint>
#include <vector>

#include "tain/internal/container_api.h"

namespace tain::internal {

inline constexpr uint64_t kSmallTag = uint64_t{1} << 63;
inline constexpr uint64_t kMaxSmall = 4;     ///< pairs in the small form
inline constexpr uint64_t kMinDense = 16;    ///< slots of the smallest table tain makes: one block
inline constexpr uint64_t kBlockSlots = 16;  ///< slots in a block

/// An entry of the dense form.
struct DenseItem {
  MapItem item;
  uint64_t previous;  ///< slot of the previous entry in order, or kMapEnd
  uint64_t next;      ///< slot of the next entry in order, or kMapEnd
};

/// 16 slots.
struct DenseBlock {
  uint8_t meta[kBlockSlots];
  DenseItem items[kBlockSlots];
};

static_assert(sizeof(DenseItem) == 48 && sizeof(DenseBlock) == 16 + 16 * 48);

/// A member of a chain that moves to another slot.
struct ChainMove {
  uint64_t from;
  uint64_t to;
  uint8_t jump;  ///< from the previous member to its new slot
};

/// A view of a table; its members are those of the cell. Copying it does not copy the memory.
class DenseTable {
 public:
  /// The table of a cell in the dense form.
  explicit DenseTable(const MapCell& cell) noexcept
      : blocks_(static_cast<DenseBlock*>(cell.data)),
        size_(cell.size),
        slots_(cell.num_slots),
        fib_shift_(cell.fib_shift),
        head_(cell.head),
        tail_(cell.tail) {}
  /// Makes an empty table of `slots` slots, a power of two; throws std::bad_alloc.
  static DenseTable Make(uint64_t slots);
  /// Returns the number of slots for at least `entries` entries; throws std::bad_alloc if it is too
  /// large.
  static uint64_t SlotsFor(uint64_t entries);
  /// Writes the table into a cell, which owns it from then on.
  void Store(MapCell* cell) const noexcept;
  /// Frees a table that Make made and that no cell owns.
  void Free() noexcept;

  uint64_t size() const noexcept { return size_; }
  uint64_t slots() const noexcept { return slots_; }
  uint64_t head() const noexcept { return head_; }
  uint64_t tail() const noexcept { return tail_; }
  uint8_t meta(uint64_t slot) const noexcept {
    return blocks_[slot / kBlockSlots].meta[slot % kBlockSlots];
  }
  DenseItem& at(uint64_t slot) const noexcept {
    return blocks_[slot / kBlockSlots].items[slot % kBlockSlots];
  }
  bool IsEntry(uint64_t slot) const noexcept { return slot < slots_ && meta(slot) < kProtected; }
  bool IsFull() const noexcept;

  /// Returns the home slot of a hash.
  uint64_t Home(uint64_t hash) const noexcept {
    return (uint64_t{11400714819323198485u} * hash) >> fib_shift_;
  }
  /// Whether a chain begins at `slot`.
  bool IsHead(uint64_t slot) const noexcept { return (meta(slot) & kLaterMember) == 0; }
  /// Whether a slot belongs to a chain with another home. Inserting there moves its member.
  bool IsIntruder(uint64_t slot) const noexcept {
    return meta(slot) != kEmpty && (meta(slot) & kLaterMember) != 0;
  }
  /// Returns the next member of the chain, or kMapEnd.
  uint64_t NextInChain(uint64_t slot) const noexcept;
  /// Returns the previous member of the chain, or kMapEnd. It is found by its jump, without a hash.
  uint64_t BeforeInChain(uint64_t slot) const noexcept;
  /// Adds a new entry at the end of the order. `last` is the last member of the chain at its home,
  /// if there is one. Returns false and changes nothing if no free slot is within reach.
  bool Insert(uint64_t hash, const MapItem& item, uint64_t last);
  /// Fills an empty table with different keys in order; false if one found no slot within reach.
  bool Build(const std::vector<MapItem>& items, const std::vector<uint64_t>& hashes);
  /// Removes an entry. `before` is the previous member of its chain, or kMapEnd for a head.
  void Remove(uint64_t slot, uint64_t before) noexcept;

 private:
  static constexpr uint8_t kEmpty = 0xff;
  static constexpr uint8_t kProtected = 0xfe;    ///< a slot that is reserved for another member
  static constexpr uint8_t kLaterMember = 0x80;  ///< not the head of its chain
  static constexpr uint8_t kJumpMask = 0x7f;

  DenseTable() = default;
  uint8_t& MetaRef(uint64_t slot) const noexcept {
    return blocks_[slot / kBlockSlots].meta[slot % kBlockSlots];
  }
  void SetJump(uint64_t slot, uint8_t jump) const noexcept {
    MetaRef(slot) = static_cast<uint8_t>((meta(slot) & kLaterMember) | jump);
  }
  uint8_t FindFree(uint64_t from, uint64_t* slot) const noexcept;
  bool PlanMoves(uint64_t from, uint64_t before, std::vector<ChainMove>* plan);
  bool MoveChain(uint64_t from);
  void MoveItem(uint64_t from, uint64_t to) noexcept;
  bool AddToChain(uint64_t last, const MapItem& item, uint64_t* slot) noexcept;
  void Append(uint64_t slot) noexcept;
  void Unlink(const DenseItem& item) noexcept;

  DenseBlock* blocks_ = nullptr;
  uint64_t size_ = 0;
  uint64_t slots_ = 0;
  uint32_t fib_shift_ = 0;
  uint64_t head_ = kMapEnd;
  uint64_t tail_ = kMapEnd;
};

}  // namespace tain::internal
