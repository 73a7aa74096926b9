// SPDX-License-Identifier: Apache-2.0
// The work of a call for the tensors among its arguments: it sets the stream of their device, and
// makes a result of their library.
#pragma once

#include "base/hooks.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// While it lives, the stream of a device (TainEnvGetStream) is the one on which the library of an
/// array works, and new tensors (TainEnvTensorAlloc) are made by that library. The array is the first
/// argument in the memory of another device than the processor.
class ArgumentStream : NonCopyable {
 public:
  ArgumentStream(const TainAny* args, int32_t num_args) noexcept {
    for (int32_t i = 0; i < num_args; ++i) {
      if (TAIN_LIKELY(args[i].type_index != kTainTensor)) continue;
      const auto* tensor =
          static_cast<const TensorObj*>(internal::ObjectAccess::FromHeader(args[i].v_obj));
      if (TAIN_LIKELY(internal::IsHostMemory(tensor->device))) continue;
      Enter(args[i].v_obj, tensor->device);
      return;
    }
  }
  ~ArgumentStream() {
    if (TAIN_UNLIKELY(entered_)) Leave();
  }

  /// Whether all is set that there is; false with a Python error set.
  bool ok() const noexcept { return ok_; }

 private:
  TAIN_COLD void Enter(TainObject* tensor, DLDevice device) noexcept;
  TAIN_COLD void Leave() noexcept;

  bool ok_ = true;
  bool entered_ = false;
  DLDevice device_{};
  ArrayWork work_;
  void* former_stream_ = nullptr;
  TainTensorAllocator former_allocator_ = nullptr;
};

/// Whether the direct result of a call may become an array of the arguments' library.
enum class Adopt : bool { kNo, kYes };

/// Makes a result, a Tensor, an array of the library of the first tensor among the arguments, unless
/// the function says that it is one of numpy. Returns false with a Python error set; the result is
/// dropped then.
inline bool AdoptResult(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                        TainAny* result) noexcept {
  if (TAIN_LIKELY(result->type_index != kTainTensor)) return true;
  if (info != nullptr && (info->flags & kTainCallAsNumpy) != 0) return true;
  if (TAIN_LIKELY(GetHooks().adopt_tensor(args, num_args, result))) return true;
  internal::DecRef(result->v_obj);
  *result = TainAny{};
  return false;
}

}  // namespace tain::bindings
