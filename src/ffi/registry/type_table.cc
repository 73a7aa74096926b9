// SPDX-License-Identifier: Apache-2.0
// TypeTable: assigns indices to requests, and checks that two requests for one key agree.
#include "registry/type_table.h"

#include "base/guard.h"
#include "base/utf8.h"
#include "registry/unit_table.h"

namespace tain::internal {
namespace {

std::string_view ParentName(const TypeEntry* parent, std::string& buffer) {
  if (parent == nullptr) return "nothing";
  buffer = parent->Name();
  return buffer;
}

/// Throws if the entry and a request of a library for the same key describe different types.
void CheckAgrees(const TypeEntry& known, const TainTypeRequest& request, const TypeEntry* parent,
                 const Unit* unit) {
  const TainTypeRequest& have = known.record.request;
  const bool is_own = known.owner != nullptr && known.owner == unit;
  std::string where = known.Name() + ": already registered by ";
  where += is_own ? "another class of this library" : FileOfUnit(known.owner);
  const char* fix = is_own ? "; give one of the two classes another key"
                           : "; both libraries must be compiled from the same declaration";
  auto disagree = [&](const char* what, auto theirs, auto ours) {
    TAIN_THROW(ValueError) << where << " with " << what << " " << theirs << ", here it has " << ours
                           << fix;
  };
  if (parent != known.parent) {
    std::string theirs, ours;
    disagree("parent", ParentName(known.parent, theirs), ParentName(parent, ours));
  }
  if (known.info.type_index < kTainDynObjectBegin) return;  // a built-in type; the rest is known
  if (have.size != 0 && request.size != 0) {
    if (have.size != request.size) disagree("size", have.size, request.size);
    if (have.alignment != request.alignment) {
      disagree("alignment", have.alignment, request.alignment);
    }
  }
  if (have.child_slots != request.child_slots) {
    disagree("child slots", have.child_slots, request.child_slots);
  }
  if ((have.child_slots_can_overflow != 0) != (request.child_slots_can_overflow != 0)) {
    disagree("overflow of child slots", have.child_slots_can_overflow,
             request.child_slots_can_overflow);
  }
}

/// Throws unless the numbers of a request are valid by themselves.
void CheckNumbers(const TainTypeRequest& request) {
  const std::string_view key = View(request.key);
  if (request.child_slots < 0 || request.child_slots > TypeTable::kMaxTypes) {
    TAIN_THROW(ValueError) << key << ": " << request.child_slots << " child slots";
  }
  if (request.static_index < -1 || request.static_index >= kTainDynObjectBegin ||
      (request.static_index != -1 && request.static_index < kTainStaticObjectBegin)) {
    TAIN_THROW(ValueError) << key << ": " << request.static_index << " is no static type index ("
                           << static_cast<int>(kTainStaticObjectBegin) << " to "
                           << static_cast<int>(kTainDynObjectBegin) - 1 << ")";
  }
  const int64_t alignment = request.alignment;
  if (request.size < 0 || alignment < 0 || (alignment & (alignment - 1)) != 0 ||
      (request.size != 0 &&
       (request.size < static_cast<int64_t>(sizeof(TainObject)) || alignment == 0))) {
    TAIN_THROW(ValueError) << key << ": size " << request.size << " and alignment " << alignment
                           << " are not those of an object";
  }
}

}  // namespace

uint64_t HashTypeKey(std::string_view key) noexcept {
  constexpr uint64_t kMultiplier = 1099511628211ULL;
  constexpr uint64_t kModulus = 2147483647ULL;
  uint64_t result = 0;
  for (size_t at = 0; at < key.size(); at += 8) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8 && at + k < key.size(); ++k) {
      word |= static_cast<uint64_t>(static_cast<unsigned char>(key[at + k])) << (8 * k);
    }
    result = (result * kMultiplier + word) % kModulus;
  }
  return result;
}

bool IsTextWithoutNul(std::string_view text) noexcept {
  return text.find('\0') == std::string_view::npos && IsText(text);
}

void CheckName(std::string_view name, std::string_view where) {
  if (name.empty()) TAIN_THROW(ValueError) << where << ": the name is empty";
  if (!IsTextWithoutNul(name)) {
    TAIN_THROW(ValueError) << where << ": the name is not UTF-8 text";
  }
}

std::string TypeEntry::Name() const {
  std::string name(key());
  if (record.build > 1) name += " (build " + std::to_string(record.build) + ")";
  return name;
}

TypeTable::~TypeTable() {
  for (auto& chunk : chunks_) delete chunk.load(std::memory_order_relaxed);
}

TypeEntry* TypeTable::Registered(int32_t index) const {
  if (TypeEntry* entry = Find(index)) return entry;
  TAIN_THROW(ValueError) << "type index " << index << " is not that of a registered type";
}

bool TypeTable::IsInstance(int32_t index, int32_t parent) const noexcept {
  if (index == parent) return true;
  const TypeEntry* wanted = Find(parent);
  if (wanted == nullptr) return false;
  if (index > parent && index < wanted->record.child_slots_end) return Find(index) != nullptr;
  const TypeEntry* entry = Find(index);
  if (entry == nullptr || entry->info.type_depth <= wanted->info.type_depth) return false;
  return entry->info.type_ancestors[wanted->info.type_depth] == &wanted->info;
}

TypeEntry* TypeTable::Request(const TainTypeRequest& request, Unit* unit, bool* is_new) {
  *is_new = false;
  const std::string_view key = TextOf(request.key, "type index request", "a key");
  CheckName(key, "type key");
  CheckNumbers(request);
  TypeEntry* parent = CheckParent(request);
  TypeEntry* known = FindKey(key);
  if (known != nullptr && !IsOtherBuild(known->owner, unit)) {
    if (request.static_index != -1 && request.static_index != known->info.type_index) {
      TAIN_THROW(ValueError) << key << ": asked for the static index " << request.static_index
                             << ", but it has the index " << known->info.type_index;
    }
    CheckAgrees(*known, request, parent, unit);
    if (known->record.request.size == 0) {
      known->record.request.size = request.size;
      known->record.request.alignment = request.alignment;
      known->Changed();
    }
    if (known->owner == nullptr && known->info.type_index >= kTainDynObjectBegin) {
      known->owner = unit;
    }
    return known;
  }
  const int32_t index =
      request.static_index != -1 ? request.static_index : AllocateIndex(request, parent);
  if (const TypeEntry* taken = Find(index)) {
    TAIN_THROW(ValueError) << key << ": the static index " << index << " belongs to "
                           << taken->Name();
  }
  *is_new = true;
  return Add(request, index, parent, unit, known);
}

TypeEntry* TypeTable::CheckParent(const TainTypeRequest& request) const {
  const std::string_view key = View(request.key);
  if (request.parent == -1 && request.static_index != -1) return nullptr;
  TypeEntry* parent = Find(request.parent);
  if (parent == nullptr || request.parent < kTainStaticObjectBegin) {
    TAIN_THROW(ValueError) << key << ": its parent's type index " << request.parent
                           << " is not that of a registered type";
  }
  if (parent->dead()) {
    TAIN_THROW(ValueError) << key << ": its parent " << parent->key() << " could not be registered";
  }
  if ((parent->record.request.flags & kTainTypeFinal) != 0 ||
      (parent->record.def.flags & kTainTypeFinal) != 0) {
    TAIN_THROW(TypeError) << key << ": its parent " << parent->Name()
                          << " is final and cannot have children";
  }
  if (request.depth != parent->info.type_depth + 1) {
    TAIN_THROW(ValueError) << key << ": depth " << request.depth << ", but its parent "
                           << parent->Name() << " has depth " << parent->info.type_depth;
  }
  return parent;
}

int32_t TypeTable::AllocateIndex(const TainTypeRequest& request, TypeEntry* parent) {
  const int32_t count = request.child_slots + 1;
  if (parent->record.child_slots_end - parent->next_child_slot >= count) {
    const int32_t index = parent->next_child_slot;
    parent->next_child_slot += count;
    return index;
  }
  if (parent->record.request.child_slots_can_overflow == 0) {
    TAIN_THROW(ValueError) << View(request.key) << ": its parent " << parent->Name()
                           << " has no child slot left (it reserves "
                           << parent->record.request.child_slots << "); " << count
                           << " needed: raise _type_child_slots or let them overflow";
  }
  return AllocateFresh(count);
}

int32_t TypeTable::AllocateFresh(int32_t count) {
  if (kMaxTypes - next_index_ < count) {
    TAIN_THROW(RuntimeError) << "the type table is full (" << kMaxTypes << " types)";
  }
  const int32_t index = next_index_;
  next_index_ += count;
  return index;
}

TypeEntry* TypeTable::Add(const TainTypeRequest& request, int32_t index, TypeEntry* parent,
                          Unit* unit, TypeEntry* previous) {
  TypeEntry* entry = arena_.New<TypeEntry>();
  entry->owner = unit;
  entry->parent = parent;
  entry->previous = previous;
  entry->next_child_slot = index + 1;

  TainTypeInfo& info = entry->info;
  info.type_index = index;
  info.type_depth = parent == nullptr ? 0 : parent->info.type_depth + 1;
  info.type_key = previous != nullptr ? previous->info.type_key : arena_.Copy(View(request.key));
  info.type_key_hash = HashTypeKey(entry->key());
  info.type_ancestors = arena_.NewArray<const TainTypeInfo*>(static_cast<size_t>(info.type_depth));
  if (parent != nullptr) {
    for (int32_t d = 0; d < parent->info.type_depth; ++d) {
      info.type_ancestors[d] = parent->info.type_ancestors[d];
    }
    info.type_ancestors[parent->info.type_depth] = &parent->info;
  }

  TainTypeRecord& record = entry->record;
  record.info = &info;
  record.request = request;
  record.request.key = info.type_key;
  record.request.depth = info.type_depth;
  record.def.doc = {"", 0};
  record.unit_name = unit == nullptr ? TainByteArray{"", 0} : arena_.Copy(unit->name);
  record.unit_file = unit == nullptr ? TainByteArray{"", 0} : arena_.Copy(unit->file);
  record.build = previous == nullptr ? 1 : previous->record.build + 1;
  record.child_slots_end = index + request.child_slots + 1;
  Publish(entry);
  return entry;
}

TypeEntry* TypeTable::AddDead(std::string_view key) {
  TainTypeRequest request{};
  request.key = {key.data(), key.size()};
  request.static_index = -1;
  request.parent = kTainObject;
  TypeEntry* entry = Add(request, AllocateFresh(1), Find(kTainObject), nullptr, nullptr);
  entry->record.def.flags = kTainTypeDead;
  entry->record.request.flags = kTainTypeDead;
  return entry;
}

void TypeTable::AddPlain(int32_t index, std::string_view key) {
  TainTypeRequest request{};
  request.key = {key.data(), key.size()};
  request.static_index = index;
  request.parent = -1;
  MapKey(Add(request, index, nullptr, nullptr, nullptr));
}

void TypeTable::UnmapKey(TypeEntry* entry) noexcept {
  const auto it = keys_.find(entry->key());
  if (it == keys_.end() || it->second != entry) return;
  TypeEntry* previous = entry->previous;
  while (previous != nullptr && previous->dead()) previous = previous->previous;
  if (previous != nullptr) {
    it->second = previous;
  } else {
    keys_.erase(it);
  }
}

void TypeTable::Publish(TypeEntry* entry) {
  const int32_t index = entry->info.type_index;
  std::atomic<Chunk*>& slot = chunks_[index / kChunkSize];
  Chunk* chunk = slot.load(std::memory_order_relaxed);
  if (chunk == nullptr) {
    chunk = new Chunk{};
    slot.store(chunk, std::memory_order_release);
  }
  chunk->entries[index % kChunkSize].store(entry, std::memory_order_release);
}

}  // namespace tain::internal
