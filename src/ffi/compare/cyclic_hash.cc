// SPDX-License-Identifier: Apache-2.0
// The structural hash of graphs with cycles; see structural_hash.h.
//
// It depends only on what can be seen from the root by a bounded walk, in breadth-first order, that
// enters an object again whenever it meets it. Variables count by their type alone.
#include <deque>

#include "compare/structural_hash.h"
#include "compare/structural_leaf.h"
#include "values/container_detail.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

class BreadthFirst {
 public:
  explicit BreadthFirst(TensorContent content) : content_(content) {}

  uint64_t Run(const TainAny& root) {
    constexpr int kMaxValues = 4096;
    waiting_.emplace_back(AnyView(root));
    for (int i = 0; i < kMaxValues && !waiting_.empty(); ++i) {
      const Any value = std::move(waiting_.front());
      waiting_.pop_front();
      Add(value.data());
    }
    return hash_;
  }

 private:
  void Mix(uint64_t value) noexcept { hash_ = StableMix(hash_, value); }

  void Add(const TainAny& value) {
    if (value.type_index >= kTainDynObjectBegin) {
      AddObject(value.v_obj);
    } else if (IsMap(value.type_index)) {
      AddMap(value.v_obj);
    } else if (IsContainer(value.type_index)) {
      Mix(StableMix(static_cast<uint64_t>(value.type_index),
                    static_cast<uint64_t>(SeqSize(value.v_obj))));
      for (int64_t i = 0; i < SeqSize(value.v_obj) && waiting_.size() < kMaxWaiting; ++i) {
        waiting_.emplace_back(AnyView(SeqData(value.v_obj)[i]));
      }
    } else {
      Mix(LeafHash(value, content_));
    }
  }

  void AddObject(TainObject* object) {
    const KnownType type = plans_.Of(object->type_index);
    Mix(type.plan->key_hash);
    if (type.plan->kind == StructuralKind::kUnique) return Mix(reinterpret_cast<uintptr_t>(object));
    const bool has_hook = type.plan->equal_hook != nullptr || type.plan->hash_hook != nullptr ||
                          MayHaveHostHook(object, type);
    if (has_hook || type.plan->kind == StructuralKind::kVariable) return;
    for (const StructuralField& field : type.plan->fields) {
      Any made;
      waiting_.emplace_back(AnyView(FieldView(object, *field.def, &made)));
    }
  }

  void AddMap(const TainObject* map) {
    Mix(StableMix(static_cast<uint64_t>(map->type_index), MapSize(map)));
    const SortedEntries sorted = SortedEntriesOf(map);
    for (size_t i = 0; i < sorted.num_plain && waiting_.size() < kMaxWaiting; ++i) {
      waiting_.push_back(sorted.entries[i].key);
      waiting_.push_back(sorted.entries[i].value);
    }
  }

  static constexpr size_t kMaxWaiting = 8192;
  const TensorContent content_;
  StructuralPlans plans_;
  std::deque<Any> waiting_;
  uint64_t hash_ = 0;
};

}  // namespace

uint64_t CyclicHash(const TainAny& root, TensorContent content) {
  return BreadthFirst(content).Run(root);
}

}  // namespace tain::internal
