# SPDX-License-Identifier: Apache-2.0
"""Programs of several stages, and random schedules of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from random_cases import SEED, Case
from tain.types.tensorexpr.te import PlaceholderOp, _lower_schedule
from tensorexpr import te, tir

# ---------------------------------------------------------------- base programs


@dataclass
class Program:
    """Tensors that are computed from others, and the values that they have."""

    arguments: list[Any]
    outputs: list[Any]
    inputs: list[np.ndarray]
    expected: list[np.ndarray]
    numbers: list[int] = field(default_factory=list)
    exact: bool = True


def integers(rng: random.Random, shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    """Return an array of small integers: their sums and products are exact."""
    values = np.random.default_rng(rng.getrandbits(32)).integers(-4, 5, shape)
    return values.astype(dtype)


def matmul(rng: random.Random) -> Program:
    m, n, d = (rng.randint(1, 20) for _ in range(3))
    A, B = te.placeholder((m, d), name="A"), te.placeholder((d, n), name="B")
    k = te.reduce_axis((0, d), name="k")
    C = te.compute((m, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    a, b = integers(rng, (m, d)), integers(rng, (d, n))
    return Program([A, B, C], [C], [a, b], [a @ b])


def chain(rng: random.Random) -> Program:
    m, n = rng.randint(1, 20), rng.randint(1, 20)
    dtype = rng.choice(("float32", "int32", "float64", "int64"))
    A = te.placeholder((m, n), dtype, name="A")
    B = te.compute((m, n), lambda i, j: A[i, j] + 1, name="B")
    C = te.compute((m, n), lambda i, j: B[i, j] * 2, name="C")
    D = te.compute((m, n), lambda i, j: C[i, j] - i.astype(dtype), name="D")
    a = integers(rng, (m, n), dtype)
    return Program([A, D], [D], [a], [(a + 1) * 2 - np.arange(m)[:, None].astype(dtype)])


def softmax(rng: random.Random) -> Program:
    m, n = rng.randint(1, 12), rng.randint(1, 24)
    A = te.placeholder((m, n), name="A")
    k, q = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="q")
    M = te.compute((m,), lambda i: te.max(A[i, k], axis=k), name="M")
    E = te.compute((m, n), lambda i, j: tir.exp(A[i, j] - M[i]), name="E")
    S = te.compute((m,), lambda i: te.sum(E[i, q], axis=q), name="S")
    D = te.compute((m, n), lambda i, j: E[i, j] / S[i], name="D")
    a = integers(rng, (m, n))
    e = np.exp(a - a.max(1, keepdims=True))
    return Program([A, D], [D], [a], [e / e.sum(1, keepdims=True)], exact=False)


def conv2d(rng: random.Random) -> Program:
    c, o, h, w = rng.randint(1, 3), rng.randint(1, 4), rng.randint(3, 9), rng.randint(3, 9)
    size, pad, step = rng.randint(1, 3), rng.randint(0, 2), rng.randint(1, 2)
    A, W = te.placeholder((c, h, w), name="A"), te.placeholder((o, c, size, size), name="W")
    P = te.compute(
        (c, h + 2 * pad, w + 2 * pad),
        lambda k, y, x: tir.if_then_else(
            tir.all(y >= pad, y < h + pad, x >= pad, x < w + pad),
            A[k, y - pad, x - pad],
            tir.const(0, "float32"),
        ),
        name="P",
    )
    rc = te.reduce_axis((0, c), name="rc")
    ry, rx = te.reduce_axis((0, size), name="ry"), te.reduce_axis((0, size), name="rx")
    height, width = (h + 2 * pad - size) // step + 1, (w + 2 * pad - size) // step + 1
    C = te.compute(
        (o, height, width),
        lambda f, y, x: te.sum(
            P[rc, y * step + ry, x * step + rx] * W[f, rc, ry, rx], axis=[rc, ry, rx]
        ),
        name="C",
    )
    a, weights = integers(rng, (c, h, w)), integers(rng, (o, c, size, size))
    padded = np.pad(a, ((0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))
    windows = windows[:, ::step, ::step]
    expected = np.einsum("cyxij,fcij->fyx", windows, weights).astype("float32")
    return Program([A, W, C], [C], [a, weights], [expected])


def two_axes(rng: random.Random) -> Program:
    m, n, d = rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 9)
    low, dtype = rng.randint(0, 2), rng.choice(("float32", "int32", "int64"))
    A = te.placeholder((m, n, d + low), dtype, name="A")
    k, q = te.reduce_axis((0, n), name="k"), te.reduce_axis((low, d + low), name="q")
    S = te.compute(
        (m,), lambda i: te.sum(A[i, k, q] * 2, axis=[k, q], where=(k + q) % 3 != 1), name="S"
    )
    Q = te.compute((m,), lambda i: S[i] + 1, name="Q")
    a = integers(rng, (m, n, d + low), dtype)
    where = (np.arange(n)[:, None] + np.arange(d + low)) % 3 != 1
    total = (a * 2 * where)[:, :, low:].sum((1, 2), dtype=dtype)
    return Program([A, Q], [Q], [a], [total + 1])


def diamond(rng: random.Random) -> Program:
    m, n, far = rng.randint(1, 12), rng.randint(1, 12), rng.randint(0, 3)
    A = te.placeholder((m + far, n + 2), name="A")
    B = te.compute((m + far, n + 2), lambda i, j: A[i, j] * 3, name="B")
    C = te.compute((m, n), lambda i, j: B[i, j] + B[i + far, j + 2], name="C")
    D = te.compute((m, n), lambda i, j: B[i, j + 1] * 2, name="D")
    E = te.compute((m, n), lambda i, j: C[i, j] - D[i, j], name="E")
    a = integers(rng, (m + far, n + 2))
    b = a * 3
    expected = b[:m, :n] + b[far:, 2:] - b[:m, 1:-1] * 2
    return Program([A, E], [E], [a], [expected])


def moved(rng: random.Random) -> Program:
    """Transposed, reversed, every other element, and the elements in rows of another length."""
    m, n = rng.randint(1, 8), rng.randint(1, 8)
    A = te.placeholder((n, 2 * m), "int32", name="A")
    B = te.compute((n, 2 * m), lambda i, j: A[i, j] + i * 10 + j, name="B")
    C = te.compute((m, n), lambda i, j: B[n - 1 - j, 2 * i + 1], name="C")
    D = te.compute((m * n,), lambda i: C[i // n, i % n] * 2, name="D")
    E = te.compute((n, m), lambda i, j: D[i * m + j] + B[i, m - j], name="E")
    a = integers(rng, (n, 2 * m), "int32")
    b = a + np.arange(n, dtype="int32")[:, None] * 10 + np.arange(2 * m, dtype="int32")
    flat = b[::-1, 1::2].T.ravel() * 2
    return Program([A, E], [E], [a], [flat.reshape(n, m) + b[:, m:0:-1]])


def gathered(rng: random.Random) -> Program:
    """Elements whose places are known only when the program runs, where a condition holds."""
    m, n = rng.randint(1, 12), rng.randint(1, 12)
    A, N = te.placeholder((m,), name="A"), te.placeholder((n,), "int32", name="N")
    B = te.compute((m,), lambda i: A[i] * 2, name="B")
    J = te.compute((n,), lambda i: (N[i] + m) % m, name="J")
    T = te.compute((n,), lambda i: (N[i] > 0) & (i % 3 != 0), name="T")
    C = te.compute((n,), lambda i: tir.Select(T[i], B[J[i]], -B[tir.max(J[i] - 1, 0)]), name="C")
    a, at = integers(rng, (m,)), integers(rng, (n,), "int32")
    j = (at + m) % m
    chosen = (at > 0) & (np.arange(n) % 3 != 0)
    expected = np.where(chosen, a[j] * 2, -a[np.maximum(j - 1, 0)] * 2)
    return Program([A, N, C], [C], [a, at], [expected])


def dynamic(rng: random.Random) -> Program:
    """Extents that are known only when the program runs."""
    rows, columns = rng.randint(1, 14), rng.randint(1, 14)
    m, n = te.var("m"), te.var("n")
    A = te.placeholder((m, n), name="A")
    k = te.reduce_axis((0, n), name="k")
    B = te.compute((m, n), lambda i, j: A[i, j] * 2, name="B")
    S = te.compute((m,), lambda i: te.sum(B[i, k], axis=k), name="S")
    C = te.compute((m, n), lambda i, j: B[i, n - 1 - j] + S[i], name="C")
    a = integers(rng, (rows, columns))
    return Program([A, C], [C], [a], [a[:, ::-1] * 2 + (a * 2).sum(1, keepdims=True)])


def argmax(rng: random.Random) -> Program:
    """A reduction of two values, both of which are results."""
    m, n = rng.randint(1, 10), rng.randint(1, 20)
    A = te.placeholder((m, n), "int32", name="A")
    B = te.compute((m, n), lambda i, j: A[i, j] * 2, name="B")
    k = te.reduce_axis((0, n), name="k")
    largest = te.comm_reducer(
        lambda x, y: (tir.Select(x[1] >= y[1], x[0], y[0]), tir.max(x[1], y[1])),
        lambda t, u: (tir.const(-1, t), tir.min_value(u)),
        name="argmax",
    )
    P, Q = te.compute((m,), lambda i: largest((k.astype("int32"), B[i, k]), axis=k), name="P")
    a = integers(rng, (m, n), "int32")
    return Program([A, P, Q], [P, Q], [a], [a.argmax(1).astype("int32"), a.max(1) * 2])


def two_results(rng: random.Random) -> Program:
    """Two results, one of which the other reads."""
    m, n = rng.randint(1, 14), rng.randint(1, 14)
    A = te.placeholder((m, n), "uint8", name="A")
    B = te.compute((m, n), lambda i, j: A[i, j] + A[m - 1 - i, j], name="B")
    H = te.compute((m, n), lambda i, j: B[i, j] // 3, name="H")
    C = te.compute((m, n), lambda i, j: H[i, tir.max(j - 1, 0)] + B[i, tir.min(j + 2, n - 1)],
                   name="C")  # fmt: skip
    a = integers(rng, (m, n), "uint8")
    b = a + a[::-1]
    j = np.arange(n)
    expected = (b // 3)[:, np.maximum(j - 1, 0)] + b[:, np.minimum(j + 2, n - 1)]
    return Program([A, B, C], [B, C], [a], [b, expected])


PROGRAMS = (matmul, chain, softmax, conv2d, two_axes, diamond, moved, gathered, dynamic, argmax,
            two_results)  # fmt: skip

# ---------------------------------------------------------------- schedules


def stages_of(s: Any) -> list[Any]:
    return [one for one in s.stages if not isinstance(one.op, PlaceholderOp)]


def name_of(axis: Any) -> str:
    return str(axis.var.name)


def readers_of(s: Any, stage: Any) -> list[Any]:
    return [
        one for one in stages_of(s) if any(s[t.op].same_as(stage) for t in one.op.input_tensors)
    ]


def some_run(rng: random.Random, leaves: list[Any]) -> list[Any]:
    count = rng.randint(1, min(3, len(leaves)))
    at = rng.randint(0, len(leaves) - count)
    return leaves[at : at + count]


def random_step(rng: random.Random, s: Any) -> tuple[str, str, Callable[[], Any]]:
    """Return a primitive as text, the name of its stage, and the function that applies it."""
    stage = rng.choice(stages_of(s))
    name = str(stage.op.name)
    leaves = list(stage.leaf_iter_vars)
    leaf = rng.choice(leaves)
    number = rng.choice((1, 2, 2, 3, 4, 4, 4, 5, 7, 8, 16))
    action = rng.choice(ACTIONS)
    if action == "split":
        by = rng.choice(("factor", "nparts"))
        return (f"s[{name}].split({name_of(leaf)}, {by}={number})", name,
                lambda: stage.split(leaf, **{by: number}))  # fmt: skip
    if action == "vector":

        def vector() -> None:
            stage.vectorize(stage.split(leaves[-1], number)[1])

        return (
            f"s[{name}].vectorize(s[{name}].split({name_of(leaves[-1])}, {number})[1])",
            name,
            vector,
        )
    if action == "fuse":
        axes = some_run(rng, leaves)
        return f"s[{name}].fuse({', '.join(map(name_of, axes))})", name, lambda: stage.fuse(*axes)
    if action == "reorder":
        axes = rng.sample(leaves, rng.randint(1, len(leaves)))
        return (f"s[{name}].reorder({', '.join(map(name_of, axes))})", name,
                lambda: stage.reorder(*axes))  # fmt: skip
    if action == "tile":
        x, y = rng.choice(leaves), rng.choice(leaves)
        other = rng.choice((2, 3, 4, 8))
        if x.same_as(y):
            return (f"s[{name}].split({name_of(x)}, factor={number})", name,
                    lambda: stage.split(x, factor=number))  # fmt: skip
        return (f"s[{name}].tile({name_of(x)}, {name_of(y)}, {number}, {other})", name,
                lambda: stage.tile(x, y, number, other))  # fmt: skip
    if action in ("parallel", "vectorize", "unroll"):
        return f"s[{name}].{action}({name_of(leaf)})", name, lambda: getattr(stage, action)(leaf)
    if action == "compute_at":
        readers = readers_of(s, stage)
        parent = rng.choice(readers if readers and rng.random() < 0.9 else stages_of(s))
        axis = rng.choice(list(parent.leaf_iter_vars))
        return (f"s[{name}].compute_at(s[{parent.op.name}], {name_of(axis)})", name,
                lambda: stage.compute_at(parent, axis))  # fmt: skip
    if action == "compute_inline":
        return f"s[{name}].compute_inline()", name, stage.compute_inline
    reading = [one for one in stages_of(s) if len(one.op.input_tensors)]
    if action == "set_scope" or (action == "cache_read" and not reading):
        scope = rng.choice(("local", "global"))
        return f"s[{name}].set_scope({scope!r})", name, lambda: stage.set_scope(scope)
    if action == "cache_write":
        tensor = stage.op.output(rng.randrange(stage.op.num_outputs))
        return f"s.cache_write({name}, 'local')", name, lambda: s.cache_write(tensor, "local")
    if action == "cache_read":
        reader = rng.choice(reading)
        tensors = list(reader.op.input_tensors)
        tensor = rng.choice(tensors)
        readers = [reader]
        for one in stages_of(s):
            reads = any(s[t.op].same_as(s[tensor.op]) and t.value_index == tensor.value_index
                        for t in one.op.input_tensors)  # fmt: skip
            if reads and not one.same_as(reader) and rng.random() < 0.6:
                readers.append(one)
        names = ", ".join(str(one.op.name) for one in readers)
        return (f"s.cache_read({tensor.name}, 'local', [{names}])", str(reader.op.name),
                lambda: s.cache_read(tensor, "local", [one.op for one in readers]))  # fmt: skip
    reduced = [one for one in leaves if one.iter_type == tir.IterType.CommReduce] or [leaf]
    axis = rng.choice(reduced)
    tensor = stage.op.output(0)
    return f"s.rfactor({name}, {name_of(axis)})", name, lambda: s.rfactor(tensor, axis)


ACTIONS = (
    "split", "split", "split", "vector", "vector", "fuse", "fuse", "reorder", "reorder", "tile",
    "parallel", "vectorize", "unroll", "compute_at", "compute_at", "compute_at", "compute_at",
    "compute_inline", "compute_inline", "cache_write", "cache_read", "set_scope", "rfactor",
)  # fmt: skip


def shape_of(s: Any) -> list[Any]:
    """Return what a primitive that is refused must not change."""
    return [
        (str(one.op.name), [name_of(axis) for axis in one.leaf_iter_vars], one.attach_type)
        for one in s.stages
    ]


def schedule_case(index: int) -> Case:
    """Return a program whose schedule is random."""
    rng = random.Random(f"{SEED}/schedules/{index}")
    make = rng.choice(PROGRAMS)
    program = make(rng)
    s = te.create_schedule([one.op for one in program.outputs])
    log = [f"{make.__name__}, arrays {[one.shape for one in program.inputs]}"]
    case = Case(index, "", inputs=program.inputs, expected=program.expected, exact=program.exact)
    wanted, tries, done = rng.randint(1, 8), 0, 0
    while done < wanted and tries < 30:
        tries += 1
        text, stage, do = random_step(rng, s)
        before = shape_of(s)
        try:
            do()
        except ValueError as error:
            if stage not in str(error):
                case.failure = f"{text}: the message does not name {stage}: {error}"
            has_parts = ".tile(" in text or ".vectorize(s[" in text
            if shape_of(s) != before and not has_parts:
                case.failure = f"{text} was refused, but has changed the schedule: {error}"
            continue
        log.append(text)
        done += 1
    case.text = "\n ".join(log)
    if case.failure:
        return case
    try:
        case.function = _lower_schedule(s, program.arguments)
    except ValueError as error:
        if not any(str(one.op.name) in str(error) for one in stages_of(s)):
            case.failure = f"lowering was refused with a message that names no stage: {error}"
            return case
        # Without compute_at there is nothing to refuse.
        for one in stages_of(s):
            if one.attach_stage is not None:
                one.compute_root()
        case.text += f"\n (refused: {error}\n compute_root of what was computed in loops)"
        case.function = _lower_schedule(s, program.arguments)
    return case
