// SPDX-License-Identifier: Apache-2.0
// The declared types of the arguments of a call; see declared_arguments.h.
#include "tain/internal/declared_arguments.h"

#include "base/guard.h"
#include "tain/any.h"
#include "tain/c_api_registry.h"
#include "tain/convert.h"
#include "tain/internal/host_repr.h"

namespace tain::internal {
namespace {

/// The innermost call of the thread whose callee gets to know the types.
constinit thread_local const DeclaredArguments* declared_now = nullptr;

/// Returns the name of a function; empty if it has none.
std::string NameOfFunction(const TainObject* function) {
  if (const TainFunctionInfo* info = TainFunctionGetInfo(function)) {
    return std::string(View(info->name));
  }
  const HostRepr* host = GetHostRepr();
  TainAny name{};
  if (host == nullptr) return {};
  if (host->name(function, &name) != 0) throw Error::MoveFromRaised();
  const Any owned = Any::Steal(name);
  std::string_view text;
  return TextOf(&owned.data(), &text) ? std::string(text) : std::string();
}

}  // namespace

void ThrowCallbackResult(const TainObject* function, Explain explain, const TainAny& got) {
  const std::string name = NameOfFunction(function);
  ThrowCast(explain, got, "result of the callback" + (name.empty() ? name : " " + name));
}

DeclaredArguments::DeclaredArguments(const TainAny* args, const std::string_view* types) noexcept
    : args_(args), types_(types), outer_(declared_now) {
  declared_now = this;
}

DeclaredArguments::~DeclaredArguments() { declared_now = outer_; }

std::string_view DeclaredArguments::TypeOf(const TainAny* args, int32_t index) noexcept {
  const DeclaredArguments* now = declared_now;
  // Another call may be under way in the callee, with other arguments.
  return now != nullptr && now->args_ == args ? now->types_[index] : std::string_view();
}

}  // namespace tain::internal
