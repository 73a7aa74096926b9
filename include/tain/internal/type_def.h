// SPDX-License-Identifier: Apache-2.0
// The TainTypeDef of a class: its destructor, constructors and deleter, which the compiler makes.
#pragma once

#include "tain/internal/invoke.h"
#include "tain/ref.h"

namespace tain::internal {

/// A type opts out of copying with `static constexpr bool _type_copyable = false`.
template <class T>
constexpr bool MayCopy() {
  if constexpr (requires { T::_type_copyable; }) {
    return T::_type_copyable && std::is_copy_constructible_v<T>;
  } else {
    return std::is_copy_constructible_v<T>;
  }
}
/// A type opts out of assignable fields with `static constexpr bool _type_mutable = false`.
template <class T>
constexpr bool MayMutate() {
  if constexpr (requires { T::_type_mutable; }) {
    return T::_type_mutable;
  } else {
    return true;
  }
}

/// The index and the key of T, if it is a class that ObjectDef can describe.
template <class T>
concept Described =
    IsObject<T> && (std::is_same_v<T, Object> || requires { requires TypeOf<T>::kOwn; });
template <class T>
int32_t DescribedIndex() noexcept {
  if constexpr (Described<T>) return TypeOf<T>::Index();
  return kTainNone;
}
template <class T>
const char* DescribedKey() noexcept {
  if constexpr (Described<T>) return TypeOf<T>::kKey;
  return "";
}

template <class T, class... A>
struct InPlace {
  void* body;
  void operator()(A... args) { ::new (body) T(static_cast<A&&>(args)...); }
};

template <class T, class... A>
int ConstructInPlace(void* body, const TainFunctionInfo* info, const TainAny* args,
                     int32_t num_args) noexcept {
  using Invoke = typename SignatureTools<Signature<void, A...>>::Invoke;
  try {
    InPlace<T, A...> build{body};
    TainAny result{};
    if (TAIN_LIKELY(Invoke::Call(build, info, args, num_args, &result))) return 0;
  } catch (...) {
    return FailedIn(info);
  }
  return ConstructCompleted(&ConstructInPlace<T, A...>, body, info,
                            {Invoke::kParams, Invoke::kKeywords}, args, num_args);
}

/// Runs the constructor of T with these parameters; false if the number of arguments is another.
template <class T, class... A>
bool ConstructForm(Signature<void, A...>, void* body, const TainFunctionInfo* info,
                   const TainAny* args, int32_t num_args) {
  InPlace<T, A...> build{body};
  TainAny result{};
  return SignatureTools<Signature<void, A...>>::Invoke::Call(build, info, args, num_args, &result);
}

/// ConstructInPlace for a constructor whose last parameters have C++ defaults: Full and each of
/// Shorter are signatures.
template <class T, class Full, class... Shorter>
int ConstructWithDefaults(void* body, const TainFunctionInfo* info, const TainAny* args,
                          int32_t num_args) noexcept {
  using Invoke = typename SignatureTools<Full>::Invoke;
  try {
    if (ConstructForm<T>(Full{}, body, info, args, num_args) ||
        (ConstructForm<T>(Shorter{}, body, info, args, num_args) || ...)) {
      return 0;
    }
  } catch (...) {
    return FailedIn(info);
  }
  return ConstructCompleted(&ConstructWithDefaults<T, Full, Shorter...>, body, info,
                            {Invoke::kParams, Invoke::kKeywords}, args, num_args);
}

/// The functions of T that its TainTypeDef points to.
template <class T>
struct TypeCode {
  static void Destroy(void* body, const TainTypeRecord*) {
    if constexpr (std::is_trivially_destructible_v<T>) {
      static_cast<T*>(body)->T::~T();
    } else {
      DestroyObject<T>(ObjectAccess::Header(static_cast<T*>(body)));
    }
  }
  static int ConstructDefault(void* body, const TainTypeRecord*) {
    try {
      ::new (body) T();
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
  static int Copy(void* body, const void* source, const TainTypeRecord*) {
    try {
      ::new (body) T(*static_cast<const T*>(source));
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }

  /// Returns the TainTypeDef without documentation, the author's flags and the header offset.
  template <bool kCopies>
  static constexpr TainTypeDef Def() noexcept {
    TainTypeDef def{};
    def.destroy = &Destroy;
    def.deleter = &DeleteObject<T>;
    if constexpr (std::is_abstract_v<T>) {
      def.flags = kTainTypeAbstract;
    } else {
      if constexpr (std::is_default_constructible_v<T>) def.construct_default = &ConstructDefault;
      if constexpr (kCopies && MayCopy<T>()) def.copy = &Copy;
    }
    return def;
  }
};
template <class T, bool kCopies = true>
// Each library has its own, because builds of a class differ.
TAIN_HIDDEN inline constexpr TainTypeDef kTypeDef = TypeCode<T>::template Def<kCopies>();

}  // namespace tain::internal
