// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs: chains, cycles, holders, and what C++ keeps alive.
#include <vector>

#include "testing_types.h"

namespace tain_testing {

/// Holds a point that is never missing.
struct HolderObj : tain::Object {
  Point point;
  explicit HolderObj(Point point) : point(std::move(point)) {}
  TAIN_OBJECT("testing.Holder", HolderObj, tain::Object);
};

/// A binary tree whose children are never missing but at the leaves.
struct TreeObj : tain::Object {
  tain::Ptr<TreeObj> left;
  tain::Ptr<TreeObj> right;
  int64_t value;
  TreeObj(tain::Ptr<TreeObj> left, tain::Ptr<TreeObj> right, int64_t value)
      : left(std::move(left)), right(std::move(right)), value(value) {}
  TAIN_OBJECT("testing.Tree", TreeObj, tain::Object);
};
using Tree = tain::Ref<TreeObj>;

/// Has an edge that reflection cannot see.
struct SecretiveObj : tain::Object {
  tain::Any open;
  tain::Any hidden;
  void SetHidden(tain::Any value) { hidden = std::move(value); }
  TAIN_OBJECT("testing.Secretive", SecretiveObj, tain::Object);
};

namespace {

/// What C++ keeps until told otherwise.
std::vector<tain::Any>& Kept() {
  static auto* kept = new std::vector<tain::Any>;
  return *kept;
}

tain::Ptr<NodeObj> MakeChain(int64_t n) {
  tain::Ptr<NodeObj> head;
  for (int64_t i = n - 1; i >= 0; --i) {
    auto node = tain::make_object<NodeObj>(i);
    node->next = std::move(head);
    head = std::move(node);
  }
  return head;
}

int64_t ChainLength(const NodeObj* node) {
  int64_t n = 0;
  for (; node != nullptr; node = node->next.get()) ++n;
  return n;
}

/// A ring of n nodes that only C++ built.
Node MakeRing(int64_t n) {
  TAIN_CHECK_GT(n, 0);
  auto head = MakeChain(n);
  NodeObj* last = head.get();
  while (last->next) last = last->next.get();
  last->next = head;
  return head;
}

Tree MakeTree(int64_t depth) {
  constexpr int64_t kMost = 20;
  if (depth > kMost) {
    TAIN_THROW(ValueError) << "expected a depth of at most " << kMost << ", got " << depth;
  }
  if (depth <= 0) return tain::make_object<TreeObj>(nullptr, nullptr, 0);
  return tain::make_object<TreeObj>(MakeTree(depth - 1), MakeTree(depth - 1), depth);
}

int64_t TreeSum(const TreeObj* tree) {
  if (tree == nullptr) return 0;
  return tree->value + TreeSum(tree->left.get()) + TreeSum(tree->right.get());
}

void RegisterFunctions() {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def("testing.make_chain", MakeChain, arg("n"), "A chain of n nodes.", tain::thread_safe())
      .def("testing.chain_length", ChainLength, arg("node"))
      .def("testing.make_ring", MakeRing, arg("n"), "A ring of n nodes.", tain::thread_safe())
      .def("testing.make_tree", MakeTree, arg("depth"), tain::thread_safe())
      .def("testing.tree_sum", TreeSum, arg("tree"))
      .def(
          "testing.keep",
          [](tain::Any value) {
            Kept().push_back(std::move(value));
            return static_cast<int64_t>(Kept().size());
          },
          arg("value"), "Keeps a value in C++.")
      .def(
          "testing.kept",
          [](int64_t i) -> tain::Any {
            if (i < 0 || i >= static_cast<int64_t>(Kept().size())) {
              TAIN_THROW(IndexError) << i << " of " << Kept().size() << " kept values";
            }
            return Kept()[static_cast<size_t>(i)];
          },
          arg("i"))
      .def(
          "testing.drop_kept",
          [] {
            std::vector<tain::Any> dropped;
            dropped.swap(Kept());
            return static_cast<int64_t>(dropped.size());
          },
          "Drops what C++ keeps; how many that were.");
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<NodeObj>("A node of a graph.")
      .def_rw("value", &NodeObj::value)
      .def_rw("next", &NodeObj::next)
      .def_rw("items", &NodeObj::items)
      .def_rw("payload", &NodeObj::payload)
      .def_rw("callback", &NodeObj::callback)
      .def_init<int64_t>(arg("value") = 0);
  refl::ObjectDef<HolderObj>("Holds a point.")
      .def_rw("point", &HolderObj::point)
      .def_init<Point>(arg("point"))
      .def(
          "take", [](HolderObj& self) { return std::move(self.point); },
          "Moves the point out and leaves nothing.");
  refl::ObjectDef<TreeObj>()
      .def_rw("left", &TreeObj::left)
      .def_rw("right", &TreeObj::right)
      .def_rw("value", &TreeObj::value)
      .def_init<tain::Ptr<TreeObj>, tain::Ptr<TreeObj>, int64_t>(
          arg("left") = nullptr, arg("right") = nullptr, arg("value") = 0);
  refl::ObjectDef<SecretiveObj>()
      .def_rw("open", &SecretiveObj::open)
      .def("set_hidden", &SecretiveObj::SetHidden, arg("value"))
      .def_init<>();
  RegisterFunctions();
}

}  // namespace tain_testing
