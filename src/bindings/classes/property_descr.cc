// SPDX-License-Identifier: Apache-2.0
// Properties as getset descriptors, which call their functions.
#include "classes/class_parts.h"

#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "calls/call_values.h"
#include "calls/free_call.h"
#include "classes/field_descr.h"
#include "objects/direct_call.h"
#include "objects/instance.h"
#include "values/declared.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

/// Calls a function of a property. An error stays raised in the core.
template <bool kLeavesLock>
inline int CallAccessor(TainObject* function, const TainAny* args, int32_t num_args,
                        TainAny* result) noexcept {
  if constexpr (kLeavesLock)
    return CallUnlocked(function, TainFunctionGetInfo(function), args, num_args, result);
  return TainFunctionCall(function, args, num_args, result);
}

template <bool kLeavesLock>
PyObject* GetProperty(PyObject* self, void* closure) {
  const auto* property = static_cast<const TainPropertyDef*>(closure);
  TainAny args[1] = {};
  ArgExtra extra;
  TainAny result{};
  if (!FromPython(self, &args[0], &extra)) return nullptr;
  const InFlight in_flight(args, 1);
  if (CallAccessor<kLeavesLock>(property->getter, args, 1, &result) != 0) {
    SetFromCore();
    return nullptr;
  }
  return DeclaredToPython(View(property->type), result);
}

template <bool kLeavesLock>
int SetProperty(PyObject* self, PyObject* value, void* closure) {
  const auto* property = static_cast<const TainPropertyDef*>(closure);
  if (value == nullptr || property->setter == nullptr) {
    PyErr_Format(PyExc_AttributeError,
                 value == nullptr ? "%s cannot be deleted: it is a property of a C++ object"
                                  : "%s is read-only: the property has no setter",
                 MemberPlace(property->declaring_type, View(property->name)).c_str());
    return -1;
  }
  ArgFrame<2> frame(2);
  if (!frame.Add(self) || !frame.AddUntouched(value, View(property->type))) return -1;
  TainAny result{};
  if (CallAccessor<kLeavesLock>(property->setter, frame.values(), 2, &result) != 0) {
    SetFromCore();
    return -1;
  }
  if (result.type_index >= kTainStaticObjectBegin) internal::DecRef(result.v_obj);
  return 0;
}

#ifdef Py_GIL_DISABLED
/// Gets a property that says tain::thread_safe() or tain::lock_receiver().
PyObject* GetFreely(PyObject* self, void* closure) {
  const auto* property = static_cast<const TainPropertyDef*>(closure);
  const TainFunctionInfo* info = TainFunctionGetInfo(property->getter);
  return FreeFew<false, 1>(property->getter, info, &self, 1, nullptr);
}
#endif

template <bool kLeavesLock>
PyObject* GetDirectly(PyObject* self, void* closure) {
  const DirectCall direct(ObjectOrNull(self), &static_cast<const TainPropertyDef*>(closure)->name);
  return GetProperty<kLeavesLock>(self, closure);
}

template <bool kLeavesLock>
int SetDirectly(PyObject* self, PyObject* value, void* closure) {
  const DirectCall direct(ObjectOrNull(self), &static_cast<const TainPropertyDef*>(closure)->name);
  return SetProperty<kLeavesLock>(self, value, closure);
}

/// Returns the docstring of a property: `float: The area.` The type stands there because the class
/// has no annotation for it, and in a form that Sphinx's napoleon reads.
const char* PropertyDoc(const TainPropertyDef* property) {
  std::string text(View(property->type));
  if (!text.empty() && property->doc.size != 0) text += ": ";
  text.append(View(property->doc));
  return text.empty() ? nullptr : Forever(text);
}

}  // namespace

void CallPropertyDirectly(PyObject* descr) noexcept {
  PyGetSetDef* def = reinterpret_cast<PyGetSetDescrObject*>(descr)->d_getset;  // checked by callers
  if (def->get == kLocked<&GetProperty<true>>) def->get = kLocked<&GetDirectly<true>>;
#ifdef Py_GIL_DISABLED
  if (def->get == &GetFreely) def->get = kLocked<&GetDirectly<true>>;
#endif
  if (def->get == kLocked<&GetProperty<false>>) def->get = kLocked<&GetDirectly<false>>;
  if (def->set == kLocked<&SetProperty<true>>) def->set = kLocked<&SetDirectly<true>>;
  if (def->set == kLocked<&SetProperty<false>>) def->set = kLocked<&SetDirectly<false>>;
}

PyGetSetDef PropertyDescriptor(const TainPropertyDef* property) {
  const auto leaves_lock = [](const TainObject* function) {
    return function != nullptr && LeavesLock(function, TainFunctionGetInfo(function));
  };
  getter get =
      leaves_lock(property->getter) ? kLocked<&GetProperty<true>> : kLocked<&GetProperty<false>>;
#ifdef Py_GIL_DISABLED
  if (MayCallFree(property->getter, TainFunctionGetInfo(property->getter))) get = &GetFreely;
#endif
  return {
      Forever(View(property->name)), get,
      leaves_lock(property->setter) ? kLocked<&SetProperty<true>> : kLocked<&SetProperty<false>>,
      PropertyDoc(property), const_cast<TainPropertyDef*>(property)};
}

}  // namespace tain::bindings
