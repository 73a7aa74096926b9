// SPDX-License-Identifier: Apache-2.0
// The code that all callables of the headers share: making their objects, calls with defaults.
#include "tain/internal/closure.h"

#include <array>
#include <cstring>
#include <new>
#include <vector>

namespace tain::internal {
namespace {

/// The arguments of a call, with defaults for the missing ones. The object itself has room for a
/// few arguments.
class Completed : NotCopied {
 public:
  Completed(const TainFunctionInfo* info, ParamCount params, const TainAny* args,
            int32_t num_args) {
    const bool keywords = params.keywords && HasKeywords(args, num_args);
    const int32_t given = num_args - (keywords ? 2 : 0);
    size_ = params.count + (keywords ? 2 : 0);
    if (static_cast<size_t>(size_) > few_.size()) {
      many_.resize(static_cast<size_t>(size_));
      data_ = many_.data();
    }
    made_.resize(MakesDefaults(info) ? static_cast<size_t>(params.count) : 0);
    CompleteArguments(info, args, given, params.count, data_, made_.data());
    if (keywords) std::memcpy(data_ + params.count, args + given, 2 * sizeof(TainAny));
  }

  const TainAny* data() const noexcept { return data_; }
  int32_t size() const noexcept { return size_; }

 private:
  static bool MakesDefaults(const TainFunctionInfo* info) noexcept {
    for (int32_t i = 0; info != nullptr && i < info->num_args; ++i) {
      if ((info->args[i].flags & kTainArgFactory) != 0) return true;
    }
    return false;
  }

  std::array<TainAny, 8> few_{};
  std::vector<TainAny> many_;
  std::vector<Any> made_;
  TainAny* data_ = few_.data();
  int32_t size_;
};

}  // namespace

int CallCompleted(TainSafeCall call, void* self, const TainFunctionInfo* info, ParamCount params,
                  const TainAny* args, int32_t num_args, TainAny* result) noexcept {
  try {
    const Completed completed(info, params, args, num_args);
    return call(self, completed.data(), completed.size(), result);
  } catch (...) {
    return FailedIn(info);
  }
}

int ConstructCompleted(InPlaceConstructor construct, void* body, const TainFunctionInfo* info,
                       ParamCount params, const TainAny* args, int32_t num_args) noexcept {
  try {
    const Completed completed(info, params, args, num_args);
    return construct(body, info, completed.data(), completed.size());
  } catch (...) {
    return FailedIn(info);
  }
}

ObjectPtr<FunctionObj> MakePlainClosure(const PlainClosure& closure, const void* callable) {
  const size_t size = sizeof(FunctionObj) + closure.callable_size;
  void* memory = TainObjectAlloc(size, alignof(FunctionObj), kTainFunction);
  if (memory == nullptr) throw std::bad_alloc();
  auto* object = ::new (memory) FunctionObj();
  object->body.cell.safe_call = closure.safe_call;
  std::memcpy(static_cast<void*>(object + 1), callable, closure.callable_size);
  FinishObject(object, kTainFunction, &DeleteObject<FunctionObj>);
  return RefAccess::Steal<FunctionObj>(ObjectAccess::Header(object));
}

}  // namespace tain::internal
