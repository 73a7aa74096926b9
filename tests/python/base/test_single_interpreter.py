# SPDX-License-Identifier: Apache-2.0
"""One interpreter, with or without a GIL: a second one is refused."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path

import pytest
from interpreter import FREE_THREADED

only_free_threaded = pytest.mark.only_if(FREE_THREADED, reason="there is always a GIL")


def import_with_gil(value: str | None) -> subprocess.CompletedProcess[str]:
    """Import tain in a new process that has this value of PYTHON_GIL."""
    code = """
        import sys, warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            import tain
        assert tain.types.testing.Point(1).x == 1
        print(sys._is_gil_enabled(), *("GIL" in str(each.message) for each in caught))
    """
    env = {name: text for name, text in os.environ.items() if name != "PYTHON_GIL"}
    if value is not None:
        env["PYTHON_GIL"] = value
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@only_free_threaded
def test_importing_leaves_the_gil_as_it_is() -> None:
    assert import_with_gil(None).stdout == "False\n"
    assert import_with_gil("0").stdout == "False\n"
    assert import_with_gil("1").stdout == "True\n"


@pytest.mark.bad_input
@pytest.mark.parametrize("first", ["pass", "import tain"])
def test_a_subinterpreter_is_refused(run, first: str) -> None:
    code = """
        import textwrap
        FIRST
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        code = '''
        try:
            import tain
        except ImportError as error:
            print(type(error).__name__, error)
        '''
        other = interpreters.create()
        interpreters.run_string(other, textwrap.dedent(code))
        interpreters.destroy(other)
        import tain  # still works here
        assert tain.types.testing.Point(1).x == 1
        assert list(tain.Dict({"a": 1}).items()) == [("a", 1)]
        """
    text = run(code.replace("FIRST", first))
    assert text.startswith("ImportError ")
    assert "interpreter" in text


EMBEDDING = """
#include <Python.h>
int main(int argc, char** argv) {
  for (int i = 0; i < 2; ++i) {
    Py_InitializeEx(0);
    if (argc != 2 || PyRun_SimpleString(argv[1]) != 0 || Py_FinalizeEx() != 0) return 3;
  }
  return 0;
}
"""
LIBPYTHON = Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LDLIBRARY"))


@pytest.mark.bad_input
@pytest.mark.only_if(
    LIBPYTHON.suffix != ".a" and LIBPYTHON.exists(), reason="needs a shared Python"
)
def test_a_second_initialization_is_refused(tmp_path: Path) -> None:
    """A program that finalizes Python and initializes it again cannot import tain again."""
    source, program = tmp_path / "embed.c", tmp_path / "embed"
    source.write_text(EMBEDDING)
    include = sysconfig.get_paths()["include"]
    found = [f"-I{include}", str(LIBPYTHON), f"-Wl,-rpath,{LIBPYTHON.parent}"]
    subprocess.run(["cc", str(source), "-o", str(program), *found], check=True)
    code = """
        try:
            import tain
            print(tain.types.testing.Point(1).x)
        except BaseException as error:
            print(type(error).__name__, error)
        """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHOME": sys.base_prefix}
    done = subprocess.run(
        [str(program), textwrap.dedent(code)], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "1.0\nImportError tain cannot be imported again after Python was finalized: its classes "
        "belong to the interpreter that has ended. Initialize Python once in a process\n"
    )
