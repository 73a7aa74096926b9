# SPDX-License-Identifier: Apache-2.0
"""Each room of the bridge that has behaviour has a test file of its name, in the same folder."""

from __future__ import annotations

from lint_sources import ROOT, files, rooms

# Rooms without a test file, each with the reason.
WITHOUT = {
    "base/hooks": "a struct of functions, which belong to other rooms",
    "base/with_gil": "a template; test_gil and test_host run what it wraps",
    "base/bridge_lock": "tests/threads run it; test_bridge_lock finds what does not take it",
    "base/loops": "templates; test_pickle_graph and test_define_type change what they read",
    "objects/callable_members": "a list of declarations, read by override_sets and overrides",
    "tensors/exchange_api": "a struct of DLPack, read by array_class and filled by tensor_export",
    "objects/edge_counts": "a table that gc alone fills; test_gc makes it grow",
    "objects/gc_edges": "a declaration that gc and gc_candidates share",
    **dict.fromkeys(
        (
            *("api/state", "base/state", "calls/state", "classes/state", "containers/state"),
            *("objects/gc_state", "objects/state", "tensors/state"),
            "values/state",
        ),
        "a struct, whose members belong to the other rooms of the folder",
    ),
    **dict.fromkeys(
        (
            *("api/init", "classes/init", "graphs/init", "tensors/init"),
            *("classes/class_parts", "containers/class_parts", "tensors/class_parts"),
        ),
        "declarations of the other rooms of the folder",
    ),
}
# Folders of tests that follow none of the bridge.
OTHERS = {"stubs", "c_api", "helpers", "package", "whole"}


def has_tests(room: str) -> bool:
    """Return whether a room has a test file."""
    folder, _, name = room.partition("/")
    return (ROOT / "tests" / "python" / folder / f"test_{name}.py").is_file()


def test_each_room_of_the_bridge_has_its_tests() -> None:
    missing = {room for room in rooms("src/bindings") if not has_tests(room)}
    assert missing - set(WITHOUT) == set()


def test_no_exception_is_stale() -> None:
    known = rooms("src/bindings")
    stale = [room for room in WITHOUT if room not in known or has_tests(room)]
    assert stale == []


def test_folders_of_tests_are_those_of_the_sources() -> None:
    for half, tests, others in (
        ("src/bindings", "tests/python", OTHERS),
        ("src/ffi", "tests/cpp", {"helpers"}),
    ):
        folders = {room.partition("/")[0] for room in rooms(half)}
        found = {path.parent.name for path in files(tests, suffixes=(".py", ".cc"))}
        assert found - {tests.rpartition("/")[2]} - others - folders == set()


def test_no_two_test_files_have_one_name() -> None:
    """pytest imports a test file by its name alone; ctest names a test after its file."""
    for tests in ("tests", "tests/cpp"):
        suffix = ".cc" if tests == "tests/cpp" else ".py"
        names = [path.name for path in files(tests, suffixes=(suffix,))]
        allowed = {"conftest.py", "__main__.py"}
        assert {name for name in names if names.count(name) > 1} <= allowed
