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

/// The operators about which the compiler is asked.
inline constexpr std::string_view kFriendSymbols[] = {"==", "<", "<=", ">", ">=",
                                                      "+",  "-", "*",  "/", "%"};

/// Calls the operator of kFriendSymbols[kWhich].
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

template <class T>
concept HasOrderFriend = requires(const T& a) { operator<=>(a, a); };

/// A bit for each operator of kFriendSymbols that a friend or a function of the class's namespace
/// defines. Calls by name find no other operators, so the compiler has little to compare.
template <class T>
inline constexpr uint32_t kFriends =
    (requires(const T& a) { static_cast<bool>(operator==(a, a)); } ? 1U << 0 : 0) |
    (requires(const T& a) { static_cast<bool>(operator<(a, a)); } ? 1U << 1 : 0) |
    (requires(const T& a) { static_cast<bool>(operator<=(a, a)); } ? 1U << 2 : 0) |
    (requires(const T& a) { static_cast<bool>(operator>(a, a)); } ? 1U << 3 : 0) |
    (requires(const T& a) { static_cast<bool>(operator>=(a, a)); } ? 1U << 4 : 0) |
    (requires(const T& a) { { operator+(a, a) } -> std::same_as<T>; } ? 1U << 5 : 0) |
    (requires(const T& a) { { operator-(a, a) } -> std::same_as<T>; } ? 1U << 6 : 0) |
    (requires(const T& a) { { operator*(a, a) } -> std::same_as<T>; } ? 1U << 7 : 0) |
    (requires(const T& a) { { operator/(a, a) } -> std::same_as<T>; } ? 1U << 8 : 0) |
    (requires(const T& a) { { operator%(a, a) } -> std::same_as<T>; } ? 1U << 9 : 0) |
    (HasOrderFriend<T> ? 0xFU << 1 : 0);

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
  const auto friends = extract<uint32_t>(substitute(^^kFriends, {in.type}));
  for (int i = 0; friends >> i != 0; ++i) {
    if ((friends >> i & 1) == 0) continue;
    const std::string_view name = internal::OperatorOf(kFriendSymbols[i], 2).name;
    if (HasEntry(plan, name)) continue;
    const std::vector<info> which = {in.type, std::meta::reflect_constant(i)};
    Entry entry = EntryOf(Kind::kMethod, in.type, {}, name.data());
    entry.caller = substitute(^^FriendCaller, which);
    plan.entries.push_back(entry);
  }
}

}  // namespace tain::internal::reflect
#endif
