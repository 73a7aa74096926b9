// SPDX-License-Identifier: Apache-2.0
// StructuralHashing: the structural hash of one graph.
//
// It follows StructuralComparison step by step, so equal graphs have equal hashes. Hashes of
// objects with more than one reference are recorded. Variables that may be mapped, and DAG nodes,
// are numbered in the order of their first use; other variables are hashed by identity.
//
// Two cyclic graphs are equal if they look the same from the root, however their cycles are wound.
// So a graph with a cycle has another hash: that of its first values in breadth-first order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compare/held_frames.h"
#include "compare/structural_leaf.h"
#include "compare/structural_map.h"
#include "compare/structural_plan.h"
#include "graphs/hook_turns.h"
#include "tain/function.h"
#include "tain/internal/pair_table.h"

namespace tain::internal {

/// An object whose parts are hashed.
struct HashedFrame {
  TainObject* object;
  const StructuralPlan* plan;  ///< for kFields and kHook
  int64_t next;
  uint64_t hash;  ///< of the parts so far
  FrameForm form;
  Region region;
  bool held;
  bool recorded;  ///< the hash is to be recorded
  bool numbered;  ///< the hash gets the number of the object

  template <class F>
  void ForEachObject(F&& run) const {
    run(object);
  }
};

/// Made by std::make_shared, because the functions of hooks hold it.
class StructuralHashing final : HeldFrames<HashedFrame>,
                                public std::enable_shared_from_this<StructuralHashing> {
 public:
  explicit StructuralHashing(TensorContent content) : content_(content) {}
  ~StructuralHashing();

  uint64_t Run(const TainAny& value, Region region);

 private:
  using Form = FrameForm;
  using Frame = HashedFrame;

  struct Record {
    uint64_t hash;
    uint64_t number;
    bool done;
  };

  bool RunTo(size_t base, uint64_t* hash);
  bool Step(uint64_t* hash);
  bool Fields(Frame& frame, uint64_t* hash);
  bool OpaqueField(Frame& frame, const StructuralField& field, uint64_t* hash);
  bool Elements(Frame& frame, uint64_t* hash);
  bool MapValues(Frame& frame, uint64_t* hash);
  bool HashOrOpen(const TainAny& value, Region region, uint64_t* hash);
  bool HashObject(TainObject* object, Region region, uint64_t* hash);
  bool HashContainer(TainObject* object, Region region, uint64_t* hash);
  bool HashOrOpenSequence(TainObject* seq, Region region, uint64_t seed, bool recorded,
                          uint64_t* hash);
  bool OpenMap(TainObject* map, Region region, bool recorded);
  bool Open(TainObject* object, const StructuralPlan* plan, Form form, Region region, uint64_t seed,
            bool recorded, bool numbered);
  bool OpenObject(TainObject* object, const StructuralPlan& plan, Form form, Region region,
                  uint64_t* hash);
  bool OpenWithHook(TainObject* object, const KnownType& type, Region region, uint64_t* hash);
  bool FindRecord(TainObject* object, uint64_t* hash);
  bool RunHook();
  uint64_t Nested(const Any& value, uint64_t init, bool defines);
  uint64_t KeyHash(const Any& key);
  uint64_t NestedKeyHash(const Any& key);
  std::string PlaceOf(const Any& key) const;
  void Close(uint64_t* hash);
  void Pop();

  const TensorContent content_;  ///< of values; keys of maps always count whole
  StructuralPlans plans_;
  std::vector<std::vector<MapEntry>> entries_;  ///< of the frames of form kMap: the sorted ones
  PairTable<Record> records_;
  uint64_t next_number_ = 0;
  bool is_key_ = false;  ///< variables and DAG nodes are not told apart
  bool found_cycle_ = false;
  /// The hashes of keys that were computed, which all hashes share that run inside of each other.
  std::shared_ptr<PairTable<uint64_t>> keys_ = std::make_shared<PairTable<uint64_t>>();
  HookTurns turns_;
};

/// Returns the hash of the first values of a graph in breadth-first order, which is the same for
/// all graphs that look the same from the root.
uint64_t CyclicHash(const TainAny& root, TensorContent content);

}  // namespace tain::internal
