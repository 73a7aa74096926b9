// SPDX-License-Identifier: Apache-2.0
// An extension module of pybind11 whose functions and classes take and return objects of tain.
#include <pybind11/pybind11.h>
#include <tain/interop/pybind11.h>

#include <vector>

#include "sketch.h"

namespace py = pybind11;

namespace {

/// A class of pybind11 that holds objects of tain.
class Path {
 public:
  void add(sketch::Point point) { points_.push_back(std::move(point)); }
  tain::Ptr<sketch::PointObj> last() const {
    if (points_.empty()) return nullptr;
    return points_.back();
  }
  size_t size() const { return points_.size(); }

 private:
  std::vector<sketch::Point> points_;
};

}  // namespace

PYBIND11_MODULE(drawing, m) {
  py::class_<Path>(m, "Path")
      .def(py::init<>())
      .def("add", &Path::add)
      .def("last", &Path::last)
      .def("__len__", &Path::size);
  m.def("same", [](sketch::Point point) { return point; });
  m.def("middle", [](sketch::Point a, sketch::Point b) -> sketch::Point {
    return tain::make_object<sketch::PointObj>((a->x + b->x) / 2, (a->y + b->y) / 2);
  });
  m.def("anything", [](tain::Any value) { return value; });
}
