// SPDX-License-Identifier: Apache-2.0
// Describes a class by its members, as ObjectDef does by a list.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <string>
#include <vector>

#include "tain/container/array.h"
#include "tain/internal/reflect/friends.h"
#include "tain/internal/reflect/rows.h"

namespace tain::internal::reflect {

/// Returns the base class that is the type's parent in Python; null if it has none.
consteval info BoxedBaseOf(info type, Scope scope) {
  for (const info base : bases_of(type, kPublic)) {
    const info parent = dealias(type_of(base));
    if (!is_virtual(base) && IsBoxedIn(parent, scope)) return parent;
  }
  return {};
}

/// Whether the members of a base class are those of a registered type.
consteval bool IsRegisteredBase(info type, info base, Scope scope) {
  if (IsTrue(^^kIsObjectClass, base)) return IsTrue(^^kIsRegistered, base);
  return !IsTrue(^^kIsObjectClass, type) && base == BoxedBaseOf(type, scope);
}

/// Adds the members of a class, after those of its base classes that are no registered types.
consteval void CollectMembers(info type, Scope scope, std::vector<info>& out) {
  for (const info base : bases_of(type, kPublic)) {
    const info parent = dealias(type_of(base));
    if (!IsRegisteredBase(type, parent, scope)) CollectMembers(parent, scope, out);
  }
  for (const info member : members_of(type, kPublic)) out.push_back(member);
}

/// Whether a member is one that the class itself declares, rather than a base.
consteval bool IsOwn(const ClassScope& in, info member) { return parent_of(member) == in.type; }

consteval void AddMember(Plan& plan, const ClassScope& in, info member) {
  if (is_nonstatic_data_member(member)) return AddDataMember(plan, member, in.scope);
  if (is_variable(member)) return AddStaticMember(plan, member, in.scope);
  if (is_template(member)) {
    if (is_constructor_template(member)) return Skip(plan, "constructor", "it is a template");
    if (!is_function_template(member) || !has_identifier(member)) return;
    if (FindVirtual(in, identifier_of(member)) != nullptr) return;  // made by TAIN_VIRTUAL
    if (IsTainsOwn(identifier_of(member))) return;
    return Skip(plan, identifier_of(member), "it is a template");
  }
  if (!is_function(member)) return;
  if (is_constructor(member)) {
    if (!IsOwn(in, member)) return;
    const Notes notes = NotesOf(member);
    return notes.is_hidden ? void() : AddConstructor(plan, in, member, notes);
  }
  if (is_special_member_function(member)) return;
  const Notes notes = NotesOf(member);
  if (notes.is_overridable && has_identifier(member) && plan.error.empty() &&
      FindVirtual(in, identifier_of(member)) == nullptr) {
    plan.error = OverridableText(member);
  }
  if (notes.is_hidden) return;
  if (is_operator_function(member)) return AddOperator(plan, in, member, notes);
  if (is_conversion_function(member)) return AddConversion(plan, in, member, notes);
  if (has_identifier(member) && !is_deleted(member)) AddMethod(plan, in, member, notes);
}

/// Adds the operators of the class's namespace that have it as an operand.
consteval void AddFreeOperators(Plan& plan, const ClassScope& in, std::span<const info> operators) {
  for (const info function : operators) {
    const Notes notes = NotesOf(function);
    const Callee callee = CalleeOf(function, {});
    const std::vector<info>& operands = callee.parameters;
    if (notes.is_hidden || operands.empty()) continue;
    const bool is_left = remove_cvref(operands[0]) == in.type;
    const bool is_right = operands.size() == 2 && remove_cvref(operands[1]) == in.type;
    if (!is_left && !is_right) continue;
    const std::string_view text = display_string_of(function);
    if (operator_of(function) == std::meta::operators::op_spaceship) {
      if (is_left) AddOrder(plan, function, in.type, operands[1], notes);
      continue;
    }
    const Operator names = OperatorOf(function, operands.size());
    const char* name = (is_left ? names.name : names.swapped).data();
    if (name == nullptr) {
      Skip(plan, text, "Python has no such operator");
      continue;
    }
    Entry entry = EntryOf(Kind::kMethod, function, notes, name);
    if (const std::string why = WhyCallFails(callee, in.scope); !why.empty()) {
      Skip(plan, text, why);
      continue;
    }
    entry.caller = is_left ? CallerWith(callee, operands.size())
                           : substitute(^^SwappedCaller,
                                        {std::meta::reflect_constant(function), callee.result,
                                         operands[0], operands[1]});
    plan.entries.push_back(entry);
  }
}

/// The operators that a namespace declares.
consteval std::vector<info> OperatorsOf(info scope) {
  std::vector<info> all;
  if (!is_namespace(scope)) return all;
  for (const info member : members_of(scope, kPublic)) {
    if (is_function(member) && is_operator_function(member)) all.push_back(member);
  }
  return all;
}
template <info kScope>
inline constexpr std::span<const info> kOperators = std::define_static_array(OperatorsOf(kScope));

consteval std::vector<info> MembersOf(info type, Scope scope) {
  std::vector<info> members;
  CollectMembers(type, scope, members);
  return members;
}

/// Returns the plan of the class T, whose description is an ObjectDef<D>.
template <class T, class D, Scope kScope, info kNamespace>
consteval auto PlanOf() {
  static constexpr std::span<const info> kMembers =
      std::define_static_array(MembersOf(^^T, kScope));
  constexpr std::span<const info> kFree = kOperators<kNamespace>;
  Plan plan;
  plan.entries.reserve(kMembers.size());
  const ClassScope in{^^T, ^^D, kScope, kMembers, VirtualsOf(^^T)};
  for (const info member : kMembers) AddMember(plan, in, member);
  plan.has_field_init = HasFieldInit(in);
  AddFreeOperators(plan, in, kFree);
  AddFriends(plan, in);
  return KeepRows<MostRows(kMembers, kFree)>(plan, in);
}

/// Returns documentation and flags of a class.
consteval FinishedSpec TypeSpecOf(info type) {
  const Notes notes = NotesOf(type);
  FinishedSpec spec{notes.doc, notes.flags.type};
  if (is_final_type(type)) spec.flags |= kTainTypeFinal;
  for (const info member : members_of(type, kPublic)) {
    if (is_function(member) && is_operator_function(member)) {
      spec.flags |= DefaultedComparison(member);
    }
  }
  return spec;
}

/// Adds a field whose annotation gives the default.
template <class D, info kField, info kDefault>
void AddFieldWithDefault(reflection::ObjectDef<D>& def, const char* name, const FinishedSpec& spec,
                         auto is_writable) {
  static constexpr const auto& kNote = [:kDefault:];
  const auto add = [&](auto option) {
    if constexpr (decltype(is_writable)::value) {
      def.def_rw(name, &[:kField:], spec, std::move(option));
    } else {
      def.def_ro(name, &[:kField:], spec, std::move(option));
    }
  };
  if constexpr (requires { kNote.make; }) {
    add(default_factory(Function::FromTyped(kNote.make)));
  } else {
    add(default_(kNote.value));
  }
}

/// Returns the parameters of a function, with the defaults that annotations give.
template <info kFunction>
std::vector<arg> ArgumentsOf() {
  std::vector<arg> all;
  template for (constexpr info kParameter :
                std::define_static_array(parameters_of(kFunction))) {
    static constexpr Notes kNotes = NotesOf(kParameter);
    arg one(arg_spec{NameOf(kParameter, kNotes), kNotes.doc,
                     (kNotes.flags.field & kTainFieldKwOnly) != 0 ? kTainArgKwOnly : 0});
    if constexpr (kNotes.default_value != info{}) {
      static constexpr const auto& kDefault = [:kNotes.default_value:];
      if constexpr (requires { kDefault.make; }) {
        all.push_back(std::move(one).factory(Function::FromTyped(kDefault.make)));
      } else {
        all.push_back(std::move(one) = kDefault.value);
      }
    } else {
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace tain::internal::reflect
#endif
