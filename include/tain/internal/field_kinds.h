// SPDX-License-Identifier: Apache-2.0
// The C++ types of fields that may be read and written at their place, by kind.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tain/c_api_registry.h"

namespace tain::internal {

/// In the order of TainFieldKind. A new kind is a row there, one here and a case in WithTypeOfKind.
using FieldTypes = std::tuple<void, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                              uint32_t, uint64_t, float, double, TainAny, TainAny, TainObject*>;
static_assert(std::tuple_size_v<FieldTypes> == kTainFieldObject + 1);

template <class Types>
inline constexpr bool kFitValues = false;
template <class... T>
inline constexpr bool kFitValues<std::tuple<void, T...>> =
    ((std::is_same_v<T, TainAny> || sizeof(T) <= sizeof(int64_t)) && ...);
static_assert(kFitValues<FieldTypes>,
              "tain: a value has 64 bits. A wider integer also needs: convert.h, "
              "values/field_memory.h, registry/member_checks.cc, compare/structural_equal.cc, "
              "save/save_type.cc, bindings/classes/field_descr.cc");

/// The type of a field of a kind; void for kTainFieldOpaque.
template <int32_t kKind>
using TypeOfKind = std::tuple_element_t<static_cast<size_t>(kKind), FieldTypes>;

/// Reads a field, a number as one step: threads without a lock may write it meanwhile, as fields of types
/// that are tain::thread_safe() are.
template <class T>
inline T ReadNumber(const T& field) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  T value;
  __atomic_load(&field, &value, __ATOMIC_RELAXED);
  return value;
#else
  return field;
#endif
}
template <class T>
inline constexpr bool kIsReadAsNumber = std::is_arithmetic_v<T> && sizeof(T) <= sizeof(int64_t);

constexpr bool IsIntKind(int32_t kind) noexcept {
  return kind >= kTainFieldInt8 && kind <= kTainFieldUInt64;
}

/// The kind of an integer type of C++, of which several may have one size.
template <class T, int32_t kKind = kTainFieldInt8>
constexpr int32_t KindOfInt() noexcept {
  static_assert(sizeof(T) <= sizeof(int64_t), "tain: an integer of more than 64 bits cannot cross");
  using Known = TypeOfKind<kKind>;
  if constexpr (sizeof(Known) == sizeof(T) && std::is_signed_v<Known> == std::is_signed_v<T>) {
    return kKind;
  } else {
    return KindOfInt<T, kKind + 1>();
  }
}

/// Calls `use(std::type_identity<T>())` with the type of a kind that is known when it runs. Inlined
/// always, because `use` refers to variables of its caller, and reading fields is the inner loop of
/// all operations on graphs.
template <class Use>
[[gnu::always_inline]] constexpr auto WithTypeOfKind(int32_t kind, Use&& use) {
  switch (kind) {
    case kTainFieldBool: return use(std::type_identity<TypeOfKind<kTainFieldBool>>());
    case kTainFieldInt8: return use(std::type_identity<TypeOfKind<kTainFieldInt8>>());
    case kTainFieldInt16: return use(std::type_identity<TypeOfKind<kTainFieldInt16>>());
    case kTainFieldInt32: return use(std::type_identity<TypeOfKind<kTainFieldInt32>>());
    case kTainFieldInt64: return use(std::type_identity<TypeOfKind<kTainFieldInt64>>());
    case kTainFieldUInt8: return use(std::type_identity<TypeOfKind<kTainFieldUInt8>>());
    case kTainFieldUInt16: return use(std::type_identity<TypeOfKind<kTainFieldUInt16>>());
    case kTainFieldUInt32: return use(std::type_identity<TypeOfKind<kTainFieldUInt32>>());
    case kTainFieldUInt64: return use(std::type_identity<TypeOfKind<kTainFieldUInt64>>());
    case kTainFieldFloat32: return use(std::type_identity<TypeOfKind<kTainFieldFloat32>>());
    case kTainFieldFloat64: return use(std::type_identity<TypeOfKind<kTainFieldFloat64>>());
    case kTainFieldString:
    case kTainFieldAny: return use(std::type_identity<TypeOfKind<kTainFieldAny>>());
    case kTainFieldObject: return use(std::type_identity<TypeOfKind<kTainFieldObject>>());
    default: return use(std::type_identity<void>());
  }
}
static_assert(
    [] {
      for (int32_t kind = kTainFieldOpaque + 1; kind <= kTainFieldObject; ++kind) {
        const bool is_known = WithTypeOfKind(
            kind, [](auto type) { return !std::is_void_v<typename decltype(type)::type>; });
        if (!is_known) return false;
      }
      return true;
    }(),
    "tain: WithTypeOfKind lacks a case");

}  // namespace tain::internal
