// SPDX-License-Identifier: Apache-2.0
// Overrides in Python; see overrides.h.
//
// An attribute that the class of the wrapper has before the generated class in the MRO is the
// override. It is called as Python would call it: a function with the wrapper as first argument,
// any other object after it was bound by its descriptor.
#include "classes/overrides.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/recursion.h"
#include "base/release_queue.h"
#include "base/state.h"
#include "base/with_gil.h"
#include "calls/method_descr.h"
#include "classes/state.h"
#include "describe/signature.h"
#include "objects/callable_members.h"
#include "objects/direct_call.h"
#include "objects/enums.h"
#include "objects/instance.h"
#include "objects/override_sets.h"
#include "objects/replaced_members.h"
#include "tain/internal/container_api.h"
#include "tain/internal/enum_key.h"
#include "values/declared.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

// ---------------------------------------------------------------- flags of members

/// Whether the class has a member from its generated class.
bool Inherits(PyTypeObject* type, PyTypeObject* generated, nb::handle name) noexcept {
  return _PyType_Lookup(type, name.ptr()) == _PyType_Lookup(generated, name.ptr());
}

void SetFinalError(PyTypeObject* type, std::string_view name, const TainFunctionInfo* info) {
  PyErr_SetString(PyExc_TypeError,
                  (std::string(ClassName(type)) + "." + std::string(name) + ": " +
                   std::string(View(info->name)) + " is final, so no Python class may override it")
                      .c_str());
}

/// Throws if the class overrides a final member of the type or its parents.
void CheckFinal(PyTypeObject* type, PyTypeObject* generated, const TainTypeRecord* record) {
  for (; record != nullptr; record = TainGetTypeRecord(record->request.parent)) {
    ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
      if ((info->flags & kTainCallFinal) == 0) return;
      const nb::str key = MemberName(name);
      if (Inherits(type, generated, key)) return;
      SetFinalError(type, name, info);
      throw nb::python_error();
    });
    if (record->info->type_index == kTainObject) return;
  }
}

// ---------------------------------------------------------------- the call

/// Returns the name as an interned str, borrowed; null with an error set. A call site always passes
/// the same literal, so the str is cached by its address. The strs are never freed.
PyObject* InternedName(const TainByteArray& name) noexcept {
  auto& cache = GetClassesState().override_names;
  NameCacheEntry& entry = cache[(reinterpret_cast<uintptr_t>(name.data) >> 2) & 255];
  if (entry.data == name.data && PyUnicode_GET_LENGTH(entry.text) == Py_ssize_t(name.size) &&
      std::memcmp(PyUnicode_DATA(entry.text), name.data, name.size) == 0) {
    return entry.text;
  }
  PyObject* text = ToStr(name);
  if (text == nullptr) return nullptr;
  PyUnicode_InternInPlace(&text);
  // A running call may use the previous name of this entry, so its reference is not dropped.
  if (PyUnicode_IS_ASCII(text)) entry = {name.data, text};
  return text;
}

/// Whether the type of the parameter is an enum, possibly with None.
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

/// Looks a member up, and sets `held` to what was found.
Override LookUp(PyTypeObject* type, PyObject* name, Own* held) noexcept {
  PyTypeObject* generated = GeneratedBase(type);
  if (generated == nullptr) return {};
  const Own kept = Own::Share(reinterpret_cast<PyObject*>(type));  // keys may have an __eq__
  *held = OverridingMember(type, generated, name);
  PyObject* found = held->get();
  if (found == nullptr) return {};
  PyObject* member = OriginalMember(generated, name);
  const TainFunctionInfo* info = InfoOfMethod(member);
  const bool is_property = member != nullptr && Py_IS_TYPE(member, &PyGetSetDescr_Type);
  return {found, info, is_property, EnumArgs(info)};
}

/// What Python has in place of a member, with a reference to it: the class may change.
struct HeldOverride {
  Override override_;
  Own found;
};

#ifdef Py_GIL_DISABLED
// Nothing is remembered: another thread may change the class while its version is compared.
HeldOverride FindOverride(PyTypeObject* type, PyObject* name) noexcept {
  Own found;
  const Override override_ = LookUp(type, name, &found);
  return {override_, std::move(found)};
}
#else
const Override& RememberOverride(PyTypeObject* type, PyObject* name) noexcept {
  const uintptr_t hash =
      (reinterpret_cast<uintptr_t>(type) >> 6) ^ (reinterpret_cast<uintptr_t>(name) >> 4);
  OverrideMemo& memo = GetClassesState().override_memos[hash & 255];
  if (TAIN_UNLIKELY(memo.type != type || memo.name != name || memo.version == 0 ||
                    memo.version != type->tp_version_tag)) {
    Own found;
    const Override override_ = LookUp(type, name, &found);  // this may give the class its version
    memo = {type, name, type->tp_version_tag, override_};
  }
  return memo.override_;
}
inline HeldOverride FindOverride(PyTypeObject* type, PyObject* name) noexcept {
  const Override& override_ = RememberOverride(type, name);
  return {override_, Own::Share(override_.found)};
}
#endif

/// Converts a container, which is a tuple or has members of enums where the method's parameter is
/// declared so.
PyObject* ContainerArgument(const TainAny& value, int32_t index,
                            const TainFunctionInfo* info) noexcept {
  if (info == nullptr || index >= info->num_args) return ViewToPython(&value);
  internal::IncRef(value.v_obj);
  return DeclaredToPython(View(info->args[index].type), value);
}

/// The wrapper and the arguments in vectorcall form, with room for one more before them.
class OverrideArgs : internal::NotCopied {
 public:
  OverrideArgs(PyObject* wrapper, int32_t num_args) {
    if (num_args > kInline) more_ = std::make_unique<PyObject*[]>(size_t(num_args) + 2);
    values_ = more_ ? more_.get() : inline_.data();
    values_[1] = Py_NewRef(wrapper);
  }
  ~OverrideArgs() {
    for (int32_t i = -1; i < made_; ++i) Py_DECREF(values_[i + 2]);
  }

  /// Converts the arguments; false with an error set. `info` may be null.
  bool Fill(const TainAny* args, int32_t num_args, const TainFunctionInfo* info) noexcept {
    for (; made_ < num_args; ++made_) {
      values_[made_ + 2] = internal::IsContainer(args[made_].type_index)
                               ? ContainerArgument(args[made_], made_, info)
                               : ViewToPython(&args[made_]);
      if (values_[made_ + 2] == nullptr) return false;
    }
    return true;
  }

  /// Replaces values of enums by their members; false with an error set. A value that is not in the
  /// enum stays, because C++ may have called another overload than the registered one.
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

  PyObject** with_wrapper() const noexcept { return values_ + 1; }
  PyObject** without_wrapper() const noexcept { return values_ + 2; }

 private:
  static constexpr int32_t kInline = 6;
  int32_t made_ = 0;
  std::array<PyObject*, kInline + 2> inline_{};
  std::unique_ptr<PyObject*[]> more_;
  PyObject** values_;
};

PyObject* CallMethod(PyObject* found, PyObject* wrapper, const OverrideArgs& args,
                     int32_t num_args) noexcept {
  const BridgeUnlock unlocked;
  const auto count = static_cast<size_t>(num_args);
  if (PyType_HasFeature(Py_TYPE(found), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
    return PyObject_Vectorcall(found, args.with_wrapper(),
                               (count + 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  }
  const descrgetfunc get = Py_TYPE(found)->tp_descr_get;
  const Own bound(get == nullptr
                      ? Py_NewRef(found)
                      : get(found, wrapper, reinterpret_cast<PyObject*>(Py_TYPE(wrapper))));
  if (!bound) return nullptr;
  return PyObject_Vectorcall(bound.get(), args.without_wrapper(),
                             count | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
}

/// Calls a property: reads it if there are no arguments, assigns it if there is one.
PyObject* CallProperty(PyObject* wrapper, PyObject* name, const OverrideArgs& args,
                       int32_t num_args) noexcept {
  const BridgeUnlock unlocked;
  if (num_args == 0) return PyObject_GetAttr(wrapper, name);
  if (PyObject_SetAttr(wrapper, name, args.without_wrapper()[0]) != 0) return nullptr;
  return Py_NewRef(Py_None);
}

/// Extends the TypeError of a call that did not reach the override by the call that C++ made.
void ExplainMismatch(PyObject* wrapper, PyObject* name, const TainFunctionInfo* info) {
  if (info == nullptr || !PyErr_ExceptionMatches(PyExc_TypeError)) return;
  Own cause(TakeRaised());
  if (const Own inside{PyException_GetTraceback(cause.get())}) return SetRaised(cause.release());
  const char* name_text = PyUnicode_AsUTF8(name);
  if (name_text == nullptr) return;
  PyErr_Format(PyExc_TypeError, "%s.%s: C++ calls it as %s: %S", ClassName(Py_TYPE(wrapper)),
               name_text, SignatureText(info, name_text, false).c_str(), cause.get());
  PyObject* explained = TakeRaised();
  PyException_SetCause(explained, cause.release());
  SetRaised(explained);
}

int CallFound(PyObject* wrapper, PyObject* name, const Override& override_, const Own& found,
              const TainAny* args, int32_t num_args, TainAny* result) {
  const TainFunctionInfo* info = override_.info;
  if (info != nullptr && (info->flags & kTainCallFinal) != 0) {  // assigned to the class later
    SetFinalError(Py_TYPE(wrapper), PyUnicode_AsUTF8(name), info);
    return SetCoreFromPython();
  }
  const bool is_property = override_.is_property && num_args <= 1;
  OverrideArgs values(wrapper, num_args);
  if (!values.Fill(args, num_args, info) ||
      (override_.enum_args != 0 && !values.FillEnums(override_))) {
    return SetCoreFromPython();
  }
  const DirectCall none(nullptr, nullptr);  // what Python calls is no part of a call outside
  const Recursion level(" in a method called from C++");
  if (!level) return SetCoreFromPython();
  const Own value(is_property ? CallProperty(wrapper, name, values, num_args)
                              : CallMethod(found.get(), wrapper, values, num_args));
  if (TAIN_UNLIKELY(!value)) {
    if (!is_property) ExplainMismatch(wrapper, name, info);
    return SetCoreFromPython();
  }
  if (info != nullptr && TAIN_UNLIKELY(View(info->return_type) == "object")) {
    ArgExtra extra;  // the result takes over what it owns
    return FromPythonUntouched("object", value.get(), result, &extra) ? 0 : SetCoreFromPython();
  }
  return OwnedFromPythonForAny(value.get(), result) ? 0 : SetCoreFromPython();
}

/// Makes the wrapper of an object that has none, if its generated class has the method replaced, else
/// leaves `wrapper` null. Returns false with an error set.
bool WrapReplaced(TainObject* object, PyObject* name, Own* wrapper) noexcept {
  const ClassRecord* record = RecordOf(object->type_index);
  if (record == nullptr) return false;
  if (!FindOverride(record->generated, name).found) return true;
  *wrapper = Own(WrapBorrowed(object));
  return static_cast<bool>(*wrapper);
}

}  // namespace

int CallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                 int32_t num_args, TainAny* result, int* handled) {
  return WithGil([&] {
    *handled = 0;
    Own wrapper = HoldWrapper(object);  // look-ups may run Python code
    // A destructor runs the code of C++, and an error may be pending that ends the object.
    if (!wrapper && (!MembersReplaced() || StrongCount(object) == 0)) return 0;
    if (DirectCall::Take(object, *name)) return 0;
    PyObject* key = InternedName(*name);
    if (key == nullptr) return SetCoreFromPython();
    if (TAIN_UNLIKELY(GetState().replaced.is_stale)) UpdateReplaced();
    if (!wrapper && !WrapReplaced(object, key, &wrapper)) return SetCoreFromPython();
    if (!wrapper) return 0;
    const auto [override_, found] = FindOverride(Py_TYPE(wrapper.get()), key);
    UpdateOverrideSet(object, Py_TYPE(wrapper.get()));
    if (!found) return 0;
    *handled = 1;
    const int code = CallFound(wrapper.get(), key, override_, found, args, num_args, result);
    UpdateIfWatchedChanged();
    return code;
  });
}

bool HasMethodFlag(const TainTypeRecord* record, int32_t flags) noexcept {
  bool found = false;
  ForEachCall(record, [&](std::string_view, const TainFunctionInfo* info) {
    found = found || (info->flags & flags) != 0;
  });
  return found;
}

void MarkAbstract(PyTypeObject* type, PyTypeObject* generated, const TainTypeRecord* record) {
  nb::list names = NewList();
  ForEachCall(record, [&](std::string_view name, const TainFunctionInfo* info) {
    if ((info->flags & kTainCallAbstract) == 0) return;
    const nb::str key = MemberName(name);
    if (Inherits(type, generated, key)) names.append(key);
  });
  if (nb::len(names) == 0) return;
  const nb::object set = Checked(PyFrozenSet_New(names.ptr()));
  // CPython then sets the flag that the constructors check.
  nb::setattr(nb::handle(reinterpret_cast<PyObject*>(type)), "__abstractmethods__", set);
}

int CheckOverrides(PyTypeObject* type) noexcept {
  return Guarded(-1, [&] {
    PyTypeObject* generated = GeneratedBase(type);
    const ClassRecord* record = RecordOfType(generated);
    if (record == nullptr) return 0;
    if (record->has_final) CheckFinal(type, generated, record->record);
    if (record->has_abstract) MarkAbstract(type, generated, record->record);
    return 0;
  });
}

int SetAbstractError(PyTypeObject* type) noexcept {
  const Own names(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__abstractmethods__"));
  if (!names) return -1;
  const Own sorted(PySequence_List(names.get()));
  if (!sorted || PyList_Sort(sorted.get()) != 0) return -1;
  const Own comma(PyUnicode_FromString("', '"));
  const Own joined(comma ? PyUnicode_Join(comma.get(), sorted.get()) : nullptr);
  if (!joined) return -1;
  PyErr_Format(PyExc_TypeError,
               "Can't instantiate abstract class %s without an implementation for abstract "
               "method%s '%U'",
               type->tp_name, PyList_GET_SIZE(sorted.get()) == 1 ? "" : "s", joined.get());
  return -1;
}

}  // namespace tain::bindings
