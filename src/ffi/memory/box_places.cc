// SPDX-License-Identifier: Apache-2.0
// The table of boxes by place; see box_places.h.
//
// A place may have several boxes: of an object and of its first member, of an object that died and of
// the one that has its memory now. A box is in the table from its construction to its destruction,
// which takes the lock of its part of the table: so a box that is found there has its memory.
#include "memory/box_places.h"

#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <vector>

#include "base/fork.h"

namespace tain::internal {
namespace {

struct PlacedBox {
  const void* place = nullptr;  ///< null: the slot is empty
  BoxObj* box = nullptr;
};

uint64_t HashOf(const void* place) noexcept {
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(place)) >> 3;
  const uint64_t mixed = address * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 32);
}

/// A part of the table: open addressing, at most half full.
class Part {
 public:
  std::mutex lock;

  void Add(uint64_t hash, const PlacedBox& entry) {
    if ((used_ + 1) * 2 > slots_.size()) Grow();
    Put(hash, entry);
    ++used_;
  }
  void Remove(uint64_t hash, const BoxObj* box) noexcept {
    if (slots_.empty()) return;
    size_t at = hash & Mask();
    while (slots_[at].box != box) {
      if (slots_[at].place == nullptr) return;
      at = (at + 1) & Mask();
    }
    --used_;
    // What was put behind the slot because it was taken moves forward.
    for (size_t next = (at + 1) & Mask(); slots_[next].place != nullptr;
         next = (next + 1) & Mask()) {
      const size_t wanted = HashOf(slots_[next].place) & Mask();
      if (((next - wanted) & Mask()) < ((next - at) & Mask())) continue;
      slots_[at] = slots_[next];
      at = next;
    }
    slots_[at] = PlacedBox{};
  }
  /// Calls `test` for the boxes of a place until it returns true.
  template <class Test>
  void ForEach(uint64_t hash, const void* place, const Test& test) const {
    if (slots_.empty()) return;
    for (size_t at = hash & Mask(); slots_[at].place != nullptr; at = (at + 1) & Mask()) {
      if (slots_[at].place == place && test(slots_[at].box)) return;
    }
  }

 private:
  size_t Mask() const noexcept { return slots_.size() - 1; }
  void Put(uint64_t hash, const PlacedBox& entry) noexcept {
    size_t at = hash & Mask();
    while (slots_[at].place != nullptr) at = (at + 1) & Mask();
    slots_[at] = entry;
  }
  void Grow() {
    std::vector<PlacedBox> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const PlacedBox& entry : old) {
      if (entry.place != nullptr) Put(HashOf(entry.place), entry);
    }
  }

  std::vector<PlacedBox> slots_;
  size_t used_ = 0;
};

constexpr size_t kParts = 64;

std::array<Part, kParts>& Parts() noexcept {
  static auto* parts = new std::array<Part, kParts>;
  return *parts;
}
Part& PartOf(uint64_t hash) noexcept { return Parts()[hash >> 58]; }
static_assert(kParts == uint64_t{1} << (64 - 58));

/// Whether a box can be given to Python as the one of an object of this type.
bool Fits(const BoxObj* box, const void* target, int32_t type_index, bool may_depend) noexcept {
  auto* header = ObjectAccess::Header(const_cast<BoxObj*>(box));
  const uint32_t word = std::atomic_ref<uint32_t>(header->reserved).load(std::memory_order_acquire);
  if (word == 0) return false;  // it is being made
  const bool is_free =
      box->loan == BoxLoan::kNone || (may_depend && box->loan == BoxLoan::kDependent);
  return is_free && box->target == target && box->kind != BoxKind::kEnded &&
         TainTypeIsInstance(header->type_index, type_index) != 0;
}

}  // namespace

void EnterBox(BoxObj* box) noexcept {
  if (box->target == nullptr) return;
  const uint64_t hash = HashOf(box->target);
  Part& part = PartOf(hash);
  const std::lock_guard lock(part.lock);
  try {
    part.Add(hash, {box->target, box});
    box->place = box->target;
  } catch (const std::bad_alloc&) {  // another box may be made for the object
  }
}

void LeaveBox(BoxObj* box) noexcept {
  const uint64_t hash = HashOf(box->place);
  Part& part = PartOf(hash);
  const std::lock_guard lock(part.lock);
  part.Remove(hash, box);
  box->place = nullptr;
}

ObjectPtr<Object> FindBoxAt(const void* target, int32_t type_index, bool may_depend) noexcept {
  const uint64_t hash = HashOf(target);
  Part& part = PartOf(hash);
  BoxObj* found = nullptr;
  const std::lock_guard lock(part.lock);
  const auto search = [&](bool is_owner) {
    part.ForEach(hash, target, [&](BoxObj* box) {
      const bool fits = (box->kind != BoxKind::kReference) == is_owner &&
                        Fits(box, target, type_index, may_depend) &&
                        IncRefIfAlive(ObjectAccess::Header(box));
      if (fits) found = box;
      return fits;
    });
  };
  search(true);
  if (found == nullptr) search(false);
  if (found == nullptr) return ObjectPtr<Object>();
  return RefAccess::Steal<Object>(ObjectAccess::Header(found));
}

const ForkSteps box_places_fork = {[] {
                                     for (Part& part : Parts()) part.lock.lock();
                                   },
                                   [] {
                                     for (Part& part : Parts()) part.lock.unlock();
                                   },
                                   [] {
                                     for (Part& part : Parts()) ::new (&part.lock) std::mutex;
                                   }};

}  // namespace tain::internal
