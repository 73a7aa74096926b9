# SPDX-License-Identifier: Apache-2.0
"""The headers of include/tain_compat: C++ with the ecosystem's names registers and runs in tain."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import tain
from tain import libinfo

# The names of the ffi package, from the one header that a type needs.
FFI = """
#include <tvm/ffi/reflection/registry.h>

namespace compat_ffi {

class SpanObj : public tvm::ffi::Object {
 public:
  int64_t begin;
  int64_t end;
  SpanObj() = default;
  SpanObj(int64_t begin, int64_t end) : begin(begin), end(end) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("compat.Span", SpanObj, tvm::ffi::Object);
};

class Span : public tvm::ffi::ObjectRef {
 public:
  explicit Span(int64_t begin, int64_t end) {
    TVM_FFI_ICHECK_LE(begin, end) << "a span";
    data_ = tvm::ffi::make_object<SpanObj>(begin, end);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Span, tvm::ffi::ObjectRef, SpanObj);
};

}  // namespace compat_ffi

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  using compat_ffi::Span;
  using compat_ffi::SpanObj;
  refl::ObjectDef<SpanObj>()
      .def_ro("begin", &SpanObj::begin)
      .def_ro("end", &SpanObj::end)
      .def_static("__create__", [](int64_t a, int64_t b) -> Span { return Span(a, b); });
  refl::GlobalDef()
      .def("compat.width", [](Span span) { return span->end - span->begin; })
      .def("compat.positive", [](int64_t x) {
        TVM_FFI_CHECK(x > 0, IndexError) << "got " << x;
        if (x > 9) TVM_FFI_THROW(OverflowError) << x;
        return x;
      })
      .def_packed("compat.count", [](tvm::ffi::PackedArgs args, tvm::ffi::Any* rv) {
        *rv = args.size() + args[0].cast<int>();
      });
}
"""

# The names of the runtime, from its two headers; the objects state their keys themselves.
RUNTIME = """
#include <tvm/node/node.h>
#include <tvm/runtime/packed_func.h>
#include <tvm/runtime/registry.h>

#include <unordered_map>

using namespace tvm::runtime;

namespace compat_runtime {

class ShapeNode : public Object {
 public:
  int64_t sides = 0;
  static constexpr const char* _type_key = "compat.Shape";
  static constexpr const uint32_t _type_child_slots = 2;
  TVM_DECLARE_BASE_OBJECT_INFO(ShapeNode, Object);
};

class SquareNode : public ShapeNode {
 public:
  static constexpr const char* _type_key = "compat.Square";
  TVM_DECLARE_FINAL_OBJECT_INFO(SquareNode, ShapeNode);
};

class Shape : public ObjectRef {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(Shape, ObjectRef, ShapeNode);
  TVM_DEFINE_OBJECT_REF_COW_METHOD(ShapeNode);
};

class Square : public Shape {
 public:
  Square() : Shape(make_object<SquareNode>()) { CopyOnWrite()->sides = 4; }
  TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS(Square, Shape, SquareNode);
};

class Open : public ObjectRef {
 public:
  TVM_DEFINE_MUTABLE_OBJECT_REF_METHODS(Open, ObjectRef, ShapeNode);
};

class OpenSquare : public Open {
 public:
  TVM_DEFINE_MUTABLE_NOTNULLABLE_OBJECT_REF_METHODS(OpenSquare, Open, SquareNode);
};

void Divide(TVMArgs args, TVMRetValue* rv) {
  int a = args[0];
  int b = args[1];
  ICHECK_EQ(args.size(), 2);
  CHECK_NE(b, 0) << "no division by zero";
  *rv = a / b;
}

int64_t Identity(const tvm::String& text, DataType type) { return text.size() + type.bits; }

}  // namespace compat_runtime

using namespace compat_runtime;

TVM_REGISTER_OBJECT_TYPE(ShapeNode);
TVM_REGISTER_NODE_TYPE(SquareNode);

TVM_REGISTER_GLOBAL("compat.divide").set_body(Divide);

TVM_REGISTER_GLOBAL("compat.greet")
.set_body([](TVMArgs args, TVMRetValue* rv) {
  PackedFunc f = args[0];
  f("good morning");
});

TVM_REGISTER_GLOBAL("compat.make").set_body_typed([](std::string, DataType) { return Square(); });
TVM_REGISTER_GLOBAL("compat.measure").set_body_typed(Identity);

TVM_REGISTER_GLOBAL("compat.copied").set_body_typed([](Shape shape) {
  Shape copy = shape;
  copy.CopyOnWrite()->sides = 7;
  const std::unordered_map<ObjectRef, int64_t, ObjectPtrHash, ObjectPtrEqual> sides = {
      {shape, shape->sides}, {copy, copy->sides}};
  CHECK_EQ(sides.size(), 2u);
  Open open = Downcast<Open>(copy);
  open->sides += 1;
  return Array<int64_t>{sides.at(shape), sides.at(copy), copy->sides};
});

TVM_REGISTER_GLOBAL("compat.halves").set_body([](const TVMArgs& args, TVMRetValue* rv) {
  const PackedFunc* divide = Registry::Get("compat.divide");
  ICHECK(divide != nullptr);
  ICHECK(Registry::Get("compat.nothing") == nullptr);
  int half = (*divide)(args[0], 2);
  TVMRetValue twice = (*divide)(half, 1);
  TypedPackedFunc<int(int, int)> typed = *divide;
  Map<String, int> named = {{"half", half}, {"same", typed(twice, 1)}};
  *rv = named;
});
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("compat")
    files = [folder / "names_of_ffi.cc", folder / "names_of_runtime.cc"]
    for file, source in zip(files, (FFI, RUNTIME), strict=True):
        file.write_text(source)
    tain.cpp.load("compat_names", sources=files, extra_cflags=["-O0", "-Wall", "-Werror"])


def get(name: str) -> tain.Function:
    return tain.get_global_func(f"compat.{name}")


@pytest.mark.usefixtures("compiled")
def test_a_type_in_the_names_of_the_ffi_package() -> None:
    from tain.types.compat import Span

    span = Span(3, 5)
    assert (span.begin, span.end, get("width")(span)) == (3, 5, 2)

    @tain.register_object("compat.Span")
    class PySpan(tain.Object):
        def __init__(self, begin: int, end: int) -> None:
            self.__init_handle_by_constructor__(PySpan.__create__, begin, end)

    assert (PySpan(1, 9).begin, tain.types.compat.Span) == (1, PySpan)
    with pytest.raises(tain.InternalError, match=r"Check failed: begin <= end \(2 vs. 1\) a span$"):
        PySpan(2, 1)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0, IndexError, r"^Check failed: \(x > 0\) is false: got 0$"),
        (10, OverflowError, "^10$"),
    ],
)
def test_errors_in_the_names_of_the_ffi_package(
    value: int, error: type[Exception], text: str
) -> None:
    assert get("positive")(1) == 1
    with pytest.raises(error, match=text):
        get("positive")(value)


@pytest.mark.usefixtures("compiled")
def test_packed_functions() -> None:
    assert get("count")(5, None) == 7
    assert get("divide")(9, 2) == 4
    assert isinstance(get("divide"), tain.PackedFunc)
    heard: list[object] = []
    assert get("greet")(heard.append) is None
    assert heard == ["good morning"]
    assert get("halves")(9) == {"half": 4, "same": 4}
    assert get("measure")("four", "int8") == 12


@pytest.mark.usefixtures("compiled")
@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "args", "error", "text"),
    [
        ("divide", (1, 0), ValueError, r"^Check failed: b != 0 \(0 vs. 0\) no division by zero$"),
        ("divide", (1,), TypeError, r"^compat\.divide\(\) missing argument 1: got 1 argument$"),
        ("divide", (1, "x"), TypeError, r"^compat\.divide: argument 1: expected int, got str"),
        ("divide", (2**40, 1), OverflowError, r"^compat\.divide: argument 0: expected int in "),
        ("greet", (5,), TypeError, r"^compat\.greet: argument 0: expected Callable"),
        ("greet", (None,), ValueError, "Function"),
    ],
)
def test_what_packed_functions_refuse(
    name: str, args: tuple[object, ...], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        get(name)(*args)


@pytest.mark.usefixtures("compiled")
def test_packed_functions_take_no_keywords() -> None:
    with pytest.raises(TypeError, match=r"^compat\.divide\(\) takes no keyword arguments"):
        get("divide")(1, b=2)


@pytest.mark.usefixtures("compiled")
def test_objects_that_state_their_keys() -> None:
    from tain.types.compat import Shape, Square

    square = get("make")("text", "int32")
    assert (type(square), Square.__mro__[1]) == (Square, Shape)
    assert get("copied")(square) == [4, 7, 8]


def test_an_inline_source_needs_no_include() -> None:
    module = tain.cpp.load_inline(
        "compat_inline",
        cpp_sources="""
            tvm::ffi::String twice(tvm::ffi::Optional<tvm::ffi::String> text) {
              TVM_FFI_ICHECK(text.has_value()) << "文本";
              return *text + *text;
            }
        """,
        functions="twice",
    )
    assert module.twice("ab") == "abab"
    with pytest.raises(tain.InternalError, match="文本"):
        module.twice(None)


def compile_errors(source: str, *options: str) -> list[str]:
    """Return the lines of the compiler that begin with the word error."""
    result = subprocess.run(
        ["g++", "-std=c++20", "-fsyntax-only", *options, "-x", "c++", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in result.stderr.splitlines() if "error: " in line]


def config(*options: str) -> list[str]:
    command = [sys.executable, "-m", "tain", "config", *options]
    return shlex.split(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


INCLUDES = [
    "tvm/ffi/tvm_ffi.h",
    "tvm/ffi/reflection/registry.h",
    "tvm/runtime/packed_func.h",
    "tvm/runtime/registry.h",
    "tvm/runtime/object.h",
]


def test_the_folder_is_no_part_of_the_ordinary_path() -> None:
    """An installed apache-tvm-ffi is never shadowed, unless somebody asks for it."""
    ordinary, compat = config("--includes"), config("--includes", "--compat")
    assert ordinary == [f"-I{libinfo.include_dir()}"]
    assert compat == [*ordinary, f"-I{libinfo.compat_dir()}"]
    assert config("--cflags", "--compat") == [*config("--cflags"), f"-I{libinfo.compat_dir()}"]
    source = f"#include <{INCLUDES[0]}>\n"
    (missing,) = compile_errors(source, *ordinary)
    assert "tvm/ffi/tvm_ffi.h: No such file" in missing
    assert compile_errors(source, *compat) == []


@pytest.mark.parametrize("header", INCLUDES)
@pytest.mark.parametrize(
    "option", ["-std=c++17", "-DTVM_FFI_C_API_H_", "-DTVM_RUNTIME_C_RUNTIME_API_H_"]
)
def test_one_error_says_why_a_header_cannot_be_used(header: str, option: str) -> None:
    source = f"#include <{header}>\nint after() {{ return unknown; }}\n"
    says, stops = compile_errors(source, *config("--includes", "--compat"), option)
    expected = (
        "#error tain needs C++20: add -std=c++20"
        if option == "-std=c++17"
        else "#error headers of apache-tvm-ffi come before those of tain_compat: one file can "
        "include only one kind"
    )
    assert says.endswith(expected)
    assert "stops here, see the line above" in stops


def test_headers_of_the_user_come_first(tmp_path: Path) -> None:
    """With apache-tvm-ffi on the path of a build, its headers are those that are included."""
    (tmp_path / "tvm" / "ffi").mkdir(parents=True)
    (tmp_path / "tvm" / "ffi" / "tvm_ffi.h").write_text("#define OTHER 1\n")
    module = tain.cpp.load_inline(
        "compat_other",
        cpp_sources="#include <tvm/ffi/tvm_ffi.h>\nint other() { return OTHER; } // tvm::ffi::\n",
        functions="other",
        extra_include_paths=[tmp_path],
    )
    assert module.other() == 1


def test_a_library_without_libtain_is_loaded_by_ctypes(tmp_path: Path, run) -> None:
    """What a Makefile does that names folders and no library."""
    source = RUNTIME.replace('"compat.', '"compat_ctypes.').replace("compat_runtime", "again")
    (tmp_path / "extension.cc").write_text(source)
    library = tmp_path / "libextension.so"
    options = ["-std=c++20", "-O1", "-fPIC", "-shared", "-o", str(library)]
    includes = config("--includes", "--compat")
    subprocess.run(["g++", *options, *includes, str(tmp_path / "extension.cc")], check=True)
    run(f"""
        import ctypes, tain
        library = ctypes.CDLL({str(library)!r}, ctypes.RTLD_GLOBAL)
        assert tain.get_global_func("compat_ctypes.divide")(9, 2) == 4
        assert type(tain.get_global_func("compat_ctypes.make")("", "int8")).__name__ == "Square"
        """)
