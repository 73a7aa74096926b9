// SPDX-License-Identifier: Apache-2.0
// The hooks that the core calls. Any thread may call them.
#include "api/init.h"

#include <atomic>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "api/state.h"
#include "base/error.h"
#include "base/error_class.h"
#include "base/error_kinds.h"
#include "base/gil.h"
#include "base/given_text.h"
#include "base/opaque.h"
#include "base/with_gil.h"
#include "classes/overrides.h"
#include "values/from_python.h"
#include "values/given.h"
#include "values/host_convert.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

long ProcessId() noexcept {
#ifdef _WIN32
  return 0;  // the system has no fork()
#else
  return static_cast<long>(getpid());
#endif
}

/// Looks up the main thread. Needs the GIL.
void FindMainThread(MainThread& known) {
  const nb::object main = nb::module_::import_("threading").attr("main_thread")();
  known.ident.store(nb::cast<unsigned long>(main.attr("ident")), std::memory_order_relaxed);
  known.process.store(ProcessId(), std::memory_order_release);
}

/// Other threads return at once: they do not take the GIL, because they handle no signals.
int CheckSignals() {
  MainThread& known = GetApiState().main_thread;
  if (Finalizing()) return 0;
  if (known.process.load(std::memory_order_acquire) != ProcessId() ||
      known.ident.load(std::memory_order_relaxed) == 0) {
    const int code = WithGil([&] {
      FindMainThread(known);
      return 0;
    });
    if (code != 0) return code;
  }
  if (known.ident.load(std::memory_order_relaxed) != PyThread_get_thread_ident()) return 0;
  return WithGil([] { return PyErr_CheckSignals() != 0 ? SetCoreFromPython() : 0; });
}

int ReprOpaque(TainObject* object, TainAny* out) {
  return WithGil([&] {
    PyObject** slot = PythonSlotOf(object);
    PyObject* target = slot == nullptr || *slot == nullptr ? Py_None : *slot;
    const Own text(PyObject_Repr(target));
    if (!text || !OwnedFromPython(text.get(), out)) return SetCoreFromPython();
    return 0;
  });
}

/// Copies an object with its wrapper's class and attributes, by copy.copy.
int CopyWrapped(TainObject* object, TainObject** out, int* handled) {
  return WithGil([&] {
    *handled = 0;
    const nb::object wrapper = nb::steal(HoldWrapper(object).release());
    if (!wrapper.is_valid() || Py_TYPE(wrapper.ptr())->tp_dealloc == &InstanceDealloc) return 0;
    *handled = 1;
    const int32_t index = object->type_index;  // C++ will write to the copy as this type
    const nb::object copy = nb::module_::import_("copy").attr("copy")(wrapper);
    TainObject* made = IsWrapper(copy.ptr()) ? ObjectOrNull(copy.ptr()) : nullptr;
    if (made == nullptr || made == object || made->type_index != index) {
      SetGivenError(PyExc_TypeError,
                    std::string("copying a ") + TypeName(wrapper.ptr()) +
                        ": expected a new object of its type",
                    copy.ptr());
      return SetCoreFromPython();
    }
    internal::IncRef(made);
    *out = made;
    return 0;
  });
}

int Warn(const TainByteArray* category, const TainByteArray* text) {
  if (Finalizing()) return 0;  // nobody could see it
  return WithGil([&] {
    PyObject* cls = ErrorClassOf(View(*category));
    if (cls == nullptr || !PyExceptionClass_Check(cls) ||
        PyObject_IsSubclass(cls, PyExc_Warning) != 1) {
      const Own name(ErrorText(View(*category)));
      if (name) {
        PyErr_Format(PyExc_TypeError,
                     "warn: expected the name of a class of warnings, such as UserWarning, got %R",
                     name.get());
      }
      return SetCoreFromPython();
    }
    const Own message(ErrorText(View(*text)));
    const bool issued = message && PyErr_WarnFormat(cls, 1, "%U", message.get()) == 0;
    return issued ? 0 : SetCoreFromPython();
  });
}

void WriteUnraisable(const TainByteArray* where) {
  if (Finalizing()) return DropCoreError();  // nobody could see it
  WithGil([&] {
    const Own place(ErrorText(View(*where)));
    SetFromCore();
    PyErr_WriteUnraisable(place.get());
    return 0;
  });
}

void VisitInUse(int (*visit)(TainObject* object, void* context), void* context) {
  WithGil([&] {
    UsedObjects::Visit(visit, context);
    return 0;
  });
}

int IsEnding() { return HoldsGil() && Finalizing() ? 1 : 0; }

void RunUnlocked(void (*run)(void* context), void* context) {
  if (!HoldsGil()) return run(context);
  const ReleaseGil unlocked;
  run(context);
}

}  // namespace

void InitHost() {
  static const TainHost host = {&ReleaseWrapper,      &CallOverride,  &CheckSignals,   &ReprOpaque,
                                &CopyWrapped,         &DescribeGiven, &ConvertForCore, &MakeForCore,
                                &VisitInUse,          &RunUnlocked,   &ReleaseHeldGil, &RestoreGil,
                                &TakeGilUnlessEnding, &DropGil,       &IsEnding,       &Warn,
                                &WriteUnraisable};
  if (TainSetHost(&host) != 0) ThrowFromCore();
}

}  // namespace tain::bindings
