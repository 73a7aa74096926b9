# SPDX-License-Identifier: Apache-2.0
"""tools/try_documents.py: code blocks are cut out of each form of document, changed and run."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from sanitized import SANITIZED

TOOLS = Path(__file__).resolve().parents[3] / "tools"


def load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


blocks = load_tool("document_blocks")

# Cells and fences; the last cell shows the error that it raises.
NOTEBOOK = """
# Heading

In [1]:
import tvm_ffi

echo = tvm_ffi.get_global_func("testing.echo")
assert echo(2) == 2

这是一段说明不是代码

In [2]:
from tvm_ffi import Function
assert isinstance(echo, Function)
echo.nothing_of_this_name

Prose between cells.

In [3]:
tvm_ffi.get_global_func("testing.test_raise_error")("KeyError", "gone")

KeyError: 'gone'

```cpp
#include <tvm/ffi/reflection/registry.h>
TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::GlobalDef().def("try_documents.seven", [] { return 7; });
}
```

```python
assert tvm_ffi.get_global_func("try_documents.seven")() == 7
```

```text
no code
```
"""

# Numbered lines that lost their indentation.
NUMBERED = """
Some words.
  1. // sum.h
  2. extern "C" int sum(int a, int b);
Some words.
  1. // sum.cc
  2. #include "sum.h"
  3. int sum(int a, int b) {
  4. return a + b;
  5. }
  1. 第一步,
  2. 第二步
  1. import ctypes
  2. def load():
  3. return ctypes.CDLL("./sum.so")
  4. assert load().sum(1, 2) == 3
"""

# Plain text: a block begins where lines look like code.
PLAIN = """
How to register#
tvm.register_func()
:注册
import tvm
@tvm.register_func
def plain_name(*args):
assert args == (1,)
return 10
函数
#include <tvm/runtime/registry.h>
using namespace tvm::runtime;
void Negate(TVMArgs args, TVMRetValue* rv) {
// 注释
int value = args[0];
*rv = -value;
}
TVM_REGISTER_GLOBAL("try_documents.negate").set_body(Negate);
# A small Makefile
TVM_ROOT=$(shell cd somewhere; pwd)
FLAGS = -std=c++17 -fPIC\\
-I${TVM_ROOT}/include
lib/libnegate.so: src/negate.cc
@mkdir -p $(@D)
$(CXX) $(FLAGS) -shared -o $@ $^
函数
import ctypes
library = ctypes.CDLL("tests/lib/libnegate.so", ctypes.RTLD_GLOBAL)
assert tvm.get_global_func("try_documents.negate")(3) == -3
函数
TVM_REGISTER_GLOBAL("try_documents.call").set_body([](TVMArgs args, TVMRetValue* rv) {
PackedFunc f = args[0];
*rv = f(plain_mistake);
});
"""

EXPECTED = [
    ("a_notebook", 1, "python", "import tvm_ffi", "works"),
    (
        *("a_notebook", 2, "python", "from tvm_ffi import Function"),
        "fails: AttributeError: 'tain.Function' object has no attribute 'nothing_of_this_name'",
    ),
    ("a_notebook", 3, "python", 'tvm_ffi.get_global_func("testing.test...', "works"),
    ("a_notebook", 4, "cpp", "#include <tvm/ffi/reflection/registry.h>", "works"),
    ("a_notebook", 5, "python", 'assert tvm_ffi.get_global_func("try_d...', "works"),
    ("a_notebook", 6, "text", "no code", "not code"),
    ("b_numbered", 1, "cpp", "// sum.h", "works"),
    ("b_numbered", 2, "cpp", "// sum.cc", "works"),
    ("b_numbered", 3, "python", "import ctypes", "works"),
    ("c_plain", 1, "python", "import tvm", "works"),
    ("c_plain", 2, "cpp", "#include <tvm/runtime/registry.h>", "works"),
    ("c_plain", 3, "make", "# A small Makefile", "works"),
    ("c_plain", 4, "python", "import ctypes", "works"),
    (
        *("c_plain", 5, "cpp", 'TVM_REGISTER_GLOBAL("try_documents.call")...'),
        "fails: block_4.cc:5:9: error: plain_mistake",
    ),
]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / "try_documents.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.only_if(not SANITIZED, reason="GNU make does not run under the sanitizer")
def test_a_folder_of_documents(tmp_path: Path) -> None:
    for name, text in (("a_notebook", NOTEBOOK), ("b_numbered", NUMBERED), ("c_plain", PLAIN)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    done = run(str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    *rows, total = done.stdout.splitlines()
    assert total == "11 works, 2 fails, 1 not code"
    assert len(rows) == len(EXPECTED)
    for row, (name, number, kind, first, result) in zip(rows, EXPECTED, strict=True):
        found = re.fullmatch(r"(\S+) +(\d+) (\w+) +(.{44}) (.*)", row)
        assert found, row
        assert (found[1], int(found[2]), found[3]) == (name, number, kind)
        stem = first.removesuffix("...")
        assert found[4].startswith(stem), row
        # Compilers say it in words of their own.
        assert re.sub("error: .*(plain_mistake).*", r"error: \1", found[5]) == result, row


@pytest.mark.bad_input
@pytest.mark.parametrize("what", ["missing", "empty"])
def test_bad_usage(tmp_path: Path, what: str) -> None:
    folder = tmp_path / what
    if what == "empty":
        folder.mkdir()
    done = run(str(folder))
    assert done.returncode == 2
    expected = {
        "missing": f"expected a folder of documents, got {folder}",
        "empty": f"expected .md or .txt files in {folder}, found none",
    }
    assert done.stderr.endswith(f"error: {expected[what]}\n")


def test_a_block_that_ends_the_process(tmp_path: Path) -> None:
    text = "```python\nx = 1\n```\n```python\nimport os; os._exit(5)\n```\n```python\nx\n```\n"
    (tmp_path / "ends.md").write_text(text)
    rows = run(str(tmp_path)).stdout.splitlines()
    assert [re.split(r" {2,}", row)[-1] for row in rows[:3]] == [
        "works",
        "fails: the process ended with status 5",
        "fails: the process had ended before",
    ]


@pytest.mark.parametrize(
    ("flat", "restored"),
    [
        ("def f(x):\n    return x\n", None),  # as it is
        ("def f(x):\nreturn x\nf(1)", "def f(x):\n    return x\nf(1)"),
        ("def f(x):\nprint(x)\ny = 1\nf(y)", "def f(x):\n    print(x)\ny = 1\nf(y)"),
        ("def f():\ny = 1\nprint(y)\nf()", "def f():\n    y = 1\n    print(y)\nf()"),
        (
            "def f(y):\ndef g(x):\nreturn x + y\nreturn g\nf(1)",
            "def f(y):\n    def g(x):\n        return x + y\n    return g\nf(1)",
        ),
        (
            "def f():\ndef g(x):\nassert x\ny = make(g)\ny(1)\ndef h():\nf()\nh()",
            "def f():\n    def g(x):\n        assert x\n    y = make(g)\n    y(1)\n"
            "def h():\n    f()\nh()",
        ),
        (
            "def f(x):\nif x:\nreturn 1\nif not x:\nreturn 2\nraise ValueError(\nx)",
            "def f(x):\n    if x:\n        return 1\n    if not x:\n        return 2\n"
            "    raise ValueError(\nx)",
        ),
    ],
)
def test_indents_are_restored(flat: str, restored: str | None) -> None:
    assert blocks.restore_indents(flat) == (restored or flat)
