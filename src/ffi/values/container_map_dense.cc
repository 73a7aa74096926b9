// SPDX-License-Identifier: Apache-2.0
// DenseTable, the hash table of Map and Dict.
#include "values/container_map_dense.h"

#include <array>
#include <cstring>
#include <memory>

#include "base/thread_end.h"
#include "values/container_detail.h"

namespace tain::internal {
namespace {

constexpr size_t kNumJumps = 126;

/// Beyond the dense part, the jumps are the triangular numbers of these, each about 1.5 times the
/// one before.
constexpr uint64_t kFarRoots[] = {
    130,        195,        292,       438,       657,       986,       1478,      2217,
    3326,       4988,       7482,      11223,     16835,     25252,     37877,     56816,
    85223,      127835,     191752,    287627,    431440,    647160,    970740,    1456110,
    2184165,    3276247,    4914370,   7371555,   11057333,  16585999,  24878998,  37318497,
    55977745,   83966618,   125949926, 188924889, 283387334, 425081001, 637621501, 956432251,
    1434648376, 2151972564, 3227958845};

constexpr uint64_t Triangular(uint64_t n) noexcept {
  return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
}

/// 0 to 15, the triangular numbers of 6 to 72, then the far ones.
constexpr std::array<uint64_t, kNumJumps> MakeJumps() noexcept {
  std::array<uint64_t, kNumJumps> jumps{};
  size_t n = 0;
  for (uint64_t i = 0; i < 16; ++i) jumps[n++] = i;
  for (uint64_t root = 6; root <= 72; ++root) jumps[n++] = Triangular(root);
  for (const uint64_t root : kFarRoots) jumps[n++] = Triangular(root);
  return jumps;
}
constexpr std::array<uint64_t, kNumJumps> kJumps = MakeJumps();
static_assert(kJumps[16] == 21 && kJumps[82] == 2628 && kJumps[83] == 8515);
static_assert(kJumps[125] == 5209859154120846435u);

}  // namespace

uint64_t DenseTable::SlotsFor(uint64_t entries) {
  constexpr uint64_t kMaxSlots = uint64_t{1} << 52;
  uint64_t slots = kMinDense;
  while (static_cast<double>(entries) > static_cast<double>(slots) * 0.99) {
    slots *= 2;
    if (slots > kMaxSlots) throw std::bad_alloc();
  }
  return slots;
}

DenseTable DenseTable::Make(uint64_t slots) {
  DenseTable table;
  const uint64_t blocks = (slots + kBlockSlots - 1) / kBlockSlots;
  if (blocks > SIZE_MAX / sizeof(DenseBlock)) throw std::bad_alloc();
  table.blocks_ = static_cast<DenseBlock*>(std::malloc(blocks * sizeof(DenseBlock)));
  if (table.blocks_ == nullptr) throw std::bad_alloc();
  for (uint64_t i = 0; i < blocks; ++i) {
    std::memset(table.blocks_[i].meta, kEmpty, kBlockSlots);
  }
  table.slots_ = slots;
  table.fib_shift_ = 64;
  for (uint64_t n = slots; n > 1; n /= 2) --table.fib_shift_;
  return table;
}

void DenseTable::Store(MapCell* cell) const noexcept {
  *cell = {blocks_, size_, slots_, &FreeBlock, fib_shift_, 0, head_, tail_};
}

void DenseTable::Free() noexcept {
  std::free(blocks_);
  blocks_ = nullptr;
}

bool DenseTable::IsFull() const noexcept {
  return static_cast<double>(size_ + 1) > static_cast<double>(slots_) * 0.99;
}

uint64_t DenseTable::NextInChain(uint64_t slot) const noexcept {
  const size_t jump = meta(slot) & kJumpMask;
  if (jump == 0 || jump >= kNumJumps) return kMapEnd;
  return (slot + kJumps[jump]) & (slots_ - 1);
}

uint64_t DenseTable::BeforeInChain(uint64_t slot) const noexcept {
  if (IsHead(slot)) return kMapEnd;
  for (size_t jump = 1; jump < kNumJumps; ++jump) {
    const uint64_t candidate = (slot - kJumps[jump]) & (slots_ - 1);
    if (IsEntry(candidate) && (meta(candidate) & kJumpMask) == jump) return candidate;
  }
  return kMapEnd;
}

/// Returns the jump to a free slot that a member at `from` can reach; 0 if there is none.
uint8_t DenseTable::FindFree(uint64_t from, uint64_t* slot) const noexcept {
  for (size_t jump = 1; jump < kNumJumps; ++jump) {
    const uint64_t candidate = (from + kJumps[jump]) & (slots_ - 1);
    if (meta(candidate) != kEmpty) continue;
    *slot = candidate;
    return static_cast<uint8_t>(jump);
  }
  return 0;
}

void DenseTable::MoveItem(uint64_t from, uint64_t to) noexcept {
  DenseItem& item = at(to);
  item = at(from);
  (item.previous == kMapEnd ? head_ : at(item.previous).next) = to;
  (item.next == kMapEnd ? tail_ : at(item.next).previous) = to;
}

/// Links the entry at `slot` at the end of the order.
void DenseTable::Append(uint64_t slot) noexcept {
  at(slot).previous = tail_;
  at(slot).next = kMapEnd;
  (tail_ == kMapEnd ? head_ : at(tail_).next) = slot;
  tail_ = slot;
  ++size_;
}

void DenseTable::Unlink(const DenseItem& item) noexcept {
  (item.previous == kMapEnd ? head_ : at(item.previous).next) = item.next;
  (item.next == kMapEnd ? tail_ : at(item.next).previous) = item.previous;
}

/// Finds and protects a new slot for each member of a chain from `from` on; false if no free slot
/// is within reach.
bool DenseTable::PlanMoves(uint64_t from, uint64_t before, std::vector<ChainMove>* plan) {
  uint64_t last = before;
  for (uint64_t member = from; member != kMapEnd; member = NextInChain(member)) {
    uint64_t place = 0;
    const uint8_t jump = FindFree(last, &place);
    if (jump == 0) return false;
    plan->push_back({member, place, jump});
    MetaRef(place) = kProtected;
    last = place;
  }
  return true;
}

/// Moves the rest of a chain, from the member at `from` on, to free slots. Plans all moves first,
/// so nothing has changed if there is not enough room.
bool DenseTable::MoveChain(uint64_t from) {
  uint64_t before = BeforeInChain(from);
  if (before == kMapEnd) return false;
  struct Plan : std::vector<ChainMove> {};
  std::vector<ChainMove>& plan = ThreadOwn<Plan>::Get();  // its memory is reused
  plan.clear();
  const auto unplan = [&] {
    for (const ChainMove& move : plan) MetaRef(move.to) = kEmpty;
  };
  try {
    plan.reserve(16);
    if (!PlanMoves(from, before, &plan)) {
      unplan();
      return false;
    }
  } catch (...) {
    unplan();
    throw;
  }
  for (const ChainMove& move : plan) {
    MoveItem(move.from, move.to);
    MetaRef(move.from) = kEmpty;
    MetaRef(move.to) = kLaterMember;
    SetJump(before, move.jump);
    before = move.to;
  }
  return true;
}

/// Adds an entry after the last member of a chain.
bool DenseTable::AddToChain(uint64_t last, const MapItem& item, uint64_t* slot) noexcept {
  const uint8_t jump = FindFree(last, slot);
  if (jump == 0) return false;
  at(*slot).item = item;
  MetaRef(*slot) = kLaterMember;
  SetJump(last, jump);
  return true;
}

bool DenseTable::Insert(uint64_t hash, const MapItem& item, uint64_t last) {
  uint64_t slot = Home(hash);
  if (IsIntruder(slot) && !MoveChain(slot)) return false;
  if (meta(slot) == kEmpty) {
    at(slot).item = item;
    MetaRef(slot) = 0;
  } else if (!AddToChain(last, item, &slot)) {
    return false;
  }
  Append(slot);
  return true;
}

bool DenseTable::Build(const std::vector<MapItem>& items, const std::vector<uint64_t>& hashes) {
  // Place the head of every chain first, so that no other member occupies a home slot.
  std::vector<uint64_t> slots(items.size(), kMapEnd);
  // The last member of the chain at each home; read where one has begun.
  const auto last = std::make_unique_for_overwrite<uint64_t[]>(slots_);
  for (size_t i = 0; i < items.size(); ++i) {
    const uint64_t home = Home(hashes[i]);
    if (meta(home) != kEmpty) continue;
    at(home).item = items[i];
    MetaRef(home) = 0;
    slots[i] = home;
    last[home] = home;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (slots[i] != kMapEnd) continue;
    uint64_t* chain = &last[Home(hashes[i])];
    if (!AddToChain(*chain, items[i], &slots[i])) return false;
    *chain = slots[i];
  }
  for (const uint64_t slot : slots) Append(slot);
  return true;
}

void DenseTable::Remove(uint64_t slot, uint64_t before) noexcept {
  Unlink(at(slot));
  --size_;
  uint64_t last_before = before;
  uint64_t last = slot;
  for (uint64_t next = NextInChain(last); next != kMapEnd; next = NextInChain(last)) {
    last_before = last;
    last = next;
  }
  // The chain loses its last slot; the entry there moves into the hole.
  if (last != slot) MoveItem(last, slot);
  if (last_before != kMapEnd) SetJump(last_before, 0);
  MetaRef(last) = kEmpty;
}

}  // namespace tain::internal
