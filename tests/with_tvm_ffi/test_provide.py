# SPDX-License-Identifier: Apache-2.0
"""How programs get the package `tvm_ffi`, for one run or installed; a process has one provider."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import textwrap
import venv
from collections.abc import Callable
from pathlib import Path

import pytest
import tain_tvm_ffi

HERE = Path(__file__).parent


def text_of(*command: str, status: int = 0) -> str:
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, timeout=300
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def scratch(tmp_path: Path) -> Callable[..., str]:
    """A new environment that sees what this one has; returns how to run its Python."""
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    ask = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    site = Path(text_of(str(python), "-c", ask).strip())
    seen = {sysconfig.get_paths()["purelib"], str(Path(tain_tvm_ffi.__file__).parents[1])}
    lines = [f"import site; site.addsitedir({path!r})" for path in sorted(seen)]
    (site / "seen.pth").write_text("\n".join(lines) + "\n")

    def run(*arguments: str, status: int = 0) -> str:
        return text_of(str(python), *arguments, status=status)

    run.python, run.site = str(python), site  # type: ignore[attr-defined]
    return run


def test_run_a_file_and_a_module(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, subprocess, tvm_ffi\n"
        "print(sys.argv, tvm_ffi.convert([1]), __name__)\n"
        "if len(sys.argv) > 1:\n"
        "    subprocess.run([sys.executable, __file__], check=True)\n"
    )
    run = [sys.executable, "-m", "tain_tvm_ffi", "run"]
    assert text_of(*run, str(program)) == f"['{program}'] [1] __main__\n"
    assert "[1] __main__" in text_of(*run, str(program), "-x")  # in the process it starts, too
    assert "usage" in text_of(*run, "-m", "json.tool", "-h")
    assert "expected a file, or -m and a module" in text_of(*run, status=1)
    assert "No such file" in text_of(*run, str(tmp_path / "none.py"), status=1)


def test_provide_and_uninstall(scratch: Callable[..., str]) -> None:
    said = scratch("-m", "tain_tvm_ffi", "provide", "--version", "0.1.13.post3")
    assert "apache-tvm-ffi 0.1.13.post3+tain" in said
    shown = scratch(
        "-c",
        "import tvm_ffi, importlib.metadata as m;"
        "print(m.version('apache-tvm-ffi'), tvm_ffi.__file__);"
        "print(tvm_ffi.convert({'a': 1}), tvm_ffi.libinfo.find_libtvm_ffi())",
    )
    assert shown.startswith("0.1.13.post3+tain ")
    assert "{'a': 1}" in shown
    assert (scratch.site / "tvm_ffi" / "lib" / tain_tvm_ffi.library_path().name).exists()
    scratch("-m", "tain_tvm_ffi", "provide")  # again, with another version
    assert len(list(scratch.site.glob("apache_tvm_ffi-*"))) == 1
    pip = [sys.executable, "-m", "pip", "--python", scratch.python]
    assert "0.1.15+tain" in text_of(*pip, "list")
    text_of(*pip, "uninstall", "-y", "apache-tvm-ffi")
    assert not (scratch.site / "tvm_ffi").exists()
    assert "No module named 'tvm_ffi'" in scratch("-c", "import tvm_ffi", status=1)


def test_provide_refuses(scratch: Callable[..., str]) -> None:
    assert "expected a version such as" in scratch(
        "-m", "tain_tvm_ffi", "provide", "--version", "new", status=1
    )
    info = scratch.site / "apache_tvm_ffi-0.1.15.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: apache-tvm-ffi\nVersion: 0.1.15\n")
    said = scratch("-m", "tain_tvm_ffi", "provide", status=1)
    assert "apache-tvm-ffi 0.1.15 itself is installed" in said
    assert not (scratch.site / "tvm_ffi").exists()
    (info / "METADATA").unlink()
    info.rmdir()
    (scratch.site / "tvm_ffi").mkdir()
    assert "belongs to no package" in scratch("-m", "tain_tvm_ffi", "provide", status=1)


@pytest.fixture(scope="module")
def another(compiled: Callable[..., Path]) -> Path:
    return compiled(HERE / "fixtures" / "another_runtime.c", "-Wl,--as-needed")


def run_code(code: str, status: int = 0) -> str:
    return text_of(sys.executable, "-c", textwrap.dedent(code), status=status)


@pytest.mark.parametrize("mode", ["RTLD_LOCAL", "RTLD_GLOBAL"])
def test_another_runtime_that_came_first(another: Path, mode: str) -> None:
    said = run_code(
        f"""
        import ctypes
        ctypes.CDLL({str(another)!r}, ctypes.{mode})
        import tain_tvm_ffi
        tain_tvm_ffi.load()
        """,
        status=1,
    )
    assert said.rstrip().endswith(
        f"ImportError: cannot load {tain_tvm_ffi.library_path()}: {another}, already in this "
        "process, is another runtime of the same binary interface; a process can have one"
    )


def test_another_runtime_that_comes_later(another: Path, compiled: Callable[..., Path]) -> None:
    """A client is refused then: it is not known whose names it would get."""
    client = compiled(HERE / "fixtures" / "client.c")
    said = run_code(
        f"""
        import ctypes, tain, tain_tvm_ffi
        tain_tvm_ffi.load()
        ctypes.CDLL({str(another)!r})
        tain.load_module({str(client)!r})
        """
    )
    assert said == ""  # its names are all this library's: the other one has but one


def test_a_client_without_the_library(compiled: Callable[..., Path]) -> None:
    client = compiled(HERE / "fixtures" / "client.c")
    said = run_code(f"import tain; tain.load_module({str(client)!r})", status=1)
    assert "ImportError: cannot load" in said
    assert "Run it with tain_tvm_ffi" in said


def test_a_client_that_came_first(compiled: Callable[..., Path]) -> None:
    """It has brought the library itself, which is then the one that the package loads."""
    folder = tain_tvm_ffi.library_path().parent
    client = compiled(HERE / "fixtures" / "client.c", f"-Wl,-rpath,{folder}")
    assert (
        run_code(
            f"""
            import tain, ctypes
            ctypes.CDLL({str(client)!r})
            import tain_tvm_ffi
            tain_tvm_ffi.load()
            print(len(tain._core.list_definitions("TVMFFIGetVersion")))
            print(tain.get_global_func("client.add")(1, 2))
            """
        )
        == "1\n3\n"
    )


def test_many_threads_load_it() -> None:
    assert (
        run_code(
            """
            import threading, tain_tvm_ffi
            made = []
            threads = [threading.Thread(target=lambda: made.append(tain_tvm_ffi.load()._handle))
                       for _ in range(16)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print(len(made), len(set(made)))
            """
        )
        == "16 1\n"
    )
