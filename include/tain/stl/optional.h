// SPDX-License-Identifier: Apache-2.0
// std::optional and std::variant cross as the value that they hold; an empty optional and
// std::monostate are None. A variant takes the alternative that a value fits best (Fit in traits.h);
// among equals the first.
#pragma once

#include <exception>
#include <optional>
#include <utility>
#include <variant>

#include "tain/container/optional.h"
#include "tain/container/variant.h"
#include "tain/internal/declared_arguments.h"
#include "tain/internal/edges.h"
#include "tain/internal/lenient.h"

namespace tain {
namespace internal {

/// None is taken already.
template <class T>
  requires(LenientTraits<T>::kHelps)
struct LenientTraits<std::optional<T>> {
  static constexpr bool kHelps = true;
  static std::optional<std::optional<T>> Read(const TainAny& a) {
    std::optional<T> read = LenientTraits<T>::Read(a);
    if (!read) return std::nullopt;
    return std::optional<std::optional<T>>(std::in_place, std::move(read));
  }
  static Mismatch Explain(const TainAny* a) {
    return OptionalMismatch(a, &LenientTraits<T>::Explain);
  }
};

/// Whether a U may take a number or a text that is the value of an enum's member.
template <class U>
inline constexpr bool LikeEnumValue =
    std::is_arithmetic_v<U> || HasFit<U> || std::is_constructible_v<U, std::string_view>;

}  // namespace internal

template <internal::Crosses T>
struct TypeTraits<std::optional<T>>
    : internal::OptionalTraits<std::optional<T>, T, internal::ReadingTraits<std::optional<T>>> {
  using Inner = TypeTraits<T>;
  static constexpr bool kRefers = Inner::kRefers;
  static constexpr bool kReadOnce = Inner::kReadOnce;
  static constexpr bool kHoldsEdges = internal::HoldsEdges<T>();

  static void ClearEdges(std::optional<T>& v) {
    std::optional<T> taken;
    taken.swap(v);
  }
  static bool ReadInto(const TainAny* a, std::optional<T>* out) {
    if (a->type_index == kTainNone) return true;
    if constexpr (internal::ReadsInto<T>) {
      return Inner::ReadInto(a, &out->emplace());
    } else {
      *out = Inner::TryCastFromAnyView(a);
      return out->has_value();
    }
  }
};

template <>
struct TypeTraits<std::monostate> : internal::NoneTraits<std::monostate> {};

template <internal::Crosses... Ts>
struct TypeTraits<std::variant<Ts...>> : TypeTraitsBase {
  using V = std::variant<Ts...>;
  static constexpr bool kStorable = (TypeTraits<Ts>::kStorable && ...);
  static constexpr bool kRefers = (internal::RefersTo<Ts> || ...);
  /// Whether the value of a T that is an enum could be taken for that of another alternative.
  template <class T>
  static constexpr bool kAsMember =
      std::is_enum_v<T> && ((!std::is_same_v<T, Ts> && internal::LikeEnumValue<Ts>) || ...);
  static constexpr bool kViewable = (TypeTraits<Ts>::kViewable && ...) && !(kAsMember<Ts> || ...);
  static constexpr bool kReadOnce = true;
  static constexpr bool kHoldsText = (internal::HoldsText<Ts> || ...);
  static constexpr bool kFitsIfRead = (internal::FitsIfRead<Ts> || ...);
  static constexpr bool kHoldsEdges = (internal::HoldsEdges<Ts>() || ...);

  static int VisitEdges(const V& v, const internal::EdgeVisit& visit) {
    if (v.valueless_by_exception()) return 0;
    return std::visit([&]<class T>(const T& x) { return internal::VisitEdgesOf<T>(x, visit); }, v);
  }
  static void ClearEdges(V& v) {
    if (v.valueless_by_exception()) return;
    std::visit([]<class T>(T& x) { internal::ClearEdgesOf<T>(x); }, v);
  }
  static void CopyToAnyView(const V& v, TainAny* out)
    requires kViewable
  {
    std::visit([&]<class T>(const T& value) { TypeTraits<T>::CopyToAnyView(value, out); }, v);
  }
  static void MoveToAny(V v, TainAny* out) {
    std::visit(
        [&]<class T>(T& value) {
          if constexpr (kAsMember<T>) {
            TypeTraits<T>::MoveToMember(value, out);
          } else {
            TypeTraits<T>::MoveToAny(std::move(value), out);
          }
        },
        v);
  }
  /// The fit of the alternative that takes the value.
  static int FitOf(const TainAny* a) noexcept
    requires(internal::HasFit<Ts> || ...)
  {
    int best = internal::kFitMember;
    const auto consider = [&](int fit) {
      if (internal::FitsBetter(fit, best)) best = fit;
    };
    (consider(internal::FitOf<Ts>(a)), ...);
    return best;
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return (TypeTraits<Ts>::CheckAnyStrict(a) || ...);
  }
  static V CopyFromAnyViewAfterCheck(const TainAny* a) {
    if constexpr (std::is_default_constructible_v<V>) {
      V read;
      ReadInto(a, &read);
      return read;
    } else {
      return *TryCastFromAnyView(a);
    }
  }
  static bool ReadInto(const TainAny* a, V* out) {
    return Read(a, out, std::index_sequence_for<Ts...>());
  }
  static std::optional<V> TryCastFromAnyView(const TainAny* a) {
    std::optional<V> read;
    (void)Read(a, &read, std::index_sequence_for<Ts...>());
    return read;
  }
  static std::string TypeStr() { return TypeTraits<Variant<Ts...>>::TypeStr(); }
  /// If one alternative has a specific mismatch (a wrong element, a range), that one is reported;
  /// otherwise what all alternatives expect.
  static Mismatch ExplainMismatch(const TainAny* a) {
    return internal::UnionMismatch(a, {&internal::MismatchOf<Ts>...});
  }

 private:
  /// The error of an alternative that might have been exact: it counts only if no other one fits
  /// better than it does after conversion.
  struct Unread {
    size_t index = sizeof...(Ts);
    std::exception_ptr error;
  };

  /// `Out` is V, or std::optional<V> if no V can be made without a value.
  template <class Out, size_t... I>
  static bool Read(const TainAny* a, Out* out, std::index_sequence<I...>) {
    Unread unread;
    const int exact = ExactFit(a);
    if ((ReadIfExact<I>(a, exact, out, &unread) || ...)) return true;
    if constexpr ((internal::HasFit<Ts> || ...)) {
      for (int rank = internal::kHighestRank - 1; rank >= internal::kLowestRank; --rank) {
        if ((ReadOfRank<I>(a, out, rank, unread) || ...)) return true;
      }
      return false;
    } else {
      return (ReadConverted<I>(a, out) || ...);
    }
  }
  /// The fit of the alternative that takes the value as it is: of several classes the nearest one,
  /// so that an object is not read as one of its parent class.
  static int ExactFit(const TainAny* a) noexcept {
    int nearest = internal::kFitConverted;
    const auto consider = [&]<class T>(std::in_place_type_t<T>) {
      if constexpr (internal::HasClass<T>) {
        const int fit = internal::FitOf<T>(a);
        if (internal::FitsBetter(fit, nearest)) nearest = fit;
      }
    };
    (consider(std::in_place_type<Ts>), ...);
    return nearest == internal::kFitConverted ? int{internal::kFitExact} : nearest;
  }
  template <size_t kIndex, class Out>
  static bool ReadIfExact(const TainAny* a, int exact, Out* out, [[maybe_unused]] Unread* unread) {
    using T = std::variant_alternative_t<kIndex, V>;
    const int fit = internal::FitOf<T>(a);
    if constexpr (internal::FitsIfRead<T>) {
      if (fit == internal::kFitIfRead) {
        try {
          return ReadConverted<kIndex>(a, out);
        } catch (...) {
          if (unread->error == nullptr) *unread = {kIndex, std::current_exception()};
          return false;
        }
      }
    }
    if (fit != exact) return false;
    Set<kIndex>(out, TypeTraits<T>::CopyFromAnyViewAfterCheck(a));
    return true;
  }
  template <size_t kIndex, class Out>
  static bool ReadOfRank(const TainAny* a, Out* out, int rank,
                         [[maybe_unused]] const Unread& unread) {
    using T = std::variant_alternative_t<kIndex, V>;
    if constexpr (internal::FitsIfRead<T>) {
      if (unread.index == kIndex && rank == internal::kFitConverted) {
        std::rethrow_exception(unread.error);
      }
    }
    return internal::RankOfFit(internal::FitOf<T>(a)) == rank && ReadConverted<kIndex>(a, out);
  }
  template <size_t kIndex, class Out>
  static bool ReadConverted(const TainAny* a, Out* out) {
    using T = std::variant_alternative_t<kIndex, V>;
    if constexpr (internal::ReadsInto<T>) {
      T value{};
      if (!TypeTraits<T>::ReadInto(a, &value)) return false;
      Set<kIndex>(out, std::move(value));
      return true;
    } else {
      std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(a);
      if (value) Set<kIndex>(out, *std::move(value));
      return value.has_value();
    }
  }
  template <size_t kIndex, class T>
  static void Set(V* out, T&& value) {
    out->template emplace<kIndex>(std::forward<T>(value));
  }
  template <size_t kIndex, class T>
  static void Set(std::optional<V>* out, T&& value) {
    out->emplace(std::in_place_index<kIndex>, std::forward<T>(value));
  }
};

}  // namespace tain
