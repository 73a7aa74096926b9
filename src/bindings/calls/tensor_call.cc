// SPDX-License-Identifier: Apache-2.0
// Streams of the devices of arguments; see tensor_call.h.
#include "calls/tensor_call.h"

#include "base/error.h"

namespace tain::bindings {

void ArgumentStream::Enter(TainObject* tensor, DLDevice device) noexcept {
  void* stream = nullptr;
  const int found = GetState().stream_of_array(tensor, &stream);
  ok_ = found >= 0;
  if (found <= 0) return;
  if (TainEnvSetStream(device.device_type, device.device_id, stream, &former_) != 0) {
    SetFromCore();
    ok_ = false;
    return;
  }
  entered_ = true;
  device_ = device;
}

void ArgumentStream::Leave() noexcept {
  // The device has a stream, so that setting another needs no memory.
  TainEnvSetStream(device_.device_type, device_.device_id, former_, nullptr);
}

}  // namespace tain::bindings
