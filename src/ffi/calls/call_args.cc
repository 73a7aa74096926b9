// SPDX-License-Identifier: Apache-2.0
// Arguments that do not fit: completing a call with defaults, and the words of its errors.
#include <optional>
#include <string>
#include <vector>

#include "tain/function.h"
#include "tain/internal/overload.h"
#include "values/mismatch.h"

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

/// The arguments of one call in the order of the parameters.
struct BoundCall {
  std::vector<TainAny> values;
  std::vector<Any> made;  ///< what defaults made
};

int32_t NamedParam(const TainFunctionInfo& info, std::string_view name) noexcept {
  for (int32_t i = 0; i < info.num_args; ++i) {
    const bool named = (info.args[i].flags & kTainArgNamed) != 0;
    if (named && std::string_view(info.args[i].name.data, info.args[i].name.size) == name) return i;
  }
  return -1;
}

bool TakesKeywords(const TainFunctionInfo& info) noexcept {
  return info.num_args > 0 && (info.args[info.num_args - 1].flags & kTainArgVarKeyword) != 0;
}

/// Number of parameters that a call fills one by one.
int32_t FixedParams(const TainFunctionInfo& info) noexcept {
  int32_t count = 0;
  constexpr int32_t kRest = kTainArgVarPositional | kTainArgVarKeyword;
  while (count < info.num_args && (info.args[count].flags & kRest) == 0) ++count;
  return count;
}

/// Puts keywords in their places; what no parameter takes is left in `rest`.
void BindKeywords(const TainFunctionInfo& info, const Map<String, Any>& keywords, size_t given,
                  size_t first, std::vector<std::optional<TainAny>>& places,
                  Map<String, Any>& rest) {
  for (const auto& [name, value] : keywords) {
    const int32_t index = NamedParam(info, name);
    if (index < 0) {
      if (!TakesKeywords(info)) {
        TAIN_THROW(TypeError) << Called(&info) << " got an unexpected keyword argument '"
                              << std::string_view(name) << "'";
      }
      rest.Set(name, value);
      continue;
    }
    const size_t at = first + static_cast<size_t>(index);
    if (at < given) {
      TAIN_THROW(TypeError) << Called(&info) << " got multiple values for argument '"
                            << std::string_view(name) << "'";
    }
    places[at] = value.data();
  }
}

Any CallValues(TainObject* function, const TainAny* args, size_t num_args) {
  TainAny result{};
  if (TainFunctionCall(function, args, static_cast<int32_t>(num_args), &result) != 0) {
    throw Error::MoveFromRaised();
  }
  return Any::Steal(result);
}

}  // namespace

Any CallWithKeywords(TainObject* function, Args args, const Kwargs& kwargs) {
  const TainFunctionInfo* info = TainFunctionGetInfo(function);
  if (info != nullptr && (info->flags & kTainCallPacked) != 0) {
    TAIN_THROW(TypeError) << Called(info) << " takes no keyword arguments from C++";
  }
  Map<String, Any> rest;
  const Map<String, Any> keywords = kwargs.map();
  const auto given = static_cast<size_t>(args.size());
  BoundCall call;
  call.values.assign(args.data(), args.data() + args.size());
  if (info == nullptr) {
    rest = keywords;
  } else {
    const size_t first = HasReceiver(info) ? 1 : 0;
    const size_t fixed = first + static_cast<size_t>(FixedParams(*info));
    std::vector<std::optional<TainAny>> places(fixed);
    BindKeywords(*info, keywords, given, first, places, rest);
    size_t used = fixed;
    while (used > given && !places[used - 1]) --used;
    call.made.resize(fixed);
    for (size_t i = given; i < used; ++i) {
      const auto index = static_cast<int32_t>(i);
      TainAny value{};
      if (places[i]) {
        value = *places[i];
      } else if (HasDefault(ParamAt(info, index))) {
        FillDefault(*ParamAt(info, index), &value, &call.made[i]);
      } else {
        ThrowMissing(info, index, index + 1);
      }
      call.values.push_back(value);
    }
  }
  if (!rest.empty()) {
    call.values.push_back(KeywordsMarker());
    call.values.push_back(AnyView(rest).data());
  }
  return CallValues(function, call.values.data(), call.values.size());
}

void ThrowArgument(const TainFunctionInfo* info, int32_t index, const std::string& expected,
                   const std::string& place, const TainAny& got) {
  OverloadAttempt::Refuse(&got - index);  // `got` stands in the array of the arguments
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
  int32_t missing = num_args;
  while (missing < num_params && HasDefault(ParamAt(info, missing))) ++missing;
  if (num_args > num_params || missing < num_params) {
    OverloadAttempt::Refuse(args);
    if (HasKeywords(args, num_args)) {
      TAIN_THROW(TypeError) << Called(info) << " takes no keyword arguments";
    }
    if (num_args > num_params) ThrowCount(info, num_args, num_params);
    ThrowMissing(info, num_args, num_params);
  }
  OverloadAttempt::Complete(args, out);
  for (int32_t i = 0; i < num_args; ++i) out[i] = args[i];
  for (int32_t i = num_args; i < num_params; ++i) FillDefault(*ParamAt(info, i), &out[i], &made[i]);
}

}  // namespace tain::internal
