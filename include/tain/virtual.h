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

template <class... P>
inline bool CallOverridePassed(const Object* object, const char* name, Any* result,
                               const P&... passed) {
  const AnyView views[sizeof...(P) + 1] = {passed.view..., AnyView()};
  return CallOverride(object, name, &views[0], sizeof...(P), result);
}

template <class R>
inline R OverrideResult(const Object* object, const char* name, const Any& result) {
  if constexpr (!std::is_void_v<R>) {
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

#define TAIN_INTERNAL_VIRTUAL(name, quals)                                                     \
  template <class... TainA>                                                                    \
  decltype(auto) name(TainA&&... args) quals {                                                 \
    using TainR = decltype(this->name##_impl(std::forward<TainA>(args)...));                   \
    if (TAIN_UNLIKELY(::tain::internal::MayOverride(this))) {                                  \
      ::tain::Any result;                                                                      \
      if (::tain::internal::CallOverridePassed(                                                \
              this, #name, &result, ::tain::internal::Passed<std::decay_t<TainA>>(args)...)) { \
        return ::tain::internal::OverrideResult<TainR>(this, #name, result);                   \
      }                                                                                        \
    }                                                                                          \
    return this->name##_impl(std::forward<TainA>(args)...);                                    \
  }

/// Declares `name(...)` in front of `name##_impl(...)`, const and not. Needs no semicolon.
#define TAIN_VIRTUAL(name)      \
  TAIN_INTERNAL_VIRTUAL(name, ) \
  TAIN_INTERNAL_VIRTUAL(name, const)
