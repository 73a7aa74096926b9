// SPDX-License-Identifier: Apache-2.0
// Overloaded functions: which candidate takes a call, and why the others do not.
#include "tain/internal/overload.h"

#include <algorithm>
#include <utility>

#include "base/error_object.h"
#include "base/guard.h"
#include "base/refusal.h"
#include "calls/bound_values.h"
#include "registry/member_writer.h"
#include "registry/overloads.h"
#include "registry/registry.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/signature_text.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

std::string ShortSignature(const TainFunctionInfo& info) {
  return SignatureText(&info, LastPart(View(info.name)), false, false);
}

constexpr int32_t kMaxOverloads = OverloadSearch::kMost;
// A score is a rank, and among equals how few classes the objects are below those of the parameters.
constexpr int kStepsOfRank = 1024;
constexpr int16_t kPerfect = kHighestRank * kStepsOfRank;
constexpr int16_t kConverted = RankOfFit(kFitConverted) * kStepsOfRank;
constexpr int16_t kUnknown = -32768;  // of candidates that were not looked at yet,
constexpr int16_t kNever = -32767;    // and of those that cannot take the arguments

/// The call whose arguments could not be read last in this thread; see NoteUnread.
struct UnreadCall {
  const TainFunctionInfo* info = nullptr;
  const TainAny* args = nullptr;
};
thread_local UnreadCall unread_call;

/// Returns the info of an overloaded function: the common parts of all overloads, and their
/// combined result type.
TainFunctionInfo CommonInfo(const std::vector<TainOverload>& overloads, std::string* result) {
  TainFunctionInfo info = *overloads.front().info;
  info.args = nullptr;
  info.num_args = 0;
  info.exact = nullptr;
  info.flags &= kTainCallMethod | kTainCallConstructor;
  std::vector<std::string_view> types;
  for (const TainOverload& overload : overloads) {
    if (info.doc.size == 0) info.doc = overload.info->doc;
    const std::string_view type = View(overload.info->return_type);
    if (std::find(types.begin(), types.end(), type) != types.end()) continue;
    types.push_back(type);
    *result += (result->empty() ? "" : " | ") + std::string(type);
  }
  if (std::find(types.begin(), types.end(), "Any") != types.end()) *result = "Any";
  info.return_type = {result->data(), result->size()};
  info.flags |= kTainCallPacked;
  return info;
}

/// Whether argument i belongs to parameter i for all parameters, and there are no other arguments.
bool AreInOrder(const TainFunctionInfo& info, const GivenArguments& given) noexcept {
  constexpr int32_t kOther = kTainArgKwOnly | kTainArgVarPositional | kTainArgVarKeyword;
  if (given.num_names != 0 || (info.flags & kTainCallPacked) != 0) return false;
  if (given.num_positional != info.num_args + (HasReceiver(&info) ? 1 : 0)) return false;
  return info.num_args == 0 || (info.args[info.num_args - 1].flags & kOther) == 0;
}

/// Finds the overload that takes the arguments and calls it by `call(overload, values, count)`.
template <class F>
void CallOverload(const TainFunctionInfo* info, const GivenArguments& given, F call) {
  OverloadSearch search(info, given);
  const auto each = [](void* context, const TainOverload& overload, const TainAny* values,
                       int32_t count) {
    return (*static_cast<F*>(context))(overload, values, count);
  };
  if (search.Call(each, &call) == nullptr) search.ThrowRefused();
}

/// The function of an overloaded name. It is immutable.
class OverloadFunction : public FunctionObj {
 public:
  explicit OverloadFunction(std::vector<TainOverload> overloads)
      : overloads_(std::move(overloads)) {
    for (const TainOverload& overload : overloads_) IncRef(overload.function);
    body.cell.safe_call = &SafeCall;
  }
  ~OverloadFunction() {
    for (const TainOverload& overload : overloads_) DecRef(overload.function);
  }

 private:
  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    const auto* function =
        static_cast<OverloadFunction*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    return Guard([&] {
      const auto call = [&](const TainOverload& overload, const TainAny* values, int32_t count) {
        // The cell follows the header.
        auto* cell = reinterpret_cast<TainFunctionCell*>(overload.function + 1);
        return cell->safe_call(overload.function, values, count, result);
      };
      if (!HasKeywords(args, num_args)) {
        return CallOverload(function->body.info, {args, num_args, nullptr, 0}, call);
      }
      const auto keywords = AnyView(args[num_args - 1]).cast<Map<String, Any>>();
      const KeywordArguments given(args, num_args - 2, keywords);
      CallOverload(function->body.info, given.view(), call);
    });
  }

  std::vector<TainOverload> overloads_;
};

/// Builds an object in place by the first overloaded constructor that takes the arguments.
int ConstructOverloaded(void* body, const TainFunctionInfo* info, const TainAny* args,
                        int32_t num_args) noexcept {
  return Guard([&] {
    CallOverload(info, {args, num_args, nullptr, 0},
                 [&](const TainOverload& overload, const TainAny* values, int32_t count) {
                   return overload.construct(body, overload.info, values, count);
                 });
  });
}

/// Whether no call can ever reach the second of two overloads. C++ types with the same type
/// expression may still differ: int8_t and int64_t.
bool TakeTheSame(const TainFunctionInfo& a, const TainFunctionInfo& b) {
  const int32_t receiver = HasReceiver(&a) ? 1 : 0;
  const bool known = a.exact != nullptr && b.exact != nullptr;
  if (((a.flags ^ b.flags) & (kTainCallPacked | kTainCallMethod)) != 0) return false;
  if (a.num_args != b.num_args) return false;
  for (int32_t i = 0; i < a.num_args; ++i) {
    if (View(a.args[i].type) != View(b.args[i].type)) return false;
    if (known && a.exact[i + receiver] != b.exact[i + receiver]) return false;
    if (((a.args[i].flags ^ b.args[i].flags) & (kTainArgKwOnly | kTainArgVarPositional)) != 0) {
      return false;
    }
  }
  return true;
}

/// Returns the Fit of a value for a parameter; `parameter` is null for a receiver.
int FitOfArgument(int (*fit_of)(const TainAny*), const TainAny& value,
                  const TainArgInfo* parameter) noexcept {
  const int fit = fit_of(&value);
  if (fit != kFitConverted || parameter == nullptr) return fit;
  // For a parameter that is not an enum, an enum member is nearly its int or its text.
  HostMember member;
  if (value.type_index != kTainOpaquePyObject || !HostMemberOf(value, &member)) return fit;
  return fit_of(&member.value) == kFitExact ? kFitNear : fit;
}

std::vector<TainOverload> OverloadsOf(const Overload& known, const Overload& next) {
  const TainFunctionInfo* known_info = TainFunctionGetInfo(known.function);
  const TainFunctionInfo* next_info = TainFunctionGetInfo(next.function);
  if (known_info == nullptr || next_info == nullptr) {
    TAIN_THROW(TypeError) << "an overload must have a record of its parameters";
  }
  std::vector<TainOverload> overloads;
  if ((known_info->flags & kTainCallOverloaded) != 0) {
    overloads.assign(known_info->overloads, known_info->overloads + known_info->num_overloads);
  } else {
    overloads.push_back({known.function, known_info, known.construct});
  }
  const std::string_view name = View(known_info->name);
  for (const TainOverload& overload : overloads) {
    if (!TakeTheSame(*overload.info, *next_info)) continue;
    TAIN_THROW(ValueError) << name
                           << ": an overload with the same parameters is registered already: "
                           << ShortSignature(*next_info);
  }
  if (((known_info->flags ^ next_info->flags) & kTainCallMethod) != 0) {
    TAIN_THROW(ValueError) << name << ": a method and a static method cannot be overloads";
  }
  if (((overloads.front().info->flags | next_info->flags) & kTainCallVirtual) != 0) {
    TAIN_THROW(ValueError) << name << ": a virtual method cannot be overloaded";
  }
  if (overloads.size() == kMaxOverloads) {
    TAIN_THROW(ValueError) << name << ": more than " << kMaxOverloads << " overloads";
  }
  overloads.push_back({next.function, next_info, next.construct});
  return overloads;
}

}  // namespace

OverloadSearch::OverloadSearch(const TainFunctionInfo* info, const GivenArguments& given)
    : info_(info), given_(given) {
  const TainAny* end = given.values + given.num_positional + given.num_names;
  const bool moves = std::any_of(given.values, end,
                                 [](const TainAny& a) { return a.type_index == kTainRValueRef; });
  if (!moves) return;
  shown_.assign(given.values, end);
  for (TainAny& value : shown_) {
    if (value.type_index == kTainRValueRef) value = PeekRValue(value);
  }
}

OverloadSearch::~OverloadSearch() = default;

const TainOverload* OverloadSearch::Call(CallCandidate call, void* context) {
  scores_.fill(kUnknown);
  const auto end = scores_.begin() + info_->num_overloads;
  for (int32_t i = 0; i < info_->num_overloads; ++i) {
    if (Try(i, kPerfect, call, context)) return &info_->overloads[i];
  }
  while (true) {
    const auto best = std::max_element(scores_.begin(), end);  // the first of equals
    if (*best == kNever) return nullptr;
    const auto index = static_cast<int32_t>(best - scores_.begin());
    if (Try(index, *best, call, context)) return &info_->overloads[index];
  }
}

bool OverloadSearch::Try(int32_t index, int16_t score, CallCandidate call, void* context) {
  int16_t& known = scores_[static_cast<size_t>(index)];
  if (known != kUnknown && known != score) return false;
  for (const auto& [unread, error] : unread_) {
    if (unread == index) throw error;
  }
  const TainOverload& candidate = info_->overloads[index];
  const TainFunctionInfo& info = *candidate.info;
  const bool in_order = AreInOrder(info, given_);
  ArgumentOrder order;
  if (!in_order && !order.Bind(&info, given_)) {
    Refused(index, order.Problem());
    return false;
  }
  if (known == kUnknown) {
    bool unsure = false;
    known = ScoreOf(info, in_order ? nullptr : &order, &unsure);
    if (unsure) unsure_.set(static_cast<size_t>(index));
    if (known != score) return false;
  }
  const bool exact = score == kPerfect && !unsure_.test(static_cast<size_t>(index));
  GivenArguments given = given_;
  if (!exact && !shown_.empty()) given.values = shown_.data();
  if (in_order) {
    return CallWith(index, exact, given.values, given.num_positional, call, context);
  }
  BoundValues bound;
  // All defaults are added here, so that the candidate converts only values of this array.
  bound.Fill(order, given, true);
  return CallWith(index, exact, bound.data(), bound.size(), call, context);
}

bool OverloadSearch::CallWith(int32_t index, bool exact, const TainAny* values, int32_t num_values,
                              CallCandidate call, void* context) {
  const TainOverload& candidate = info_->overloads[index];
  const bool unsure = unsure_.test(static_cast<size_t>(index));
  if (unsure) unread_call = {};
  if (call(context, candidate, values, num_values) == 0) {
    if (!exact) TakeMoved();
    return true;
  }
  const bool unread = unsure && unread_call.info == candidate.info && unread_call.args == values;
  const Refusal* refusal = RaisedRefusal();
  const bool refused = refusal != nullptr && refusal->kind != Refusal::Kind::kNone &&
                       refusal->info == candidate.info && refusal->args == values;
  const size_t reason = refused ? refusal->reason : 0;
  const Error error = TakeRaisedError();
  int16_t& score = scores_[static_cast<size_t>(index)];
  if (unread && !refused && score > kConverted) {
    score = kConverted;
    unread_.emplace_back(index, error);
    return false;
  }
  if (!refused) throw error;
  Refused(index, error.message().substr(reason));
  return false;
}

int16_t OverloadSearch::ScoreOf(const TainFunctionInfo& info, const ArgumentOrder* order,
                                bool* unsure) const noexcept {
  if (info.exact == nullptr) return kConverted;
  const bool has_rest = order != nullptr && (order->has_rest() || !order->rest_keywords().empty());
  const TainAny* values = shown_.empty() ? given_.values : shown_.data();
  const int32_t receiver = HasReceiver(&info) ? 1 : 0;
  const int32_t count = order == nullptr ? given_.num_positional : order->size();
  int lowest = has_rest ? RankOfFit(kFitAnything) : kHighestRank;
  int steps = 0;
  for (int32_t i = 0; i < count; ++i) {
    const int32_t source = order == nullptr ? i : (*order)[i];
    if (source == ArgumentOrder::kDefault) continue;
    const TainArgInfo* parameter = i < receiver ? nullptr : &info.args[i - receiver];
    const int fit = FitOfArgument(info.exact[i], values[source], parameter);
    if (fit == kFitIfRead) *unsure = true;
    lowest = std::min(lowest, RankOfFit(fit));
    steps += StepsOfFit(fit);
  }
  return static_cast<int16_t>(lowest * kStepsOfRank - std::min(steps, kStepsOfRank - 1));
}

void OverloadSearch::Refused(int32_t index, const std::string& reason) {
  scores_[static_cast<size_t>(index)] = kNever;
  refusals_.emplace_back(index,
                         "\n  " + ShortSignature(*info_->overloads[index].info) + ": " + reason);
}

void OverloadSearch::TakeMoved() const noexcept {
  for (size_t i = 0; i < shown_.size(); ++i) {
    const TainAny& value = given_.values[i];
    if (value.type_index != kTainRValueRef) continue;
    TainObject* object = std::exchange(*static_cast<TainObject**>(value.v_ptr), nullptr);
    if (object != nullptr) DecRef(object);
  }
}

std::string OverloadSearch::GivenTypes() const {
  std::string text;
  for (int32_t i = HasReceiver(info_) ? 1 : 0; i < given_.num_positional + given_.num_names; ++i) {
    if (!text.empty()) text += ", ";
    const int32_t keyword = i - given_.num_positional;
    if (keyword >= 0) text += std::string(given_.names[keyword]) + "=";
    text += GotTypeName(given_.values[i]);
  }
  return text;
}

void OverloadSearch::ThrowRefused() const {
  ArgumentOrder order;
  if (HasReceiver(info_) && given_.num_positional == 0 && !order.Bind(info_, given_)) {
    order.Throw(nullptr);
  }
  std::string reasons;
  auto refusals = refusals_;
  std::sort(refusals.begin(), refusals.end());  // in the order of registration
  for (const auto& [index, text] : refusals) reasons += text;
  TAIN_THROW(TypeError) << View(info_->name) << ": no overload takes (" << GivenTypes() << ")"
                        << reasons;
}

int FitOfClass(const TainAny* a, int32_t type_index) noexcept {
  const auto depth_of = [](int32_t index) { return TainGetTypeInfo(index)->type_depth; };
  if (a->type_index == type_index || a->type_index < kTainStaticObjectBegin) return kFitExact;
  const int steps = depth_of(a->type_index) - depth_of(type_index);
  return steps <= 0 ? int{kFitExact} : std::min(kFitIfRead + steps, kFitFarthest);
}

int FitOfObject(const TainAny* a, int32_t type_index) noexcept {
  const bool takes =
      a->type_index >= kTainStaticObjectBegin && TainTypeIsInstance(a->type_index, type_index) != 0;
  return takes ? FitOfClass(a, type_index) : int{kFitConverted};
}

void NoteUnread(const TainFunctionInfo* info, const TainAny* args) noexcept {
  unread_call = {info, args};
}

bool OperandWasRefused(const TainFunctionInfo* info, const TainAny* args) noexcept {
  const Refusal* refusal = RaisedRefusal();
  return refusal != nullptr && refusal->kind == Refusal::Kind::kArgument &&
         refusal->argument == 1 && refusal->info == info && refusal->args == args;
}

Function MakeOverloaded(const Overload& known, const Overload& next) {
  std::vector<TainOverload> overloads = OverloadsOf(known, next);
  std::string result;
  TainFunctionInfo info = CommonInfo(overloads, &result);
  const Function made(ObjectPtr<FunctionObj>(make_object<OverloadFunction>(overloads)));
  SetOverloadInfo(RefAccess::Header(made), info, overloads);
  return made;
}

InPlaceConstructor OverloadedConstructor(const Function& function) {
  const TainFunctionInfo* info = TainFunctionGetInfo(RefAccess::Header(function));
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    if (info->overloads[i].construct == nullptr) return nullptr;
  }
  return &ConstructOverloaded;
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainFunctionOverload(TainObject* known, TainObject* next,
                                    TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainFunctionOverload", "a place for the result");
    CheckFunction(known, "TainFunctionOverload", "a function");
    CheckFunction(next, "TainFunctionOverload", "a function");
    tain::Function made = MakeOverloaded({known, nullptr}, {next, nullptr});
    result = RefAccess::Release(made);
  });
}
