// SPDX-License-Identifier: Apache-2.0
// Calls whose arguments are not one for each parameter: keywords, keyword-only parameters, missing
// arguments in between. libtain computes the order (internal/argument_order.h); the code here
// converts the arguments in that order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "calls/state.h"
#include "tain/internal/argument_order.h"
#include "values/from_python.h"

namespace tain::bindings {

constexpr int kInlineArgs = 16;

/// The names of a call's keywords as UTF-8 text.
class KeywordNames : internal::NotCopied {
 public:
  /// `names` is a tuple of str, or null. Throws nb::python_error.
  explicit KeywordNames(PyObject* names);

  const std::string_view* data() const noexcept { return views_.data(); }
  int32_t size() const noexcept { return static_cast<int32_t>(views_.size()); }

 private:
  std::vector<std::string_view> views_;
  std::vector<std::string> with_surrogates_;  ///< names that are not valid UTF-8
};

/// Whether a call must be bound even without keywords: keyword-only parameters, overloads, and
/// parameters for objects, which the quick conversions would take apart.
inline bool MustBind(const TainFunctionInfo* info) noexcept {
  if (info == nullptr) return false;
  if ((info->flags & (kTainCallOverloaded | kTainCallTakesObject)) != 0) return true;
  return info->num_args > 0 && (info->args[info->num_args - 1].flags & kTainArgKwOnly) != 0;
}

/// Returns the declared type of the parameter that takes the argument at a place; empty for a
/// receiver.
std::string_view TypeOfArgument(const TainFunctionInfo* info, Py_ssize_t place) noexcept;

/// The arguments of one call, converted, in the order of the callee's parameters.
class BoundArguments {
 public:
  /// Binds the arguments. Throws Error if they do not fit the parameters of the function. One without
  /// info (null) checks them itself.
  BoundArguments(const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t num_args,
                 PyObject* kwnames);

  /// Converts the arguments. Returns false with a Python error set.
  bool Convert();
  const TainAny* values() noexcept { return frame_.values(); }
  int32_t size() noexcept { return frame_.size(); }

 private:
  bool ConvertFixed();
  bool AddDefault(const TainArgInfo& parameter);
  bool AddKeywords(const std::vector<int32_t>& which);

  const TainFunctionInfo* info_;
  PyObject* const* args_;
  Py_ssize_t num_args_;
  PyObject* kwnames_;
  KeywordNames names_;
  internal::ArgumentOrder order_;
  ArgFrame<kInlineArgs> frame_;
};

/// Whether a call by position leaves parameters to their defaults.
inline bool LacksArguments(const TainFunctionInfo* info, Py_ssize_t num_args) noexcept {
  if (info == nullptr) return false;
  const Py_ssize_t receiver = (info->flags & kTainCallMethod) != 0 ? 1 : 0;
  return num_args < info->num_args + receiver;
}

/// Returns the order of a call with keywords, or one that leaves parameters to their defaults;
/// `names` may be null. The result is valid until the next call of this function. Returns null,
/// without an error, if the arguments do not fit or the call needs more than arguments and constant
/// defaults in order.
const KeywordOrder* FindKeywordOrder(const TainFunctionInfo* info, PyObject* names,
                                     Py_ssize_t num_args) noexcept;

/// Whether a call can pass the default of a parameter as it is.
inline bool IsConstantDefault(const TainArgInfo& parameter) noexcept {
  return (parameter.flags & (kTainArgHasDefault | kTainArgFactory)) == kTainArgHasDefault;
}

/// Returns the default of a parameter without factory.
inline TainAny DefaultOf(const TainArgInfo& arg) noexcept {
  if (TAIN_LIKELY((arg.flags & kTainArgUnchanged) == 0)) return arg.default_value;
  TainAny leave{};  // the field keeps what the default constructor gave it
  leave.type_index = kTainUnchanged;
  return leave;
}

}  // namespace tain::bindings
