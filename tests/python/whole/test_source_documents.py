# SPDX-License-Identifier: Apache-2.0
"""What the documents that tain follows show and tain does, each capability under its own id.

docs/source_documents.md says in words what is tested here, row by row.
"""

from __future__ import annotations

import ctypes
import inspect
import pickle
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from c_calls import LIB, SAFE_CALL, Value
from errors import moved_text, raises
from graph_rows import ROWS as GRAPH_ROWS
from sanitized import PLAIN_ENVIRONMENT
from tain.types.testing import Bare, Point, Vector
from tensor_rows import ROWS as TENSOR_ROWS
from testing_functions import get

import tain
from tain import libinfo
from tain.types import testing as registered

Check = Callable[..., None]  # its parameters are fixtures
ROWS: dict[str, Check] = {**TENSOR_ROWS, **GRAPH_ROWS}


def row(name: str) -> Callable[[Check], Check]:
    """Give a check the id of its row."""

    def add(check: Check) -> Check:
        ROWS[name] = check
        return check

    return add


@row("guide-03")
def _() -> None:
    assert get("echo")(1) == 1
    assert get("apply")(lambda x: x + 1, 2) == 3
    assert (get("nop")(), get("add_one")(1)) == (None, 2)
    with raises(ValueError, "message"):
        get("test_raise_error")("ValueError", "message")
    assert tain.testing.apply(tain.testing.add_one, 2) == 3
    assert tain.testing.TestIntPair is registered.TestIntPair


@row("guide-04")
def _() -> None:
    @tain.register_global_func("source_documents.add_one")
    def add_one(x: int) -> int:
        return x + 1

    assert isinstance(add_one, types.FunctionType)
    assert tain.get_global_func("source_documents.add_one")(1) == add_one(1) == 2
    tain.remove_global_func("source_documents.add_one")


@row("guide-05")
def _() -> None:
    array, mapping = tain.convert([1, 2, 3, 4]), tain.convert({"a": 1})
    assert (type(array), type(mapping)) == (tain.Array, tain.Map)
    assert (array, mapping) == ([1, 2, 3, 4], {"a": 1})
    assert get("describe")([1], {"a": 1}) == "Array, Map"
    assert (type(get("echo")([1])), type(get("echo")({"a": 1}))) == (tain.Array, tain.Map)


@row("guide-07")
def _() -> None:
    source = """
        TAIN_REGISTER {
          tain::reflection::GlobalDef().def("source_documents.built", [] { return 7; });
        }
    """
    source += "int64_t next(int64_t x) { return x + 1; }"
    path = tain.cpp.build_inline("source_documents_built", cpp_sources=source, functions="next")
    module: tain.Module = tain.load_module(path)
    assert module.next(1) == 2
    assert [tain.get_global_func(name)() for name in tain.load_library(path).functions] == [7]


@row("guide-08")
def _() -> None:
    @tain.register_error("SourceDocumentsError")
    class SourceDocumentsError(ValueError):
        pass

    for kind, cls in (("IndexError", IndexError), ("SourceDocumentsError", SourceDocumentsError)):
        with raises(cls, "message") as caught:
            get("test_raise_error")(kind, "message")
        assert type(caught.value) is cls

    def fail() -> None:
        raise SourceDocumentsError("from Python")

    assert get("caught")(fail) == "SourceDocumentsError: from Python"


TWO_CLASSES = """
    #include <tain/reflection/object_def.h>

    class CountPairObj : public tain::Object {
     public:
      int64_t a;
      int64_t b;
      CountPairObj() = default;
      CountPairObj(int64_t a, int64_t b) : a(a), b(b) {}
      TAIN_DECLARE_OBJECT_INFO_FINAL("made.CountPair", CountPairObj, tain::Object);
    };

    class CountPair : public tain::ObjectRef {
     public:
      explicit CountPair(int64_t a, int64_t b) { data_ = tain::make_object<CountPairObj>(a, b); }
      TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE(CountPair, tain::ObjectRef, CountPairObj);
    };

    TAIN_STATIC_INIT_BLOCK() {
      namespace refl = tain::reflection;
      refl::ObjectDef<CountPairObj>()
          .def_ro("a", &CountPairObj::a)
          .def_ro("b", &CountPairObj::b)
          .def_static("__create__",
                      [](int64_t a, int64_t b) -> CountPair { return CountPair(a, b); });
    }
    """


def check_that_it_compiles(file: Path, source: str) -> None:
    """Let the compiler read a source that may use the ecosystem's names."""
    file.write_text(source)
    includes = [f"-I{libinfo.include_dir()}", f"-I{libinfo.compat_dir()}"]
    command = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *includes]
    subprocess.run([*command, str(file)], check=True)


@row("guide-09")
def _(tmp_path) -> None:
    """One header brings the whole two-class form, in tain's names and in those of the guide."""
    check_that_it_compiles(tmp_path / "pair.cc", TWO_CLASSES)
    theirs = TWO_CLASSES.replace("tain/reflection/object_def.h", "tvm/ffi/reflection/registry.h")
    theirs = theirs.replace("tain::", "tvm::ffi::").replace("TAIN_", "TVM_FFI_")
    assert "tain" not in theirs.lower()
    check_that_it_compiles(tmp_path / "their_pair.cc", theirs)


@row("guide-10")
def _(run) -> None:
    run("""
        import tain
        assert tain.types.testing.TestIntPair(1, 2).b == 2  # nothing needs to be written

        @tain.register_object("testing.TestIntPair")
        class TestIntPair(tain.Object):
            def __init__(self, a, b):
                self.__init_handle_by_constructor__(make, a, b)

        make = TestIntPair.__create__  # a static method
        assert (TestIntPair(1, 2).a, TestIntPair(1, 2).b) == (1, 2)
        create = TestIntPair.__create__
        make = tain.convert(lambda a, b: create(b, a))  # any function
        assert (TestIntPair(1, 2).a, TestIntPair(1, 2).b) == (2, 1)
        tain.register_global_func("source_documents.make_pair", lambda a, b: create(a, a))
        make = tain.get_global_func("source_documents.make_pair")
        assert (TestIntPair(1, 2).a, TestIntPair(1, 2).b) == (1, 1)
        assert tain.types.testing.TestIntPair is type(create(3, 4)) is TestIntPair
        """)
    assert str(inspect.signature(registered.TestIntPair)) == "(arg0: int, arg1: int, /)"
    with raises(
        TypeError,
        "testing.TestIntPair() takes no keyword arguments: its parameters have no "
        'names; the C++ author gives them with tain::arg("name")',
    ):
        registered.TestIntPair(a=1, b=2)


@row("guide-11")
def _() -> None:
    """Nobody registers the parent; its class is there, and both cannot be unrelated types."""
    assert issubclass(Bare, Point)
    with raises(
        TypeError,
        "Both: the C++ types tain.types.testing.Point and tain.types.testing.Vector "
        "are unrelated, so one object cannot be both; derive from one and hold the "
        "other in an attribute",
    ):
        type("Both", (Point, Vector), {})


@row("packedfunc-12")
def _() -> None:
    @tain.register_func
    def source_documents_bare(*args: object) -> int:
        return len(args)

    @tain.register_func("source_documents.named")
    def named(*args: object) -> list:
        return list(args)

    for name in ("source_documents_bare", "source_documents.named"):
        assert isinstance(tain.get_global_func(name), tain.PackedFunc)
    assert tain.PackedFunc is tain.Function
    assert tain.get_global_func("source_documents.named")(10, 10.0, "hello") == [10, 10.0, "hello"]
    assert tain.get_global_func("source_documents_bare")(10, 10.0, "hello") == 3
    for name in ("source_documents_bare", "source_documents.named"):
        tain.remove_global_func(name)


PACKED = """
    #include <tvm/runtime/packed_func.h>
    #include <tvm/runtime/registry.h>
    using namespace tvm::runtime;

    void Multiply(TVMArgs args, TVMRetValue* rv) {
      int left = args[0];
      int right = args[1];
      *rv = left * right;
    }
    TVM_REGISTER_GLOBAL("made.multiply").set_body(Multiply);
    TVM_REGISTER_GLOBAL("made.greet").set_body([](TVMArgs args, [[maybe_unused]] TVMRetValue* rv) {
      PackedFunc f = args[0];
      f("good morning");
    });
    TVM_REGISTER_GLOBAL("made.wide").set_body_typed([](std::string name, DataType t) {
      return name + std::to_string(t.bits);
    });
    TVM_REGISTER_GLOBAL("made.square").set_body_typed([](int x) {
      int result = (*Registry::Get("made.multiply"))(x, x);
      return result;
    });
    TVM_REGISTER_GLOBAL("made.found").set_body([](TVMArgs args, TVMRetValue* rv) {
      *rv = Registry::Get(args[0].operator std::string()) != nullptr;
    });
    """


@row("packedfunc-13")
def _() -> None:
    """Packed functions; a function made of a C callback, whose finalizer runs once."""
    tain.cpp.load_inline("source_documents_packed", cpp_sources=PACKED)
    made = {name: tain.get_global_func(f"made.{name}") for name in ("multiply", "greet", "wide")}
    heard: list[object] = []
    made["greet"](heard.append)
    assert (made["multiply"](6, 7), heard) == (42, ["good morning"])
    assert made["wide"]("x", "float32") == "x32"
    assert tain.get_global_func("made.square")(5) == 25
    found = tain.get_global_func("made.found")
    assert (found("made.square"), found("made.missing")) == (True, False)
    with pytest.raises(TypeError, match=r"^made\.multiply: argument 1: expected int, got str"):
        made["multiply"](1, "x")
    finalized = []
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(finalized.append)

    @SAFE_CALL
    def add(self, args, count, result) -> int:
        result[0] = Value(1, 0, sum(args[i].payload for i in range(count)))
        return 0

    made = ctypes.c_void_p()
    assert LIB.TainFunctionCreate(ctypes.c_void_p(99), add, deleter, ctypes.byref(made)) == 0
    name = b"source_documents.myadd"
    text = (ctypes.c_char_p * 2)(name, len(name))
    assert LIB.TainFunctionSetGlobal(text, made, 0) == 0
    LIB.TainObjectDecRef(made)
    function = tain.get_global_func("source_documents.myadd")
    assert function(4, 5) == 9
    tain.remove_global_func("source_documents.myadd")
    assert finalized == []
    del function
    assert finalized == [99]


MAKEFILE = """
TAIN = $(shell python -c "import tain.libinfo as i, os; print(os.path.dirname(i.lib_dir()))")
INCLUDES = -I$(TAIN)/include -I$(TAIN)/include/tain_compat
CXXFLAGS = -std=c++20 -fPIC $(INCLUDES)
LDFLAGS = -L$(TAIN)/lib
libmade.so: made.cc
\t$(CXX) $(CXXFLAGS) -shared -o $@ $^ $(LDFLAGS)
"""


@row("packedfunc-14")
def _(tmp_path, run) -> None:
    """The Makefile names no library: tain is imported when the extension is loaded."""
    if shutil.which("make") is None:
        pytest.fail("make is needed")
    functions = """
        TVM_REGISTER_GLOBAL("made.refuse").set_body_typed([](PackedFunc f) {
          f("hello world");
          TVM_FFI_THROW(ValueError) << "refused";
        });
    """
    (tmp_path / "made.cc").write_text(PACKED + TWO_CLASSES + functions)
    (tmp_path / "Makefile").write_text(MAKEFILE)
    python = f"TAIN={Path(libinfo.lib_dir()).parent}"
    older = ["make", "-s", python, "CXXFLAGS=-std=c++17 -fPIC $(INCLUDES)", "-B"]
    run_make = partial(subprocess.run, cwd=tmp_path, env=PLAIN_ENVIRONMENT)
    failed = run_make(older, capture_output=True, text=True, check=False)
    first, *stop = [line for line in failed.stderr.splitlines() if "error: " in line]
    assert first.replace("#error ", "").endswith("error: tain needs C++20: add -std=c++20")
    assert len(stop) == 1  # a file that is not there, which ends the compilation
    assert "stops here, see the line above" in stop[0]
    run_make(["make", "-s", python], check=True)
    needed = subprocess.run(
        ["readelf", "-d", str(tmp_path / "libmade.so")], capture_output=True, text=True, check=True
    )
    assert "libtain" not in needed.stdout
    printed = run(f"""
        import ctypes, tain
        library = ctypes.CDLL({str(tmp_path / "libmade.so")!r}, ctypes.RTLD_GLOBAL)
        assert tain.get_global_func("made.multiply")(4, 5) == 20
        assert tain.types.made.CountPair(1, 2).b == 2
        try:
            tain.get_global_func("made.refuse")(print)
        except ValueError as error:
            print(error)
        """)
    assert printed.splitlines() == ["hello world", "refused"]


@row("packedfunc-16")
def _() -> None:
    array = tain.convert([1, 2, 3, 4])
    assert (array[1:3], array[-1], array[-3:-1]) == ([2, 3], 4, [2, 3])
    assert isinstance(array[1:3], tain.Array)
    point = Point(1, 2)
    pair = tain.convert([point, point])
    assert pair[0] is point
    assert pair[1] is point


@row("packedfunc-17")
def _() -> None:
    seen = []
    get("apply")(seen.append, bytearray(b"hello"))
    assert seen == [b"hello"]
    assert get("echo")(()) == ()
    for value in (np.int64(2**63 - 1), np.int64(-(2**63)), np.uint8(255)):
        back = get("echo")(value)
        assert (type(back), back) == (int, int(value))


@row("packedfunc-18")
def _() -> None:
    assert get("make_adder")(2)(3) == 5
    table = get("echo")({"add": lambda x: x + 1, "adder": get("make_adder")})
    assert (table["add"](1), table["adder"](2)(3)) == (2, 5)
    point = Point(1, 2)
    assert get("apply")(lambda x: x is point, point) is True


@row("packedfunc-19")
def _() -> None:
    for device, text in (
        (tain.cuda(7), "cuda:7"),
        (tain.cpu(0), "cpu:0"),
        (tain.opencl(10), "opencl:10"),
    ):
        assert device == tain.device(text)
        back = get("device_test")(device, device.device_type, device.device_id)
        assert back == device
        assert get("apply")(lambda d: d, device) == device


@row("packedfunc-20")
def _() -> None:
    count, apply = get("object_use_count"), get("apply")
    point = Point(1, 2)
    name = point
    assert count(point) == 1  # one, however many names it has
    assert apply(lambda x: (count(x), x is point)[0], point) == 1
    assert apply(lambda x: x is name, point) is True
    assert get("echo")(point) is point
    array = tain.convert([point])
    assert count(point) == 2  # one more for the container
    del array
    back = get("echo")(point)
    assert apply(count, point._move()) == 1
    assert point.__chandle__() == back.__chandle__() == 0
    assert "empty" in repr(point)
    with raises(ValueError, moved_text("tain.types.testing.Point")):
        _ = point.x


@row("implementation-23")
def _() -> None:
    palette = get("add_one")
    assert str(palette.__signature__) == "(x: int) -> int"
    typed = get("echo_typed_function")(lambda x: x + 1)
    assert typed(5) == 6
    shapes = {
        "geometry": Point.norm,  # a const member function
        "lambda": get("echo"),
        "free function": get("sum_from"),
    }
    assert str(inspect.signature(shapes["geometry"])) == "(self) -> float"
    assert str(inspect.signature(shapes["lambda"])) == "(x: Any) -> Any"
    assert str(inspect.signature(shapes["free function"])) == "(start: int, *rest: Any) -> int"


@row("bindings-25")
def _(tmp_path, monkeypatch, run) -> None:
    monkeypatch.setenv("TAIN_LIBRARY_PATH", str(tmp_path))
    with pytest.raises(OSError, match=f"\n  {tmp_path}\n"):  # what was tried
        libinfo.find_lib_path("tain")
    (tmp_path / "libtain.so").touch()  # no library: libtain is not looked for there
    assert run("import tain; print(tain.types.testing.Point(1).x)").strip() == "1.0"
    for name in ("TAIN_LIBRARY_PATH", "PATH", "TAIN_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
        assert libinfo.find_lib_path("tain") == str(tmp_path / "libtain.so")
        monkeypatch.delenv(name)


@row("notes-26")
def _(tmp_path) -> None:
    source = """
        #include <tain/tain.h>
        class NodeObj : public tain::Object {
         public:
          int64_t n = 0;
          TAIN_DECLARE_OBJECT_INFO("notes.Node", NodeObj, tain::Object);
        };
        class LeafObj : public NodeObj {
          TAIN_DECLARE_OBJECT_INFO_FINAL("notes.Leaf", LeafObj, NodeObj);
        };
        class Node : public tain::ObjectRef {
         public:
          TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE(Node, tain::ObjectRef, NodeObj);
          TAIN_DEFINE_OBJECT_REF_COW_METHOD(NodeObj);
        };
        class MutableNode : public tain::ObjectRef {
         public:
          TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE(MutableNode, tain::ObjectRef, NodeObj);
        };
        class Leaf : public Node {
         public:
          TAIN_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Leaf, Node, LeafObj);
        };
        class MutableLeaf : public MutableNode {
         public:
          TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NOTNULLABLE(MutableLeaf, MutableNode, LeafObj);
        };
        TAIN_REGISTER_OBJECT_TYPE(NodeObj);
        void Check(int a, int b) {
          TAIN_CHECK_EQ(a, b) << "text"; TAIN_CHECK_NE(a, b); TAIN_CHECK_LT(a, b);
          TAIN_CHECK_LE(a, b); TAIN_CHECK_GT(a, b); TAIN_CHECK_GE(a, b);
        }
    """
    check_that_it_compiles(tmp_path / "macros.cc", source)
    theirs = """
        #include <tvm/node/node.h>
        using namespace tvm;
        class NodeObj : public Object {
         public:
          int64_t n = 0;
          static constexpr const char* _type_key = "notes.Node";
          TVM_DECLARE_BASE_OBJECT_INFO(NodeObj, Object);
        };
        class LeafObj : public NodeObj {
         public:
          static constexpr const char* _type_key = "notes.Leaf";
          TVM_DECLARE_FINAL_OBJECT_INFO(LeafObj, NodeObj);
        };
        class Node : public ObjectRef {
         public:
          TVM_DEFINE_OBJECT_REF_METHODS(Node, ObjectRef, NodeObj);
          TVM_DEFINE_OBJECT_REF_COW_METHOD(NodeObj);
        };
        class MutableNode : public ObjectRef {
         public:
          TVM_DEFINE_MUTABLE_OBJECT_REF_METHODS(MutableNode, ObjectRef, NodeObj);
        };
        class Leaf : public Node {
         public:
          TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS(Leaf, Node, LeafObj);
        };
        TVM_REGISTER_OBJECT_TYPE(NodeObj);
        TVM_REGISTER_NODE_TYPE(LeafObj);
        static_assert(LeafObj::_type_final && !NodeObj::_type_final);
        void Check(const ObjectRef& a, const ObjectRef& b) {
          ICHECK(a.defined()) << "text"; CHECK_EQ(a.use_count(), 1); ICHECK_LT(1, 2);
          CHECK(ObjectPtrEqual()(a, b) == (ObjectPtrHash()(a) == ObjectPtrHash()(b)));
        }
    """
    check_that_it_compiles(tmp_path / "their_macros.cc", theirs)


@row("notes-27")
def _() -> None:
    module = registered.Scaler(3)
    assert (module.type_key, module.entry_name) == ("testing.scaler", "main")
    assert module.get_function("scale")(5) == module["scale"](5) == module(5) == 15
    module.import_module(registered.Scaler(4))
    loaded = pickle.loads(pickle.dumps(module))
    assert loaded.get_source() == "x * 3"
    assert [one(2) for one in (loaded, *loaded.imports)] == [6, 8]
    assert loaded.time_evaluator("scale", tain.cpu(), number=3)(1).mean > 0


@row("notes-31")
def _() -> None:
    assert {"testing.Point", "ffi.Array"} <= set(tain.type_keys())
    info = tain.type_info("testing.Point")
    assert (info.key, info.parent.key, info.cls) == ("testing.Point", "ffi.Object", Point)
    point = Point(1, 2)
    assert tain.testing.live_objects()["testing.Point"] >= 1
    assert point.same_as(tain.convert([point])[0])
    assert hash(registered.TestIntPair(1, 2)) != hash(registered.TestIntPair(1, 2))  # by address
    command = [sys.executable, "-m", "tain", "types", "ffi.Array"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert {"ffi.Array", "ffi.Object"} <= set(printed.split())


@row("notes-32")
def _() -> None:
    class Meters:
        def __tain_convert__(self) -> float:
            return 2.5

    assert get("add_one")(True) == 2
    assert Point(Meters(), 1).x == 2.5

    class Older:
        def asobject(self) -> float:
            return 2.5

    assert Point(Older(), 1).x == 2.5
    handle = get("echo")(ctypes.c_void_p(16))
    assert (type(handle), handle.value) == (ctypes.c_void_p, 16)


@row("notes-24")
def _(run) -> None:
    """A function that bears the key of a type makes its objects."""
    run("""
        import sys, types, tain
        _ffi_api = sys.modules["_ffi_api"] = types.ModuleType("_ffi_api")
        tain._init_api("tain.testing", "_ffi_api")

        @tain.register_object("testing.TuningOptions")
        class TuningOptions(tain.Object):
            def __init__(self, trials=64):
                self.__init_handle_by_constructor__(_ffi_api.TuningOptions, trials)

        assert _ffi_api.TuningOptions is TuningOptions
        assert (TuningOptions().trials, _ffi_api.TuningOptions(2).runner) == (64, "local")
        """)


@row("bindings-24")
def _() -> None:
    module = types.ModuleType("source_documents_module")
    sys.modules[module.__name__] = module
    try:
        tain.register_global_func("source_documents_api.twice", lambda x: 2 * x)
        tain._init_api("tvm.source_documents_api", module.__name__)
        assert module.twice(4) == 8
        tain.register_global_func("source_documents_api.later", lambda: "later")
        assert module.later() == "later"
        names = tain.list_global_func_names()
        assert {"source_documents_api.twice", "source_documents_api.later"} <= set(names)
        assert tain.get_global_func("source_documents_api.none", allow_missing=True) is None
        text = "^Cannot find global function {0}twise[.] Did you mean '{0}twice'[,?]"
        with pytest.raises(ValueError, match=text.format("source_documents_api[.]")):
            tain.get_global_func("source_documents_api.twise")
    finally:
        for name in ("twice", "later"):
            tain.remove_global_func(f"source_documents_api.{name}")
        del sys.modules[module.__name__]


BY_NUMBER = dict(sorted(ROWS.items(), key=lambda item: item[0][-2:]))


@pytest.mark.parametrize("check", BY_NUMBER.values(), ids=BY_NUMBER.keys())
def test_source_document(check: Check, request: pytest.FixtureRequest) -> None:
    check(**{name: request.getfixturevalue(name) for name in inspect.signature(check).parameters})


def test_the_page_says_what_is_tested() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "source_documents.md"
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z]+-\d\d)` \|", text, re.MULTILINE) == list(BY_NUMBER)
    assert {int(name[-2:]) for name in BY_NUMBER} == set(range(1, 33))
