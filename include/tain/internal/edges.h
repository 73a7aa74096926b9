// SPDX-License-Identifier: Apache-2.0
// The edges of a C++ value: the counted references that the garbage collector visits.
//
// The kFieldKind identifies a single object pointer and an Any. For any other T that holds
// references, TypeTraits<T> sets kHoldsEdges = true and defines
//   VisitEdges(v, visit)   calls visit(child) for each reference; stops when visit returns non-zero
//   ClearEdges(v)          drops the references; the value can still be read and destroyed
#pragma once

#include <utility>

#include "tain/traits.h"

namespace tain::internal {

/// The function that is called for each reference, with its context.
struct EdgeVisit {
  int (*visit)(TainObject* child, void* context);
  void* context;
  int operator()(TainObject* child) const { return child == nullptr ? 0 : visit(child, context); }
};

/// Whether a T may hold counted references that its traits know.
template <class T>
constexpr bool HoldsEdges() noexcept {
  using Traits = TypeTraits<T>;
  return Traits::kFieldKind == kTainFieldObject || Traits::kFieldKind == kTainFieldAny ||
         Traits::kHoldsEdges;
}

template <class T>
int VisitEdgesOf(const T& value, const EdgeVisit& visit) {
  if constexpr (TypeTraits<T>::kFieldKind == kTainFieldObject) {
    return visit(*reinterpret_cast<TainObject* const*>(&value));  // a handle is one pointer
  } else if constexpr (TypeTraits<T>::kFieldKind == kTainFieldAny) {
    const auto& any = *reinterpret_cast<const TainAny*>(&value);  // tain::Any has this layout
    return any.type_index >= kTainStaticObjectBegin ? visit(any.v_obj) : 0;
  } else if constexpr (TypeTraits<T>::kHoldsEdges) {
    return TypeTraits<T>::VisitEdges(value, visit);
  } else {
    return 0;
  }
}

template <class T>
void ClearEdgesOf(T& value) {
  if constexpr (TypeTraits<T>::kFieldKind == kTainFieldObject) {
    TainObject*& header = *reinterpret_cast<TainObject**>(&value);
    if (TainObject* old = std::exchange(header, nullptr)) DecRef(old);
  } else if constexpr (TypeTraits<T>::kFieldKind == kTainFieldAny) {
    value = T();
  } else if constexpr (TypeTraits<T>::kHoldsEdges) {
    TypeTraits<T>::ClearEdges(value);
  }
}

/// VisitEdges and ClearEdges of a container whose elements are values of type E.
template <class C, class E>
struct ElementEdges {
  static int Visit(const C& all, const EdgeVisit& visit) {
    for (const auto& element : all) {
      if (const int code = VisitEdgesOf<E>(element, visit)) return code;
    }
    return 0;
  }
  static void Clear(C& all) {
    if constexpr (requires { all.clear(); }) {
      C taken;
      std::swap(taken, all);  // code run by dropping the elements sees the empty one
    } else {
      for (auto& element : all) ClearEdgesOf<E>(element);
    }
  }
};

/// VisitEdges and ClearEdges of a field of type M, as field records store them. Both are null if
/// the field has no references or its kind identifies them.
template <class M>
struct FieldEdges {
  static constexpr bool kKnown = TypeTraits<M>::kHoldsEdges;
  static int Visit(void* field, int (*visit)(TainObject* child, void* context), void* context) {
    return VisitEdgesOf<M>(*static_cast<const M*>(field), EdgeVisit{visit, context});
  }
  static void Clear(void* field) { ClearEdgesOf<M>(*static_cast<M*>(field)); }
};

}  // namespace tain::internal
