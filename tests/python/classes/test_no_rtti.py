# SPDX-License-Identifier: Apache-2.0
"""Libraries compiled with -fno-rtti: boxes, exceptions, and classes shared with other libraries."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from errors import raises

import tain

SHARED = r"""
#include <tain/boxed.h>
#include <tain/stl.h>
namespace rtti_lib {
struct Plain {
  int64_t x = 1;
};
}  // namespace rtti_lib
"""
WITH = r"""
TAIN_REGISTER {
  using rtti_lib::Plain;
  namespace refl = tain::reflection;
  refl::ObjectDef<tain::Boxed<Plain>>("with_rtti.Plain").def_init<>().def_rw("x", &Plain::x);
}
"""
WITHOUT = r"""
namespace bare {
struct Shape {
  int64_t sides = 3;
  virtual ~Shape() = default;
  virtual int64_t area() const { return sides; }
};
struct Square : Shape {
  int64_t area() const override { return 100; }
};
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
  int64_t code = 7;
};
struct Child : Lost { using Lost::Lost; };
struct Node : tain::Object {
  int64_t n = 2;
  TAIN_VIRTUAL(twice)
  virtual int64_t twice_impl() { return 2 * n; }
  int64_t call() { return twice(); }
  virtual ~Node() = default;
  TAIN_OBJECT("bare.Node", Node, tain::Object);
};
}  // namespace bare
TAIN_REGISTER {
  using namespace bare;
  namespace refl = tain::reflection;
  refl::ErrorDef<Lost>("bare.Lost", "ConnectionError").def_rw("code", &Lost::code);
  refl::ObjectDef<tain::Boxed<Shape>>("bare.Shape")
      .def_init<>().def_rw("sides", &Shape::sides).def("area", &Shape::area);
  refl::ObjectDef<Node>().def_init<>().def_rw("n", &Node::n)
      .def_virtual("twice", &Node::twice_impl).def("call", &Node::call);
  refl::GlobalDef()
      .def("bare.plus", [](const rtti_lib::Plain& plain) { return plain.x + 1; })
      .def("bare.make", [] { rtti_lib::Plain made; made.x = 5; return made; })
      .def("bare.unique", [] { return std::unique_ptr<Shape>(new Square); })
      .def("bare.shared", [] { return std::shared_ptr<Shape>(std::make_shared<Square>()); })
      .def("bare.take", [](std::unique_ptr<Shape> shape) { return shape->area(); })
      .def("bare.lost", [] { Lost lost("m"); lost.code = 9; throw lost; })
      .def("bare.child", [] { throw Child("c"); })
      .def("bare.file", [] { throw std::filesystem::filesystem_error(
          "open", "/nowhere", std::make_error_code(std::errc::no_such_file_or_directory)); })
      .def("bare.number", [] { throw 42; })
      .def("bare.caught", [](tain::Function f) {
        try { f(); } catch (const Lost& lost) { return lost.code; }
        return int64_t{0};
      });
}
"""


@pytest.fixture(scope="module")
def bare() -> Any:
    tain.cpp.load_inline("with_rtti", cpp_sources=SHARED + WITH)
    tain.cpp.load_inline("bare", cpp_sources=SHARED + WITHOUT, extra_cflags=["-fno-rtti"])
    return tain.types.bare


def test_a_class_is_one_for_libraries_with_and_without_rtti(bare: Any) -> None:
    plain = tain.types.with_rtti.Plain()
    plain.x = 4
    assert bare.plus(plain) == 5
    assert type(bare.make()) is tain.types.with_rtti.Plain
    assert bare.make().x == 5


def test_polymorphic_boxes(bare: Any) -> None:
    shape = bare.Shape()
    shape.sides = 4
    assert (shape.area(), copy.copy(shape).sides) == (4, 4)
    assert (bare.unique().area(), bare.shared().area()) == (100, 100)
    assert bare.take(bare.unique()) == 100


def test_an_object_whose_class_is_not_known_is_not_sliced(bare: Any) -> None:
    with pytest.raises(TypeError, match=r"bare\.Shape: the object is of a derived class"):
        copy.copy(bare.shared())


def test_exceptions(bare: Any) -> None:
    for name, text, code in [("lost", "m", 9), ("child", "c", 7)]:
        with raises(bare.Lost, text) as caught:
            getattr(bare, name)()
        assert caught.value.code == code
    with raises(FileNotFoundError, "[Errno 2] No such file or directory: '/nowhere'"):
        bare.file()
    with raises(RuntimeError, "C++ exception of type int"):
        bare.number()
    lost = bare.Lost("from Python")
    lost.code = 5

    def fail() -> None:
        raise lost

    assert bare.caught(fail) == 5
    lost.__traceback__ = None


def test_overrides(bare: Any) -> None:
    class Mine(bare.Node):  # type: ignore[misc]
        def twice(self) -> int:
            return 20

    assert (bare.Node().call(), Mine().call()) == (4, 20)
