# SPDX-License-Identifier: Apache-2.0
"""What is written for each kind of declaration, as Python sees it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

HEADER = """
#pragma once
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// A library of everything.
namespace lib {

constexpr int kLimit = 12;
#define LIB_VERSION "1.5"

/// How fast.
enum class Speed { kSlow, /**< not fast */ kFast = 5 };

/// What went wrong.
class Failure : public std::out_of_range {
 public:
  using std::out_of_range::out_of_range;
  int code = 3;
};

struct Vec {
  double x = 1;
  double y = 2;
};

/// A shape
/// with a name.
class Shape {
 public:
  explicit Shape(std::string name = "shape", int count = kLimit) : name_(name), count_(count) {}
  virtual ~Shape() = default;
  /**
   * @brief The area.
   * @param scale  how much larger
   * @return the area in square metres
   * @throws lib::Failure if there is none
   */
  virtual double area(double scale = 1) const = 0;
  virtual std::string text(const std::string& before, Speed speed = Speed::kFast) {
    return before + name_ + (speed == Speed::kFast ? "!" : "");
  }
  const std::string& getName() const { return name_; }
  void setName(const std::string& to) { name_ = to; }
  int count() const { return count_; }
  Vec at(Vec by = {}) const { return {by.x + 1, by.y}; }
  bool operator!() const { return count_ == 0; }
  double class_(int from, std::optional<int> pass = std::nullopt, const char* lambda = "l") const {
    return from + pass.value_or(1) + lambda[0];
  }
  int overloaded(int a) const { return a; }
  template <class T> int overloaded(T) const { return -1; }
  template <class T> T as() const { return static_cast<T>(count_); }
  void out(int& value, std::string* also) const { value = count_; *also = name_; }
  int bits : 3 = 1;
  const char* label = "label";
  friend std::ostream& operator<<(std::ostream& out, const Shape& s) { return out << s.name_; }

 private:
  std::string name_;
  int count_;
};

class Square final : public Shape {
 public:
  explicit Square(double side) : Shape("square"), side_(side) {}
  double area(double scale) const override { return scale * side_ * side_; }
 private:
  double side_;
};

inline double total(const std::vector<std::shared_ptr<Shape>>& shapes, double scale = 2) {
  double sum = 0;
  for (const auto& one : shapes) sum += one->area(scale);
  return sum;
}
inline std::string described(Shape& shape) { return shape.text("a "); }
inline void fail() { throw Failure("nothing"); }
inline Shape* made(double side) { return new Square(side); }

template <class T> struct Pair { T first{}; T second{}; T sum() const { return first + second; } };
using Pairs = std::vector<Pair<int>>;
inline Pair<int> paired(int a) { return {a, a}; }

class Numbers {
 public:
  std::vector<int>::const_iterator begin() const { return all_.begin(); }
  std::vector<int>::const_iterator end() const { return all_.end(); }
  int& operator[](size_t at) { return all_[at]; }
  Numbers& operator+=(int value) { all_.push_back(value); return *this; }
 private:
  std::vector<int> all_;
};

}  // namespace lib
"""

SETTINGS = """
headers = ["lib.h"]
namespaces = ["lib"]
macros = ["LIB_*"]
snake_case = true
property = { "lib::Shape::get*" = "set*" }
[rename]
"lib::Shape::count" = "number"
[instances]
"lib::Pair<int>" = "IntPair"
"lib::Shape::as<double>" = "as_double"
[returns]
"lib::made" = "take"
[outputs]
"lib::Shape::out" = "out"
[members]
"lib::Square" = '.def("extra", [](const lib::Square& self) { return self.area(10); })'
"""

PROGRAM = """
    import gc
    import inspect

    import tain
    from tain.types import lib

    assert lib.__doc__ == "A library of everything." and lib.LIB_VERSION == "1.5"
    assert lib.kLimit == 12 and lib.Speed.kFast == 5 and lib.Speed.__doc__ == "How fast."
    assert "with a name." in lib.Shape.__doc__
    area = lib.Shape.area.__doc__
    assert "The area." in area and "square metres" in area and "lib::Failure" in area, area
    parameters = tain.type_info("lib.Shape").methods[0].function.args
    assert [one.doc for one in parameters][-1] == "how much larger", parameters
    assert str(inspect.signature(lib.Shape.text)).startswith(
        "(self, before: str, speed: tain.types.lib.Speed = "
    ), inspect.signature(lib.Shape.text)
    assert str(inspect.signature(lib.Shape)) == "(name: str = 'shape', count: int = 12)"
    assert str(inspect.signature(lib.Shape.area)) == "(self, scale: float = 1.0) -> float"


    class Circle(lib.Shape):
        def __init__(self):
            super().__init__("circle", 2)

        def area(self, scale=1):
            return 3 * scale

        def text(self, before, speed):
            return super().text(before, speed).upper()


    circle, square = Circle(), lib.Square(2)
    assert lib.total([circle, square]) == 14 and lib.total([circle], scale=1) == 3
    assert lib.described(circle) == "A CIRCLE!" and lib.described(square) == "a square!"
    assert circle.name == "circle" and circle.number() == 2
    circle.name = "round"
    assert str(circle) == "round" and bool(circle)
    assert circle.at().x == 2 and circle.at(lib.Vec(x=5)).x == 6
    assert circle.class_(from_=1, pass_=2) == 3 + ord("l")
    assert circle.overloaded(4) == 4 and circle.as_double() == 2.0
    assert circle.out() == (2, "round") and circle.label == "label"
    assert square.extra() == 40 and type(lib.made(3)) is lib.Square
    assert lib.paired(4).sum() == 8 and type(lib.paired(4)) is lib.IntPair
    numbers = lib.Numbers()
    numbers += 3
    numbers += 4
    numbers[0] = 9
    assert list(numbers) == [9, 4] and numbers[1] == 4
    try:
        lib.fail()
    except lib.Failure as error:
        assert isinstance(error, IndexError) and str(error) == "nothing" and error.code == 3
    else:
        raise AssertionError
    skipped = dict(tain.type_info("lib.Shape").skipped)
    assert skipped["bits"] == "it is a bit field", skipped
    assert skipped["overloaded"] == "it is a template", skipped
    del circle, square
    gc.collect()
"""


def test_rules(tmp_path: Path, describe: Callable[..., Any], compiled: Callable[..., Path]) -> None:
    (tmp_path / "lib.h").write_text(HEADER)
    (tmp_path / "describe.toml").write_text(SETTINGS)
    result = describe("--settings", "describe.toml", "-o", "lib.cc", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    library = compiled(tmp_path / "lib.cc", f"-I{tmp_path}")
    program = f"import tain\n\nloaded = tain.load_library({str(library)!r})\n{dedent(PROGRAM)}"
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0 and not run.stderr, run.stderr


HARD_HEADER = """
#pragma once
#include <memory>
#include <vector>
namespace hard {
namespace detail {
struct Counted {
  int base(int a, double by) const { return a + static_cast<int>(by); }
  int more(int a, std::vector<int> b = std::vector<int>{}) const {
    return a + static_cast<int>(b.size());
  }
};
}  // namespace detail
/// Its copy constructor is declared, and does not compile.
struct Owner : detail::Counted {
  std::vector<std::unique_ptr<int>> all;
  int size() const { return static_cast<int>(all.size()); }
};
struct Defaulted {
  Defaulted() = default;
  int value = 1;
};
inline int use(const Defaulted& from) { return from.value; }
inline int good(int a) { return a; }
inline std::vector<int> pair() { return {1, 2}; }
inline void spread(int a, double by = pair().size() / 2.0, int& out = *new int) {
  out = int(a * by);
}
}  // namespace hard
"""
HARD_PROGRAM = """
    import copy

    from tain.types import hard

    assert hard.spread(3, 2.0) == 6 and hard.spread(3) == 3  # not 3 times something else
    owner = hard.Owner()
    assert owner.base(1, 2.0) == 3 and owner.more(2) == 2 and owner.more(2, [1, 1]) == 4
    assert owner.size() == 0 and hard.good(3) == 3 and hard.use(hard.Defaulted(value=4)) == 4
    try:
        copy.copy(owner)
    except TypeError as error:
        assert "copied" in str(error), error
    else:
        raise AssertionError
"""


def test_what_does_not_compile_is_left_out(
    tmp_path: Path, describe: Callable[..., Any], compiled: Callable[..., Path]
) -> None:
    (tmp_path / "hard.h").write_text(HARD_HEADER)
    settings = 'headers = ["hard.h"]\nnamespaces = ["hard"]\nexclude = ["hard::detail::*"]\n'
    settings += 'outputs = {"hard::spread" = "out"}\n'
    (tmp_path / "describe.toml").write_text(settings)
    result = describe("--settings", "describe.toml", "-o", "hard.cc", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "tain::no_copy()" in (tmp_path / "hard.cc").read_text()
    library = compiled(tmp_path / "hard.cc", f"-I{tmp_path}")
    program = f"import tain\n\ntain.load_library({str(library)!r})\n{dedent(HARD_PROGRAM)}"
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0 and not run.stderr, run.stderr


def test_words_of_the_headers_are_not_lost_in_a_second_run(
    tmp_path: Path, describe: Callable[..., Any]
) -> None:
    (tmp_path / "lib.h").write_text(HEADER)
    (tmp_path / "describe.toml").write_text(SETTINGS)
    texts = [describe("--settings", "describe.toml", folder=tmp_path).stdout for _ in range(2)]
    assert texts[0] == texts[1] != ""
