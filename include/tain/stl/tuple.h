// SPDX-License-Identifier: Apache-2.0
// std::pair and tuple cross as an Array of the same length, which Python sees as a tuple; each
// element is checked for its own type.
#pragma once

#include <tuple>
#include <utility>

#include "tain/container/tuple.h"
#include "tain/internal/stl_traits.h"

namespace tain {
namespace internal {

template <class T, class... Ts>
struct StlTupleTraits : StlTraits<T, Tuple<Ts...>, Ts...> {
  using Same = TypeTraits<Tuple<Ts...>>;
  static constexpr bool kIsTuple = true;
  static constexpr bool kReadsInto = (ReadsInto<Ts> && ...);

  static int VisitEdges(const T& v, const EdgeVisit& visit) {
    int code = 0;
    std::apply(
        [&](const Ts&... elements) {
          (void)(((code = VisitEdgesOf<Ts>(elements, visit)) == 0) && ...);
        },
        v);
    return code;
  }
  static void ClearEdges(T& v) {
    std::apply([](Ts&... elements) { (ClearEdgesOf<Ts>(elements), ...); }, v);
  }
  /// The object of a std::shared_ptr that is moved is known to be new if nothing else holds it.
  template <class V>
  static void Store(V& v, TainAny* out) {
    auto made = RefAccess::Steal<Object>(SeqNew(kTainArray, sizeof...(Ts)));
    std::apply(
        [&](auto&... elements) {
          (SeqPush(RefAccess::Header(made), ToElement<Ts>(std::move(elements))), ...);
        },
        v);
    ObjectToAny(std::move(made), out);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    if constexpr (kReadsInto) {
      return StlTupleTraits::StlTraits::CopyFromAnyViewAfterCheck(a);
    } else {
      return *TryCastFromAnyView(a);
    }
  }
  static bool ReadInto(const TainAny* a, T* out)
    requires kReadsInto
  {
    Any elements[sizeof...(Ts) + 1];
    return TupleHold(*a, &elements[0], int64_t{sizeof...(Ts)}) &&
           ReadEach(&elements[0], out, std::index_sequence_for<Ts...>());
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    if constexpr (kReadsInto) {
      return ReadingTraits<T>::TryCastFromAnyView(a);
    } else {
      Any elements[sizeof...(Ts) + 1];
      if (!TupleHold(*a, &elements[0], int64_t{sizeof...(Ts)})) return std::nullopt;
      return Read(&elements[0], std::index_sequence_for<Ts...>());
    }
  }
  static std::string TypeStr() { return Same::TypeStr(); }
  static Mismatch ExplainMismatch(const TainAny* a) { return Same::ExplainMismatch(a); }

 private:
  template <size_t... I>
  static bool ReadEach([[maybe_unused]] const Any* held, [[maybe_unused]] T* out,
                       std::index_sequence<I...>) {
    return (TypeTraits<Ts>::ReadInto(&held[I].data(), &std::get<I>(*out)) && ...);
  }
  template <size_t... I>
  static std::optional<T> Read([[maybe_unused]] const Any* held, std::index_sequence<I...>) {
    std::tuple<std::optional<Ts>...> read;
    const bool good =
        ((std::get<I>(read) = ReadElement<Ts>(&held[I].data(), int64_t{I})).has_value() && ...);
    if (!good) return std::nullopt;
    return std::optional<T>(std::in_place, *std::get<I>(std::move(read))...);
  }
};

}  // namespace internal

template <class... Ts>
struct TypeTraits<std::tuple<Ts...>> : internal::StlTupleTraits<std::tuple<Ts...>, Ts...> {};
template <class A, class B>
struct TypeTraits<std::pair<A, B>> : internal::StlTupleTraits<std::pair<A, B>, A, B> {};

}  // namespace tain
