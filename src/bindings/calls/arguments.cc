// SPDX-License-Identifier: Apache-2.0
// Keyword arguments; see arguments.h.
#include "calls/arguments.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/type_keys.h"
#include "calls/call_values.h"
#include "objects/class_table.h"
#include "tain/arguments.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

constexpr Py_ssize_t kInlineSlots = 16;

using Keywords = std::vector<std::pair<PyObject*, PyObject*>>;

/// The parameters of one call and what was given for them.
struct Binding {
  const TainFunctionInfo* info;
  Py_ssize_t receiver;  ///< 1 if the first argument is the receiver
  PyObject** given;     ///< by parameter, without the receiver; null if missing
  Keywords rest;        ///< keywords that no parameter takes
};

std::string NameOf(const TainFunctionInfo* info) {
  return info == nullptr ? std::string("this function") : std::string(View(info->name)) + "()";
}

/// Whether a parameter takes whatever is left: it has no value of its own.
bool IsRest(const TainArgInfo& arg) noexcept {
  return (arg.flags & (kTainArgVarPositional | kTainArgVarKeyword)) != 0;
}

bool TakesKeywords(const TainFunctionInfo* info) noexcept {
  return info != nullptr && info->num_args > 0 &&
         (info->args[info->num_args - 1].flags & kTainArgVarKeyword) != 0;
}

/// The parameter that a keyword names: parameters without a name of the author's have none.
int32_t FindParameter(const TainFunctionInfo* info, PyObject* name) noexcept {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(name, &size);
  if (text == nullptr) {
    PyErr_Clear();
    return -1;
  }
  for (int32_t i = 0; i < info->num_args; ++i) {
    if (IsRest(info->args[i]) || (info->args[i].flags & kTainArgNamed) == 0) continue;
    if (View(info->args[i].name) == std::string_view(text, static_cast<size_t>(size))) return i;
  }
  return -1;
}

void SetUnnamedError(const TainFunctionInfo* info) {
  if (info == nullptr || (info->flags & kTainCallPacked) != 0) {
    PyErr_Format(PyExc_TypeError, "%s takes no keyword arguments", NameOf(info).c_str());
    return;
  }
  PyErr_Format(PyExc_TypeError,
               "%s takes no keyword arguments: its parameters have no names; the C++ author gives "
               "them with tain::arg(\"name\")",
               NameOf(info).c_str());
}

bool BindKeyword(Binding& binding, PyObject* name, PyObject* value) {
  const TainFunctionInfo* info = binding.info;
  const int32_t index = FindParameter(info, name);
  if (index < 0 && TakesKeywords(info)) {
    binding.rest.emplace_back(name, value);
    return true;
  }
  if (index < 0) {
    std::vector<std::string> known;
    for (int32_t i = 0; i < info->num_args; ++i) {
      if (!IsRest(info->args[i])) known.emplace_back(View(info->args[i].name));
    }
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(name, &size);
    if (text == nullptr) {  // a lone surrogate
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument '%U'",
                   NameOf(info).c_str(), name);
      return false;
    }
    const std::string near = NearMatches({text, static_cast<size_t>(size)}, known);
    PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument '%s'%s%s",
                 NameOf(info).c_str(), text, near.empty() ? "" : ".", near.c_str());
    return false;
  }
  if (binding.given[index] != nullptr) {
    PyErr_Format(PyExc_TypeError, "%s got multiple values for argument '%U'", NameOf(info).c_str(),
                 name);
    return false;
  }
  binding.given[index] = value;
  return true;
}

/// Number of parameters that may be given by position.
int32_t NumPositional(const TainFunctionInfo* info) noexcept {
  int32_t count = 0;
  while (count < info->num_args && (info->args[count].flags & kTainArgKwOnly) == 0 &&
         !IsRest(info->args[count])) {
    ++count;
  }
  return count;
}

/// Whether more positional arguments may follow; such a parameter is the last one.
bool TakesRest(const TainFunctionInfo* info) noexcept {
  const int32_t last = info->num_args - (TakesKeywords(info) ? 2 : 1);
  return last >= 0 && (info->args[last].flags & kTainArgVarPositional) != 0;
}

bool BindPositional(const Binding& binding, PyObject* const* args, Py_ssize_t num_args) {
  const Py_ssize_t allowed = NumPositional(binding.info) + binding.receiver;
  if (num_args > allowed && !TakesRest(binding.info)) {
    const Py_ssize_t shown = allowed - binding.receiver;
    PyErr_Format(PyExc_TypeError, "%s takes %zd positional argument%s but %zd were given",
                 NameOf(binding.info).c_str(), shown, shown == 1 ? "" : "s",
                 num_args - binding.receiver);
    return false;
  }
  for (Py_ssize_t i = binding.receiver; i < num_args && i < allowed; ++i) {
    binding.given[i - binding.receiver] = args[i];
  }
  return true;
}

bool SetMissingError(const Binding& binding) {
  std::string names;
  int count = 0;
  for (int32_t i = 0; i < binding.info->num_args; ++i) {
    const TainArgInfo& arg = binding.info->args[i];
    if (binding.given[i] != nullptr || (arg.flags & kTainArgHasDefault) != 0 || IsRest(arg)) {
      continue;
    }
    names += (count++ == 0 ? "'" : ", '") + std::string(View(arg.name)) + "'";
  }
  PyErr_Format(PyExc_TypeError, "%s missing argument%s %s", NameOf(binding.info).c_str(),
               count == 1 ? "" : "s", names.c_str());
  return false;
}

/// Hands one default to the sink.
bool FeedDefault(const TainArgInfo& arg, const ArgSink& sink) {
  if ((arg.flags & kTainArgFactory) == 0) {
    sink.add_view(sink.frame, DefaultOf(arg));
    return true;
  }
  TainAny made{};
  if (CallWithValues(arg.default_value.v_obj, nullptr, 0, &made) != 0) return false;
  sink.add_owned(sink.frame, made);
  return true;
}

bool Feed(const Binding& binding, PyObject* receiver, const ArgSink& sink) {
  if (receiver != nullptr && !sink.add(sink.frame, receiver)) return false;
  // Trailing parameters that nobody gave are left to the callee, which knows its defaults.
  int32_t used = binding.info->num_args;
  while (used > 0 && binding.given[used - 1] == nullptr) --used;
  for (int32_t i = 0; i < used; ++i) {
    const TainArgInfo& arg = binding.info->args[i];
    if (binding.given[i] != nullptr) {
      if (!sink.add(sink.frame, binding.given[i])) return false;
    } else if (!FeedDefault(arg, sink)) {
      return false;
    }
  }
  return true;
}

/// Hands the keywords that are left over to the sink: the marker and a Map.
bool FeedKeywords(const Keywords& keywords, const ArgSink& sink) {
  if (keywords.empty()) return true;
  std::vector<std::pair<String, Any>> entries;
  for (const auto& [name, value] : keywords) {
    TainAny key{}, owned{};
    if (!OwnedFromPython(name, &key)) return false;
    const Any key_owner = Any::Steal(key);
    if (!OwnedFromPython(value, &owned)) return false;
    entries.emplace_back(key_owner.cast<String>(), Any::Steal(owned));
  }
  sink.add_view(sink.frame, internal::KeywordsMarker());
  sink.add_owned(sink.frame, Any(Map<String, Any>(entries.begin(), entries.end())).Release());
  return true;
}

bool Bind(const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t num_args,
          PyObject* kwnames, PyObject** given, const ArgSink& sink) {
  const Py_ssize_t num_keywords = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  if (num_keywords > 0 && !TakesKeywords(info) &&
      (info == nullptr || info->num_args == 0 || (info->args[0].flags & kTainArgNamed) == 0)) {
    if (info != nullptr && info->num_args == 0 && (info->flags & kTainCallPacked) == 0) {
      PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument '%U'",
                   NameOf(info).c_str(), PyTuple_GET_ITEM(kwnames, 0));
    } else {
      SetUnnamedError(info);
    }
    return false;
  }
  if (info == nullptr) {
    for (Py_ssize_t i = 0; i < num_args; ++i) {
      if (!sink.add(sink.frame, args[i])) return false;
    }
    return true;
  }
  const Py_ssize_t receiver = (info->flags & kTainCallMethod) != 0 ? 1 : 0;
  if (num_args < receiver) {
    PyErr_Format(PyExc_TypeError, "%s needs an object as its first argument", NameOf(info).c_str());
    return false;
  }
  Binding binding{info, receiver, given, {}};
  if (!BindPositional(binding, args, num_args)) return false;
  for (Py_ssize_t i = 0; i < num_keywords; ++i) {
    if (!BindKeyword(binding, PyTuple_GET_ITEM(kwnames, i), args[num_args + i])) return false;
  }
  for (int32_t i = 0; i < info->num_args; ++i) {
    if (given[i] == nullptr && (info->args[i].flags & kTainArgHasDefault) == 0 &&
        !IsRest(info->args[i])) {
      return SetMissingError(binding);
    }
  }
  if (!Feed(binding, receiver != 0 ? args[0] : nullptr, sink)) return false;
  for (Py_ssize_t i = NumPositional(info) + receiver; i < num_args; ++i) {
    if (!sink.add(sink.frame, args[i])) return false;  // what a rest parameter takes
  }
  return FeedKeywords(binding.rest, sink);
}

/// False if the call needs Bind.
bool MakeOrder(const TainFunctionInfo* info, PyObject* names, Py_ssize_t num_args,
               KeywordOrder* out) noexcept {
  if (info == nullptr || (info->flags & kTainCallPacked) != 0) return false;
  const Py_ssize_t receiver = (info->flags & kTainCallMethod) != 0 ? 1 : 0;
  const Py_ssize_t num_parameters = info->num_args + receiver;
  if (num_parameters > KeywordOrder::kMost || num_args < receiver ||
      num_args > NumPositional(info) + receiver) {
    return false;
  }
  std::fill_n(out->source, KeywordOrder::kMost, KeywordOrder::kDefault);
  out->count = static_cast<int32_t>(num_args);
  for (Py_ssize_t i = 0; i < num_args; ++i) out->source[i] = static_cast<uint8_t>(i);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    const Py_ssize_t index = PyUnicode_CheckExact(name) ? FindParameter(info, name) : -1;
    if (index < 0 || out->source[index + receiver] != KeywordOrder::kDefault) return false;
    out->source[index + receiver] = static_cast<uint8_t>(num_args + i);
    out->count = std::max(out->count, static_cast<int32_t>(index + receiver + 1));
  }
  for (Py_ssize_t i = receiver; i < num_parameters; ++i) {
    const int64_t flags = info->args[i - receiver].flags;
    if (IsRest(info->args[i - receiver])) return false;
    if (out->source[i] != KeywordOrder::kDefault) continue;
    const bool left_out = i < out->count && (flags & kTainArgFactory) != 0;
    if ((flags & kTainArgHasDefault) == 0 || left_out) return false;
  }
  out->info = info;
  out->names = Own::Share(names);
  out->num_args = num_args;
  return true;
}

}  // namespace

const KeywordOrder* FindKeywordOrder(const TainFunctionInfo* info, PyObject* names,
                                     Py_ssize_t num_args) noexcept {
  static auto& known = *new std::array<KeywordOrder, 128>();  // guarded by the GIL, never freed
  const uintptr_t hash =
      (reinterpret_cast<uintptr_t>(info) >> 4) ^ (reinterpret_cast<uintptr_t>(names) >> 4);
  KeywordOrder& order = known[hash & 127];
  if (TAIN_LIKELY(order.info == info && order.names.get() == names && order.num_args == num_args)) {
    return &order;
  }
  KeywordOrder made;
  if (!MakeOrder(info, names, num_args, &made)) return nullptr;
  std::swap(order, made);  // dropping a tuple of str runs no code
  return &order;
}

Py_ssize_t BoundSize(const TainFunctionInfo* info, Py_ssize_t num_args) noexcept {
  return info == nullptr ? num_args : info->num_args + 3 + (TakesRest(info) ? num_args : 0);
}

bool PassArguments(PyObject* const* args, Py_ssize_t num_args, PyObject* kwnames,
                   const ArgSink& sink) noexcept {
  return Guarded(false, [&] {
    for (Py_ssize_t i = 0; i < num_args; ++i) {
      if (!sink.add(sink.frame, args[i])) return false;
    }
    Keywords keywords;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i) {
      keywords.emplace_back(PyTuple_GET_ITEM(kwnames, i), args[num_args + i]);
    }
    return FeedKeywords(keywords, sink);
  });
}

bool BindArguments(const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, const ArgSink& sink) noexcept {
  try {
    PyObject* inline_given[kInlineSlots] = {};
    std::vector<PyObject*> many;
    PyObject** given = inline_given;
    if (info != nullptr && info->num_args > kInlineSlots) {
      many.resize(static_cast<size_t>(info->num_args));
      given = many.data();
    }
    return Bind(info, args, num_args, kwnames, given, sink);
  } catch (...) {
    SetFromException();
    return false;
  }
}

}  // namespace tain::bindings
