// SPDX-License-Identifier: Apache-2.0
// Kernels that work on the stream of their caller, and memory of each kind that CUDA has.
#include <tain/tain.h>

#include <atomic>

namespace {

using tain::AnyDevice;
using tain::kAnyRank;
using tain::OnDevice;
using tain::RowMajor;
using tain::ShapeView;
using tain::Tensor;
using tain::TensorRef;

constexpr int kThreads = 256;
constexpr DLDataType kFloat32{kDLFloat, 32, 1};

void Check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) TAIN_THROW(RuntimeError) << what << ": " << cudaGetErrorString(code);
}

cudaStream_t CallersStream(DLDevice device) {
  return static_cast<cudaStream_t>(TainEnvGetStream(device.device_type, device.device_id));
}

unsigned Blocks(int64_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

__global__ void ScaleKernel(float* x, int64_t count, float by) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) x[i] *= by;
}

__global__ void PlusOneKernel(const float* x, float* y, int64_t count) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) y[i] = x[i] + 1;
}

/// Takes the time of many clocks, so that what is not ordered after it comes before it.
__global__ void SpinKernel(int64_t clocks) {
  const int64_t begin = clock64();
  while (clock64() - begin < clocks) {
  }
}

std::atomic<int64_t> frees{0};

/// Allocates and frees memory of one kind.
struct Memory {
  cudaError_t (*allocate)(void** out, size_t bytes);
  cudaError_t (*release)(void* memory);

  void AllocData(DLTensor* tensor) const {
    Check(allocate(&tensor->data, static_cast<size_t>(tensor->shape[0]) * sizeof(float)),
          "no memory");
  }
  void FreeData(DLTensor* tensor) const {
    release(tensor->data);
    ++frees;
  }
};

Tensor MakeMemory(const Memory& memory, int64_t count, DLDeviceType device) {
  if (count < 1 || count > 1000) TAIN_THROW(ValueError) << "expected 1 to 1000, got " << count;
  return Tensor::FromNDAlloc(memory, ShapeView(&count, 1), kFloat32, DLDevice{device, 0});
}

}  // namespace

/// Multiplies in place; FACTOR comes from the command line.
void scale(TensorRef<float, 1, RowMajor, OnDevice<kDLCUDA>> x, double by) {
  if (x.numel() == 0) return;
  ScaleKernel<<<Blocks(x.numel()), kThreads, 0, CallersStream(x.device())>>>(
      x.data(), x.numel(), static_cast<float>(by));
  Check(cudaGetLastError(), "scale");
}

int64_t factor() { return FACTOR; }

/// A new tensor, in memory of the caller's library.
Tensor plus_one(const Tensor& x) {
  Tensor made = Tensor::Empty(x.shape(), x.dtype(), x.device());
  PlusOneKernel<<<Blocks(x.numel()), kThreads, 0, CallersStream(x.device())>>>(
      x.data_ptr<const float>(), made.data_ptr<float>(), x.numel());
  Check(cudaGetLastError(), "plus_one");
  return made;
}

/// Scales memory of any kind that the device can reach.
void scale_anywhere(TensorRef<float, 1, RowMajor, AnyDevice> x, double by) {
  ScaleKernel<<<Blocks(x.numel()), kThreads>>>(x.data(), x.numel(), static_cast<float>(by));
  Check(cudaGetLastError(), "scale_anywhere");
  Check(cudaStreamSynchronize(nullptr), "scale_anywhere");
}

/// Keeps the caller's stream busy.
void spin(TensorRef<const void, kAnyRank, OnDevice<kDLCUDA>> x, int64_t clocks) {
  SpinKernel<<<1, 1, 0, CallersStream(x.device())>>>(clocks);
  Check(cudaGetLastError(), "spin");
}

/// Adds on the processor.
double host_sum(TensorRef<const float, 1> x) {
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) sum += static_cast<double>(x(i));
  return sum;
}

int64_t address(const Tensor& x) { return reinterpret_cast<int64_t>(x.data_ptr<const void>()); }

/// The same memory, which must not be written.
Tensor read_only(const Tensor& x) {
  DLManagedTensorVersioned* managed = x.ToDLPackVersioned();
  managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  return Tensor::FromDLPackVersioned(managed);
}

Tensor device_memory(int64_t count) {
  return MakeMemory({[](void** out, size_t bytes) { return cudaMalloc(out, bytes); }, &cudaFree},
                    count, kDLCUDA);
}

Tensor managed_memory(int64_t count) {
  const auto allocate = [](void** out, size_t bytes) { return cudaMallocManaged(out, bytes); };
  return MakeMemory({allocate, &cudaFree}, count, kDLCUDAManaged);
}

Tensor pinned_memory(int64_t count) {
  const auto allocate = [](void** out, size_t bytes) { return cudaMallocHost(out, bytes); };
  return MakeMemory({allocate, &cudaFreeHost}, count, kDLCUDAHost);
}

int64_t freed() { return frees; }

/// Calls a function while work for the first GPU is to run on a stream.
tain::Any with_stream(int64_t stream, const tain::Function& f) {
  struct Restore {
    void* former = nullptr;
    ~Restore() { TainEnvSetStream(kDLCUDA, 0, former, nullptr); }
  } restore;
  tain::internal::ThrowIfFailed(
      TainEnvSetStream(kDLCUDA, 0, reinterpret_cast<void*>(stream), &restore.former));
  return f();
}

/// The same memory for Python code that wants numpy's arrays, which CUDA's memory cannot be.
TAIN_REGISTER {
  tain::reflection::GlobalDef().def("gpu_kernels.device_memory_as_numpy", &device_memory,
                                    tain::arg("count"), tain::as_numpy());
}
