// SPDX-License-Identifier: Apache-2.0
// Functions of Eigen's matrices, vectors, arrays and views.
#include <Eigen/Geometry>
#include <complex>

#include "tain/interop/eigen.h"
#include "tain/tain.h"

namespace {

using Complexes =
    Eigen::Matrix<std::complex<float>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using AnyStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using tain::arg;

struct Frame : tain::Object {
  Eigen::Matrix2d axes = Eigen::Matrix2d::Identity();
  TAIN_OBJECT("eigen.Frame", Frame, tain::Object);
};

template <class T>
T Same(const T& value) {
  return value;
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<Frame>().def_init<>().def_rw("axes", &Frame::axes);
  refl::GlobalDef()
      .def("eigen.matrix", Same<Eigen::MatrixXd>, arg("x"))
      .def("eigen.vector", Same<Eigen::VectorXd>, arg("x"))
      .def("eigen.row", Same<Eigen::RowVectorXd>, arg("x"))
      .def("eigen.complexes", Same<Complexes>, arg("x"))
      .def(
          "eigen.ints", [](const Eigen::ArrayXXi& x) { return Eigen::ArrayXXi(x + 1); }, arg("x"))
      .def("eigen.at_most", Same<Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>>, arg("x"))
      .def(
          "eigen.cross",
          [](const Eigen::Vector3f& a, Eigen::Vector3f b) { return Eigen::Vector3f(a.cross(b)); },
          arg("a"), arg("b"))
      .def(
          "eigen.scale", [](Eigen::Ref<Eigen::VectorXd> x, double by) { x *= by; }, arg("x"),
          arg("by"))
      .def(
          "eigen.scale_matrix", [](Eigen::Ref<Eigen::MatrixXd> x, double by) { x *= by; }, arg("x"),
          arg("by"))
      .def(
          "eigen.sum", [](const Eigen::Ref<const Eigen::MatrixXd>& x) { return x.sum(); }, arg("x"))
      .def(
          "eigen.address",
          [](Eigen::Ref<const Eigen::MatrixXd> x) { return reinterpret_cast<int64_t>(x.data()); },
          arg("x"))
      .def(
          "eigen.corner", [](Eigen::Map<const Eigen::MatrixXd, 0, AnyStride> x) { return x(0, 1); },
          arg("x"))
      .def(
          "eigen.set_corner",
          [](Eigen::Map<Eigen::MatrixXd, 0, AnyStride> x, double value) { x(0, 1) = value; },
          arg("x"), arg("value"))
      .def(
          "eigen.dense_sum", [](Eigen::Map<const Eigen::MatrixXd> x) { return x.sum(); }, arg("x"))
      .def(
          "eigen.optional",
          [](const tain::Optional<Eigen::VectorXd>& x) {
            return x.has_value() ? static_cast<int64_t>(x.value().size()) : int64_t{-1};
          },
          arg("x"));
}
