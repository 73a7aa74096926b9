// SPDX-License-Identifier: Apache-2.0
// The benchmark's functions of arrays in apache-tvm-ffi; a part of bench_tvm.cc's library.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>

namespace bench {

namespace {

namespace ffi = tvm::ffi;
using V = ffi::TensorView;

constexpr DLDataType kFloat = {kDLFloat, 32, 1};
constexpr DLDevice kProcessor = {kDLCPU, 0};

/// What its users check by hand.
int64_t ArrayRef(V x) {
  TVM_FFI_CHECK(x.ndim() == 1, ValueError) << "expected a vector";
  TVM_FFI_CHECK(x.dtype() == kFloat, TypeError) << "expected float32";
  TVM_FFI_CHECK(x.device().device_type == kDLCPU, ValueError) << "expected a tensor of the CPU";
  return x.size(0);
}

ffi::Tensor Filled(ffi::Tensor made) {
  auto* data = static_cast<float*>(made.data_ptr());
  for (int i = 0; i < 3; ++i) data[i] = static_cast<float>(i);
  return made;
}

struct Heap {
  void AllocData(DLTensor* tensor) { tensor->data = new float[3]; }
  void FreeData(DLTensor* tensor) { delete[] static_cast<float*>(tensor->data); }
};

/// Three floats in new memory.
ffi::Tensor NewArray() {
  return Filled(ffi::Tensor::FromNDAlloc(Heap(), ffi::Shape({3}), kFloat, kProcessor));
}

/// The same by the allocator of the library whose tensor is the argument.
ffi::Tensor NewLike(V) {
  return Filled(
      ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::Shape({3}), kFloat, kProcessor));
}

/// Holds its argument until the next call.
int64_t KeepArray(ffi::Tensor x) {
  static auto* kept = new ffi::Tensor();  // never destroyed: the interpreter ends before
  *kept = std::move(x);
  return kept->size(0);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::GlobalDef()
      .def("bench.array_view", [](V x) { return x.size(0); })
      .def("bench.array_ref", ArrayRef)
      .def("bench.keep_array", KeepArray)
      .def("bench.echo_array", [](ffi::Tensor x) { return x; })
      .def("bench.new_array", NewArray)
      .def("bench.new_like", NewLike)
      .def("bench.eight_arrays", [](V a, V b, V c, V d, V e, V f, V g, V h) {
        return a.size(0) + b.size(0) + c.size(0) + d.size(0) + e.size(0) + f.size(0) + g.size(0) +
               h.size(0);
      });
}

}  // namespace

}  // namespace bench
