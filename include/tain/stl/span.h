// SPDX-License-Identifier: Apache-2.0
// std::span is a parameter that views an array of one dimension without gaps; nothing is copied.
//
//   double Sum(std::span<const double> values);
//   void Scale(std::span<double> values, double by);     // changes the caller's array
// It takes what TensorRef<T, 1, RowMajor> takes, and is valid until the call ends. A list is refused:
// its elements have no memory that C++ could view; std::vector takes it.
#pragma once

#include <span>

#include "tain/tensor/tensor_ref.h"

namespace tain {
namespace internal {

/// Whether a T may be an element of a tensor.
template <class T>
inline constexpr bool kIsElement =
    std::is_arithmetic_v<std::remove_const_t<T>> || ComplexNumber<std::remove_const_t<T>>;

/// The tensors that a span views.
template <class T, size_t kSize>
struct SpannedTensor {
  using Type = TensorRef<T, 1, RowMajor, Extents<static_cast<int64_t>(kSize)>>;
};
template <class T>
struct SpannedTensor<T, std::dynamic_extent> {
  using Type = TensorRef<T, 1, RowMajor>;
};

}  // namespace internal

template <class T, size_t kSize>
  requires internal::kIsElement<T>
struct TypeTraits<std::span<T, kSize>> : TypeTraitsBase {
  using S = std::span<T, kSize>;
  using View = TypeTraits<typename internal::SpannedTensor<T, kSize>::Type>;
  static constexpr bool kStorable = false;

  template <class V>
  static void MoveToAny(V, TainAny*) {
    static_assert(!std::is_same_v<V, S>,
                  "a std::span cannot be a result: it does not keep its elements alive. Return a "
                  "tain::Tensor or a std::vector");
  }
  template <class V>
  static void CopyToAnyView(V v, TainAny* out) {
    MoveToAny(v, out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return View::CheckAnyStrict(a); }
  static S CopyFromAnyViewAfterCheck(const TainAny* a) {
    return S(View::CopyFromAnyViewAfterCheck(a).elements());
  }
  static std::optional<S> TryCastFromAnyView(const TainAny* a) {
    const auto view = View::TryCastFromAnyView(a);
    if (!view) return std::nullopt;
    return S(view->elements());
  }
  static std::string TypeStr() { return View::TypeStr(); }
  static Mismatch ExplainMismatch(const TainAny* a) { return View::ExplainMismatch(a); }
};

}  // namespace tain
