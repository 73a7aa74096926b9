# SPDX-License-Identifier: Apache-2.0
"""tain::warn: warnings of Python from C++."""

from __future__ import annotations

import subprocess
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest
from errors import raises

import tain
from tain import libinfo

SOURCE = r"""
#include <tain/stl.h>
struct Odd : std::runtime_error { using std::runtime_error::runtime_error; };
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ErrorDef<Odd>("warning.Odd", "FutureWarning", "Something odd.");
  refl::GlobalDef()
      .def("warning.plain", [](std::string text) { tain::warn(text); return 1; })
      .def("warning.of", [](std::string kind, std::string text) {
        tain::warn(kind, text);
        return 2;
      })
      .def("warning.without_gil", [] { tain::warn("alone"); }, tain::release_gil())
      .def("warning.caught", [](std::string text) {
        try { tain::warn(text); } catch (const tain::Error& error) { return error.kind(); }
        return std::string("nothing");
      });
}
"""


@pytest.fixture(scope="module")
def warning() -> Any:
    tain.cpp.load_inline("warning", cpp_sources=SOURCE)
    return tain.types.warning


def test_category_text_and_place(warning: Any) -> None:
    with pytest.warns(UserWarning, match=r"^look here$") as caught:
        assert warning.plain("look here") == 1
    assert [str(each.message) for each in caught] == ["look here"]
    assert caught[0].category is UserWarning
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"^old$"):
        assert warning.of("DeprecationWarning", "old") == 2


def test_a_class_of_an_error_def(warning: Any) -> None:
    with pytest.warns(warning.Odd, match=r"^strange$") as caught:
        warning.of("warning.Odd", "strange")
    assert issubclass(caught[0].category, FutureWarning)


def test_filters_apply(warning: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert warning.plain("unseen") == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with raises(UserWarning, "an error now"):
            warning.plain("an error now")
        assert warning.caught("an error now") == "UserWarning"


def test_without_the_gil_and_on_another_thread(warning: Any) -> None:
    with pytest.warns(UserWarning, match=r"^alone$"):
        warning.without_gil()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        thread = threading.Thread(target=warning.without_gil)
        thread.start()
        thread.join()
    assert [str(each.message) for each in caught] == ["alone"]


def test_a_program_without_python(tmp_path: Path) -> None:
    source, program = tmp_path / "warn.cc", tmp_path / "warn"
    source.write_text(
        '#include <tain/warn.h>\nint main() { tain::warn("FutureWarning", "soon"); }\n'
    )
    libtain = Path(libinfo.find_libtain())
    command = ["g++", *libinfo.cxxflags(), str(source), "-o", str(program), str(libtain)]
    subprocess.run([*command, f"-Wl,-rpath,{libtain.parent}"], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "FutureWarning: soon\n")
