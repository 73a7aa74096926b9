// SPDX-License-Identifier: Apache-2.0
// ObjectDef<Boxed<F, P>>: the type of a boxed class F of which Python makes objects of P.
#pragma once

#include "tain/boxed.h"
#include "tain/override.h"

namespace tain {

namespace internal {
/// P, or void if it does not derive from Overrides<F>.
template <class F, class P>
using OverridingClass = std::conditional_t<std::is_base_of_v<Overrides<F>, P>, P, void>;
}  // namespace internal

template <class F, class P>
class Boxed : public Boxed<F> {
  static constexpr bool kOverrides = std::is_base_of_v<Overrides<F>, P>;
  static_assert(kOverrides, "Boxed<F, P>: P must derive from tain::Overrides<F>");

 protected:
  using Boxed<F>::Boxed;
};
template <class F, class P>
struct TypeOf<Boxed<F, P>> : TypeOf<Boxed<F>> {};

namespace internal {

template <class F, class P>
struct OverriddenCode {
  using Box = BoxedOverridden<F, P>;

  static void Destroy(void* body, const TainTypeRecord*) { static_cast<Box*>(body)->~Box(); }
  static int ConstructDefault(void* body, const TainTypeRecord*) {
    try {
      ::new (body) Box(std::in_place);
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
  /// Copies the object of a box with `make(object)`; the object is a P, or else exactly an F.
  template <class Make>
  static auto CopyOf(const BoxObj* box, const Make& make) {
    [[maybe_unused]] const F& object = *Opened<F>(box, false);
    if constexpr (std::is_copy_constructible_v<P>) {
#if TAIN_HAS_RTTI
      if (const auto* whole = dynamic_cast<const P*>(&object)) return make(*whole);
#else
      if (box->kind == BoxKind::kOverridden && box->type_index() == BoxTypeOf<F>().type_index) {
        return make(static_cast<const Box*>(box)->value);
      }
#endif
    }
    if constexpr (CopyableBox<F> && std::is_constructible_v<P, const F&>) {
      if (IsExactly(object)) return make(object);
      ThrowSlicedCopy(BoxTypeOf<F>().key);
    }
    ThrowNotCopyable(BoxTypeOf<F>().key);
    return make(*static_cast<const P*>(nullptr));  // never reached: gives the type
  }
  static int Copy(void* body, const void* source, const TainTypeRecord*) {
    try {
      CopyOf(static_cast<const Boxed<F>*>(source), [body](const auto& object) {
        if constexpr (std::is_constructible_v<P, decltype(object)>) {
          ::new (body) Box(std::in_place, object);
        }
      });
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
  /// `__ffi_shallow_copy__`, for copy.copy.
  static Any CopyBox(const Boxed<F>& box) {
    ObjectPtr<Object> copy = CopyOf(&box, [](const auto& object) {
      if constexpr (std::is_constructible_v<P, decltype(object)>) {
        return NewBox<Box>(BoxTypeOf<F>().type_index, std::in_place, object);
      } else {
        return ObjectPtr<Object>();
      }
    });
    KeepAsCopy(static_cast<BoxObj*>(copy.get()), &box);
    TainAny made{};
    ObjectToAny(std::move(copy), &made);
    return Any::Steal(made);
  }
  static constexpr TainTypeDef Def() noexcept {
    TainTypeDef def{};
    def.flags = kTainTypeBoxed | kTainTypeOverridden;
    if constexpr (std::is_abstract_v<F>) def.flags |= kTainTypeAbstract;
    def.destroy = &Destroy;
    def.copy = &Copy;
    def.deleter = &DeleteObject<Box>;
    if constexpr (std::is_default_constructible_v<P>) def.construct_default = &ConstructDefault;
    return def;
  }
};
template <class F>
struct OverriddenCode<F, void> : BoxCode<F> {};  // after an error
template <class F, class P>
  requires(!std::is_void_v<P>)
TAIN_HIDDEN inline constexpr TainTypeDef kTypeDef<Boxed<F, P>> =
    OverriddenCode<F, OverridingClass<F, P>>::Def();

template <class F, class P>
  requires(!std::is_void_v<P> && !std::is_void_v<OverridingClass<F, P>>)
struct DefinedClass<Boxed<F, P>> : DefinedClass<Boxed<F>> {
  using Made = BoxedOverridden<F, P>;
  using Constructed = P;

  template <class... Options>
  static int32_t Index(const Options&... options) noexcept {
    if constexpr (DefinedClass<Boxed<F>>::template Accepted<Options...>()) {
      const BoxType* type = DeclareBox<F, P>(options...);
      if (type != nullptr) return type->type_index;
    }
    return kTainNone;
  }
  static Any CopyBox(const Boxed<F>& box) { return OverriddenCode<F, P>::CopyBox(box); }
};

template <class F, class P>
  requires(!std::is_void_v<P> && std::is_void_v<OverridingClass<F, P>>)
struct DefinedClass<Boxed<F, P>> : DefinedClass<Boxed<F>> {};  // after an error

}  // namespace internal
}  // namespace tain
