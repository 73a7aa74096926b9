// SPDX-License-Identifier: Apache-2.0
// Overrides in Python; see overrides.h.
//
// What is found on the mirror's class before the generated class is the override. It is called as
// Python would call it: functions with the mirror first, anything else bound by its descriptor.
#include "classes/overrides.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/recursion.h"
#include "base/with_gil.h"
#include "calls/method_descr.h"
#include "describe/signature.h"
#include "objects/callable_members.h"
#include "objects/enums.h"
#include "objects/instance.h"
#include "objects/override_sets.h"
#include "tain/internal/enum_key.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// The class's name as it is written after `class`.
const char* ShortName(PyTypeObject* type) noexcept {
  const char* dot = std::strrchr(type->tp_name, '.');
  return dot == nullptr ? type->tp_name : dot + 1;
}

// ---------------------------------------------------------------- flags of members

/// Sets `__abstractmethods__`, which CPython turns into the flag that the constructors look at.
void SetAbstract(PyTypeObject* type, const nb::list& names) {
  if (nb::len(names) == 0) return;
  const nb::object set = nb::steal(PyFrozenSet_New(names.ptr()));
  if (!set.is_valid()) throw nb::python_error();
  nb::setattr(nb::handle(reinterpret_cast<PyObject*>(type)), "__abstractmethods__", set);
}

void SetFinalError(PyTypeObject* type, std::string_view name, const TainFunctionInfo* info) {
  PyErr_SetString(PyExc_TypeError,
                  (std::string(ShortName(type)) + "." + std::string(name) + ": " +
                   std::string(View(info->name)) + " is final, so no Python class may override it")
                      .c_str());
}

/// Throws if the class overrides a final member of the type or its parents.
void CheckFinal(PyTypeObject* type, PyTypeObject* generated, const TainTypeRecord* record) {
  for (; record != nullptr; record = TainGetTypeRecord(record->request.parent)) {
    ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
      if ((info->flags & kTainCallFinal) == 0) return;
      const nb::str key = MemberName(name);
      if (_PyType_Lookup(type, key.ptr()) == _PyType_Lookup(generated, key.ptr())) return;
      SetFinalError(type, name, info);
      throw nb::python_error();
    });
    if (record->info->type_index == kTainObject) return;
  }
}

// ---------------------------------------------------------------- the call

/// The name as an interned str, borrowed; null with an error set. A call site passes the same
/// literal each time, so its address finds the str; they stay for ever.
PyObject* InternedName(const TainByteArray& name) noexcept {
  struct Entry {
    const char* data;
    PyObject* text;
  };
  static std::array<Entry, 256> cache{};  // guarded by the GIL
  Entry& entry = cache[(reinterpret_cast<uintptr_t>(name.data) >> 2) & 255];
  if (entry.data == name.data && PyUnicode_GET_LENGTH(entry.text) == Py_ssize_t(name.size) &&
      std::memcmp(PyUnicode_DATA(entry.text), name.data, name.size) == 0) {
    return entry.text;
  }
  PyObject* text = ToStr(name);
  if (text == nullptr) return nullptr;
  PyUnicode_InternInPlace(&text);
  // A call may be under way with the name that stood here, so its reference is not given back.
  if (PyUnicode_IS_ASCII(text)) entry = {name.data, text};
  return text;
}

/// What a class puts before a member of its C++ type.
struct Override {
  PyObject* found;               ///< what stands on the class; null if it overrides nothing
  const TainFunctionInfo* info;  ///< of the member, which lives for ever; null if there is none
  bool is_property;              ///< whether the member is a field or property
  uint64_t enum_args;            ///< bit i is set if the member's argument i is an enum
};

/// An override, looked up once for each version of the class: `found` is borrowed, and with it gone
/// the class has another version.
struct Memo {
  PyTypeObject* type;
  PyObject* name;
  unsigned version;
  Override override_;
};

/// Whether the parameter's type is an enum, or that or None.
bool TakesEnum(const TainArgInfo& arg) noexcept {
  const TainByteArray key = internal::EnumKeyOf(arg.type);
  return TainGetEnum(&key) != nullptr;
}

uint64_t EnumArgs(const TainFunctionInfo* info) noexcept {
  uint64_t bits = 0;
  for (int32_t i = 0; info != nullptr && i < info->num_args && i < 64; ++i) {
    if (TakesEnum(info->args[i])) bits |= uint64_t{1} << i;
  }
  return bits;
}

Override LookUp(PyTypeObject* type, PyObject* name) noexcept {
  PyTypeObject* generated = GeneratedBase(type);
  if (generated == nullptr || generated == type) return {};
  const Own held = Own::Share(reinterpret_cast<PyObject*>(type));  // keys may have an __eq__
  PyObject* found = _PyType_Lookup(type, name);
  PyObject* member = found == nullptr ? nullptr : _PyType_Lookup(generated, name);
  if (found == member) return {};
  const TainFunctionInfo* info = InfoOfMethod(member);
  const bool is_property = member != nullptr && Py_IS_TYPE(member, &PyGetSetDescr_Type);
  return {found, info, is_property, EnumArgs(info)};
}

const Override& FindOverride(PyTypeObject* type, PyObject* name) noexcept {
  static std::array<Memo, 256> memos{};  // guarded by the GIL
  const uintptr_t hash =
      (reinterpret_cast<uintptr_t>(type) >> 6) ^ (reinterpret_cast<uintptr_t>(name) >> 4);
  Memo& memo = memos[hash & 255];
  if (TAIN_UNLIKELY(memo.type != type || memo.name != name || memo.version == 0 ||
                    memo.version != type->tp_version_tag)) {
    const Override override_ = LookUp(type, name);  // which may give the class its version
    memo = {type, name, type->tp_version_tag, override_};
  }
  return memo.override_;
}

/// The mirror and the arguments in vectorcall form, with room for one before.
class OverrideArgs {
 public:
  OverrideArgs(PyObject* mirror, int32_t num_args) {
    if (num_args > kInline) more_ = std::make_unique<PyObject*[]>(size_t(num_args) + 2);
    values_ = more_ ? more_.get() : inline_.data();
    values_[1] = Py_NewRef(mirror);
  }
  OverrideArgs(const OverrideArgs&) = delete;
  OverrideArgs& operator=(const OverrideArgs&) = delete;
  ~OverrideArgs() {
    for (int32_t i = -1; i < made_; ++i) Py_DECREF(values_[i + 2]);
  }

  /// Converts the arguments; false with an error set.
  bool Fill(const TainAny* args, int32_t num_args) noexcept {
    for (; made_ < num_args; ++made_) {
      values_[made_ + 2] = ViewToPython(&args[made_]);
      if (values_[made_ + 2] == nullptr) return false;
    }
    return true;
  }

  /// Puts members of enums in the place of their values; false with an error set. What is no value
  /// of the enum stays as it is: C++ may have called another overload than the registered one.
  bool FillEnums(const Override& override_) noexcept {
    for (int32_t i = 0; i < made_ && i < 64; ++i) {
      if (((override_.enum_args >> i) & 1) == 0 || Py_IsNone(values_[i + 2])) continue;
      PyObject* value = values_[i + 2];
      PyObject* member = EnumMember(View(override_.info->args[i].type), Py_NewRef(value));
      if (member != nullptr) {
        values_[i + 2] = member;
        Py_DECREF(value);
      } else if (PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
      } else {
        return false;
      }
    }
    return true;
  }

  PyObject** with_mirror() const noexcept { return values_ + 1; }
  PyObject** without_mirror() const noexcept { return values_ + 2; }

 private:
  static constexpr int32_t kInline = 6;
  int32_t made_ = 0;
  std::array<PyObject*, kInline + 2> inline_{};
  std::unique_ptr<PyObject*[]> more_;
  PyObject** values_;
};

PyObject* CallMethod(PyObject* found, PyObject* mirror, const OverrideArgs& args,
                     int32_t num_args) noexcept {
  const auto count = static_cast<size_t>(num_args);
  if (PyType_HasFeature(Py_TYPE(found), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
    return PyObject_Vectorcall(found, args.with_mirror(),
                               (count + 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  }
  const descrgetfunc get = Py_TYPE(found)->tp_descr_get;
  const Own bound(get == nullptr
                      ? Py_NewRef(found)
                      : get(found, mirror, reinterpret_cast<PyObject*>(Py_TYPE(mirror))));
  if (!bound) return nullptr;
  return PyObject_Vectorcall(bound.get(), args.without_mirror(),
                             count | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
}

/// A property is read without arguments and assigned with one.
PyObject* CallProperty(PyObject* mirror, PyObject* name, const OverrideArgs& args,
                       int32_t num_args) noexcept {
  if (num_args == 0) return PyObject_GetAttr(mirror, name);
  if (PyObject_SetAttr(mirror, name, args.without_mirror()[0]) != 0) return nullptr;
  return Py_NewRef(Py_None);
}

/// The TypeError of a call that did not get into the override, in C++'s words too.
void ExplainMismatch(PyObject* mirror, PyObject* name, const TainFunctionInfo* info) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  const bool inside = traceback != nullptr;
  if (inside || info == nullptr || !PyErr_GivenExceptionMatches(type, PyExc_TypeError)) {
    PyErr_Restore(type, value, traceback);
    return;
  }
  PyErr_NormalizeException(&type, &value, &traceback);
  const Own cause(value);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  const char* name_text = PyUnicode_AsUTF8(name);
  if (name_text == nullptr) return;
  PyErr_Format(PyExc_TypeError, "%s.%s: C++ calls it as %s: %S", ShortName(Py_TYPE(mirror)),
               name_text, SignatureText(info, name_text, false).c_str(), cause.get());
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value != nullptr) PyException_SetCause(value, Py_NewRef(cause.get()));
  PyErr_Restore(type, value, traceback);
}

int Call(PyObject* mirror, PyObject* name, const Override& override_, const Own& found,
         const TainAny* args, int32_t num_args, TainAny* result) {
  const TainFunctionInfo* info = override_.info;
  if (info != nullptr && (info->flags & kTainCallFinal) != 0) {  // assigned to the class later
    SetFinalError(Py_TYPE(mirror), PyUnicode_AsUTF8(name), info);
    return SetCoreFromPython();
  }
  const bool is_property = override_.is_property && num_args <= 1;
  OverrideArgs values(mirror, num_args);
  if (!values.Fill(args, num_args) || (override_.enum_args != 0 && !values.FillEnums(override_))) {
    return SetCoreFromPython();
  }
  const Recursion level(" in a method called from C++");
  if (!level) return SetCoreFromPython();
  const Own value(is_property ? CallProperty(mirror, name, values, num_args)
                              : CallMethod(found.get(), mirror, values, num_args));
  if (TAIN_UNLIKELY(!value)) {
    if (!is_property) ExplainMismatch(mirror, name, info);
    return SetCoreFromPython();
  }
  return OwnedFromPythonForAny(value.get(), result) ? 0 : SetCoreFromPython();
}

}  // namespace

int CallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                 int32_t num_args, TainAny* result, int* handled) {
  return WithGil([&] {
    *handled = 0;
    const Own mirror = Own::Share(LiveMirror(object));  // looking things up may run Python
    if (!mirror) return 0;
    PyObject* key = InternedName(*name);
    if (key == nullptr) return SetCoreFromPython();
    const Override override_ = FindOverride(Py_TYPE(mirror.get()), key);
    const Own found = Own::Share(override_.found);  // the class may change from now on
    UpdateOverrideSet(object, Py_TYPE(mirror.get()));
    if (!found) return 0;
    *handled = 1;
    return Call(mirror.get(), key, override_, found, args, num_args, result);
  });
}

bool HasMethodFlag(const TainTypeRecord* record, int32_t flags) noexcept {
  bool found = false;
  ForEachCall(record, [&](std::string_view, const TainFunctionInfo* info) {
    found = found || (info->flags & flags) != 0;
  });
  return found;
}

void MarkAbstract(PyTypeObject* generated, const TainTypeRecord* record) {
  nb::list names = NewList();
  ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
    if ((info->flags & kTainCallAbstract) != 0) names.append(MemberName(name));
  });
  SetAbstract(generated, names);
}

int CheckOverrides(PyTypeObject* type) noexcept {
  return Guarded(-1, [&] {
    PyTypeObject* generated = GeneratedBase(type);
    const ClassRecord* record = RecordOfType(generated);
    if (record == nullptr) return 0;
    if (record->has_final) CheckFinal(type, generated, record->record);
    if (!record->has_abstract) return 0;
    nb::list names = NewList();
    ForEachCall(record->record, [&](std::string_view name, const TainFunctionInfo* info) {
      if ((info->flags & kTainCallAbstract) == 0) return;
      const nb::str key = MemberName(name);
      if (_PyType_Lookup(type, key.ptr()) == _PyType_Lookup(generated, key.ptr())) {
        names.append(key);
      }
    });
    SetAbstract(type, names);
    return 0;
  });
}

}  // namespace tain::bindings
