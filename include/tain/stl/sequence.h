// SPDX-License-Identifier: Apache-2.0
// std::vector, deque, list and array cross as Array: a parameter takes any sequence, a result is an
// Array.
#pragma once

#include <array>
#include <deque>
#include <list>
#include <utility>
#include <vector>

#include "tain/container/array.h"
#include "tain/internal/stl_traits.h"

namespace tain {
namespace internal {

/// The common traits of the collections of the standard library; C has elements of type E.
template <class C, class E, TainHostForm kForm = kTainHostSequence>
struct StlCollectionTraits : StlTraits<C, Array<E>, E> {
  static constexpr TainHostForm kCollectionForm = kForm;

  static int VisitEdges(const C& v, const EdgeVisit& visit) {
    return ElementEdges<C, E>::Visit(v, visit);
  }
  static void ClearEdges(C& v) { ElementEdges<C, E>::Clear(v); }
  template <class V>
  static void Store(V& v, TainAny* out) {
    auto made = RefAccess::Steal<Object>(SeqNew(kTainArray, static_cast<int64_t>(v.size())));
    for (auto&& element : v) {
      SeqPush(RefAccess::Header(made), ToElement<E>(std::move(element)));
    }
    ObjectToAny(std::move(made), out);
  }
  /// Prepares a collection of type R for `size` elements.
  template <class R>
  static void Start(void* target, int64_t size) {
    R& read = *static_cast<R*>(target);
    if constexpr (requires { read.reserve(size_t{}); }) read.reserve(static_cast<size_t>(size));
  }
  /// Reads an element into a collection of type R.
  template <class R>
  static bool Take(void* target, const TainAny* a, int64_t) {
    R& read = *static_cast<R*>(target);
    if constexpr (requires { TypeTraits<E>::ReadInto(a, &read.emplace_back()); }) {
      return TypeTraits<E>::ReadInto(a, &read.emplace_back());
    } else {
      std::optional<E> element = TypeTraits<E>::TryCastFromAnyView(a);
      if (!element) return false;
      if constexpr (requires { read.push_back(*std::move(element)); }) {
        read.push_back(*std::move(element));
      } else {
        read.insert(*std::move(element));
      }
      return true;
    }
  }
  /// Reads a value into an empty collection. Returns false if it is no collection or an element does
  /// not convert to E.
  template <class R>
  static bool Read(const TainAny& value, R* read) {
    if constexpr (StlCollectionTraits::
                      kRefers) {  // what the host makes of other collections would not live on
      if (!IsSeq(Referred(value).type_index)) return false;
    }
    return SeqRead(value, kForm, read, &Start<R>, &Take<R>);
  }
  static bool ReadInto(const TainAny* a, C* out) { return Read(*a, out); }
  static std::string TypeStr() { return GenericStr("Array", kElementType<E>); }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return SeqMismatch(Referred(*a), kElementType<E>, &TypeStr, kForm);
  }
};

}  // namespace internal

template <class T, class A>
struct TypeTraits<std::vector<T, A>> : internal::StlCollectionTraits<std::vector<T, A>, T> {};
template <class T, class A>
struct TypeTraits<std::deque<T, A>> : internal::StlCollectionTraits<std::deque<T, A>, T> {};
template <class T, class A>
struct TypeTraits<std::list<T, A>> : internal::StlCollectionTraits<std::list<T, A>, T> {};

template <class T, size_t kSize>
struct TypeTraits<std::array<T, kSize>> : internal::StlCollectionTraits<std::array<T, kSize>, T> {
  using C = std::array<T, kSize>;
  using Base = internal::StlCollectionTraits<C, T>;

  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return Base::CheckAnyStrict(a) && internal::SeqSize(a->v_obj) == int64_t{kSize};
  }
  static int FitOf(const TainAny* a) noexcept
    requires internal::FitsIfRead<T>
  {
    const int fit = Base::FitOf(a);
    if (fit == internal::kFitConverted) return fit;
    return internal::SeqSize(a->v_obj) == int64_t{kSize} ? fit : int{internal::kFitConverted};
  }
  static C CopyFromAnyViewAfterCheck(const TainAny* a) { return *TryCastFromAnyView(a); }
  static void ReadInto(const TainAny*, C*) = delete;
  static std::optional<C> TryCastFromAnyView(const TainAny* a) {
    std::deque<T> read;  // not a vector, because std::vector<bool> is different
    if (!Base::Read(*a, &read) || read.size() != kSize) return std::nullopt;
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return C{std::move(read[I])...};
    }(std::make_index_sequence<kSize>());
  }
  static Mismatch ExplainMismatch(const TainAny* a) {
    const TainAny view = internal::Referred(*a);
    if (Any made; internal::FromHost(view, kTainHostSequence, &made)) {
      return ExplainMismatch(&made.data());
    }
    const bool is_seq = internal::IsSeq(view.type_index);
    if (const int64_t size = is_seq ? internal::SeqSize(view.v_obj) : 0; is_seq && size != kSize) {
      return internal::SizeMismatch(Base::TypeStr(), kSize, size);
    }
    return internal::SeqMismatch(view, internal::kElementType<T>, &Base::TypeStr);
  }
};

}  // namespace tain
