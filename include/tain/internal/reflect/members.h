// SPDX-License-Identifier: Apache-2.0
// The plan of a class, member by member: functions, operators, conversions, constructors.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <string>
#include <vector>

#include "tain/internal/reflect/plan.h"
#include "tain/reflection/object_def.h"

namespace tain::internal::reflect {

/// A class whose plan is made.
struct ClassScope {
  info type;
  info described;  ///< the argument of ObjectDef: the class itself or its box
  Scope scope;
  std::span<const info> members{};
  std::vector<VirtualName> virtuals{};
};

consteval bool IsTainsOwn(std::string_view name) {
  return name.starts_with("Tain") || name == "RuntimeTypeIndex" || name.starts_with("_type_");
}

consteval const VirtualName* FindVirtual(const ClassScope& in, std::string_view name) {
  for (const VirtualName& one : in.virtuals) {
    if (name == one.cpp || name == std::string(one.cpp) + "_impl") return &one;
  }
  return nullptr;
}

/// Returns the setter of a property: the function of the same name in Python with one parameter.
consteval info SetterOf(const ClassScope& in, std::string_view name) {
  for (const info member : in.members) {
    if (!is_function(member) || !has_identifier(member) || parameters_of(member).size() != 1) {
      continue;
    }
    const Notes notes = NotesOf(member);
    if (notes.is_property && name == NameOf(member, notes)) return member;
  }
  return {};
}

consteval void AddProperty(Plan& plan, const ClassScope& in, info member, const Notes& notes) {
  if (!parameters_of(member).empty()) return;  // a setter
  const char* name = NameOf(member, notes);
  const Callee getter = CalleeOf(member, in.type);
  if (const std::string why = WhyCallFails(getter, in.scope); !why.empty()) {
    return Skip(plan, identifier_of(member), why);
  }
  Entry entry = EntryOf(Kind::kProperty, member, notes, name);
  entry.caller = CallerOf(getter);
  if (const info setter = SetterOf(in, name); setter != info{}) {
    const std::string why = WhyCallFails(CalleeOf(setter, in.type), in.scope);
    if (why.empty()) {
      entry.setter = setter;
    } else {
      Skip(plan, identifier_of(setter), why);
    }
  }
  plan.entries.push_back(entry);
}

/// The text of the error for [[=tain::overridable]] without TAIN_VIRTUAL.
consteval std::string OverridableText(info member) {
  std::string name(identifier_of(member));
  const std::string function(display_string_of(member));
  if (name.ends_with("_impl")) {
    name.resize(name.size() - 5);
    return function + " is overridable: write TAIN_VIRTUAL(" + name + ") before it";
  }
  return function + " is overridable: write TAIN_VIRTUAL(" + name +
         ") before it, and rename the function to " + name + "_impl";
}

consteval void AddMethod(Plan& plan, const ClassScope& in, info member, const Notes& notes) {
  const std::string_view identifier = identifier_of(member);
  if (IsTainsOwn(identifier)) return;
  if (notes.is_property) return AddProperty(plan, in, member, notes);
  const VirtualName* virtual_name = FindVirtual(in, identifier);
  // An override is reached by the method of the base class.
  if (virtual_name == nullptr && is_override(member) && notes.name == nullptr) return;
  for (const info other : in.members) {
    if (other == member) break;
    if (is_function(other) && DifferInConst(other, member)) return;  // Python has no const
  }
  Entry entry = EntryOf(is_static_member(member) ? Kind::kStatic
                        : virtual_name != nullptr ? Kind::kVirtual
                                                  : Kind::kMethod,
                        member, notes, NameOf(member, notes));
  if (virtual_name != nullptr) entry.name = virtual_name->python;
  AddCallable(plan, entry, CalleeOf(member, in.type), in.scope, identifier);
}

/// The comparison `= default` of a class of objects is deleted, because Object has none: the fields
/// are compared by libtain.
consteval int64_t DefaultedComparison(info function) {
  if (!is_deleted(function) || !is_defaulted(function)) return 0;
  const auto which = operator_of(function);
  if (which == std::meta::operators::op_spaceship) return kTainTypeOrder | kTainTypeEq;
  return which == std::meta::operators::op_equals_equals ? int64_t{kTainTypeEq} : 0;
}

consteval void AddOrder(Plan& plan, info function, info self, info operand, const Notes& notes) {
  for (int i = 0; i < 4; ++i) {
    const char* name = internal::OperatorOf(kOrderSymbols[i], 2).name.data();
    Entry entry = EntryOf(Kind::kMethod, function, notes, name);
    entry.caller = substitute(^^OrderCaller, {self, operand, std::meta::reflect_constant(i)});
    plan.entries.push_back(entry);
  }
}

/// Adds `__setitem__` for an operator[] that returns a reference to a value.
consteval void AddElementSetter(Plan& plan, const ClassScope& in, info member,
                                const Callee& callee, const Notes& notes) {
  if (is_const(member) || !is_lvalue_reference_type(callee.result)) return;
  const info value = remove_reference(callee.result);
  if (is_const_type(value) || IsTrue(^^kIsObjectClass, remove_cv(value))) return;
  Entry entry = EntryOf(Kind::kMethod, member, notes, "__setitem__");
  std::vector<info> arguments = {in.type, value};
  for (const info parameter : callee.parameters) arguments.push_back(parameter);
  entry.caller = substitute(^^ElementSetter, arguments);
  plan.entries.push_back(entry);
}

consteval void AddOperator(Plan& plan, const ClassScope& in, info member, const Notes& notes) {
  if (IsOfCppOnly(member) || DefaultedComparison(member) != 0) return;
  const std::string_view text = display_string_of(member);
  if (is_deleted(member)) return;
  const Callee callee = CalleeOf(member, in.type);
  if (operator_of(member) == std::meta::operators::op_spaceship) {
    Callee comparison = callee;
    comparison.result = ^^bool;
    const std::string why = WhyCallFails(comparison, in.scope);
    return why.empty() ? AddOrder(plan, member, in.type, callee.parameters[0], notes)
                       : Skip(plan, text, why);
  }
  const Operator names = OperatorOf(member, callee.parameters.size() + 1);
  const char* name = notes.name != nullptr ? notes.name : names.name.data();
  if (name == nullptr) return Skip(plan, text, "Python has no such operator");
  if (std::string_view(name) == "__getitem__") {
    AddElementSetter(plan, in, member, callee, notes);
  }
  for (const info other : in.members) {
    if (other == member) break;
    if (is_function(other) && DifferInConst(other, member)) return;
  }
  AddCallable(plan, EntryOf(Kind::kMethod, member, notes, name), callee, in.scope, text);
}

consteval void AddConversion(Plan& plan, const ClassScope& in, info member, const Notes& notes) {
  const info target = return_type_of(member);
  const char* name = notes.name != nullptr ? notes.name : ConversionName(target);
  const std::string_view text = display_string_of(member);
  if (name == nullptr) return Skip(plan, text, "Python has no such conversion");
  AddCallable(plan, EntryOf(Kind::kMethod, member, notes, name),
              CalleeOf(member, in.type), in.scope, text);
}

/// Adds the constructor with the parameters A.
template <class D, class... A>
void AddInit(reflection::ObjectDef<D>& def, const call_spec& spec) {
  def.template def_init<A...>(spec);
}
/// The same, with values for the defaults of its parameters.
template <class D, class... A>
void AddInitWith(reflection::ObjectDef<D>& def, const call_spec& spec, std::vector<arg> values) {
  def.template def_init<A...>(spec, std::move(values));
}
/// Adds a constructor whose last parameters have C++ default arguments.
template <class D, class... Forms>
void AddInitForms(reflection::ObjectDef<D>& def, const call_spec& spec) {
  def.template def_init_with_defaults<Forms...>(spec);
}
template <class... A>
using FormOf = void (*)(A...);

/// Returns the function above that adds a constructor.
consteval info InitOf(info described, const Callee& callee, bool has_values) {
  std::vector<info> arguments = {described};
  if (callee.num_defaults == 0 || has_values) {
    for (const info parameter : callee.parameters) arguments.push_back(parameter);
    return substitute(has_values ? ^^AddInitWith : ^^AddInit, arguments);
  }
  std::vector<info> given = callee.parameters;
  arguments.push_back(dealias(substitute(^^FormOf, given)));
  for (size_t i = 0; i < callee.num_defaults; ++i) {
    given.pop_back();
    arguments.push_back(dealias(substitute(^^FormOf, given)));
  }
  return substitute(^^AddInitForms, arguments);
}

consteval bool IsConstructorOfOwn(info member) {
  return is_constructor(member) && is_user_declared(member) && !is_copy_constructor(member) &&
         !is_move_constructor(member);
}

consteval void AddConstructor(Plan& plan, const ClassScope& in, info member, const Notes& notes) {
  if (!IsConstructorOfOwn(member) || is_deleted(member) || is_abstract_type(in.type)) return;
  const Callee callee = CalleeOf(member, in.type);
  if (const std::string why = WhyCallFails(callee, in.scope); !why.empty()) {
    return Skip(plan, "constructor", why);
  }
  Entry entry = EntryOf(Kind::kInit, member, notes, kNoText);
  AddParameters(plan, entry, callee);
  entry.caller = InitOf(in.described, callee, entry.has_values);
  plan.entries.push_back(entry);
}

/// Whether a class has no constructor but the default one of the compiler, so that its fields are
/// the parameters of its constructor in Python.
consteval bool HasFieldInit(const ClassScope& in) {
  if (is_abstract_type(in.type) || !is_default_constructible_type(in.type)) return false;
  for (const info member : members_of(in.type, std::meta::access_context::unchecked())) {
    if (is_constructor_template(member)) return false;
    if (!is_function(member) || !IsConstructorOfOwn(member)) continue;
    if (!is_default_constructor(member) || is_user_provided(member)) return false;
  }
  return true;
}

}  // namespace tain::internal::reflect
#endif
