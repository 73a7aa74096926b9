// SPDX-License-Identifier: Apache-2.0
// The free variables of a graph; see tain/graph/structural.h.
#include <vector>

#include "compare/structural_leaf.h"
#include "compare/structural_plan.h"
#include "graphs/parts.h"
#include "tain/graph/structural.h"
#include "tain/internal/pair_table.h"
#include "tain/signals.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// Walks over a graph in post-order, each shared object once. The open objects are held, because
/// signal handlers may change the graph.
class FreeVariables {
 public:
  Array<Any> Run(const TainAny& root, Region region) {
    Visit(root, region);
    while (!open_.empty()) {
      if (++steps_ % 4096 == 0) check_signals();
      Part part;
      Open& open = open_.back();
      if (!open.parts.Next(&part)) {
        if (open.is_free) found_.push_back(open.object);
        open_.pop_back();
        continue;
      }
      if (part.kind == PartKind::kField) {
        VisitField(part, open);
      } else {
        Visit(part.view, part.kind == PartKind::kKey ? Region::kUse : open.region);
      }
    }
    return std::move(found_);
  }

 private:
  struct Open {
    Any object;
    Parts parts;
    Region region;
    bool is_free;  ///< a variable that no region defines
  };

  void VisitField(const Part& part, const Open& open) {
    const int64_t flags = part.field->info.flags;
    if ((flags & kTainFieldNoStructuralEq) != 0) return;
    const Region defines = (flags & kTainFieldDefPattern) != 0  ? Region::kDef
                           : (flags & kTainFieldSimpleDef) != 0 ? Region::kSimpleDef
                                                                : Region::kUse;
    Visit(part.view, RegionOf({part.field, 0, 0, defines}, open.region));
  }

  void Visit(const TainAny& value, Region region) {
    const bool is_object = value.type_index >= kTainDynObjectBegin;
    if (!is_object && !IsContainer(value.type_index)) return;
    TainObject* const object = value.v_obj;
    bool is_free = false;
    const bool is_variable =
        is_object && plans_.Of(value.type_index).plan->kind == StructuralKind::kVariable;
    if (is_variable || IsShared(object)) {
      if (seen_.Find(object) != nullptr) return;
      seen_.Add(object, nullptr, 0);
      is_free = is_variable && region == Region::kUse;
    }
    open_.push_back({Any(AnyView(value)), Parts(object), region, is_free});
  }

  StructuralPlans plans_;
  std::vector<Open> open_;
  PairTable<char> seen_;
  Array<Any> found_;
  int64_t steps_ = 0;
};

}  // namespace
}  // namespace tain::internal

namespace tain {

Array<Any> FreeVars(const Any& root) {
  return internal::FreeVariables().Run(root.data(), internal::Region::kUse);
}

}  // namespace tain
