// SPDX-License-Identifier: Apache-2.0
// How boxed classes cross: by value, as pointers and references, as std::unique_ptr and
// std::shared_ptr.
#pragma once

#include <utility>

#include "tain/internal/box.h"
#include "tain/internal/store_result.h"

namespace tain::internal {

/// Whether C++ may keep the object of a box, or take it over: not if it ends with a call.
inline bool MayShare(const BoxObj* box) noexcept { return box->loan == BoxLoan::kNone; }

template <class F>
concept MovableBox = requires(F& object) { new F(std::move(object)); };

/// Whether the value of a kValue box can be moved to the heap for a std::unique_ptr<F>.
template <class F>
bool MayMoveOut(const BoxObj* box) noexcept {
  const bool is_deletable =
      std::has_virtual_destructor_v<F> || box->type_index() == FindBoxTypeOf<F>()->type_index;
  return is_deletable && FindBoxMoveOut(box->type_index()) != nullptr;
}

/// Returns the mismatch of a value for a parameter that takes an F. A read-only box does not fit if
/// `change` is set. `is_held` tells that the call itself refers to its arguments.
template <class F>
TAIN_COLD Mismatch BoxMismatch(const TainAny* a, bool change, std::string expected,
                               bool is_held = false) {
  const BoxType* type = FindBoxTypeOf<F>();
  if (type == nullptr) return Mismatch(std::move(expected));
  if (const BoxObj* box = BoxIn<F>(*a)) {
    if (box->target == nullptr && box->loan != BoxLoan::kOver) {
      return Mismatch::Because(expected + " that was not given away");
    }
    if (change && box->read_only) return Mismatch::Because(expected + " that is not read-only");
    if (box->kind == BoxKind::kGiven) {
      return Mismatch(std::move(expected)).Got("one that a std::unique_ptr of C++ owns");
    }
    if (!MayShare(box)) {
      return Mismatch(std::move(expected)).Got("one that C++ lent for the length of a call");
    }
    const bool stays = box->kind == BoxKind::kValue && !MayMoveOut<F>(box);
    if (stays) return Mismatch::Because(expected + " whose object can be moved to the heap");
    return Mismatch::Because(expected + " that only this argument refers to" +
                             (is_held
                                  ? " (a function with release_gil() refers to its arguments "
                                    "itself: let it release the GIL inside, by "
                                    "tain::WithoutGil of tain/gil.h, or pass a value of x._move())"
                                  : ""));
  }
  return ClassMismatch(a, type->type_index, std::move(expected));
}

template <class F>
concept CopyableBox = std::is_copy_constructible_v<F>;

/// Makes a box of an object that a std::unique_ptr owned.
template <class F, class D>
ObjectPtr<Object> BoxUnique(std::unique_ptr<F, D> owned) {
  using Bare = std::remove_const_t<F>;
  constexpr bool kConst = std::is_const_v<F>;
  const BoxPlace place = PlaceOf<Bare>(owned.get());
  if (place.own() != nullptr) {
    owned.release();
    return TakeBack(place.own(), place.link->is_in_box());
  }
  if constexpr (std::is_same_v<D, std::default_delete<F>>) {
    const auto destroy = [](void* held) {
      EndQuietly<Bare>([held] { delete static_cast<Bare*>(held); });
    };
    auto made = NewBox<BoxedUnique>(place.type_index, place.target, kConst, nullptr, +destroy,
                                    MangledNameOf<Bare>());
    auto* box = static_cast<BoxedUnique*>(static_cast<BoxObj*>(made.get()));
    box->held = const_cast<Bare*>(owned.release());
    if (place.link != nullptr) {
      box->is_known = true;
      place.link->Tie(box, false);
    }
    return made;
  } else {
    return NewBox<BoxedShared>(place.type_index, place.target, kConst,
                               std::shared_ptr<const void>(std::move(owned)));
  }
}

/// Gives an object that knows its box to C++: from now on it owns the box. Returns false for other
/// objects.
template <class F>
bool GiveAway(BoxObj* box, const F* object) {
  const bool knows = box->kind == BoxKind::kOverridden ||
                     (box->kind == BoxKind::kUnique && PlaceOf(object).own() == box);
  if (knows) GiveBox(box);
  return knows;
}

/// Returns how boxes of an F are moved to the heap; null if an F cannot be moved.
template <class F>
constexpr BoxMoveOut MoveOutOf() noexcept {
  if constexpr (MovableBox<F>) {
    return [](BoxObj* box) -> void* {
      const BoxType& type = BoxTypeOf<F>();
      return TargetOf(new F(std::move(*ObjectAt<F>(box->target, type))), type);
    };
  } else {
    return nullptr;
  }
}

/// Whether the std::unique_ptr<F> of a parameter may take the object of a box.
template <class F>
bool MayTake(const BoxObj* box) noexcept {
  if (box == nullptr || box->target == nullptr || box->read_only || !MayShare(box) ||
      box->use_count() != 1 || box->uses.load(std::memory_order_relaxed) != 0) {
    return false;
  }
  if (box->kind == BoxKind::kOverridden) return std::has_virtual_destructor_v<F>;
  if (box->kind == BoxKind::kUnique) {
    return AreOneName(static_cast<const BoxedUnique*>(box)->type, MangledNameOf<F>()) ||
           std::has_virtual_destructor_v<F>;
  }
  return box->kind == BoxKind::kValue && MayMoveOut<F>(box);
}
/// Takes the object out of a box, for which MayTake holds.
template <class F>
std::unique_ptr<F> TakeOut(BoxObj* box) {
  if (!MayTake<F>(box)) ThrowNoTarget(box);
  F* object = ObjectAt<F>(box->target, *FindBoxTypeOf<F>());
  if (GiveAway(box, object)) return std::unique_ptr<F>(object);
  if (box->kind == BoxKind::kUnique) {
    static_cast<BoxedUnique*>(box)->held = nullptr;
    box->target = nullptr;
    return std::unique_ptr<F>(object);
  }
  void* const target = FindBoxMoveOut(box->type_index())(box);
  std::unique_ptr<F> moved(ObjectAt<F>(target, *FindBoxTypeOf<F>()));
  box->target = nullptr;
  return moved;
}

/// Returns a std::shared_ptr to the object of a box. It shares the ownership, or keeps the box alive.
template <class F>
std::shared_ptr<F> ShareBox(BoxObj* box) {
  using Bare = std::remove_const_t<F>;
  Bare* object = ObjectAt<Bare>(box->target, *FindBoxTypeOf<Bare>());
  if (box->kind == BoxKind::kShared) {
    return std::shared_ptr<F>(static_cast<BoxedShared*>(box)->held, object);
  }
  if constexpr (requires { object->weak_from_this().lock(); }) {
    if (auto shared = object->weak_from_this().lock()) {
      return std::shared_ptr<F>(std::move(shared), object);
    }
  }
  return std::shared_ptr<F>(object, BoxKeeper{ObjectPtr<Object>(box)});
}
/// Returns the box of a std::shared_ptr: the one that it keeps alive, or a new one.
template <class F>
ObjectPtr<Object> BoxShared(std::shared_ptr<F> shared) {
  using Bare = std::remove_const_t<F>;
  const BoxPlace place = PlaceOf<Bare>(shared.get());
  if (const auto* keeper = std::get_deleter<BoxKeeper>(shared)) {
    const auto* box = static_cast<const BoxObj*>(keeper->box.get());
    if (box != nullptr && box->target == place.target && box->type_index() == place.type_index) {
      return keeper->box;
    }
  }
  if (BoxObj* own = place.own()) return SharedAgain(own, shared.use_count());
  const bool is_stored = shared.use_count() > 1;
  auto made =
      BoxOfShared(place, std::is_const_v<F>, std::shared_ptr<const void>(std::move(shared)));
  if (is_stored) static_cast<BoxObj*>(made.get())->is_stored = true;
  return made;
}

template <class P>
concept BoxReference = std::is_lvalue_reference_v<P> && InBox<std::decay_t<P>>;

/// The class of the boxed object in a result that owns it; void for any other result. Of several in
/// a container or a tuple, the first one.
template <class R>
struct OwnedInBox {
  using Type = void;
};
template <class R>
  requires InBox<R>
struct OwnedInBox<R> {
  using Type = R;
};
/// Of an Any nobody knows.
template <>
struct OwnedInBox<Any> {
  using Type = Any;
};
template <class First, class... Rest>
struct FirstOwned {
  using Type = typename OwnedInBox<First>::Type;
};
template <class First, class Second, class... Rest>
  requires std::is_void_v<typename OwnedInBox<First>::Type>
struct FirstOwned<First, Second, Rest...> : FirstOwned<Second, Rest...> {};
template <template <class...> class Template, class... A>
  requires(!InBox<Template<A...>> && sizeof...(A) > 0)
struct OwnedInBox<Template<A...>> : FirstOwned<std::remove_const_t<A>...> {};

/// Whether an argument is an object by value or in a smart pointer, or a container of such.
template <class P>
inline constexpr bool kHandsOver = !BoxReference<P> && !RefersTo<P> &&
                                   !std::is_void_v<typename OwnedInBox<std::decay_t<P>>::Type> &&
                                   !std::is_same_v<typename OwnedInBox<std::decay_t<P>>::Type, Any>;

/// By value: the box of a result contains it; a parameter gets a copy.
template <Boxable F>
struct OtherTraits<F> : StrictTraits<F> {
  static constexpr bool kInBox = true;
  static constexpr bool kBorrows = true;
  static constexpr bool kViewable = false;
  static constexpr bool kStorable = CopyableBox<F>;

  template <class V>
  static void MoveToAny(V&& value, TainAny* out) {
    constexpr bool kMade = HasValue<F> && std::is_constructible_v<F, V&&>;
    static_assert(kMade,
                  "a boxed class that crosses by value needs a copy or move constructor and a "
                  "destructor: use a reference, std::unique_ptr or std::shared_ptr");
    if constexpr (kMade) {
      ObjectToAny(
          NewBox<BoxedValue<F>>(BoxTypeOf<F>().type_index, std::in_place, static_cast<V&&>(value)),
          out);
    }
  }
  static void StoreBorrowed(const F& object, const TainAny* args, int32_t num_args, TainAny* out) {
    StoreReference(&object, true, args, num_args, out);
  }
  static void StoreBorrowed(F& object, const TainAny* args, int32_t num_args, TainAny* out) {
    StoreReference(&object, false, args, num_args, out);
  }
  static int32_t ClassIndex() { return BoxTypeOf<F>().type_index; }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    const BoxObj* box = BoxIn<F>(*a);
    return box != nullptr && box->target != nullptr;
  }
  static F CopyFromAnyViewAfterCheck(const TainAny* a) {
    constexpr bool kCopies = CopyableBox<F>;
    static_assert(kCopies, "this boxed class cannot be copied: take it as T&, const T& or T*");
    if constexpr (kCopies) {
      return F(*static_cast<const F*>(Opened<F>(BoxIn<F>(*a), false)));
    } else {
      throw 0;  // never compiled: keeps the compiler's output short
    }
  }
  static std::string TypeStr() { return BoxKeyOf<F>(); }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return BoxMismatch<F>(a, false, BoxKeyOf<F>());
  }
};

/// The common traits of P, a pointer to a C; None is null.
template <class P, class C>
struct BoxPointerTraits : StrictTraits<P> {
  using F = std::remove_const_t<C>;
  static constexpr bool kConst = std::is_const_v<C>;
  static constexpr bool kNullable = true;
  static constexpr bool kViewable = false;
  static int32_t ClassIndex() { return BoxTypeOf<F>().type_index; }
  static std::string TypeStr() { return BoxKeyOf<F>() + " | None"; }
};

/// As a result a pointer owns nothing.
template <class C>
  requires InBox<std::remove_const_t<C>>
struct OtherTraits<C*> : BoxPointerTraits<C*, C> {
  using F = std::remove_const_t<C>;
  static constexpr bool kConst = std::is_const_v<C>;
  static constexpr bool kStorable = false;
  static constexpr bool kRefers = true;
  static constexpr bool kBorrows = true;

  static void MoveToAny(C* object, TainAny* out) {
    StoreReference<F>(object, kConst, nullptr, 0, out);
  }
  static void StoreBorrowed(C* object, const TainAny* args, int32_t num_args, TainAny* out) {
    StoreReference<F>(object, kConst, args, num_args, out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (a->type_index == kTainNone) return true;
    const BoxObj* box = BoxIn<F>(*a);
    return box != nullptr && box->target != nullptr && (kConst || !box->read_only);
  }
  static C* CopyFromAnyViewAfterCheck(const TainAny* a) {
    if (a->type_index == kTainNone) return nullptr;
    return Opened<F>(BoxIn<F>(*a), !kConst);
  }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return BoxMismatch<F>(a, !kConst, OtherTraits::TypeStr());
  }
};

}  // namespace tain::internal

namespace tain {

/// A std::shared_ptr shares the ownership.
template <class C>
  requires internal::InBox<std::remove_const_t<C>>
struct TypeTraits<std::shared_ptr<C>> : internal::BoxPointerTraits<std::shared_ptr<C>, C> {
  using F = std::remove_const_t<C>;

  static void MoveToAny(std::shared_ptr<C> shared, TainAny* out) {
    *out = TainAny{};
    if (shared != nullptr) internal::ObjectToAny(internal::BoxShared(std::move(shared)), out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (!TypeTraits<C*>::CheckAnyStrict(a)) return false;
    const internal::BoxObj* box = internal::BoxIn<F>(*a);
    return box == nullptr || internal::MayShare(box);
  }
  static std::shared_ptr<C> CopyFromAnyViewAfterCheck(const TainAny* a) {
    if (a->type_index == kTainNone) return nullptr;
    return internal::ShareBox<C>(internal::BoxIn<F>(*a));
  }
  static Mismatch ExplainMismatch(const TainAny* a) { return TypeTraits<C*>::ExplainMismatch(a); }
};

/// A std::unique_ptr owns the object that it brings; as a parameter it takes the object out of its
/// box.
template <class C, class D>
  requires internal::InBox<std::remove_const_t<C>>
struct TypeTraits<std::unique_ptr<C, D>> : internal::BoxPointerTraits<std::unique_ptr<C, D>, C> {
  using F = std::remove_const_t<C>;
  static constexpr bool kStorable = false;
  static constexpr bool kBorrows = true;

  static void MoveToAny(std::unique_ptr<C, D> owned, TainAny* out) {
    *out = TainAny{};
    if (owned != nullptr) internal::ObjectToAny(internal::BoxUnique(std::move(owned)), out);
  }
  /// A reference to a std::unique_ptr is a reference to its object.
  static void StoreBorrowed(const std::unique_ptr<C, D>& owner, const TainAny* args,
                            int32_t num_args, TainAny* out) {
    internal::StoreReference<F>(owner.get(), std::is_const_v<C>, args, num_args, out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainNone || internal::MayTake<F>(internal::BoxIn<F>(*a));
  }
  static std::unique_ptr<C, D> CopyFromAnyViewAfterCheck(const TainAny* a) {
    static_assert(std::is_same_v<D, std::default_delete<C>>,
                  "a parameter std::unique_ptr of a boxed class has the standard deleter");
    if (a->type_index == kTainNone) return nullptr;
    return internal::TakeOut<F>(internal::BoxIn<F>(*a));
  }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return internal::BoxMismatch<F>(a, true, TypeTraits<C*>::TypeStr());
  }
};

}  // namespace tain
