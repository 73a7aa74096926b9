// SPDX-License-Identifier: Apache-2.0
// TypeTraits<T>: how a C++ type crosses the border. This file holds the protocol; convert.h the
// built-in types.
//
// A specialization says kCrosses = true and gives
//   CopyToAnyView(v, out)             a borrowed value, nothing counted; none if kViewable is false
//   MoveToAny(v, out)                 an owned value
//   CheckAnyStrict(a)                 whether the value is stored exactly as MoveToAny writes it
//   CopyFromAnyViewAfterCheck(a)      the T, after CheckAnyStrict said yes
//   TryCastFromAnyView(a)             the T, with the conversions a parameter allows; nothing if it
//   cannot be TypeStr()                         a type expression in Python's words: `float`,
//   `Array[geometry.Point]` Mismatch(a, where)                what was expected; may extend `where`
//   by the place inside a container
// kFieldKind names the memory of a T for direct field access; kStorable is false for views.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "tain/error.h"

namespace tain {

template <class T, class Enable = void>
struct TypeTraits {
  static constexpr bool kCrosses = false;
};

/// Defaults for specializations.
struct TypeTraitsBase {
  static constexpr bool kStorable = true;  ///< may be a field or an element
  static constexpr int32_t kFieldKind = kTainFieldOpaque;
  static constexpr bool kIsEnum = false;
  static constexpr bool kHoldsEdges = false;  ///< has VisitEdges and ClearEdges: internal/edges.h
  /// Whether a field may be overwritten by any value of its class.
  static constexpr bool kDirectWrite = false;
  static constexpr bool kNullable = false;
  static constexpr bool kViewable = true;  ///< CopyToAnyView makes nothing that has to be owned
};

namespace internal {

template <class T>
concept HasMismatch = requires(const TainAny* a, std::string& where) {
  { TypeTraits<T>::Mismatch(a, where) } -> std::convertible_to<std::string>;
};

/// Any type that may stand in a parameter, result, field or element.
template <class T>
concept Crosses = TypeTraits<std::decay_t<T>>::kCrosses;
/// The same in memory that keeps what it holds: elements.
template <class T>
concept Storable = Crosses<T> && TypeTraits<std::decay_t<T>>::kStorable;

/// Types whose value has to be made and owned before it can be viewed.
template <class T>
concept NeedsOwnedCopy = Crosses<T> && !TypeTraits<std::decay_t<T>>::kViewable;

/// The user's word for the type of a value: int, str, geometry.Point.
TAIN_DLL std::string TypeNameOf(const TainAny& value);
/// Owned copy of a view; throws std::bad_alloc.
TAIN_DLL void CopyToOwnedSlow(const TainAny& view, TainAny* out);
inline void CopyToOwned(const TainAny& view, TainAny* out) {
  if (TAIN_LIKELY(view.type_index < kTainRawStr ||
                  (view.type_index > kTainRValueRef && view.type_index < kTainStaticObjectBegin))) {
    *out = view;
  } else if (view.type_index >= kTainStaticObjectBegin) {
    IncRef(view.v_obj);
    *out = view;
  } else {
    CopyToOwnedSlow(view, out);
  }
}
/// Throws `where: expected X, got Y (value)`: OverflowError if an integer was out of the range that
/// `expected` states, TypeError otherwise.
[[noreturn]] TAIN_DLL void ThrowMismatch(std::string_view where, const std::string& expected,
                                         const TainAny& got);

template <class T>
TAIN_COLD inline std::string MismatchOf(const TainAny* a, std::string& where) {
  if constexpr (HasMismatch<T>) {
    return TypeTraits<T>::Mismatch(a, where);
  } else {
    return TypeTraits<T>::TypeStr();
  }
}

template <class T>
[[noreturn]] TAIN_COLD void ThrowCast(const TainAny& a, std::string where) {
  const std::string expected = MismatchOf<T>(&a, where);
  ThrowMismatch(where, expected, a);
}

/// A T of the value; `where` is the first part of the error.
template <class T>
inline T CastOrThrow(const TainAny& a, const char* where = "") {
  static_assert(TypeTraits<std::decay_t<T>>::kCrosses,
                "cast<T>(): T does not cross the border: give it a tain::TypeTraits, or include "
                "tain/stl.h for standard containers");
  if constexpr (Crosses<T>) {
    if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(&a))) {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(&a);
    }
    std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(&a);
    if (TAIN_UNLIKELY(!value)) ThrowCast<T>(a, where);
    return *std::move(value);
  } else {
    throw 0;  // never compiled: keeps the compiler's output short
  }
}

template <class T>
inline auto As(const TainAny& a) {
  if constexpr (IsObject<T>) {
    return a.type_index >= kTainStaticObjectBegin && IndexIsInstance<T>(a.type_index)
               ? static_cast<const T*>(ObjectAccess::FromHeader(a.v_obj))
               : nullptr;
  } else {
    return TypeTraits<T>::CheckAnyStrict(&a)
               ? std::optional<T>(TypeTraits<T>::CopyFromAnyViewAfterCheck(&a))
               : std::optional<T>();
  }
}

}  // namespace internal
}  // namespace tain
