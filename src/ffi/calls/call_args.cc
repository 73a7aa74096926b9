// SPDX-License-Identifier: Apache-2.0
// Arguments that do not fit: completes a call with defaults and makes the texts of its errors.
#include <string>

#include "base/refusal.h"
#include "calls/bound_values.h"
#include "tain/function.h"
#include "tain/internal/container_api.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

std::string TextFrom(const TainByteArray& bytes) { return {bytes.data, bytes.size}; }

/// Whether an argument is a null object, for example an rvalue reference to an object already
/// moved.
bool IsEmpty(const TainAny& value) noexcept {
  if (value.type_index == kTainRValueRef) {
    return *static_cast<TainObject* const*>(value.v_ptr) == nullptr;
  }
  return value.type_index >= kTainStaticObjectBegin && value.v_obj == nullptr;
}

/// Returns `geometry.centroid: argument points`, or the known part of it.
std::string PlaceOf(const TainFunctionInfo* info, int32_t index) {
  std::string where = info == nullptr ? std::string() : TextFrom(info->name);
  const int32_t position = index - (HasReceiver(info) ? 1 : 0);
  const bool known = info != nullptr && position < info->num_args;
  const std::string name = known ? TextFrom(info->args[position].name) : std::to_string(position);
  if (name.empty()) return where;  // the value of a property
  where += where.empty() ? "argument " : ": argument ";
  return where + name;
}

/// Returns the parameter at `index`, counted with the receiver; null for the receiver and for
/// functions without info.
const TainArgInfo* ParamAt(const TainFunctionInfo* info, int32_t index) noexcept {
  const int32_t position = index - (HasReceiver(info) ? 1 : 0);
  if (info == nullptr || position < 0 || position >= info->num_args) return nullptr;
  return &info->args[position];
}

bool HasDefault(const TainArgInfo* param) noexcept {
  return param != nullptr && (param->flags & kTainArgHasDefault) != 0;
}

const char* const kEmptyObject = "an empty object (it was moved)";

/// Throws because a function without info got too few or too many values.
[[noreturn]] void ThrowUnknown(const TainAny* args, int32_t num_args, int32_t num_params) {
  const std::string problem = HasKeywords(args, num_args)
                                  ? "takes no keyword arguments"
                                  : CountProblem(num_params, num_params, num_args, "argument");
  ThrowError("TypeError", "this function " + problem, Refusal::OfCall(nullptr, args, 0));
}

}  // namespace

Any CallWithKeywords(TainObject* function, Args args, const Kwargs& kwargs, bool for_object) {
  const TainFunctionInfo* info = TainFunctionGetInfo(function);
  const Map<String, Any> keywords = kwargs.map();
  BoundValues bound;
  if (info == nullptr || (info->flags & kTainCallOverloaded) != 0) {
    // A function without info may take any keywords; an overloaded function binds them itself.
    bound.AddPositional(args.data(), args.size());
    bound.AddKeywords(keywords);
  } else {
    const KeywordArguments given(args.data(), args.size(), keywords);
    ArgumentOrder order;
    if (!order.Bind(info, given.view())) order.Throw(nullptr);
    bound.Fill(order, given.view());
  }
  const auto* values = reinterpret_cast<const AnyView*>(bound.data());  // it has its layout
  return for_object ? CallFunction<true>(function, values, bound.size())
                    : CallFunction<false>(function, values, bound.size());
}

void ThrowArgument(const TainFunctionInfo* info, int32_t index, Explain explain,
                   const TainAny& got) {
  const bool is_receiver = HasReceiver(info) && index == 0;
  const bool is_empty = IsEmpty(got);
  const Mismatch mismatch = explain(&got);
  Refusal refusal;
  refusal.kind = Refusal::Kind::kArgument;
  refusal.argument = index;
  refusal.info = info;
  refusal.args = &got - index;
  refusal.reason = info == nullptr ? 0 : info->name.size + 2;
  if (is_receiver) {
    const std::string found = !mismatch.got().empty() ? mismatch.got()
                              : is_empty              ? kEmptyObject
                                                      : GotTypeName(got);
    const Mismatch wanted(mismatch.expected() + " as self");
    ThrowRefused(TextFrom(info->name), wanted, found, refusal);
  }
  const std::string found = is_empty ? kEmptyObject : GotText(mismatch, got);
  ThrowRefused(PlaceInside(PlaceOf(info, index), mismatch.place()), mismatch, found, refusal);
}

void RethrowArgument(const TainFunctionInfo* info, int32_t index) {
  RethrowInside(PlaceOf(info, index));
}

bool IsLenient(const TainFunctionInfo* info, int32_t index) noexcept {
  if (info == nullptr) return false;
  if ((info->flags & kTainCallLenient) != 0) return true;
  const TainArgInfo* param = ParamAt(info, index);
  return param != nullptr && (param->flags & kTainArgLenient) != 0;
}

bool RefusesNone(const TainFunctionInfo* info, int32_t index) noexcept {
  const TainArgInfo* param = info == nullptr ? nullptr : ParamAt(info, index);
  return param != nullptr && (param->flags & kTainArgNotNone) != 0;
}

std::string WithoutNone(std::string type) {
  constexpr std::string_view kOrNone = " | None";
  if (type.ends_with(kOrNone)) type.resize(type.size() - kOrNone.size());
  return type;
}

void CompleteArguments(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                       int32_t num_params, TainAny* out, Any* made) {
  int32_t missing = num_args;
  while (missing < num_params && HasDefault(ParamAt(info, missing))) ++missing;
  if (num_args > num_params || missing < num_params) {
    if (info == nullptr) ThrowUnknown(args, num_args, num_params);
    ArgumentOrder order;
    order.Bind(info, {args, num_args, nullptr, 0});
    order.Throw(args);
  }
  for (int32_t i = 0; i < num_args; ++i) out[i] = args[i];
  for (int32_t i = num_args; i < num_params; ++i) {
    FillDefault(*ParamAt(info, i), out + i, made == nullptr ? nullptr : made + i);
  }
}

}  // namespace tain::internal
