// SPDX-License-Identifier: Apache-2.0
// TAIN_VIRTUAL(name): a method that C++ calls and a Python subclass may override.
//
//   struct ShapeObj : tain::Object {
//     TAIN_VIRTUAL(area)                       // shape->area() reaches a Python override
//     virtual double area_impl() const;        // what C++ itself does
//     TAIN_OBJECT("geometry.Shape", ShapeObj, tain::Object);
//   };
// registered with def_virtual("area", &ShapeObj::area_impl). A call that no Python class overrides
// costs a load and a test more than the C++ virtual call, and on an object of a Python class four
// loads more.
//
// Code inside the class that calls area() stands after the macro.
//
// Serves all overloads of area_impl, const or not, public or protected. A property is read by
// `area()` and assigned by `area(value)`. A method without C++ code of its own says so:
//     virtual double area_impl() const { TAIN_ABSTRACT(area); }
// and is registered with tain::abstract().
#pragma once

#include "tain/function.h"
#include "tain/internal/virtual_names.h"

namespace tain::internal {

/// The bit of a method's name in a TainOverrideSet.
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

/// Whether the class of the object's live mirror overrides the method with this bit, or may do so.
inline bool MayOverride(const Object* object, uint32_t bit) noexcept {
  const uint32_t word = std::atomic_ref<uint32_t>(ObjectAccess::Header(object)->reserved)
                            .load(std::memory_order_acquire);
  const uint32_t index = (word >> kTainHeaderSetShift) & (kTainOverrideSetCount - 1);
  return TAIN_UNLIKELY(index != 0) && IsInOverrideSet(TainOverrideSets[index], bit);
}

/// Calls the override of `name`; false if the class has none.
TAIN_DLL bool CallOverride(const Object* object, const char* name, const AnyView* args,
                           int32_t num_args, Any* result);
/// Throws when an override's result does not fit the C++ result type.
[[noreturn]] TAIN_DLL void ThrowOverrideResult(const Object* object, const char* name,
                                               const std::string& expected, const TainAny& got);

/// Throws because the C++ code of an abstract method was called.
[[noreturn]] TAIN_DLL void ThrowAbstract(const Object* object, const char* name);

template <class... P>
inline bool CallOverridePassed(const Object* object, const char* name, Any* result,
                               const P&... passed) {
  const AnyView views[sizeof...(P) + 1] = {passed.view..., AnyView()};
  return CallOverride(object, name, &views[0], sizeof...(P), result);
}

/// Whether a result outlives what the override returned.
template <class R>
inline constexpr bool kOwningResult = Storable<R> && !std::is_reference_v<R>;
template <>
inline constexpr bool kOwningResult<void> = true;

template <class R>
inline R OverrideResult(const Object* object, const char* name, const Any& result) {
  if constexpr (kOwningResult<R> && !std::is_void_v<R>) {
    using T = std::decay_t<R>;
    auto value = TypeTraits<T>::TryCastFromAnyView(&result.data());
    if (!value) {
      std::string place;
      ThrowOverrideResult(object, name, MismatchOf<T>(&result.data(), place), result.data());
    }
    return *std::move(value);
  }
}

/// Calls the override, or what C++ does if there is none. Apart from the caller, which stays small
/// enough to be inlined.
template <class R, uint32_t kName, class Self, class F, class... A>
TAIN_NOINLINE R CallOverrideOr(const Self* object, const char* name, F&& in_cpp, A&... args) {
  RecordCall<Self, kName>();
  constexpr bool kOwns = kOwningResult<R>;
  static_assert(kOwns,
                "TAIN_VIRTUAL: the result is a reference, a pointer or a view, which would dangle "
                "after a Python override: return a value, tain::String or Ref");
  Any result;
  if (CallOverridePassed(object, name, &result, ArgumentView<std::decay_t<A>>(args)...)) {
    return OverrideResult<R>(object, name, result);
  }
  return in_cpp();
}

}  // namespace tain::internal

#define TAIN_INTERNAL_VIRTUAL_NAME(name, python_name)                    \
  static ::tain::internal::VirtualTag<#name, python_name> TainVirtualOf( \
      ::tain::internal::VirtualTag<#name, python_name>);

#define TAIN_INTERNAL_VIRTUAL(name, python_name, quals)                                         \
  template <class... TainA>                                                                     \
  decltype(auto) name(TainA&&... args) quals {                                                  \
    using TainR = decltype(this->name##_impl(std::forward<TainA>(args)...));                    \
    constexpr uint32_t kTainHash = ::tain::internal::HashOfText(python_name);                   \
    if (TAIN_UNLIKELY(::tain::internal::MayOverride(this, kTainHash & 255))) {                  \
      return ::tain::internal::CallOverrideOr<TainR, kTainHash>(                                \
          this, python_name,                                                                    \
          [&]() -> TainR { return this->name##_impl(std::forward<TainA>(args)...); }, args...); \
    }                                                                                           \
    return this->name##_impl(std::forward<TainA>(args)...);                                     \
  }

/// Declares `name(...)` in front of `name##_impl(...)`, const and not. Needs no semicolon.
#define TAIN_VIRTUAL(name)                \
  TAIN_INTERNAL_VIRTUAL_NAME(name, #name) \
  TAIN_INTERNAL_VIRTUAL(name, #name, )    \
  TAIN_INTERNAL_VIRTUAL(name, #name, const)
/// The same for a method that has another name in Python, such as the operator "__add__".
#define TAIN_VIRTUAL_AS(name, python_name)      \
  TAIN_INTERNAL_VIRTUAL_NAME(name, python_name) \
  TAIN_INTERNAL_VIRTUAL(name, python_name, )    \
  TAIN_INTERNAL_VIRTUAL(name, python_name, const)
/// The body of an abstract method's `name##_impl`: NotImplementedError.
#define TAIN_ABSTRACT(name) ::tain::internal::ThrowAbstract(this, #name)
