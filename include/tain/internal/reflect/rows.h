// SPDX-License-Identifier: Apache-2.0
// Members as constant data, of which libtain makes fields and methods: most members need no code.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "tain/internal/reflect/friends.h"

namespace tain::internal::reflect {

template <class T>
inline constexpr bool kMayMutate = MayMutate<T>();

/// The callable of a method as constant data; null if libtain cannot copy its bytes.
struct RowCode {
  const PlainCallable* callable = nullptr;
  const void* bytes = nullptr;
};

/// Returns the callable of an entry.
template <info kMember, info kCaller>
constexpr auto CallableOf() {
  if constexpr (kCaller == info{}) {
    return &[:kMember:];
  } else {
    return typename [:kCaller:]{};
  }
}
/// Returns it as a method of Self.
template <class Self, info kMember, info kCaller>
consteval auto BoundCall() {
  constexpr auto kCallable = CallableOf<kMember, kCaller>();
  return typename MethodCall<Self, std::remove_const_t<decltype(kCallable)>>::Type{kCallable};
}
template <class Self, info kMember, info kCaller>
TAIN_HIDDEN inline constexpr auto kBoundCall = BoundCall<Self, kMember, kCaller>();
template <class Self, info kMember, info kCaller>
consteval RowCode RowCodeOf() {
  using Call = decltype(BoundCall<Self, kMember, kCaller>());
  if constexpr (kIsPlainCallable<Call>) {
    return {&kPlainCallable<Call>, &kBoundCall<Self, kMember, kCaller>};
  } else {
    return {};
  }
}
template <class Self, info kMember, info kCaller>
inline constexpr RowCode kRowCode = RowCodeOf<Self, kMember, kCaller>();

consteval bool IsFieldRow(const Entry& entry, const ClassScope& in) {
  return entry.kind == Kind::kField && entry.shape != nullptr && entry.default_value == info{} &&
         in.type == in.described && parent_of(entry.member) == in.type;
}
/// Returns the callable of a method that can be a row, else null.
consteval RowCode MethodRowCode(const Entry& entry, const ClassScope& in) {
  if (entry.kind != Kind::kMethod && entry.kind != Kind::kStatic) return {};
  if (entry.has_values || std::string_view(entry.name) == "__create__") return {};
  return extract<RowCode>(
      substitute(^^kRowCode, {in.type, std::meta::reflect_constant(entry.member),
                              std::meta::reflect_constant(entry.caller)}));
}

/// Numbers of rows, and of the parameters of methods.
struct Counts {
  size_t fields = 0;
  size_t methods = 0;
  size_t params = 0;
};

/// Returns how many rows a class has at most.
consteval Counts MostRows(std::span<const info> members, std::span<const info> operators) {
  Counts most{0, 4 * operators.size() + std::size(kFriendSymbols), 0};
  for (const info member : members) {
    if (is_nonstatic_data_member(member)) {
      ++most.fields;
    } else if (is_function(member) && !is_constructor(member)) {
      most.methods += is_operator_function(member) ? 4 : 1;  // operator<=> is four methods
      most.params += parameters_of(member).size();
    }
  }
  return most;
}

/// An entry that needs code, and how many rows stand before it.
struct CodeEntry {
  Entry entry;
  const arg_spec* params;
  size_t num_fields;
  size_t num_methods;
};

/// Makes the texts and the parameters of an entry static.
consteval CodeEntry CodeEntryOf(const Plan& plan, Entry entry, const Counts& rows) {
  std::vector<arg_spec> params;
  for (int32_t i = 0; i < entry.num_params; ++i) {
    const arg_spec& one = plan.params[entry.first_param + i];
    params.push_back({std::define_static_string(std::string_view(one.name)), one.doc, one.flags});
  }
  entry.name = std::define_static_string(std::string_view(entry.name));
  return {entry, std::define_static_array(params).data(), rows.fields, rows.methods};
}

/// The plan of a class as static data. Its arrays have room for the rows of any plan.
template <Counts kMost>
struct ClassPlan {
  std::array<FieldRow, kMost.fields> fields{};
  std::array<MethodRow, kMost.methods> methods{};  ///< without the addresses of parameters
  std::array<arg_spec, kMost.params> params{};     ///< of the methods in turn
  Counts rows{};
  std::span<const CodeEntry> code{};
  std::span<const Skipped> skipped{};
  std::string_view error{};
  bool has_field_init = false;
};

template <Counts kMost>
consteval ClassPlan<kMost> KeepRows(const Plan& plan, const ClassScope& in) {
  ClassPlan<kMost> kept;
  Counts& rows = kept.rows;
  std::vector<CodeEntry> code;
  const bool may_mutate = IsTrue(^^kMayMutate, in.type);
  for (Entry entry : plan.entries) {
    if (!may_mutate) entry.flags &= ~int64_t{kTainFieldWritable};
    if (IsFieldRow(entry, in)) {
      kept.fields[rows.fields++] = {entry.name, entry.shape, offset_of(entry.member).bytes,
                                    entry.flags, entry.doc};
    } else if (const RowCode code_of = MethodRowCode(entry, in); code_of.callable != nullptr) {
      kept.methods[rows.methods++] = {entry.name, code_of.callable, code_of.bytes,
                                      {nullptr, entry.num_params, entry.doc, entry.call_flags,
                                       entry.keeps},
                                      entry.kind == Kind::kStatic};
      for (int32_t i = 0; i < entry.num_params; ++i) {
        kept.params[rows.params++] = plan.params[entry.first_param + i];
      }
    } else {
      code.push_back(CodeEntryOf(plan, entry, rows));
    }
  }
  kept.code = std::define_static_array(code);
  kept.skipped = std::define_static_array(plan.skipped);
  kept.error = std::define_static_string(plan.error);
  kept.has_field_init = plan.has_field_init;
  return kept;
}

/// Returns the first elements of an array.
template <size_t kCount, class Row, size_t kMost>
consteval std::array<Row, kCount> FirstOf(const std::array<Row, kMost>& rows) {
  std::array<Row, kCount> first{};
  for (size_t i = 0; i < kCount; ++i) first[i] = rows[i];
  return first;
}
/// Returns the methods of a plan, with the addresses of their parameters.
template <size_t kCount, size_t kMost>
consteval std::array<MethodRow, kCount> MethodsOf(const std::array<MethodRow, kMost>& rows,
                                                  const arg_spec* params) {
  auto methods = FirstOf<kCount>(rows);
  for (MethodRow& row : methods) {
    if (row.spec.num_params == 0) continue;
    row.spec.params = params;
    params += row.spec.num_params;
  }
  return methods;
}

/// Adds rows in the order of the plan, between the members that need code.
class RowAdder {
 public:
  RowAdder(TypeBuilder& builder, std::span<const FieldRow> fields,
           std::span<const MethodRow> methods, int64_t header_offset) noexcept
      : builder_(builder), fields_(fields), methods_(methods), header_offset_(header_offset) {}

  /// Adds the first rows, as far as they have not been added yet.
  TAIN_COLD void AddUntil(size_t num_fields, size_t num_methods) noexcept {
    builder_.AddFields(fields_.data() + fields_done_, num_fields - fields_done_, header_offset_);
    builder_.AddMethods(methods_.data() + methods_done_, num_methods - methods_done_);
    fields_done_ = num_fields;
    methods_done_ = num_methods;
  }
  TAIN_COLD void AddRest() noexcept { AddUntil(fields_.size(), methods_.size()); }

 private:
  TypeBuilder& builder_;
  std::span<const FieldRow> fields_;
  std::span<const MethodRow> methods_;
  int64_t header_offset_;
  size_t fields_done_ = 0;
  size_t methods_done_ = 0;
};

}  // namespace tain::internal::reflect
#endif
