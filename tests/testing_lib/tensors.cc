// SPDX-License-Identifier: Apache-2.0
// Functions and a type with tensors.
#include <tain/tain.h>

namespace tain_testing {
namespace {

using tain::Any;
using tain::arg;
using tain::Array;
using tain::ColumnMajor;
using tain::ConstTensorView;
using tain::DTypeOf;
using tain::Extents;
using tain::Function;
using tain::kAnyRank;
using tain::Object;
using tain::OnDevice;
using tain::Optional;
using tain::RowMajor;
using tain::Shape;
using tain::ShapeView;
using tain::String;
using tain::Tensor;
using tain::TensorRef;
using tain::TensorView;

/// Writes x + 1 to y, as a kernel does that gets plain memory.
void AddOneTo(TensorView x, TensorView y) {
  for (const TensorView& one : {x, y}) {
    TAIN_CHECK(one->dtype == DLDataType{kDLFloat, 32, 1}) << "expected float32";
    TAIN_CHECK(one->device.device_type == kDLCPU) << "expected a tensor in memory of the host";
  }
  TAIN_CHECK(x.numel() == y.numel() && x.is_contiguous() && y.is_contiguous())
      << "expected two tensors of one size without gaps";
  const auto* from = static_cast<const float*>(x->data);
  auto* to = static_cast<float*>(y->data);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] + 1;
}

double TensorSum32(TensorRef<const float, 1> x) {
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) sum += x(i);
  return sum;
}

double TensorSum(TensorRef<const double, 1> x) {
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) sum += x(i);
  return sum;
}

double TensorTrace(TensorRef<const float, 2, Extents<3, 3>> x) {
  double sum = 0;
  for (int64_t i = 0; i < 3; ++i) sum += static_cast<double>(x.at(i, i));
  return sum;
}

/// Tells what C++ sees, as one line.
String DescribeTensor(ConstTensorView x) {
  const auto list = [](ShapeView numbers) {
    std::string text;
    for (const int64_t number : numbers) text += std::to_string(number) + ",";
    return text;
  };
  return "shape " + list(x.shape()) + " strides " + list(x.strides()) + " device " +
         std::to_string(int{x.device().device_type}) + ":" + std::to_string(x.device().device_id);
}

Tensor ZerosOf(const Shape& shape) {
  Tensor made = Tensor::Empty(shape, DTypeOf<double>::value);
  for (int64_t i = 0; i < made.numel(); ++i) made.data_ptr<double>()[i] = 0;
  return made;
}

/// Gives a callback a tensor of ones that lives as long as the call.
Any LendTensor(const Function& callback, int64_t size) {
  TAIN_CHECK(size > 0 && size <= 1000) << "size must be in 1..1000, got " << size;
  std::vector<float> memory(static_cast<size_t>(size), 1.0f);
  int64_t shape[] = {size}, strides[] = {1};
  DLTensor tensor{memory.data(), {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, 0};
  Any result = callback(&tensor);
  return Array<Any>{std::move(result), static_cast<double>(memory[0])};
}

/// Keeps tensors.
class TensorHolder : public Object {
 public:
  Tensor tensor = Tensor::Empty({0}, DTypeOf<float>::value);
  Optional<Tensor> maybe;
  Array<Tensor> many;
  Any any;
  TAIN_OBJECT("testing.TensorHolder", TensorHolder, Object);
};

int64_t StreamOf(DLDevice device) {
  return reinterpret_cast<int64_t>(TainEnvGetStream(device.device_type, device.device_id));
}

/// A new vector with the elements of another one, `n` times.
Tensor Repeated(const Tensor& x, int64_t n) {
  constexpr int64_t kMost = 1000;  // also of an empty tensor, whose copies need no memory
  if (n > kMost) TAIN_THROW(ValueError) << "expected at most " << kMost << " copies, got " << n;
  Tensor made = Tensor::Empty({x.numel() * n}, x.dtype());
  for (int64_t i = 0; i < n; ++i) made.slice(0, i * x.numel(), x.numel()).copy_from(x);
  return made;
}

TAIN_REGISTER {
  tain::reflection::ObjectDef<TensorHolder>()
      .def_rw("tensor", &TensorHolder::tensor, "A tensor.")
      .def_rw("maybe", &TensorHolder::maybe, "A tensor or None.")
      .def_rw("many", &TensorHolder::many, "Tensors.")
      .def_rw("any", &TensorHolder::any, "Any value.")
      .def_init<>();
  tain::reflection::GlobalDef()
      .def("testing.tensor_add_one", &AddOneTo, arg("x"), arg("y"))
      .def("testing.tensor_sum", &TensorSum, arg("x"))
      .def("testing.tensor_sum32", &TensorSum32, arg("x"))
      .def("testing.tensor_trace", &TensorTrace, arg("x"))
      .def("testing.tensor_describe", &DescribeTensor, arg("x"))
      .def("testing.tensor_zeros", &ZerosOf, arg("shape"), tain::thread_safe())
      .def("testing.tensor_lend", &LendTensor, arg("callback"), arg("size"))
      .def(
          "testing.tensor_identity", [](Tensor x) { return x; }, arg("x"))
      .def(
          "testing.tensor_maybe", [](Optional<Tensor> x) { return x.has_value(); }, arg("x"))
      .def(
          "testing.tensor_negative",
          [](const Tensor& x) {
            Tensor made = Tensor::Empty(x.shape(), x.dtype());
            made.copy_from(x);
            auto* data = made.data_ptr<float>();
            for (int64_t i = 0; i < made.numel(); ++i) data[i] = -data[i];
            return made;
          },
          arg("x"))
      .def(
          "testing.tensor_apply", [](const Function& f, const Tensor& x) { return f(x); }, arg("f"),
          arg("x"))
      .def(
          "testing.tensor_first", [](const Tensor& x) { return x[0]; }, arg("x"))
      .def(
          "testing.tensor_rows", [](TensorRef<float, 2, RowMajor> x) { return x.size(0); },
          arg("x"))
      .def(
          "testing.tensor_columns", [](TensorRef<float, 2, ColumnMajor> x) { return x.size(1); },
          arg("x"))
      .def(
          "testing.tensor_pixels",
          [](TensorRef<const uint8_t, 3, Extents<-1, -1, 3>> x) { return x.size(0) * x.size(1); },
          arg("x"))
      .def(
          "testing.tensor_on_device",
          [](TensorRef<const void, kAnyRank, OnDevice<kDLExtDev>> x) { return x.numel(); },
          arg("x"))
      .def(
          "testing.tensor_stream", [](DLDevice device) { return StreamOf(device); }, arg("device"))
      .def(
          "testing.tensor_stream_in",
          [](const Tensor& x, const Optional<Function>& f) {
            if (f.has_value()) (*f)();
            return StreamOf(x.device());
          },
          arg("x"), arg("f") = nullptr, "The stream of the tensor's device after a call of f.")
      .def(
          "testing.tensor_like",
          [](const Tensor& x) {
            DLTensor prototype = *x.operator->();
            TainObject* made = nullptr;
            tain::internal::ThrowIfFailed(TainEnvTensorAlloc(&prototype, &made));
            return Tensor(tain::internal::RefAccess::Steal<tain::TensorObj>(made));
          },
          arg("x"), "A tensor of the allocator that is set, with the shape, type and device of x.")
      .def(
          "testing.tensor_overload", [](TensorView x) { return StreamOf(x.device()); }, arg("x"))
      .def(
          "testing.tensor_overload", [](const Tensor& x, int64_t n) { return Repeated(x, n); },
          arg("x"), arg("n"))
      .def("testing.tensor_nop", [](TensorView) {})
      .def("testing.tensor_nop1", [](TensorRef<const float, 1>) {})
      .def("testing.tensor_nop8", [](TensorView, TensorView, TensorView, TensorView, TensorView,
                                     TensorView, TensorView, TensorView) {});
}

}  // namespace
}  // namespace tain_testing
