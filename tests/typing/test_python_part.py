# SPDX-License-Identifier: Apache-2.0
"""Stubs of classes that Python code registers, of nested classes and of constants."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PACKAGE = '''
import functools
import typing
from collections.abc import Iterator

import tain
import tain.cpp

tain.cpp.load_inline("python_part", cpp_sources="""
struct P : tain::Object {
  enum class Kind { A, B };
  int64_t x = 1;
  Kind kind = Kind::A;
  int64_t f(int64_t y) const { return x + y; }
  int64_t kept() const { return x; }
  TAIN_OBJECT("python_part.P", P, tain::Object);
};
struct Sum : P { TAIN_OBJECT("python_part.P.Sum", Sum, P); };
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::EnumDef<P::Kind>("python_part.P.Kind").value("A", P::Kind::A).value("B", P::Kind::B);
  refl::ObjectDef<P>().def_init<>().def_rw("x", &P::x).def_rw("kind", &P::kind)
      .def("f", &P::f, tain::arg("y")).def("kept", &P::kept);
  refl::ObjectDef<Sum>("A sum.").def_init<>();
  refl::GlobalDef().def_doc("python_part", "From C++.")
      .def_constant("python_part.PI", 3.14, "Half a turn.")
      .def_constant("python_part.MODE", P::Kind::B)
      .def_constant("python_part.__version__", "1.2")
      .def("python_part.turn", [](P::Kind kind) { return kind; }, tain::arg("kind") = P::Kind::B);
}""")
tain.init_ffi_api("python_part", __name__)


class Mixin:
    def mixed(self) -> bytes:
        return b""


@tain.register_object("python_part.P")
class P(Mixin, tain.Object):
    """In Python."""

    LIMIT: typing.ClassVar[int] = 3

    def f(self, y, z="more") -> str:
        return str(super().f(y)) + z

    def __iter__(self) -> Iterator[int]:
        yield self.x

    @property
    def g(self) -> int:
        """A property."""
        return 1

    @g.setter
    def g(self, value: int) -> None:
        pass

    @functools.cached_property
    def slow(self) -> float:
        return 1.0

    @staticmethod
    def make(x: int) -> "P":
        return P()
'''

DECLARED = '''
class P(Mixin, tain.Object):
    """In Python."""
    __match_args__ = ()
    x: int
    @property
    def kind(self) -> P.Kind: ...
    @kind.setter
    def kind(self, value: P.Kind | int, /) -> None: ...
    def __init__(self) -> None: ...
    def kept(self) -> int: ...
    LIMIT: typing.ClassVar[int] = 3
    def f(self, y, z='more') -> str:
        ...
    def __iter__(self) -> Iterator[int]:
        ...
    @property
    def g(self) -> int:
        """A property."""
    @g.setter
    def g(self, value: int) -> None:
        ...
    @functools.cached_property
    def slow(self) -> float:
        ...
    @staticmethod
    def make(x: int) -> 'P':
        ...

    class Kind(enum.IntEnum):
        A = 0
        B = 1

    class Sum(P):
        """A sum."""
        __match_args__ = ()
        def __init__(self) -> None: ...
'''

USER = """
from part_package import MODE, PI, P, __version__, turn

p = P()
text: str = p.f(1) + p.f(1, "x")
number: int = p.kept() + p.g + sum(p) + P.LIMIT
p.g = 2
data: bytes = p.mixed()
slow: float = p.slow + PI
kind: P.Kind = turn(P.Kind.A)
s: P = P.Sum()
also: P.Kind = MODE
made: P = P.make(1)
print(__version__.upper(), s.kept())
"""

MISTAKES = {
    "p.f(1) + 1": "Unsupported operand types",
    "p.nothing": '"P" has no attribute "nothing"',
    "P.Kind.C": 'has no attribute "C"',
    "P.Sum().nothing": '"Sum" has no attribute "nothing"',
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a package and of its stub."""
    folder = tmp_path_factory.mktemp("part")
    made = folder / "part_package"
    made.mkdir()
    (made / "__init__.py").write_text(PACKAGE)
    run(folder, "tain", "stubgen", "part_package")
    return folder


def run(folder: Path, *arguments: str, status: int = 0) -> str:
    result = subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "MYPYPATH": str(folder)},
    )
    assert result.returncode == status, result.stdout + result.stderr
    return result.stdout


def test_a_stub_has_the_members_of_python_and_of_cpp(package: Path) -> None:
    text = (package / "part_package" / "__init__.pyi").read_text()
    (declared,) = (n for n in ast.parse(text).body if getattr(n, "name", "") == "P")
    (expected,) = ast.parse(DECLARED).body
    assert ast.unparse(declared) == ast.unparse(expected)
    lines = text.splitlines()
    assert '"""From C++."""' in lines
    assert "PI: typing.Final[float] = 3.14" in lines and '"""Half a turn."""' in lines
    assert "__version__: typing.Final[str]" in lines
    assert "def turn(kind: P.Kind | int = P.Kind.B) -> P.Kind: ..." in lines
    run(package, "tain", "stubgen", "part_package", "--check")


def test_correct_code_passes_mypy_and_wrong_code_does_not(package: Path) -> None:
    (package / "user.py").write_text(USER)
    assert "Success" in run(package, "mypy", "--strict", "user.py")
    wrong = "from part_package import P\np = P()\n" + "\n".join(MISTAKES) + "\n"
    (package / "wrong.py").write_text(wrong)
    text = run(package, "mypy", "--strict", "wrong.py", status=1)
    for number, expected in enumerate(MISTAKES.values(), 3):
        assert any(f"wrong.py:{number}:" in s and expected in s for s in text.splitlines()), text


def test_a_namespace_declares_what_stands_elsewhere(package: Path, tmp_path: Path) -> None:
    """The package has no stub here: the members of Python are those of the class object."""
    (tmp_path / "part_package.py").write_text(PACKAGE)
    run(
        tmp_path,
        *("tain", "stubgen", "--types", "python_part", "--import", "part_package"),
        *("--output", "."),
    )
    text = (tmp_path / "tain-stubs" / "types" / "python_part" / "__init__.pyi").read_text()
    (declared,) = (n for n in ast.parse(text).body if getattr(n, "name", "") == "P")
    assert isinstance(declared, ast.ClassDef)
    names = [n.name for n in declared.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    assert names == [
        *(
            "kind",
            "kind",
            "__init__",
            "kept",
            "f",
            "__iter__",
            "g",
            "g",
            "slow",
            "make",
            "Kind",
            "Sum",
        ),
    ]
    assert "def f(self, y: typing.Any, z: typing.Any = 'more') -> str: ..." in text
    assert ast.unparse(declared.bases[0]) == "part_package.Mixin"
    nested = (tmp_path / "tain-stubs" / "types" / "python_part" / "P" / "__init__.pyi").read_text()
    assert "Kind = tain.types.python_part.P.Kind" in nested.splitlines()
