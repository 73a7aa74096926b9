// SPDX-License-Identifier: Apache-2.0
// Operators that a class declares as friends in its body. Reflection does not list them, so the
// compiler is asked whether `a + b` is valid for two objects of the class.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <concepts>
#include <string_view>

#include "tain/internal/reflect/members.h"

namespace tain::internal::reflect {

inline constexpr const char* kFriendNames[] = {"__eq__",  "__lt__",  "__le__",      "__gt__",
                                               "__ge__",  "__add__", "__sub__",     "__mul__",
                                               "__truediv__", "__mod__"};

/// Calls the operator of kFriendNames[kWhich].
template <class T, int kWhich>
struct FriendCaller {
  static constexpr bool kIsComparison = kWhich < 5;
  using Result = std::conditional_t<kIsComparison, bool, T>;
  Result operator()(const T& a, const T& b) const {
    if constexpr (kWhich == 0) return static_cast<bool>(a == b);
    if constexpr (kWhich == 1) return static_cast<bool>(a < b);
    if constexpr (kWhich == 2) return static_cast<bool>(a <= b);
    if constexpr (kWhich == 3) return static_cast<bool>(a > b);
    if constexpr (kWhich == 4) return static_cast<bool>(a >= b);
    if constexpr (kWhich == 5) return a + b;
    if constexpr (kWhich == 6) return a - b;
    if constexpr (kWhich == 7) return a * b;
    if constexpr (kWhich == 8) return a / b;
    if constexpr (kWhich == 9) return a % b;
  }
};

// One line for each operator: a requires-expression cannot have the operator as a parameter.
template <class T, int kWhich>
inline constexpr bool kHasFriend = false;
template <class T>
inline constexpr bool kHasFriend<T, 0> = requires(const T& a) { static_cast<bool>(a == a); };
template <class T>
inline constexpr bool kHasFriend<T, 1> = requires(const T& a) { static_cast<bool>(a < a); };
template <class T>
inline constexpr bool kHasFriend<T, 2> = requires(const T& a) { static_cast<bool>(a <= a); };
template <class T>
inline constexpr bool kHasFriend<T, 3> = requires(const T& a) { static_cast<bool>(a > a); };
template <class T>
inline constexpr bool kHasFriend<T, 4> = requires(const T& a) { static_cast<bool>(a >= a); };
template <class T>
inline constexpr bool kHasFriend<T, 5> = requires(const T& a) { { a + a } -> std::same_as<T>; };
template <class T>
inline constexpr bool kHasFriend<T, 6> = requires(const T& a) { { a - a } -> std::same_as<T>; };
template <class T>
inline constexpr bool kHasFriend<T, 7> = requires(const T& a) { { a * a } -> std::same_as<T>; };
template <class T>
inline constexpr bool kHasFriend<T, 8> = requires(const T& a) { { a / a } -> std::same_as<T>; };
template <class T>
inline constexpr bool kHasFriend<T, 9> = requires(const T& a) { { a % a } -> std::same_as<T>; };

consteval bool HasEntry(const Plan& plan, std::string_view name) {
  for (const Entry& entry : plan.entries) {
    if (name == entry.name) return true;
  }
  return false;
}

/// Whether a class converts to other types, whose operators would be taken for its own.
consteval bool Converts(const ClassScope& in) {
  for (const info member : in.members) {
    if (is_conversion_function(member) || is_conversion_function_template(member)) return true;
  }
  return false;
}

/// Adds the operators that are not in the plan already.
consteval void AddFriends(Plan& plan, const ClassScope& in) {
  if (Converts(in) || is_abstract_type(in.type)) return;
  for (int i = 0; i < 10; ++i) {
    if (HasEntry(plan, kFriendNames[i])) continue;
    const std::vector<info> which = {in.type, std::meta::reflect_constant(i)};
    if (!extract<bool>(substitute(^^kHasFriend, which))) continue;
    Entry entry = EntryOf(Kind::kMethod, in.type, {}, StaticText(kFriendNames[i]));
    entry.caller = substitute(^^FriendCaller, which);
    plan.entries.push_back(entry);
  }
}

}  // namespace tain::internal::reflect
#endif
