// SPDX-License-Identifier: Apache-2.0
// TAIN_VIRTUAL(name): a method that C++ calls and a Python subclass may override.
//
//   struct ShapeObj : tain::Object {
//     TAIN_VIRTUAL(area)                       // shape->area() reaches a Python override
//     virtual double area_impl() const;        // what C++ itself does
//     TAIN_OBJECT("geometry.Shape", ShapeObj, tain::Object);
//   };
// registered with def_virtual("area", &ShapeObj::area_impl). A call on an object that no Python
// class overrides costs two loads and a test more than the C++ virtual call.
//
// Code inside the class that calls area() stands after the macro.
//
// Serves all overloads of area_impl, const or not, public or protected. A property is read by
// `area()` and assigned by `area(value)`. A method without C++ code of its own says so:
//     virtual double area_impl() const { TAIN_ABSTRACT(area); }
// and is registered with tain::abstract().
#pragma once

#include "tain/function.h"

namespace tain::internal {

/// Whether the class of the object's live mirror overrides virtual methods.
inline bool MayOverride(const Object* object) noexcept {
  const TainObject* header = ObjectAccess::Header(object);
  if ((header->reserved & kTainHeaderHasPrefix) == 0) return false;
  return (std::atomic_ref<uintptr_t>(TainObjectPrefixOf(header)->tie)
              .load(std::memory_order_acquire) &
          kTainTieOverridesVirtual) != 0;
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
  constexpr bool kOwns = kOwningResult<R>;
  static_assert(kOwns,
                "TAIN_VIRTUAL: the result is a reference, a pointer or a view, which would dangle "
                "after a Python override: return a value, tain::String or Ref");
  if constexpr (kOwns && !std::is_void_v<R>) {
    using T = std::decay_t<R>;
    auto value = TypeTraits<T>::TryCastFromAnyView(&result.data());
    if (!value) {
      std::string place;
      ThrowOverrideResult(object, name, MismatchOf<T>(&result.data(), place), result.data());
    }
    return *std::move(value);
  }
}

}  // namespace tain::internal

#define TAIN_INTERNAL_VIRTUAL(name, python_name, quals)                            \
  template <class... TainA>                                                        \
  decltype(auto) name(TainA&&... args) quals {                                     \
    using TainR = decltype(this->name##_impl(std::forward<TainA>(args)...));       \
    if (TAIN_UNLIKELY(::tain::internal::MayOverride(this))) {                      \
      ::tain::Any result;                                                          \
      if (::tain::internal::CallOverridePassed(                                    \
              this, python_name, &result,                                          \
              ::tain::internal::Passed<std::decay_t<TainA>>(args)...)) {           \
        return ::tain::internal::OverrideResult<TainR>(this, python_name, result); \
      }                                                                            \
    }                                                                              \
    return this->name##_impl(std::forward<TainA>(args)...);                        \
  }

/// Declares `name(...)` in front of `name##_impl(...)`, const and not. Needs no semicolon.
#define TAIN_VIRTUAL(name)             \
  TAIN_INTERNAL_VIRTUAL(name, #name, ) \
  TAIN_INTERNAL_VIRTUAL(name, #name, const)
/// The same for a method that has another name in Python, such as the operator "__add__".
#define TAIN_VIRTUAL_AS(name, python_name)   \
  TAIN_INTERNAL_VIRTUAL(name, python_name, ) \
  TAIN_INTERNAL_VIRTUAL(name, python_name, const)
/// The body of an abstract method's `name##_impl`: NotImplementedError.
#define TAIN_ABSTRACT(name) ::tain::internal::ThrowAbstract(this, #name)
