// SPDX-License-Identifier: Apache-2.0
// Arguments that do not fit: completing a call with defaults, and the words of its errors.
#include <string>

#include "got.h"
#include "tain/function.h"

namespace tain::internal {
namespace {

std::string TextFrom(const TainByteArray& bytes) { return {bytes.data, bytes.size}; }

bool HasReceiver(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallMethod) != 0;
}

/// Whether an argument is an object that has been moved away.
bool IsEmpty(const TainAny& value) noexcept {
  if (value.type_index == kTainRValueRef) {
    return *static_cast<TainObject* const*>(value.v_ptr) == nullptr;
  }
  return value.type_index >= kTainStaticObjectBegin && value.v_obj == nullptr;
}

/// `geometry.centroid: argument points`, or as much of it as is known.
std::string PlaceOf(const TainFunctionInfo* info, int32_t index) {
  std::string where = info == nullptr ? std::string() : TextFrom(info->name);
  const int32_t position = index - (HasReceiver(info) ? 1 : 0);
  const bool known = info != nullptr && position < info->num_args;
  const std::string name = known ? TextFrom(info->args[position].name) : std::to_string(position);
  if (name.empty()) return where;  // the value of a property
  where += where.empty() ? "argument " : ": argument ";
  return where + name;
}

std::string Counted(int32_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// The parameter that stands at `index` (counted with the receiver); null for the receiver and for
/// functions without info.
const TainArgInfo* ParamAt(const TainFunctionInfo* info, int32_t index) noexcept {
  const int32_t position = index - (HasReceiver(info) ? 1 : 0);
  if (info == nullptr || position < 0 || position >= info->num_args) return nullptr;
  return &info->args[position];
}

bool HasDefault(const TainArgInfo* param) noexcept {
  return param != nullptr && (param->flags & kTainArgHasDefault) != 0;
}

std::string Called(const TainFunctionInfo* info) {
  return info == nullptr ? std::string("the function") : TextFrom(info->name) + "()";
}

[[noreturn]] void ThrowCount(const TainFunctionInfo* info, int32_t num_args, int32_t num_params) {
  const int32_t hidden = HasReceiver(info) ? 1 : 0;
  int32_t required = 0;
  for (int32_t i = 0; i < num_params; ++i) required += HasDefault(ParamAt(info, i)) ? 0 : 1;
  const int32_t most = num_params - hidden;
  const int32_t least = required - hidden;
  const int32_t given = num_args < hidden ? 0 : num_args - hidden;
  std::string takes = Counted(most, "argument");
  if (least != most) takes = std::to_string(least) + " to " + takes;
  TAIN_THROW(TypeError) << Called(info) << " takes " << takes << " but " << given
                        << (given == 1 ? " was given" : " were given");
}

/// Throws about the parameters from `first` on that have neither argument nor default.
[[noreturn]] void ThrowMissing(const TainFunctionInfo* info, int32_t first, int32_t num_params) {
  if (HasReceiver(info) && first == 0) {
    TAIN_THROW(TypeError) << Called(info) << " missing the object that it is a method of";
  }
  std::string names;
  int32_t count = 0;
  for (int32_t i = first; i < num_params; ++i) {
    const TainArgInfo* param = ParamAt(info, i);
    if (HasDefault(param)) continue;
    if (param == nullptr || (param->flags & kTainArgNamed) == 0) {
      ThrowCount(info, first, num_params);  // without names the number says most
    }
    names += (count++ == 0 ? "'" : ", '") + TextFrom(param->name) + "'";
  }
  TAIN_THROW(TypeError) << Called(info) << " missing argument" << (count == 1 ? " " : "s ")
                        << names;
}

/// Fills in the default of a parameter.
void FillDefault(const TainArgInfo& param, TainAny* out, Any* made) {
  if ((param.flags & kTainArgUnchanged) != 0) {
    out->type_index = kTainUnchanged;
    return;
  }
  if ((param.flags & kTainArgFactory) == 0) {
    *out = param.default_value;
    return;
  }
  TainAny value{};
  if (TainFunctionCall(param.default_value.v_obj, nullptr, 0, &value) != 0) {
    throw Error::MoveFromRaised();
  }
  *made = Any::Steal(value);
  *out = value;
}

}  // namespace

void ThrowArgument(const TainFunctionInfo* info, int32_t index, const std::string& expected,
                   const std::string& place, const TainAny& got) {
  const bool is_receiver = HasReceiver(info) && index == 0;
  std::string where = is_receiver ? TextFrom(info->name) : PlaceOf(info, index);
  if (!is_receiver && !place.empty()) where += (place.front() == '[' ? "" : " ") + place;
  if (!is_receiver && !IsEmpty(got)) ThrowMismatch(where, expected, got);
  std::string found =
      IsEmpty(got) ? std::string("an empty object (it was moved)") : GotTypeName(got);
  const size_t own_words = expected.find(", got ");
  if (own_words != std::string::npos) found = expected.substr(own_words + 6);
  TAIN_THROW(TypeError) << where << ": expected " << expected.substr(0, own_words)
                        << (is_receiver ? " as self" : "") << ", got " << found;
}

void CompleteArguments(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                       int32_t num_params, TainAny* out, Any* made) {
  if (num_args > num_params) ThrowCount(info, num_args, num_params);
  for (int32_t i = num_args; i < num_params; ++i) {
    if (!HasDefault(ParamAt(info, i))) ThrowMissing(info, num_args, num_params);
  }
  for (int32_t i = 0; i < num_args; ++i) out[i] = args[i];
  for (int32_t i = num_args; i < num_params; ++i) FillDefault(*ParamAt(info, i), &out[i], &made[i]);
}

}  // namespace tain::internal
