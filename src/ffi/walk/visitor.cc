// SPDX-License-Identifier: Apache-2.0
// Visitor and Mutator, whose methods classes of the host override; see tain/graph/visitor.h.
//
// The slot of a type is its index. The names of its methods, `visit_Add` and those of its parents,
// are kept for the life of the process, because the bridge remembers names by their address.
#include "tain/graph/visitor.h"

#include "base/guard.h"
#include "registry/type_slots.h"
#include "tain/reflection/object_def.h"
#include "walk/walk_memory.h"

namespace tain::transform {
namespace {

using internal::Hook;
using internal::Outcome;

/// The method that is called for objects of a type.
struct MethodName {
  std::string name;
  int32_t parent;  ///< the type whose method is asked next
};
struct MethodSlot {
  std::atomic<const MethodName*> name{nullptr};
};
constinit internal::TypeSlots<MethodSlot> method_names;

const MethodName& MethodOf(const TainTypeRecord& record) {
  std::atomic<const MethodName*>& slot = method_names.At(record.info->type_index).name;
  const MethodName* known = slot.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  const std::string_view key = internal::View(record.info->type_key);
  const size_t dot = key.rfind('.');
  auto made = std::make_unique<MethodName>(
      MethodName{"visit_" + std::string(key.substr(dot == std::string_view::npos ? 0 : dot + 1)),
                 record.request.parent});
  if (slot.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
    known = made.release();
  }
  return *known;
}

/// Calls the method of the type of a node, or of the nearest parent that has one. Returns false if
/// there is none.
bool CallMethod(const Object* visitor, const Any& node, Any* result) {
  const AnyView view(node);
  const TainTypeRecord* record = TainGetTypeRecord(node.type_index());
  while (record != nullptr && record->info->type_index != kTainObject) {
    const MethodName& method = MethodOf(*record);
    if (internal::CallOverride(visitor, method.name.c_str(), &view, 1, result)) return true;
    record = TainGetTypeRecord(method.parent);
  }
  return false;
}

/// Calls the method for a hook. Returns false if nobody overrides it.
bool CallHookMethod(const Object* visitor, Hook hook, const Any& node, Any* result) {
  if (hook == Hook::kNode) return CallMethod(visitor, node, result);
  const AnyView view(node);
  const char* name = hook == Hook::kExpr ? "visit" : "generic_visit";
  return internal::CallOverride(visitor, name, &view, 1, result);
}

}  // namespace

class VisitorObj::Walk final : public internal::GraphVisitor {
 public:
  explicit Walk(VisitorObj& self) noexcept : self_(self) { forgets_ = true; }
  /// Whoever calls this has called an override of `visit`, or there is none.
  void Visit(const Any& node) {
    if (internal::IsGraphNode(node.type_index())) WalkFrom(node.data().v_obj, Hook::kNode);
  }
  void VisitParts(const Any& node) {
    if (internal::IsGraphNode(node.type_index())) WalkParts(node.data().v_obj);
  }

 private:
  void CallHook(Hook hook, int32_t, TainObject* object) override {
    Any ignored;
    if (!CallHookMethod(&self_, hook, internal::ShareObject(object), &ignored)) {
      outcome_ = Outcome::kDefault;
    }
  }
  int32_t FindSlot(int32_t type_index) override { return type_index; }
  bool IsNode(int32_t type_index) override { return internal::IsGraphNode(type_index); }

  VisitorObj& self_;
};

class MutatorObj::Walk final : public internal::GraphMutator {
 public:
  explicit Walk(MutatorObj& self) noexcept : self_(self) { forgets_ = true; }
  Any Visit(Any node) {
    if (!internal::IsGraphNode(node.type_index())) return node;
    return MutateFrom(std::move(node), Hook::kNode, false);
  }
  Any VisitParts(const Any& node) {
    if (!internal::IsGraphNode(node.type_index())) return node;
    return MutateParts(node.data().v_obj);
  }

 private:
  Any CallHook(Hook hook, int32_t, TainObject* object) override {
    const Any node = internal::ShareObject(object);
    Any result;
    if (!CallHookMethod(&self_, hook, node, &result)) outcome_ = Outcome::kDefault;
    return result == nullptr ? node : result;  // None stands for the node itself
  }
  int32_t FindSlot(int32_t type_index) override { return type_index; }
  bool IsNode(int32_t type_index) override { return internal::IsGraphNode(type_index); }

  MutatorObj& self_;
};

VisitorObj::VisitorObj() : walk_(std::make_unique<Walk>(*this)) {}
VisitorObj::~VisitorObj() = default;
void VisitorObj::visit_impl(const Any& node) { walk_->Visit(node); }
void VisitorObj::generic_visit_impl(const Any& node) { walk_->VisitParts(node); }

MutatorObj::MutatorObj() : walk_(std::make_unique<Walk>(*this)) {}
MutatorObj::~MutatorObj() = default;
Any MutatorObj::visit_impl(const Any& node) { return walk_->Visit(node); }
Any MutatorObj::generic_visit_impl(const Any& node) { return walk_->VisitParts(node); }

}  // namespace tain::transform

TAIN_REGISTER {
  using tain::arg;
  using tain::reflection::ObjectDef;
  using tain::transform::MutatorObj;
  using tain::transform::VisitorObj;
  // Not thread_safe: a visitor knows what it has seen, and the nodes of a graph can be changed.
  ObjectDef<VisitorObj>(
      "Visits graphs. A subclass has methods such as `visit_Add(self, node)` for nodes whose key\n"
      "ends in `.Add`, and nodes of derived types without a method of their own. Their results "
      "are\n"
      "ignored; what is below a node is visited if the method calls `generic_visit` or `visit`.\n"
      "A shared node is visited once in a call of `visit` from outside.")
      .def_init<>()
      .def_virtual("visit", &VisitorObj::visit_impl, arg("node"),
                   "Visits a graph: calls the method of the node's type, or `generic_visit`.")
      .def_virtual("generic_visit", &VisitorObj::generic_visit_impl, arg("node"),
                   "Visits the parts of a node.");
  ObjectDef<MutatorObj>(
      "Makes a new graph from a graph. A subclass has methods such as `visit_Add(self, node)`, "
      "like\n"
      "a Visitor, which return what takes the node's place, or None to leave it. What does not\n"
      "change keeps its identity.")
      .def_init<>()
      .def_virtual("visit", &MutatorObj::visit_impl, arg("node"),
                   "Returns what a graph becomes: the result of the method of the node's type, or "
                   "of\n`generic_visit`.")
      .def_virtual("generic_visit", &MutatorObj::generic_visit_impl, arg("node"),
                   "Returns a node with its parts mutated.");
}
