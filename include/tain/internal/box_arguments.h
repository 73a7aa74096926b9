// SPDX-License-Identifier: Apache-2.0
// Parameters that refer to a boxed object, or take it over.
#pragma once

#include "tain/internal/box_traits.h"
#include "tain/internal/invoke.h"

namespace tain::internal {

/// Counts a call that uses the object of a box, which a std::unique_ptr parameter must not take
/// meanwhile.
class BoxUse {
 public:
  explicit BoxUse(BoxObj* box) noexcept
      : box_(box != nullptr && box->kind == BoxKind::kUnique ? box : nullptr) {
    if (box_ != nullptr) box_->uses.fetch_add(1, std::memory_order_relaxed);
  }
  ~BoxUse() {
    if (box_ != nullptr) box_->uses.fetch_sub(1, std::memory_order_relaxed);
  }
  BoxUse(BoxUse&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  BoxUse& operator=(BoxUse&&) = delete;

 private:
  BoxObj* box_;
};

template <class P>
concept BoxReference = std::is_lvalue_reference_v<P> && InBox<std::decay_t<P>>;
template <class P>
concept BoxPointer = std::is_pointer_v<std::decay_t<P>> &&
                     InBox<std::remove_const_t<std::remove_pointer_t<std::decay_t<P>>>>;

template <class F, bool kConst>
TAIN_COLD Mismatch BoxedMismatch(const TainAny* a) {
  return BoxMismatch<F>(a, !kConst, BoxKeyOf<F>());
}

/// A boxed object by reference; never null.
template <class P, int32_t kIndex>
  requires BoxReference<P>
struct Argument<P, kIndex, false> {
  using F = std::decay_t<P>;
  static constexpr bool kConst = std::is_const_v<std::remove_reference_t<P>>;
  BoxObj* box;
  F* object;
  BoxUse use;

  static BoxObj* Find(const TainFunctionInfo* info, const TainAny* args) {
    BoxObj* found = BoxIn<F>(args[kIndex]);
    if (TAIN_UNLIKELY(found == nullptr || found->target == nullptr ||
                      (!kConst && found->read_only))) {
      ThrowArgument(info, kIndex, &BoxedMismatch<F, kConst>, args[kIndex]);
    }
    return found;
  }
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : box(Find(info, args)), object(Opened<F>(box, !kConst)), use(box) {}
  P Forward() noexcept { return *object; }
};

/// A boxed object by pointer; null is None.
template <class P, int32_t kIndex>
  requires BoxPointer<P>
struct Argument<P, kIndex, false> {
  using T = std::decay_t<P>;
  using F = std::remove_const_t<std::remove_pointer_t<T>>;
  T value;
  BoxUse use;

  static T Convert(const TainFunctionInfo* info, const TainAny* args) {
    if (!TypeTraits<T>::CheckAnyStrict(&args[kIndex])) {
      ThrowArgument(info, kIndex, &MismatchOf<T>, args[kIndex]);
    }
    return TypeTraits<T>::CopyFromAnyViewAfterCheck(&args[kIndex]);
  }
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : value(Convert(info, args)), use(BoxIn<F>(args[kIndex])) {}
  P&& Forward() noexcept { return static_cast<P&&>(value); }
};

template <class T>
inline constexpr bool kIsBoxOwner = false;
template <class C>
inline constexpr bool kIsBoxOwner<std::unique_ptr<C>> = InBox<std::remove_const_t<C>>;

/// A std::unique_ptr takes the object when all arguments have been converted.
template <class P, int32_t kIndex>
  requires kIsBoxOwner<std::decay_t<P>>
struct Argument<P, kIndex, false> {
  using T = std::decay_t<P>;
  using Traits = TypeTraits<T>;
  const TainAny* value;
  T taken;

  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : value(&args[kIndex]) {
    if (!Traits::CheckAnyStrict(value)) ThrowArgument(info, kIndex, &MismatchOf<T>, *value);
  }
  P&& Forward() {
    taken = Traits::CopyFromAnyViewAfterCheck(value);
    return static_cast<P&&>(taken);
  }
};

}  // namespace tain::internal
