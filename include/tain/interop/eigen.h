// SPDX-License-Identifier: Apache-2.0
// Eigen's matrices, vectors and arrays as parameters, results and fields.
//
//   Eigen::MatrixXd Solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);   // copies
//   void Scale(Eigen::Ref<Eigen::VectorXd> x, double by);                        // in place
//   double Sum(Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<-1, -1>> x);   // a view
// A parameter takes an array of exactly the element type, of two dimensions; a vector also one of
// one dimension. A matrix and Ref<const M> take any layout (a Ref copies what it cannot view), Ref<M>
// and Map only arrays that lie in memory as their type says. A result by value is not copied: the
// Tensor owns it. Sparse matrices and Eigen::Tensor do not cross.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tain/function.h"
#include "tain/tensor.h"

namespace tain::interop {

template <class M>
inline constexpr bool kIsDense = std::is_base_of_v<Eigen::PlainObjectBase<M>, M>;
/// Eigen::Matrix or Eigen::Array.
template <class M>
concept EigenDense = requires { typename M::Scalar; } && kIsDense<M>;

/// Where the elements of an array lie, in units of elements.
struct EigenLayout {
  void* data;
  Eigen::Index rows, cols, row_stride, col_stride;
};

/// How a class of Eigen reads arrays. M may be const, which also takes read-only arrays.
template <class M>
struct EigenReader {
  using Plain = std::remove_const_t<M>;
  using Scalar = typename Plain::Scalar;
  static constexpr int kRows = Plain::RowsAtCompileTime;
  static constexpr int kCols = Plain::ColsAtCompileTime;
  static constexpr bool kVector = Plain::IsVectorAtCompileTime != 0;
  static constexpr internal::TensorRules kRules{
      !std::is_const_v<M>, DTypeOf<Scalar>::value, -1, true, 0, 0, 0, nullptr};

  /// Gets the layout of an array; false if it has another element type or shape.
  static bool Read(const TainAny* a, EigenLayout* out) noexcept {
    const TainAny view = internal::Referred(*a);
    if (!internal::FollowsRules(&view, kRules)) return false;
    const DLTensor& t = *internal::TensorIn(view);
    out->data = static_cast<char*>(t.data) + t.byte_offset;
    if (t.ndim == 2) {
      *out = {out->data, t.shape[0], t.shape[1], t.strides[0], t.strides[1]};
    } else if (t.ndim == 1 && kVector) {
      const bool is_row = kRows == 1 && kCols != 1;
      *out = {out->data, is_row ? 1 : t.shape[0], is_row ? t.shape[0] : 1,
              is_row ? t.shape[0] * t.strides[0] : t.strides[0],
              is_row ? t.strides[0] : t.shape[0] * t.strides[0]};
    } else {
      return false;
    }
    return Fits(out->rows, kRows, Plain::MaxRowsAtCompileTime) &&
           Fits(out->cols, kCols, Plain::MaxColsAtCompileTime);
  }
  static Mismatch Explain(const TainAny* a) {
    const TainAny view = internal::Referred(*a);
    if (!internal::FollowsRules(&view, kRules)) return internal::TensorMismatch(a, kRules);
    const DLTensor& t = *internal::TensorIn(view);
    std::string given;
    for (int32_t i = 0; i < t.ndim; ++i) {
      given += (i == 0 ? "" : ", ") + std::to_string(t.shape[i]);
    }
    return Mismatch::Because("Tensor with shape " + ShapeText())
        .Got("shape (" + given + (t.ndim == 1 ? ",)" : ")"));
  }

 private:
  static bool Fits(Eigen::Index size, int fixed, int most) noexcept {
    return (fixed == Eigen::Dynamic || size == fixed) && (most == Eigen::Dynamic || size <= most);
  }
  static std::string Extent(int fixed, int most) {
    if (fixed != Eigen::Dynamic) return std::to_string(fixed);
    return most == Eigen::Dynamic ? "*" : "0.." + std::to_string(most);
  }
  static std::string ShapeText() {
    const std::string rows = Extent(kRows, Plain::MaxRowsAtCompileTime);
    const std::string cols = Extent(kCols, Plain::MaxColsAtCompileTime);
    const std::string both = "(" + rows + ", " + cols + ")";
    return kVector ? "(" + (kRows == 1 && kCols != 1 ? cols : rows) + ",) or " + both : both;
  }
};

/// A view by Map<M, options, Stride> of arrays whose layout is that of the type.
template <class M, int kOptions, class Stride>
struct EigenMapReader {
  using Reader = EigenReader<M>;
  using Plain = typename Reader::Plain;
  using Map = Eigen::Map<M, kOptions, Stride>;
  static constexpr bool kRowMajor = Plain::IsRowMajor != 0;

  static std::optional<Map> Read(const TainAny* a) noexcept {
    EigenLayout at;
    if (!Reader::Read(a, &at)) return std::nullopt;
    const Eigen::Index inner_size = kRowMajor ? at.cols : at.rows;
    const Eigen::Index outer_size = kRowMajor ? at.rows : at.cols;
    Eigen::Index inner = kRowMajor ? at.col_stride : at.row_stride;
    Eigen::Index outer = kRowMajor ? at.row_stride : at.col_stride;
    // The strides of dimensions with one element say nothing.
    if (inner_size <= 1) inner = kInner > 0 ? kInner : 1;
    if (outer_size <= 1) outer = kOuter > 0 ? kOuter : inner_size * inner;
    if (inner < 0 || outer < 0) return std::nullopt;  // Eigen has no negative strides
    if (kInner != Eigen::Dynamic && inner != (kInner == 0 ? 1 : kInner)) return std::nullopt;
    if (kOuter != Eigen::Dynamic && outer != (kOuter == 0 ? inner_size * inner : kOuter)) {
      return std::nullopt;
    }
    const auto address = reinterpret_cast<uintptr_t>(at.data);
    if (kOptions != 0 && address % static_cast<uintptr_t>(kOptions) != 0) return std::nullopt;
    using Pointer = std::conditional_t<std::is_const_v<M>, const typename Reader::Scalar*,
                                       typename Reader::Scalar*>;
    return Map(static_cast<Pointer>(at.data), at.rows, at.cols, StrideOf(outer, inner));
  }
  static Mismatch Explain(const TainAny* a) {
    EigenLayout at;
    if (!Reader::Read(a, &at)) return Reader::Explain(a);
    std::string text = kOptions == 0 ? "Tensor " : "aligned Tensor ";
    text += kRowMajor ? "in row-major layout" : "in column-major layout";
    return Mismatch::Because(text + (kInner == 0 || kInner == 1 ? " with adjacent elements" : ""))
        .Got("strides (" + std::to_string(at.row_stride) + ", " + std::to_string(at.col_stride) +
             ")");
  }

 private:
  static constexpr int kInner = Stride::InnerStrideAtCompileTime;
  static constexpr int kOuter = Stride::OuterStrideAtCompileTime;

  static Stride StrideOf([[maybe_unused]] Eigen::Index outer, [[maybe_unused]] Eigen::Index inner) {
    if constexpr (kInner != Eigen::Dynamic && kOuter != Eigen::Dynamic) {
      return Stride();
    } else if constexpr (std::is_constructible_v<Stride, Eigen::Index, Eigen::Index>) {
      return Stride(outer, inner);
    } else {
      return Stride(kOuter == Eigen::Dynamic ? outer : inner);
    }
  }
};

/// The traits of Map and Ref, which are views: parameters only.
template <class T, class Reader>
struct EigenViewTraits : TypeTraitsBase {
  static constexpr bool kStorable = false;
  static constexpr bool kViewable = false;
  template <class V>
  static void MoveToAny(V, TainAny*) {
    static_assert(!std::is_same_v<V, T>,
                  "a view of Eigen cannot be a result: it does not keep its elements alive. Return "
                  "an Eigen::Matrix by value");
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return Reader::Read(a).has_value(); }
  static std::string TypeStr() { return "Tensor"; }
  static Mismatch ExplainMismatch(const TainAny* a) { return Reader::Explain(a); }
};

template <class T>
inline constexpr bool kIsRef = false;
template <class M, int kOptions, class Stride>
inline constexpr bool kIsRef<Eigen::Ref<M, kOptions, Stride>> = true;

}  // namespace tain::interop

namespace tain {

template <interop::EigenDense M>
struct TypeTraits<M> : internal::ReadingTraits<M> {
  using Reader = interop::EigenReader<const M>;
  using Scalar = typename M::Scalar;
  static constexpr bool kViewable = false;

  /// The matrix moves into memory that the Tensor owns.
  static void MoveToAny(M v, TainAny* out) {
    auto owned = std::make_unique<M>(std::move(v));
    const bool is_vector = Reader::kVector;
    const auto step = [](Eigen::Index stride) { return static_cast<int64_t>(stride); };
    int64_t shape[2] = {is_vector ? owned->size() : owned->rows(), owned->cols()};
    int64_t strides[2] = {is_vector ? 1 : step(M::IsRowMajor ? owned->outerStride() : 1),
                          step(M::IsRowMajor ? 1 : owned->outerStride())};
    DLTensor prototype{};
    prototype.data = owned->data();
    prototype.device = {kDLCPU, 0};
    prototype.dtype = DTypeOf<Scalar>::value;
    prototype.ndim = is_vector ? 1 : 2;
    prototype.shape = shape;
    prototype.strides = strides;
    TainTensorTail tail{};
    tail.owner = owned.get();
    tail.release = [](TainTensorTail* self) { delete static_cast<M*>(self->owner); };
    Tensor made(internal::MakeTensor(prototype, tail));  // owns the matrix if it does not throw
    owned.release();
    TypeTraits<Tensor>::MoveToAny(std::move(made), out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    interop::EigenLayout at;
    return Reader::Read(a, &at);
  }
  static M CopyFromAnyViewAfterCheck(const TainAny* a) {
    M read;
    ReadInto(a, &read);
    return read;
  }
  static bool ReadInto(const TainAny* a, M* out) {
    interop::EigenLayout at;
    if (!Reader::Read(a, &at)) return false;
    out->resize(at.rows, at.cols);
    const auto* data = static_cast<const Scalar*>(at.data);
    for (Eigen::Index j = 0; j < at.cols; ++j) {
      for (Eigen::Index i = 0; i < at.rows; ++i) {
        (*out)(i, j) = data[i * at.row_stride + j * at.col_stride];
      }
    }
    return true;
  }
  static std::string TypeStr() { return "Tensor"; }
  static Mismatch ExplainMismatch(const TainAny* a) { return Reader::Explain(a); }
};

template <class M, int kOptions, class Stride>
struct TypeTraits<Eigen::Map<M, kOptions, Stride>>
    : interop::EigenViewTraits<Eigen::Map<M, kOptions, Stride>,
                               interop::EigenMapReader<M, kOptions, Stride>> {
  using Reader = interop::EigenMapReader<M, kOptions, Stride>;
  using T = Eigen::Map<M, kOptions, Stride>;
  static std::optional<T> TryCastFromAnyView(const TainAny* a) noexcept { return Reader::Read(a); }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept { return *Reader::Read(a); }
};

template <class M, int kOptions, class Stride>
struct TypeTraits<Eigen::Ref<M, kOptions, Stride>>
    : interop::EigenViewTraits<Eigen::Ref<M, kOptions, Stride>,
                               interop::EigenMapReader<M, kOptions, Stride>> {};

}  // namespace tain

namespace tain::internal {

/// A Ref may hold a copy, to which copies of the Ref refer, so it is made where it stays.
template <class P, int32_t kIndex>
  requires interop::kIsRef<std::remove_cv_t<std::remove_reference_t<P>>>
struct Argument<P, kIndex, false> {
  using R = std::remove_cv_t<std::remove_reference_t<P>>;

  std::optional<R> value;

  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*) {
    Read(static_cast<R*>(nullptr), info, args[kIndex]);
  }
  P&& Forward() noexcept { return static_cast<P&&>(*value); }

 private:
  template <class M, int kOptions, class Stride>
  void Read(Eigen::Ref<M, kOptions, Stride>*, const TainFunctionInfo* info, const TainAny& a) {
    using Reader = interop::EigenMapReader<M, kOptions, Stride>;
    if (auto map = Reader::Read(&a)) {
      value.emplace(*map);
      return;
    }
    if constexpr (std::is_const_v<M>) {
      using Plain = std::remove_const_t<M>;
      if (TypeTraits<Plain>::CheckAnyStrict(&a)) {
        // A product with one is an expression, of which the Ref makes a copy of its own.
        const Plain copy = TypeTraits<Plain>::CopyFromAnyViewAfterCheck(&a);
        value.emplace(copy * typename Plain::Scalar(1));
        return;
      }
    }
    ThrowArgument(info, kIndex, &Reader::Explain, a);
  }
};

}  // namespace tain::internal
