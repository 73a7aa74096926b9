// SPDX-License-Identifier: Apache-2.0
// The declared types of the arguments of a call; see declared_arguments.h.
#include "tain/internal/declared_arguments.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/guard.h"
#include "base/thread_end.h"
#include "tain/any.h"
#include "tain/c_api_registry.h"
#include "tain/convert.h"
#include "tain/internal/container_api.h"
#include "tain/internal/host_repr.h"

namespace tain::internal {
namespace {

/// A call whose callee gets to know the types of its arguments.
struct DeclaredCall {
  const DeclaredArguments* number;
  const TainAny* args;
  const std::string_view* types;
};

/// The calls of the thread that are under way, of which coroutines that move the C stack may end one
/// before those that began later. What the pointers lead to is read only before the callee runs
/// foreign code.
struct CallsOfThread : std::vector<DeclaredCall> {};
std::vector<DeclaredCall>& DeclaredCalls() { return ThreadOwn<CallsOfThread>::Get(); }

/// Numbers the calls of all threads.
const DeclaredArguments* NextNumber() noexcept {
  static std::atomic<uintptr_t> last{0};
  return reinterpret_cast<const DeclaredArguments*>(++last);  // never followed
}

/// Returns the name of a function; empty if it has none.
std::string NameOfFunction(const TainObject* function) {
  if (const TainFunctionInfo* info = TainFunctionGetInfo(function)) {
    return std::string(View(info->name));
  }
  const HostRepr* host = GetHostRepr();
  TainAny name{};
  if (host == nullptr) return {};
  ThrowIfFailed(host->name(function, &name));
  const Any owned = Any::Steal(name);
  std::string_view text;
  return TextOf(&owned.data(), &text) ? std::string(text) : std::string();
}

std::string PlaceOfResult(const TainObject* function) {
  const std::string name = NameOfFunction(function);
  return "result of the callback" + (name.empty() ? name : " " + name);
}
}  // namespace

void ThrowCallbackResult(const TainObject* function, Explain explain, const TainAny& got) {
  ThrowCast(explain, got, PlaceOfResult(function));
}

void RethrowCallbackResult(const TainObject* function) { RethrowInside(PlaceOfResult(function)); }

DeclaredArguments::DeclaredArguments(const TainAny* args, const std::string_view* types) noexcept
    : args_(args), types_(types), outer_(NextNumber()) {
  try {
    DeclaredCalls().push_back({outer_, args, types});
  } catch (const std::bad_alloc&) {  // the callee gets an Array where it could get a tuple
  }
}

DeclaredArguments::~DeclaredArguments() {
  std::erase_if(DeclaredCalls(),
                [this](const DeclaredCall& call) { return call.number == outer_; });
}

std::string_view DeclaredArguments::TypeOf(const TainAny* args, int32_t index) noexcept {
  const std::vector<DeclaredCall>& calls = DeclaredCalls();
  // Another call may be under way in the callee, with other arguments.
  const auto call = std::find_if(calls.rbegin(), calls.rend(),
                                 [&](const DeclaredCall& one) { return one.args == args; });
  return call == calls.rend() ? std::string_view() : call->types[index];
}

void ForgetDeclared(const TainAny* args) noexcept {
  std::erase_if(DeclaredCalls(), [&](const DeclaredCall& call) { return call.args == args; });
}

}  // namespace tain::internal
