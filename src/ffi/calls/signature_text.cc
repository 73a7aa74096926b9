// SPDX-License-Identifier: Apache-2.0
// The signature of a function as text; see signature_text.h.
#include "tain/internal/signature_text.h"

#include <algorithm>

#include "base/guard.h"
#include "tain/convert.h"
#include "tain/internal/argument_order.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

ParamKind KindOf(const TainArgInfo& arg, bool after_keyword_only, bool before_unnamed) {
  if ((arg.flags & kTainArgVarKeyword) != 0) return ParamKind::kVarKeyword;
  if ((arg.flags & kTainArgVarPositional) != 0) return ParamKind::kVarPositional;
  if (after_keyword_only) return ParamKind::kKeywordOnly;
  return before_unnamed ? ParamKind::kPositionalOnly : ParamKind::kOrdinary;
}

/// The number of leading parameters that are positional-only: those without a name, and those
/// before one without a name.
int32_t CountPositionalOnly(const TainFunctionInfo& info) {
  constexpr int32_t kNot =
      kTainArgNamed | kTainArgKwOnly | kTainArgVarPositional | kTainArgVarKeyword;
  int32_t count = 0;
  for (int32_t i = 0; i < info.num_args; ++i) {
    if ((info.args[i].flags & kNot) == 0) count = i + 1;
  }
  return count;
}

void AddDeclared(const TainFunctionInfo& info, std::vector<ShownParam>& params) {
  const int32_t positional_only = CountPositionalOnly(info);
  bool keyword_only = false;
  for (int32_t i = 0; i < info.num_args; ++i) {
    const TainArgInfo& arg = info.args[i];
    keyword_only = keyword_only || (arg.flags & kTainArgKwOnly) != 0;
    std::string name(View(arg.name));
    if (name.empty()) name = "arg" + std::to_string(i);
    if (IsPythonKeyword(name)) name += '_';  // callers may spell it so
    const auto has_name = [&](const ShownParam& param) { return param.name == name; };
    while (std::any_of(params.begin(), params.end(), has_name)) name += '_';
    const ParamKind kind = KindOf(arg, keyword_only, i < positional_only);
    keyword_only = keyword_only || kind == ParamKind::kVarPositional;
    params.push_back({std::move(name), kind, &arg});
  }
}

std::string DefaultText(const TainArgInfo& arg, bool with_values) {
  if (!with_values || (arg.flags & kTainArgOptional) != 0) return "...";
  if ((arg.flags & kTainArgFactory) != 0) return "<factory>";
  return DeclaredText(arg.default_value, View(arg.type));
}

std::string ParamText(const ShownParam& param, bool with_values) {
  std::string text = param.kind == ParamKind::kVarPositional ? "*"
                     : param.kind == ParamKind::kVarKeyword  ? "**"
                                                             : "";
  text += param.name;
  const bool has_type = !param.type().empty();
  if (has_type) text.append(": ").append(param.type());
  if (param.has_default()) text += (has_type ? " = " : "=") + DefaultText(*param.arg, with_values);
  return text;
}

}  // namespace

/// Whether nothing is known of the parameters. A function of another library takes what it gets, but may
/// say what it expects; what it returns is then no `Any`, unless it has parameters.
static bool TakesAnything(const TainFunctionInfo& info) {
  if ((info.flags & kTainCallPacked) == 0) return false;
  if ((info.flags & kTainCallOverloaded) != 0) return true;
  const std::string_view result = View(info.return_type);
  return info.num_args == 0 && (result.empty() || result == "Any");
}

std::vector<ShownParam> ShownParams(const TainFunctionInfo* info, bool with_self) {
  std::vector<ShownParam> params;
  const bool any = info == nullptr || TakesAnything(*info);
  if (with_self) {
    const bool before_positional_only = !any && CountPositionalOnly(*info) > 0;
    params.push_back({"self",
                      before_positional_only ? ParamKind::kPositionalOnly : ParamKind::kOrdinary,
                      nullptr});
  }
  if (any) {
    params.push_back({"args", ParamKind::kVarPositional, nullptr});
    if (info != nullptr && (info->flags & kTainCallOverloaded) != 0) {
      params.push_back({"kwargs", ParamKind::kVarKeyword, nullptr});
    }
  } else {
    AddDeclared(*info, params);
  }
  return params;
}

std::string SignatureText(const TainFunctionInfo* info, std::string_view name, bool with_self,
                          bool with_values) {
  std::string text(name);
  text += '(';
  const std::vector<ShownParam> params = ShownParams(info, with_self);
  ParamKind before = ParamKind::kOrdinary;
  for (size_t i = 0; i < params.size(); ++i) {
    const ParamKind kind = params[i].kind;
    if (i != 0) text += ", ";
    if (before == ParamKind::kPositionalOnly && kind != before) text += "/, ";
    if (kind == ParamKind::kKeywordOnly && before < ParamKind::kVarPositional) text += "*, ";
    text += ParamText(params[i], with_values);
    before = kind;
  }
  text += before == ParamKind::kPositionalOnly ? ", /)" : ")";
  if (info != nullptr && info->return_type.size != 0)
    text.append(" -> ").append(View(info->return_type));
  return text;
}

std::string DeclaredText(const TainAny& value, std::string_view type) {
  if (value.type_index == kTainUnchanged) return "...";
  std::string text;
  if (AppendEnumMember(type, value, &text)) return text;
  TainAny made{};
  if (TainAnyRepr(&value, &made) != 0) {
    ForgetUnlessStop();
    return "...";
  }
  const Any owned = Any::Steal(made);
  std::string_view shown;
  TextOf(&owned.data(), &shown);
  return std::string(shown);
}

}  // namespace tain::internal
