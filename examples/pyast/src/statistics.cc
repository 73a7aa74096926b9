// SPDX-License-Identifier: Apache-2.0
// Statistics: how many nodes there are of each kind, and how deep they lie.
#include <algorithm>
#include <vector>

#include "visitor.h"

namespace pyast {

struct StatisticsObj : VisitorObj {
  int64_t nodes = 0;
  int64_t depth = 0;  ///< nodes on the longest way from a root, both ends counted

  void visit_impl(const AST& node) override;
  tain::Map<String, int64_t> Kinds() const;

  TAIN_OBJECT("pyast.Statistics", StatisticsObj, VisitorObj);

 private:
  int64_t level_ = 0;
  std::vector<int64_t> counts_;  // by type index
};

void StatisticsObj::visit_impl(const AST& node) {
  ++nodes;
  const auto at = static_cast<size_t>(node->type_index());
  if (at >= counts_.size()) counts_.resize(at + 1);
  ++counts_[at];
  depth = std::max(depth, ++level_);
  VisitorObj::visit_impl(node);
  --level_;
}

tain::Map<String, int64_t> StatisticsObj::Kinds() const {
  tain::Map<String, int64_t> kinds;
#define PYAST_COUNT(Kind, name)                                           \
  if (const auto at = static_cast<size_t>(Kind##Obj::RuntimeTypeIndex()); \
      at < counts_.size() && counts_[at] > 0) {                           \
    kinds.Set(#name, counts_[at]);                                        \
  }
  PYAST_KINDS(PYAST_COUNT)
#undef PYAST_COUNT
  return kinds;
}

TAIN_REGISTER {
  tain::reflection::ObjectDef<StatisticsObj>("Counts the nodes of the trees that it visits.")
      .def_init<>()
      .def_ro("nodes", &StatisticsObj::nodes)
      .def_ro("depth", &StatisticsObj::depth, "nodes on the longest way from a root")
      .def_property("kinds", &StatisticsObj::Kinds, "Number of nodes of each kind that occurs.");
}

}  // namespace pyast
