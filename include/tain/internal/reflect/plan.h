// SPDX-License-Identifier: Apache-2.0
// The plan of a class: what is registered for each of its members, and what is left out and why.
//
// Everything here is computed by the compiler; rows.h makes constant data of it, describe.h code of the rest.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "tain/internal/reflect/operator.h"
#include "tain/internal/reflect/type.h"

namespace tain::internal::reflect {

enum class Kind {
  kField,
  kConstant,
  kMethod,    ///< of a member function, or of an operator that is a function
  kVirtual,   ///< declared by TAIN_VIRTUAL
  kStatic,
  kProperty,
  kInit       ///< `caller` is the function that calls def_init
};

/// A member or function that is registered.
struct Entry {
  Kind kind;
  info member{};
  info caller{};  ///< the type of the callable; null if the address of the member is the callable
  info setter{};  ///< of a property
  const char* name = kNoText;
  const char* doc = kNoText;
  int64_t flags = 0;  ///< of the field
  int32_t call_flags = 0;
  uint64_t keeps = 0;
  info default_value{};  ///< of the field
  const FieldShape* shape = nullptr;  ///< of the field; null if its accessors need its place
  size_t first_param = 0;             ///< in Plan::params
  int32_t num_params = 0;
  bool has_values = false;  ///< whether a parameter has an annotation with its default
};

/// The plan of a class or of the functions of a namespace.
struct Plan {
  std::vector<Entry> entries{};
  std::vector<arg_spec> params{};  ///< of all functions in turn
  std::vector<Skipped> skipped{};
  std::string error{};  ///< of the compiler: a function is marked as overridable and is not
  bool has_field_init = false;
};

consteval void Skip(Plan& plan, std::string_view name, std::string_view why) {
  plan.skipped.push_back({std::define_static_string(name), std::define_static_string(why)});
}

/// Returns a member's name for the list of what is left out.
consteval std::string_view TextOf(info member) {
  return has_identifier(member) ? identifier_of(member) : display_string_of(member);
}

/// Adds names, documentation and defaults of the parameters. If one has no name, none has one.
consteval void AddParameters(Plan& plan, Entry& entry, const Callee& callee) {
  entry.first_param = plan.params.size();
  for (const info parameter : callee.declared) {
    const Notes notes = NotesOf(parameter);
    if (!has_identifier(parameter) && notes.name == nullptr) {
      plan.params.resize(entry.first_param);
      return;
    }
    arg_spec spec{NameOf(parameter, notes), notes.doc, 0};
    if (notes.default_value != info{}) {
      entry.has_values = true;
    } else if (has_default_argument(parameter)) {
      spec.flags |= kTainArgOptional;
    }
    if ((notes.flags.field & kTainFieldKwOnly) != 0) spec.flags |= kTainArgKwOnly;
    plan.params.push_back(spec);
  }
  entry.num_params = static_cast<int32_t>(callee.declared.size());
}

consteval Entry EntryOf(Kind kind, info member, const Notes& notes, const char* name) {
  Entry entry{kind, member};
  entry.name = name;
  entry.doc = notes.doc;
  entry.call_flags = notes.flags.call;
  entry.keeps = notes.flags.keeps;
  return entry;
}

/// Whether a field of a type crosses, and its shape unless its accessors need the field's place.
struct FieldAnswer {
  bool fits = false;
  const FieldShape* shape = nullptr;
};
template <class T, info kWhere, bool kBoxes>
consteval FieldAnswer AnswerForField() {
  if constexpr (std::is_reference_v<T> || std::is_array_v<T>) {
    return {};
  } else if constexpr (WhyTypeFails(^^T, {kWhere, kBoxes}).empty()) {
    using Traits = TypeTraits<std::remove_const_t<T>>;
    if constexpr (Traits::kCrosses) {
      if constexpr (Traits::kStorable && !Traits::kBorrows) return {true, &kFieldShape<T>};
      return {Traits::kStorable};
    }
  }
  return {};
}
template <class T, info kWhere, bool kBoxes>
inline constexpr FieldAnswer kFieldAnswer = AnswerForField<T, kWhere, kBoxes>();
template <class T>
inline constexpr bool kFieldCrosses = TypeTraits<std::remove_const_t<T>>::kCrosses;
template <class T>
inline constexpr bool kConstantCrosses = std::is_constructible_v<Any, const T&>;

/// Returns why a type is not that of a field which crosses.
consteval std::string WhyFieldFails(info type, Scope scope) {
  if (is_reference_type(type)) return "it is a reference";
  if (const std::string why = WhyTypeFails(type, scope); !why.empty()) return why;
  const std::string text(display_string_of(type));
  if (is_array_type(type) || !IsTrue(^^kFieldCrosses, type)) return text + " does not cross";
  return text + " is a view that owns nothing";
}

consteval void AddDataMember(Plan& plan, info member, Scope scope) {
  const Notes notes = NotesOf(member);
  if (notes.is_hidden || !has_identifier(member)) return;
  if (is_bit_field(member)) return Skip(plan, identifier_of(member), "it is a bit field");
  const info type = dealias(type_of(member));
  const auto answer = AskIn<FieldAnswer>(^^kFieldAnswer, type, scope);
  if (!answer.fits) return Skip(plan, identifier_of(member), WhyFieldFails(type, scope));
  Entry entry = EntryOf(Kind::kField, member, notes, NameOf(member, notes));
  entry.shape = answer.shape;
  entry.flags = notes.flags.field;
  entry.default_value = notes.default_value;
  if (!notes.is_read_only && !is_const_type(type) && is_copy_assignable_type(type)) {
    entry.flags |= kTainFieldWritable;
  }
  plan.entries.push_back(entry);
}

template <info kMember>
inline constexpr bool kIsConstant = requires { std::bool_constant<((void)[:kMember:], true)>(); };

consteval void AddStaticMember(Plan& plan, info member, Scope scope) {
  const Notes notes = NotesOf(member);
  const std::string_view name = identifier_of(member);
  if (notes.is_hidden || name.starts_with("_type_")) return;
  const info type = dealias(type_of(member));
  if (!is_const_type(type) ||
      !extract<bool>(substitute(^^kIsConstant, {std::meta::reflect_constant(member)}))) {
    return Skip(plan, name, "it is a static member whose value the compiler does not know");
  }
  if (std::string why = WhyTypeFails(type, scope); !why.empty()) return Skip(plan, name, why);
  if (!IsTrue(^^kConstantCrosses, remove_cv(type))) {
    return Skip(plan, name, std::string(display_string_of(type)) + " does not cross");
  }
  plan.entries.push_back(EntryOf(Kind::kConstant, member, notes, NameOf(member, notes)));
}

/// Completes and adds the entry of a function, or says why it is left out.
consteval void AddCallable(Plan& plan, Entry entry, Callee callee, Scope scope,
                           std::string_view text) {
  if (const std::string why = WhyCallFails(callee, scope); !why.empty()) {
    return Skip(plan, text, why);
  }
  AddParameters(plan, entry, callee);
  if (entry.has_values) callee.num_defaults = 0;
  entry.caller = CallerOf(callee);
  plan.entries.push_back(entry);
}

/// Whether two functions differ in const only.
consteval bool DifferInConst(info a, info b) {
  if (is_const(a) == is_const(b)) return false;  // first, because it answers most
  if (!has_identifier(a) || !has_identifier(b) || identifier_of(a) != identifier_of(b)) {
    if (!is_operator_function(a) || !is_operator_function(b)) return false;
    if (operator_of(a) != operator_of(b)) return false;
  }
  const std::vector<info> first = parameters_of(a);
  const std::vector<info> second = parameters_of(b);
  return std::ranges::equal(first, second, {}, [](info p) { return dealias(type_of(p)); },
                            [](info p) { return dealias(type_of(p)); });
}

}  // namespace tain::internal::reflect
#endif
