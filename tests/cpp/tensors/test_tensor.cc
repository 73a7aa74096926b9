// SPDX-License-Identifier: Apache-2.0
// Tensor and its views: memory, elements, views, DLPack, allocators.
#include "tain/tensor.h"

#include "helpers/value_helpers.h"
#include "tain/function.h"
#include "tain/tensor/tensor_ref.h"

using namespace tain;
using namespace tain_test;

namespace {

/// Returns 0, 1, 2 ... in this shape.
Tensor Numbers(std::initializer_list<int64_t> shape) {
  Tensor made = Tensor::Empty(shape, DTypeOf<float>::value);
  for (int64_t i = 0; i < made.numel(); ++i) {
    made.data_ptr<float>()[i] = static_cast<float>(i);
  }
  return made;
}

/// Counts what it allocates and frees.
struct CountingAlloc {
  int* live;
  void AllocData(DLTensor* tensor, int extra = 0) {
    *live += 1 + extra;
    tensor->data = ::operator new(static_cast<size_t>(internal::NumElements(*tensor)) * 4);
  }
  void FreeData(DLTensor* tensor) {
    --*live;
    ::operator delete(tensor->data);
  }
};

}  // namespace

TEST_CASE("a Tensor has memory of its own, row-major and aligned") {
  const NothingLeft check;
  const Tensor t = Numbers({2, 3});
  CHECK(t.ndim() == 2);
  CHECK(t.size(0) == 2);
  CHECK(t.size(-1) == 3);
  CHECK(t.stride(0) == 3);
  CHECK(t.numel() == 6);
  CHECK(t.nbytes() == 24);
  CHECK(t.is_contiguous());
  CHECK(t->dtype == DLDataType{kDLFloat, 32, 1});
  CHECK(t.device() == DLDevice{kDLCPU, 0});
  CHECK(reinterpret_cast<uintptr_t>(t->data) % 64 == 0);
  CHECK(t.at<float>(1, 2) == 5);
  CHECK(Tensor::Empty({}, DTypeOf<bool>::value).numel() == 1);
  CHECK(Tensor::Empty({0, 3}, DTypeOf<bool>::value).numel() == 0);
}

TEST_CASE("what is out of range is an error") {
  const Tensor t = Numbers({2, 3});
  CHECK(ThrownBy([&] { t.at<float>(2, 0); }) ==
        "IndexError: Tensor index 2 out of range for dimension 0 of extent 2");
  CHECK(ThrownBy([&] { t.at<float>(0); }) == "IndexError: Tensor: expected 2 indices, got 1");
  CHECK(ThrownBy([&] { t.at<double>(0, 0); }) ==
        "TypeError: Tensor: expected elements of type float64, got float32");
  CHECK(ThrownBy([&] { t.size(2); }) ==
        "IndexError: Tensor: dimension 2 out of range for a tensor of 2 dimensions");
  CHECK(ThrownBy([&] { t[2]; }) ==
        "IndexError: Tensor index 2 out of range for dimension 0 of extent 2");
  CHECK(ThrownBy([&] { t.slice(1, 2, 2); }) ==
        "IndexError: Tensor.slice: 2 elements from 2 with step 1 leave dimension 1 of extent 3");
  CHECK(ThrownBy([&] { t.slice(1, 0, 2, INT64_MAX); }).substr(0, 11) == "IndexError:");
  CHECK(ThrownBy([&] { Tensor::Empty({-1}, DTypeOf<float>::value); }) ==
        "ValueError: Tensor: expected extents of at least 0, got (-1,)");
  CHECK(ThrownBy([&] {
          const int64_t shape[] = {2, 2}, strides[] = {3, 2};
          t.as_strided(shape, strides, 1);
        }).substr(0, 10) == "ValueError");
  CHECK(ThrownBy([&] {
          const int64_t shape[] = {1}, strides[] = {1};
          t.as_strided(shape, strides, INT64_MAX);
        }).substr(0, 10) == "ValueError");
}

TEST_CASE("views share the memory and keep it") {
  const NothingLeft check;
  Tensor row;
  {
    const Tensor t = Numbers({3, 4});
    row = t[1];
    CHECK(t.use_count() == 2);
    const Tensor column = t.select(1, -1);
    CHECK(column.at<float>(2) == 11);
    const Tensor backwards = t.slice(0, 2, 3, -1);
    CHECK(backwards.at<float>(0, 0) == 8);
    CHECK(backwards.at<float>(2, 3) == 3);
    CHECK(!backwards.is_contiguous());
  }
  CHECK(row.at<float>(3) == 7);
  row.at<float>(3) = 70;
  CHECK(row.slice(0, 1, 3).at<float>(2) == 70);
}

TEST_CASE("elements are copied between layouts, also where they overlap") {
  const Tensor t = Numbers({2, 3});
  const Tensor transposed = t.as_strided({3, 2}, {1, 3});
  const Tensor made = Tensor::Empty({3, 2}, t.dtype());
  made.copy_from(transposed);
  CHECK(made.at<float>(2, 0) == 2);
  CHECK(made.at<float>(0, 1) == 3);
  const Tensor line = Numbers({4});
  line.slice(0, 1, 3).copy_from(line.slice(0, 0, 3));
  CHECK(line.at<float>(3) == 2);
  CHECK(ThrownBy([&] { made.copy_from(t); }) ==
        "ValueError: Tensor.copy_from: expected float32, shape (3, 2), got float32, shape (2, 3)");
}

TEST_CASE("DLPack goes out and comes back") {
  const NothingLeft check;
  Tensor back;
  {
    const Tensor t = Numbers({2, 2});
    back = Tensor::FromDLPackVersioned(t.ToDLPackVersioned());
    const Tensor old = Tensor::FromDLPack(t.ToDLPack());
    CHECK(old->data == t->data);
  }
  CHECK(back.at<float>(1, 1) == 3);
}

TEST_CASE("an allocator of the author's own") {
  int live = 0;
  {
    const int64_t shape[] = {3};
    const Tensor t =
        Tensor::FromNDAlloc(CountingAlloc{&live}, shape, DTypeOf<int32_t>::value, {kDLCPU, 0}, 1);
    CHECK(live == 2);
    CHECK(t.numel() == 3);
    live = 1;
  }
  CHECK(live == 0);
}

TEST_CASE("typed views say what they take") {
  const Tensor t = Numbers({2, 3});
  const TensorRef<const float, 2> view(t);
  CHECK(view(1, 1) == 4);
  CHECK(view.at(0, 2) == 2);
  const TensorRef<float, kAnyRank, RowMajor> dense(t);
  CHECK(dense.elements().size() == 6);
  CHECK(ThrownBy([&] { TensorRef<double, 2> wrong(t); }) ==
        "TypeError: expected Tensor of float64 with 2 dimensions, got Tensor (float32, shape (2, "
        "3))");
  CHECK(ThrownBy([&] { TensorRef<float, 2, Extents<2, 4>> wrong(t); }) ==
        "TypeError: expected Tensor of float32 with shape (2, 4), got Tensor (float32, shape (2, "
        "3))");
  CHECK(ThrownBy([&] { TensorRef<float, 2, ColumnMajor> wrong(t); }).substr(0, 34) ==
        "TypeError: expected column-major T");
}

TEST_CASE("functions take tensors and views; a view cannot be stored") {
  const Function sum = Function::FromTyped([](TensorRef<const float> x) {
    float total = 0;
    for (int64_t i = 0; i < x.size(0); ++i) total += x(i);
    return total;
  });
  const Tensor t = Numbers({4});
  CHECK(sum(t).cast<float>() == 6);
  CHECK(sum(TensorView(t)).cast<float>() == 6);
  const Function keep = Function::FromTyped([](Any x) { return x; });
  CHECK(keep(t).cast<Tensor>().same_as(t));
  CHECK(ThrownBy([&] { keep(TensorView(t)); }).substr(0, 58) ==
        "TypeError: a view of a tensor cannot be stored, because it");
}
