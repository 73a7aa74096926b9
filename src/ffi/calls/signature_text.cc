// SPDX-License-Identifier: Apache-2.0
// The signature of a function as text; see signature_text.h.
#include "calls/signature_text.h"

#include <string_view>

#include "base/guard.h"
#include "tain/internal/dotted_name.h"
#include "tain/reflection/inspect.h"

namespace tain::internal {
namespace {

std::string DefaultText(const TainArgInfo& arg, bool with_values) {
  const bool has_value = (arg.flags & kTainArgHasDefault) != 0 &&
                         (arg.flags & kTainArgFactory) == 0 &&
                         arg.default_value.type_index != kTainUnchanged;
  return with_values && has_value ? Repr(AnyView(arg.default_value)) : "...";
}

std::string Parameters(const TainFunctionInfo& info, bool with_values) {
  if ((info.flags & kTainCallPacked) != 0) return "*args";
  constexpr int32_t kHasDefault = kTainArgHasDefault | kTainArgUnchanged | kTainArgOptional;
  std::string text;
  bool keyword_only = false;
  for (int32_t i = 0; i < info.num_args; ++i) {
    const TainArgInfo& arg = info.args[i];
    const bool rest = (arg.flags & kTainArgVarPositional) != 0;
    const bool keywords = (arg.flags & kTainArgVarKeyword) != 0;
    if (i != 0) text += ", ";
    if ((arg.flags & kTainArgKwOnly) != 0 && !keyword_only) text += "*, ";
    keyword_only = keyword_only || rest || (arg.flags & kTainArgKwOnly) != 0;
    text += rest ? "*" : keywords ? "**" : "";
    text.append(View(arg.name)).append(": ").append(View(arg.type));
    if ((arg.flags & kHasDefault) != 0) text += " = " + DefaultText(arg, with_values);
  }
  return text;
}

}  // namespace

std::string SignatureText(const TainFunctionInfo& info, bool with_values) {
  const std::string_view name = View(info.name);
  return std::string(LastPart(name)) + "(" + Parameters(info, with_values) + ") -> " +
         std::string(View(info.return_type));
}

}  // namespace tain::internal
