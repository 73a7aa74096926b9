// SPDX-License-Identifier: Apache-2.0
// The classes that boxes_*.cc bind: a class of another library, of which nothing may be changed.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace model {

struct Leaf {
  int64_t id = 0;
  explicit Leaf(int64_t i) : id(i) {}
};

/// Gives its leaves by reference and by std::shared_ptr: the same ones, or new ones.
struct Tree {
  Leaf member{1};
  std::shared_ptr<Leaf> root = std::make_shared<Leaf>(2);

  Leaf& ref() { return member; }
  std::shared_ptr<Leaf> get() const { return root; }
  std::shared_ptr<Leaf> make() const { return std::make_shared<Leaf>(3); }
  std::pair<std::shared_ptr<Leaf>, float> score() const { return {root, 0.5f}; }
  std::pair<std::shared_ptr<Leaf>, float> new_score() const { return {make(), 0.5f}; }
};

/// Python classes override `scaled`.
struct Form {
  virtual ~Form() = default;
  virtual int64_t scaled(int64_t x) const { return x + 1; }
};

inline int64_t SumOfScaled(const Form& form, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += form.scaled(i);
  return sum;
}

}  // namespace model
