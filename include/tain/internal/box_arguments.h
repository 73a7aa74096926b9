// SPDX-License-Identifier: Apache-2.0
// Parameters that refer to a boxed object, or take it over.
#pragma once

#include "tain/internal/box_traits.h"
#include "tain/internal/call_flags.h"
#include "tain/internal/invoke.h"

namespace tain::internal {

/// Whether a std::unique_ptr that takes the object of a box takes the object itself.
constexpr bool IsTakenAsIs(BoxKind kind) noexcept {
  return kind == BoxKind::kUnique || kind == BoxKind::kOverridden;
}

/// Counts a call that uses the object of a box, which a std::unique_ptr parameter must not take
/// meanwhile.
class BoxUse {
 public:
  explicit BoxUse(BoxObj* box) noexcept
      : box_(box != nullptr && IsTakenAsIs(box->kind) ? box : nullptr) {
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

/// ThrowArgument for an argument that is a boxed object. If it was lent for a call that has returned,
/// the error is a ValueError that says so.
[[noreturn]] TAIN_DLL void ThrowBoxArgument(const TainFunctionInfo* info, int32_t index,
                                            Explain explain, const TainAny& got);

/// A class whose objects find the std::shared_ptr that owns them.
template <class F>
concept FindsItsOwner = requires(F* object) { object->weak_from_this().lock(); };

/// The holder of an argument during the call.
template <class F>
struct BoxHold {
  BoxUse use;
  explicit BoxHold(BoxObj* box) : use(box) {}
};
/// An object that no std::shared_ptr owns has one for the call, which keeps the box alive, so that
/// shared_from_this() works.
template <FindsItsOwner F>
struct BoxHold<F> {
  BoxUse use;
  std::shared_ptr<F> owner;
  explicit BoxHold(BoxObj* box) : use(box) {
    if (box != nullptr && box->kind != BoxKind::kShared && MayShare(box)) {
      owner = ShareBox<F>(box);
    }
  }
};

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
  BoxHold<F> hold;

  static BoxObj* Find(const TainFunctionInfo* info, const TainAny* args) {
    BoxObj* found = BoxIn<F>(args[kIndex]);
    if (TAIN_UNLIKELY(found == nullptr || found->target == nullptr ||
                      (!kConst && found->read_only))) {
      ThrowBoxArgument(info, kIndex, &BoxedMismatch<F, kConst>, args[kIndex]);
    }
    return found;
  }
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : box(Find(info, args)), object(Opened<F>(box, !kConst)), hold(box) {}
  P Forward() noexcept { return *object; }
};

/// A boxed object by pointer; null is None.
template <class P, int32_t kIndex>
  requires BoxPointer<P>
struct Argument<P, kIndex, false> {
  using T = std::decay_t<P>;
  using F = std::remove_const_t<std::remove_pointer_t<T>>;
  T value;
  BoxHold<F> hold;

  static T Convert(const TainFunctionInfo* info, const TainAny* args) {
    CheckNotNone<T>(info, kIndex, args[kIndex]);
    if (!TypeTraits<T>::CheckAnyStrict(&args[kIndex])) {
      ThrowBoxArgument(info, kIndex, &MismatchOf<T>, args[kIndex]);
    }
    return TypeTraits<T>::CopyFromAnyViewAfterCheck(&args[kIndex]);
  }
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : value(Convert(info, args)), hold(BoxIn<F>(args[kIndex])) {}
  P&& Forward() noexcept { return static_cast<P&&>(value); }
};

template <class C>
inline constexpr bool kIsBoxOwner<std::unique_ptr<C>> = InBox<std::remove_const_t<C>>;

/// Whether another argument is the same object.
inline bool IsGivenTwice(const TainAny* args, int32_t num_args, int32_t index) noexcept {
  const TainObject* object = HeaderOfArgument(args[index]);
  if (object == nullptr) return false;
  for (int32_t i = 0; i < num_args; ++i) {
    if (i != index && HeaderOfArgument(args[i]) == object) return true;
  }
  return false;
}

/// The mismatch of a std::unique_ptr parameter of a function whose calls refer to their arguments.
template <class T>
TAIN_COLD Mismatch HeldMismatch(const TainAny* a) {
  return BoxMismatch<typename TypeTraits<T>::F>(a, true, TypeTraits<T>::TypeStr(), true);
}

/// A std::unique_ptr takes the object when all arguments have been converted.
template <class P, int32_t kIndex>
  requires kIsBoxOwner<std::decay_t<P>>
struct Argument<P, kIndex, false> {
  using T = std::decay_t<P>;
  using Traits = TypeTraits<T>;
  const TainAny* value;
  T taken;

  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t num_args, const TainAny*)
      : value(&args[kIndex]) {
    CheckNotNone<T>(info, kIndex, *value);
    if (!Traits::CheckAnyStrict(value) || IsGivenTwice(args, num_args, kIndex)) {
      ThrowArgument(info, kIndex, ReleasesGil(info) ? &HeldMismatch<T> : &MismatchOf<T>, *value);
    }
  }
  P&& Forward() {
    taken = Traits::CopyFromAnyViewAfterCheck(value);
    return static_cast<P&&>(taken);
  }
};

}  // namespace tain::internal
