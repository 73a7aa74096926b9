// SPDX-License-Identifier: Apache-2.0
// Classes as a library has them that knows nothing of tain; boxes.cc registers them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace foreign {

/// Returns what a parameter that may be null must have.
template <class Pointer>
auto& Given(const Pointer& given) {
  if (given == nullptr) throw std::invalid_argument("expected an object, got None");
  return *given;
}

/// Counts the objects of a class.
template <class T>
struct Counted {
  inline static int64_t alive = 0;
  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
};

struct Vec : Counted<Vec> {
  double x = 0, y = 0;
  Vec() = default;
  Vec(double x, double y) : x(x), y(y) {}
  double norm2() const { return x * x + y * y; }
  Vec operator+(const Vec& other) const { return {x + other.x, y + other.y}; }
  bool operator==(const Vec& other) const { return x == other.x && y == other.y; }
  Vec& scale(double by) {
    x *= by;
    y *= by;
    return *this;
  }
};

class Matrix : Counted<Matrix> {
 public:
  Matrix(int rows, int columns) : rows_(rows), columns_(columns) {
    if (rows < 0 || columns < 0) throw std::invalid_argument("a matrix has no negative size");
    cells_.resize(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  }
  static int64_t Alive() { return alive; }

  int rows() const { return rows_; }
  int columns() const noexcept { return columns_; }
  double get(int row, int column) const { return cells_.at(Index(row, column)); }
  void set(int row, int column, double value) { cells_.at(Index(row, column)) = value; }
  const Vec& corner() const { return origin; }
  Vec& origin_reference() { return origin; }
  Vec* origin_pointer() { return &origin; }
  Matrix& itself() { return *this; }
  std::vector<double>::const_iterator begin() const { return cells_.begin(); }
  std::vector<double>::const_iterator end() const { return cells_.end(); }

  Vec origin;
  std::string name = "matrix";
  const int version = 3;
  std::unique_ptr<Vec> extra;

 private:
  friend struct MatrixCopies;
  size_t Index(int row, int column) const {
    if (row < 0 || row >= rows_ || column < 0 || column >= columns_) {
      throw std::out_of_range("no such cell");
    }
    return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
  }
  int rows_, columns_;
  std::vector<double> cells_;
};

struct Tagged {
  int64_t tag = 5;
};

class Shape : public Counted<Shape> {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  std::string label = "shape";
};
// A Shape is not at the start of a Square.
class Square final : public Tagged, public Shape {
 public:
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  double side;
};
/// A class that the library does not show.
class Blob final : public Shape {
 public:
  double area() const override { return -1; }
};

struct Node : std::enable_shared_from_this<Node>, Counted<Node> {
  explicit Node(int64_t v) : value(v) {}
  Node& self() { return *this; }
  int64_t value;
  std::shared_ptr<Node> next;
};

/// A class without copies.
struct Handle : Counted<Handle> {
  explicit Handle(int64_t n) : number(n) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  int64_t number;
};

struct alignas(64) Wide {
  float lanes[16] = {};
  bool Aligned() const { return reinterpret_cast<uintptr_t>(this) % 64 == 0; }
};

/// A class with its own operator new.
struct Pooled {
  inline static int64_t allocated = 0, freed = 0;
  int64_t number = 0;
  explicit Pooled(int64_t n) : number(n) {}
  static void* operator new(size_t size) {
    ++allocated;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
  }
  static void operator delete(void* memory) {
    ++freed;
    std::free(memory);
  }
};

/// A class whose destructor throws.
struct Angry {
  ~Angry() noexcept(false) { throw std::runtime_error("no"); }
};

/// A class that only its owner destroys.
class Managed {
 public:
  int64_t number = 11;
  static Managed& Only() {
    static Managed* only = new Managed();
    return *only;
  }

 private:
  ~Managed() = default;
};

/// A class with a public base, for a box that inherits.
struct Gauge {
  double level = 1.5;
  double doubled() const { return level * 2; }
};

/// A class that nobody registers.
struct Unknown {};

}  // namespace foreign
