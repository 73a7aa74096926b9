// SPDX-License-Identifier: Apache-2.0
// The table behind VisitChildren.
#include "children.h"

#include <utility>
#include <vector>

namespace pyast {
namespace {

/// By type index.
std::vector<internal::ChildrenOf>& Table() {
  static std::vector<internal::ChildrenOf> table;
  return table;
}

}  // namespace

void internal::SetChildrenOf(int32_t type_index, ChildrenOf children) {
  const auto at = static_cast<size_t>(type_index);
  if (at >= Table().size()) Table().resize(at + 1);
  Table()[at] = std::move(children);
}

void VisitChildren(ASTObj& node, ChildVisitor& visitor) {
  const auto at = static_cast<size_t>(node.type_index());
  if (at < Table().size() && Table()[at]) Table()[at](node, visitor);
}

}  // namespace pyast
