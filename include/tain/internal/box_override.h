// SPDX-License-Identifier: Apache-2.0
// Boxes whose objects call overrides in Python: objects of a class P, derived from Overrides<F>.
//
// Such an object knows its box, whose wrapper has the overrides. The box contains it; if C++ takes
// it as a std::unique_ptr, it stays where it is and holds the box until C++ deletes it, so the
// wrapper lives as long. A std::shared_ptr of C++ holds the box as that of any boxed object does.
// An object that C++ made, and a copy, have no box and run the code of C++.
#pragma once

#include <mutex>
#include <new>

#include "tain/internal/box_kept.h"
#include "tain/virtual.h"

namespace tain::internal {

/// Throws NotImplementedError because a function without code in C++ was called. `box` may be null.
[[noreturn]] TAIN_DLL void ThrowPure(const BoxObj* box, std::string_view class_name,
                                     const char* name);
/// Throws TypeError because the override returned None for a reference.
[[noreturn]] TAIN_DLL void ThrowNullReference(const BoxObj* box, const char* name);
/// Reports the exception that is being handled, which cannot leave a noexcept function, as Python
/// reports an exception that it cannot raise.
TAIN_DLL void ReportInNoexcept(const BoxObj* box, const char* name) noexcept;
/// Makes the box keep what an override returned by pointer or reference.
TAIN_DLL void KeepReturned(BoxObj* box, const TainAny& value);
/// Whether an object is a box that its object knows, so that C++ finds the overrides.
TAIN_DLL bool KnowsItsBox(TainObject* object) noexcept;
/// Returns a lock for the values that an OverrideLink keeps.
TAIN_DLL std::mutex& KeptValueLock(const void* link) noexcept;

template <class T>
T& OverrideLink::Keep(const void* function, T&& value) {
  const std::lock_guard lock(KeptValueLock(this));
  for (Kept* kept = kept_.load(std::memory_order_relaxed); kept != nullptr; kept = kept->next) {
    if (kept->function != function) continue;
    T& present = static_cast<KeptValue<T>*>(kept)->value;
    if constexpr (requires { static_cast<bool>(present == value); }) {
      if (present == value) return present;  // others may read it
    }
    present = std::move(value);
    return present;
  }
  auto* made = new KeptValue<T>(function, std::move(value));
  made->next = kept_.load(std::memory_order_relaxed);
  kept_.store(made, std::memory_order_relaxed);
  return made->value;
}

/// B with an OverrideLink.
template <class B>
class OverridesOf : public B {
  static_assert(std::is_polymorphic_v<B>, "tain::Overrides<B>: B has no virtual functions");

 public:
  using TainBase = B;
  using B::B;
  OverridesOf() = default;
  /// For copies of an object of the class itself.
  explicit OverridesOf(const B& other)
    requires std::is_copy_constructible_v<B>
      : B(other) {}

  OverrideLink& TainLink() const noexcept { return link_; }

 protected:
  [[noreturn]] void TainThrowPure(const char* name) const {
    ThrowPure(link_.box(), NameInCpp<B>(), name);
  }

 private:
  mutable OverrideLink link_;
};

/// Frees the memory of an object as its class wants.
template <class B>
void FreeOverriding(void* memory) noexcept {
  if constexpr (requires { B::operator delete(memory); }) {
    B::operator delete(memory);
  } else if constexpr (alignof(B) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    ::operator delete(memory, std::align_val_t{alignof(B)});
  } else {
    ::operator delete(memory);
  }
}

/// The action of `delete` on an object of a class derived from Overrides<B>.
template <class B, class Self>
void DeleteOverriding(Self* self) {
  OverrideLink& link = self->TainLink();
  BoxObj* box = link.box();
  const bool is_in_box = link.is_in_box();
  const bool is_given = box != nullptr && box->kind == BoxKind::kGiven;
  if (box != nullptr && (is_given || is_in_box)) EndGiven(box);
  link.Untie();
  void* memory = dynamic_cast<void*>(self);
  self->~Self();
  if (!is_in_box) FreeOverriding<B>(memory);
  if (is_given) LeaveGiven(box);
}

/// A box that contains a P.
template <class F, class P>
class BoxedOverridden : public Boxed<F> {
 public:
  using Target = F;
  template <class... A>
  explicit BoxedOverridden(std::in_place_t, A&&... args)
      : Boxed<F>(nullptr, BoxKind::kOverridden, false), value(static_cast<A&&>(args)...) {
    this->target = TargetOf<F>(&value, BoxTypeOf<F>());
    this->is_known = true;
    value.TainLink().Tie(this, true);  // last, so that constructors reach C++
  }
  ~BoxedOverridden() noexcept {
    if (TAIN_LIKELY(this->kind == BoxKind::kOverridden)) End(this);
  }
  /// Destroys the value.
  static void End(BoxObj* box) noexcept {
    auto* self = static_cast<BoxedOverridden*>(box);
    self->kind = BoxKind::kEnded;
    self->value.TainLink().Untie();
    // It is exactly a P, which need not have a virtual destructor.
    EndQuietly<P>([self] { self->value.P::~P(); });
  }
  union {
    P value;
  };
};

template <class P>
OverrideLink* LinkOf(const void* whole) noexcept {
  return &static_cast<const P*>(whole)->TainLink();
}

/// Declares that objects of P are those of the boxed class F.
template <class F, class P>
void DeclareOverriding(const BoxType& type) noexcept {
  DeclareOverridingClass(type, BaseOffset<P, F>(), MangledNameOf<P>(), &LinkOf<P>, ThisUnit());
}

/// A std::unique_ptr that is passed. What the callee did not keep comes back.
template <class C>
class MovedArgument : NotCopied {
 public:
  AnyView view;

  explicit MovedArgument(std::unique_ptr<C>& from) : from_(&from), value_(std::move(from)) {
    view = AnyView(value_);
  }
  ~MovedArgument() { Restore(); }

  void Restore() const noexcept {
    using F = std::remove_const_t<C>;
    BoxObj* box = BoxIn<F>(value_.data());
    if (box == nullptr || box->kind == BoxKind::kValue || !MayTake<F>(box)) return;
    *from_ = TakeOut<F>(box);
    value_ = Any();
  }

 private:
  std::unique_ptr<C>* from_;
  mutable Any value_;
};
template <class C>
  requires InBox<std::remove_const_t<C>>
struct PassedAs<std::unique_ptr<C>> {
  using View = MovedArgument<C>;
};
template <class View>
void RestorePassed(const View&) noexcept {}
template <class C>
void RestorePassed(const MovedArgument<C>& passed) noexcept {
  passed.Restore();
}

// ---------------------------------------------------------------- the call

template <class R>
inline constexpr bool kReadsBoxReference = false;
template <class C>
inline constexpr bool kReadsBoxReference<C&> = InBox<std::remove_const_t<C>>;
template <class C>
inline constexpr bool kReadsBoxReference<C*> = InBox<std::remove_const_t<C>>;
/// A reference to a value, of which the object of the override keeps a copy.
template <class R>
inline constexpr bool kReadsKeptValue =
    std::is_lvalue_reference_v<R> && !kReadsBoxReference<R> && kOwningResult<std::decay_t<R>>;

/// Converts what an override returned. `Tag` is a type of the function's own.
template <class R, class Tag>
R ReadOverride(OverrideLink& link, BoxObj* box, const char* name, const Any& result) {
  if constexpr (kReadsBoxReference<R>) {
    using C = std::remove_pointer_t<std::remove_reference_t<R>>;
    C* object = OverrideResultAs<C*>(box, name, result);
    if (object != nullptr) KeepReturned(box, result.data());
    if constexpr (std::is_pointer_v<R>) {
      return object;
    } else {
      if (object == nullptr) ThrowNullReference(box, name);
      return *object;
    }
  } else if constexpr (kReadsKeptValue<R>) {
    static constexpr char kFunction = 0;
    if (box->target == nullptr) ThrowNoTarget(box);  // the override has ended its object
    return link.Keep(&kFunction, OverrideResultAs<std::decay_t<R>>(box, name, result));
  } else if constexpr (!std::is_void_v<R>) {
    return OverrideResultAs<R>(box, name, result);
  }
}

template <class R, class Tag, class... Passed>
R CallPythonWith(OverrideLink& link, BoxObj* box, const char* name, Tag& in_cpp,
                 const Passed&... passed) {
  const ObjectPtr<Object> held(box);  // the override may drop the last reference
  Any result;
  if (CallOverridePassed(box, name, &result, passed...)) {
    return ReadOverride<R, Tag>(link, box, name, result);
  }
  (RestorePassed(passed), ...);
  return in_cpp();
}

template <class A>
inline constexpr bool kPassesToPython = TypeTraits<std::decay_t<A>>::kCrosses;

/// Calls the override, or `in_cpp` if there is none.
template <class R, class Tag, class... A>
TAIN_NOINLINE R CallPython(OverrideLink& link, const char* name, Tag& in_cpp, A&&... args) {
  return CallPythonWith<R>(link, link.box(), name, in_cpp, PassedView<A>(args)...);
}

template <class R, class Tag, class... A>
TAIN_NOINLINE R CallPythonNoexcept(OverrideLink& link, const char* name, Tag& in_cpp,
                                   A&&... args) noexcept {
  try {
    return CallPythonWith<R>(link, link.box(), name, in_cpp, PassedView<A>(args)...);
  } catch (...) {
    ReportInNoexcept(link.box(), name);
  }
  return in_cpp();
}

/// The same for a noexcept function without code in C++. If Python has none either, or fails, it
/// returns an R{}.
template <class R, class Tag, class... A>
TAIN_NOINLINE R CallPureNoexcept(OverrideLink& link, const char* name, Tag& in_cpp,
                                 A&&... args) noexcept {
  constexpr bool kHasDefault = std::is_void_v<R> || std::is_default_constructible_v<R>;
  static_assert(kHasDefault,
                "TAIN_OVERRIDE: a noexcept function without code in C++ must return a class with a "
                "default constructor, because no error can leave it");
  if constexpr (kHasDefault) {
    try {
      if (link.box() == nullptr) in_cpp();
      return CallPythonWith<R>(link, link.box(), name, in_cpp, PassedView<A>(args)...);
    } catch (...) {
      ReportInNoexcept(link.box(), name);
    }
    return R();
  }
}

/// The code of a function that Python may override.
template <class R, bool kPure, bool kNoexcept, uint32_t kBit, class Tag, class... A>
inline R CallPythonOr(OverrideLink& link, const char* name, Tag&& in_cpp, A&&... args) {
  constexpr bool kResult = std::is_void_v<R> || kReadsBoxReference<R> || kIsBoxOwner<R> ||
                           kReadsKeptValue<R> || kOwningResult<R>;
  constexpr bool kArguments = (kPassesToPython<A> && ...);
  static_assert(kResult,
                "TAIN_OVERRIDE: the result does not come from Python: it is a view, which would "
                "dangle, or its type has no tain::TypeTraits");
  static_assert(kArguments, "TAIN_OVERRIDE: the type of a parameter" TAIN_INTERNAL_NOT_CROSSING);
  if constexpr (!kResult || !kArguments) {
    return in_cpp();
  } else if constexpr (kPure && kNoexcept) {
    return CallPureNoexcept<R>(link, name, in_cpp, static_cast<A&&>(args)...);
  } else {
    const BoxObj* box = link.box();
    if (TAIN_UNLIKELY(box != nullptr && MayOverride(box, kBit))) {
      if constexpr (kNoexcept) {
        return CallPythonNoexcept<R>(link, name, in_cpp, static_cast<A&&>(args)...);
      } else {
        return CallPython<R>(link, name, in_cpp, static_cast<A&&>(args)...);
      }
    }
    return in_cpp();
  }
}

}  // namespace tain::internal
