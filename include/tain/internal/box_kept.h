// SPDX-License-Identifier: Apache-2.0
// The arguments that boxes keep alive: the object that a call made or changed may point into them.
//
// A constructor, and a function whose result owns a boxed object, may store a pointer or a reference
// to a boxed argument in that object; a method that returns nothing, or its receiver, may store one
// in the receiver. An argument `const T&` of the object's own class is taken for a value, as in
// `Vec operator+(const Vec&, const Vec&)`; so is a small plain object that a method takes, as in
// `void move_to(const Vec&)`, because each call would keep one more. Of values and of smart pointers
// it keeps what their boxes keep. An object that is aligned for less than a pointer has none.
// no_keep_alive() says that nothing is stored.
#pragma once

#include "tain/internal/box_arguments.h"
#include "tain/internal/type_def.h"

namespace tain::internal {

/// The class of the object that a callable constructs in a box; void for any other callable.
template <class F>
struct ConstructedInBox {
  using Type = void;
};
template <class B, class... A>
  requires std::is_base_of_v<BoxObj, B>
struct ConstructedInBox<InPlace<B, A...>> {
  using Type = typename B::Target;
  using Box = B;
};
template <class B, class... A>
  requires std::is_base_of_v<BoxObj, B>
struct InPlace<B, A...> {
  void* body;
  void operator()(A... args) { ::new (body) B(std::in_place, static_cast<A&&>(args)...); }
};

template <class A, class B>
inline constexpr bool kSameFamily = std::is_base_of_v<A, B> || std::is_base_of_v<B, A>;

/// Whether an object of class T, which may be void, has room for a pointer.
template <class T>
consteval bool MayPoint() {
  if constexpr (std::is_void_v<T>) {
    return false;
  } else {
    return alignof(T) >= alignof(void*);
  }
}
/// Whether an object of a class is copied rather than referred to: a few numbers, such as a vector.
template <class T>
inline constexpr bool kPlainValue =
    std::is_trivially_copyable_v<T> && sizeof(T) <= 8 * sizeof(void*);

/// Whether an argument may be stored in an object of class T, which its call makes, or changes.
template <class P, class T, bool kChanges>
consteval bool MayStore() {
  using Argument = std::decay_t<P>;
  if constexpr (!MayPoint<T>()) {
    return false;
  } else if constexpr (BoxReference<P>) {
    if constexpr (!std::is_const_v<std::remove_reference_t<P>>) return true;
    return !kSameFamily<Argument, T> && !(kChanges && kPlainValue<Argument>);
  } else {
    return RefersTo<P>;
  }
}
/// Whether an object of class T, which a call makes or changes, may have a copy of an argument.
template <class P, class T, bool kChanges>
consteval bool MayCopy() {
  return MayPoint<T>() && (kHandsOver<P> || (BoxReference<P> && !MayStore<P, T, kChanges>()));
}

template <class T, bool kChanges, class... P>
consteval KeptBits KeptIn() {
  KeptBits bits{0, 0};
  uint64_t bit = 1;
  ((bits.stored |= MayStore<P, T, kChanges>() ? bit : 0,
    bits.copied |= MayCopy<P, T, kChanges>() ? bit : 0, bit <<= 1),
   ...);
  return bits;
}

template <class... P>
consteval uint64_t ConstReferences() {
  uint64_t bits = 0, bit = 1;
  ((bits |= BoxReference<P> && std::is_const_v<std::remove_reference_t<P>> ? bit : 0, bit <<= 1),
   ...);
  return bits;
}

/// The class of the receiver, if the signature is that of a method that sets something.
template <class R, class... P>
struct ChangedReceiver {
  using Type = void;
};
template <class R, class P0, class... P>
  requires(BoxReference<P0> && !std::is_const_v<std::remove_reference_t<P0>>)
struct ChangedReceiver<R, P0, P...> {
  using Self = std::decay_t<P0>;
  template <class Result>
  static consteval bool Sets() {
    using Bare = std::remove_cv_t<std::remove_pointer_t<std::decay_t<Result>>>;
    if constexpr (std::is_void_v<Result>) return true;
    if constexpr ((std::is_reference_v<Result> || std::is_pointer_v<Result>) && InBox<Bare>) {
      return kSameFamily<Bare, Self>;
    }
    return false;
  }
  using Type = std::conditional_t<Sets<R>(), Self, void>;
};

template <class F, class R, class... P>
  requires((BoxReference<P> || RefersTo<P> || kHandsOver<P>) || ...)
struct KeptArguments<F, Signature<R, P...>> {
  using Made = typename ConstructedInBox<std::remove_cv_t<F>>::Type;
  using Owned = std::conditional_t<std::is_reference_v<R> || std::is_pointer_v<R>, void,
                                   typename OwnedInBox<std::decay_t<R>>::Type>;
  using Changed =
      std::conditional_t<std::is_void_v<Made>, typename ChangedReceiver<R, P...>::Type, void>;
  static constexpr KeptBits kInMade = KeptIn<Made, false, P...>();
  static constexpr KeptBits kInResult = KeptIn<Owned, false, P...>();
  static constexpr KeptBits kInReceiver = KeptIn<Changed, true, P...>().WithoutFirst();
  /// Whether the result is a container of pointers, which keeps all arguments alive.
  static constexpr bool kRefersInside = RefersTo<R> && !std::is_pointer_v<std::decay_t<R>>;
  static constexpr bool kAny =
      kInMade.Any() || kInResult.Any() || kInReceiver.Any() || kRefersInside;

  static void Before(const TainFunctionInfo* info, const TainAny* args, int32_t num_args) {
    if constexpr (kInReceiver.Any()) {
      KeepInReceiver(info, args, num_args, kInReceiver, ConstReferences<P...>());
    }
  }
  static void After(F& f, const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                    TainAny* result) {
    if constexpr (kInMade.Any()) {
      using Box = typename ConstructedInBox<std::remove_cv_t<F>>::Box;
      auto* made = static_cast<Box*>(f.body);
      try {
        KeepInMade(made, info, args, num_args, kInMade);
      } catch (...) {  // whoever gave the memory has no object in it
        made->~Box();
        throw;
      }
    }
    if constexpr (kInResult.Any() || kRefersInside) {
      KeepInResult(info, *result, args, num_args, kInResult);
    }
  }
};

/// An argument that is lent for the length of the call: the value, and the boxes in it that end.
class LentArgument : NotCopied {
 public:
  AnyView view;

 protected:
  explicit LentArgument(Any&& made) : view(made), value_(std::move(made)) {
    lent_ = LendBoxesIn(value_.data());
  }
  ~LentArgument() { EndLoans(lent_); }

 private:
  Any value_, lent_;
};

/// A pointer, or a container of pointers.
template <NeedsOwnedCopy T>
  requires RefersTo<T>
struct ArgumentView<T> : LentArgument {
  explicit ArgumentView(const T& value) : LentArgument(Any(value)) {}
};
/// An object by value or as const: a copy, or lent if a copy would lack a part of it.
template <NeedsOwnedCopy T>
  requires InBox<T>
struct ArgumentView<T> : LentArgument {
  explicit ArgumentView(const T& object) : LentArgument(Passed(object)) {}

 private:
  static Any Passed(const T& object) {
    if constexpr (HasValue<T> && CopyableBox<T>) {
      if (IsExactly(object)) return Any(object);
    }
    return Any(&object);
  }
};
/// An object that the callee may change.
template <class T>
  requires InBox<T>
struct ArgumentView<T&> : LentArgument {
  explicit ArgumentView(T& object) : LentArgument(Any(&object)) {}
};
template <class T>
  requires InBox<T>
struct PassedAs<T&> {
  using View = ArgumentView<T&>;
};

}  // namespace tain::internal
