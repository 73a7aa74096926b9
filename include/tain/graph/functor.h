// SPDX-License-Identifier: Apache-2.0
// ExprFunctor, ExprVisitor and ExprMutator: classes with a method for each class of nodes.
//
//   class Folder : public tain::ExprMutator<Expr, AddNode, MulNode> {
//     Expr VisitExpr_(const AddNode* op) override {
//       Expr lhs = this->Mutate(op->lhs), rhs = this->Mutate(op->rhs);
//       ...
//     }
//   };
// The first parameter is the handle of all nodes, the others are the classes that have a method of
// their own. A node of another class goes to the method of its nearest listed parent, else to
// VisitExprDefault_. In visitors and mutators, methods that nobody overrides go through the fields
// that the types have registered, and through containers, at any depth. docs/graphs.md has more.
#pragma once

#include "tain/internal/graph_walk.h"

// A class that overrides some VisitExpr_ methods hides the others, which is meant.
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"
#endif

namespace tain {
namespace internal {

template <class...>
struct TypeList {};

struct NoNode {};

/// The VisitExpr_ methods: one virtual method for each class of nodes.
template <class Base, class R, class Args, class... Nodes>
class VisitChain;

template <class Base, class R, class... A>
class VisitChain<Base, R, TypeList<A...>> : public Base {
 protected:
  void VisitExpr_(NoNode) {}
};

template <class Base, class R, class... A, class Node, class... Rest>
class VisitChain<Base, R, TypeList<A...>, Node, Rest...>
    : public VisitChain<Base, R, TypeList<A...>, Rest...> {
  static_assert(IsObject<Node>, "a functor lists classes that derive from tain::Object");

 public:
  using VisitChain<Base, R, TypeList<A...>, Rest...>::VisitExpr_;
  virtual R VisitExpr_(const Node* op, A... args) {
    return this->NotOverridden(op, std::forward<A>(args)...);
  }
};

/// Calls the VisitExpr_ of one class.
template <class Chain, class R, class Node, class... A>
R CallVisit(Chain* functor, const Object* op, A... args) {
  return functor->VisitExpr_(static_cast<const Node*>(op), std::forward<A>(args)...);
}

/// The classes of a functor as TypeDispatch and calls need them.
template <class... Nodes>
struct DispatchOf {
  // Each build of a library has its own, because the indices differ.
  TAIN_HIDDEN static TypeDispatch& Get() noexcept {
    static constexpr TypeDispatch::IndexOf kListed[] = {&TypeOf<Nodes>::Index..., nullptr};
    static constinit TypeDispatch dispatch(&kListed[0], sizeof...(Nodes));
    return dispatch;
  }
};

/// Returns the object of a handle. Throws ValueError if it is empty.
template <class E>
TainObject* VisitedHeader(const E& node) {
  TainObject* header = RefAccess::Header(node);
  if (TAIN_UNLIKELY(header == nullptr)) ThrowNullVisit(TypeOf<typename E::ContainerType>::kKey);
  return header;
}

template <class E>
E EmptyHandle() {
  return RefAccess::Make<E>(nullptr);
}

/// Returns a handle of class E to an object of the right class.
template <class E>
E SharedHandle(TainObject* object) {
  return RefAccess::Make<E>(RefAccess::Share<Object>(object));
}

template <class R, class E, class... A>
class FunctorMethods {
 public:
  FunctorMethods() = default;
  FunctorMethods(const FunctorMethods&) = default;
  FunctorMethods& operator=(const FunctorMethods&) = default;
  virtual ~FunctorMethods() = default;
  /// Called for nodes without a method of their own; throws TypeError.
  virtual R VisitExprDefault_(const Object* op, A...) { ThrowNoMethod(op); }

 protected:
  R NotOverridden(const Object* op, A... args) {
    return this->VisitExprDefault_(op, std::forward<A>(args)...);
  }
};

}  // namespace internal

template <class Signature, class... Nodes>
class ExprFunctor;

/// A function of a node and other arguments that is written as a method for each class of nodes.
/// The author decides what is visited; calls that nest too deeply throw RecursionError.
template <class R, class E, class... A, class... Nodes>
class ExprFunctor<R(const E&, A...), Nodes...>
    : public internal::VisitChain<internal::FunctorMethods<R, E, A...>, R, internal::TypeList<A...>,
                                  Nodes...> {
  static_assert(internal::IsObjectRef<E>,
                "ExprFunctor<R(const E&, ...), Nodes...>: E must be a handle class");

 public:
  R operator()(const E& node, A... args) { return VisitExpr(node, std::forward<A>(args)...); }
  /// Calls the method of the node's class. Throws ValueError if the node is null.
  virtual R VisitExpr(const E& node, A... args) {
    TainObject* header = internal::VisitedHeader(node);
    internal::CheckStackForVisit();
    const ObjectPtr<Object> held(internal::ObjectAccess::FromHeader(header));
    const int32_t slot = internal::DispatchOf<Nodes...>::Get().Find(header->type_index);
    if (slot == 0) return this->VisitExprDefault_(held.get(), std::forward<A>(args)...);
    return kCalls[slot - 1](this, held.get(), std::forward<A>(args)...);
  }

 private:
  using Chain = typename ExprFunctor::VisitChain;
  using Call = R (*)(Chain*, const Object*, A...);
  static constexpr Call kCalls[sizeof...(Nodes) + 1] = {
      &internal::CallVisit<Chain, R, Nodes, A...>..., nullptr};
};

namespace internal {

/// The methods of a visitor as nobody overrides them. ExprVisitor hides them with templates that
/// do the work at once, for overrides that call them.
template <class E>
class VisitorMethods : public GraphVisitor {
 public:
  virtual void VisitExpr(const E&) { outcome_ = Outcome::kDefault; }
  virtual void VisitExprDefault_(const Object*) { outcome_ = Outcome::kDefault; }

 protected:
  void NotOverridden(const Object*) { outcome_ = Outcome::kDefault; }
};

template <class E>
class MutatorMethods : public GraphMutator {
 public:
  virtual E VisitExpr(const E&) { return NotOverridden(nullptr); }
  virtual E VisitExprDefault_(const Object*) { return NotOverridden(nullptr); }

 protected:
  E NotOverridden(const Object*) {
    outcome_ = Outcome::kDefault;
    return EmptyHandle<E>();
  }
};

/// Returns the object of any value, or null.
inline TainObject* ObjectOf(const AnyView& value) noexcept {
  return value.type_index() >= kTainStaticObjectBegin ? value.data().v_obj : nullptr;
}

}  // namespace internal

/// Visits a graph. Each shared node is visited once in a call of Visit from outside.
///
/// Methods that are not overridden go through the registered fields, without the C stack. To go
/// on from an override, call Visit for some parts, or `ExprVisitor::VisitExpr_(op)` for all of them,
/// or VisitPartsLater(), which needs no C stack.
template <class E, class... Nodes>
class ExprVisitor : public internal::VisitChain<internal::VisitorMethods<E>, void,
                                                internal::TypeList<>, Nodes...> {
  static_assert(internal::IsObjectRef<E>, "ExprVisitor<E, Nodes...>: E must be a handle class");

 public:
  /// Visits a node, or whatever a handle, container or Optional holds. Throws ValueError if a handle
  /// that is never null is empty.
  template <class T>
  void Visit(const T& node) {
    if constexpr (internal::IsObjectRef<T>) {
      if constexpr (!T::_type_is_nullable) internal::VisitedHeader(node);
    }
    TainObject* object = internal::ObjectOf(AnyView(node));
    if (object != nullptr) this->WalkFrom(object, internal::Hook::kExpr);
  }
  void operator()(const E& node) { Visit(node); }
  /// Visits the parts of a node before the node, at every level and to any depth. The parts are
  /// those that the types register, whatever the overrides visit.
  void VisitPostOrder(const E& node) { this->WalkPostOrder(internal::VisitedHeader(node), true); }

  /// The action of VisitExpr if it is not overridden: calls VisitExpr_.
  template <class T>
  void VisitExpr(const T& node) {
    this->WalkFrom(internal::VisitedHeader(node), internal::Hook::kNode);
  }
  /// The action of VisitExpr_ and VisitExprDefault_ if they are not overridden: visits the parts.
  template <class Node>
  void VisitExpr_(const Node* op) {
    this->WalkParts(internal::ObjectAccess::Header(op));
  }
  template <class Node>
  void VisitExprDefault_(const Node* op) {
    this->WalkParts(internal::ObjectAccess::Header(op));
  }

 protected:
  /// Visits the parts after the method that calls this has returned.
  void VisitPartsLater() { this->outcome_ = internal::Outcome::kGoOn; }

 private:
  using Chain = typename ExprVisitor::VisitChain;
  using Call = void (*)(Chain*, const Object*);
  static constexpr Call kCalls[sizeof...(Nodes) + 1] = {&internal::CallVisit<Chain, void, Nodes>...,
                                                        nullptr};

  void CallHook(internal::Hook hook, int32_t slot, TainObject* object) final {
    internal::VisitorMethods<E>& methods = *this;
    const Object* op = internal::ObjectAccess::FromHeader(object);
    switch (hook) {
      case internal::Hook::kExpr: return methods.VisitExpr(internal::SharedHandle<E>(object));
      case internal::Hook::kNode: return kCalls[slot - 1](this, op);
      default: return methods.VisitExprDefault_(op);
    }
  }
  int32_t FindSlot(int32_t type_index) final {
    return internal::DispatchOf<Nodes...>::Get().Find(type_index);
  }
  bool IsNode(int32_t type_index) final {
    return internal::IndexIsInstance<typename E::ContainerType>(type_index);
  }
};

/// Makes a new graph from a graph. What does not change keeps its identity; a shared node is
/// mutated once in a call of Mutate from outside.
///
/// Methods that are not overridden mutate the registered fields, without the C stack, and rebuild
/// the node if one of them changes: a copy, or the node itself if it belongs to the mutator alone.
template <class E, class... Nodes>
class ExprMutator
    : public internal::VisitChain<internal::MutatorMethods<E>, E, internal::TypeList<>, Nodes...> {
  static_assert(internal::IsObjectRef<E>, "ExprMutator<E, Nodes...>: E must be a handle class");
  static_assert((std::is_base_of_v<typename E::ContainerType, Nodes> && ...),
                "ExprMutator<E, Nodes...>: an E must be able to hold each of the nodes");

 public:
  /// Returns what a node becomes. The given graph stays as it is. For an empty handle the result is
  /// empty if the handle is nullable; otherwise it throws ValueError.
  E Mutate(const E& node) { return Run(node, false); }
  /// The same, but changes the given node in place, and each node below it, if nobody else has a
  /// reference to it.
  E Mutate(E&& node) { return Run(std::move(node), true); }
  E operator()(const E& node) { return Mutate(node); }
  /// Returns what the nodes in any other value become, such as an Array or an Optional.
  template <class T>
    requires(!std::is_convertible_v<T, E>)
  T Mutate(const T& value) {
    return this->MutateFrom(Any(value), internal::Hook::kExpr, false).template cast<T>();
  }
  /// Mutates each node after its parts, at any depth: Mutate in an override returns what the part
  /// has become. The parts are those that the types register, whatever the overrides visit.
  E MutatePostOrder(const E& node) {
    internal::VisitedHeader(node);
    return As(internal::GraphMutator::MutatePostOrder(Any(AnyView(node))), node.get());
  }

  /// The action of VisitExpr if it is not overridden: calls VisitExpr_.
  template <class T>
  E VisitExpr(const T& node) {
    internal::VisitedHeader(node);
    return As(this->MutateFrom(Any(AnyView(node)), internal::Hook::kNode, false), node.get());
  }
  /// The action of VisitExpr_ and VisitExprDefault_ if they are not overridden: mutates the parts.
  template <class Node>
  E VisitExpr_(const Node* op) {
    return As(this->MutateParts(internal::ObjectAccess::Header(op)), op);
  }
  template <class Node>
  E VisitExprDefault_(const Node* op) {
    return As(this->MutateParts(internal::ObjectAccess::Header(op)), op);
  }

 private:
  using Chain = typename ExprMutator::VisitChain;
  using Call = E (*)(Chain*, const Object*);
  static constexpr Call kCalls[sizeof...(Nodes) + 1] = {&internal::CallVisit<Chain, E, Nodes>...,
                                                        nullptr};

  template <class H>
  E Run(H&& node, bool owned) {
    if (!node.defined()) {
      if constexpr (!E::_type_is_nullable) internal::VisitedHeader(node);
      return std::forward<H>(node);
    }
    const int32_t index = node.type_index();
    Any mutated = this->MutateFrom(Any(std::forward<H>(node)), internal::Hook::kExpr, owned);
    return Checked(std::move(mutated), index);
  }
  static E Checked(Any mutated, int32_t index) {
    if (!TypeTraits<E>::CheckAnyStrict(&mutated.data())) {
      internal::ThrowMutated(index, TypeOf<typename E::ContainerType>::kKey, mutated);
    }
    return TypeTraits<E>::CopyFromAnyViewAfterCheck(&mutated.data());
  }
  static E As(Any mutated, const Object* op) {
    return Checked(std::move(mutated), op->type_index());
  }

  Any CallHook(internal::Hook hook, int32_t slot, TainObject* object) final {
    internal::MutatorMethods<E>& methods = *this;
    const Object* op = internal::ObjectAccess::FromHeader(object);
    switch (hook) {
      case internal::Hook::kExpr: return Any(methods.VisitExpr(internal::SharedHandle<E>(object)));
      case internal::Hook::kNode: return Any(kCalls[slot - 1](this, op));
      default: return Any(methods.VisitExprDefault_(op));
    }
  }
  int32_t FindSlot(int32_t type_index) final {
    return internal::DispatchOf<Nodes...>::Get().Find(type_index);
  }
  bool IsNode(int32_t type_index) final {
    return internal::IndexIsInstance<typename E::ContainerType>(type_index);
  }
};

}  // namespace tain

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#endif
