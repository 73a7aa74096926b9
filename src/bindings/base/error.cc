// SPDX-License-Identifier: Apache-2.0
// Translates errors in both directions; see error.h.
#include "base/error.h"

#include <frameobject.h>

#include <algorithm>

#include "base/error_class.h"
#include "base/hooks.h"
#include "base/loops.h"
#include "base/opaque.h"
#include "base/recursion.h"
#include "base/state.h"
#include "tain/error.h"
#include "tain/internal/caught.h"
#include "tain/internal/error_key.h"
#include "tain/internal/error_record.h"
#include "tain/internal/near_matches.h"
#include "tain/interop/nanobind.h"

namespace tain::bindings {
namespace {

const TainErrorCell* CellOf(const TainObject* error) noexcept {
  return reinterpret_cast<const TainErrorCell*>(error + 1);  // the cell follows the header
}

bool IsHeapClass(PyObject* cls) noexcept {
  return PyType_HasFeature(reinterpret_cast<PyTypeObject*>(cls), Py_TPFLAGS_HEAPTYPE) != 0;
}

PyObject* ClassOfKind(std::string_view kind) {
  const auto& table = GetState().error_classes;
  const auto found = table.find(std::string(kind));
  return found == table.end() ? nullptr : found->second;
}

/// Returns the kind of an exception class; empty if it is not in the table.
std::string KindOfClass(PyObject* cls) {
  const char* name = ClassName(reinterpret_cast<PyTypeObject*>(cls));
  if (ClassOfKind(name) == cls) return name;
  for (const auto& [kind, registered] : GetState().error_classes) {
    if (registered == cls) return kind;
  }
  return "";
}

/// Returns the kind of an exception: that of the first class in its MRO that C++ describes, so that
/// C++ catches the exception as that class, or else of the first that is in the table.
std::string KindOf(PyObject* exception) {
  PyObject* mro = Py_TYPE(exception)->tp_mro;
  std::string first;
  for (Py_ssize_t i = 0; mro != nullptr && i < PyTuple_GET_SIZE(mro); ++i) {
    PyObject* cls = PyTuple_GET_ITEM(mro, i);
    const bool is_builtin = !IsHeapClass(cls);
    if (is_builtin && !first.empty()) continue;
    const std::string kind = KindOfClass(cls);
    if (kind.empty()) continue;
    if (is_builtin && i == 0) return kind;  // so are all its bases
    if (!is_builtin && internal::FindErrorRecord(kind) != nullptr) return kind;
    if (first.empty()) first = kind;
  }
  return first.empty() ? "RuntimeError" : first;
}

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

PyObject* ExceptionAt(TainObject* error, int depth) noexcept;

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
  const TainErrorCell* cell = CellOf(error);
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
    nb::object before = nb::steal(ExceptionAt(cell->cause_chain, depth + 1));
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

/// Returns the Python class for a nanobind exception type.
PyObject* ClassOfBuiltin(nb::exception_type type) noexcept {
  switch (type) {
    case nb::exception_type::value_error: return PyExc_ValueError;
    case nb::exception_type::index_error: return PyExc_IndexError;
    case nb::exception_type::key_error: return PyExc_KeyError;
    case nb::exception_type::attribute_error: return PyExc_AttributeError;
    case nb::exception_type::stop_iteration: return PyExc_StopIteration;
    default: return PyExc_TypeError;
  }
}

PyObject* ExceptionAt(TainObject* error, int depth) noexcept {
  try {  // the guard ends here, so this cannot use it
    const TainErrorCell* cell = CellOf(error);
    if (cell->extra_context != nullptr) {
      PyObject** slot = PythonSlotOf(cell->extra_context);
      if (slot != nullptr && *slot != nullptr && PyExceptionInstance_Check(*slot)) {
        nb::object raised = nb::borrow(*slot);
        SetChangedFields(raised, error);
        return raised.release().ptr();
      }
    }
    return MakeException(error, depth);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {  // nothing else throws here
    PyErr_NoMemory();
  }
  return nullptr;
}

/// Sets the Python error if the C++ exception being handled is one of Python's or nanobind's.
bool SetIfPython() noexcept {
  // A thread that ends while it waits for the GIL unwinds by none: it must not be caught for good.
  if (std::current_exception() == nullptr) return false;
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(ClassOfBuiltin(e.type()), e.what());
  } catch (...) {
    return false;
  }
  return true;
}

}  // namespace

void SetRaised(PyObject* exception) noexcept {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exception);
#else
  PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(exception))), exception,
                PyException_GetTraceback(exception));
#endif
}

PyObject* TakeRaised() noexcept {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return nullptr;
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
#endif
}

void SetFromException() noexcept {
  if (SetIfPython()) return;
  internal::RaiseHandled();
  SetFromCore();
}

int SetCoreFromException() noexcept {
  return SetIfPython() ? SetCoreFromPython() : internal::RaiseHandled();
}

PyObject* ExceptionOf(TainObject* error) noexcept { return ExceptionAt(error, 0); }

void SetFromCore() noexcept {
  TainObject* error = nullptr;
  TainErrorMoveFromRaised(&error);
  if (error == nullptr) {
    if (!PyErr_Occurred()) {
      PyErr_SetString(PyExc_SystemError, "a C++ function failed without saying why");
    }
    return;
  }
  if (View(CellOf(error)->kind) == "EnvErrorAlreadySet" && PyErr_Occurred()) {
    TainObjectDecRef(error);
    return;
  }
  PyErr_Clear();
  PyObject* exception = ExceptionOf(error);
  TainObjectDecRef(error);
  if (exception != nullptr) SetRaised(exception);
}

void ThrowFromCore() {
  SetFromCore();
  throw nb::python_error();
}

void DropCoreError() noexcept {
  TainObject* error = nullptr;
  TainErrorMoveFromRaised(&error);
  if (error != nullptr) TainObjectDecRef(error);
}

namespace {

/// Returns an Error object for an exception. Without `fields` runs no code of the fields.
TainObject* MakeErrorOf(PyObject* exception, bool fields) noexcept {
  try {
    const std::string kind = KindOf(exception);
    nb::object text = nb::steal(PyObject_Str(exception));
    if (!text.is_valid()) {
      PyErr_Clear();
      text = nb::str("<the exception's str() failed>");
    }
    const std::string message = Utf8Of(text);
    TainObject* context = MakeOpaque(exception);
    if (context == nullptr) return nullptr;
    const TainByteArray kind_bytes{kind.data(), kind.size()};
    const TainByteArray message_bytes{message.data(), message.size()};
    const TainByteArray none{nullptr, 0};
    TainObject* error = nullptr;
    const int code = TainErrorCreateWithCauseAndExtraContext(&kind_bytes, &message_bytes, &none,
                                                             nullptr, context, &error);
    TainObjectDecRef(context);
    if (code != 0) {
      DropCoreError();
      PyErr_NoMemory();
      return nullptr;
    }
    ObjectPtr<Object> owned = internal::RefAccess::Steal<Object>(error);
    if (fields) CopyExceptionFields(exception, kind, error);
    return internal::RefAccess::Release(owned);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {
    PyErr_NoMemory();
  }
  return nullptr;
}

/// Whether an exception class can be made from one text; UnicodeDecodeError cannot.
bool TakesText(PyTypeObject* type) {
  // Most classes inherit from BaseException what makes them, and need not be tried.
  const auto* base = reinterpret_cast<PyTypeObject*>(PyExc_BaseException);
  if (type->tp_new == base->tp_new && type->tp_init == base->tp_init) return true;
  const Own made(PyObject_CallFunction(reinterpret_cast<PyObject*>(type), "s", ""));
  PyErr_Clear();
  return static_cast<bool>(made);
}

}  // namespace

TainObject* ErrorOf(PyObject* exception) noexcept { return MakeErrorOf(exception, true); }

int SetCoreFromPython() noexcept {
  const Own exception(TakeRaised());
  if (!exception) {
    TainErrorSetRaisedFromCStr("SystemError", "Python reported an error without setting one");
    return -1;
  }
  TainObject* error = MakeErrorOf(exception.get(), true);
  if (error == nullptr) {  // such as a KeyboardInterrupt while the fields were read
    const Own instead(TakeRaised());
    if (instead) error = MakeErrorOf(instead.get(), false);
  }
  if (error == nullptr) {
    PyErr_Clear();
    TainErrorSetRaisedFromCStr("MemoryError", "no memory for the exception");
    return -1;
  }
  TainErrorSetRaised(error);
  TainObjectDecRef(error);
  return -1;
}

PyObject* ErrorClassOf(std::string_view kind) {
  PyObject* cls = DefinedErrorClass(kind);
  return cls != nullptr ? cls : ClassOfKind(kind);
}

void RegisterErrorClass(const std::string& kind, PyObject* cls) {
  internal::AddHostError(kind, false, true);
  StoreErrorClass(kind, cls);
}

void InitErrors(nb::module_& m) {
  // Functions of the module may throw errors of the core.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error&) {
      SetFromException();
    }
  });
  State& state = GetState();
  const nb::module_ builtins = nb::module_::import_("builtins");
  const nb::object names = Checked(PyDict_Copy(nb::object(builtins.attr("__dict__")).ptr()));
  ForEachEntry(names, [](nb::handle text, nb::handle value) {
    if (!PyExceptionClass_Check(value.ptr())) return;
    const std::string name = Utf8Of(text);
    auto* type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (name != ClassName(type)) return;  // IOError is an alias
    internal::AddHostError(name, true, TakesText(type));
    StoreErrorClass(name, value.ptr());
  });
  PyObject* cls = PyErr_NewExceptionWithDoc(
      "tain.Error",
      "An error whose kind has no Python class of its own; `kind` says which.\n\n"
      "Attributes\n----------\nkind : str\n    The kind given to TAIN_THROW.",
      PyExc_RuntimeError, nullptr);
  if (cls == nullptr) throw nb::python_error();
  nb::handle(cls).attr("kind") = "Error";
  state.error_class = cls;
  state.error_classes["Error"] = Py_NewRef(cls);
  for (const char* kind : {"Error", "InternalError"}) internal::AddHostError(kind, true, true);
  PyObject* internal_error = PyErr_NewExceptionWithDoc(
      "tain.InternalError", "A mistake inside a C++ library: a TAIN_ICHECK that failed.", cls,
      nullptr);
  if (internal_error == nullptr) throw nb::python_error();
  nb::handle(internal_error).attr("kind") = "InternalError";
  state.error_classes["InternalError"] = internal_error;
  m.attr("Error") = nb::borrow(cls);
  m.attr("InternalError") = nb::borrow(internal_error);
}

}  // namespace tain::bindings
