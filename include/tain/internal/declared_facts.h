// SPDX-License-Identifier: Apache-2.0
// What `python -m tain describe` asks Clang of the types in headers, as numbers.
//
// A description that is written from headers must leave out what does not cross. Whether it does is
// decided by the same templates that the registration itself uses.
#pragma once

#include <exception>
#include <type_traits>

#include "tain/boxed.h"
#include "tain/internal/caught.h"

namespace tain::internal::declared {

constexpr int Bits(std::initializer_list<bool> facts) noexcept {
  int bits = 0;
  int next = 1;
  for (const bool fact : facts) {
    bits |= fact ? next : 0;
    next *= 2;
  }
  return bits;
}

/// Of a class: _crossing.py names the bits.
template <class T>
consteval int ClassFacts() {
  constexpr bool kObject = std::is_base_of_v<Object, T>;
  bool is_registered = false;
  if constexpr (kObject) is_registered = std::is_same_v<T, Object> || TypeOf<T>::kOwn;
  return Bits({kObject, is_registered, CrossesInBox<T>, std::is_base_of_v<std::exception, T>,
               std::is_abstract_v<T>, std::is_default_constructible_v<T>, std::is_final_v<T>,
               std::is_polymorphic_v<T>, std::is_destructible_v<T>});
}
template <class T>
inline constexpr int kClass = ClassFacts<T>();

template <class T>
inline constexpr int kParameter = Bits({ParamType<T>::kCrosses, ParamType<T>::kNoMutableReference});

template <class T>
inline constexpr int kResult = Bits({ResultType<T>::kCrosses});

template <class T>
consteval int FieldFacts() {
  if constexpr (std::is_reference_v<T> || std::is_array_v<T>) {
    return 0;
  } else {
    using V = std::remove_const_t<T>;
    constexpr bool kCrosses = TypeTraits<V>::kCrosses && !IsObject<V>;
    bool fits = false;
    bool writable = false;
    if constexpr (kCrosses) {
      fits = TypeTraits<V>::kStorable || TypeTraits<V>::kBorrows || RefersTo<V>;
      writable =
          fits && !std::is_const_v<T> && std::is_copy_assignable_v<T> && FieldMayBeAssigned<T>();
    }
    return Bits({kCrosses, fits, writable});
  }
}
template <class T>
inline constexpr int kField = FieldFacts<T>();

/// Of a result and the parameters after it.
template <class R, class... P>
inline constexpr int kSignature = Bits({kGoodSignature<Signature<R, P...>>});

template <class T>
inline constexpr int kConstant = Bits({std::is_constructible_v<Any, const T&>});

template <class E>
inline constexpr int kEnum = Bits({enum_as_int<E>});

/// A value that a compiler knows.
template <auto>
inline constexpr int kKnown = 1;

}  // namespace tain::internal::declared
