// SPDX-License-Identifier: Apache-2.0
// The classes FieldInfo, MethodInfo, FunctionInfo and others of members; see member_info.h.
#include "api/member_info.h"

#include <nanobind/stl/string.h>

#include <string>

#include "base/bridge_lock.h"
#include "base/type_keys.h"
#include "classes/field_descr.h"
#include "describe/signature.h"
#include "objects/enums.h"
#include "tain/internal/call_flags.h"
#include "tain/internal/keep_alive.h"
#include "values/to_python.h"

namespace tain::bindings {

namespace {

/// Returns `(name: type = default)`, without the parts that are empty.
std::string Declared(const TainByteArray& name, const TainByteArray& type,
                     const std::string& value) {
  std::string text(View(name));
  if (type.size != 0) text += ": " + std::string(View(type));
  if (!value.empty()) text += " = " + value;
  return text;
}

/// Defines equality and hash by the record, and its name and documentation; empty ones if it is null.
template <class T, class Record>
void AddNames(CoreClass<T>& cls, const Record* T::* record) {
  AddIdentity(cls, record);
  const auto text = [record](const T& self, auto part) {
    return Text(self.*record == nullptr ? TainByteArray{} : NamesOf(*(self.*record)).*part);
  };
  using Names = std::remove_cvref_t<decltype(NamesOf(std::declval<const Record&>()))>;
  cls.def_prop_ro("name", [text](const T& self) { return text(self, &Names::name); })
      .def_prop_ro("doc", [text](const T& self) { return text(self, &Names::doc); });
}

/// The default of a field or a parameter.
struct Default {
  const TainAny& value;  ///< or the factory that makes it
  bool is_given;
  bool is_factory;
  const TainByteArray& type;
};
std::string DefaultText(const Default& given) {
  if (!given.is_given) return "";
  return given.is_factory ? "<factory>" : internal::DeclaredText(given.value, View(given.type));
}
/// Defines the default of what is described, which `find` returns.
template <class T>
void AddDefault(CoreClass<T>& cls, Default (*find)(const T& self)) {
  cls.def_prop_ro(
         "default",
         [find](const T& self) -> nb::object {
           const Default given = find(self);
           if (!given.is_given || given.is_factory) return nb::none();
           if (given.value.type_index == kTainUnchanged) return nb::borrow(Py_Ellipsis);
           return ValueOfExpression(given.value, View(given.type));
         },
         "The default; None if there is none, or if a factory makes it.")
      .def_prop_ro(
          "default_factory",
          [find](const T& self) {
            const Default given = find(self);
            return given.is_factory ? BorrowedToPython(given.value) : nb::none();
          },
          "The function that makes the default, or None.");
}

// ---------------------------------------------------------------- fields

template <int64_t kBit>
bool FieldFlag(const FieldInfo& self) {
  return (self.def->info.flags & kBit) != 0;
}
bool IsWritable(const FieldInfo& self) {
  const TainTypeRecord* owner = TainGetTypeRecord(self.def->declaring_type);
  const bool is_frozen = owner != nullptr && (owner->def.flags & kTainTypeFrozen) != 0;
  return !is_frozen && FieldFlag<kTainFieldWritable>(self);
}
nb::object StructuralText(const FieldInfo& self) {
  if (FieldFlag<kTainFieldNoStructuralEq>(self)) return nb::str("ignore");
  if (FieldFlag<kTainFieldDefPattern>(self)) return nb::str("def");
  return FieldFlag<kTainFieldSimpleDef>(self) ? nb::object(nb::str("simple_def")) : nb::none();
}
nb::object FieldAnnotation(const FieldInfo& self) {
  nb::object type = TypeFromExpression(View(self.def->type));
  const std::string_view check = CheckOf(*self.def);
  if (check.empty()) return type;
  const nb::object annotated = nb::module_::import_("typing").attr("Annotated");
  return annotated[nb::make_tuple(type, Text(check))];
}
Default FieldDefault(const FieldInfo& self) {
  return {self.def->info.default_value_or_factory, FieldFlag<kTainFieldHasDefault>(self),
          FieldFlag<kTainFieldDefaultFactory>(self), self.def->type};
}
std::string FieldRepr(const FieldInfo& self) {
  const std::string value = DefaultText(FieldDefault(self));
  return "FieldInfo(" + Declared(self.def->info.name, self.def->type, value) +
         (IsWritable(self) ? ")" : ", read-only)");
}

void AddFieldInfo(CoreModule& m) {
  using F = FieldInfo;
  CoreClass<F> cls(m, "FieldInfo", nb::is_final(), "A field of a registered type.");
  AddNames(cls, &F::def);
  cls.def("__repr__", &FieldRepr)
      .def_prop_ro(
          "type", [](const F& f) { return Text(f.def->type); },
          "The type as an expression: `Array[geometry.Point]`.")
      .def_prop_ro("annotation", &FieldAnnotation,
                   "The type as a Python object; Annotated with `check` if there is one.")
      .def_prop_ro(
          "check", [](const F& f) { return Text(CheckOf(*f.def)); },
          "What values must fulfil: `above 0`; empty if there is no condition.")
      .def_prop_ro(
          "key", [](const F& f) { return Text(KeyOfIndex(f.def->declaring_type)); },
          "Key of the type that declares the field.");
  AddDefault(cls, &FieldDefault);
  cls.def_prop_ro("writable", &IsWritable)
      .def_prop_ro(
          "structural", &StructuralText,
          nb::for_getter(nb::sig("def structural(self, /) -> str | None")),
          "What structural comparison does with the field: `ignore`, `def`, `simple_def` or None.")
      .def_prop_ro(
          "offset", [](const F& f) { return f.def->info.offset; },
          "The offset from the object's header, in bytes.")
      .def_prop_ro("size", [](const F& f) { return f.def->info.size; }, "The size in bytes.");
  for (const internal::FlagNames& flag : internal::kFieldFlags) {
    if (*flag.property == '\0') continue;
    cls.def_prop_ro(flag.property, [&flag](const F& f) {
      return ((f.def->info.flags & flag.bit) != 0) == flag.means;
    });
  }
}

// ---------------------------------------------------------------- functions

template <int32_t kBit>
bool CallFlag(const FunctionInfo& self) {
  return self.info != nullptr && (self.info->flags & kBit) != 0;
}
/// The pairs of keep_alive: (keeper, kept).
nb::object KeptPairs(std::initializer_list<const TainFunctionInfo*> infos) {
  nb::list pairs = NewList();
  for (const TainFunctionInfo* info : infos) {
    internal::ForEachPair(info == nullptr ? 0 : info->keeps,
                          [&](const internal::KeptNumbers& kept) {
                            pairs.append(nb::make_tuple(kept.nurse, kept.patient));
                          });
  }
  return nb::tuple(pairs);
}
constexpr const char* kKeepsAliveSig = "def keeps_alive(self, /) -> tuple[tuple[int, int], ...]";
constexpr const char* kKeepsAliveDoc =
    "What tain::keep_alive says: pairs of the keeper and the kept, 0 for the result, 1 and later "
    "for "
    "the arguments with the receiver.";
auto ArgsOf(const FunctionInfo& self) {
  return TupleOfEach<ArgInfo>(self.info == nullptr ? 0 : self.info->num_args,
                              [&](int32_t i) { return ArgInfo{&self.info->args[i]}; });
}
auto OverloadsOf(const FunctionInfo& self) {
  return TupleOfEach<FunctionInfo>(
      self.info == nullptr ? 0 : self.info->num_overloads,
      [&](int32_t i) { return FunctionInfo{self.info->overloads[i].info}; });
}

void AddFunctionInfo(CoreModule& m) {
  using F = FunctionInfo;
  CoreClass<F> cls(m, "FunctionInfo", nb::is_final(),
                   "Names, defaults and documentation of a function.");
  AddNames(cls, &F::info);
  cls.def("__repr__",
          [](const F& f) {
            const std::string_view name = f.info == nullptr ? "?" : View(f.info->name);
            return "FunctionInfo(" + SignatureText(f.info, name, CallFlag<kTainCallMethod>(f)) +
                   ")";
          })
      .def_prop_ro("args", &ArgsOf, "The parameters, without the receiver.")
      .def_prop_ro(
          "return_type",
          [](const F& f) { return f.info == nullptr ? nb::str("") : Text(f.info->return_type); },
          "The type of the result as an expression.")
      .def_prop_ro(
          "signature", [](const F& f) { return SignatureOf(f.info, CallFlag<kTainCallMethod>(f)); },
          nb::for_getter(nb::sig("def signature(self, /) -> inspect.Signature")),
          "inspect.Signature, with the receiver.")
      .def_prop_ro("is_method", &CallFlag<kTainCallMethod>)
      .def_prop_ro("is_virtual", &CallFlag<kTainCallVirtual>, "Whether Python may override it.")
      .def_prop_ro("is_constructor", &CallFlag<kTainCallConstructor>)
      .def_prop_ro(
          "is_packed", [](const F& f) { return f.info == nullptr || CallFlag<kTainCallPacked>(f); },
          "Whether it takes any number of arguments.")
      .def_prop_ro("overloads", &OverloadsOf,
                   "The functions behind an overloaded name, in the order of registration; else "
                   "empty.")
      .def_prop_ro(
          "releases_gil", [](const F& f) { return internal::ReleasesGil(f.info); },
          "Whether its calls run without the GIL.")
      .def_prop_ro(
          "is_thread_safe", [](const F& f) { return internal::IsThreadSafe(f.info); },
          "Whether threads may call it at the same time: without a GIL, calls take no lock.")
      .def_prop_ro(
          "locks_receiver", [](const F& f) { return internal::LocksReceiver(f.info); },
          "Whether calls without a GIL take a lock of their object only.")
      .def_prop_ro(
          "keeps_alive", [](const F& f) { return KeptPairs({f.info}); },
          nb::for_getter(nb::sig(kKeepsAliveSig)), kKeepsAliveDoc)
      .def_prop_ro("returns_enum", &CallFlag<kTainCallReturnsEnum>);
}

template <int32_t kBit>
bool ArgFlag(const ArgInfo& self) {
  return (self.arg->flags & kBit) != 0;
}
Default ArgDefault(const ArgInfo& self) {
  return {self.arg->default_value, ArgFlag<kTainArgHasDefault>(self),
          ArgFlag<kTainArgFactory>(self), self.arg->type};
}

void AddArgInfo(CoreModule& m) {
  using A = ArgInfo;
  CoreClass<A> cls(m, "ArgInfo", nb::is_final(), "A parameter of a function.");
  AddNames(cls, &A::arg);
  cls.def("__repr__",
          [](const A& a) {
            const std::string value =
                ArgFlag<kTainArgOptional>(a) ? "..." : DefaultText(ArgDefault(a));
            return "ArgInfo(" + Declared(a.arg->name, a.arg->type, value) + ")";
          })
      .def_prop_ro(
          "type", [](const A& a) { return Text(a.arg->type); }, "The type as an expression.")
      .def_prop_ro(
          "annotation", [](const A& a) { return TypeFromExpression(View(a.arg->type)); },
          "The type as a Python object.")
      .def_prop_ro("has_default", &ArgFlag<kTainArgHasDefault>)
      .def_prop_ro("is_optional", &ArgFlag<kTainArgOptional>,
                   "Whether it has a default that only the C++ function knows.");
  AddDefault(cls, &ArgDefault);
  cls.def_prop_ro("is_named", &ArgFlag<kTainArgNamed>, "Whether it may be given by keyword.")
      .def_prop_ro("kw_only", &ArgFlag<kTainArgKwOnly>)
      .def_prop_ro("is_var_positional", &ArgFlag<kTainArgVarPositional>)
      .def_prop_ro("is_var_keyword", &ArgFlag<kTainArgVarKeyword>);
}

// ---------------------------------------------------------------- other members

const TainFunctionInfo* CallOf(const MethodInfo& self) noexcept {
  if (self.def->call != nullptr) return self.def->call;
  return TainFunctionGetInfo(self.def->info.method.v_obj);  // of another library's function
}
template <int32_t kBit>
bool MethodFlag(const MethodInfo& self) {
  return CallFlag<kBit>(FunctionInfo{CallOf(self)});
}
bool IsStatic(const MethodInfo& self) { return (self.def->info.flags & kTainMethodStatic) != 0; }

void AddMethodInfo(CoreModule& m) {
  using M = MethodInfo;
  CoreClass<M> cls(m, "MethodInfo", nb::is_final(),
                   "A method or static method of a registered type.");
  AddNames(cls, &M::def);
  cls.def("__repr__",
          [](const M& x) {
            return std::string(IsStatic(x) ? "MethodInfo(static " : "MethodInfo(") +
                   SignatureText(CallOf(x), View(x.def->info.name), !IsStatic(x)) + ")";
          })
      .def_prop_ro(
          "key", [](const M& x) { return Text(KeyOfIndex(x.def->declaring_type)); },
          "Key of the type that declares the method.")
      .def_prop_ro("is_static", &IsStatic)
      .def_prop_ro("is_virtual", &MethodFlag<kTainCallVirtual>, "Whether Python may override it.")
      .def_prop_ro("is_abstract", &MethodFlag<kTainCallAbstract>,
                   "Whether Python must override it.")
      .def_prop_ro("is_final", &MethodFlag<kTainCallFinal>, "Whether Python must not override it.")
      .def_prop_ro("function", [](const M& x) { return FunctionInfo{CallOf(x)}; })
      .def_prop_ro(
          "signature", [](const M& x) { return SignatureOf(CallOf(x), !IsStatic(x)); },
          nb::for_getter(nb::sig("def signature(self, /) -> inspect.Signature")),
          "inspect.Signature, with the receiver.");
}

void AddPropertyInfo(CoreModule& m) {
  using P = PropertyInfo;
  CoreClass<P> cls(m, "PropertyInfo", nb::is_final(), "A property of a registered type.");
  AddNames(cls, &P::def);
  cls.def("__repr__",
          [](const P& p) {
            return "PropertyInfo(" + Declared(p.def->name, p.def->type, "") +
                   (p.def->setter != nullptr ? ")" : ", read-only)");
          })
      .def_prop_ro(
          "type", [](const P& p) { return Text(p.def->type); }, "The type as an expression.")
      .def_prop_ro(
          "annotation", [](const P& p) { return TypeFromExpression(View(p.def->type)); },
          "The type as a Python object.")
      .def_prop_ro(
          "key", [](const P& p) { return Text(KeyOfIndex(p.def->declaring_type)); },
          "Key of the type that declares the property.")
      .def_prop_ro("writable", [](const P& p) { return p.def->setter != nullptr; })
      .def_prop_ro(
          "keeps_alive",
          [](const P& p) {
            return KeptPairs(
                {TainFunctionGetInfo(p.def->getter), TainFunctionGetInfo(p.def->setter)});
          },
          nb::for_getter(nb::sig(kKeepsAliveSig)), kKeepsAliveDoc);
}

void AddConstantInfo(CoreModule& m) {
  using C = ConstantInfo;
  CoreClass<C> cls(m, "ConstantInfo", nb::is_final(), "A constant of a registered type.");
  AddNames(cls, &C::def);
  cls.def("__repr__",
          [](const C& c) {
            return "ConstantInfo(" +
                   Declared(c.def->name, {}, internal::DeclaredText(c.def->value, "")) + ")";
          })
      .def_prop_ro("value", [](const C& c) { return BorrowedToPython(c.def->value); });
}

void AddEnumMemberInfo(CoreModule& m) {
  using E = EnumMemberInfo;
  CoreClass<E> cls(m, "EnumMemberInfo", nb::is_final(), "A member of a registered enum.");
  AddNames(cls, &E::member);
  cls.def("__repr__",
          [](const E& e) {
            const std::string value = e.info->kind == kTainEnumStr
                                          ? "'" + std::string(View(e.member->text)) + "'"
                                          : nb::str(EnumMemberValue(*e.info, *e.member)).c_str();
            return "EnumMemberInfo(" + Declared(e.member->name, {}, value) + ")";
          })
      .def_prop_ro(
          "value", [](const E& e) { return EnumMemberValue(*e.info, *e.member); },
          nb::for_getter(nb::sig("def value(self, /) -> int | str")))
      .def_prop_ro(
          "cpp_value", [](const E& e) { return EnumMemberNumber(*e.info, *e.member); },
          "The value in C++.");
}

}  // namespace

void InitMemberInfo(CoreModule& m) {
  AddArgInfo(m);
  AddFunctionInfo(m);
  AddFieldInfo(m);
  AddMethodInfo(m);
  AddPropertyInfo(m);
  AddConstantInfo(m);
  AddEnumMemberInfo(m);
}

}  // namespace tain::bindings
