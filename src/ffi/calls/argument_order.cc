// SPDX-License-Identifier: Apache-2.0
// Decides which argument goes to which parameter; see internal/argument_order.h.
#include "tain/internal/argument_order.h"

#include <algorithm>

#include "base/guard.h"
#include "base/refusal.h"
#include "calls/bound_values.h"
#include "tain/internal/near_matches.h"

namespace tain::internal {
namespace {

/// Whether a parameter takes all remaining arguments, so that no single argument belongs to it.
bool TakesRest(const TainArgInfo& arg) noexcept {
  return (arg.flags & (kTainArgVarPositional | kTainArgVarKeyword)) != 0;
}
bool IsNamed(const TainArgInfo& arg) noexcept { return (arg.flags & kTainArgNamed) != 0; }
bool IsKeywordOnly(const TainArgInfo& arg) noexcept { return (arg.flags & kTainArgKwOnly) != 0; }
/// Whether the info has the default of a parameter.
bool HasDefault(const TainArgInfo& arg) noexcept { return (arg.flags & kTainArgHasDefault) != 0; }
/// Whether the callee can be called without this parameter and all later ones.
bool MayBeLeftOut(const TainArgInfo& arg) noexcept {
  return (arg.flags & (kTainArgHasDefault | kTainArgOptional)) != 0;
}

bool HasParameterWith(const TainFunctionInfo& info, int32_t flag) noexcept {
  return std::any_of(info.args, info.args + info.num_args,
                     [&](const TainArgInfo& arg) { return (arg.flags & flag) != 0; });
}

/// Returns the number of parameters before the first one that takes the rest.
int32_t CountFixed(const TainFunctionInfo& info) noexcept {
  int32_t count = 0;
  while (count < info.num_args && !TakesRest(info.args[count])) ++count;
  return count;
}
/// Returns the number of parameters that may be given by position.
int32_t CountPositional(const TainFunctionInfo& info) noexcept {
  int32_t count = 0;
  const int32_t fixed = CountFixed(info);
  while (count < fixed && !IsKeywordOnly(info.args[count])) ++count;
  return count;
}

bool IsPacked(const TainFunctionInfo& info) noexcept { return (info.flags & kTainCallPacked) != 0; }

/// Returns the place of the parameter of that name; -1 if there is none.
int32_t FindNamed(const TainFunctionInfo& info, std::string_view name) noexcept {
  int32_t at = CountFixed(info);
  while (--at >= 0 && !(IsNamed(info.args[at]) && View(info.args[at].name) == name)) {
  }
  return at;
}
/// The same for a name as a caller writes it: `from_` is the parameter `from` if there is no other.
int32_t FindSpelled(const TainFunctionInfo& info, std::string_view name) noexcept {
  const int32_t at = FindNamed(info, name);
  if (at >= 0 || name.empty() || name.back() != '_') return at;
  name.remove_suffix(1);
  return IsPythonKeyword(name) ? FindNamed(info, name) : -1;
}

std::string Quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

bool IsPythonKeyword(std::string_view name) noexcept {
  static constexpr std::string_view kKeywords[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return std::ranges::binary_search(kKeywords, name);
}

bool ArgumentOrder::Refuse(Kind kind, std::string_view name) {
  problem_ = kind;
  name_ = name;
  return false;
}

bool ArgumentOrder::Bind(const TainFunctionInfo* info, const GivenArguments& given) {
  info_ = info;
  receiver_ = (info->flags & kTainCallMethod) != 0 ? 1 : 0;
  num_positional_ = given.num_positional;
  num_known_ = first_rest_ = 0;
  rest_keywords_.clear();
  problem_ = Kind::kNone;
  source_.clear();
  if (num_positional_ < receiver_) return Refuse(Kind::kNoReceiver);
  if (IsPacked(*info)) return given.num_names == 0 || Refuse(Kind::kNoKeywords);
  const int32_t num_fixed = CountFixed(*info) + receiver_;
  source_.resize(static_cast<size_t>(num_fixed), kDefault);
  if (!BindPositional() || !BindKeywords(given.names, given.num_names) || !FindMissing()) {
    return false;
  }
  // The arguments of a rest parameter follow all others, so no default before them may be omitted.
  while (!has_rest() && !source_.empty() && source_.back() == kDefault) source_.pop_back();
  num_known_ = size();
  while (num_known_ < num_fixed && HasDefault(*Parameter(num_known_))) ++num_known_;
  return FindGap();
}

bool ArgumentOrder::BindPositional() {
  const int32_t most = CountPositional(*info_) + receiver_;
  first_rest_ = std::min(most, num_positional_);
  if (num_positional_ > most && !HasParameterWith(*info_, kTainArgVarPositional)) {
    return Refuse(Kind::kTooMany);
  }
  for (int32_t i = 0; i < first_rest_; ++i) source_[static_cast<size_t>(i)] = i;
  return true;
}

bool ArgumentOrder::BindKeywords(const std::string_view* names, int32_t num_names) {
  const bool takes_others = HasParameterWith(*info_, kTainArgVarKeyword);
  if (num_names > 0 && !takes_others && CountFixed(*info_) > 0 && !IsNamed(info_->args[0])) {
    return Refuse(Kind::kUnnamed);
  }
  for (int32_t k = 0; k < num_names; ++k) {
    const int32_t at = FindSpelled(*info_, names[k]);
    if (at < 0 && !takes_others) return Refuse(Kind::kUnexpected, names[k]);
    if (at < 0) {
      rest_keywords_.push_back(k);
      continue;
    }
    int32_t& source = source_[static_cast<size_t>(at + receiver_)];
    if (source != kDefault) return Refuse(Kind::kMultiple, names[k]);
    source = num_positional_ + k;
  }
  return true;
}

bool ArgumentOrder::FindMissing() {
  for (int32_t i = receiver_; i < size(); ++i) {
    if ((*this)[i] == kDefault && !MayBeLeftOut(*Parameter(i))) return Refuse(Kind::kMissing);
  }
  return true;
}

bool ArgumentOrder::FindGap() {
  for (int32_t i = receiver_; i < size(); ++i) {
    if ((*this)[i] != kDefault || HasDefault(*Parameter(i))) continue;
    int32_t next = i + 1;
    while (next < size() && (*this)[next] == kDefault) ++next;
    gap_ = Parameter(i);
    return Refuse(Kind::kGap, next < size() ? View(Parameter(next)->name) : "*");
  }
  return true;
}

const TainArgInfo* ArgumentOrder::Parameter(int32_t i) const noexcept {
  return i < receiver_ ? nullptr : &info_->args[i - receiver_];
}

std::string ArgumentOrder::CountText() const {
  const int32_t most = CountPositional(*info_);
  const int32_t given = num_positional_ - receiver_;
  const auto least = static_cast<int32_t>(std::count_if(
      info_->args, info_->args + most, [](const auto& a) { return !MayBeLeftOut(a); }));
  const bool others = CountFixed(*info_) > most;
  return CountProblem(least, most, given, others ? "positional argument" : "argument");
}

std::string ArgumentOrder::MissingText() const {
  std::string names;
  int32_t count = 0;
  for (int32_t i = receiver_; i < size(); ++i) {
    const TainArgInfo& parameter = *Parameter(i);
    if ((*this)[i] != kDefault || MayBeLeftOut(parameter)) continue;
    if (!IsNamed(parameter)) return CountText();  // without names, the number is the best text
    names += (count++ == 0 ? "" : ", ") + Quoted(View(parameter.name));
  }
  return (count == 1 ? "missing argument " : "missing arguments ") + names;
}

std::string ArgumentOrder::UnexpectedText() const {
  std::vector<std::string> known;
  for (int32_t i = 0; i < CountFixed(*info_); ++i) {
    if (IsNamed(info_->args[i])) known.emplace_back(View(info_->args[i].name));
  }
  const std::string near = NearMatches(name_, known);
  return "got an unexpected keyword argument " + Quoted(name_) + (near.empty() ? "" : ".") + near;
}

std::string ArgumentOrder::Problem() const {
  switch (problem_) {
    case Kind::kNone:
    case Kind::kTooMany: return CountText();
    case Kind::kNoReceiver: return "needs an object as its first argument";
    case Kind::kNoKeywords: return "takes no keyword arguments";
    case Kind::kUnnamed:
      return "takes no keyword arguments: its parameters have no names; the C++ author gives them "
             "with tain::arg(\"name\")";
    case Kind::kUnexpected: return UnexpectedText();
    case Kind::kMultiple: return "got multiple values for argument " + Quoted(name_);
    case Kind::kMissing: return MissingText();
    case Kind::kGap:
      return "missing argument " + Quoted(View(gap_->name)) + ": it has no default if " +
             Quoted(name_) + " is given";
  }
  return CountText();
}

void ArgumentOrder::Throw(const TainAny* args) const {
  const std::string called = std::string(View(info_->name)) + "() ";
  ThrowError("TypeError", called + Problem(), Refusal::OfCall(info_, args, called.size()));
}

std::string CountProblem(int32_t least, int32_t most, int32_t given, const char* what) {
  std::string text = "takes ";
  if (least != most) text += std::to_string(least) + " to ";
  text += std::to_string(most) + " " + what + (least == 1 && most == 1 ? " but " : "s but ");
  return text + std::to_string(given) + (given == 1 ? " was given" : " were given");
}

}  // namespace tain::internal
