// SPDX-License-Identifier: Apache-2.0
// hnswlib in Python, with tain.
#include <tain/boxed.h>
#include <tain/stl.h>
#include <tain/tain.h>

#include "search.h"

namespace {

using search::Index;
using search::Space;
using tain::Tensor;
using Rows = tain::TensorRef<const float, 2, tain::RowMajor, tain::Convert>;
using Labels = tain::TensorRef<const uint64_t, 1, tain::RowMajor, tain::Convert>;

void Add(Index& index, Rows rows, const std::optional<Labels>& labels, size_t threads) {
  std::optional<std::pair<const uint64_t*, size_t>> given;
  if (labels) given.emplace(labels->data(), labels->size(0));
  search::Add(index, rows.data(), rows.size(0), rows.size(1), given, threads);
}

std::pair<Tensor, Tensor> Query(const Index& index, Rows rows, size_t k, size_t threads) {
  const auto shape = {rows.size(0), static_cast<int64_t>(k)};
  auto labels = Tensor::Empty(shape, tain::DTypeOf<uint64_t>::value);
  auto distances = Tensor::Empty(shape, tain::DTypeOf<float>::value);
  search::Find(index, rows.data(), rows.size(0), rows.size(1), k, labels.data_ptr<uint64_t>(),
               distances.data_ptr<float>(), threads);
  return {labels, distances};
}

/// A view into the index, which it keeps alive.
Tensor Vector(const tain::Ref<tain::Boxed<Index>>& index, size_t label) {
  const Index& self = *index->get();
  return Tensor::View(search::Vector(self, label), {static_cast<int64_t>(search::Dim(self))},
                      index);
}

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  using tain::Boxed;

  // Not tain::thread_safe(), as far as nothing waits: hnswlib locks some changes of an index only.
  refl::LibraryDef().set(tain::as_numpy());
  refl::ObjectDef<Boxed<Space>>("hnsw.Space").def_property("data_size", &Space::get_data_size);
  refl::ObjectDef<Boxed<hnswlib::L2Space>>("hnsw.L2Space", tain::boxed_base<Space>())
      .def_init<size_t>(arg("dim"));
  refl::ObjectDef<Boxed<hnswlib::InnerProductSpace>>("hnsw.InnerProductSpace",
                                                     tain::boxed_base<Space>())
      .def_init<size_t>(arg("dim"));
  refl::ObjectDef<Boxed<Index>>("hnsw.Index")
      .def_init<Space*, size_t, size_t, size_t, size_t>(arg("space"), arg("max_elements"),
                                                        arg("M") = 16, arg("ef_construction") = 200,
                                                        arg("random_seed") = 100)
      .def_init<Space*, const std::string&>(arg("space"), arg("location"))
      .def_ro("max_elements", &Index::max_elements_)
      .def_ro("element_count", &Index::cur_element_count)
      .def_rw("ef", &Index::ef_)
      .def("add_items", Add, arg("rows"), arg("labels") = nullptr, arg("threads") = 0,
           tain::release_gil())
      .def("query", Query, arg("rows"), arg("k") = 1, arg("threads") = 0, tain::release_gil())
      .def("vector", Vector, arg("label"))
      .def("mark_deleted", &Index::markDelete, arg("label"))
      .def("resize", &Index::resizeIndex, arg("max_elements"))
      .def("save", &Index::saveIndex, arg("location"), tain::release_gil());
}

}  // namespace
