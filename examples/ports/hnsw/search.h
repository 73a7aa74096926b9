// SPDX-License-Identifier: Apache-2.0
// What both bindings do with hnswlib: rows of an array, shared out to threads. Knows no Python.
#pragma once

#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace search {

using Space = hnswlib::SpaceInterface<float>;
using Index = hnswlib::HierarchicalNSW<float>;

/// Calls body(row) for each row, on `threads` threads; on all processors if that is 0.
template <class Body>
void ForEachRow(size_t rows, size_t threads, const Body& body) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = std::min(threads, rows);
  if (threads <= 1) {
    for (size_t row = 0; row < rows; ++row) body(row);
    return;
  }
  std::atomic<size_t> next = 0;
  std::mutex lock;
  std::exception_ptr error;
  auto run = [&] {
    try {
      for (size_t row; (row = next++) < rows;) body(row);
    } catch (...) {
      std::lock_guard<std::mutex> guard(lock);
      error = std::current_exception();
      next = rows;
    }
  };
  std::vector<std::thread> pool;
  for (size_t i = 0; i < threads; ++i) pool.emplace_back(run);
  for (std::thread& thread : pool) thread.join();
  if (error) std::rethrow_exception(error);
}

inline size_t Dim(const Index& index) { return index.data_size_ / sizeof(float); }

inline void CheckDim(const Index& index, size_t dim) {
  if (dim == Dim(index)) return;
  throw std::invalid_argument("expected rows of " + std::to_string(Dim(index)) + " numbers, got " +
                              std::to_string(dim));
}

/// Adds each row under its label, or under the next numbers.
inline void Add(Index& index, const float* data, size_t rows, size_t dim,
                std::optional<std::pair<const uint64_t*, size_t>> labels, size_t threads) {
  CheckDim(index, dim);
  if (labels && labels->second != rows) {
    throw std::invalid_argument("expected " + std::to_string(rows) + " labels, got " +
                                std::to_string(labels->second));
  }
  const size_t first = index.cur_element_count;
  auto add = [&](size_t row) {
    index.addPoint(data + row * dim, labels ? labels->first[row] : first + row);
  };
  if (rows != 0 && first == 0) add(0);  // the first one makes the entry of the graph
  const size_t done = first == 0 ? 1 : 0;
  if (rows > done) ForEachRow(rows - done, threads, [&](size_t row) { add(row + done); });
}

/// Finds the k nearest of each row; `labels` and `distances` have k elements for each.
inline void Find(const Index& index, const float* data, size_t rows, size_t dim, size_t k,
                 uint64_t* labels, float* distances, size_t threads) {
  CheckDim(index, dim);
  ForEachRow(rows, threads, [&](size_t row) {
    auto found = index.searchKnn(data + row * dim, k);
    if (found.size() != k) {
      throw std::invalid_argument("found " + std::to_string(found.size()) + " of k=" +
                                  std::to_string(k) + " neighbors: is ef or M too small?");
    }
    for (size_t i = k; i-- > 0; found.pop()) {
      distances[row * k + i] = found.top().first;
      labels[row * k + i] = found.top().second;
    }
  });
}

/// Returns where the index holds the vector of a label.
inline const float* Vector(const Index& index, size_t label) {
  const auto found = index.label_lookup_.find(label);
  if (found == index.label_lookup_.end()) {
    throw std::out_of_range("there is no label " + std::to_string(label));
  }
  return reinterpret_cast<const float*>(index.getDataByInternalId(found->second));
}

}  // namespace search
