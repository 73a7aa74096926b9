// SPDX-License-Identifier: Apache-2.0
// Types and enums that Python defines: the functions of tain._core that tain.py_class calls.
#include "classes/init.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/loops.h"
#include "classes/class_parts.h"
#include "classes/constructor.h"
#include "classes/register_class.h"
#include "objects/class_table.h"
#include "objects/enums.h"
#include "objects/instance.h"
#include "tain/internal/structural_kinds.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

TainByteArray BytesOf(const std::string& text) noexcept { return {text.data(), text.size()}; }

/// Returns the 64 bits of a member's number, and makes the enum unsigned if they need that.
int64_t EnumBitsOf(const std::string& key, nb::handle value, int32_t* kind) {
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  if (overflow == 0) return number;
  const uint64_t bits = overflow < 0 ? 0 : PyLong_AsUnsignedLongLong(value.ptr());
  if (overflow < 0 || PyErr_Occurred()) {
    PyErr_Clear();
    SetGivenError(PyExc_OverflowError, key + ": expected int of 64 bits", value.ptr());
    throw nb::python_error();
  }
  *kind |= kTainEnumUnsigned;
  return static_cast<int64_t>(bits);
}

/// The flags of types, with the structural kinds.
std::vector<internal::FlagNames> TypeFlags() {
  std::vector<internal::FlagNames> all = {{kTainTypeEq, "eq"},
                                          {kTainTypeOrder, "order"},
                                          {kTainTypeHash, "hash"},
                                          {kTainTypeFrozen, "frozen"}};
  for (const auto& [kind, name] : internal::kStructuralKinds) {
    all.push_back({static_cast<int64_t>(kind) << kTainTypeStructuralShift, name});
  }
  return all;
}

/// Returns the flags with the names that python/tain/_python_types/definition.py uses.
template <class Flags>
int64_t FlagsOf(const Flags& known, nb::handle names) {
  int64_t flags = 0;
  for (nb::handle name : names) {
    const std::string text = TextFrom(name, "py_class");
    const auto found = std::find_if(std::begin(known), std::end(known), [&](const auto& flag) {
      return !text.empty() && text == flag.given;
    });
    if (found == std::end(known)) throw nb::value_error(("unknown flag '" + text + "'").c_str());
    flags |= found->bit;
  }
  return flags;
}

/// The place of a definition (module and class), and its documentation.
struct Place {
  std::string key, doc, unit, file;
  TainByteArray unit_bytes() const noexcept { return BytesOf(unit); }
  TainByteArray file_bytes() const noexcept { return BytesOf(file); }
};

Place PlaceFrom(nb::handle key, nb::handle doc, nb::handle unit, nb::handle file) {
  return {NameFrom(key, "py_class"), TextFrom(doc, "py_class"), TextFrom(unit, "py_class"),
          TextFrom(file, "py_class")};
}

void DefineType(nb::handle name, nb::handle doc, nb::handle unit, nb::handle file,
                nb::handle parent, nb::handle flags, nb::list fields) {
  const Place place = PlaceFrom(name, doc, unit, file);
  const ClassRecord* base = PyType_Check(parent.ptr())
                                ? RecordOfType(reinterpret_cast<PyTypeObject*>(parent.ptr()))
                                : nullptr;
  if (base == nullptr) {
    ThrowError(PyExc_TypeError, "%s: the parent %R is no registered class", place.key.c_str(),
               parent.ptr());
  }
  std::deque<std::string> texts;
  const auto keep = [&](nb::handle text) {
    return BytesOf(texts.emplace_back(TextFrom(text, "py_class")));
  };
  std::vector<Any> defaults;
  std::vector<TainDynamicField> described;
  ForEachItem(fields, [&](nb::handle field) {
    if (!PyTuple_CheckExact(field.ptr()) || PyTuple_GET_SIZE(field.ptr()) != 5) {
      ThrowGiven("py_class: expected (name, type, doc, flags, default) for a field", field);
    }
    TainDynamicField& out = described.emplace_back();
    out.name = keep(field[0]);
    out.type = keep(field[1]);
    out.doc = keep(field[2]);
    out.flags = FlagsOf(internal::kFieldFlags, field[3]);
    if ((out.flags & kTainFieldHasDefault) == 0) return;
    defaults.push_back(AnyFrom(field[4]));
    out.default_value = defaults.back().data();
  });
  TainDynamicType type{};
  type.key = BytesOf(place.key);
  type.doc = BytesOf(place.doc);
  type.unit_name = place.unit_bytes();
  type.unit_file = place.file_bytes();
  type.parent = base->type_index;
  type.flags = FlagsOf(TypeFlags(), flags);
  type.fields = described.data();
  type.num_fields = static_cast<int32_t>(described.size());
  int32_t index = 0;
  if (TainTypeDefineDynamic(&type, &index) != 0) ThrowFromCore();
}

void DefineMethod(nb::handle of, nb::handle called, nb::handle about, nb::handle function,
                  bool is_static) {
  const std::string key = TextFrom(of, "py_class");
  const std::string name = TextFrom(called, "py_class");
  const std::string doc = TextFrom(about, "py_class");
  const TainByteArray bytes = BytesOf(key);
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) != 0) ThrowFromCore();
  const Any value = AnyFrom(function);
  if (value.type_index() != kTainFunction) throw nb::type_error("a method must be callable");
  const std::string full = key + "." + name;
  TainFunctionInfo info{};
  info.name = BytesOf(full);
  info.doc = BytesOf(doc);
  info.return_type = {"Any", 3};
  info.flags = kTainCallPacked | (is_static ? 0 : kTainCallMethod);
  if (TainFunctionSetInfo(value.data().v_obj, &info) != 0) ThrowFromCore();
  TainMethodDef def{};
  def.info.name = BytesOf(name);
  def.info.doc = BytesOf(doc);
  def.info.flags = is_static ? kTainMethodStatic : 0;
  def.info.method = value.data();
  def.declaring_type = index;
  if (TainTypeDefMethod(index, &def) != 0) ThrowFromCore();
}

void DefineEnum(nb::handle name, nb::handle doc, nb::handle unit, nb::handle file, nb::handle cls,
                nb::handle form) {
  const Place place = PlaceFrom(name, doc, unit, file);
  const std::string kind = TextFrom(form, "py_class");
  TainEnumInfo info{};
  info.key = BytesOf(place.key);
  info.doc = BytesOf(place.doc);
  info.kind = kind == "str" ? kTainEnumStr : kind == "flag" ? kTainEnumFlag : kTainEnumInt;
  std::deque<std::string> texts;
  std::vector<TainEnumMember> members;
  ForEachItem(nb::list(cls.attr("__members__").attr("items")()), [&](nb::handle item) {
    TainEnumMember& member = members.emplace_back();
    member.name = BytesOf(texts.emplace_back(TextFrom(item[0], "py_class")));
    member.doc = {"", 0};
    member.text = {"", 0};
    const nb::object value = item[1].attr("value");
    if (info.kind == kTainEnumStr) {
      member.value = static_cast<int64_t>(members.size()) - 1;
      member.text = BytesOf(texts.emplace_back(TextFrom(value, "py_class")));
    } else {
      member.value = EnumBitsOf(place.key, value, &info.kind);
    }
  });
  const bool is_unsigned = (info.kind & kTainEnumUnsigned) != 0;
  for (const TainEnumMember& member : members) {
    const nb::object value = cls.attr("__members__")[Text(View(member.name))].attr("value");
    if (!is_unsigned || value >= nb::int_(0)) continue;
    ThrowValue(place.key + ": a C++ type has negative numbers or numbers from 2**63 on, not both");
  }
  info.members = members.data();
  info.num_members = static_cast<int32_t>(members.size());
  const TainByteArray unit_name = place.unit_bytes();
  const TainByteArray unit_file = place.file_bytes();
  if (TainEnumDefineDynamic(&info, &unit_name, &unit_file) != 0) ThrowFromCore();
}

nb::object RunPostInit(const nb::object& self, const nb::args& args) {
  if (!IsWrapper(self.ptr())) throw nb::type_error("post_init: self is no tain.Object");
  if (ObjectOf(self.ptr()) == nullptr) throw nb::python_error();
  std::vector<PyObject*> values;
  for (nb::handle arg : args) values.push_back(arg.ptr());
  return Checked(PostInit(self.ptr(), values.data(), values.size()));
}

}  // namespace

void DefineTypes(CoreModule& m) {
  nb::list kinds = NewList();
  for (const auto& known : internal::kStructuralKinds) kinds.append(Text(known.name));
  m.attr("structural_kinds") = nb::tuple(kinds);
  m.def("define_type", &DefineType, nb::arg("key"), nb::arg("doc"), nb::arg("unit"),
        nb::arg("file"), nb::arg("parent"), nb::arg("flags"), nb::arg("fields"),
        nb::sig("def define_type(key: str, doc: str, unit: str, file: str, parent: type, "
                "flags: typing.Iterable[str], "
                "fields: list[tuple[str, str, str, list[str], object]]) -> None"),
        "Registers a type of fields (name, type expression, documentation, flags, default).");
  m.def("define_method", &DefineMethod, nb::arg("key"), nb::arg("name"), nb::arg("doc"),
        nb::arg("function"), nb::arg("is_static"),
        nb::sig("def define_method(key: str, name: str, doc: str, function: typing.Any, "
                "is_static: bool) -> None"),
        "Adds a method, written in Python, to a type.");
  m.def("define_enum", &DefineEnum, nb::arg("key"), nb::arg("doc"), nb::arg("unit"),
        nb::arg("file"), nb::arg("cls"), nb::arg("kind"),
        nb::sig("def define_enum(key: str, doc: str, unit: str, file: str, cls: type, "
                "kind: str) -> None"),
        "Registers the members of an enum class; `kind` is 'int', 'flag' or 'str'.");
  m.def(
      "adopt_enum_class",
      [](nb::handle key, nb::handle cls) {
        AdoptEnumClass(TextFrom(key, "py_class"), cls);
        UpdateNestedClasses();
      },
      nb::arg("key"), nb::arg("cls"), nb::sig("def adopt_enum_class(key: str, cls: type) -> None"),
      "Makes a class the class of a registered enum with the same members.");
  m.def(
      "graft_class",
      [](nb::handle key, nb::object cls, bool slots, bool post_init) {
        return AttachClass(TextFrom(key, "py_class"), std::move(cls), slots, post_init);
      },
      nb::arg("key"), nb::arg("cls"), nb::arg("slots"), nb::arg("post_init"),
      nb::sig("def graft_class(key: str, cls: type, slots: bool, post_init: bool) -> type"),
      "Makes a class stand for a key, with the key's class as a base.");
  m.def("post_init", &RunPostInit, nb::arg("self"), nb::arg("args"),
        nb::sig("def post_init(self: typing.Any, *args: typing.Any) -> typing.Any"),
        "Calls `self.__post_init__(*args)`, which may assign fields of a frozen type.");
}

}  // namespace tain::bindings
