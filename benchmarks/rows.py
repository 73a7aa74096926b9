# SPDX-License-Identifier: Apache-2.0
"""What is timed: for each row a statement, what prepares it, and the target for tain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One operation, written once for all contenders; `m` is the contender."""

    name: str
    setup: str
    stmt: str
    target: float | None = None  # the most that tain may cost, relative to `beside`
    beside: str = "nanobind"
    scale: int = 1  # operations that one statement does
    only: tuple[str, ...] = ()  # contenders that have the row; all if empty
    group: str = ""  # rows that show how a cost grows are told from others by it


def _calls() -> list[Row]:
    rows = [
        Row("nop()", "f = m.nop", "f()", 1.1),
        Row("add_one(1)", "f = m.add_one", "f(1)", 1.15),
        Row("echo(int)", "f = m.echo_int", "f(7)", 1.15),
        Row("echo(2**40)", "f = m.echo_int; x = 2**40", "f(x)"),
        Row("echo(float)", "f = m.echo_float; x = 1.5", "f(x)"),
        Row('echo("hello")', "f = m.echo_str; x = 'hello'", "f(x)", 1.1),
        Row("echo(str of 40)", "f = m.echo_str; x = 'x' * 40", "f(x)", 1.2),
        Row("echo(bytes of 40)", "f = m.echo_bytes; x = b'x' * 40", "f(x)"),
        Row("echo(obj)", "f = m.echo_obj; x = m.Pair(1, 2)", "f(x)", 1.35),
    ]
    for n in range(9):
        names = ", ".join("abcdefgh"[:n])
        values = "; ".join(f"{name} = {i}" for i, name in enumerate("abcdefgh"))
        rows.append(
            Row(f"{n} arguments", f"call = m.arity{n}; {values}", f"call({names})", group="arity")
        )
    return rows


def _objects() -> list[Row]:
    subclass = "class S(m.Pair):\n    pass\n"
    own_init = (
        "class S(m.Pair):\n"
        "    def __init__(self, a, b):\n"
        "        super().__init__(a, b)\n"
        "        self.c = a\n"
    )
    return [
        Row("Pair(1, 2)", "P = m.Pair", "P(1, 2)", 1.15),
        Row(
            "Pair(a=1, b=2)",
            "P = m.Pair",
            "P(a=1, b=2)",
            only=("tain", "nanobind", "pybind11", "c"),
        ),
        Row("subclass(1, 2)", subclass, "S(1, 2)"),
        Row("subclass(1, 2), own __init__", own_init, "S(1, 2)"),
        Row("p.sum()", "p = m.Pair(1, 2)", "p.sum()", 1.15),
        Row("p.child, wrapper made", "p = m.SharedFields()", "p.child", 1.0),
        Row("p.child, wrapper alive", "p = m.Fields(); child = p.child", "p.child", 1.0),
        Row("p.child = q", "p = m.Fields(); q = m.Fields().child", "p.child = q"),
        Row("callback from C++", "f = m.call_n; g = lambda x: x", "f(g, 100)", 1.15, scale=100),
    ]


def _fields() -> list[Row]:
    rows = [
        Row("p.a", "p = m.Pair(1, 2)", "p.a", 1.0),
        Row("p.a = 3", "p = m.Pair(1, 2)", "p.a = 3", 1.1),
    ]
    values = {"flag": "True", "i32": "3", "i64": "3", "f64": "2.5", "text": "'text'"}
    kinds = {"flag": "bool", "i32": "int32", "i64": "int64", "f64": "double", "text": "str"}
    for name, value in values.items():
        rows.append(Row(f"read {kinds[name]}", "p = m.Fields()", f"p.{name}", 1.0))
        rows.append(
            Row(f"write {kinds[name]}", f"p = m.Fields(); x = {value}", f"p.{name} = x", 1.1)
        )
    for depth in range(9):
        rows.append(Row(f"field at depth {depth}", f"p = m.Level{depth}()", "p.v", group="depth"))
    return rows


def _containers() -> list[Row]:
    rows = []
    for n in (1, 10, 100, 1000):
        goal = 0.5 if n == 1000 else None
        rows.append(
            Row(
                f"list of {n} ints to Array",
                f"f = m.take_ints; x = list(range({n}))",
                "f(x)",
                goal,
                group="growth",
            )
        )
    for n in (1, 10, 100, 1000):
        goal = 0.6 if n == 1000 else None
        rows.append(
            Row(f"sum(array of {n})", f"x = m.make_array({n})", "sum(x)", goal, group="growth")
        )
    rows.append(Row("array[5]", "x = m.make_array(1000)", "x[5]", 1.2))
    for n in (1, 10, 100, 1000):
        goal = 0.05 if n == 1000 else None
        rows.append(
            Row(
                f"dict(map of {n})",
                f"x = m.make_map({n})",
                "dict(x.items())",
                goal,
                "tvm",
                group="growth",
            )
        )
    return rows


ROWS = [*_calls(), *_objects(), *_fields(), *_containers()]
