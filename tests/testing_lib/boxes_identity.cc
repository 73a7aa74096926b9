// SPDX-License-Identifier: Apache-2.0
// Boxed classes whose objects C++ gives in several ways: by pointer, reference, std::shared_ptr,
// as members and as bases.
#include <memory>
#include <vector>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace {
namespace same {

struct Node {
  int64_t id = 0;
  int64_t Id() const { return id; }
  Node* Self() { return this; }
  const Node& ConstSelf() const { return *this; }
};
struct Part {
  int64_t value = 1;
};
struct Tree {
  Part first;  // has the address of the tree
  std::shared_ptr<Node> root = std::make_shared<Node>();
  std::vector<Node> nodes = std::vector<Node>(2);
  Node member;
  std::unique_ptr<Node> own = std::make_unique<Node>();

  std::shared_ptr<Node> Get() { return root; }
  std::shared_ptr<const Node> GetConst() const { return root; }
  Node* Pointer() { return root.get(); }
  const Node& Reference() const { return *root; }
  Node& At(int64_t i) { return nodes.at(static_cast<size_t>(i)); }
  std::vector<Node*> All() { return {&nodes[0], &nodes[1]}; }
  void Grow() { nodes.resize(nodes.size() * 64); }
  Node* Own() { return own.get(); }
  std::unique_ptr<Node> Release() { return std::move(own); }
  Node Copy() const { return member; }
  std::shared_ptr<Node> NotOwned() {
    return std::shared_ptr<Node>(&member, [](Node*) {});
  }
};
struct Base {
  virtual ~Base() = default;
  int64_t kind = 0;
};
struct Derived : Base {
  Base* AsBase() { return this; }
};
struct Kept {
  int64_t id = 0;
  Node* node = nullptr;
  void Keep(Node* n) { node = n; }
  Node* Give() const { return node; }
};
struct Finds : std::enable_shared_from_this<Finds> {
  int64_t id = 0;
  Finds& Self() { return *this; }
};

Node& Global() {
  static auto* node = new Node;
  return *node;
}

}  // namespace same
}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using same::Node;
  using same::Tree;
  refl::ObjectDef<tain::Boxed<Node>>("testing.same.Node")
      .def_init<>()
      .def_rw("id", &Node::id)
      .def("self", &Node::Self)
      .def("const_self", &Node::ConstSelf);
  refl::ObjectDef<tain::Boxed<same::Part>>("testing.same.Part")
      .def_init<>()
      .def_rw("value", &same::Part::value);
  refl::ObjectDef<tain::Boxed<Tree>>("testing.same.Tree")
      .def_init<>()
      .def_rw("first", &Tree::first)
      .def_rw("root", &Tree::root)
      .def_rw("member", &Tree::member)
      .def("get", &Tree::Get)
      .def("get_const", &Tree::GetConst)
      .def("pointer", &Tree::Pointer)
      .def("reference", &Tree::Reference)
      .def("at", &Tree::At)
      .def("all", &Tree::All)
      .def("grow", &Tree::Grow)
      .def("own", &Tree::Own)
      .def("release", &Tree::Release)
      .def("copy", &Tree::Copy)
      .def("not_owned", &Tree::NotOwned);
  refl::ObjectDef<tain::Boxed<same::Base>>("testing.same.Base")
      .def_init<>()
      .def_rw("kind", &same::Base::kind);
  refl::ObjectDef<tain::Boxed<same::Derived>>("testing.same.Derived",
                                              tain::boxed_base<same::Base>())
      .def_init<>()
      .def("as_base", &same::Derived::AsBase);
  refl::ObjectDef<tain::Boxed<same::Kept>>("testing.same.Kept")
      .def_init<>()
      .def_rw("id", &same::Kept::id)
      .def("keep", &same::Kept::Keep)
      .def("give", &same::Kept::Give);
  refl::ObjectDef<tain::Boxed<same::Finds>>("testing.same.Finds")
      .def_init<>()
      .def_rw("id", &same::Finds::id)
      .def("self", &same::Finds::Self);
  refl::GlobalDef()
      .def("testing.same.static_node", [] { return &same::Global(); })
      .def("testing.same.shared", [] { return std::make_shared<same::Finds>(); })
      .def("testing.same.call_with", [](Node* node, const tain::Function& f) { return f(node); })
      .def("testing.same.call_with_new", [](const tain::Function& f) {
        Node node;
        return f(&node);
      });
}
