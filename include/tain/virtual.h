// SPDX-License-Identifier: Apache-2.0
// TAIN_VIRTUAL(name): a method that C++ calls and a Python subclass may override.
//
//   struct ShapeObj : tain::Object {
//     TAIN_VIRTUAL(area)                       // shape->area() reaches a Python override
//     virtual double area_impl() const;        // the C++ implementation
//     TAIN_OBJECT("geometry.Shape", ShapeObj, tain::Object);
//   };
// Register the method with def_virtual("area", &ShapeObj::area_impl). If no Python class overrides
// the method, a call costs one load and one test more than the C++ virtual call, and four more
// loads on an object of a Python class.
//
// Code inside the class that calls area() must come after the macro.
//
// The macro serves all overloads of area_impl, const or not, public or protected. A property is
// read by `area()` and assigned by `area(value)`. An abstract method has this body:
//     virtual double area_impl() const { TAIN_ABSTRACT(area); }
// and is registered with tain::abstract().
#pragma once

#include "tain/function.h"
#include "tain/internal/virtual_names.h"

namespace tain::internal {

/// Returns the bit of a method's name in a TainOverrideSet.
constexpr uint32_t OverrideBit(std::string_view name) noexcept { return HashOfText(name) & 255; }

/// Whether a class of the host overrides a method with this bit, or may do so.
inline bool IsInOverrideSet(TainOverrideSet& set, uint32_t bit) noexcept {
  const uint32_t expected = std::atomic_ref<uint32_t>(set.expected).load(std::memory_order_acquire);
  if (expected == 0) return true;
  const uint64_t names =
      std::atomic_ref<uint64_t>(set.names[bit >> 6]).load(std::memory_order_relaxed);
  const uint32_t* version =
      std::atomic_ref<const uint32_t*>(set.version).load(std::memory_order_acquire);
  return *static_cast<const volatile uint32_t*>(version) != expected ||
         ((names >> (bit & 63)) & 1) != 0;
}

/// Returns TainOverrideMask. It is no atomic read, with which compilers would need an instruction more
/// than for a constant. A call that runs while a class changes may see either value.
inline uint32_t OverrideMask() noexcept {
#if defined(__SANITIZE_THREAD__)
  return std::atomic_ref<uint32_t>(TainOverrideMask).load(std::memory_order_relaxed);
#else
  return TainOverrideMask;
#endif
}

// GCC 12 warns of what it inlines this into: of a reference that may be null it takes the read of the
// header for one of no memory at all. A call through null is a mistake anyway.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif
/// Whether the class of the object's wrapper overrides the method with this bit, or may do so.
inline bool MayOverride(const Object* object, uint32_t bit) noexcept {
  const uint32_t word = std::atomic_ref<uint32_t>(ObjectAccess::Header(object)->reserved)
                            .load(std::memory_order_acquire);
  if (TAIN_LIKELY((word & OverrideMask()) == 0)) return false;
  const uint32_t index = (word >> kTainHeaderSetShift) & (kTainOverrideSetCount - 1);
  return IsInOverrideSet(TainOverrideSets[index], bit);
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// Calls the override of `name`. Returns false if the class has none.
TAIN_DLL bool CallOverride(const Object* object, const char* name, const AnyView* args,
                           int32_t num_args, Any* result);
/// Throws because the result of an override does not fit the C++ result type.
[[noreturn]] TAIN_DLL void ThrowOverrideResult(const Object* object, const char* name,
                                               const Mismatch& mismatch, const TainAny& got);

/// Throws NotImplementedError because the C++ code of an abstract method was called.
[[noreturn]] TAIN_DLL void ThrowAbstract(const Object* object, const char* name);

template <class... P>
inline bool CallOverridePassed(const Object* object, const char* name, Any* result,
                               const P&... passed) {
  const AnyView views[sizeof...(P) + 1] = {passed.view..., AnyView()};
  return CallOverride(object, name, &views[0], sizeof...(P), result);
}

/// Whether a result of type R stays valid after the value that the override returned is dropped.
template <class R>
inline constexpr bool kOwningResult = Storable<R> && !std::is_reference_v<R>;
template <>
inline constexpr bool kOwningResult<void> = true;

template <class T>
inline T OverrideResultAs(const Object* object, const char* name, const Any& result) {
  auto value = TypeTraits<T>::TryCastFromAnyView(&result.data());
  if (!value) ThrowOverrideResult(object, name, MismatchOf<T>(&result.data()), result.data());
  return *std::move(value);
}
template <class R>
inline R OverrideResult(const Object* object, const char* name, const Any& result) {
  if constexpr (kOwningResult<R> && !std::is_void_v<R>) {
    return OverrideResultAs<std::decay_t<R>>(object, name, result);
  }
}

/// CallOverrideOr with views of the arguments. What they lend ends after the result was read.
template <class R, class F, class... Passed>
inline R CallOverrideWith(const Object* object, const char* name, F& in_cpp,
                          const Passed&... passed) {
  Any result;
  if (CallOverridePassed(object, name, &result, passed...)) {
    return OverrideResult<R>(object, name, result);
  }
  return in_cpp();
}

/// Calls the override, or `in_cpp` if there is none. Not inlined, so that its caller stays small
/// enough to be inlined.
template <class R, uint32_t kName, class Self, class F, class... A>
TAIN_NOINLINE R CallOverrideOr(const Self* object, const char* name, F&& in_cpp, A&&... args) {
  RecordCall<Self, kName>();
  constexpr bool kOwns = kOwningResult<R>;
  static_assert(kOwns,
                "TAIN_VIRTUAL: the result is a reference, a pointer or a view, which would dangle "
                "after a Python override: return a value, tain::String or Ref");
  return CallOverrideWith<R>(object, name, in_cpp, PassedView<A>(args)...);
}

/// Returns its argument. As a call its type depends on A.
template <class... A, class Self>
constexpr Self* DependOn(Self* self) noexcept {
  return self;
}

}  // namespace tain::internal

#define TAIN_INTERNAL_VIRTUAL_NAME(name, python_name)                    \
  static ::tain::internal::VirtualTag<#name, python_name> TainVirtualOf( \
      ::tain::internal::VirtualTag<#name, python_name>);

// nvcc looks at the body of a template before it is used, and refuses the const half of a pair if
// only the other half can be called. It does not look at an expression that depends on TainA.
#if defined(__CUDACC__)
#define TAIN_INTERNAL_THIS ::tain::internal::DependOn<TainA...>(this)
#else
#define TAIN_INTERNAL_THIS this
#endif

#define TAIN_INTERNAL_VIRTUAL(name, python_name, quals)                                        \
  template <class... TainA>                                                                    \
  decltype(auto) name(TainA&&... args) quals {                                                 \
    using TainR = decltype(TAIN_INTERNAL_THIS->name##_impl(std::forward<TainA>(args)...));     \
    constexpr uint32_t kTainHash = ::tain::internal::HashOfText(python_name);                  \
    if (TAIN_UNLIKELY(::tain::internal::MayOverride(this, kTainHash & 255))) {                 \
      auto in_cpp = [&]() -> TainR {                                                           \
        return TAIN_INTERNAL_THIS->name##_impl(std::forward<TainA>(args)...);                  \
      };                                                                                       \
      return ::tain::internal::CallOverrideOr<TainR, kTainHash>(this, python_name, in_cpp,     \
                                                                std::forward<TainA>(args)...); \
    }                                                                                          \
    return TAIN_INTERNAL_THIS->name##_impl(std::forward<TainA>(args)...);                      \
  }

/// Declares `name(...)`, const and not, which calls an override or `name##_impl(...)`. It needs no
/// semicolon.
#define TAIN_VIRTUAL(name)                \
  TAIN_INTERNAL_VIRTUAL_NAME(name, #name) \
  TAIN_INTERNAL_VIRTUAL(name, #name, )    \
  TAIN_INTERNAL_VIRTUAL(name, #name, const)
/// TAIN_VIRTUAL for a method that has another name in Python, such as the operator "__add__".
#define TAIN_VIRTUAL_AS(name, python_name)      \
  TAIN_INTERNAL_VIRTUAL_NAME(name, python_name) \
  TAIN_INTERNAL_VIRTUAL(name, python_name, )    \
  TAIN_INTERNAL_VIRTUAL(name, python_name, const)
/// The body of `name##_impl` of an abstract method; throws NotImplementedError.
#define TAIN_ABSTRACT(name) ::tain::internal::ThrowAbstract(this, #name)
