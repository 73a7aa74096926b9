// SPDX-License-Identifier: Apache-2.0
// Annotations, which tell tain/reflection/auto.h what C++ itself does not say of a declaration.
//
//   struct [[=tain::doc("A point.")]] Point : tain::Object {
//     double x = 0;
//     [[=tain::property]] double norm() const;
//     [[=tain::named("scaled_by")]] tain::Ref<Point> ScaledBy(double by = 2) const;
//   };
// tain::doc and all flags of fields, types and calls are annotations too. A header that older
// compilers read writes TAIN_NOTE(tain::doc("A point.")), which is nothing for them.
#pragma once

#include "tain/reflection/arg.h"

#if defined(__cpp_impl_reflection)
#define TAIN_NOTE(...) [[= __VA_ARGS__]]
#elif defined(TAIN_DESCRIBE)  // python -m tain describe reads the text
#define TAIN_NOTE(...) [[clang::annotate(#__VA_ARGS__)]]
#else
/// An annotation for compilers that have annotations, nothing for others.
#define TAIN_NOTE(...)
#endif

namespace tain {
namespace internal {
struct PropertyNote {};
struct HiddenNote {};
struct ReadOnlyNote {};
struct OverridableNote {};
struct IterableNote {};
}  // namespace internal

/// The name in Python, of a member, a function, an enumerator, a class or an enum. For a class or
/// an enum it replaces the last part of the key.
struct named {
  const char* text;
  explicit constexpr named(const char* name) noexcept : text(internal::StaticText(name)) {}
};
/// The default of a parameter or of a field, as in `arg("by") = 2.0` and `default_(2.0)`.
template <class T>
struct default_is {
  T value;
  explicit constexpr default_is(T v) noexcept : value(v) {}
};
template <>
struct default_is<const char*> {
  const char* value;
  explicit constexpr default_is(const char* v) noexcept : value(internal::StaticText(v)) {}
};
template <class T>
default_is(T) -> default_is<T>;
/// The default is made by a function without parameters: that of a field for each object, that of a
/// parameter for each call.
template <class R>
struct default_made_by {
  R (*make)();
  explicit constexpr default_made_by(R (*f)()) noexcept : make(f) {}
};

/// A member function without parameters is a property; one of the same name with one parameter is
/// its setter.
inline constexpr internal::PropertyNote property{};
/// Python does not see the member, the function or the class.
inline constexpr internal::HiddenNote hidden{};
/// Python cannot assign the field.
inline constexpr internal::ReadOnlyNote read_only{};
/// A check: a compile error if no TAIN_VIRTUAL makes the member function overridable in Python.
inline constexpr internal::OverridableNote overridable{};
/// Objects of the class are iterable by their begin() and end().
inline constexpr internal::IterableNote iterable{};
/// The kind of Python enum that an enum becomes: enum_kind(tain::EnumKind::kFlag).
struct enum_kind {
  int32_t kind;
  template <class K>
  explicit constexpr enum_kind(K k) noexcept : kind(static_cast<int32_t>(k)) {}
};

}  // namespace tain
