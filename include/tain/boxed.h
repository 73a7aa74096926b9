// SPDX-License-Identifier: Apache-2.0
// Boxed<T>: registers a class that cannot derive from tain::Object, such as one of a library.
//
//   ObjectDef<tain::Boxed<lib::Matrix>>("lib.Matrix", "A matrix.")
//       .def_init<int, int>()
//       .def("rows", &lib::Matrix::rows)
//       .def_rw("name", &lib::Matrix::name);
// The members are those of T. Functions take a T&, const T&, T*, T, std::shared_ptr<T> or
// std::unique_ptr<T>, and return them. A result by value, or by a smart pointer, owns its object; a
// reference or a pointer keeps alive what the function got as arguments. tain.h does not include
// this header; where it is included, every class without TypeTraits crosses in a box.
#pragma once

#include <limits>

// First, so that fewer lines of a compile error say which header includes which.
#include "tain/any.h"

#include "tain/internal/box_arguments.h"
#include "tain/internal/box_fields.h"
#include "tain/internal/box_kept.h"
#include "tain/internal/box_override.h"
#include "tain/override.h"
#include "tain/reflection/object_def.h"

namespace tain {

/// The type of the boxes of an F. Key and index are known once the class has been registered.
template <class F>
struct TypeOf<Boxed<F>> {
  using Parent = Object;
  static constexpr bool kOwn = true;
  static constexpr const char* kKey = "tain.Boxed";
  static constexpr int32_t kDepth = 1;
  static constexpr bool kFinal = false;
  static constexpr int32_t kChildSlots = 0;
  static constexpr bool kChildSlotsCanOverflow = true;
  static int32_t Index() noexcept {
    const internal::BoxType* type = internal::FindBoxTypeOf<F>();
    return type == nullptr ? (std::numeric_limits<int32_t>::max)() : type->type_index;
  }
  static std::string Key() { return internal::BoxKeyOf<F>(); }
};

namespace internal {

template <class P, class F>
  requires InBox<F>
inline constexpr bool kTakesBox<P, F> = kTakesReceiver<P, Boxed<F>>;

/// TainTypeDef::construct_default of a class whose objects are in boxes of the type B.
template <class B>
int ConstructDefaultBox(void* body, const TainTypeRecord*) {
  try {
    ::new (body) B(std::in_place);
    return 0;
  } catch (...) {
    return RaiseHandled();
  }
}

template <class F>
struct BoxCode {
  static void Destroy(void* body, const TainTypeRecord*) {
    if constexpr (HasValue<F>) static_cast<BoxedValue<F>*>(body)->~BoxedValue();
  }
  /// Returns the object of a box from which a copy can be made. Throws the error if there is none.
  static const F& Source(const BoxObj* box) {
    const F& object = *Opened<F>(box, false);
    if (!HasValue<F> || !CopyableBox<F>) ThrowNotCopyable(BoxTypeOf<F>().key);
    if (!IsWhole(object, box)) ThrowSlicedCopy(BoxTypeOf<F>().key);
    return object;
  }
  static int Copy(void* body, const void* source, const TainTypeRecord*) {
    try {
      [[maybe_unused]] const F& object = Source(static_cast<const Boxed<F>*>(source));
      if constexpr (HasValue<F> && CopyableBox<F>) {
        ::new (body) BoxedValue<F>(std::in_place, object);
      }
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
  /// `__ffi_shallow_copy__`, for copy.copy.
  static Any CopyBox(const Boxed<F>& box) {
    [[maybe_unused]] const F& object = Source(&box);
    TainAny made{};
    if constexpr (HasValue<F> && CopyableBox<F>) TypeTraits<F>::MoveToAny(object, &made);
    Any copy = Any::Steal(made);
    if (TainObject* header = HeaderOfArgument(made)) {
      KeepAsCopy(static_cast<BoxObj*>(ObjectAccess::FromHeader(header)), &box);
    }
    return copy;
  }
  template <bool kCopies>
  static constexpr TainTypeDef Def() noexcept {
    TainTypeDef def{};
    def.flags = kTainTypeBoxed;
    def.destroy = &Destroy;
    if constexpr (kCopies) def.copy = &Copy;  // of a class without copies it raises the error
    if constexpr (HasValue<F>) {
      def.deleter = &DeleteObject<BoxedValue<F>>;
      if constexpr (std::is_default_constructible_v<F>) {
        def.construct_default = &ConstructDefaultBox<BoxedValue<F>>;
      }
    } else {
      def.deleter = &DeleteObject<BoxedReference>;
      if constexpr (std::is_abstract_v<F>) def.flags |= kTainTypeAbstract;
    }
    return def;
  }
};
template <class F, bool kCopies>
TAIN_HIDDEN inline constexpr TainTypeDef kTypeDef<Boxed<F>, kCopies> =
    BoxCode<F>::template Def<kCopies>();

/// Destroys the object of a box that owns it, before the box.
template <class F, class P>
void EndBox(BoxObj* box) noexcept {
  if constexpr (!std::is_void_v<P>) {
    if (box->kind == BoxKind::kOverridden) BoxedOverridden<F, P>::End(box);
  }
  if (box->kind == BoxKind::kUnique) static_cast<BoxedUnique*>(box)->End();
  if (box->kind == BoxKind::kShared) static_cast<BoxedShared*>(box)->held.reset();
  if constexpr (HasValue<F>) {
    if (box->kind == BoxKind::kValue) BoxedValue<F>::End(box);
  }
}

/// kPublicBase: whether the class that an option names is a public base of F. kPlainBase: whether
/// it is not a virtual base. Both are true for options that name no base.
template <class F, class Option>
inline constexpr bool kPublicBase = true;
template <class F, class B>
inline constexpr bool kPublicBase<F, boxed_base<B>> =
    std::is_base_of_v<B, F> && std::is_convertible_v<F*, B*>;
template <class F, class Option>
inline constexpr bool kPlainBase = true;
template <class F, class B>
inline constexpr bool kPlainBase<F, boxed_base<B>> =
    !kPublicBase<F, boxed_base<B>> || requires(B* base) { static_cast<F*>(base); };

/// Sets the base of a request if an option names it.
template <class F, class Option>
void AddBase(BoxRequest&, const Option&) noexcept {}
template <class F, class B>
void AddBase(BoxRequest& request, const boxed_base<B>&) noexcept {
  if constexpr (kPublicBase<F, boxed_base<B>> && kPlainBase<F, boxed_base<B>>) {
    request.base = FindBoxTypeOf<B>();
    request.base_name = NameInCpp<B>();
    request.base_offset = BaseOffset<F, B>();
  }
}

/// Registers the type of a boxed class. P is the class of which Python makes objects, if it is not F
/// itself.
template <class F, class P = void, class... Options>
const BoxType* DeclareBox(const char* key, const Options&... options) noexcept {
  // Bools, because compilers explain at length why a concept does not hold.
  constexpr bool kForeign = Boxable<F>;
  constexpr bool kFree = !kForeign || InBox<F>;
  constexpr bool kPublic = (kPublicBase<F, Options> && ...);
  constexpr bool kPlain = (kPlainBase<F, Options> && ...);
  static_assert(kForeign, "Boxed<T>: T must be a class that is not of tain or of namespace std");
  static_assert(kFree, "Boxed<T>: T crosses already by its own tain::TypeTraits");
  static_assert(kPublic, "boxed_base<B>: B is no public base class");
  static_assert(kPlain, "boxed_base<B>: B is a virtual base class, which a box cannot have");
  if constexpr (InBox<F>) {
    BoxRequest request{};
    request.key = key;
    request.cpp_name = MangledNameOf<F>();
    request.shown_name = NameInCpp<F>();
    (AddBase<F>(request, options), ...);
    using Box = std::conditional_t<!std::is_void_v<P>, BoxedOverridden<F, P>,
                                   std::conditional_t<HasValue<F>, BoxedValue<F>, BoxObj>>;
    request.size = sizeof(Box);
    request.alignment = alignof(Box);
    request.end = &EndBox<F, P>;
    if constexpr (HasValue<F>) request.move_out = MoveOutOf<F>();
    request.unit = ThisUnit();
    const BoxType* type = DeclareBoxType(request);
    if (type != nullptr) BoxSlot<F>::type.store(type, std::memory_order_release);
    if constexpr (!std::is_void_v<P>) {
      if (type != nullptr) DeclareOverriding<F, P>(*type);
    }
    return type;
  } else {
    return nullptr;
  }
}

/// The pointer to itself of a class with std::enable_shared_from_this is no state.
template <class F>
void MarkStateOfSharer(unsigned char* bytes) noexcept {
  MarkState<F>(bytes);
  using Base = std::enable_shared_from_this<
      typename decltype(std::declval<F&>().weak_from_this())::element_type>;
  if constexpr (std::is_convertible_v<F*, Base*>) {
    StateProbe<F> probe;
    auto* base = reinterpret_cast<unsigned char*>(static_cast<Base*>(&probe.object));
    std::memset(bytes + (base - reinterpret_cast<unsigned char*>(&probe)), 0, sizeof(Base));
  }
}

/// An iterator over the range of a boxed object, which holds the box.
template <class F, class G>
auto IterateOverBox(Boxed<F>& box, const G& get) {
  return IterateOver(*Opened<F>(&box, false), get,
                     ObjectRef(ObjectPtr<Object>(GetObjectPtr<Object>(&box))));
}

}  // namespace internal

/// Declares the key of a boxed class before its ObjectDef, for classes whose members name each
/// other. `options` may be boxed_base<B>(), as in ObjectDef. P is that of ObjectDef<Boxed<F, P>>.
template <class F, class P = void, class... Options>
void declare_boxed(const char* key, const Options&... options) noexcept {
  internal::DeclareBox<F, P>(key, options...);
}

template <class F, class P>
class Boxed : public Boxed<F> {
 protected:
  using Boxed<F>::Boxed;
};
template <class F, class P>
struct TypeOf<Boxed<F, P>> : TypeOf<Boxed<F>> {};

namespace internal {

/// P, or void if it does not derive from Overrides<F>.
template <class F, class P>
using OverridingClass = std::conditional_t<std::is_base_of_v<Overrides<F>, P>, P, void>;

template <class F, class P>
struct OverriddenCode {
  using Box = BoxedOverridden<F, P>;

  static void Destroy(void* body, const TainTypeRecord*) { static_cast<Box*>(body)->~Box(); }
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
  template <bool kCopies>
  static constexpr TainTypeDef Def() noexcept {
    TainTypeDef def{};
    def.flags = kTainTypeBoxed | kTainTypeOverridden;
    if constexpr (std::is_abstract_v<F>) def.flags |= kTainTypeAbstract;
    def.destroy = &Destroy;
    if constexpr (kCopies) def.copy = &Copy;
    def.deleter = &DeleteObject<Box>;
    if constexpr (std::is_default_constructible_v<P>) {
      def.construct_default = &ConstructDefaultBox<Box>;
    }
    return def;
  }
};
template <class F>
struct OverriddenCode<F, void> : BoxCode<F> {};  // after an error
template <class F, class P, bool kCopies>
  requires(!std::is_void_v<P>)
TAIN_HIDDEN inline constexpr TainTypeDef kTypeDef<Boxed<F, P>, kCopies> =
    OverriddenCode<F, OverridingClass<F, P>>::template Def<kCopies>();

/// The class that ObjectDef<Boxed<F, P>> describes.
template <class F, class P>
struct BoxedClass {
  using Self = F;
  using Made = std::conditional_t<std::is_void_v<P>, BoxedValue<F>, BoxedOverridden<F, P>>;
  using Constructed = std::conditional_t<std::is_void_v<P>, F, P>;
  static constexpr bool kBoxed = true;

  static Any CopyBox(const Boxed<F>& box) { return OverriddenCode<F, P>::CopyBox(box); }

  template <class... Options>
  static int32_t Index(const Options&... options) noexcept {
    if constexpr (Accepted<Options...>()) {
      const BoxType* type = DeclareBox<F, P>(options...);
      if (type != nullptr) return type->type_index;
    }
    return kTainNone;
  }
  template <class... Options>
  static const char* Key(const Options&... options) noexcept {
    if constexpr (Accepted<Options...>()) return FirstOf(options...);
    return "";
  }
  template <class... Options>
  static constexpr bool Accepted() noexcept {
    return TakesOptions(static_cast<ClassTag<std::remove_reference_t<Options>>*>(nullptr)...);
  }
  template <class... Options>
  static void AddTo(TypeSpec& spec, const char*, Options&&... options) {
    (spec.Add(std::forward<Options>(options)), ...);
  }

  static TainTypeState State() noexcept {
    TainTypeState state = StateOf<F>();
    if constexpr (FindsItsOwner<F>) state.mark = &MarkStateOfSharer<F>;
    state.origin = Origin();
    return state;
  }
  static const char* Start(F* object) noexcept {
    const BoxType* type = FindBoxTypeOf<F>();
    return type == nullptr ? reinterpret_cast<const char*>(object)
                           : static_cast<const char*>(TargetOf(object, *type));
  }
  static int64_t Origin() noexcept {
    const BoxType* type = FindBoxTypeOf<F>();
    return type == nullptr ? 0 : -type->shift;
  }

 private:
  template <class... Options>
  static const char* FirstOf(const char* key, const Options&...) noexcept {
    return key == nullptr ? "" : key;
  }
  template <class K, class... Options>
  static constexpr bool TakesOptions(ClassTag<K>*, ClassTag<Options>*...) noexcept {
    return std::is_convertible_v<const K&, const char*> && Accepts<TypeSpec, Options...>;
  }
  static constexpr bool TakesOptions() noexcept { return false; }
};
template <class F>
struct DefinedClass<Boxed<F>> : BoxedClass<F, void> {};
template <class F, class P>
  requires(!std::is_void_v<P> && !std::is_void_v<OverridingClass<F, P>>)
struct DefinedClass<Boxed<F, P>> : BoxedClass<F, P> {
  /// The state is that of the F; what P adds is that of its box and of its overrides.
  static TainTypeState State() noexcept {
    if constexpr (std::is_abstract_v<F>) {
      TainTypeState state = StateOf<P>();
      state.size = sizeof(F);
      state.mark = [](unsigned char* bytes) noexcept {
        unsigned char all[sizeof(P)];
        MarkState<P>(all);
        std::memcpy(bytes, all, sizeof(F));
      };
      state.origin = BoxedClass<F, P>::Origin();
      return state;
    } else {
      return BoxedClass<F, P>::State();
    }
  }
};

template <class F, class P>
  requires(!std::is_void_v<P> && std::is_void_v<OverridingClass<F, P>>)
struct DefinedClass<Boxed<F, P>> : DefinedClass<Boxed<F>> {
  static constexpr bool kOverrides = std::is_void_v<P>;
  static_assert(kOverrides, "Boxed<F, P>: P must derive from tain::Overrides<F>");
};

}  // namespace internal
}  // namespace tain
