# SPDX-License-Identifier: Apache-2.0
"""One row of the second table, in a process of its own: generated code, numpy, or plain C.

`python code_rows.py ROW SIZE WHO` prints the seconds of each timing as a line of JSON. All run on
one thread. What a contender computes is compared with numpy before it is timed.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TIMINGS = 7
CALLS = 5_000  # calls in one timing of a call

Work = Callable[[], Any]


@dataclass(frozen=True)
class Row:
    """What is timed; the first contender is tensorexpr.

    `contenders` has for each other one how many times faster than it tensorexpr should be; 0 is
    no goal. The target of a row without others is a number of seconds.
    """

    title: str
    size: str
    make: Callable[[str], Work]
    contenders: Mapping[str, float] = field(default_factory=lambda: {"tensorexpr": 1.0})
    target: float = 1.0
    calls: int = 1
    by_wall: bool = False  # other processes do the work


# ---------------------------------------------------------------- matmul

_TRIPLE_LOOP = """
void matmul(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      c[i * n + j] = 0;
      for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}
"""
_RESTRICT = _TRIPLE_LOOP.replace("float* a", "float* restrict a").replace(
    "float* b", "float* restrict b"
)
_RESTRICT = _RESTRICT.replace("float* c", "float* restrict c")


def readme_matmul(n: int) -> dict[str, Any]:
    """Run the first program of the README up to its schedule; return its names."""
    readme = Path(__file__).parents[1] / "README.md"
    program = readme.read_text(encoding="utf-8").split("```python\n")[1].split("multiply = ")[0]
    assert "n = 512\n" in program
    names: dict[str, Any] = {}
    exec(program.replace("n = 512\n", f"n = {n}\n"), names)
    return names


def scheduled_matmul(n: int, name: str = "multiply") -> Any:
    """Build the product of the README, with its schedule."""
    import tensorexpr as tx

    names = readme_matmul(n)
    return tx.build(names["s"], [names[one] for one in "ABC"], name=name)


def plain_matmul(n: int) -> Any:
    """Build the product without a schedule."""
    import tensorexpr as tx
    from tensorexpr import te

    names = readme_matmul(n)
    program = te.create_prim_func([names[one] for one in "ABC"])
    return tx.build(program, name="multiply")


def compiled_loop(source: str) -> Any:
    """Compile C with the options that generated code has, and load it."""
    from tensorexpr.driver import _CFLAGS

    folder = tempfile.mkdtemp()
    path = Path(folder) / "loop.c"
    path.write_text(source, encoding="utf-8")
    library = path.with_suffix(".so")
    compiler = os.environ.get("CC", "gcc")
    command = [compiler, *_CFLAGS, "-fPIC", "-shared", str(path), "-o", str(library), "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def matmul_row(n: int) -> Row:
    def make(who: str) -> Work:
        import numpy as np

        generator = np.random.default_rng(0)
        a, b = (generator.random((n, n), "float32") for _ in range(2))
        c = np.empty_like(a)
        if who == "numpy `a @ b`":

            def work() -> None:
                np.matmul(a, b, out=c)

        elif who in ("C, triple loop", "C, the same with restrict"):
            loop = compiled_loop(_TRIPLE_LOOP if who == "C, triple loop" else _RESTRICT).matmul
            arrays = [np.ctypeslib.as_ctypes(one) for one in (a, b, c)]  # they keep the memory

            def work() -> None:
                loop(*arrays, n)

        else:
            module = (
                plain_matmul(n) if who == "tensorexpr without a schedule" else scheduled_matmul(n)
            )
            multiply = module["multiply"]

            def work() -> None:
                multiply(a, b, c)

        work()
        np.testing.assert_allclose(c, a @ b, rtol=1e-3)
        return work

    others = {
        "numpy `a @ b`": 0.5,
        "C, triple loop": 5.0,
        "C, the same with restrict": 5.0,
        "tensorexpr without a schedule": 0.0,
    }
    return Row("matmul, float32", f"{n} x {n}", make, {"tensorexpr": 1.0, **others})


# ---------------------------------------------------------------- elementwise


def _formulas() -> dict[str, tuple[Any, Any, Any]]:
    """For each: in tensorexpr, in numpy, and in numpy with arrays that are there before."""
    import numpy as np

    def tuned_fma(a: Any, b: Any, c: Any, out: Any) -> None:
        np.multiply(a, b, out=out)
        np.add(out, c, out=out)

    def tuned_exp(a: Any, b: Any, c: Any, out: Any) -> None:
        np.exp(a, out=out)
        np.multiply(out, np.float32(2), out=out)
        np.add(out, np.sqrt(b, out=c), out=out)  # c is a place for the root here

    def tuned_relu(a: Any, b: Any, c: Any, out: Any) -> None:
        tuned_fma(a, b, c, out)
        np.maximum(out, np.float32(0), out=out)

    return {
        "a * b + c": (
            lambda t, a, b, c: a * b + c,
            lambda a, b, c: a * b + c,
            tuned_fma,
        ),
        "exp(a) * 2 + sqrt(b)": (
            lambda t, a, b, c: t.exp(a) * 2 + t.sqrt(b),
            lambda a, b, c: np.exp(a) * 2 + np.sqrt(b),
            tuned_exp,
        ),
        "relu(a * b + c)": (
            lambda t, a, b, c: t.max(a * b + c, 0.0),
            lambda a, b, c: np.maximum(a * b + c, 0),
            tuned_relu,
        ),
    }


def elementwise(formula: Any, n: int, lanes: int, threads: bool = False) -> Any:
    """Build an elementwise program; with `lanes`, by a schedule of vectors, perhaps in threads."""
    import tensorexpr as tx
    from tensorexpr import te, tir

    a, b, c = (te.placeholder((n,), name=name) for name in "ABC")
    d = te.compute((n,), lambda i: formula(tir, a[i], b[i], c[i]), name="D")
    if lanes == 0:
        return tx.build(te.create_prim_func([a, b, c, d]), name="f")
    s = te.create_schedule(d.op)
    outer, inner = s[d].split(d.op.axis[0], factor=lanes)
    s[d].vectorize(inner)
    if threads:
        s[d].parallel(outer)
    return tx.build(s, [a, b, c, d], name="f")


def elementwise_row(title: str, n: int) -> Row:
    def make(who: str) -> Work:
        import numpy as np

        ours, natural, tuned = _formulas()[title]
        generator = np.random.default_rng(0)
        a, b, c = (generator.random(n, "float32") - np.float32(0.3) for _ in range(3))
        b += np.float32(0.3)
        out = np.zeros_like(a)
        expected = natural(a, b, c)
        if who == "numpy":
            return lambda: natural(a, b, c)
        if who == "numpy, given arrays":
            return lambda: tuned(a, b, c, out)
        is_parallel = who == "tensorexpr, vectorize(16), parallel"
        is_scheduled = is_parallel or who == "tensorexpr, vectorize(16)"
        f = elementwise(ours, n, 16 if is_scheduled else 0, is_parallel)["f"]
        f(a, b, c, out)
        np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)
        return lambda: f(a, b, c, out)

    others = {"numpy": 2.0, "numpy, given arrays": 2.0, "tensorexpr, vectorize(16)": 0.0}
    others["tensorexpr, vectorize(16), parallel"] = 0.0  # on the processors that there are
    return Row(f"`{title}`, float32", f"{n:.0e}", make, {"tensorexpr": 1.0, **others})


# ---------------------------------------------------------------- calls

_BY_HAND = """
void add(tain::TensorView a, tain::TensorView b, tain::TensorView c) {
  const float* x = a.data_ptr<float>();
  const float* y = b.data_ptr<float>();
  float* z = c.data_ptr<float>();
  for (int64_t i = 0; i < 4; ++i) z[i] = x[i] + y[i];
}
void add_checked(tain::TensorView a, tain::TensorView b, tain::TensorView c) {
  for (const tain::TensorView* t : {&a, &b, &c}) {
    if (!((*t)->dtype == tain::DTypeOf<float>::value)) TAIN_THROW(TypeError) << "the data type";
    if ((*t)->ndim != 1 || t->size(0) != 4) TAIN_THROW(ValueError) << "the shape";
    if ((*t)->device.device_type != kDLCPU) TAIN_THROW(ValueError) << "the device";
    if ((*t)->strides != nullptr && (*t)->strides[0] != 1) TAIN_THROW(ValueError) << "the layout";
  }
  add(a, b, c);
}
"""


def call_row(released: bool) -> Row:
    def make(who: str) -> Work:
        import numpy as np
        import tensorexpr as tx
        from tensorexpr import te

        import tain.cpp

        if who in ("by hand", "by hand, with checks"):
            module = tain.cpp.load_inline(
                name="by_hand", cpp_sources=_BY_HAND, functions=["add", "add_checked"]
            )
            f = module.add if who == "by hand" else module.add_checked
        else:
            a, b = te.placeholder((4,), name="A"), te.placeholder((4,), name="B")
            c = te.compute((4,), lambda i: a[i] + b[i], name="C")
            module = tx.build(te.create_prim_func([a, b, c]), name="f")
            f = module if who == "tensorexpr, the module" else module["f"]
        if who != "tensorexpr, the module":
            f.release_gil = released
        x, y, z = np.ones(4, "float32"), np.ones(4, "float32"), np.zeros(4, "float32")
        f(x, y, z)
        assert z.tolist() == [2.0] * 4

        def work() -> None:
            for _ in range(CALLS):
                f(x, y, z)

        return work

    title = "a call, 4 elements, " + ("other threads may run" if released else "the GIL is kept")
    others = {"by hand": 1 / 1.2, "by hand, with checks": 1 / 1.2}
    if released:
        others["tensorexpr, the module"] = 0.0
    return Row(title, "", make, {"tensorexpr": 1.0, **others}, calls=CALLS)


# ---------------------------------------------------------------- builds


def build_row(n: int) -> Row:
    def make(who: str) -> Work:
        names = iter(f"multiply_{os.getpid()}_{k}" for k in range(100))
        # The name is part of the text, so that no build finds the library of another.
        return lambda: scheduled_matmul(n, name=next(names))

    return Row("build a matmul with a schedule", f"{n} x {n}", make, by_wall=True)


ROWS: tuple[Row, ...] = (
    matmul_row(512),
    matmul_row(1024),
    *(
        elementwise_row(title, n)
        for title in ("a * b + c", "exp(a) * 2 + sqrt(b)", "relu(a * b + c)")
        for n in (10**6, 10**7)
    ),
    call_row(True),
    call_row(False),
    build_row(512),
)


def main() -> None:
    title, size, who = sys.argv[1:]
    row = next(one for one in ROWS if (one.title, one.size) == (title, size))
    work = row.make(who)
    clock = time.perf_counter if row.by_wall else time.process_time
    spent: list[float] = []
    gc.disable()
    for _ in range(TIMINGS):
        start = clock()
        work()
        spent.append((clock() - start) / row.calls)
        if sum(spent) * row.calls > 5:
            break
    print(json.dumps({"seconds": spent}))


if __name__ == "__main__":
    main()
