// SPDX-License-Identifier: Apache-2.0
// Calls of overloaded functions; see overload_call.h.
#include "calls/overload_call.h"

#include "base/error.h"
#include "calls/call_values.h"
#include "tain/internal/overload.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

/// The context of the search: how to call a candidate.
struct Caller {
  HowToCall how;
  TainAny* result;

  static int Call(void* self, const TainOverload& candidate, const TainAny* args,
                  int32_t num_args) {
    const auto* caller = static_cast<Caller*>(self);
    TainAny* result = caller->result;
    const int code = caller->how.releases
                         ? CallUnlocked(candidate.function, nullptr, args, num_args, result)
                         : CallValues(candidate.function, candidate.info, args, num_args, result);
    if (code != 0 || caller->how.adopt == Adopt::kNo) return code;
    return AdoptResult(candidate.info, args, num_args, result) ? 0 : SetCoreFromPython();
  }
};

}  // namespace

Outcome TryOverloads(const TainFunctionInfo** info, PyObject* const* args, Py_ssize_t num_args,
                     PyObject* kwnames, HowToCall how, TainAny* result, bool must_take) noexcept {
  return Guarded(Outcome::kFailed, [&] {
    const KeywordNames names(kwnames);
    ArgFrame<kInlineArgs> values(num_args + names.size());
    if (!values.ok()) return Outcome::kFailed;
    for (Py_ssize_t i = 0; i < num_args + names.size(); ++i) {
      if (!values.Add(args[i], "Any")) return Outcome::kFailed;
    }
    const internal::GivenArguments given{values.values(), static_cast<int32_t>(num_args),
                                         names.data(), names.size()};
    const ArgumentStream stream(values.values(), values.size());
    if (!stream.ok()) return Outcome::kFailed;
    internal::OverloadSearch search(*info, given);
    Caller caller{how, result};
    if (const TainOverload* taken = search.Call(&Caller::Call, &caller)) {
      *info = taken->info;
      return Outcome::kDone;
    }
    if (must_take) search.ThrowRefused();
    return Outcome::kRefused;
  });
}

int CallOverloaded(const TainFunctionInfo** info, PyObject* const* args, Py_ssize_t num_args,
                   PyObject* kwnames, HowToCall how, TainAny* result) noexcept {
  const Outcome outcome = TryOverloads(info, args, num_args, kwnames, how, result, true);
  return outcome == Outcome::kDone ? 0 : -1;
}

}  // namespace tain::bindings
