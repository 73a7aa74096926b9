// SPDX-License-Identifier: Apache-2.0
// Calls of overloaded functions; see overload_call.h.
#include "calls/overload_call.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "tain/error.h"
#include "tain/internal/overload.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

constexpr int kInline = 16;

/// The Python arguments of one call, and what they are in the core.
struct Given {
  PyObject* const* args;
  Py_ssize_t num_args;
  PyObject* kwnames;  ///< or null
  ArgFrame<kInline> values;

  Given(PyObject* const* a, Py_ssize_t n, PyObject* names)
      : args(a), num_args(n), kwnames(names), values(n + NumKeywords()) {}
  Py_ssize_t NumKeywords() const noexcept {
    return kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  }
  bool Convert() {
    if (!values.ok()) return false;
    for (Py_ssize_t i = 0; i < num_args + NumKeywords(); ++i) {
      if (!values.Add(args[i])) return false;
    }
    return true;
  }
  /// `int, str, by=float`, without the receiver.
  std::string Types(Py_ssize_t receiver) const {
    std::string text;
    for (Py_ssize_t i = receiver; i < num_args + NumKeywords(); ++i) {
      text += i == receiver ? "" : ", ";
      if (i >= num_args) {
        const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(kwnames, i - num_args));
        if (name == nullptr) PyErr_Clear();
        text += std::string(name == nullptr ? "?" : name) + "=";
      }
      text += args[i] == Py_None ? "None" : TypeName(args[i]);
    }
    return text;
  }
};

/// The arguments in the order of one candidate's parameters.
class Bound {
 public:
  Bound(Given& given, const TainFunctionInfo* info) : given_(given), info_(info) {}
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  /// False with a Python error set that says why they do not fit.
  bool Bind() {
    values_.reserve(static_cast<size_t>(BoundSize(info_, given_.num_args)));
    const ArgSink sink{
        [](void* self, PyObject* object) { return static_cast<Bound*>(self)->Add(object); },
        [](void* self, const TainAny& value) {
          static_cast<Bound*>(self)->values_.push_back(value);
        },
        [](void* self, const TainAny& value) {
          static_cast<Bound*>(self)->owned_.push_back(Any::Steal(value));
          static_cast<Bound*>(self)->values_.push_back(value);
        },
        this};
    if (!BindArguments(info_, given_.args, given_.num_args, given_.kwnames, sink)) return false;
    values_.resize(values_.size() + 1);  // an array that is there without arguments too
    return true;
  }
  const TainAny* values() const noexcept { return values_.data(); }
  int32_t size() const noexcept { return static_cast<int32_t>(values_.size()) - 1; }

 private:
  /// The value that the object has been converted to already.
  bool Add(PyObject* object) {
    for (Py_ssize_t i = 0; i < given_.values.size(); ++i) {
      if (given_.args[i] != object) continue;
      values_.push_back(given_.values.values()[i]);
      return true;
    }
    return false;
  }

  Given& given_;
  const TainFunctionInfo* info_;
  std::vector<TainAny> values_;
  std::vector<Any> owned_;
};

enum class Outcome { kDone, kRefused, kFailed, kLater };

/// Tries candidates until one takes the arguments.
struct Search {
  Given& given;
  CandidateCall call;
  TainAny* result;
  internal::Refusals refusals;

  Outcome Call(const TainOverload& candidate, const TainAny* args, int32_t num_args, bool exact) {
    const internal::OverloadArguments arguments(args, num_args);
    if (arguments.Fit(candidate.info) != exact) return Outcome::kLater;
    const TainAny* values = arguments.For(exact);
    const internal::OverloadAttempt attempt(values);
    if (call(candidate.function, candidate.info, values, num_args, result) == 0) {
      if (!exact) arguments.Taken();
      return Outcome::kDone;
    }
    if (!attempt.refused()) {
      SetFromCore();
      return Outcome::kFailed;
    }
    refusals.Add(candidate.info, Error::MoveFromRaised().what());
    return Outcome::kRefused;
  }

  Outcome Try(const TainOverload& candidate, bool exact) {
    if (given.NumKeywords() == 0 && !MustBind(candidate.info)) {
      return Call(candidate, given.values.values(), given.values.size(), exact);
    }
    Bound bound(given, candidate.info);
    if (bound.Bind()) return Call(candidate, bound.values(), bound.size(), exact);
    if (exact) {  // it will be said in the second round
      PyErr_Clear();
      return Outcome::kLater;
    }
    return NoteBinding(candidate);
  }

  /// Notes the Python error that is set as the reason of a refusal.
  Outcome NoteBinding(const TainOverload& candidate) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return Outcome::kFailed;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    const Own owned_type(type), owned_value(value), owned_traceback(traceback);
    const Own text(value == nullptr ? nullptr : PyObject_Str(value));
    const char* reason = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    PyErr_Clear();
    refusals.Add(candidate.info, reason == nullptr ? "its arguments do not fit" : reason);
    return Outcome::kRefused;
  }
};

int Call(const TainFunctionInfo** info, Given& given, CandidateCall call, TainAny* result) {
  if (!given.Convert()) return -1;
  const TainFunctionInfo* overloaded = *info;
  const bool method = (overloaded->flags & kTainCallMethod) != 0;
  if (method && given.num_args == 0) {
    PyErr_Format(PyExc_TypeError, "%s() needs an object as its first argument",
                 std::string(View(overloaded->name)).c_str());
    return -1;
  }
  Search search{given, call, result, {}};
  for (const bool exact : {true, false}) {
    for (int32_t i = 0; i < overloaded->num_overloads; ++i) {
      const Outcome outcome = search.Try(overloaded->overloads[i], exact);
      if (outcome == Outcome::kFailed) return -1;
      if (outcome != Outcome::kDone) continue;
      *info = overloaded->overloads[i].info;
      return 0;
    }
  }
  const std::string text = search.refusals.Text(overloaded, given.Types(method ? 1 : 0));
  const Own message(ToStr(text.data(), text.size()));
  if (message) PyErr_SetObject(PyExc_TypeError, message.get());
  return -1;
}

}  // namespace

int CallOverloaded(const TainFunctionInfo** info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, CandidateCall call, TainAny* result) noexcept {
  try {
    Given given(args, num_args, kwnames);
    return Call(info, given, call, result);
  } catch (...) {
    SetFromException();
  }
  return -1;
}

}  // namespace tain::bindings
