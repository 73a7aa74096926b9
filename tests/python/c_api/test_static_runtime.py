# SPDX-License-Identifier: Apache-2.0
"""Libraries that have a C++ runtime of their own: exceptions keep kind, text, cause and fields.

With `-static-libstdc++` a library has its own state of the exceptions that it handles, which
libtain cannot see.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from errors import raises

import tain

SOURCE = r"""
#include <tain/stl.h>
#include <any>
#include <future>
#include <ios>
#include <typeinfo>
namespace NAME {
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
  int64_t code = 7;
};
struct Deeper : Lost { using Lost::Lost; };
struct Odd {};
struct Picky : tain::Object {
  int64_t value = 0;
  explicit Picky(int64_t v) : value(v) { if (v < 0) throw std::out_of_range("below zero"); }
  int64_t get(int64_t i) const { return std::vector<int64_t>{value}.at(i); }
  TAIN_OBJECT("NAME.Picky", Picky, tain::Object);
};
}
using namespace NAME;
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ErrorDef<Lost>("NAME.Lost", "ConnectionError").def_rw("code", &Lost::code);
  refl::ObjectDef<Picky>().def_init<int64_t>().def("get", &Picky::get);
  refl::GlobalDef()
      .def("NAME.out_of_range", [] { throw std::out_of_range("m"); })
      .def("NAME.invalid_argument", [] { throw std::invalid_argument("m"); })
      .def("NAME.domain_error", [] { throw std::domain_error("m"); })
      .def("NAME.length_error", [] { throw std::length_error("m"); })
      .def("NAME.overflow_error", [] { throw std::overflow_error("m"); })
      .def("NAME.range_error", [] { throw std::range_error("m"); })
      .def("NAME.runtime_error", [] { throw std::runtime_error("m"); })
      .def("NAME.bad_any_cast", [] { return std::any_cast<int>(std::any(1.5)); })
      .def("NAME.bad_alloc", [] { throw std::bad_alloc(); })
      .def("NAME.bad_array", [] { throw std::bad_array_new_length(); })
      .def("NAME.number", [] { throw 42; })
      .def("NAME.odd", [] { throw Odd(); })
      .def("NAME.system", [] { throw std::system_error(2, std::system_category(), "m"); })
      .def("NAME.generic", [] {
        throw std::system_error(std::make_error_code(std::errc::io_error));
      })
      .def("NAME.stream", [] { throw std::ios_base::failure("m"); })
      .def("NAME.file", [] {
        throw std::filesystem::filesystem_error(
            "open", "/nowhere", std::make_error_code(std::errc::no_such_file_or_directory));
      })
      .def("NAME.lost", [] { Lost lost("m"); lost.code = 9; throw lost; })
      .def("NAME.deeper", [] { throw Deeper("m"); })
      .def("NAME.tain_throw", [] { TAIN_THROW(KeyError) << "m"; })
      .def("NAME.tain_error", [] { throw tain::Error("LookupError", "m"); })
      .def("NAME.tain_cast", [](tain::Any any) { return any.cast<int64_t>(); })
      .def("NAME.nested", [] {
        try { throw std::out_of_range("inner"); }
        catch (...) { std::throw_with_nested(std::runtime_error("outer")); }
      })
      .def("NAME.context", [] {
        try { TAIN_THROW(KeyError) << "first"; }
        catch (const tain::Error&) { TAIN_THROW(ValueError) << "second"; }
      })
      .def("NAME.call", [](tain::Function f) { return f(); })
      .def("NAME.caught", [](tain::Function f) {
        try { f(); }
        catch (const Lost& lost) { return lost.what() + std::to_string(lost.code); }
        catch (const tain::Error& error) { return error.kind(); }
        return std::string("nothing");
      })
      .def("NAME.changed", [](tain::Function f) {
        try { f(); } catch (Lost& lost) { lost.code = 11; throw; }
      })
      .def("NAME.still_flying", [] { return std::uncaught_exceptions(); });
}
"""

LINKED = {
    "shared": [],
    "static": ["-static-libstdc++", "-static-libgcc"],
    "hidden": ["-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL"],
}


@pytest.fixture(scope="module")
def spaces() -> dict[str, Any]:
    """The namespaces of the libraries."""
    made = {}
    for kind, flags in LINKED.items():
        name = f"{kind}_runtime"
        source = SOURCE.replace("NAME", name)
        tain.cpp.load_inline(name, cpp_sources=source, extra_ldflags=flags)
        made[kind] = getattr(tain.types, name)
    return made


@pytest.fixture(params=LINKED)
def library(spaces: dict[str, Any], request: pytest.FixtureRequest) -> Any:
    return spaces[request.param]


STANDARD = [
    ("out_of_range", IndexError, "m"),
    ("invalid_argument", ValueError, "m"),
    ("domain_error", ValueError, "m"),
    ("length_error", ValueError, "m"),
    ("overflow_error", OverflowError, "m"),
    ("range_error", OverflowError, "m"),
    ("runtime_error", RuntimeError, "m"),
    ("bad_any_cast", TypeError, "bad any_cast"),
    ("bad_alloc", MemoryError, "out of memory"),
    ("bad_array", MemoryError, "out of memory"),
    ("number", RuntimeError, "C++ exception of type int"),
    ("odd", RuntimeError, "C++ exception of type NAME::Odd"),
    ("system", FileNotFoundError, "[Errno 2] m: No such file or directory"),
    ("generic", OSError, "[Errno 5] Input/output error"),
    ("stream", RuntimeError, "m: iostream error"),
    ("file", FileNotFoundError, "[Errno 2] No such file or directory: '/nowhere'"),
    ("tain_throw", KeyError, "'m'"),
    ("tain_error", LookupError, "m"),
]


@pytest.mark.parametrize(("name", "error", "text"), STANDARD)
def test_exceptions_keep_kind_and_text(
    library: Any, name: str, error: type[Exception], text: str
) -> None:
    with raises(error, text.replace("NAME", library.__name__.split(".")[-1])) as caught:
        getattr(library, name)()
    assert type(caught.value) is error


def test_exceptions_of_an_error_def(library: Any) -> None:
    for name, code in [("lost", 9), ("deeper", 7)]:
        with raises(library.Lost, "m") as caught:
            getattr(library, name)()
        assert caught.value.code == code


def test_what_libtain_throws_arrives(library: Any) -> None:
    with raises(TypeError, "expected int, got str ('a')"):
        library.tain_cast("a")
    with pytest.raises(TypeError, match="argument arg0: expected"):
        library.call(1)


def test_constructors_and_methods(library: Any) -> None:
    assert library.Picky(3).get(0) == 3
    with raises(IndexError, "below zero"):
        library.Picky(-1)
    with pytest.raises(IndexError, match="vector::_M_range_check"):
        library.Picky(3).get(1)


def test_causes(library: Any) -> None:
    with raises(RuntimeError, "outer") as caught:
        library.nested()
    assert repr(caught.value.__cause__) == "IndexError('inner')"
    with raises(ValueError, "second") as caught:
        library.context()
    assert repr(caught.value.__context__) == "KeyError('first')"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), KeyError("k"), SystemExit(3)])
def test_python_exceptions_pass_through(library: Any, error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        library.call(fail)
    assert caught.value is error
    error.__traceback__ = None


def test_cpp_catches_what_python_raises(library: Any) -> None:
    def fail(error: Exception) -> Callable[[], None]:
        def run() -> None:
            raise error

        return run

    lost = library.Lost("from Python")
    lost.code = 5
    assert library.caught(fail(lost)) == "from Python5"
    assert library.caught(fail(KeyError("k"))) == "KeyError"
    with raises(library.Lost, "from Python") as caught:
        library.changed(fail(lost))
    assert caught.value is lost
    assert lost.code == 11


def test_many_exceptions_leave_nothing_behind(library: Any) -> None:
    """An exception that one runtime throws and another handles is freed, and leaves no handler."""
    lost = library.Lost("again")

    def fail() -> None:
        raise lost

    for _ in range(300):
        for name in ("out_of_range", "lost", "nested", "context", "file"):
            with pytest.raises(Exception, match=r"."):
                getattr(library, name)()
        assert library.caught(fail) == "again7"
    assert sys.exc_info() == (None, None, None)
    lost.__traceback__ = None


def test_an_error_class_of_another_library(spaces: dict[str, Any]) -> None:
    """What one library throws passes through the frames and handlers of the others."""
    for thrower in spaces.values():
        for catcher in spaces.values():
            for call in (catcher.call, catcher.caught):
                if call is catcher.caught and catcher is thrower:
                    continue
                with raises(thrower.Lost, "m") as caught:
                    call(thrower.lost)
                assert caught.value.code == 9
