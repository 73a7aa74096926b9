# SPDX-License-Identifier: Apache-2.0
"""Texts of errors that are not UTF-8: no kind, message, cause, file or frame is lost."""

from __future__ import annotations

import traceback
from typing import Any

import pytest
from errors import raises

import tain

pytestmark = pytest.mark.bad_input

SOURCE = r"""
#include <tain/stl.h>
#include <tain/iterator.h>
namespace latin {
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
  int64_t code = 7;
};
std::string Hex(const std::string& text) {
  std::string out;
  for (unsigned char c : text) {
    out += "0123456789abcdef"[c / 16];
    out += "0123456789abcdef"[c % 16];
  }
  return out;
}
}  // namespace latin
using namespace latin;
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ErrorDef<Lost>("latin.Lost", "ConnectionError").def_ro("code", &Lost::code);
  refl::GlobalDef()
      .def("latin.runtime_error", [] { throw std::runtime_error("caf\xe9 is closed"); })
      .def("latin.out_of_range", [] { throw std::out_of_range("caf\xe9"); })
      .def("latin.error_def", [] { throw Lost("caf\xe9"); })
      .def("latin.tain_throw", [] { TAIN_THROW(KeyError) << "caf\xe9"; })
      .def("latin.kind", [] { throw tain::Error("Od\xe9", "m"); })
      .def("latin.frames", [] {
        throw tain::Error("ValueError", "m", "  File \"caf\xe9.cc\", line 3, in f\xe9\n");
      })
      .def("latin.system", [] { throw std::system_error(5, std::generic_category(), "caf\xe9"); })
      .def("latin.file", [] {
        throw std::filesystem::filesystem_error(
            "open", "/caf\xe9", std::make_error_code(std::errc::no_such_file_or_directory));
      })
      .def("latin.nested", [] {
        try { throw std::out_of_range("caf\xe9"); }
        catch (...) { std::throw_with_nested(std::runtime_error("outer")); }
      })
      .def("latin.context", [] {
        try { TAIN_THROW(KeyError) << "caf\xe9"; }
        catch (const tain::Error&) { TAIN_THROW(ValueError) << "second"; }
      })
      .def("latin.iterate", [](int64_t n) {
        return tain::make_generator([n]() mutable -> std::optional<int64_t> {
          if (n-- == 0) throw std::out_of_range("caf\xe9");
          return n;
        });
      })
      .def("latin.seen", [](tain::Function f) {
        try { f(); } catch (const std::exception& error) { return Hex(error.what()); }
        return std::string();
      })
      .def("latin.warn", [](std::string category) { tain::warn(category, "caf\xe9"); });
}
"""


@pytest.fixture(scope="module")
def latin() -> Any:
    tain.cpp.load_inline("latin", cpp_sources=SOURCE)
    return tain.types.latin


@pytest.mark.parametrize(
    ("name", "error", "text"),
    [
        ("runtime_error", RuntimeError, "caf\udce9 is closed"),
        ("out_of_range", IndexError, "caf\udce9"),
        ("tain_throw", KeyError, "'caf\\udce9'"),
        ("system", OSError, "[Errno 5] caf\udce9: Input/output error"),
        ("file", FileNotFoundError, "[Errno 2] No such file or directory: '/caf\\udce9'"),
    ],
)
def test_kind_and_message(latin: Any, name: str, error: type[Exception], text: str) -> None:
    with raises(error, text) as caught:
        getattr(latin, name)()
    assert type(caught.value) is error


def test_an_error_def(latin: Any) -> None:
    with raises(latin.Lost, "caf\udce9") as caught:
        latin.error_def()
    assert caught.value.code == 7


def test_the_file_of_an_error(latin: Any) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        latin.file()
    assert caught.value.filename == "/caf\udce9"


def test_the_kind_of_an_error(latin: Any) -> None:
    with raises(tain.Error, "m") as caught:
        latin.kind()
    assert caught.value.kind == "Od\udce9"


def test_causes_and_contexts(latin: Any) -> None:
    with raises(RuntimeError, "outer") as caught:
        latin.nested()
    assert repr(caught.value.__cause__) == "IndexError('caf\\udce9')"
    with raises(ValueError, "second") as caught:
        latin.context()
    assert repr(caught.value.__context__) == "KeyError('caf\\udce9')"


def test_the_traceback_has_every_frame(latin: Any) -> None:
    with raises(ValueError, "m") as caught:
        latin.frames()
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == ("caf\udce9.cc", 3, "f\\xe9")


def test_an_iterator(latin: Any) -> None:
    with raises(IndexError, "caf\udce9"):
        list(latin.iterate(1))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("caf\udce9", "636166edb3a9"),
        ("\ud800", "eda080"),
        ("\ud800\udce9", "eda080edb3a9"),
        ("é", "c3a9"),
    ],
)
def test_messages_of_python(latin: Any, text: str, seen: str) -> None:
    """A surrogate is three bytes in C++, as in all text."""

    def fail() -> None:
        raise ValueError(text)

    assert latin.seen(fail) == seen


def test_a_text_goes_through_both_languages(latin: Any) -> None:
    assert latin.seen(latin.runtime_error) == b"caf\xe9 is closed".hex()


def test_a_warning(latin: Any) -> None:
    with pytest.warns(DeprecationWarning, match="caf") as caught:
        latin.warn("DeprecationWarning")
    assert str(caught[0].message) == "caf\udce9"
    for category in ("ValueError", "int", "", "Od\udce9", "object"):
        text = "expected the name of a class of warnings, such as UserWarning, got "
        with raises(TypeError, f"warn: {text}{category!r}"):
            latin.warn(category)
