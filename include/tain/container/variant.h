// SPDX-License-Identifier: Apache-2.0
// Variant<Ts...>: a value of one of several types.
//
//   Variant<int, String> v = "a";
//   v.as<int>();                       // std::nullopt: the value is not an int
//   v.get<String>();                   // throws TypeError if the value is not a String
//   v.visit([](auto x) { ... });       // calls the function with the value in its own type
// The value is stored as an Any without a tag; the value itself determines the alternative. So two
// alternatives that are stored alike (int and int64_t) cannot be distinguished: the first one is
// used.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tain/internal/container_api.h"
#include "tain/internal/edges.h"

namespace tain {
namespace internal {

/// The alternative of Ts for a T: T itself, or the first one to which T converts.
template <class T, class... Ts>
struct Alternative;
template <class T, class First, class... Rest>
struct Alternative<T, First, Rest...> {
  static constexpr bool kExact = (std::is_same_v<T, First> || ... || std::is_same_v<T, Rest>);
  static auto Pick() {
    if constexpr (kExact) {
      return std::type_identity<T>();
    } else if constexpr (std::is_convertible_v<const T&, First>) {
      return std::type_identity<First>();
    } else {
      return decltype(Alternative<T, Rest...>::Pick())();
    }
  }
};
template <class T>
struct Alternative<T> {
  static std::type_identity<void> Pick();
};
template <class T, class... Ts>
using AlternativeOf = typename decltype(Alternative<T, Ts...>::Pick())::type;

}  // namespace internal

/// A value whose type is one of Ts.
template <class... Ts>
class Variant {
  static_assert(sizeof...(Ts) > 0, "Variant needs at least one alternative");
  using First = std::tuple_element_t<0, std::tuple<Ts...>>;

 public:
  template <class T>
  static constexpr bool kHolds = (std::is_same_v<T, Ts> || ...);

  /// The first alternative; or a value of an alternative.
  Variant()
    requires std::default_initializable<First>
      : value_(First()) {}
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Variant> &&
             !std::is_void_v<internal::AlternativeOf<std::decay_t<T>, Ts...>>)
  Variant(T&& value)  // NOLINT: a value of an alternative
      : value_(internal::AlternativeOf<std::decay_t<T>, Ts...>(std::forward<T>(value))) {}

  /// Returns the value as a T. Throws TypeError if it is not a T.
  template <class T>
  internal::ElementCopy<T> get() const {
    static_assert(kHolds<T>, "Variant::get<T>(): T is not an alternative");
    if constexpr (internal::FitsIfRead<T>) {
      if (std::optional<T> read = internal::ReadExact<T>(&value_.data())) return *std::move(read);
      internal::ThrowCast(&internal::MismatchOf<T>, value_.data(), "");
    }
    if (TAIN_UNLIKELY(!is<T>())) internal::ThrowCast(&internal::MismatchOf<T>, value_.data(), "");
    return TypeTraits<T>::CopyFromAnyViewAfterCheck(&value_.data());
  }
  /// Returns the value as a T if it is one: a pointer, else null, for object classes; a
  /// std::optional for other types.
  template <class T>
  auto as() const {
    return value_.template as<T>();
  }
  /// Whether the value is a T.
  template <class T>
  bool is() const noexcept {
    return TypeTraits<T>::CheckAnyStrict(&value_.data());
  }
  /// Calls f with the value as the first alternative that matches it.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return Visit<F, Ts...>(std::forward<F>(f));
  }
  /// Returns the index of the value's type.
  int32_t type_index() const noexcept { return value_.type_index(); }
  /// Returns the value.
  const Any& any() const noexcept { return value_; }
  /// Whether both values are equal.
  bool operator==(const Variant& other) const {
    return internal::AnyEqual(value_.data(), other.value_.data());
  }

 private:
  friend struct TypeTraits<Variant>;
  explicit Variant(UnsafeInit) noexcept {}

  template <class F, class T, class... Rest>
  decltype(auto) Visit(F&& f) const {
    if constexpr (sizeof...(Rest) > 0) {
      if (!is<T>()) return Visit<F, Rest...>(std::forward<F>(f));
    }
    return std::forward<F>(f)(get<T>());
  }
  Any value_;
};

template <class... Ts>
struct TypeTraits<Variant<Ts...>> : TypeTraitsBase {
  using T = Variant<Ts...>;
  static constexpr bool kCrosses = (TypeTraits<Ts>::kCrosses && ...);
  static constexpr bool kStorable = (TypeTraits<Ts>::kStorable && ...);
  static constexpr bool kHoldsEdges = (internal::HoldsEdges<Ts>() || ...);
  static constexpr bool kReadOnce = (internal::FitsIfRead<Ts> || ...);

  static int VisitEdges(const T& v, const internal::EdgeVisit& visit) {
    return internal::VisitEdgesOf(v.value_, visit);
  }
  static void ClearEdges(T& v) { v.value_ = Any(); }
  static void CopyToAnyView(const T& v, TainAny* out) noexcept { *out = v.value_.data(); }
  static void MoveToAny(T v, TainAny* out) noexcept { *out = v.value_.Release(); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return (TypeTraits<Ts>::CheckAnyStrict(a) || ...);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    T variant{UnsafeInit{}};
    variant.value_ = Any(AnyView(*a));
    return variant;
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    if (CheckAnyStrict(a)) return CopyFromAnyViewAfterCheck(a);
    T variant{UnsafeInit{}};
    if ((Try<Ts>(a, &variant.value_) || ...)) return variant;
    return std::nullopt;
  }
  static std::string TypeStr() { return internal::UnionStr({&TypeTraits<Ts>::TypeStr...}); }

 private:
  template <class U>
  static bool Try(const TainAny* a, Any* out) {
    std::optional<U> value = TypeTraits<U>::TryCastFromAnyView(a);
    if (!value) return false;
    *out = Any(*std::move(value));
    return true;
  }
};

static_assert(sizeof(Variant<int, String>) == 16);

}  // namespace tain
