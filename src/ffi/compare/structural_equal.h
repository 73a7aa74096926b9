// SPDX-License-Identifier: Apache-2.0
// StructuralComparison: one structural comparison of two graphs.
//
// A pair of trees is recorded only if one of them has more than one reference: then it may be met
// again, on a cycle or as a shared part.
//
// Variables and DAG nodes have a partner on the other side from the first time that they are equal
// to one. Partners are never given up, except that a comparison by a hook that fails is undone.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "compare/held_frames.h"
#include "compare/structural_leaf.h"
#include "compare/structural_map.h"
#include "compare/structural_plan.h"
#include "graphs/hook_turns.h"
#include "tain/function.h"
#include "tain/graph/access_path.h"
#include "tain/internal/pair_table.h"

namespace tain::internal {

/// The first difference of two graphs.
struct FoundMismatch {
  Array<AccessStep> path_a, path_b;
  std::optional<Any> a, b;  ///< the values there; nothing where the graph has no such place
  const char* reason;       ///< the difference beside the values, or an empty text
};

/// Two objects whose parts are compared.
struct ComparedFrame {
  TainObject* a;
  TainObject* b;
  const StructuralPlan* plan;  ///< for kFields and kHook
  int64_t next;                ///< the part after the current one
  FrameForm form;
  Region region;
  bool held;

  template <class F>
  void ForEachObject(F&& run) const {
    run(a);
    run(b);
  }
};

/// Made by std::make_shared, because the functions of hooks hold it.
class StructuralComparison final : HeldFrames<ComparedFrame>,
                                   public std::enable_shared_from_this<StructuralComparison> {
 public:
  /// If `explain` is set, finds out where the graphs differ.
  StructuralComparison(bool explain, TensorContent content) noexcept
      : explain_(explain), content_(content) {}
  ~StructuralComparison();

  bool Run(const TainAny& a, const TainAny& b, Region region);
  /// The difference that Run found, if it was to explain it.
  const std::optional<FoundMismatch>& mismatch() const noexcept { return mismatch_; }

 private:
  enum class Verdict : uint8_t { kEqual, kDifferent, kOpened };
  using Form = FrameForm;
  using Frame = ComparedFrame;

  /// The entries of two maps, key by key.
  struct Entries {
    std::vector<MapEntry> a, b;
    size_t num_plain;
    size_t num_keys() const noexcept { return a.size() - num_plain; }
  };

  bool RunTo(size_t base);
  Verdict Step();
  Verdict Fields(Frame& frame);
  Verdict OpaqueField(Frame& frame, const StructuralField& field);
  Verdict Elements(Frame& frame);
  Verdict MapParts(Frame& frame);
  Verdict Values(const TainAny& a, const TainAny& b, Region region);
  Verdict Containers(TainObject* a, TainObject* b, Region region);
  Verdict OpenMaps(TainObject* a, TainObject* b, Region region);
  Verdict Objects(TainObject* a, TainObject* b, Region region);
  Verdict Partners(TainObject* a, TainObject* b, StructuralKind kind, Region region);
  Verdict Open(TainObject* a, TainObject* b, const StructuralPlan* plan, Form form, Region region);
  bool IsKnownPair(TainObject* a, TainObject* b);
  Verdict RunHook();
  Verdict OpenWithHook(TainObject* a, TainObject* b, const KnownType& type, Region region);
  bool Nested(const Any& a, const Any& b, bool defines, Any name);

  void Pop();
  void PopTo(size_t size);

  Verdict Differ(std::optional<Any> a, std::optional<Any> b, const char* reason = "");
  Verdict DifferAt(const TainAny& a, const TainAny& b, const char* reason = "");
  Verdict DifferIn(const Frame& frame, const StructuralField& field);
  const MapItem* FindKey(TainObject* map, const TainAny& key, size_t index);
  void SetPaths(FoundMismatch found);
  void AppendPart(const Frame& frame, const Entries* entries, const Any* name);

  const bool explain_;
  const TensorContent content_;  ///< of values; keys of maps always count whole
  StructuralPlans plans_;
  std::vector<Entries> entries_;  ///< of the frames of form kMap, in order
  std::vector<Any> hook_names_;   ///< of the frames of form kHook: the field that is compared
  PairTable<char> pairs_;         ///< pairs of trees that are equal unless all is different
  PairTable<TainObject*> partner_of_a_, partner_of_b_;
  std::optional<FoundMismatch> mismatch_;
  HookTurns turns_;
};

}  // namespace tain::internal
