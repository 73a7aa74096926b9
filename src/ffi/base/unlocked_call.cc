// SPDX-License-Identifier: Apache-2.0
// Calls without the host's lock; see unlocked_call.h.
#include "base/unlocked_call.h"

#include <exception>

#include "base/guard.h"
#include "tain/ref.h"

namespace tain::internal {
namespace {

/// The objects among the arguments of a call, held.
class HeldArguments : NotCopied {
 public:
  HeldArguments(const TainAny* args, int32_t num_args) noexcept : args_(args), num_args_(num_args) {
    for (int32_t i = 0; i < num_args_; ++i) {
      if (IsObject(args_[i])) IncRef(args_[i].v_obj);
    }
  }
  ~HeldArguments() {
    for (int32_t i = 0; i < num_args_; ++i) {
      if (IsObject(args_[i])) DecRef(args_[i].v_obj);
    }
  }

 private:
  static bool IsObject(const TainAny& value) noexcept {
    return value.type_index >= kTainStaticObjectBegin && value.v_obj != nullptr;
  }

  const TainAny* args_;
  int32_t num_args_;
};

/// A call, which the host makes without its lock. C++ exceptions do not pass through the host.
struct Call {
  TainSafeCall call;
  void* self;
  const TainAny* args;
  int32_t num_args;
  TainAny* result;
  int code = -1;
  std::exception_ptr error;

  static void Run(void* context) noexcept {
    auto& made = *static_cast<Call*>(context);
    try {
      made.code = made.call(made.self, made.args, made.num_args, made.result);
    } catch (...) {
      made.error = std::current_exception();
    }
  }
};

}  // namespace

int CallUnlocked(TainSafeCall call, void* self, const TainAny* args, int32_t num_args,
                 TainAny* result) {
  const auto run_unlocked = HostFunction<&TainHost::run_unlocked>();
  if (run_unlocked == nullptr) return call(self, args, num_args, result);
  const HeldArguments held(args, num_args);
  Call made{call, self, args, num_args, result};
  run_unlocked(&Call::Run, &made);
  if (made.error) std::rethrow_exception(made.error);
  return made.code;
}

void RunUnlocked(void (*run)(void* context), void* context) {
  const auto run_unlocked = HostFunction<&TainHost::run_unlocked>();
  return run_unlocked == nullptr ? run(context) : run_unlocked(run, context);
}

void CheckSignalsNow() {
  if (const auto check = HostFunction<&TainHost::check_signals>()) ThrowIfFailed(check());
}

int CheckedResult(int code, const TainAny& result) {
  if (code == 0 && result.type_index >= kTainStaticObjectBegin && result.v_obj == nullptr) {
    TAIN_THROW(InternalError) << "a function of another library returned an object of type index "
                              << result.type_index << " without an address";
  }
  return code;
}

}  // namespace tain::internal
