# SPDX-License-Identifier: Apache-2.0
"""Which packages tain needs, and when: numpy for arrays, others for tain.cpp, none for types."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

# The packages of others that parts of tain use.
OTHERS = ("numpy", "filelock", "platformdirs", "typing_extensions", "ninja")
IMPORTER = """
import tain
from tain.types.testing import Point
assert Point(3, y=4).norm() == 5
assert tain.Array([1, "two", Point(3)])[2].x == 3
assert tain.load_json(tain.save_json(Point(1))).x == 1
"""
AUTHOR = """
@tain.py_class("dependencies.Pair")
class Pair:
    a: int
    b: float = 0.5
assert Pair(1).b == 0.5
"""
COMPILER = 'tain.cpp.build_inline("one", cpp_sources="int one() { return 1; }", functions="one")\n'


def run(code: str, *missing: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new interpreter in which some packages are not installed."""
    hide = f"import sys\nsys.modules.update(dict.fromkeys({missing!r}))\n"
    return subprocess.run(
        [sys.executable, "-c", hide + code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )


def test_what_is_installed_with_tain() -> None:
    required = metadata.requires("tain") or []
    assert [line for line in required if "extra ==" not in line] == [
        "numpy",
        "filelock",
        "platformdirs",
    ]
    extra = [re.split(r" *;", line)[0] for line in required if re.search("extra == .cpp.$", line)]
    assert sorted(extra) == ["filelock", "platformdirs"]


def test_types_need_no_other_package() -> None:
    done = run(IMPORTER + AUTHOR + f"print(*({{*{OTHERS!r}}} & sys.modules.keys()))")
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr
    done = run(IMPORTER + AUTHOR, *OTHERS)
    assert done.returncode == 0, done.stderr


def test_numpy_comes_with_the_first_array() -> None:
    ask = "print('numpy' in sys.modules)\n"
    done = run(f"{IMPORTER}{ask}tain.tensor([1.5])\n{ask}")
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_a_package_with_functions_of_tensors_needs_no_numpy() -> None:
    """Adopting the functions, their help and signatures, and calls without an array."""
    code = """
import inspect, pydoc, sys, types, tain
space = tain.types.testing
space.echo
package = sys.modules["package"] = types.ModuleType("package")
tain.init_ffi_api("testing", "package")
tensors = [f for f in vars(package).values() if isinstance(f, tain.Function)]
takes = [f for f in tensors if "Tensor" in repr(inspect.signature(f)) + (f.__doc__ or "")]
assert takes
assert package.echo([1, 2.5, "text"])[1] == 2.5
assert package.echo(space.Point(1)).x == 1
assert all(pydoc.render_doc(function) for function in takes)
print('numpy' in sys.modules)
"""
    done = run(code)
    assert done.stdout.split() == ["False"], done.stderr


@pytest.mark.bad_input
@pytest.mark.parametrize("missing", ["filelock", "platformdirs"])
def test_the_compiler_says_what_to_install(missing: str, tmp_path: Path) -> None:
    text = (
        f"tain.cpp needs the package {missing!r}, which is not installed: pip install 'tain[cpp]'"
    )
    # platformdirs knows the folder of the cache, which this variable names otherwise.
    cache = str(tmp_path) if missing == "filelock" else ""
    done = run("import tain\n" + COMPILER, missing, TAIN_CACHE_DIR=cache)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {text}"


@pytest.mark.bad_input
def test_the_command_says_what_to_install() -> None:
    code = "from tain.__main__ import main\nsys.exit(main(['cache']))"
    done = run(code, "platformdirs", TAIN_CACHE_DIR="")
    assert done.returncode == 1
    assert done.stderr == (
        "python -m tain cache: tain.cpp needs the package 'platformdirs', which is not installed: "
        "pip install 'tain[cpp]'\n"
    )
