// SPDX-License-Identifier: Apache-2.0
// Registers a namespace: its enums, its classes, its functions, and the namespaces in it.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <string>
#include <vector>

#include "tain/internal/reflect/describe.h"
#include "tain/internal/skipped_functions.h"
#include "tain/reflection/enum_def.h"

namespace tain::internal::reflect {

/// The declarations that are registered, in this order.
struct Found {
  std::vector<info> enums{};
  std::vector<info> classes{};
  std::vector<info> boxed{};
  std::vector<info> errors{};
  std::vector<info> functions{};
};

consteval void Find(Found& found, info declaration, Scope scope);

consteval void FindIn(Found& found, info outer, Scope scope) {
  for (const info member : members_of(outer, kPublic)) {
    if (is_template(member) || is_type_alias(member)) continue;
    if (is_type(member) && !is_complete_type(member)) continue;
    if (is_type(member) || is_namespace(member)) {
      Find(found, member, scope);
    } else if (is_namespace(outer) && is_function(member) && has_identifier(member)) {
      found.functions.push_back(member);
    }
  }
}

consteval void Find(Found& found, info declaration, Scope scope) {
  if (!is_namespace(declaration) && NotesOf(declaration).is_hidden) return;
  if (is_function(declaration)) {
    found.functions.push_back(declaration);
  } else if (is_namespace(declaration)) {
    FindIn(found, declaration, scope);
  } else if (is_enum_type(declaration)) {
    if (has_identifier(declaration)) found.enums.push_back(declaration);
  } else if (is_class_type(declaration) && has_identifier(declaration)) {
    if (IsTrue(^^kIsObjectClass, declaration) && IsTrue(^^kIsRegistered, declaration)) {
      found.classes.push_back(declaration);
    } else if (IsBoxedIn(declaration, scope)) {
      found.boxed.push_back(declaration);
    } else if (scope.boxes && IsTrue(^^kIsException, declaration)) {
      found.errors.push_back(declaration);
    }
    FindIn(found, declaration, scope);
  }
}

/// Returns the scope of a namespace, or of one declaration in it.
consteval Scope ScopeAt(info declaration, bool boxes) {
  return {is_namespace(declaration) ? declaration : NamespaceOf(declaration), boxes};
}

consteval Found Everything(info declaration, bool boxes) {
  Found found;
  Find(found, declaration, ScopeAt(declaration, boxes));
  return found;
}

/// A member of an enum.
struct Enumerator {
  const char* name;
  const char* doc;
  int64_t value;
};
template <class E>
consteval std::vector<Enumerator> EnumeratorsOf() {
  std::vector<Enumerator> all;
  for (const info one : enumerators_of(^^E)) {
    const Notes notes = NotesOf(one);
    if (notes.is_hidden) continue;
    all.push_back({StaticNameOf(one, notes), notes.doc, static_cast<int64_t>(extract<E>(one))});
  }
  return all;
}

template <class E>
TAIN_COLD void DescribeEnum() {
  static constexpr const char* kDoc = NotesOf(^^E).doc;
  static constexpr int32_t kKind = NotesOf(^^E).enum_kind;
  static constexpr std::span<const Enumerator> kAll = std::define_static_array(EnumeratorsOf<E>());
  reflection::EnumDef<E> def(KeyOfDeclaration(^^E), kDoc, static_cast<reflection::EnumKind>(kKind));
  constexpr bool is_text = kKind == kTainEnumStr;
  for (const Enumerator& one : kAll) {
    def.value(one.name, static_cast<E>(one.value), is_text ? "" : one.doc, is_text ? one.doc : "");
  }
}

/// Returns the plan of functions of namespaces; the names are full.
consteval Plan FunctionPlan(std::span<const info> functions, Scope scope) {
  Plan plan;
  for (const info function : functions) {
    const Notes notes = NotesOf(function);
    if (notes.is_hidden || is_deleted(function)) continue;
    std::string name = PathOf(parent_of(function));
    if (!name.empty()) name += '.';
    name += NameOf(function, notes);
    AddCallable(plan, EntryOf(Kind::kStatic, function, notes, std::define_static_string(name)),
                CalleeOf(function, {}), scope, name);
  }
  return plan;
}

/// The plan of functions as static data.
struct FunctionsPlan {
  std::span<const CodeEntry> entries;
  std::span<const Skipped> skipped;
};
consteval FunctionsPlan Keep(const Plan& plan) {
  std::vector<CodeEntry> entries;
  for (const Entry& entry : plan.entries) entries.push_back(CodeEntryOf(plan, entry, {}));
  return {std::define_static_array(entries), std::define_static_array(plan.skipped)};
}

template <info kWhat, bool kBoxes>
TAIN_COLD void DescribeFunctions() {
  static constexpr FunctionsPlan kPlan =
      Keep(FunctionPlan(Everything(kWhat, kBoxes).functions, ScopeAt(kWhat, kBoxes)));
  reflection::GlobalDef def;
  template for (constexpr CodeEntry kCode : kPlan.entries) {
    constexpr Entry kEntry = kCode.entry;
    static constexpr const char* kName = kEntry.name;
    if constexpr (kEntry.has_values) {
      static constexpr call_spec kRest{nullptr, 0, kEntry.doc, kEntry.call_flags, kEntry.keeps};
      def.def(kName, CallableOf<kEntry.member, kEntry.caller>(), kRest,
              ArgumentsOf<kEntry.member>());
    } else {
      static constexpr call_spec kCall{kCode.params, kEntry.num_params, kEntry.doc,
                                       kEntry.call_flags, kEntry.keeps};
      def.def(kName, CallableOf<kEntry.member, kEntry.caller>(), kCall);
    }
  }
  static constexpr std::span<const Skipped> kSkipped = kPlan.skipped;
  for (const Skipped& one : kSkipped) {
    NoteSkippedFunction(ThisUnit(), one.name, one.why, kIsStrict);
  }
}

template <info kWhat, bool kBoxes>
inline constexpr std::span<const info> kEnums =
    std::define_static_array(Everything(kWhat, kBoxes).enums);
template <info kWhat, bool kBoxes>
inline constexpr std::span<const info> kClasses =
    std::define_static_array(Everything(kWhat, kBoxes).classes);

/// Registers the enums and the classes of objects.
template <info kWhat, bool kBoxes>
TAIN_COLD void DescribeTypes() {
  template for (constexpr info kEnum : kEnums<kWhat, kBoxes>) {
    DescribeEnum<typename [:kEnum:]>();
  }
  template for (constexpr info kClass : kClasses<kWhat, kBoxes>) {
    DescribeClass<typename [:kClass:], ScopeAt(kWhat, kBoxes)>();
  }
}

/// Registers a namespace with all in it, a class with its nested types, an enum or a function.
template <info kWhat>
TAIN_COLD void Describe() {
  DescribeTypes<kWhat, false>();
  DescribeFunctions<kWhat, false>();
}

}  // namespace tain::internal::reflect
#endif
