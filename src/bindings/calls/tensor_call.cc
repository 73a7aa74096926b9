// SPDX-License-Identifier: Apache-2.0
// Streams and allocators of the libraries of arguments; see tensor_call.h.
#include "calls/tensor_call.h"

#include "base/error.h"
#include "base/hooks.h"

namespace tain::bindings {

void ArgumentStream::Enter(TainObject* tensor, DLDevice device) noexcept {
  ok_ = GetHooks().work_of_array(tensor, &work_);
  if (!ok_) return;
  if (work_.has_stream &&
      TainEnvSetStream(device.device_type, device.device_id, work_.stream, &former_stream_) != 0) {
    SetFromCore();
    ok_ = false;
    return;
  }
  if (work_.allocator != nullptr) {
    TainEnvSetDLPackManagedTensorAllocator(work_.allocator, 0, &former_allocator_);
  }
  entered_ = true;
  device_ = device;
}

void ArgumentStream::Leave() noexcept {
  if (work_.allocator != nullptr) {
    TainEnvSetDLPackManagedTensorAllocator(former_allocator_, 0, nullptr);
  }
  // The device has a stream, so that setting another needs no memory.
  if (work_.has_stream) {
    TainEnvSetStream(device_.device_type, device_.device_id, former_stream_, nullptr);
  }
}

}  // namespace tain::bindings
