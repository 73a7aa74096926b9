// SPDX-License-Identifier: Apache-2.0
// Registers the plan of a class through ObjectDef.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <string_view>
#include <vector>

#include "tain/internal/reflect/class.h"

namespace tain::internal::reflect {

/// Returns the namespace that a declaration stands in.
consteval info NamespaceOf(info declaration) {
  info scope = parent_of(declaration);
  while (!is_namespace(scope)) scope = parent_of(scope);
  return scope;
}

/// Returns the bytes from the start of a class to its header; 0 for one that is no object.
template <class T>
int64_t HeaderOffsetOf() noexcept {
  if constexpr (std::is_base_of_v<Object, T>) {
    return HeaderOffset<T>();
  } else {
    return 0;
  }
}

/// Describes the class T by `def`, an ObjectDef<D>. The enums that T uses are in kScope.
template <class T, class D, Scope kScope>
TAIN_COLD void DescribeMembers(reflection::ObjectDef<D>& def) {
  static constexpr auto kPlan = PlanOf<T, D, kScope, NamespaceOf(^^T)>();
  static_assert(kPlan.error.empty(), kPlan.error);
  static constexpr auto kFields = FirstOf<kPlan.rows.fields>(kPlan.fields);
  static constexpr auto kParams = FirstOf<kPlan.rows.params>(kPlan.params);
  static constexpr auto kMethods = MethodsOf<kPlan.rows.methods>(kPlan.methods, kParams.data());
  RowAdder rows(BuilderOf::Get(def), kFields, kMethods, HeaderOffsetOf<T>());
  template for (constexpr CodeEntry kCode : kPlan.code) {
    // Code that runs cannot name what holds reflections.
    static constexpr size_t kNumFields = kCode.num_fields;
    static constexpr size_t kNumMethods = kCode.num_methods;
    rows.AddUntil(kNumFields, kNumMethods);
    constexpr Entry kEntry = kCode.entry;
    static constexpr const char* kName = kEntry.name;
    static constexpr const char* kDoc = kEntry.doc;
    static constexpr call_spec kCall{kCode.params, kEntry.num_params, kEntry.doc,
                                     kEntry.call_flags, kEntry.keeps};
    static constexpr call_spec kRest{nullptr, 0, kEntry.doc, kEntry.call_flags, kEntry.keeps};
    static constexpr FinishedSpec kSpec{kEntry.doc, kEntry.flags & ~int64_t{kTainFieldWritable}};
    if constexpr (kEntry.kind == Kind::kField) {
      if constexpr (kEntry.default_value != info{}) {
        AddFieldWithDefault<D, kEntry.member, kEntry.default_value>(
            def, kName, kSpec,
            std::bool_constant<(kEntry.flags & kTainFieldWritable) != 0>{});
      } else if constexpr ((kEntry.flags & kTainFieldWritable) != 0) {
        def.def_rw(kName, &[:kEntry.member:], kSpec);
      } else {
        def.def_ro(kName, &[:kEntry.member:], kSpec);
      }
    } else if constexpr (kEntry.kind == Kind::kConstant) {
      def.def_attr(kName, [:kEntry.member:], kDoc);
    } else if constexpr (kEntry.kind == Kind::kInit) {
      if constexpr (kEntry.has_values) {
        [:kEntry.caller:](def, kRest, ArgumentsOf<kEntry.member>());
      } else {
        [:kEntry.caller:](def, kCall);
      }
    } else if constexpr (kEntry.kind == Kind::kProperty) {
      if constexpr (kEntry.setter != info{}) {
        def.def_property(kName, CallableOf<kEntry.member, kEntry.caller>(),
                         &[:kEntry.setter:], kRest);
      } else {
        def.def_property(kName, CallableOf<kEntry.member, kEntry.caller>(), kRest);
      }
    } else if constexpr (kEntry.has_values) {
      if constexpr (kEntry.kind == Kind::kStatic) {
        def.def_static(kName, CallableOf<kEntry.member, kEntry.caller>(), kRest,
                       ArgumentsOf<kEntry.member>());
      } else {
        def.def(kName, CallableOf<kEntry.member, kEntry.caller>(), kRest,
                ArgumentsOf<kEntry.member>());
      }
    } else if constexpr (kEntry.kind == Kind::kStatic) {
      def.def_static(kName, CallableOf<kEntry.member, kEntry.caller>(), kCall);
    } else if constexpr (kEntry.kind == Kind::kVirtual) {
      def.def_virtual(kName, CallableOf<kEntry.member, kEntry.caller>(), kCall);
    } else {
      def.def(kName, CallableOf<kEntry.member, kEntry.caller>(), kCall);
    }
  }
  rows.AddRest();
  if constexpr (kPlan.has_field_init) def.def_init_fields();
  if constexpr (NotesOf(^^T).is_iterable) def.def_iter();
  if constexpr (!kPlan.skipped.empty()) {
    static constexpr std::span<const Skipped> kSkipped = kPlan.skipped;
    BuilderOf::Get(def).AddSkipped(kSkipped, kIsStrict);
  }
}

/// Describes a class of objects.
template <class T, Scope kScope>
TAIN_COLD void DescribeClass() {
  static constexpr FinishedSpec kType = TypeSpecOf(^^T);
  reflection::ObjectDef<T> def(kType);
  DescribeMembers<T, T, kScope>(def);
}

}  // namespace tain::internal::reflect
#endif
