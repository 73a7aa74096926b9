// SPDX-License-Identifier: Apache-2.0
// Makes exceptions of errors: class, arguments, traceback with the frames of C++, cause and context.
#include "base/error.h"

#include <frameobject.h>

#include <algorithm>

#include "base/error_class.h"
#include "base/error_kinds.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "base/recursion.h"
#include "base/state.h"
#include "tain/error.h"
#include "tain/internal/error_key.h"
#include "tain/internal/near_matches.h"

namespace tain::bindings {
namespace {

/// Returns text in which bytes that are not UTF-8 are written as `\\xe9`, for CPython's functions that
/// take nothing else.
std::string ReadableUtf8(std::string_view text) {
  const Own decoded(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
  if (!decoded) throw nb::python_error();
  return Utf8Of(decoded.get());
}

/// Adds a frame of C++ code to the traceback of an exception.
void AddFrame(PyObject* exception, const std::string& file, int line, std::string_view function) {
  const nb::object globals = nb::steal(PyDict_New());
  auto* code = PyCode_NewEmpty(file.c_str(), ReadableUtf8(function).c_str(), line);
  if (code == nullptr || !globals.is_valid()) {
    PyErr_Clear();
    Py_XDECREF(code);
    return;
  }
  PyFrameObject* frame = PyFrame_New(PyThreadState_Get(), code, globals.ptr(), nullptr);
  Py_DECREF(code);
  if (frame == nullptr) {
    PyErr_Clear();
    return;
  }
#if PY_VERSION_HEX < 0x030B0000
  frame->f_lineno = line;
#endif
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
  PyTraceBack_Here(frame);
  Py_DECREF(frame);
  const Own taken(TakeRaised());  // with its traceback
}

/// Adds the lines `  File "a.cc", line 3, in f` of a backtrace to a traceback, most recent call
/// last.
void AddFrames(PyObject* exception, std::string_view backtrace) {
  std::vector<std::string_view> lines;
  while (!backtrace.empty()) {
    const size_t end = backtrace.find('\n');
    lines.push_back(backtrace.substr(0, end));
    backtrace = end == std::string_view::npos ? std::string_view() : backtrace.substr(end + 1);
  }
  for (auto at = lines.begin(); at != lines.end(); ++at) {  // each entry goes in front
    const size_t file = at->find("File \"");
    const size_t file_end = at->find("\", line ", file == std::string_view::npos ? 0 : file);
    const size_t in = at->find(", in ");
    if (file == std::string_view::npos || file_end == std::string_view::npos) continue;
    const std::string name(at->substr(file + 6, file_end - file - 6));
    const int line = std::atoi(std::string(at->substr(file_end + 8)).c_str());
    const std::string_view function =
        in == at->npos ? std::string_view("<C++>") : at->substr(in + 5);
    AddFrame(exception, name, line, function);
  }
}

/// Sets the __context__ of a new exception, as a raise statement would.
void AddContext(PyObject* exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
  const Own taken(TakeRaised());
}

constexpr int kMaxCauses = 200;  // longer than any chain that people read

/// Returns an OSError with errno and file names; Python chooses the class by errno.
nb::object MakeOSError(nb::handle cls, const TainSystemError& system) {
  const auto name = [](const TainByteArray& file) {
    return file.size == 0 ? nb::object(nb::none()) : Checked(ErrorText(View(file)));
  };
  const nb::object reason = Checked(ErrorText(View(system.reason)));
  if (system.file.size == 0) return cls(system.number, reason);
  return cls(system.number, reason, name(system.file), nb::none(), name(system.file2));
}

/// Returns an exception of a class. If a built-in class cannot be made from one text
/// (UnicodeDecodeError), uses its nearest base class below Exception that can. Invalid if there is
/// none.
nb::object MakeOf(PyObject* cls, const nb::object& message) {
  const bool builtin = !IsHeapClass(cls);
  do {
    nb::object made = nb::steal(PyObject_CallOneArg(cls, message.ptr()));
    if (made.is_valid() && PyExceptionInstance_Check(made.ptr())) return made;
    if (!made.is_valid() &&
        (PyErr_ExceptionMatches(PyExc_MemoryError) || !PyErr_ExceptionMatches(PyExc_Exception))) {
      throw nb::python_error();
    }
    PyErr_Clear();
    cls = reinterpret_cast<PyObject*>(reinterpret_cast<PyTypeObject*>(cls)->tp_base);
  } while (builtin && cls != PyExc_Exception && cls != PyExc_BaseException);
  return {};
}

/// Notes which classes an unknown kind is like, as after `TAIN_THROW(Valueerror)`. Tracebacks show it
/// from Python 3.11 on.
void NoteUnknownKind(const nb::object& made, std::string_view kind) {
  auto& unknown = GetState().unknown_kinds;
  if (unknown.size() > 100) unknown.clear();
  const auto [place, is_new] = unknown.try_emplace(std::string(kind));
  std::string& like = place->second;
  if (is_new) {
    std::vector<std::string> known;
    for (const auto& [name, cls] : GetState().error_classes) known.push_back(name);
    std::sort(known.begin(), known.end());
    like = internal::NearMatches(kind, known);
  }
  if (like.empty()) return;
  nb::list notes = NewList();
  notes.append(
      Checked(ErrorText("no exception class is registered as '" + place->first + "'." + like)));
  made.attr("__notes__") = notes;
}

/// Returns the argument of a KeyError: the key itself, as Python's dict gives it, if it is known.
nb::object ArgumentOfKeyError(TainObject* error, const nb::object& message) {
  const Any* key = internal::MissingKeyOf(error);
  if (key == nullptr) return message;
  nb::object converted = nb::steal(GetHooks().declared_to_python("Any", key->data()));
  if (converted.is_valid()) return converted;
  PyErr_Clear();  // the error that is being raised matters more
  return message;
}

PyObject* MakeException(TainObject* error, int depth) {
  const TainErrorCell* cell = ErrorCellOf(error);
  const std::string_view kind = View(cell->kind);
  const nb::object message = nb::steal(ErrorText(View(cell->message)));
  if (!message.is_valid()) return nullptr;
  PyObject* cls = DefinedErrorClass(kind);
  const bool defined = cls != nullptr;
  if (cls == nullptr) cls = ClassOfKind(kind);
  const bool is_unknown = cls == nullptr;
  if (is_unknown) cls = GetState().error_class;
  TainSystemError system;
  const bool is_system = cls == PyExc_OSError && TainErrorGetSystemError(error, &system) != 0;
  nb::object made = is_system               ? MakeOSError(cls, system)
                    : cls == PyExc_KeyError ? MakeOf(cls, ArgumentOfKeyError(error, message))
                                            : MakeOf(cls, message);
  if (!made.is_valid()) {  // the message is not lost
    made = nb::steal(PyObject_CallOneArg(GetState().error_class, message.ptr()));
    if (!made.is_valid()) return nullptr;
  }
  if (PyObject_TypeCheck(made.ptr(), reinterpret_cast<PyTypeObject*>(GetState().error_class))) {
    made.attr("kind") = Checked(ErrorText(kind));
  }
  if (is_unknown) NoteUnknownKind(made, kind);
  if (defined) SetExceptionFields(made, error);
  AddContext(made.ptr());
  AddFrames(made.ptr(), View(cell->backtrace));
  if (cell->cause_chain != nullptr && depth < kMaxCauses && !StackIsLow()) {
    nb::object before = nb::steal(ExceptionOf(cell->cause_chain, depth + 1));
    // If the error is both cause and context, it was being handled when this one was thrown;
    // otherwise it was given explicitly as the cause.
    const bool implied = cell->cause_chain == cell->extra_context;
    if (!before.is_valid()) {
      PyErr_Clear();
    } else if (implied) {
      PyException_SetContext(made.ptr(), before.release().ptr());
    } else {
      PyException_SetContext(made.ptr(), nb::object(before).release().ptr());
      PyException_SetCause(made.ptr(), before.release().ptr());
    }
  }
  return made.release().ptr();
}

}  // namespace

PyObject* ExceptionOf(TainObject* error, int depth) noexcept {
  return GuardedInBase([&]() -> PyObject* {
    const TainErrorCell* cell = ErrorCellOf(error);
    if (cell->extra_context != nullptr) {
      PyObject** slot = PythonSlotOf(cell->extra_context);
      if (slot != nullptr && *slot != nullptr && PyExceptionInstance_Check(*slot)) {
        nb::object raised = nb::borrow(*slot);
        SetChangedFields(raised, error);
        return raised.release().ptr();
      }
    }
    return MakeException(error, depth);
  });
}

}  // namespace tain::bindings
