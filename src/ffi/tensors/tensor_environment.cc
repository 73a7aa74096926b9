// SPDX-License-Identifier: Apache-2.0
// The environment that compiled kernels ask for: the stream of a device, an allocator of tensors.
#include <atomic>
#include <string>
#include <vector>

#include "base/guard.h"
#include "base/thread_end.h"
#include "tensors/tensor_layout.h"
#include "tensors/tensor_text.h"

namespace tain::internal {
namespace {

struct DeviceStream {
  int32_t device_type;
  int32_t device_id;
  void* stream;
};

/// The streams of this thread. There are few, so that a search is fast.
struct StreamsOfThread : std::vector<DeviceStream> {};
std::vector<DeviceStream>& StreamsOfThisThread() { return ThreadOwn<StreamsOfThread>::Get(); }

thread_local TainTensorAllocator thread_allocator = nullptr;
std::atomic<TainTensorAllocator> global_allocator{nullptr};

/// The error that an allocator reports.
struct AllocatorError {
  std::string kind;
  std::string message;
};

void NoteAllocatorError(void* context, const char* kind, const char* message) {
  GuardVoid([&] {
    auto* error = static_cast<AllocatorError*>(context);
    error->kind = kind == nullptr ? "RuntimeError" : kind;
    error->message = message == nullptr ? "" : message;
  });
}

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainEnvSetStream(int32_t device_type, int32_t device_id, void* stream,
                                void** opt_out_original) noexcept {
  return Guard([&] {
    auto& streams = StreamsOfThisThread();
    for (DeviceStream& known : streams) {
      if (known.device_type != device_type || known.device_id != device_id) continue;
      if (opt_out_original != nullptr) *opt_out_original = known.stream;
      known.stream = stream;
      return;
    }
    streams.push_back({device_type, device_id, stream});
    if (opt_out_original != nullptr) *opt_out_original = nullptr;
  });
}

extern "C" void* TainEnvGetStream(int32_t device_type, int32_t device_id) noexcept {
  for (const DeviceStream& known : StreamsOfThisThread()) {
    if (known.device_type == device_type && known.device_id == device_id) return known.stream;
  }
  return nullptr;
}

extern "C" int TainEnvSetDLPackManagedTensorAllocator(
    TainTensorAllocator allocator, int write_to_global,
    TainTensorAllocator* opt_out_original) noexcept {
  if (opt_out_original != nullptr) *opt_out_original = thread_allocator;
  thread_allocator = allocator;
  if (write_to_global != 0) global_allocator.store(allocator, std::memory_order_release);
  return 0;
}

extern "C" TainTensorAllocator TainEnvGetDLPackManagedTensorAllocator(void) noexcept {
  if (thread_allocator != nullptr) return thread_allocator;
  return global_allocator.load(std::memory_order_acquire);
}

extern "C" int TainEnvTensorAlloc(DLTensor* prototype, TainObject** out) noexcept {
  return Guard([&] {
    const char* where = "TainEnvTensorAlloc";
    TainObject*& result = NotNull(out, where, "a place for the result");
    NotNull(prototype, where, "a prototype");
    CheckLayout(prototype->ndim, prototype->shape, nullptr, prototype->dtype);
    const TainTensorAllocator allocator = TainEnvGetDLPackManagedTensorAllocator();
    if (allocator == nullptr) {
      if (prototype->device.device_type != kDLCPU) {
        TAIN_THROW(ValueError) << "Tensor: no allocator for " << DeviceText(prototype->device)
                               << ": set one with TainEnvSetDLPackManagedTensorAllocator, or make "
                                  "the tensor with the library of the device";
      }
      const tain::ShapeView shape{prototype->shape, static_cast<size_t>(prototype->ndim)};
      auto made = AllocateTensor(shape, prototype->dtype, prototype->device);
      result = RefAccess::Release(made);
      return 0;
    }
    AllocatorError error{"RuntimeError", "the allocator of tensors failed and gave no reason"};
    DLManagedTensorVersioned* made = nullptr;
    if (allocator(prototype, &made, &error, &NoteAllocatorError) != 0 || made == nullptr) {
      throw tain::Error(error.kind, error.message);
    }
    const int code = TainTensorFromDLPackVersioned(made, 0, 0, out);
    if (code != 0 && made->deleter != nullptr) made->deleter(made);
    return code;
  });
}
