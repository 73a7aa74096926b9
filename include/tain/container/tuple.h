// SPDX-License-Identifier: Apache-2.0
// Tuple<Ts...>: an Array of fixed length with one type for each element.
//
//   Tuple<int, String> t(1, "a");
//   auto [number, text] = t;
//   t.get<0>();  t.Set<1>("b");
// Like Array it has value semantics: changing a shared Tuple copies it first. Where C++ declares a
// Tuple, Python gets a tuple and may pass any sequence of that length.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "tain/container/array.h"

namespace tain {

/// A sequence of elements of the types Ts with copy on write, never null.
template <class... Ts>
class Tuple : public ObjectRef {
 public:
  using ContainerType = ArrayObj;
  static constexpr bool _type_is_nullable = false;
  static constexpr int64_t kSize = sizeof...(Ts);
  template <size_t kIndex>
  using Element = std::tuple_element_t<kIndex, std::tuple<Ts...>>;

  Tuple()
    requires((std::default_initializable<Ts> && ...) && sizeof...(Ts) > 0)
      : Tuple(Ts()...) {}
  Tuple()
    requires(sizeof...(Ts) == 0)
      : ObjectRef(internal::RefAccess::Steal<Object>(internal::SeqNew(kTainArray, 0))) {}
  explicit Tuple(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  template <class... Us>
    requires(sizeof...(Us) == sizeof...(Ts) && sizeof...(Ts) > 0 &&
             (!std::is_same_v<std::remove_cvref_t<Us>, Tuple> && ...) &&
             (std::is_convertible_v<Us &&, Ts> && ...))
  Tuple(Us&&... values)  // NOLINT: as std::tuple
      : ObjectRef(internal::RefAccess::Steal<Object>(internal::SeqNew(kTainArray, kSize))) {
    (internal::SeqPush(Header(), internal::ToElement<Ts>(Ts(std::forward<Us>(values)))), ...);
  }
  explicit Tuple(const std::tuple<Ts...>& values)
      : Tuple(std::apply([](const Ts&... v) { return Tuple(v...); }, values)) {}

  static constexpr size_t size() noexcept { return sizeof...(Ts); }
  /// Returns element kIndex.
  template <size_t kIndex>
  internal::ElementCopy<Element<kIndex>> get() const {
    return internal::ElementAt<Element<kIndex>>(Header(), static_cast<int64_t>(kIndex));
  }
  /// Replaces element kIndex.
  template <size_t kIndex>
  void Set(Element<kIndex> value) {
    Any element = internal::ToElement<Element<kIndex>>(std::move(value));
    TainObject* writable =
        internal::Rewritten(data_, internal::SeqForWriting(Header(), kTainArray, 0));
    internal::SeqSet(writable, static_cast<int64_t>(kIndex), std::move(element));
  }
  /// Returns the elements as a std::tuple.
  std::tuple<Ts...> std() const { return Collect(std::index_sequence_for<Ts...>()); }

 private:
  TainObject* Header() const noexcept { return internal::RefAccess::Header(*this); }
  template <size_t... I>
  std::tuple<Ts...> Collect(std::index_sequence<I...>) const {
    return {get<I>()...};
  }
};

template <class... Us>
Tuple(Us...) -> Tuple<Us...>;

/// Returns element kIndex, as std::get does.
template <size_t kIndex, class... Ts>
auto get(const Tuple<Ts...>& tuple) {
  return tuple.template get<kIndex>();
}

template <class... Ts>
struct TypeTraits<Tuple<Ts...>> : internal::HandleTraits<Tuple<Ts...>, ArrayObj, false> {
  using T = Tuple<Ts...>;
  static constexpr bool kDirectWrite = false;
  static constexpr bool kIsTuple = true;
  static constexpr bool kFitsIfRead = (internal::FitsIfRead<Ts> || ...);
  static constexpr bool kReadOnce = kFitsIfRead;
  static constexpr bool kHoldsText = (internal::HoldsText<Ts> || ...);
  static constexpr std::array<internal::ElementType, sizeof...(Ts)> kElements = {
      internal::kElementType<Ts>...};

  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return internal::TupleCheck(*a, kElements.data(), T::kSize);
  }
  static int FitOf(const TainAny* a) noexcept
    requires kFitsIfRead
  {
    if (a->type_index != kTainArray || internal::SeqSize(a->v_obj) != T::kSize) {
      return internal::kFitConverted;
    }
    const TainAny* element = internal::SeqData(a->v_obj);
    return (internal::MayBeExact<Ts>(element++) && ...) ? internal::kFitIfRead
                                                        : internal::kFitConverted;
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    const TainAny view = internal::Referred(*a);
    if (CheckAnyStrict(&view)) return internal::TakeHandle<T>(*a);
    TainObject* made = internal::TupleConvert(view, kElements.data(), T::kSize);
    if (made == nullptr) return std::nullopt;
    return internal::RefAccess::Make<T>(internal::RefAccess::Steal<Object>(made));
  }
  static std::string TypeStr() { return internal::TupleStr(kElements.data(), T::kSize); }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return internal::TupleMismatch(internal::Referred(*a), kElements.data(), T::kSize);
  }
};

}  // namespace tain

template <class... Ts>
struct std::tuple_size<tain::Tuple<Ts...>> : std::integral_constant<size_t, sizeof...(Ts)> {};
template <size_t kIndex, class... Ts>
struct std::tuple_element<kIndex, tain::Tuple<Ts...>> {  // as get() returns it
  using type = tain::internal::ElementCopy<std::tuple_element_t<kIndex, std::tuple<Ts...>>>;
};
