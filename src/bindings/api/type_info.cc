// SPDX-License-Identifier: Apache-2.0
// type_info(cls_or_key) and the classes TypeInfo and EnumInfo.
#include "api/init.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/member_info.h"
#include "base/bridge_lock.h"
#include "base/given_text.h"
#include "base/type_keys.h"
#include "objects/class_table.h"
#include "objects/enums.h"
#include "objects/instance.h"
#include "objects/type_constructor.h"
#include "tain/container/array.h"
#include "tain/internal/structural_kinds.h"
#include "tain/internal/type_state.h"

namespace tain::bindings {
namespace {

struct TypeInfo {
  const TainTypeRecord* record;
};
struct EnumInfo {
  const TainEnumInfo* info;
};

template <class T>
using TupleOf = nb::typed<nb::tuple, T, nb::ellipsis>;

template <class Def>
std::string_view NameOf(const Def* def) noexcept {
  return View(NamesOf(*def).name);
}

/// The members of one kind in a record.
template <class Def>
struct Members {
  const Def* const* TainTypeRecord::* array;
  int32_t TainTypeRecord::* count;
};
constexpr Members<TainFieldDef> kFields{&TainTypeRecord::fields, &TainTypeRecord::num_fields};
constexpr Members<TainMethodDef> kMethods{&TainTypeRecord::methods, &TainTypeRecord::num_methods};
constexpr Members<TainPropertyDef> kProperties{&TainTypeRecord::properties,
                                               &TainTypeRecord::num_properties};
constexpr Members<TainConstantDef> kConstants{&TainTypeRecord::constants,
                                              &TainTypeRecord::num_constants};

/// Returns the type and its ancestors, the root first.
std::vector<const TainTypeRecord*> LineageOf(const TainTypeRecord* record) {
  std::vector<const TainTypeRecord*> all;
  for (int32_t depth = 0; depth < record->info->type_depth; ++depth) {
    const TainTypeInfo* ancestor = record->info->type_ancestors[depth];
    const TainTypeRecord* found = TainGetTypeRecord(ancestor->type_index);
    if (found != nullptr) all.push_back(found);
  }
  all.push_back(record);
  return all;
}

template <class Def>
void CollectMembers(const TainTypeRecord* record, Members<Def> kind, std::vector<const Def*>& out) {
  for (int32_t i = 0; i < record->*kind.count; ++i) {
    const Def* def = (record->*kind.array)[i];
    if constexpr (std::is_same_v<Def, TainMethodDef>) {
      // A static method that became the constructor is listed as that, and is not inherited.
      if (def->info.method.v_obj == record->constructor) continue;
    }
    bool replaced = false;  // a member that a child defines again replaces the parent's
    for (const Def*& known : out) {
      if (NameOf(known) != NameOf(def)) continue;
      known = def;
      replaced = true;
    }
    if (!replaced) out.push_back(def);
  }
}

template <class Info, class Def>
TupleOf<Info> ToTuple(const std::vector<const Def*>& defs) {
  return TupleOfEach<Info>(static_cast<int32_t>(defs.size()),
                           [&](int32_t i) { return Info{defs[static_cast<size_t>(i)]}; });
}

/// Returns the members of the type itself.
template <class Info, class Def>
TupleOf<Info> OwnMembers(const TypeInfo& self, Members<Def> kind) {
  std::vector<const Def*> defs;
  CollectMembers(self.record, kind, defs);
  return ToTuple<Info>(defs);
}
/// Returns all members, those of the parents first.
template <class Def>
std::vector<const Def*> AllDefs(const TypeInfo& self, Members<Def> kind) {
  std::vector<const Def*> defs;
  for (const TainTypeRecord* record : LineageOf(self.record)) CollectMembers(record, kind, defs);
  return defs;
}
template <class Info, class Def>
TupleOf<Info> AllMembers(const TypeInfo& self, Members<Def> kind) {
  return ToTuple<Info>(AllDefs(self, kind));
}

TupleOf<TypeInfo> ParentsOf(const TypeInfo& self) {
  std::vector<const TainTypeRecord*> lineage = LineageOf(self.record);
  lineage.pop_back();
  std::reverse(lineage.begin(), lineage.end());
  return ToTuple<TypeInfo>(lineage);
}
nb::object ParentOf(const TypeInfo& self) {
  const std::vector<const TainTypeRecord*> lineage = LineageOf(self.record);
  return lineage.size() < 2 ? nb::none() : nb::cast(TypeInfo{lineage[lineage.size() - 2]});
}

template <class Def>
std::string MemberNames(const TypeInfo& self, Members<Def> kind) {
  std::string names;
  for (const Def* def : AllDefs(self, kind))
    names += (names.empty() ? "" : ", ") + std::string(NameOf(def));
  return names;
}

std::string TypeRepr(const TypeInfo& self) {
  std::string text = "TypeInfo('" + std::string(View(self.record->info->type_key)) + "'";
  if (self.record->build > 1) text += ", build " + std::to_string(self.record->build);
  const std::string fields = MemberNames(self, kFields);
  const std::string methods = MemberNames(self, kMethods);
  if (!fields.empty()) text += ", fields: " + fields;
  if (!methods.empty()) text += ", methods: " + methods;
  return text + ")";
}

template <int64_t kBit>
bool TypeFlag(const TypeInfo& self) {
  return ((self.record->def.flags | self.record->request.flags) & kBit) != 0;
}

nb::object ConstructorInfo(const TypeInfo& self) {
  const TypeConstructor found = ConstructorOf(self.record);
  return found ? nb::cast(FunctionInfo{found.info()}) : nb::none();
}

nb::object ClassOfInfo(const TypeInfo& self) {
  const nb::object cls = ClassObject(self.record->info->type_index);
  return cls.is_valid() ? cls : nb::none();
}

/// Adds names, origin and memory.
void AddFacts(CoreClass<TypeInfo>& cls) {
  using T = TypeInfo;
  cls.def_prop_ro("key", [](const T& t) { return Text(t.record->info->type_key); })
      .def_prop_ro(
          "index", [](const T& t) { return t.record->info->type_index; },
          "The type index, which each object stores to identify its type.")
      .def_prop_ro("doc", [](const T& t) { return Text(t.record->def.doc); })
      .def_prop_ro("cls", &ClassOfInfo, "The Python class.")
      .def_prop_ro("parent", &ParentOf,
                   nb::for_getter(nb::sig("def parent(self, /) -> TypeInfo | None")))
      .def_prop_ro("parents", &ParentsOf, "The parent, its parent, and so on.")
      .def_prop_ro(
          "library", [](const T& t) { return TextOrNone(View(t.record->unit_file)); },
          nb::for_getter(nb::sig("def library(self, /) -> str | None")),
          "The file that registers the type; None for types of tain itself.")
      .def_prop_ro(
          "unit", [](const T& t) { return TextOrNone(View(t.record->unit_name)); },
          nb::for_getter(nb::sig("def unit(self, /) -> str | None")),
          "The name of the registration unit that the file belongs to.")
      .def_prop_ro(
          "build", [](const T& t) { return t.record->build; },
          "The number of the definition of the key: 1 for the first, 2 for the next ...")
      .def_prop_ro(
          "size", [](const T& t) { return t.record->request.size; },
          "The size of the C++ object in bytes; 0 if unknown.")
      .def_prop_ro(
          "alignment", [](const T& t) { return t.record->request.alignment; },
          "The alignment of the C++ object in bytes; 0 if unknown.");
}

/// Returns the kind that the nearest type of the chain states.
std::string StructuralKindText(const TypeInfo& self) {
  for (const TainTypeRecord* at = self.record; at != nullptr;
       at = TainGetTypeRecord(at->request.parent)) {
    const TainTypeMetadata* metadata = at->info->metadata;
    const int32_t kind = metadata == nullptr ? 0 : metadata->structural_eq_hash_kind;
    if (const char* name = internal::NameOfStructuralKind(kind)) return name;
    if (at->request.parent < kTainStaticObjectBegin) break;
  }
  return internal::kStructuralKinds[0].name;
}

void AddFlags(CoreClass<TypeInfo>& cls) {
  cls.def_prop_ro("is_abstract", &TypeFlag<kTainTypeAbstract>, "Whether it cannot be constructed.")
      .def_prop_ro("is_final", &TypeFlag<kTainTypeFinal>, "Whether it can have no subclass.")
      .def_prop_ro("is_frozen", &TypeFlag<kTainTypeFrozen>, "Whether no field can be assigned.")
      .def_prop_ro(
          "is_thread_safe", &TypeFlag<kTainTypeThreadSafe>,
          "Whether threads may use its objects at the same time: without a GIL, its fields "
          "are read, and members that say nothing else are called, without a lock.")
      .def_prop_ro(
          "locks_receiver", &TypeFlag<kTainTypeLockReceiver>,
          "Whether members that say nothing else take a lock of their object only, without "
          "a GIL.")
      .def_prop_ro(
          "unregistered_bytes",
          [](const TypeInfo& self) {
            return internal::UnregisteredBytes(self.record->info->type_index);
          },
          "The bytes of an object that hold state and belong to no registered field. Comparison by "
          "fields, structural comparison and hashes do not see them; pickles, saved data and "
          "dataclasses.replace() raise TypeError, unless the type is transient.")
      .def_prop_ro("has_eq", &TypeFlag<kTainTypeEq>, "Whether == compares fields.")
      .def_prop_ro("has_order", &TypeFlag<kTainTypeOrder>,
                   "Whether <, <=, > and >= compare fields.")
      .def_prop_ro("has_hash", &TypeFlag<kTainTypeHash>,
                   "Whether the hash is computed from the fields.")
      .def_prop_ro("has_field_init", &TypeFlag<kTainTypeFieldInit>,
                   "Whether the constructor takes the fields by keyword.")
      .def_prop_ro("structural", &StructuralKindText,
                   "How structural comparison treats objects: `tree`, `dag`, `const_tree`, "
                   "`variable` or `unique`.")
      .def_prop_ro("is_described", &TypeFlag<kTainTypeDefined>,
                   "Whether an ObjectDef describes it.");
}

using Skipped = nb::typed<nb::tuple, nb::str, nb::str>;

/// Returns pairs of a member's name in C++ and why TAIN_REFLECT left it out.
TupleOf<Skipped> SkippedOf(const TainTypeRecord* record) {
  nb::list pairs = NewList();
  if (const TainAny* value = TypeAttr(record->info->type_index, "__tain_skipped__")) {
    const auto texts = AnyView(*value).cast<Array<String>>();
    for (size_t i = 0; i + 1 < texts.size(); i += 2) {
      const String name = texts[i];
      const String why = texts[i + 1];
      pairs.append(nb::make_tuple(Text(std::string_view(name)), Text(std::string_view(why))));
    }
  }
  return nb::borrow<TupleOf<Skipped>>(nb::tuple(pairs));
}

/// Returns which of the keys are types whose library asked for a warning of what it leaves out.
nb::typed<nb::list, nb::str> StrictTypes(const nb::typed<nb::tuple, nb::str, nb::ellipsis>& keys) {
  nb::list strict = NewList();
  const TainByteArray name = internal::Bytes("__tain_strict__");
  if (TainGetTypeAttrColumn(&name) != nullptr) {
    for (const nb::handle key : keys) {
      const int32_t index = FindTypeIndex(TextFrom(key, "strict_types()"));
      if (index >= 0 && TypeAttr(index, "__tain_strict__") != nullptr) strict.append(key);
    }
  }
  return nb::borrow<nb::typed<nb::list, nb::str>>(strict);
}

void AddMembers(CoreClass<TypeInfo>& cls) {
  using T = TypeInfo;
  cls.def_prop_ro(
         "fields", [](const T& t) { return AllMembers<FieldInfo>(t, kFields); },
         "All fields, those of the parents first.")
      .def_prop_ro("own_fields", [](const T& t) { return OwnMembers<FieldInfo>(t, kFields); })
      .def_prop_ro(
          "methods", [](const T& t) { return AllMembers<MethodInfo>(t, kMethods); },
          "All methods, those of the parents first.")
      .def_prop_ro("own_methods", [](const T& t) { return OwnMembers<MethodInfo>(t, kMethods); })
      .def_prop_ro("properties",
                   [](const T& t) { return AllMembers<PropertyInfo>(t, kProperties); })
      .def_prop_ro("constants", [](const T& t) { return AllMembers<ConstantInfo>(t, kConstants); })
      .def_prop_ro(
          "skipped", [](const T& t) { return SkippedOf(t.record); },
          "What TAIN_REFLECT left out: pairs of a member's name in C++ and the reason.")
      .def_prop_ro("constructor", &ConstructorInfo,
                   nb::for_getter(nb::sig("def constructor(self, /) -> FunctionInfo | None")));
}

// ---------------------------------------------------------------- enums

const char* KindName(const EnumInfo& self) {
  return self.info->kind == kTainEnumStr    ? "str"
         : self.info->kind == kTainEnumFlag ? "flag"
                                            : "int";
}
TupleOf<EnumMemberInfo> EnumMembers(const EnumInfo& self) {
  return TupleOfEach<EnumMemberInfo>(self.info->num_members, [&](int32_t i) {
    return EnumMemberInfo{&self.info->members[i], self.info};
  });
}
std::string EnumRepr(const EnumInfo& self) {
  std::string text = "EnumInfo('" + std::string(View(self.info->key)) + "'";
  for (int32_t i = 0; i < self.info->num_members; ++i) {
    text += (i == 0 ? ", members: " : ", ") + std::string(View(self.info->members[i].name));
  }
  return text + ")";
}

void AddEnumInfo(CoreModule& m) {
  using E = EnumInfo;
  CoreClass<E> cls(m, "EnumInfo", nb::is_final(), "The registered facts about an enum.");
  AddIdentity(cls, &E::info);
  cls.def("__repr__", &EnumRepr)
      .def_prop_ro("key", [](const E& e) { return Text(e.info->key); })
      .def_prop_ro("doc", [](const E& e) { return Text(e.info->doc); })
      .def_prop_ro("kind", &KindName, "'int', 'flag' or 'str'.")
      .def_prop_ro("members", &EnumMembers)
      .def_prop_ro(
          "cls", [](const E& e) { return nb::steal(EnumClass(View(e.info->key))); },
          nb::for_getter(nb::sig("def cls(self, /) -> type")), "The Python class.");
}

// ---------------------------------------------------------------- the function

/// Returns the info of a key, or None if nothing is registered under it.
nb::object FindKey(std::string_view key) {
  if (const TainEnumInfo* info = FindEnum(key)) return nb::cast(EnumInfo{info});
  const int32_t index = FindTypeIndex(key);
  const TainTypeRecord* record = index < 0 ? nullptr : TainGetTypeRecord(index);
  return record == nullptr ? nb::none() : nb::cast(TypeInfo{record});
}

nb::object InfoOfKey(std::string_view key) {
  RaisePendingFaults();
  nb::object found = FindKey(key);
  if (found.is_none()) {
    AskForMissing("key", key);
    found = FindKey(key);
  }
  if (!found.is_none()) return found;
  ThrowUnknownKey(key);
}

nb::object GetTypeInfo(nb::handle object) {
  if (PyUnicode_Check(object.ptr())) return InfoOfKey(TextFrom(object, "type_info()"));
  if (const TainEnumInfo* info = InfoOfEnumClass(object.ptr())) return nb::cast(EnumInfo{info});
  if (PyType_Check(object.ptr())) {
    const ClassRecord* record = RecordOfType(reinterpret_cast<PyTypeObject*>(object.ptr()));
    if (record != nullptr) return nb::cast(TypeInfo{record->record});
  }
  ThrowGiven("type_info(): expected the key or the class of a registered type", object);
}

/// Returns the info of a tain.Function; None for one of Python, or one that has none.
nb::object GetFunctionInfo(nb::handle function) {
  if (Py_TYPE(function.ptr()) != GetState().function_type) {
    ThrowGiven("function_info(): expected a tain.Function", function);
  }
  TainObject* object = ObjectOrNull(function.ptr());
  const TainFunctionInfo* info = object == nullptr ? nullptr : TainFunctionGetInfo(object);
  return info == nullptr ? nb::none() : nb::cast(FunctionInfo{info});
}

}  // namespace

void DefineStrictTypes(CoreModule& m) {
  m.def("strict_types", &StrictTypes, nb::arg("keys"),
        "Returns the keys of types compiled with TAIN_REFLECT_STRICT that leave something out.");
}

void DefineTypeInfo(CoreModule& m) {
  InitMemberInfo(m);
  CoreClass<TypeInfo> cls(m, "TypeInfo", nb::is_final(), "The registered facts about a type.");
  AddIdentity(cls, &TypeInfo::record);
  cls.def("__repr__", &TypeRepr);
  AddFacts(cls);
  AddFlags(cls);
  AddMembers(cls);
  AddEnumInfo(m);
  m.def("type_info", &GetTypeInfo, nb::arg("cls_or_key").none(),
        nb::sig("def type_info(cls_or_key: type | str) -> TypeInfo | typing.Any"),
        "Returns the registered facts about a type or enum: fields, methods, parents, docs, "
        "defaults, "
        "flags, library.\n\n"
        "Returns a TypeInfo, or an EnumInfo for an enum. A subclass written in Python gives the "
        "info of the nearest registered class. Raises ValueError for an unknown key, TypeError for "
        "a class "
        "that is not registered.");
  m.def(
      "function_info", &GetFunctionInfo, nb::arg("function"),
      nb::sig("def function_info(function: typing.Any) -> FunctionInfo | None"),
      "Returns the registered facts about a tain.Function; None if it wraps a callable of Python, "
      "or was registered without any.");
}

}  // namespace tain::bindings
