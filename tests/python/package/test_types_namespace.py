# SPDX-License-Identifier: Apache-2.0
"""tain.types: what can be imported, and what errors say."""

from __future__ import annotations

import enum
import importlib
import importlib.util
import pickle
import pydoc
import sys
from pathlib import Path

import pytest
from c_keys import register_key
from errors import raises

import tain


def test_a_key_is_a_class() -> None:
    from tain.types.testing import Point

    assert Point is tain.get_class("testing.Point")
    assert (Point.__module__, Point.__qualname__) == ("tain.types.testing", "Point")
    assert Point(3, y=4).norm() == 5


def test_a_function_is_imported_by_its_name() -> None:
    from tain.types.testing import echo

    assert echo is tain.get_global_func("testing.echo")
    assert echo(3) == 3
    assert {"echo", "Point", "Color"} <= set(dir(tain.types.testing))
    assert {"echo", "Point"} <= set(tain.types.testing.__all__)


def test_functions_alone_make_a_namespace() -> None:
    tain.register_global_func("only_functions.deep.half", lambda x: x / 2)
    try:
        from tain.types.only_functions import deep
        from tain.types.only_functions.deep import half

        assert half(3) == 1.5
        assert [name for name in dir(deep) if not name.startswith("__")] == ["half"]
        assert "only_functions" in dir(tain.types)
        tain.register_global_func("only_functions.deep.half", lambda x: x // 2, override=True)
        assert deep.half(3) == 1
    finally:
        tain.remove_global_func("only_functions.deep.half")
    assert not hasattr(deep, "half")
    assert not hasattr(tain.types, "only_functions")


def test_a_class_comes_before_a_function_and_a_function_before_a_namespace() -> None:
    register_key("ranked.Thing")
    register_key("ranked.verb.Part")
    tain.register_global_func("ranked.Thing", lambda: "function")
    tain.register_global_func("ranked.verb", lambda: "function")
    try:
        from tain.types.ranked import Thing, verb

        assert Thing is tain.get_class("ranked.Thing")
        assert verb() == "function"
        below = importlib.import_module("tain.types.ranked.verb")
        assert below.Part is tain.get_class("ranked.verb.Part")
        assert tain.types.ranked.verb() == "function"
    finally:
        tain.remove_global_func("ranked.Thing")
        tain.remove_global_func("ranked.verb")
    assert tain.types.ranked.verb is below


def test_dir_shows_nothing_internal() -> None:
    for module in (tain.types, tain.types.testing):
        own = {name for name in dir(module) if name.startswith("_")}
        assert own <= {
            "__doc__", "__file__", "__loader__", "__name__", "__package__", "__path__",
        }  # fmt: skip
        assert all(hasattr(module, name) for name in dir(module) if name.isidentifier())


def test_an_enum_is_imported_like_a_class() -> None:
    from tain.types.testing import Color

    assert issubclass(Color, enum.IntEnum)
    assert Color.RED == 1


def test_modules_of_namespaces() -> None:
    register_key("nested.outer.inner.Leaf")
    import tain.types.nested.outer.inner

    inner = tain.types.nested.outer.inner
    assert inner.Leaf is tain.get_class("nested.outer.inner.Leaf")
    assert inner is sys.modules["tain.types.nested.outer.inner"]
    assert repr(inner) == "<module 'tain.types.nested.outer.inner' (registered types)>"
    assert "nested.outer.inner" in inner.__doc__
    assert importlib.util.find_spec("tain.types.nested") is not None


def test_dir_and_star_name_what_is_there() -> None:
    register_key("listed.First")
    register_key("listed.deeper.Second")
    register_key("listed.not-one")
    import tain.types.listed as listed

    assert [name for name in dir(listed) if not name.startswith("__")] == ["First", "deeper"]
    assert listed.__all__ == ["First"]
    assert {"listed", "testing"} <= set(dir(tain.types))
    space: dict[str, object] = {}
    exec("from tain.types.listed import *", space)
    assert space["First"] is listed.First
    assert "deeper" not in space
    register_key("listed.Third")
    assert "Third" in dir(listed)


ERRORS = [
    (
        "from tain.types.testing import Piont",
        ImportError,
        "cannot import name 'Piont' from 'tain.types.testing'. Did you mean 'Point'",
    ),
    (
        "import tain.types.tseting",
        ModuleNotFoundError,
        "No module named 'tain.types.tseting'. Did you mean 'testing'",
    ),
    (
        "from tain.types import tseting",
        ImportError,
        "cannot import name 'tseting' from 'tain.types'. Did you mean 'testing'",
    ),
    (
        "from tain.types.tseting import Point",
        ModuleNotFoundError,
        "No module named 'tain.types.tseting'. Did you mean 'testing'",
    ),
    (
        "import tain.types.testing.Point",
        ModuleNotFoundError,
        "No module named 'tain.types.testing.Point': it is a type; from tain.types.testing import "
        "Point",
    ),
    (
        "import tain.types.testing.echo",
        ModuleNotFoundError,
        "No module named 'tain.types.testing.echo': it is a function; from tain.types.testing "
        "import echo",
    ),
    (
        "from tain.types.testing import ehco",
        ImportError,
        "cannot import name 'ehco' from 'tain.types.testing'. Did you mean 'echo'",
    ),
    (
        "import tain.types.quite_unknown",
        ModuleNotFoundError,
        "No module named 'tain.types.quite_unknown': no loaded library registers quite_unknown.*, "
        "and no installed package announces 'quite_unknown' as an entry point of the group "
        "'tain.types'; first load the library that registers it",
    ),
    (
        "import tain; tain.types.testing.Piont",
        AttributeError,
        "module 'tain.types.testing' has no attribute 'Piont'. Did you mean 'Point'",
    ),
    (
        "import tain; tain.types.tseting",
        AttributeError,
        "module 'tain.types' has no attribute 'tseting'. Did you mean 'testing'",
    ),
    ("import tain; tain.get_class('testing.Piont')", ValueError, "testing.Point"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("code", "error", "text"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors_name_what_is_near(code: str, error: type[Exception], text: str) -> None:
    assert tain.types.testing.Point  # the library is loaded
    with pytest.raises(error) as caught:
        exec(code, {})
    assert type(caught.value) is error
    assert text in str(caught.value)


def test_names_of_what_is_missing() -> None:
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("tain.types.nowhere")
    assert caught.value.name == "tain.types.nowhere"
    assert not hasattr(tain.types, "nowhere")
    assert getattr(tain.types.testing, "nowhere", 7) == 7


def test_a_class_comes_before_a_namespace_of_its_key() -> None:
    from tain.types import testing

    assert testing.Expr is tain.get_class("testing.Expr")
    below = importlib.import_module("tain.types.testing.Expr")
    assert below.Kind is tain.get_class("testing.Expr.Kind")
    assert testing.Expr is tain.get_class("testing.Expr")


def test_a_class_replaces_a_namespace_that_was_imported_first() -> None:
    register_key("late.Thing.Part")
    import tain.types.late.Thing

    assert tain.types.late.Thing.Part is tain.get_class("late.Thing.Part")
    register_key("late.Thing")
    assert tain.types.late.Thing is tain.get_class("late.Thing")


def test_a_key_without_a_dot() -> None:
    assert tain.types.testing
    from tain.types import TestingPlain

    assert TestingPlain is tain.get_class("TestingPlain")
    assert TestingPlain.__module__ == "tain.types"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "key",
    ["testing.a-b.2D", "testing.with space", "testing..Empty", "testing.Ends."],
)
def test_odd_keys_are_reached_by_get_class_only(key: str) -> None:
    assert issubclass(tain.get_class(key), tain.Object)
    first, _, last = key.removeprefix("testing.").rpartition(".")
    assert not hasattr(tain.types.testing, first)
    assert not hasattr(tain.types.testing, last)


def test_namespaces_and_keys_that_are_words_of_python() -> None:
    register_key("class.lambda.None")
    module = importlib.import_module("tain.types.class.lambda")
    assert getattr(module, "None") is tain.get_class("class.lambda.None")
    assert getattr(tain.types.testing.x, "class") is tain.get_class("testing.x.class")


def test_keys_in_other_scripts() -> None:
    from tain.types.testing import Größe

    assert Größe is tain.get_class("testing.Größe")


def test_the_names_of_built_in_types() -> None:
    from tain.types.ffi import Array, Function, Object

    assert (Array, Function, Object) == (tain.Array, tain.Function, tain.Object)


def test_reloading_changes_nothing() -> None:
    before = tain.types.testing.Point
    for name in ("tain.types.testing", "tain.types", "tain.types._finder"):
        importlib.reload(sys.modules[name])
    assert tain.types.testing.Point is before
    finders = [f for f in sys.meta_path if type(f).__module__ == "tain.types._finder"]
    assert len(finders) == 1


def test_an_import_waits_for_the_one_of_another_thread(run) -> None:
    """`tain.types` is there as soon as its import begins, and finds nothing until it has ended."""
    run("""
        import importlib.machinery, sys, threading, time
        import tain
        begun, waited = threading.Event(), []
        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name != "tain.types._finder":
                    return None
                sys.meta_path.remove(self)
                spec = importlib.machinery.PathFinder.find_spec(name, path)
                execute = spec.loader.exec_module
                def exec_module(module):
                    begun.set()
                    time.sleep(0.3)
                    execute(module)
                spec.loader.exec_module = exec_module
                return spec
        sys.meta_path.insert(0, Slow())
        def other():
            begun.wait()
            try:
                import tain.types.testing.no_such
            except ModuleNotFoundError as error:
                waited.append(str(error))
            from tain.types.testing import Point
            import tain.types.testing.save as save
            waited.append((Point(1, 2).x, save, type(save.__spec__.loader).__name__))
        thread = threading.Thread(target=other)
        thread.start()
        import tain.types
        thread.join()
        missing, (x, save, loader) = waited
        assert missing.startswith("No module named 'tain.types.testing.no_such'"), missing
        assert (x, loader) == (1, "Finder") and save is tain.types.testing.save
    """)


def test_a_class_is_pickled_by_name() -> None:
    from tain.types.testing import Point

    assert pickle.loads(pickle.dumps(Point)) is Point


def test_help_lists_the_types() -> None:
    text = pydoc.render_doc(tain.types.testing, renderer=pydoc.plaintext)
    assert "class Point" in text


def test_names_do_not_hide_namespaces() -> None:
    """The root package has no names of its own that a namespace could have."""
    for name in ("sys", "annotations", "install", "Finder", "Any"):
        register_key(f"{name}.Type")
        assert getattr(tain.types, name).Type is tain.get_class(f"{name}.Type")


def test_a_name_that_is_no_text_in_the_registry() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tain.types.a-b")


ANNOUNCED = {
    "announced/__init__.py": "import announced.code",
    "announced/code.py": (
        "from c_keys import register_key\n"
        "register_key('announced.Thing')\nregister_key('announced.sub.Deep')\n"
    ),
    "announced-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: announced\nVersion: 1.0\n",
    "announced-1.0.dist-info/entry_points.txt": (
        "[tain.types]\nannounced = announced\nbroken = announced.broken\nempty = announced\n"
    ),
    "announced/broken.py": "raise RuntimeError('broken on purpose')",
}


@pytest.fixture
def announced(tmp_path: Path) -> str:
    """Return a folder with an installed package that announces namespaces."""
    folder = tmp_path / "site"
    for name, text in ANNOUNCED.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    "code",
    [
        "from tain.types.announced import Thing",
        "from tain.types.announced.sub import Deep",
        "import tain; tain.types.announced.Thing",
        "import tain; tain.get_class('announced.Thing')",
        "import tain.types.announced as a; assert dir(a)",
        "from tain.types import announced; announced.sub.Deep",
    ],
)
def test_an_announced_namespace_is_found_in_a_new_process(run, announced, code: str) -> None:
    run(code, path=announced)


def test_packages_that_announce_in_vain(run, announced) -> None:
    code = """
        import importlib
        for name in ("broken", "empty"):
            try:
                importlib.import_module(f"tain.types.{name}")
            except Exception as error:
                print(type(error).__name__, str(error)[:40])
        """
    assert run(code, path=announced).splitlines() == [
        "RuntimeError broken on purpose",
        "ModuleNotFoundError No module named 'tain.types.empty': no l",
    ]


def test_metadata_is_read_on_a_miss_only(run) -> None:
    code = """
        import sys
        import tain
        from tain.types.ffi import Array
        from tain.types.testing import Point
        assert not hasattr(tain.types.testing, "nothing")
        assert not hasattr(tain.types, "_repr_html_")
        try:
            tain.get_class("testing.nothing")
        except ValueError:
            pass
        assert tain.get_global_func("nothing.at.all", allow_missing=True) is None
        print("importlib.metadata" in sys.modules)
        assert not hasattr(tain.types, "nothing")
        print("importlib.metadata" in sys.modules)
        """
    assert run(code).split() == ["False", "True"]


def test_importing_a_namespace_makes_no_class(run) -> None:
    run("""
        import tain
        from c_keys import register_key
        for i in range(10_000):
            register_key(f"many.Type{i}")
        before = len(tain.Object.__subclasses__())
        import tain.types.many
        assert len(dir(tain.types.many)) > 10_000
        assert len(tain.Object.__subclasses__()) == before
        tain.types.many.Type77
        assert len(tain.Object.__subclasses__()) == before + 1
        """)


def test_errors_of_a_class_are_not_a_missing_name(monkeypatch) -> None:
    def fail(key: str, load: bool = True) -> None:
        raise AttributeError("the original")

    register_key("failing.Thing")
    import tain.types.failing

    monkeypatch.setattr(tain._core, "find_class", fail)
    with raises(RuntimeError, "tain.types.failing.Thing cannot be made: the original") as caught:
        from tain.types.failing import Thing  # noqa: F401
    assert isinstance(caught.value.__cause__, AttributeError)


def test_a_folder_of_stubs_hides_no_namespace(run, tmp_path: Path) -> None:
    """Type checkers find stubs below the folder of tain.types, where Python would look too."""
    (tmp_path / "testing").mkdir()
    (tmp_path / "testing" / "__init__.pyi").write_text("x: int\n")
    run(f"""
        import tain.types
        tain.types.__path__.append({str(tmp_path)!r})
        from tain.types.testing import Point
        assert type(tain.types.testing).__name__ == "Namespace"
        """)
