// SPDX-License-Identifier: Apache-2.0
// C++ enums as Python enums; see enums.h.
#include "objects/enums.h"

#include <string>

#include "base/error.h"
#include "base/given_text.h"
#include "base/type_keys.h"
#include "objects/found_names.h"
#include "objects/state.h"
#include "tain/internal/enum_key.h"

namespace tain::bindings {
namespace {

EnumTable& Enums() noexcept { return GetObjectsState().enums; }

/// Returns the enum of a key; throws ValueError if there is none.
const TainEnumInfo* RegisteredEnum(std::string_view key) {
  const TainEnumInfo* info = FindEnum(key);
  if (info == nullptr) {
    ThrowValue("no enum is registered under the key '" + std::string(key) + "'");
  }
  return info;
}

/// Whether a member is a negative flag, of which Python's enum module would make a positive one.
bool IsNegativeFlag(const TainEnumInfo& info, const TainEnumMember& member) noexcept {
  return info.kind == kTainEnumFlag && member.value < 0 &&
         !internal::EnumRangeOf(&info).is_unsigned();
}

#if PY_VERSION_HEX < 0x030B0000
/// Makes an equivalent of enum.StrEnum, which Python has from 3.11 on.
nb::object StrEnumBase() {
  const nb::object enum_base = nb::module_::import_("enum").attr("Enum");
  const nb::handle str(reinterpret_cast<PyObject*>(&PyUnicode_Type));
  const nb::object fill = nb::cpp_function([str](nb::handle body) {
    body["__module__"] = "tain";
    body["__str__"] = str.attr("__str__");
    body["__format__"] = str.attr("__format__");
  });
  return nb::module_::import_("types").attr("new_class")("StrEnum", nb::make_tuple(str, enum_base),
                                                         NewDict(), fill);
}
#endif

/// Returns the base class for an enum of a kind.
nb::object BaseOf(int32_t kind) {
  const nb::module_ module = nb::module_::import_("enum");
  if (kind == kTainEnumInt) return module.attr("IntEnum");
  if (kind == kTainEnumFlag) return module.attr("IntFlag");
#if PY_VERSION_HEX < 0x030B0000
  PyObject*& base = Enums().str_enum;
  if (base == nullptr) base = StrEnumBase().release().ptr();
  return nb::borrow(base);
#else
  return module.attr("StrEnum");
#endif
}

void AddDocs(nb::handle cls, const TainEnumInfo& info) {
  nb::setattr(cls, "__doc__", TextOrNone(View(info.doc)));
  for (int32_t i = 0; i < info.num_members; ++i) {
    const TainEnumMember& member = info.members[i];
    if (member.doc.size == 0) continue;
    const nb::object name = Text(View(member.name));
    const nb::object made = cls.attr("__members__")[name];
    if (made.attr("name").equal(name)) made.attr("__doc__") = Text(View(member.doc));
  }
}

nb::object MakeClass(const TainEnumInfo& info) {
  const std::string key(View(info.key));
  const nb::object name = Text(ClassNameOfKey(key));
  nb::list members = NewList();
  nb::list all = NewList();
  for (int32_t i = 0; i < info.num_members; ++i) {
    const TainEnumMember& member = info.members[i];
    all.append(nb::make_tuple(Text(View(member.name)), EnumMemberValue(info, member)));
    if (!IsNegativeFlag(info, member)) members.append(all[static_cast<size_t>(i)]);
  }
  try {
    nb::object cls = BaseOf(info.kind)(name, members, nb::arg("module") = Text(ModuleOfKey(key)),
                                       nb::arg("qualname") = Text(QualNameOfKey(key)));
    const nb::module_ module = nb::module_::import_("tain._enums");
    if (info.kind == kTainEnumFlag) {
      const internal::EnumRange range = internal::EnumRangeOf(&info);
      module.attr("set_flags")(cls, all, nb::int_(range.lowest), nb::int_(range.highest));
    }
    AddDocs(cls, info);
    module.attr("set_text")(cls);
    return cls;
  } catch (nb::python_error& e) {
    nb::raise_from(e, PyExc_ValueError, "%s: Python's enum module refuses its members",
                   key.c_str());
    throw;  // never reached
  }
}

/// Makes a class the class of an enum. A redefined enum has a new class; members of the old class
/// keep it.
const EnumRecord* EnterEnum(std::string key, const TainEnumInfo* info, nb::object cls,
                            nb::object members, bool is_made) {
  const auto* record =
      new EnumRecord{key, info, cls.release().ptr(), members.release().ptr(), is_made};
  Enums().info_of_class[record->cls] = info;
  Enums().records[std::move(key)] = record;
  Enums().cache = {};
  return record;
}

/// Returns the record of a key whose class was made of `info`, or was adopted for it; null if there
/// is none.
const EnumRecord* KnownEnum(const std::string& key, const TainEnumInfo* info) {
  const auto found = Enums().records.find(key);
  return found != Enums().records.end() && found->second->info == info ? found->second : nullptr;
}

/// Returns the class of an enum and makes it if necessary. Making it runs Python code, which may
/// make the class too; then the first class counts. If it redefines the enum, the class of the
/// present one is made.
const EnumRecord* RecordOfEnum(std::string_view key) {
  const std::string text(key);
  for (;;) {
    const TainEnumInfo* info = RegisteredEnum(key);
    if (const EnumRecord* known = KnownEnum(text, info)) return known;
    nb::object cls = MakeClass(*info);
    nb::object members = cls.attr("_value2member_map_");
    if (const EnumRecord* known = KnownEnum(text, info)) return known;
    if (FindEnum(key) != info) continue;
    return EnterEnum(text, info, std::move(cls), std::move(members), true);
  }
}

/// The same through a cache. `type` is a text of the core that is never freed: the key of an enum,
/// possibly with `| None`. Null for an enum that is not registered; its values are ints in Python.
const EnumRecord* CachedRecord(std::string_view type) {
  EnumCacheEntry& entry = Enums().cache[(reinterpret_cast<uintptr_t>(type.data()) >> 3) & 63];
  const uint64_t generation = TainRegistryGeneration();
  if (TAIN_LIKELY(entry.key == type.data() && entry.generation == generation &&
                  type.substr(0, entry.record->key.size()) == entry.record->key)) {
    return entry.record;
  }
  const std::string_view key = View(internal::EnumKeyOf({type.data(), type.size()}));
  if (FindEnum(key) == nullptr) return nullptr;
  const EnumRecord* record = RecordOfEnum(key);
  entry = {type.data(), generation, record};
  return record;
}

nb::object FindMember(const EnumRecord& record, const nb::object& value) {
  if (PyObject* member = PyDict_GetItemWithError(record.members, value.ptr())) {
    return nb::borrow(member);
  }
  if (PyErr_Occurred()) throw nb::python_error();
  if (value.is_none() || value.type().ptr() == record.cls) return value;
  if (record.info->kind != kTainEnumFlag) {
    ThrowGiven(record.key + ": expected " + internal::EnumMemberText(record.info), value,
               PyExc_ValueError);
  }
  return nb::module_::import_("tain._enums").attr("unnamed")(nb::handle(record.cls), value);
}

/// Throws ValueError, with the first difference, unless a class has the members of an enum.
void CheckMembers(const TainEnumInfo& info, nb::handle cls) {
  const nb::dict given = NewDict();
  if (PyDict_Update(given.ptr(), cls.attr("__members__").ptr()) != 0) throw nb::python_error();
  const std::string where = std::string(View(info.key)) +
                            ": the members of the Python class are not those of the C++ enum: ";
  for (int32_t i = 0; i < info.num_members; ++i) {
    const std::string name(View(info.members[i].name));
    const nb::object value = EnumMemberValue(info, info.members[i]);
    const std::string expected = where + name + ": expected " + GivenText(value);
    const nb::object member = nb::borrow(PyDict_GetItemString(given.ptr(), name.c_str()));
    if (!member.is_valid()) ThrowValue(expected + ", got no such member");
    const nb::object have = member.attr("value");
    if (!have.equal(value)) ThrowGiven(expected, have, PyExc_ValueError);
  }
  if (nb::len(given) == static_cast<size_t>(info.num_members)) return;
  ThrowValue(where + "expected " + std::to_string(info.num_members) + " members, got " +
             std::to_string(nb::len(given)));
}

}  // namespace

nb::int_ EnumMemberNumber(const TainEnumInfo& info, const TainEnumMember& member) {
  if (!internal::EnumRangeOf(&info).is_unsigned()) return nb::int_(member.value);
  return nb::int_(static_cast<uint64_t>(member.value));
}

nb::object EnumMemberValue(const TainEnumInfo& info, const TainEnumMember& member) {
  if (info.kind == kTainEnumStr) return Text(View(member.text));
  return EnumMemberNumber(info, member);
}

PyObject* EnumClass(std::string_view key) { return Py_NewRef(RecordOfEnum(key)->cls); }

void AdoptEnumClass(const std::string& key, nb::handle cls) {
  const TainEnumInfo* info = RegisteredEnum(key);
  CheckMembers(*info, cls);
  EnterEnum(key, info, nb::borrow(cls), cls.attr("_value2member_map_"), false);
  ForgetNames();
}

const TainEnumInfo* InfoOfEnumClass(PyObject* cls) noexcept {
  const auto& classes = Enums().info_of_class;
  const auto found = classes.find(cls);
  return found == classes.end() ? nullptr : found->second;
}

bool CrossesAsItselfSlow(PyObject* member, std::string_view type) noexcept {
  if (type == "Any") return true;
  const std::string_view key = View(internal::EnumKeyOf({type.data(), type.size()}));
  const TainEnumInfo* declared = FindEnum(key);
  // Among alternatives the member itself finds its own, and no other enum takes its number.
  if (declared == nullptr) return type.find(" | ") != std::string_view::npos;
  return View(InfoOfEnumClass(reinterpret_cast<PyObject*>(Py_TYPE(member)))->key) != key;
}

PyObject* EnumMember(std::string_view type, PyObject* value) noexcept {
  const nb::object owned = nb::steal(value);
  return GuardedObject([&] {
    if (owned.is_none()) return owned;  // of an Optional
    const EnumRecord* record = CachedRecord(type);
    return record == nullptr ? owned : FindMember(*record, owned);
  });
}

}  // namespace tain::bindings
