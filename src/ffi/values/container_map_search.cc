// SPDX-License-Identifier: Apache-2.0
// The search for a key in a Map or Dict; see container_map_search.h.
#include "values/container_map_search.h"

#include "values/any_equal.h"
#include "values/container_map_memory.h"

namespace tain::internal {
namespace {

constexpr int kMaxRestarts = 1000;

bool IsEntry(const TainObject* map, uint64_t position, const TainAny& key) noexcept {
  const MapItem* item = MapItemAt(map, position);
  return item != nullptr && IsSameValue(item->key, key);
}

}  // namespace

Found FindPlain(const TainObject* map, const TainAny& key, uint64_t hash) {
  Found found;
  const MapCell* cell = MapCellOf(map);
  const auto is_key = [&](const TainAny& stored) {
    return EqualAtOnce(stored, key) == Equality::kEqual;
  };
  if (IsSmall(*cell)) {
    const MapItem* pairs = Pairs(*cell);
    for (uint64_t i = 0; i < cell->size; ++i) {
      if (!is_key(pairs[i].key)) continue;
      found.position = i;
      return found;
    }
    return found;
  }
  const DenseTable table(*cell);
  uint64_t slot = table.Home(hash);
  if (!table.IsHead(slot)) return found;
  for (; slot != kMapEnd; slot = table.NextInChain(slot)) {
    if (is_key(table.at(slot).item.key)) {
      found.position = slot;
      return found;
    }
    found.before = slot;
  }
  return found;
}

void Restarts::Count() {
  if (++count_ <= kMaxRestarts) return;
  TAIN_THROW(RuntimeError) << "a key's __eq__ or __hash__ changed the Map or Dict " << kMaxRestarts
                           << " times while it was used";
}

// ---------------------------------------------------------------- KeySearch

uint64_t KeySearch::Hash() {
  if (!has_hash_) hash_ = AnyHash(key_.data());
  has_hash_ = true;
  return hash_;
}

/// Whether the key stored at a position is the searched one. kChanged: it may no longer be there,
/// or no longer be the only one.
KeySearch::Answer KeySearch::Ask(const TainAny& stored, uint64_t position) {
  const Equality at_once = EqualAtOnce(stored, key_.data());
  if (at_once == Equality::kEqual) return Answer::kSame;
  if (at_once == Equality::kDifferent) return Answer::kOther;
  for (const Asked& asked : asked_) {
    if (!IsSameValue(asked.key.data(), stored)) continue;
    return asked.equal ? Answer::kSame : Answer::kOther;
  }
  Any held{AnyView(stored)};
  const TainAny bits = held.data();
  const ContainerVersion before = VersionOf(map_);
  const bool equal = AnyEqual(bits, key_.data());
  asked_.push_back({std::move(held), equal});
  if (VersionOf(map_) != before || !IsEntry(map_, position, bits)) return Answer::kChanged;
  return equal ? Answer::kSame : Answer::kOther;
}

/// False if the map changed meanwhile.
bool KeySearch::WalkSmall(Found* found) {
  for (uint64_t i = 0; i < MapSize(map_); ++i) {
    const Answer answer = Ask(Pairs(*MapCellOf(map_))[i].key, i);
    if (answer == Answer::kChanged) return false;
    if (answer == Answer::kOther) continue;
    found->position = i;
    break;
  }
  return true;
}

bool KeySearch::WalkDense(Found* found) {
  const DenseTable table(*MapCellOf(map_));  // valid as long as the map does not change
  uint64_t slot = table.Home(hash_);
  if (!table.IsHead(slot)) return true;
  for (; slot != kMapEnd; slot = table.NextInChain(slot)) {
    const Answer answer = Ask(table.at(slot).item.key, slot);
    if (answer == Answer::kChanged) return false;
    if (answer == Answer::kSame) {
      found->position = slot;
      return true;
    }
    found->before = slot;
  }
  return true;
}

Found KeySearch::Find(Restarts* restarts) {
  while (true) {
    if (MapSize(map_) == 0) return Found();
    if (!IsSmall(*MapCellOf(map_)) && !has_hash_) {
      Hash();
      continue;  // copying it may have changed the map
    }
    Found found;
    if (IsSmall(*MapCellOf(map_)) ? WalkSmall(&found) : WalkDense(&found)) return found;
    restarts->Count();
  }
}

// ---------------------------------------------------------------- KeyHashes

/// The hash of a key that may run code.
uint64_t KeyHashes::HashOf(const TainAny& key) {
  const auto found = known_.find(key.v_obj);
  if (found != known_.end()) return found->second.hash;
  const auto known = known_.emplace(key.v_obj, Known{Any(AnyView(key)), 0}).first;
  try {
    known->second.hash = AnyHash(known->second.key.data());
  } catch (...) {
    known_.erase(known);
    throw;
  }
  return known->second.hash;
}

bool KeyHashes::Collect(const TainObject* map) {
  const ContainerVersion before = VersionOf(map);
  all_.clear();
  all_.reserve(MapSize(map));
  for (uint64_t at = MapFirst(map); at != kMapEnd; at = MapNext(map, at)) {
    const TainAny key = MapItemAt(map, at)->key;
    if (!RunsCodeAsKey(key)) {
      all_.push_back(AnyHash(key));
      continue;
    }
    all_.push_back(HashOf(key));
    if (VersionOf(map) != before || !IsEntry(map, at, key)) return false;
  }
  return all_.size() == MapSize(map);
}

}  // namespace tain::internal
