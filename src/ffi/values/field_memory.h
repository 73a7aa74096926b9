// SPDX-License-Identifier: Apache-2.0
// Reads the fields of objects at their places, by kind.
#pragma once

#include "tain/convert.h"
#include "tain/internal/field_kinds.h"

namespace tain::internal {

/// Returns the memory of a field, whose kind says that there is a T.
template <class T>
inline T& FieldAt(TainObject* object, int64_t offset) noexcept {
  return *reinterpret_cast<T*>(reinterpret_cast<char*>(object) + offset);
}
template <class T>
inline const T& FieldAt(const TainObject* object, int64_t offset) noexcept {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(object) + offset);
}

/// Returns the number in a field that holds a bool or an integer; of an unsigned one its bits.
inline int64_t IntegerAt(const TainObject* object, int64_t offset, int32_t kind) noexcept {
  return WithTypeOfKind(kind, [&]<class T>(std::type_identity<T>) -> int64_t {
    if constexpr (std::is_integral_v<T>)
      return static_cast<int64_t>(ReadNumber(FieldAt<T>(object, offset)));
    return 0;
  });
}

/// Gets a view of the value of a field. Returns false if only the getter can tell it: its kind is
/// opaque, an integer is beyond int64, or make_object did not make an object.
inline bool ViewAt(const TainObject* object, int64_t offset, int32_t kind, TainAny* out) noexcept {
  return WithTypeOfKind(kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, TainAny>) {
      *out = FieldAt<T>(object, offset);
    } else if constexpr (std::is_pointer_v<T>) {
      const T value = FieldAt<T>(object, offset);
      *out = ViewOfObjectOrNone(value);
      return value == nullptr || out->type_index >= kTainStaticObjectBegin;
    } else if constexpr (!std::is_void_v<T>) {
      const T value = ReadNumber(FieldAt<T>(object, offset));
      *out = TainAny{};
      if constexpr (std::is_floating_point_v<T>) {
        out->type_index = kTainFloat;
        out->v_float64 = static_cast<double>(value);
      } else {
        out->type_index = std::is_same_v<T, bool> ? kTainBool : kTainInt;
        out->v_int64 = static_cast<int64_t>(value);
        return !std::is_same_v<T, uint64_t> || out->v_int64 >= 0;
      }
    }
    return !std::is_void_v<T>;
  });
}

/// Stores a number in the field of a bool, an integer or a float. Returns false if it does not fit
/// as it is, or the field is of another kind.
inline bool StoreNumber(TainObject* object, int64_t offset, int32_t kind,
                        const TainAny& value) noexcept {
  return WithTypeOfKind(kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (!TypeTraits<T>::CheckAnyStrict(&value)) return false;
      FieldAt<T>(object, offset) = TypeTraits<T>::CopyFromAnyViewAfterCheck(&value);
      return true;
    }
    return false;
  });
}

}  // namespace tain::internal
