// SPDX-License-Identifier: Apache-2.0
// Overloaded functions: which candidate takes a call, and why the others do not.
#include "tain/internal/overload.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <utility>

#include "base/guard.h"
#include "registry/member_writer.h"
#include "registry/overloads.h"
#include "registry/registry.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

constexpr int32_t kMaxOverloads = 64;  // one bit each while a call looks for its candidate

/// What is known of an OverloadAttempt.
struct Attempt {
  uint64_t id;
  const TainAny* args;
  const TainAny* completed;  ///< where they stand with defaults, or null
};

/// The attempts of a thread that are under way. Nothing destroys it: other things that end with
/// the thread may call functions.
struct Attempts {
  Attempt first_room[16];
  Attempt* data;  ///< null stands for first_room
  size_t size, room;
  uint64_t last_id;
  const TainAny* refused;  ///< the arguments that were refused last

  Attempt* begin() noexcept { return data == nullptr ? first_room : data; }
  Attempt* end() noexcept { return begin() + size; }
  uint64_t Add(const TainAny* args) {
    if (size == (data == nullptr ? std::size(first_room) : room)) Grow();
    refused = nullptr;
    begin()[size++] = {++last_id, args, nullptr};
    return last_id;
  }
  /// There is one; nearly always it is the last.
  Attempt* Find(uint64_t id) noexcept {
    Attempt* at = end();
    while ((--at)->id != id) {
    }
    return at;
  }
  void Remove(uint64_t id) noexcept {
    Attempt* at = Find(id);
    std::copy(at + 1, end(), at);
    if (--size == 0) {
      std::free(data);
      data = nullptr;
    }
  }

 private:
  void Grow() {
    auto* more = static_cast<Attempt*>(std::malloc(2 * size * sizeof(Attempt)));
    if (more == nullptr) throw std::bad_alloc();
    std::copy(begin(), end(), more);
    std::free(data);
    data = more;
    room = 2 * size;
  }
};
constinit thread_local Attempts attempts{};

bool HasReceiver(const TainFunctionInfo* info) noexcept {
  return (info->flags & kTainCallMethod) != 0;
}

std::string Parameters(const TainFunctionInfo& info) {
  if ((info.flags & kTainCallPacked) != 0) return "*args";
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
    if ((arg.flags & kTainArgHasDefault) != 0) text += " = ...";
  }
  return text;
}

/// `norm(p: int) -> float`.
std::string SignatureText(const TainFunctionInfo& info) {
  const std::string_view name = View(info.name);
  const std::string_view last = name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  return std::string(last) + "(" + Parameters(info) + ") -> " + std::string(View(info.return_type));
}

/// What is the same in the info of all overloads, and what is put together.
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

/// Tries the functions behind an overloaded name, those whose types fit exactly first, until one
/// takes the arguments: `call(overload, values)` returns a code. TypeError if none does.
template <class F>
int CallFirstThatFits(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                      F&& call) {
  const TainAny nothing{};
  const OverloadArguments arguments(num_args == 0 ? &nothing : args, num_args);
  Refusals refusals;
  for (const bool exact : {true, false}) {
    const TainAny* values = arguments.For(exact);
    for (int32_t i = 0; i < info->num_overloads; ++i) {
      const TainOverload& overload = info->overloads[i];
      if (arguments.Fit(overload.info) != exact) continue;
      OverloadAttempt attempt(values);
      if (call(overload, values) == 0) {
        if (!exact) arguments.Taken();
        return 0;
      }
      if (!attempt.refused()) return -1;
      refusals.Add(overload.info, Error::MoveFromRaised().what());
    }
  }
  std::string given;
  for (int32_t i = HasReceiver(info) ? 1 : 0; i < num_args; ++i) {
    given += (given.empty() ? "" : ", ") + GotTypeName(args[i]);
  }
  TAIN_THROW(TypeError) << refusals.Text(info, given);
}

/// The function behind an overloaded name; never changes.
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
      return CallFirstThatFits(
          function->body.info, args, num_args,
          [&](const TainOverload& overload, const TainAny* values) {
            // The cell follows the header.
            auto* cell = reinterpret_cast<TainFunctionCell*>(overload.function + 1);
            return cell->safe_call(overload.function, values, num_args, result);
          });
    });
  }

  std::vector<TainOverload> overloads_;
};

/// In place, by the first overloaded constructor that takes the arguments.
int ConstructOverloaded(void* body, const TainFunctionInfo* info, const TainAny* args,
                        int32_t num_args) noexcept {
  return Guard([&] {
    return CallFirstThatFits(info, args, num_args,
                             [&](const TainOverload& overload, const TainAny* values) {
                               return overload.construct(body, overload.info, values, num_args);
                             });
  });
}

/// Whether no call would ever reach the second of two. Types that are spelled alike may differ:
/// int8_t and int64_t.
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
                           << SignatureText(*next_info);
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

OverloadAttempt::OverloadAttempt(const TainAny* args) : id_(attempts.Add(args)) {}
OverloadAttempt::~OverloadAttempt() { attempts.Remove(id_); }

bool OverloadAttempt::refused() const {
  const Attempt& attempt = *attempts.Find(id_);
  if (attempts.refused == nullptr ||
      (attempts.refused != attempt.args && attempts.refused != attempt.completed)) {
    return false;
  }
  const Error raised = Error::MoveFromRaised();
  TainErrorSetRaised(RefAccess::Header(raised));
  return !AsksToStop(raised);
}

void OverloadAttempt::Refuse(const TainAny* args) noexcept { attempts.refused = args; }
void OverloadAttempt::Complete(const TainAny* args, const TainAny* completed) noexcept {
  // A candidate does this at its very beginning: if one is called at all, it is the last.
  if (attempts.size == 0 || args == nullptr) return;
  Attempt& last = attempts.end()[-1];
  if (last.args == args) last.completed = completed;
}

OverloadArguments::OverloadArguments(const TainAny* args, int32_t num_args)
    : args_(args), num_args_(num_args) {
  const bool moves = std::any_of(args, args + num_args,
                                 [](const TainAny& a) { return a.type_index == kTainRValueRef; });
  if (!moves) return;
  shown_.assign(args, args + num_args);
  for (TainAny& value : shown_) {
    if (value.type_index == kTainRValueRef) value = PeekRValue(value);
  }
}

bool OverloadArguments::Fit(const TainFunctionInfo* info) const noexcept {
  if (info->exact == nullptr) return false;
  const int32_t receiver = HasReceiver(info) ? 1 : 0;
  if (num_args_ > info->num_args + receiver) return false;
  const TainAny* values = shown_.empty() ? args_ : shown_.data();
  for (int32_t i = 0; i < num_args_; ++i) {
    if (info->exact[i](&values[i]) != 0) continue;
    // To a parameter that is no enum a member is its int or text.
    HostMember member;
    if (i < receiver || TainGetEnum(&info->args[i - receiver].type) != nullptr ||
        values[i].type_index != kTainOpaquePyObject || !HostMemberOf(values[i], &member) ||
        info->exact[i](&member.value) == 0) {
      return false;
    }
  }
  for (int32_t i = num_args_; i < info->num_args + receiver; ++i) {
    constexpr int32_t kNotNeeded = kTainArgHasDefault | kTainArgVarPositional | kTainArgVarKeyword;
    if (i < receiver || (info->args[i - receiver].flags & kNotNeeded) == 0) return false;
  }
  return true;
}

void OverloadArguments::Taken() const noexcept {
  for (int32_t i = 0; i < num_args_ && !shown_.empty(); ++i) {
    if (args_[i].type_index != kTainRValueRef) continue;
    TainObject* object = std::exchange(*static_cast<TainObject**>(args_[i].v_ptr), nullptr);
    if (object != nullptr) DecRef(object);
  }
}

void Refusals::Add(const TainFunctionInfo* candidate, std::string_view reason) {
  const std::string_view name = View(candidate->name);
  if (reason.substr(0, name.size()) == name) {  // the line begins with it
    std::string_view rest = reason.substr(name.size());
    if (rest.substr(0, 2) == "()") rest.remove_prefix(2);
    if (rest.substr(0, 1) == ":") rest.remove_prefix(1);
    if (rest.substr(0, 1) == " ") reason = rest.substr(1);
  }
  lines_ += "\n  " + SignatureText(*candidate) + ": " + std::string(reason);
}

std::string Refusals::Text(const TainFunctionInfo* overloaded, std::string_view given) const {
  return std::string(View(overloaded->name)) + ": no overload takes (" + std::string(given) + ")" +
         lines_;
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
