# SPDX-License-Identifier: Apache-2.0
"""examples/pyast: every kind of node there and back, what is refused, what is folded, visitors."""

from __future__ import annotations

import ast
import dis
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from errors import raises
from example_scripts import load_script

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "pyast"

pytestmark = pytest.mark.slow  # the example is compiled first


pyast: Any = None  # these are imported when the first test runs
convert: Any = None
folding: Any = None
grammar: Any = None


@pytest.fixture(scope="module", autouse=True)
def example() -> None:
    """Compile the example, and import what the tests use of it."""
    global pyast, convert, folding, grammar
    sys.path.insert(0, str(EXAMPLE))
    import pyast
    from pyast import convert, folding, grammar

    sys.path.remove(str(EXAMPLE))


def parse(source: str, mode: str = "exec") -> ast.AST:
    return ast.parse(source, mode=mode, type_comments=True)


def dump(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True)


def there_and_back(tree: ast.AST) -> ast.AST:
    return convert.to_ast(convert.from_ast(tree))


SNIPPETS = """
def f(a, /, b: int = 1, *c, d, e=2, **g) -> int: return a
async def f(*, a):
    async for x in y: await z
    else: pass
    async with a as b, c: yield
    return [x async for x in y]
@d
class C(B, metaclass=M): x: int = 1; y: str; (z): int
del a, b.c, d[e]
x = y = z  # type: int
x += 1; x -= 1; x *= 1; x /= 1; x //= 1; x %= 1; x **= 1; x @= 1
x << 1 >> 2 | 3 ^ 4 & 5
for x in y:  # type: int
    continue
else: break
while a: break
else: pass
if a: pass
elif b: pass
else: pass
with a, b as (c, d): pass
try: raise
except A as e: raise e from None
except (B, C): pass
except: pass
else: pass
finally: pass
assert a, b
import a, b.c as d
from a import b as c, d
from .. import x
from . import *
def f():
    global a, b
    def g():
        nonlocal c
        yield from d
a and b or not c
(x := y)
lambda a, *b, c=1, **d: (yield)
a if b else c
{a: b, **c}; {}; {a, b}
[x for x in y if z if w for v in u]; {x for x in y}; {x: y for x in z}; (x for x in y)
a < b <= c > d >= e == f != g is h is not i in j not in k
f(a, *b, c=d, **e)
f"{a!r:>{b}} text {c=}" 'more'
a.b[c][d:e:f, ::g][...]
*a, b = [c, *d]; (); (a,)
-a; +a; ~a
match a:
    case None | True | 1 | -1.5 | 1+2j | 'a' | b.c: pass
    case [a, *_, b] | (c, *d): pass
    case {'a': 1, -1: b, **rest}: pass
    case C(a, b=c) if d: pass
    case (C() as x) | x: pass
    case _: pass
"""
IN_311 = """
try: pass
except* A as b: pass
x[*a, b]
"""
IN_312 = """
type A[T: int, *Ts, **P] = list[T]
def f[T: (int, str)](a: T) -> T: pass
class C[T]: pass
"""
IN_313 = "type A[T: int = str, *Ts = *tuple[int], **P = [int]] = list[T]\n"
IN_314 = "t'a {b!r:{c}} {d}'\ntry: pass\nexcept A, B: pass\n"
IN_315 = "lazy import a\nlazy from b import c\n{**x for x in y}\n[*x for x in y]\n"

# Sources with the mode of ast.parse.
SOURCES = [
    (SNIPPETS, "exec"),
    *[
        (source, "exec")
        for version, source in (
            ((3, 11), IN_311),
            ((3, 12), IN_312),
            ((3, 13), IN_313),
            ((3, 14), IN_314),
            ((3, 15), IN_315),
        )
        if sys.version_info >= version
    ],
    ("x = 1  # type: ignore[name]\n", "exec"),
    ("x = 1\n", "single"),
    ("1 + x", "eval"),
    ("(int, *str, **dict) -> bool", "func_type"),
]


def test_every_kind_of_node_comes_back() -> None:
    seen = set()
    for source, mode in SOURCES:
        tree = parse(source, mode)
        assert dump(there_and_back(tree)) == dump(tree)
        seen |= {type(node).__name__ for node in ast.walk(tree)}
    assert {name for name in grammar.NODES if hasattr(ast, name)} <= seen
    members = {member.name for members in grammar.ENUMS.values() for member in members}
    assert members <= seen


# Nodes that Python 3.10 does not have.
LATER = (
    *["TryStar", "TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple"],
    *["Interpolation", "TemplateStr"],
)


def test_classes_are_those_of_the_grammar() -> None:
    later = {"type_params", "default_value", "is_lazy"}  # fields that older versions do not have
    for name, cls in grammar.NODES.items():
        node = getattr(ast, name, None)
        if node is None:
            assert name in LATER
            continue
        fields = [field.name for field in grammar.fields_of(cls)]
        assert tuple(f for f in fields if f in node._fields or f not in later) == node._fields
        assert cls.__bases__[0].__name__ == node.__bases__[0].__name__
        assert all(hasattr(cls, attribute) for attribute in node._attributes)
    abstract = [ast.mod, ast.stmt, ast.expr, ast.excepthandler, ast.pattern, ast.type_ignore]
    for node in abstract:
        assert getattr(pyast, node.__name__).__bases__ == (pyast.AST,)
    concrete = {
        name
        for name, node in vars(ast).items()
        if isinstance(node, type) and issubclass(node, tuple(abstract)) and node not in abstract
        if not name.startswith("_")
    }
    deprecated = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Suite"}
    assert concrete - deprecated <= grammar.NODES.keys()


@pytest.mark.parametrize(
    "value",
    [
        *[None, True, False, ..., 0, -1, 2**63 - 1, 2**63, -(2**64), 10**60, 0.0, -0.0, 1e999, 2j],
        *["", "seven..", "eight...", "ü€😀", "\ud800", "a\udfff\ud800b", "nul\0in it", "x" * 5000],
        *[b"", b"\0\xff", bytes(range(256)), (1, ("a", (b"b", ...)), -0.0, 10**30), ()],
    ],
    ids=ascii,
)
def test_constants_survive(value: object) -> None:
    back = there_and_back(ast.Expression(ast.Constant(value, lineno=1, col_offset=0)))
    assert type(back.body.value) is type(value)
    assert repr(back.body.value) == repr(value)


def test_kinds_of_text_survive() -> None:
    tree = parse("u'a' 'b'; 'c'\n")
    assert [node.value.kind for node in convert.from_ast(tree).body] == ["u", None]
    assert dump(there_and_back(tree)) == dump(tree)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: pyast.Expr("x"), "pyast.Expr: argument value: expected pyast.expr, got str ('x')"),
        (lambda: pyast.Expr(None), "pyast.Expr: argument value: expected pyast.expr, got None"),
        (
            lambda: pyast.Expr(pyast.Pass()),
            "pyast.Expr: argument value: expected pyast.expr, got pyast.Pass",
        ),
        (
            lambda: pyast.Return(pyast.Pass()),
            "pyast.Return: argument value: expected pyast.expr | None, got pyast.Pass",
        ),
        (
            lambda: pyast.Module([pyast.Pass(), pyast.Name("x")]),
            "pyast.Module: argument body[1]: expected pyast.stmt, got pyast.Name",
        ),
        (lambda: pyast.Name(5), "pyast.Name: argument id: expected str, got int (5)"),
        (
            lambda: pyast.Name("x", "Load"),
            "pyast.Name: argument ctx: expected pyast.expr_context (Load, Store, Del), got "
            "str ('Load')",
        ),
        (
            lambda: pyast.Name("x", lineno=2**40),
            f"pyast.Name: argument lineno: expected int in {-(2**31)}..{2**31 - 1}, got {2**40}",
        ),
        (lambda: pyast.BinOp(pyast.Name("x")), "pyast.BinOp() missing arguments 'op', 'right'"),
        (lambda: pyast.expr(), "pyast.expr has no constructor"),
        (
            lambda: pyast.Pass(identifier="x"),
            "pyast.Pass() got an unexpected keyword argument 'identifier'",
        ),
        (
            lambda: setattr(pyast.Return(), "value", 1),
            "Return.value: expected pyast.expr | None, got int (1)",
        ),
    ],
)
def test_what_is_refused(make: Any, text: str) -> None:
    with raises((TypeError, OverflowError), text):
        make()


def test_constructors_have_the_defaults_of_ast() -> None:
    call = pyast.Call(pyast.Name("f"))
    assert (list(call.args), list(call.keywords)) == ([], [])
    assert call.func.ctx is pyast.expr_context.Load
    assert (call.lineno, call.col_offset, call.end_lineno, call.end_col_offset) == (
        1,
        0,
        None,
        None,
    )
    function = pyast.FunctionDef("f", pyast.arguments(), [pyast.Pass()])
    module = pyast.Module([function])
    exec(compile(convert.to_ast(module), "made", "exec"), space := {})
    assert space["f"]() is None


# Expressions, and what they are folded to; None where they stay.
FOLDED = [
    ("-5", -5), ("+True", 1), ("~5", -6), ("not 'a'", False), ("not ()", True), ("not 0.0", True),
    ("-9223372036854775808", -(2**63)), ("-(2**63)", -(2**63)), ("-2j", -2j), ("not 2j", False),
    ("not ...", False), ("~1.5", None), ("-'a'", None), ("not 10**30", False),
    ("1 + 2 * 3 - 4", 3), ("True + True", 2), ("True & False", False), ("True & 3", 1),
    ("7 // -2", -4), ("-7 % 3", 2), ("7 % -3", -2), ("1 / 0", None), ("1 // 0", None),
    ("7.5 // -2", -4.0), ("-7.5 % 2", 0.5), ("7.0 % -7.0", -0.0), ("1 % 0.0", None),
    ("1 / 3", 1 / 3), ("(2**53 + 1) / 3", (2**53 + 1) / 3), ("2 ** -1", 0.5),
    ("0 ** -1", None), ("(-8) ** 0.5", (-8) ** 0.5), ("2.5 ** 2", 6.25), ("1e300 ** 2", None),
    ("9223372036854775807 + 1", 2**63), ("3037000500 * 3037000500", 3037000500**2),
    ("1 + 2j", 1 + 2j), ("10**30 - 10**30", 0), ("5 @ 5", None), ("1 + 'a'", None),
    ("1 << 62", 2**62), ("1 << 127", 2**127), ("1 << 128", None), ("0 << 1000", 0),
    ("1 << -1", None), ("-5 >> 1", -3), ("5 >> 1000", 0), ("5 >> -1", None), ("6 ^ 3 | 8", 13),
    ("2 ** 64", 2**64), ("2 ** 65", None), ("1 ** 200", None), ("0 ** 200", 0),
    ("2**63 * 2**63", 2**126), ("(2**64 - 1) * (2**64 - 1)", (2**64 - 1) ** 2),
    ("2**64 * 2**64", None), ("'ab' + 'cd'", "abcd"), ("b'a' + b'b'", b"ab"),
    ("'\\ud800' + '\\udc00'", "\ud800\udc00"), ("'é' * 4096", "é" * 4096), ("'a' * 4097", None),
    ("2 * b'ab'", b"abab"), ("'' * 10**6", ""), ("'a' * -1", None), ("'a' % 5", None),
    ("(1, 2) * 128", (1, 2) * 128), ("(1, 2) * 129", None), ("(1, 2) + ('a',)", (1, 2, "a")),
    ("((1,) * 64, 2) * 16", None), ("((1,) * 64, 2) * 15", ((1,) * 64, 2) * 15), ("() * 9", ()),
    ("(1, 'a', (None, ...), 2j)", (1, "a", (None, ...), 2j)), ("(1, x)", None),
    ("'añb'[1]", "ñ"), ("'abc'[-1]", "c"), ("'abc'[3]", None), ("b'abc'[True]", 98),
    ("(1, (2, 3))[1]", (2, 3)), ("(1, 2)[2]", None), ("'abc'['a']", None), ("5[0]", None),
    ("1 < 2 <= 2.0", True), ("1 < 2 > 3", False), ("1 == 1.0 == True", True), ("1 < 'a'", None),
    ("2**53 + 1 == 2.0**53", False), ("10**30 > 1", True), ("2j == 2j", True), ("2j < 1j", None),
    ("'a' < 'b' != 'c'", True), ("'\\ud800' < '\\U00010000'", True), ("b'a' >= b'b'", False),
    ("(1, 2) < (1, 3)", True), ("(1,) < (1, 'a')", True), ("(1, 2) == (1.0, 2)", True),
    ("(1, 'a') < (2, 3)", True), ("(1, 'a') < (1, 3)", None), ("None == False", False),
    ("'a' == b'a'", False), ("None is None is not True", True), ("1 is 1", None),
    ("'b' in 'abc'", True), ("97 in b'abc'", True), ("300 in b'abc'", None),
    ("2 in (1, 2.0)", True), ("3 not in (1, (3,))", True), ("1 in 'a'", None),
    ("... == ...", True), ("1 < x", None),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), FOLDED, ids=lambda value: ascii(value)[:40])
def test_what_is_folded(source: str, value: object) -> None:
    tree = convert.from_ast(parse(source, "eval"))
    pyast.Folder(folding.evaluate).fold(tree)
    body = convert.to_ast(tree).body
    if value is None:
        assert not isinstance(body, ast.Constant)
    else:
        assert type(body.value) is type(value)
        assert repr(body.value) == repr(value)
        assert (body.lineno, body.col_offset, body.end_col_offset) == (1, 0, len(source.encode()))


def test_without_python_large_numbers_stay() -> None:
    tree = convert.from_ast(parse("(2**63, 1 + 2j, 2**62)", "eval"))
    folder = pyast.Folder()
    folder.fold(tree)
    assert [type(element) for element in tree.body.elts] == [
        pyast.BinOp,
        pyast.BinOp,
        pyast.Constant,
    ]
    assert (folder.binary, folder.tuple, folder.unary, folder.comparison) == (1, 0, 0, 0)


def test_what_stays_because_it_would_mean_something_else() -> None:
    source = "'a' + 'b'\nx: 1 + 1 = 2 + 2\ndef f(a: 1 + 1 = 2 + 2) -> 1 + 1: 'c' * 2\n"
    tree = convert.from_ast(parse(source))
    pyast.Folder(folding.evaluate).fold(tree)
    assert ast.unparse(convert.to_ast(tree)).split("\n") == [
        "'a' + 'b'", "x: 1 + 1 = 4", "", "def f(a: 1 + 1=4) -> 1 + 1:", "    'c' * 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a[1 + 1:-2:-(3 * 4)]", "a[1 + 1:-2:-12]"),
        ("a, b = 1, 2 + 2", "a, b = 1, 4"),
        ("a = 1 + 1", "a = 2"),
        ("a = ('%s' + '%s') % (1 + 1, b)", "a = ('%s' + '%s') % (2, b)"),
        ("a = 7 % 4", "a = 3"),
        ("def f(): return -(2 * 3)", "def f(): return -6"),
    ],
)
def test_what_stays_because_the_compiler_looks_at_it(source: str, expected: str) -> None:
    tree = convert.from_ast(parse(source))
    pyast.Folder(folding.evaluate, everywhere=False).fold(tree)
    assert ast.dump(convert.to_ast(tree)) == ast.dump(parse(expected))


def test_code_with_constants_in_another_order_is_the_same() -> None:
    code = compile("x = 'a'\ny = 'b'\n", "made", "exec")
    first, second, *others = code.co_consts
    instructions = bytearray(code.co_code)
    for instruction in dis.get_instructions(code):
        if instruction.opcode in dis.hasconst and instruction.arg < 2:
            instructions[instruction.offset + 1] = 1 - instruction.arg
    swapped = (second, first, *others)
    same = code.replace(co_consts=swapped, co_code=bytes(instructions))
    assert folding.same_code(code, same)
    assert not folding.same_code(code, code.replace(co_consts=swapped))


def test_a_tree_that_is_an_expression() -> None:
    folder = pyast.Folder(folding.evaluate)
    folded = folder.fold(convert.from_ast(parse("1 + 1", "eval").body))
    assert isinstance(folded, pyast.Constant)
    assert folded.value == 2
    name = pyast.Name("x")
    assert folder.fold(name) is name


def test_callbacks_that_raise() -> None:
    def evaluate(name: str, *operands: object) -> object:
        raise KeyboardInterrupt(name)

    tree = convert.from_ast(parse("1 + 2j", "eval"))
    with raises(KeyboardInterrupt, "add"):
        pyast.Folder(evaluate).fold(tree)


def test_statistics() -> None:
    tree = parse(SNIPPETS)
    nodes = Counter(type(node).__name__ for node in ast.walk(tree))
    expected = {name: count for name, count in nodes.items() if name in grammar.NODES}
    statistics = pyast.Statistics()
    statistics.visit(convert.from_ast(tree))
    assert dict(statistics.kinds) == expected
    assert statistics.nodes == sum(expected.values())
    statistics.visit(pyast.Module([pyast.Expr(pyast.Starred(pyast.Name("x")))]))
    assert statistics.nodes == sum(expected.values()) + 4
    deep = pyast.Statistics()
    deep.visit(pyast.Module([pyast.Expr(pyast.Starred(pyast.Name("x")))]))
    assert deep.depth == 4


def test_a_folder_that_python_extends() -> None:
    class KeepsNegative(pyast.Folder):
        def visit_UnaryOp(self, node: Any) -> None:
            kept.append(node.operand.value)

    kept: list[object] = []
    tree = convert.from_ast(parse("f(-1, 1 + 1, -2 + 1)", "eval"))
    KeepsNegative(folding.evaluate).fold(tree)
    assert kept == [1, 2]
    assert ast.unparse(convert.to_ast(tree)) == "f(-1, 2, -2 + 1)"


def test_the_script_on_some_files(capsys: pytest.CaptureFixture[str]) -> None:
    from pyast.stdlib import source_files

    limit = sys.getrecursionlimit()
    try:
        script = load_script(EXAMPLE / "run.py")
        totals = script.run(source_files(6))
    finally:
        sys.setrecursionlimit(limit)
    assert not totals.changed
    assert "unknown" not in totals.differing
    assert totals.parsed + len(totals.rejected) == 6
    script.report(totals, 1.0)
    shown = capsys.readouterr().out
    assert f"{totals.statistics.nodes} nodes" in shown
    assert "x the time of dataclasses with slots" in shown
