// SPDX-License-Identifier: Apache-2.0
// The memory of Array and List: allocation, growth, moves of elements, deletion.
//
// The elements of a new Array are in the object's own block; a growing Array moves them to a block
// of malloc. Those of a List always lie in a block of operator new, which its data_deleter frees:
// compiled code of other libraries that grows a List calls the data_deleter without a check, puts
// the elements into a block of its own operator new, and leaves the data_deleter to free that too.
// Elements have 16 bytes and are moved bytewise.
#include <cstring>
#include <limits>
#include <vector>

#include "tain/container/array.h"
#include "tain/container/list.h"
#include "tain/container/optional.h"
#include "values/container_detail.h"

namespace tain::internal {
namespace {

constexpr int64_t kMaxElements =
    (std::numeric_limits<int64_t>::max() - 4096) / static_cast<int64_t>(sizeof(TainAny));

TainAny* ElementsOf(TainSeqCell* cell) noexcept { return static_cast<TainAny*>(cell->data); }

size_t ByteSize(int64_t elements) noexcept {
  return static_cast<size_t>(elements) * sizeof(TainAny);
}

void CheckSize(int64_t size) {
  if (size < 0) TAIN_THROW(ValueError) << "size: expected int >= 0, got " << size;
  if (size > kMaxElements) throw std::bad_alloc();
}

/// Removed elements, which are dropped after the container is consistent again.
class Outgoing : NotCopied {
 public:
  Outgoing() = default;
  ~Outgoing() {
    for (const TainAny& value : values_) Drop(value);
  }
  void Reserve(int64_t count) { values_.reserve(static_cast<size_t>(count)); }
  /// Takes over `count` elements; there must be room for them.
  void Add(const TainAny* first, int64_t count) noexcept {
    values_.insert(values_.end(), first, first + count);
  }
  const TainAny* data() const noexcept { return values_.data(); }
  void PushCopy(const TainAny& value) {
    TainAny owned;
    CopyToOwned(value, &owned);
    values_.push_back(owned);
  }
  void Forget() noexcept { values_.clear(); }

 private:
  std::vector<TainAny> values_;
};

/// Moves the elements to a new block, which `deleter` will free.
void MoveToBlock(TainSeqCell* cell, void* block, int64_t capacity, void (*deleter)(void*)) {
  if (cell->size > 0) std::memcpy(block, cell->data, ByteSize(cell->size));
  if (cell->data_deleter != nullptr) cell->data_deleter(cell->data);
  cell->data = block;
  cell->capacity = capacity;
  cell->data_deleter = deleter;
}

/// Moves the elements of a List to a new block.
void MoveToListBlock(TainSeqCell* cell, int64_t capacity) {
  MoveToBlock(cell, ::operator new(ByteSize(capacity)), capacity, &FreeListBlock);
}

/// Moves the elements to a block with room for `capacity` elements.
void ReallocateSeq(TainObject* seq, int64_t capacity) {
  CheckSize(capacity);
  TainSeqCell* cell = SeqCellOf(seq);
  if (seq->type_index == kTainList) return MoveToListBlock(cell, capacity);
  const bool grows = cell->data_deleter == &FreeBlock;
  void* block = std::realloc(grows ? cell->data : nullptr, ByteSize(capacity));
  if (block == nullptr) throw std::bad_alloc();
  if (!grows) return MoveToBlock(cell, block, capacity, &FreeBlock);
  cell->data = block;
  cell->capacity = capacity;
}

/// Makes room for `extra` more elements; grows by half at least.
void GrowSeq(TainObject* seq, int64_t extra) {
  const TainSeqCell* cell = SeqCellOf(seq);
  if (TAIN_LIKELY(cell->capacity - cell->size >= extra)) return;
  if (extra > kMaxElements - cell->size) throw std::bad_alloc();
  const int64_t generous = cell->capacity + cell->capacity / 2 + 4;
  const int64_t needed = cell->size + extra;
  ReallocateSeq(seq, needed > generous ? needed : generous);
}

/// The deleter of a cell that has no block of its own.
void (*DeleterOfNothing(int32_t type_index) noexcept)(void*) {
  return type_index == kTainList ? &FreeListBlock : nullptr;
}

/// Removes all elements from the cell, then drops them and frees their block.
void EmptySeq(TainSeqCell* cell, int32_t type_index) noexcept {
  const TainSeqCell old = *cell;
  *cell = TainSeqCell{};
  cell->data_deleter = DeleterOfNothing(type_index);
  const auto* data = static_cast<const TainAny*>(old.data);
  for (int64_t i = 0; i < old.size; ++i) Drop(data[i]);
  if (old.data_deleter != nullptr) old.data_deleter(old.data);
}

void CheckPosition(const TainObject* seq, int64_t index) {
  if (index < 0 || index > SeqSize(seq)) ThrowSeqIndex(seq, index);
}

}  // namespace

void FreeBlock(void* block) { std::free(block); }
void FreeListBlock(void* block) { ::operator delete(block); }

void DeleteSeq(void* self, int flags) { DeleteObject<SeqObj>(self, flags); }

TainObject* CopyWrapped(TainObject* object) {
  const bool has_prefix = (TainObjectWordOf(object) & kTainHeaderHasPrefix) != 0;
  uintptr_t* word = has_prefix ? &TainObjectPrefixOf(object)->tie : TainForeignTie(object, 0);
  if (word == nullptr) return nullptr;
  const uintptr_t tie = std::atomic_ref<uintptr_t>(*word).load(std::memory_order_acquire);
  const TainHost* host = TainGetHost();
  if ((tie & ~uintptr_t{kTainTieMask}) == 0 || host == nullptr || !host->copy_wrapped) {
    return nullptr;
  }
  TainObject* copy = nullptr;
  int handled = 0;
  ThrowIfFailed(host->copy_wrapped(object, &copy, &handled));
  return handled != 0 ? copy : nullptr;
}

TainObject* SeqNew(int32_t type_index, int64_t capacity) {
  CheckSize(capacity);
  constexpr size_t kHead = sizeof(SeqObj) + sizeof(uint64_t);  // the counter of changes
  const bool is_list = type_index == kTainList;
  const size_t inside = is_list ? 0 : ByteSize(capacity);
  void* body = TainObjectAlloc(kHead + inside, alignof(SeqObj), type_index);
  if (TAIN_UNLIKELY(body == nullptr)) throw std::bad_alloc();
  auto* seq = ::new (body) SeqObj();
  seq->cell.data_deleter = DeleterOfNothing(type_index);
  if (inside > 0) {
    seq->cell.data = static_cast<char*>(body) + kHead;
    seq->cell.capacity = capacity;
  }
  FinishObject(seq, type_index, &DeleteSeq);
  TainObject* made = ObjectAccess::Header(seq);
  *ChangesOf(made) = 0;
  if (is_list && capacity > 0) {
    auto held = RefAccess::Steal<Object>(made);  // until there is memory
    MoveToListBlock(SeqCellOf(made), capacity);
    return RefAccess::Release(held);
  }
  return made;
}

TainObject* SeqCopy(const TainObject* source, int32_t type_index, int64_t extra) {
  const int64_t size = SeqSize(source);
  CheckSize(extra);
  TainObject* copy = SeqNew(type_index, size + extra);
  TainSeqCell* cell = SeqCellOf(copy);
  if (size > 0) std::memcpy(cell->data, SeqData(source), ByteSize(size));
  for (int64_t i = 0; i < size; ++i) Retain(ElementsOf(cell)[i]);
  cell->size = size;
  return copy;
}

TainObject* SeqForWriting(TainObject* seq, int32_t type_index, int64_t extra) {
  if (TAIN_UNLIKELY(seq == nullptr)) return SeqNew(type_index, extra);
  if (type_index == kTainList || IsUnique(seq)) return seq;
  if (TainObject* wrapped = CopyWrapped(seq)) return wrapped;
  // If one element is added, others will probably follow.
  return SeqCopy(seq, type_index, extra == 0 ? 0 : extra + SeqSize(seq) / 2 + 3);
}

void SeqReserve(TainObject* seq, int64_t capacity) {
  CheckSize(capacity);
  if (capacity > SeqCellOf(seq)->capacity) ReallocateSeq(seq, capacity);
}

void SeqShrink(TainObject* seq) noexcept {
  TainSeqCell* cell = SeqCellOf(seq);
  const bool is_list = cell->data_deleter == &FreeListBlock;
  if ((cell->data_deleter != &FreeBlock && !is_list) || cell->size >= cell->capacity / 2) return;
  const int64_t room = cell->size > 4 ? cell->size : 4;
  if (room >= cell->capacity) return;
  if (is_list) {
    try {
      MoveToListBlock(cell, room);
    } catch (const std::bad_alloc&) {  // the large block stays
    }
    return;
  }
  void* block = std::realloc(cell->data, ByteSize(room));
  if (block == nullptr) return;
  cell->data = block;
  cell->capacity = room;
}

void SeqPush(TainObject* seq, Any value) {
  TainSeqCell* cell = SeqCellOf(seq);
  GrowSeq(seq, 1);
  ElementsOf(cell)[cell->size++] = value.Release();
}

void SeqInsert(TainObject* seq, int64_t index, Any value) {
  CheckPosition(seq, index);
  TainSeqCell* cell = SeqCellOf(seq);
  GrowSeq(seq, 1);
  TainAny* place = ElementsOf(cell) + index;
  std::memmove(place + 1, place, ByteSize(cell->size - index));
  *place = value.Release();
  ++cell->size;
}

void SeqSet(TainObject* seq, int64_t index, Any value) {
  SeqAt(seq, index);
  CountChange(seq);
  TainAny& place = ElementsOf(SeqCellOf(seq))[index];
  const TainAny old = place;
  place = value.Release();
  Drop(old);
}

void SeqSplice(TainObject* seq, int64_t first, int64_t last, const TainAny* values, int64_t count) {
  CheckPosition(seq, first);
  CheckPosition(seq, last);
  CheckSize(count);
  if (last < first) last = first;
  const int64_t removed = last - first;
  Outgoing incoming;  // owns the new elements until they are in place
  incoming.Reserve(count);
  for (int64_t i = 0; i < count; ++i) incoming.PushCopy(values[i]);
  Outgoing outgoing;
  outgoing.Reserve(removed);
  TainSeqCell* cell = SeqCellOf(seq);
  if (count > removed) GrowSeq(seq, count - removed);
  CountChange(seq);
  TainAny* place = ElementsOf(cell) + first;
  if (removed > 0) outgoing.Add(place, removed);
  if (cell->size > last) {
    std::memmove(place + count, place + removed, ByteSize(cell->size - last));
  }
  if (count > 0) std::memcpy(place, incoming.data(), ByteSize(count));
  incoming.Forget();
  cell->size += count - removed;
}

Any SeqTake(TainObject* seq, int64_t index) {
  SeqAt(seq, index);
  CountChange(seq);
  TainSeqCell* cell = SeqCellOf(seq);
  TainAny* place = ElementsOf(cell) + index;
  Any taken = Any::Steal(*place);
  --cell->size;
  std::memmove(place, place + 1, ByteSize(cell->size - index));
  return taken;
}

void SeqResize(TainObject* seq, int64_t size, const TainAny& fill) {
  CheckSize(size);
  TainSeqCell* cell = SeqCellOf(seq);
  if (size < cell->size) return SeqSplice(seq, size, cell->size, nullptr, 0);
  const Any element{AnyView(fill)};
  if (size > cell->capacity) ReallocateSeq(seq, size);
  while (cell->size < size) {
    Retain(element.data());
    ElementsOf(cell)[cell->size++] = element.data();
  }
}

void SeqClear(TainObject* seq) noexcept {
  if (SeqSize(seq) == 0) return;
  const KeepAlive keep(seq);
  CountChange(seq);
  EmptySeq(SeqCellOf(seq), seq->type_index);
}

void ThrowSeqIndex(const TainObject* seq, int64_t index) {
  const char* name = seq != nullptr && seq->type_index == kTainList ? "List" : "Array";
  TAIN_THROW(IndexError) << name << " index " << index << " out of range for size " << SeqSize(seq);
}

void ThrowEmptyOptional(const std::string& type) {
  TAIN_THROW(ValueError) << "expected " << type << ", got None";
}

}  // namespace tain::internal

namespace tain {

SeqObj::~SeqObj() { internal::EmptySeq(&cell, type_index()); }

static_assert(sizeof(ArrayObj) == internal::kSeqSize && sizeof(ListObj) == internal::kSeqSize);

}  // namespace tain
