// SPDX-License-Identifier: Apache-2.0
// The visitor's dispatch, and what its methods do by themselves.
#include "visitor.h"

#include <vector>

#include "children.h"

namespace pyast {
namespace {

using Visit = void (*)(VisitorObj& visitor, const AST& node);

/// The method of each kind, by type index; null for types that are no node.
std::vector<Visit> MakeTable() {
  std::vector<Visit> table;
  const auto add = [&](int32_t type_index, Visit visit) {
    const auto at = static_cast<size_t>(type_index);
    if (at >= table.size()) table.resize(at + 1);
    table[at] = visit;
  };
#define PYAST_ADD(Kind, name)                                                \
  add(Kind##Obj::RuntimeTypeIndex(), [](VisitorObj& v, const AST& node) {    \
    v.visit_##name(tain::GetRef<Kind>(static_cast<Kind##Obj*>(node.get()))); \
  });
  PYAST_KINDS(PYAST_ADD)
#undef PYAST_ADD
  return table;
}

/// One level more, while it lives.
class Level {
 public:
  explicit Level(int& level) : level_(level) {
    if (level_ >= kMaxDepth) {
      TAIN_THROW(RecursionError) << "the tree has more than " << kMaxDepth << " levels";
    }
    ++level_;
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --level_; }

 private:
  int& level_;
};

/// Visits children; none is replaced.
class VisitEach final : public ChildVisitor {
 public:
  explicit VisitEach(VisitorObj& visitor) : visitor_(visitor) {}
  void Node(const AST& child) override { visitor_.visit(child); }

 private:
  VisitorObj& visitor_;
};

}  // namespace

void VisitorObj::visit_impl(const AST& node) {
  static const std::vector<Visit> table = MakeTable();
  const Level level(level_);
  const auto at = static_cast<size_t>(node->type_index());
  if (at < table.size() && table[at] != nullptr) {
    table[at](*this, node);
  } else {
    generic_visit(node);
  }
}

void VisitorObj::generic_visit_impl(const AST& node) {
  VisitEach each(*this);
  VisitChildren(*node, each);
}

#define PYAST_METHOD(Kind, name) \
  void VisitorObj::visit_##name##_impl(const Kind& node) { generic_visit(AST(node)); }
PYAST_KINDS(PYAST_METHOD)
#undef PYAST_METHOD

}  // namespace pyast
