# SPDX-License-Identifier: Apache-2.0
"""What type checkers see of the nodes: the stubs of tain.types.tensorexpr."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import tensorexpr  # noqa: F401 -- loads the library

import tain
from tain.stubgen import namespace_stubs

USER = """\
from tain.types.tensorexpr import IRModule
from tain.types.tensorexpr.te import Tensor, placeholder
from tain.types.tensorexpr.tir import Add, For, PrimFunc, Var

x = Var("x", "float32")
reveal_type(x + 1)
reveal_type(Add(x, 1).a)
reveal_type(placeholder([], "float32", "A").op)


def bodies(module: IRModule) -> list[object]:
    functions = [module[name] for name in module.functions]
    reveal_type(functions[0])
    return [one.body for one in functions if isinstance(one.body, For)]


Add(x)
x.title
"""
EXPECTED = [
    'user.py:6: note: Revealed type is "tain.types.tensorexpr.tir.PrimExpr"',
    'user.py:7: note: Revealed type is "tain.types.tensorexpr.tir.PrimExpr"',
    'user.py:8: note: Revealed type is "tain.types.tensorexpr.te.Operation"',
    'user.py:13: note: Revealed type is "tain.types.tensorexpr.tir.PrimFunc"',
    'user.py:17: error: Missing positional argument "b" in call to "Add"  [call-arg]',
    'user.py:18: error: "Var" has no attribute "title"  [attr-defined]',
]


def installed(folder: Path) -> Path:
    """Return a tain that has the stubs, as `stubgen --types tensorexpr` makes the installed one."""
    made = folder / "tain"
    (made / "types").mkdir(parents=True)
    for one in [entry for path in tain.__path__ for entry in Path(path).iterdir()]:
        if one.name != "types" and not (made / one.name).exists():
            (made / one.name).symlink_to(one)
        elif one.name == "types" and (one / "__init__.pyi").exists():
            (made / "types" / "__init__.pyi").symlink_to(one / "__init__.pyi")
    for module, text in namespace_stubs("tensorexpr").items():
        stub = folder.joinpath(*module.split("."), "__init__.pyi")
        stub.parent.mkdir(exist_ok=True)
        stub.write_text(text, encoding="utf-8")
    return made / "types" / "tensorexpr"


def test_type_checkers_see_the_nodes(tmp_path: Path) -> None:
    stubs = installed(tmp_path)
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    checked = ["user.py", *sorted(str(one.relative_to(tmp_path)) for one in stubs.rglob("*.pyi"))]
    assert len(checked) == 4
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", *checked]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = [line for line in done.stdout.splitlines() if not line.startswith("Found ")]
    assert (told, done.stderr) == (EXPECTED, "")
