// SPDX-License-Identifier: Apache-2.0
// Makes the C++ objects of a class; see make_object.h.
#include "classes/make_object.h"

#include "base/error.h"
#include "classes/class_parts.h"
#include "objects/attach.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

void SetWrongResultError(const ClassRecord* record, const TainAny& result) {
  PyErr_Format(PyExc_TypeError, "%s: the constructor returned %s, expected %s",
               KeyOf(record->record).c_str(), internal::TypeNameOf(result).c_str(),
               KeyOf(record->record).c_str());
}

/// Whether a function can be called without arguments.
bool NeedsNothing(const TainFunctionInfo* info) noexcept {
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    if (NeedsNothing(info->overloads[i].info)) return true;
  }
  if (info->num_overloads != 0) return false;
  for (int32_t i = 0; i < info->num_args; ++i) {
    constexpr int32_t kOptional =
        kTainArgHasDefault | kTainArgOptional | kTainArgVarPositional | kTainArgVarKeyword;
    if ((info->args[i].flags & kOptional) == 0) return false;
  }
  return true;
}

}  // namespace

void SetNoConstructorError(const ClassRecord* record) {
  const TainTypeRecord* type = record->record;
  const char* text = "%s has no constructor";
  if ((type->def.flags & kTainTypeAbstract) != 0) {
    text =
        type->constructor != nullptr
            ? "%s is abstract: make an object of a subclass, which overrides its abstract methods"
            : "%s is abstract and has no constructor";
  } else if (IsUndescribed(type)) {
    text = "%s has no constructor: no ObjectDef describes its C++ class";
  }
  PyErr_Format(PyExc_TypeError, text, KeyOf(type).c_str());
}

TainObject* ObjectFrom(const ClassRecord* record, const TainAny& result) noexcept {
  const bool is_object = result.type_index >= kTainStaticObjectBegin;
  if (is_object && TainTypeIsInstance(result.type_index, record->type_index) != 0) {
    return result.v_obj;
  }
  SetWrongResultError(record, result);
  if (is_object) internal::DecRef(result.v_obj);
  return nullptr;
}

TainObject* ConstructBy(const TypeConstructor& found, const ClassRecord* record,
                        PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  if (found) return MakeObject(record, found.get(), found.info(), args, nargs, kwnames);
  SetNoConstructorError(record);
  return nullptr;
}

const ClassRecord* RecordOfWrapper(PyObject* self) noexcept {
  const ClassRecord* record = RecordOfType(Py_TYPE(self));
  if (record == nullptr) {
    PyErr_Format(PyExc_TypeError, "%s is not a registered type", TypeName(self));
  }
  return record;
}

TainObject* MakeDefault(const TainTypeRecord* record) {
  TainObject* made = nullptr;
  if (TainTypeConstructDefault(record->info->type_index, &made) != 0) ThrowFromCore();
  return made;
}

bool NeedsNothing(const ClassRecord* record) noexcept {
  if (TainTypeHasDefault(record->type_index) != 0) return true;
  const TainFunctionInfo* info = ConstructorOf(record->record).info();
  return info != nullptr && NeedsNothing(info);
}

TainObject* AttachWithoutArguments(const ClassRecord* record, PyObject* self) noexcept {
  return Guarded(static_cast<TainObject*>(nullptr), [&]() -> TainObject* {
    TainObject* object = TainTypeHasDefault(record->type_index) != 0
                             ? MakeDefault(record->record)
                             : Construct(record, nullptr, 0, nullptr);
    if (object == nullptr || AttachFresh(self, object, "__init__()") != 0) return nullptr;
    return object;
  });
}

}  // namespace tain::bindings
