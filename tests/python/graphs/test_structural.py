# SPDX-License-Identifier: Apache-2.0
"""Structural comparison and hash: values, kinds of types, regions, hooks, cycles, depth."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from typing import Any

import interpreter
import numpy as np
import pytest
from errors import raises
from hypothesis import given, settings
from hypothesis import strategies as st

import tain

T = tain.types.testing
equal, hash_of = tain.structural_equal, tain.structural_hash


def check(a: Any, b: Any, same: bool, free: bool = False) -> None:
    """Check equality in both directions, and that equal graphs have equal hashes."""
    assert equal(a, b, map_free_vars=free) is same
    assert equal(b, a, map_free_vars=free) is same
    found = tain.first_mismatch(a, b, map_free_vars=free)
    assert (found is None) is same
    if same:
        assert hash_of(a, map_free_vars=free) == hash_of(b, map_free_vars=free)
    else:
        assert hash_of(a, map_free_vars=free) != hash_of(b, map_free_vars=free)


VALUES = [
    None, True, False, 0, 1, 2, -1, 1.0, 0.0, -0.0, 1.5, math.inf, "", "a", "a longer text", b"",
    b"a", b"a longer text", 2**63, -(2**63) - 1, 2**200, tain.dtype("int32"),
    tain.dtype("float32"), tain.cpu(0), tain.cuda(1), tain.Shape((1, 2)), tain.Shape(()), [], [1],
    [1, 2], [2, 1], [[1], 2], tain.List([]), tain.List([1]), {}, {"a": 1}, {"a": 2}, {"b": 1},
    {1: 1}, tain.Dict({}), tain.Dict({"a": 1}), np.zeros(3), np.zeros((3, 1)),
    np.zeros(3, np.float32), np.ones(3), np.array(-0.0), np.array(0.0),
]  # fmt: skip


def test_every_value_equals_itself_alone() -> None:
    for i, a in enumerate(VALUES):
        for j, b in enumerate(VALUES):
            assert equal(a, b) is (i == j), (a, b)
            assert (hash_of(a) == hash_of(b)) is (i == j), (a, b)


def test_every_nan_is_the_same() -> None:
    check(math.nan, -math.nan, True)
    check(T.SNode(single=math.nan), T.SNode(single=-math.nan), True)


def test_maps_do_not_depend_on_the_order() -> None:
    a = {"a": [1], "b": 2, 3: "x", None: 0, (1, 2): 5, 1.5: 1}
    check(a, dict(reversed(a.items())), True)
    check(a, {**a, (1, 2): 6}, False)
    check(a, {**a, "c": 6}, False)
    check({(1, 2): 1}, {(2, 1): 1}, False)


def test_tensors_by_type_shape_and_contents() -> None:
    grid = np.arange(24, dtype=np.int32).reshape(4, 6)
    read_only = grid.copy()
    read_only.flags.writeable = False
    check(grid[::2, ::3], grid[::2, ::3].copy(), True)
    check(grid.T, np.ascontiguousarray(grid.T), True)
    check(tain.from_dlpack(read_only), grid, True)
    check(grid[::2], grid[1::2], False)
    check(grid, grid.astype(np.uint32), False)
    check(np.zeros((0, 3)), np.zeros((0, 3)), True)
    check(np.zeros((0, 3)), np.zeros((3, 0)), False)


def test_fields_of_every_kind() -> None:
    a = {"left": "x", "tiny": -3, "large": 2**63 - 1, "single": 0.1, "items": [1, 2]}
    check(T.SNode(**a), T.SNode(**a), True)
    for name, value in {"left": "y", "tiny": 4, "large": 1, "single": 0.2, "items": [2, 1]}.items():
        check(T.SNode(**a), T.SNode(**{**a, name: value}), False)
    check(T.SNode(), T.SConst(), False)


class TestKinds:
    def test_sharing_matters_in_a_dag_only(self) -> None:
        for cls, same in ((T.SNode, True), (T.SConst, True), (T.SDag, False)):
            leaf = cls(1)
            check(T.SNode(leaf, leaf), T.SNode(cls(1), cls(1)), same)
            other = cls(1)
            check(T.SNode(leaf, leaf), T.SNode(other, other), True)

    def test_a_tree_that_is_shared_around_a_dag(self) -> None:
        dag, other = T.SDag(1), T.SDag(1)
        shared = T.SNode(dag)
        check(T.SNode(shared, shared), T.SNode(T.SNode(other), T.SNode(other)), True)

    def test_a_unique_instance_equals_itself_alone(self) -> None:
        one = T.SUnique(1)
        check([one], [one], True)
        check([one], [T.SUnique(1)], False)

    def test_functions_and_opaque_values_by_identity(self) -> None:
        values = {1, 2}
        check([values], [values], True)
        check([values], [{1, 2}], False)
        echo = tain.get_global_func("testing.echo")
        check([echo], [echo], True)

    def test_kinds_are_inherited_and_shown(self) -> None:
        assert tain.type_info("testing.SVar").structural == "variable"
        assert tain.type_info("testing.SNode").structural == "tree"
        fields = {field.name: field.structural for field in tain.type_info("testing.SFunc").fields}
        assert fields == {"params": "def", "body": None, "comment": "ignore"}
        assert tain.type_info("testing.SLet").fields[1].structural == "simple_def"


def func(body: Any, *params: Any, comment: str = "") -> Any:
    return T.SFunc(params=list(params), body=body, comment=comment)


class TestVariables:
    def test_free_variables(self) -> None:
        x, y = T.SVar("x"), T.SVar("y")
        check(x, x, True)
        check(x, y, False)
        check([x, y, x], [y, x, y], True, free=True)
        check([x, y, x], [y, x, x], False, free=True)
        check([x, x], [x, y], False, free=True)
        check([x, y], [x, x], False, free=True)
        check(T.SVar("x", 1), T.SVar("x", 2), False, free=True)

    def test_bound_variables(self) -> None:
        x, y, z = T.SVar("x"), T.SVar("y"), T.SVar("z")
        check(func([x, x], x, comment="a"), func([y, y], y, comment="b"), True)
        check(func([x, y], x, y), func([y, x], y, x), True)
        check(func([x, y], x, y), func([x, y], y, x), False)
        check(func([x, z], x), func([y, z], y), True)
        check(func([x, z], x), func([y, x], y), False)

    def test_a_region_reaches_into_types_but_a_simple_one_does_not(self) -> None:
        n, m = T.SVar("n"), T.SVar("m")
        check(func(n, T.SVar("x", [n])), func(m, T.SVar("y", [m])), True)
        check(T.SLet(0, T.SVar("x", 1), 0), T.SLet(0, T.SVar("y", 1), 0), True)
        check(T.SLet(0, [T.SVar("x")], 0), T.SLet(0, [T.SVar("y")], 0), True)
        check(T.SLet(0, T.SVar("x", n), 0), T.SLet(0, T.SVar("y", m), 0), False)
        check(T.SLet(0, T.SVar("x", n), 0), T.SLet(0, T.SVar("y", n), 0), True)

    def test_values_of_maps_bind_in_the_order_of_keys(self) -> None:
        x, y = T.SVar("x"), T.SVar("y")
        a = {"a": func(x, x), "b": [x]}
        b = {"b": [y], "a": func(y, y)}
        check(a, b, True)

    def test_keys_of_maps_that_are_bound(self) -> None:
        x, y = T.SVar("x"), T.SVar("y")
        check(func({x: 1}, x), func({y: 1}, y), True)
        check(func({x: 1}, x), func({y: 2}, y), False)
        assert not equal({x: 1}, {y: 1}, map_free_vars=True)

    def test_free_vars(self) -> None:
        n = T.SVar("n")
        x, y = T.SVar("x", n), T.SVar("y")
        graph = T.SNode([x, func([y, x], y)], {"k": [y, x], "z": T.SLet(n, T.SVar("l"), 0)})
        assert [v.name for v in tain.free_vars(graph)] == ["n", "x"]
        assert list(tain.free_vars([1, "a"])) == []
        assert tain.free_vars(y)[0] is y


class TestCycles:
    def test_cycles_that_look_the_same(self) -> None:
        def ring(size: int, value: Any = 0) -> Any:
            nodes = [T.SNode(right=value) for _ in range(size)]
            for i, node in enumerate(nodes):
                node.left = nodes[(i + 1) % size]
            return nodes[0]

        check(ring(1), ring(1), True)
        check(ring(2), ring(3), True)
        check(ring(2), ring(2, 1), False)
        check([ring(2), 1], [ring(3), 1], True)
        check([ring(2), 1], [ring(3), 2], False)

    def test_containers_that_contain_themselves(self) -> None:
        def inside() -> Any:
            made = tain.List([1])
            made.append(made)
            return made

        check(inside(), inside(), True)
        holder = tain.Dict({"a": 1})
        holder["self"] = holder
        check(holder, holder, True)

    def test_a_cycle_through_a_dag_or_a_variable(self) -> None:
        def made(cls: Any, unrolled: bool) -> Any:
            node = cls()
            top = T.SNode(node)
            inner = T.SNode(node) if unrolled else top
            setattr(node, "type" if cls is T.SVar else "left", inner)
            return top

        for cls in (T.SDag, T.SVar):
            a, b = made(cls, False), made(cls, True)
            assert equal(a, b, map_free_vars=True)
            assert hash_of(a, map_free_vars=True) == hash_of(b, map_free_vars=True)


class TestDepth:
    SIZE = 1_000_000

    @pytest.mark.slow
    def test_a_chain_of_a_million(self) -> None:
        def chain(end: int, cls: Any) -> Any:
            node = end
            for _ in range(self.SIZE):
                node = cls(node)
            return node

        for cls in (T.SNode, T.SDag):
            a, b = chain(1, cls), chain(1, cls)
            assert equal(a, b) and hash_of(a) == hash_of(b)
        c = chain(2, T.SNode)
        found = tain.first_mismatch(chain(1, T.SNode), c)
        assert found is not None and len(found.path_a) == self.SIZE
        assert len(found.message) < 2000
        assert list(tain.free_vars(c)) == []

    def test_shared_parts_are_walked_once(self) -> None:
        def tower(levels: int) -> Any:
            node = T.SNode(0, 0)
            for _ in range(levels):
                node = T.SNode(node, node)
            return node

        check(tower(200), tower(200), True)
        check(tower(200), tower(201), False)

    def test_shared_arrays_are_walked_once(self) -> None:
        def tower(levels: int) -> Any:
            array = tain.Array([1])
            for _ in range(levels):
                array = tain.Array([array, array])
            return array

        check(tower(200), tower(200), True)
        check(tower(200), tower(201), False)

    @staticmethod
    def in_keys(levels: int, last: int = 1) -> Any:
        """Return maps within keys of maps."""
        key: Any = "a"
        for _ in range(levels):
            key = tain.Map({key: last})
        return key

    @pytest.mark.parametrize("levels", [1, 2, 16, 17, 31, 100, 400])
    def test_maps_within_keys_of_maps(self, levels: int) -> None:
        a, b = ([0, {"x": self.in_keys(levels)}] for _ in range(2))
        check(a, b, True)
        check(a, [0, {"x": self.in_keys(levels, last=2)}], False)
        for save, load in ((tain.save_json, tain.load_json), (tain.save_binary, tain.load_binary)):
            saved: Any = save(a)
            assert equal(load(saved), a) and save(load(saved)) == saved

    @pytest.mark.bad_input
    @pytest.mark.only_if(
        not interpreter.DEBUG, reason="a debug CPython refuses 500 hashes in one another"
    )
    def test_too_many_maps_within_keys_of_maps(self) -> None:
        """The errors name the place of the outermost key."""
        a, b = (T.SNode([0, {"x": self.in_keys(600)}], "") for _ in range(2))
        nested = "{" * 80 + "..."
        for use in (
            lambda: equal(a, b),
            lambda: hash_of(a),
            lambda: tain.first_mismatch(a, b),
            lambda: tain.StructuralKey(a),
        ):
            with raises(
                RecursionError,
                f'<root>.left[1]["x"][{nested}]: '
                "maps are nested in keys of maps more than 500 levels deep",
            ):
                use()

    def test_keys_that_many_maps_share(self) -> None:
        """Each map would be met 2**100 times."""

        def tower(last: int) -> Any:
            inner = tain.Map({"a": last})
            for _ in range(100):
                first, second = tain.Array([inner]), tain.Array([inner, 0])
                inner = tain.Map([(first, 1), (second, 2)])
            return inner

        check(tower(1), tower(1), True)
        check(tower(1), tower(2), False)
        assert tower(1) == tower(1) != tower(2)


@tain.py_class("structtest.Set", structural="tree")
class AsSet(tain.Object):
    """Compares its items without their order."""

    items: Any = None
    note: str = tain.field(default="", structural="ignore")

    def __s_equal__(self, other: AsSet, compare: Any) -> bool:
        if len(self.items) != len(other.items):
            return False
        rest = list(other.items)
        for item in self.items:
            found = next((x for x in rest if compare(item, x, False, "items")), None)
            if found is None:
                return False
            rest.remove(found)
        return True

    def __s_hash__(self, init: int, function: Any) -> int:
        return int(init) + sum(function(item, 0, False) for item in self.items)


class TestHooks:
    def test_hooks_in_python(self) -> None:
        check(AsSet([1, [2], 3]), AsSet([[2], 3, 1], note="x"), True)
        check([AsSet([1, 2])], [AsSet([1, 3])], False)

    def test_hooks_in_cpp(self) -> None:
        x, y = T.SVar("x"), T.SVar("y")
        check(T.SPair(1, [2]), T.SPair([2], 1), True)
        check(T.SPair(1, [2]), T.SPair([3], 1), False)
        check(func(T.SPair(x, 1), x), func(T.SPair(1, y), y), True)

    def test_a_failed_attempt_of_a_hook_is_undone(self) -> None:
        x, y = T.SVar("x"), T.SVar("y")
        a = T.SPair([x, 1], [x, 2])
        b = T.SPair([y, 2], [y, 1])
        assert equal([a, x], [b, y], map_free_vars=True)

    def test_a_subclass_has_its_own_hook(self) -> None:
        class Near(T.SNode):  # type: ignore[misc,name-defined]
            def __s_equal__(self, other: Any, compare: Any) -> bool:
                return abs(self.left - other.left) < 2

        assert equal(Near(1), Near(2)) and not equal(Near(1), Near(3))
        assert hash_of(Near(1)) == hash_of(Near(2))
        assert not equal(T.SNode(1), T.SNode(2))

    def test_the_path_goes_through_a_hook(self) -> None:
        found = tain.first_mismatch([T.SPair(1, 2)], [T.SPair(1, 3)])
        assert found is not None and str(found.path_a).startswith("<root>[0].")


def define(equal_hook: Any = None, hash_hook: Any = None) -> Any:
    """Return a subclass of SNode with these hooks."""
    members = {"__s_equal__": equal_hook, "__s_hash__": hash_hook}
    return type("Odd", (T.SNode,), {k: v for k, v in members.items() if v is not None})


@pytest.mark.bad_input
class TestBadHooks:
    def test_hooks_that_raise(self) -> None:
        def fail(*_: Any) -> Any:
            raise KeyError("mine")

        cls = define(fail, fail)
        for use in (lambda: equal([cls()], [cls()]), lambda: hash_of([cls()])):
            with pytest.raises(KeyError, match="mine"):
                use()

    def test_hooks_that_return_junk(self) -> None:
        cls = define(lambda *_: "x", lambda *_: "x")
        with raises(TypeError, "testing.SNode.__s_equal__: expected bool, got str ('x')"):
            equal(cls(), cls())
        with raises(TypeError, "testing.SNode.__s_hash__: expected int, got str ('x')"):
            hash_of(cls())

    def test_arguments_of_the_function(self) -> None:
        cls = define(lambda self, other, compare: compare(1))
        with raises(TypeError, "__s_equal__: expected 2 to 4 arguments for its function, got 1"):
            equal(cls(), cls())
        cls = define(lambda self, other, compare: compare(1, 1, "x"))
        with raises(TypeError, "__s_equal__: expected bool for def_region, got str ('x')"):
            equal(cls(), cls())

    def test_the_function_ends_with_the_hook(self) -> None:
        kept: list[Any] = []

        def keep(self: Any, other: Any, compare: Any) -> bool:
            kept.append(compare)
            return True

        cls = define(keep)
        assert equal(cls(), cls())
        with raises(RuntimeError, "__s_equal__ has returned: its function ended with it"):
            kept[0](1, 1)

    def test_a_hook_that_compares_again(self) -> None:
        cls = define(lambda self, other, compare: equal(self.left, other.left))
        assert equal(cls(cls([1])), cls(cls([1]))) and not equal(cls([1]), cls([2]))

    def test_endless_recursion_of_a_hook(self) -> None:
        cls = define(lambda self, other, compare: compare([self, cls()], [other, cls()]))
        with pytest.raises(RecursionError):
            equal(cls(), cls())

    def test_a_hook_that_changes_the_graph(self) -> None:
        root = tain.List([])

        def clear(self: Any, other: Any, compare: Any) -> bool:
            root.clear()
            holder.left = None
            return True

        cls = define(clear)
        holder = T.SNode([T.SNode(cls()), T.SNode(5)], 1)
        root.extend([cls(), holder, [T.SNode(1)] * 3])
        other = tain.List([cls(), T.SNode([T.SNode(cls()), T.SNode(5)], 1), [T.SNode(1)] * 3])
        assert equal(root, other) is False

        def drop(self: Any, init: int, function: Any) -> int:
            root.clear()
            return 1

        odd = define(None, drop)
        root.extend([odd(), T.SNode(3), [4]])
        assert isinstance(hash_of(root), int)

    def test_a_cycle_through_hooks(self) -> None:
        a = AsSet()
        a.items = tain.List([a, 1])
        assert equal(a, a) and isinstance(hash_of(a), int)


class TestMismatch:
    def test_the_text_shows_place_values_and_what_is_around(self) -> None:
        def tree(value: Any) -> Any:
            return T.SNode([T.SNode(), T.SNode(value, "r")], {"k": 1})

        with pytest.raises(tain.StructuralMismatchError) as caught:
            tain.assert_structural_equal(tree(1), tree(2))
        lines = str(caught.value).splitlines()
        assert lines[0] == "<root>.left[1].left: 1 != 2"
        assert lines[1].startswith("  in testing.SNode(left=1, right='r'")
        assert lines[2].startswith("  and testing.SNode(left=2, right='r'")
        assert isinstance(caught.value, AssertionError) and isinstance(caught.value, ValueError)
        again = pickle.loads(pickle.dumps(caught.value))
        assert str(again) == str(caught.value) and again.mismatch.a == 1

    @pytest.mark.parametrize(
        ("a", "b", "message"),
        [
            (1, 2, "<root>: 1 != 2"),
            (1, 1.0, "<root>: int 1 != float 1.0"),
            ([1, 2], [1], "<root>[1]: 2 != nothing"),
            ([1], [1, 2], "<root>[1]: nothing != 2"),
            ([2, 2], [1], "<root>[0]: 2 != 1"),
            ({"a": 1}, {"b": 1}, '<root>["a"]: 1 != nothing'),
            ({"a": 1}, {"a": 1, "b": 2}, '<root>["b"]: nothing != 2'),
            ({"a": [1]}, {"a": [2]}, '<root>["a"][0]: 1 != 2'),
            (None, [1], "<root>: None != Array [1]"),
        ],
    )
    def test_texts(self, a: Any, b: Any, message: str) -> None:
        found = tain.first_mismatch(a, b)
        assert found is not None and found.message.splitlines()[0] == message

    def test_the_reason(self) -> None:
        x, y, one = T.SVar("x"), T.SVar("y"), T.SDag(1)
        texts = [
            tain.first_mismatch(a, b, free).message.splitlines()[0].partition(" (")[2]  # type: ignore[union-attr]
            for a, b, free in (
                (x, y, False),
                ([x, x], [y, x], True),
                ([x, y], [x, x], True),
                ([one, one], [T.SDag(1), T.SDag(1)], False),
                (T.SUnique(), T.SUnique(), False),
            )
        ]
        assert texts == [
            "they are two free variables)",
            "the first variable stands for another one)",
            "another variable stands for the second one)",
            "the first object is shared with another one)",
            "they are two instances)",
        ]

    def test_both_paths_differ_by_keys(self) -> None:
        x, y = T.SVar("x"), T.SVar("y")
        found = tain.first_mismatch(func({x: 1}, x), func({y: 2}, y))
        assert found is not None
        assert found.path_a[1].value is x and found.path_b[1].value is y

    def test_equal_graphs(self) -> None:
        assert tain.first_mismatch([1], [1]) is None
        tain.assert_structural_equal([1], [1])


def test_keys_of_dictionaries() -> None:
    key = tain.StructuralKey(T.SNode([1]))
    assert {key: 1}[tain.StructuralKey(T.SNode([1]))] == 1
    assert key != tain.StructuralKey(T.SNode([2])) and key != 1
    x, y = T.SVar("x"), T.SVar("y")
    assert tain.StructuralKey(x) != tain.StructuralKey(y)
    assert tain.StructuralKey(x, True) == tain.StructuralKey(y, True)
    assert pickle.loads(pickle.dumps(key)) == key


def test_hashes_are_the_same_in_other_processes() -> None:
    code = (
        "import tain, tain.testing; T = tain.types.testing; x = T.SVar('x');"
        "graph = [T.SNode('a', {'k': 1.5}, tiny=3), T.SFunc([x], [x]), b'x', None];"
        "print(tain.structural_hash(graph))"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", before + code], capture_output=True, text=True, check=True
        ).stdout
        for before in ("", "import tain, tain.testing; tain.types.testing.Point(1, 2);")
    }
    x = T.SVar("other")
    mine = hash_of([T.SNode("a", {"k": 1.5}, tiny=3), T.SFunc([x], [x]), b"x", None])
    assert hashes == {f"{mine}\n"}


@pytest.mark.bad_input
def test_wrong_options() -> None:
    with raises(ValueError, "field: structural: expected 'ignore', 'def' or 'simple_def', got 'x'"):
        tain.field(structural="x")
    with raises(
        ValueError,
        "structtest.Wrong: structural: expected 'tree', 'dag', 'const_tree', 'variable' or "
        "'unique', got 'x'",
    ):

        @tain.py_class("structtest.Wrong", structural="x")
        class Wrong(tain.Object):
            pass


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.0, -0.0, 1.0, math.nan]),
    st.text("ab", max_size=2), st.binary(max_size=1),
)  # fmt: skip
VARIABLES = [T.SVar(name) for name in "xyz"]
OTHERS = [T.SVar(name) for name in "pqr"]
GRAPHS = st.recursive(
    st.one_of(LEAVES, st.sampled_from(VARIABLES)),
    lambda parts: st.one_of(
        st.lists(parts, max_size=3),
        st.dictionaries(st.text("ab", max_size=2), parts, max_size=3),
        st.builds(T.SNode, parts, parts),
        st.builds(T.SDag, parts),
        st.builds(lambda body, var: func(body, var), parts, st.sampled_from(VARIABLES)),
        st.builds(T.SLet, parts, st.sampled_from(VARIABLES), parts),
        st.builds(T.SPair, parts, parts),
    ),
    max_leaves=12,
)


def renamed(value: Any, names: dict[Any, Any], memo: dict[int, Any]) -> Any:
    """Return a copy with other variables and reversed maps."""
    if isinstance(value, T.SVar):
        return names[value]
    if isinstance(value, (list, tain.Array)):
        return [renamed(x, names, memo) for x in value]
    if isinstance(value, (dict, tain.Map)):
        return {k: renamed(v, names, memo) for k, v in reversed(list(value.items()))}
    if not isinstance(value, tain.Object):
        return value
    key = value.__chandle__()
    if key not in memo or not isinstance(value, T.SDag):
        fields = [f.name for f in tain.type_info(type(value)).fields]
        memo[key] = type(value)(**{n: renamed(getattr(value, n), names, memo) for n in fields})
    return memo[key]


@settings(deadline=None)
@given(GRAPHS, GRAPHS, st.booleans())
def test_equal_graphs_have_equal_hashes(a: Any, b: Any, free: bool) -> None:
    names = dict(zip(VARIABLES, OTHERS, strict=True))
    copied = renamed(a, names, {})
    assert equal(a, copied, map_free_vars=True)
    assert hash_of(a, map_free_vars=True) == hash_of(copied, map_free_vars=True)
    same = equal(a, b, map_free_vars=free)
    assert same == equal(b, a, map_free_vars=free)
    assert same == (tain.first_mismatch(a, b, free) is None)
    if same:
        assert hash_of(a, map_free_vars=free) == hash_of(b, map_free_vars=free)
