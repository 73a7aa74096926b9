# SPDX-License-Identifier: Apache-2.0
"""Sources as people write them for tvm::ffi: what the headers of include/tain_compat offer beyond
the basic names of test_compat.py is compiled once and run."""

from __future__ import annotations

import base64
import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import tain
from tain import libinfo

TYPES = """
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/tvm_ffi.h>

#include <sstream>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class PairObj : public ffi::Object {
 public:
  int64_t a;
  int64_t b;
  PairObj(int64_t a, int64_t b) : a(a), b(b) {}
  explicit PairObj(int64_t a) : a(a), b(-a) {}
  int64_t Sum() const { return a + b; }
  int64_t Scaled(int64_t by) const { return Sum() * by; }
  int64_t Scaled(int64_t by, int64_t more) { return Sum() * by + more; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sources.Pair", PairObj, ffi::Object);
};
class Pair : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, ffi::ObjectRef, PairObj);
};

/// Gets a constructor from its fields, because it registers none.
class OptionsObj : public ffi::Object {
 public:
  int64_t first = 0;
  ffi::String name;
  double rate = 0;
  ffi::Array<int64_t> sizes;
  int64_t hidden = 5;
  TVM_FFI_DECLARE_OBJECT_INFO("sources.Options", OptionsObj, ffi::Object);
};

class OpaqueObj : public ffi::Object {
 public:
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sources.Opaque", OpaqueObj, ffi::Object);
};

class EmptyObj : public ffi::Object {
 public:
  int64_t x = 3;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sources.Empty", EmptyObj, ffi::Object);
};

std::string Shown(const ffi::Any& value, DLDataType dtype) {
  std::ostringstream out;
  out << value << ' ' << dtype;
  return out.str();
}

ffi::Expected<int64_t> Half(int64_t x) {
  TVM_FFI_RET_CHECK(x % 2 == 0, ValueError) << "got " << x;
  TVM_FFI_RET_CHECK_GE(x, 0, IndexError) << "too small";
  if (x == 8) return ffi::Unexpected(ffi::Error("KeyError", "eight", ""));
  if (x == 10) return TVM_FFI_UNEXPECTED(TypeError) << "no " << 10;
  return x / 2;
}
ffi::Expected<void> Nothing(bool fails) {
  if (fails) return ffi::Error("OSError", "fails", "");
  return {};
}

std::string Tried(const ffi::Function& f, int64_t x) {
  const ffi::Expected<int64_t> result = ffi::CallExpected<int64_t>(f, x);
  if (result.is_err()) return std::string(result.error().kind());
  return std::to_string(*result) + '/' + std::to_string(result.value_or(0));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PairObj>()
      .def(refl::init<int64_t, int64_t>(), "Makes a pair.")
      .def(refl::init<int64_t>())
      .def_rw("a", &PairObj::a, "the first field")
      .def_rw("b", &PairObj::b, refl::Metadata{{"unit", "m"}})
      .def("sum", &PairObj::Sum, "The sum.")
      .def("scaled", refl::overload_cast<int64_t>(&PairObj::Scaled, refl::const_))
      .def("shifted", refl::overload_cast<int64_t, int64_t>(&PairObj::Scaled))
      .def_static("zero", []() { return Pair(ffi::make_object<PairObj>(0, 0)); });
  refl::ObjectDef<OptionsObj>("Has options.")
      .def_ro("first", &OptionsObj::first)
      .def_ro("name", &OptionsObj::name, refl::kw_only(true), refl::default_("none"), "its name")
      .def_ro("rate", &OptionsObj::rate, refl::kw_only(true), refl::default_value(0.5),
              refl::repr(false), refl::compare(true), refl::hash(false))
      .def_ro("sizes", &OptionsObj::sizes, refl::kw_only(true),
              refl::default_factory([] { return ffi::Array<int64_t>{1, 2}; }))
      .def_ro("hidden", &OptionsObj::hidden, refl::init(false));
  refl::ObjectDef<OpaqueObj>(refl::init(false)).def_ro("x", &OpaqueObj::x);
  refl::ObjectDef<EmptyObj>().def(refl::init<>()).def_ro("x", &EmptyObj::x);
  refl::TypeAttrDef<PairObj>().attr("sources.attribute", 7);
  refl::GlobalDef()
      .def_method("sources.pair_sum", &PairObj::Sum)
      .def("sources.shown", Shown)
      .def("sources.half", Half)
      .def("sources.nothing", Nothing)
      .def("sources.tried", Tried)
      .def("sources.big", [](ffi::BigInt n) { return n > ffi::BigInt(5) ? n.ToString() : "small"; })
      .def("sources.lengths", [](std::vector<std::string> words) {
        std::map<std::string, std::optional<int64_t>> lengths;
        for (const std::string& word : words) lengths[word] = word.size();
        return lengths;
      })
      .def("sources.access", [](const Pair& pair) {
        const refl::FieldGetter get("sources.Pair", "a");
        refl::FieldSetter("sources.Pair", "b")(pair, get(pair).cast<int64_t>() * 10);
        int64_t count = 0;
        refl::ForEachFieldInfo(TVMFFIGetTypeInfo(pair->type_index()),
                               [&](const TVMFFIFieldInfo*) { ++count; });
        const ffi::Function sum = refl::GetMethod("sources.Pair", "sum");
        const refl::TypeAttrColumn column("sources.attribute");
        const int64_t attribute = column[pair->type_index()].cast<int64_t>();
        return ffi::Array<int64_t>{count, sum(pair).cast<int64_t>(), attribute};
      })
      .def("sources.create", [](const ffi::Map<ffi::String, ffi::Any>& fields) {
        return refl::ObjectCreator("sources.Options")(fields);
      })
      .def("sources.through_json", [](const ffi::Any& graph) {
        const ffi::String text = ffi::json::Stringify(ffi::ToJSONGraph(graph));
        return ffi::FromJSONGraph(ffi::json::Parse(text));
      });
}

}  // namespace
"""

FUNCTIONS = """
#include <dlpack/dlpack.h>
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/cuda/device_guard.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/tvm_ffi.h>

namespace ffi = tvm::ffi;

int current_device = 0;

namespace {

ffi::Tensor Filled(ffi::Shape shape, double value) {
  ffi::Tensor out = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape,
                                              DLDataType{kDLFloat, 64, 1}, DLDevice{kDLCPU, 0});
  TVM_FFI_ICHECK(ffi::IsContiguous(*out.GetDLTensorPtr()));
  double* data = static_cast<double*>(out.data_ptr());
  for (int64_t i = 0; i < out.numel(); ++i) data[i] = value;
  return out;
}

struct Allocator {
  int64_t* freed;
  void AllocData(DLTensor* tensor) { tensor->data = std::malloc(ffi::GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) {
    ++*freed;
    std::free(tensor->data);
  }
};
int64_t freed = 0;
ffi::Tensor Allocated(int64_t n) {
  const DLDataType int32 = ffi::StringToDLDataType("int32");
  ffi::Tensor out = ffi::Tensor::FromNDAlloc(Allocator{&freed}, {n}, int32, {kDLCPU, 0});
  for (int64_t i = 0; i < n; ++i) static_cast<int32_t*>(out.data_ptr())[i] = int32_t(i);
  return out;
}
int64_t Freed() { return freed; }

std::string Guarded() {
  std::string seen;
  {
    ffi::CUDADeviceGuard guard(3);
    seen = std::to_string(current_device);
  }
  return seen + std::to_string(current_device);
}
void BadDevice() { ffi::CUDADeviceGuard guard(-1); }

ffi::String Rewritten(const ffi::String& text) {
  return ffi::json::Stringify(ffi::json::Parse(text), 2);
}
ffi::String Fault(const ffi::String& text) {
  ffi::String message;
  ffi::json::Parse(text, &message);
  return message;
}
ffi::Bytes Twice(const ffi::Bytes& bytes) {
  return ffi::Base64Decode(ffi::Base64Encode(bytes));
}
ffi::String Encoded(const ffi::Bytes& bytes) { return ffi::Base64Encode(bytes); }

ffi::Any Call(const ffi::Module& module, const ffi::String& name, int64_t x) {
  const ffi::Optional<ffi::Function> own = module->GetFunction(name);
  if (!own.has_value()) return module->ImplementsFunction(name);
  return own.value()(x).cast<int64_t>() + module.GetFunction(name).value()(x).cast<int64_t>();
}

/// A kind of modules with one function.
class ConstantModule : public ffi::ModuleObj {
 public:
  explicit ConstantModule(int64_t value) : value_(value) {}
  const char* kind() const final { return "constant"; }
  ffi::Optional<ffi::Function> GetFunction(const ffi::String& name) final {
    if (name != "add") return std::nullopt;
    return ffi::Function::FromTyped([value = value_](int64_t x) { return x + value; });
  }

 private:
  int64_t value_;
};
ffi::Module Constant(int64_t value) { return ffi::Module(ffi::make_object<ConstantModule>(value)); }

/// The raised error by C functions.
int Raise(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (num_args != 1) {
    const char* parts[] = {"got ", "other", " arguments"};
    TVMFFIErrorSetRaisedFromCStrParts("TypeError", parts, 3);
    return -1;
  }
  TVM_FFI_CHECK_EQ(args[0].type_index, ffi::TypeIndex::kTVMFFIInt, ValueError) << "no int";
  result->type_index = kTVMFFIInt;
  result->v_int64 = args[0].v_int64 + 1;
  TVM_FFI_SAFE_CALL_END();
}
ffi::Function Made() {
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCreate(nullptr, Raise, nullptr, &handle));
  TVMFFIAny value{};
  value.type_index = TVMFFIObjectGetTypeIndex(handle);
  value.v_obj = static_cast<TVMFFIObject*>(handle);
  ffi::Function made = ffi::AnyView(value).cast<ffi::Function>();
  TVMFFIObjectDecRef(handle);
  return made;
}

}  // namespace

// With a semicolon and without.
TVM_FFI_DLL_EXPORT_TYPED_FUNC(filled, Filled)
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(filled, "Makes a tensor.")
TVM_FFI_DLL_EXPORT_TYPED_FUNC(allocated, Allocated);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(freed, Freed)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(guarded, Guarded)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bad_device, BadDevice)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rewritten, Rewritten)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fault, Fault)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, Twice)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoded, Encoded)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(call, Call)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(constant, Constant)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(made, Made)
"""

# A function of the binary contract in C.
PLAIN_C = """
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

TVM_FFI_DLL_EXPORT int __tvm_ffi_first_extent(void* handle, const TVMFFIAny* args,
                                              int32_t num_args, TVMFFIAny* result) {
  const DLTensor* tensor;
  (void)handle;
  if (num_args == 1 && args[0].type_index == kTVMFFIDLTensorPtr) {
    tensor = (const DLTensor*)args[0].v_ptr;
  } else if (num_args == 1 && args[0].type_index == kTVMFFITensor) {
    tensor = (const DLTensor*)(args[0].v_c_str + sizeof(TVMFFIObject));
  } else {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "expected a tensor");
    return -1;
  }
  if (TVMFFIEnvGetStream(kDLCUDA, 0) != NULL || TVMFFIEnvCheckSignals() != 0) return -1;
  result->type_index = kTVMFFIInt;
  result->v_int64 = tensor->shape[0];
  return 0;
}
"""

# As much of the CUDA runtime as the headers use.
CUDA = """
#pragma once
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidDevice = 101 };
extern int current_device;
inline cudaError_t cudaGetDevice(int* device) { *device = current_device; return cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) {
  if (device < 0) return cudaErrorInvalidDevice;
  current_device = device;
  return cudaSuccess;
}
inline const char* cudaGetErrorName(cudaError_t) { return "cudaErrorInvalidDevice"; }
inline const char* cudaGetErrorString(cudaError_t) { return "invalid device ordinal"; }
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> tain.Module:
    folder = tmp_path_factory.mktemp("sources")
    files = {"types.cc": TYPES, "functions.cc": FUNCTIONS, "plain.c": PLAIN_C}
    for name, source in {**files, "cuda_runtime.h": CUDA}.items():
        (folder / name).write_text(source)
    loaded = tain.cpp.load(
        "compat_sources",
        sources=[folder / name for name in files],
        extra_cflags=["-O0", "-Wall", "-Wextra", "-Werror"],
        extra_include_paths=[folder, libinfo.compat_dir()],  # C sources have no other way to it
    )
    for name in loaded.get_function_list():
        getattr(loaded, name)  # the module keeps the function
    return loaded


def get(name: str) -> tain.Function:
    return tain.get_global_func(f"sources.{name}")


@pytest.mark.usefixtures("module")
def test_constructors_of_init() -> None:
    from tain.types.sources import Empty, Opaque, Options, Pair

    pair = Pair(3, 4)
    assert (pair.a, pair.b, pair.sum(), get("pair_sum")(pair)) == (3, 4, 7, 7)
    pair.a = 5
    assert (pair.sum(), Pair(2).b, Pair.zero().sum()) == (9, -2, 0)
    assert (pair.scaled(3), pair.shifted(3, 1)) == (27, 28)
    assert Empty().x == 3
    options = Options(1, name="n")
    assert (options.first, options.name, options.rate, list(options.sizes)) == (1, "n", 0.5, [1, 2])
    assert (Options(2).name, options.hidden, "rate" in repr(options)) == ("none", 5, False)
    for call in (lambda: Opaque(), lambda: Options(1, "n"), lambda: Options(1, hidden=2)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.usefixtures("module")
def test_access_by_records() -> None:
    from tain.types.sources import Pair

    pair = Pair(3, 4)
    assert list(get("access")(pair)) == [2, 33, 7]
    assert pair.b == 30
    made = get("create")({"first": 4, "name": "m", "hidden": 9})
    assert (made.first, made.name, made.rate, made.hidden) == (4, "m", 0.5, 9)
    assert list(made.sizes) == [1, 2]
    with pytest.raises(TypeError, match=r"does not have all of the given fields$"):
        get("create")({"first": 4, "hidden": 5, "other": 1})
    with pytest.raises(TypeError, match=r"^Required field `first` not set"):
        get("create")({})
    again = get("through_json")([made, {"a": 1.5}])
    assert (again[0].name, list(again[0].sizes), again[1]["a"]) == ("m", [1, 2], 1.5)


@pytest.mark.usefixtures("module")
def test_streams() -> None:
    assert get("shown")([1, "a"], "float32") == "[1, 'a'] float32"
    assert get("shown")(None, "int8x4") == "None int8x4"


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("x", "result", "kind", "text"),
    [
        (6, "3/3", None, ""),
        (3, "ValueError", ValueError, r"^Check failed: \(x % 2 == 0\) is false: got 3$"),
        (-2, "IndexError", IndexError, r"^Check failed: x >= 0 \(-2 vs. 0\) too small$"),
        (8, "KeyError", KeyError, "eight"),
        (10, "TypeError", TypeError, "^no 10$"),
    ],
)
def test_expected(x: int, result: str, kind: type[Exception] | None, text: str) -> None:
    half = get("half")
    assert get("tried")(half, x) == result
    if kind is None:
        assert half(x) == x // 2
    else:
        with pytest.raises(kind, match=text):
            half(x)


@pytest.mark.usefixtures("module")
def test_expected_nothing() -> None:
    assert get("nothing")(False) is None
    with pytest.raises(OSError, match=r"^fails$"):
        get("nothing")(True)
    assert get("tried")(lambda x: "text", 1) == "TypeError"


@pytest.mark.usefixtures("module")
def test_big_int_and_stl() -> None:
    assert get("big")(2**70) == str(2**70)
    assert get("big")(-(2**70)) == "small"
    assert get("lengths")(["a", "bcd"]) == {"a": 1, "bcd": 3}


def test_tensors(module: tain.Module) -> None:
    filled = numpy.from_dlpack(module.filled((2, 3), 1.5))
    assert (filled.shape, filled.dtype, filled.sum()) == ((2, 3), numpy.float64, 9.0)
    before = module.freed()
    allocated = module.allocated(4)
    assert numpy.from_dlpack(allocated).tolist() == [0, 1, 2, 3]
    assert module.freed() == before
    del allocated
    assert module.freed() == before + 1
    assert module.get_function_doc("filled") == "Makes a tensor."


def test_device_guard(module: tain.Module) -> None:
    assert module.guarded() == "30"
    text = r"^CUDA Runtime Error: cudaErrorInvalidDevice \(101\): invalid device ordinal$"
    with pytest.raises(RuntimeError, match=text):
        module.bad_device()


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**63),
        0.1,
        1e300,
        'a"\\\n\x01\u20ac\U0001f600',
        [],
        {},
        [[1, None], {"a": {"b": [2.5]}, "c": ""}],
    ],
)
def test_json(module: tain.Module, value: object) -> None:
    lines = json.dumps(value, ensure_ascii=False, indent=2)
    assert json.loads(module.rewritten(json.dumps(value))) == value
    if not isinstance(value, float):
        assert module.rewritten(lines) == lines


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("[1,\n]", "Expecting value: line 2 column 1 (char 4)"),
        ("{1: 2}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ('{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"),
        ("[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"),
        ("01", "Expecting value: line 1 column 1 (char 0)"),
        ("1 2", "Extra data: line 1 column 3 (char 2)"),
        ('"\\u12"', "Invalid \\uXXXX escape: line 1 column 4 (char 3)"),
        ('"a', "Unterminated string: line 1 column 3 (char 2)"),
        ("[" * 600, "Nested too deeply: line 1 column 514 (char 513)"),
    ],
)
def test_json_refuses(module: tain.Module, text: str, fault: str) -> None:
    assert module.fault(text) == fault
    with pytest.raises(ValueError, match="line"):
        module.rewritten(text)


def test_base64(module: tain.Module) -> None:
    for size in range(9):
        data = bytes(range(250, 250 + min(size, 6))) + bytes(max(size - 6, 0))
        assert module.encoded(data) == base64.b64encode(data).decode()
        assert module.twice(data) == data


def test_modules(module: tain.Module) -> None:
    constant = module.constant(10)
    assert (constant.kind, constant["add"](1)) == ("constant", 11)
    assert module.call(constant, "add", 2) == 24
    assert module.call(constant, "other", 2) is False
    assert module.call(module, "freed_not", 2) is False


def test_c_functions(module: tain.Module) -> None:
    assert module.first_extent(numpy.zeros((5, 2))) == 5
    with pytest.raises(ValueError, match=r"^expected a tensor$"):
        module.first_extent(5)
    made = module.made()
    assert made(4) == 5
    with pytest.raises(ValueError, match=r"no int$"):
        made("text")
    with pytest.raises(TypeError, match=r"^got other arguments$"):
        made()


KERNEL = """
#include <tvm/ffi/tvm_ffi.h>

namespace kernel {

void Double(tvm::ffi::TensorView x, tvm::ffi::TensorView y) {
  TVM_FFI_CHECK(x.size(0) == y.size(0), ValueError) << "sizes differ";
  const float* in = static_cast<const float*>(x.data_ptr());
  float* out = static_cast<float*>(y.data_ptr());
  for (int64_t i = 0; i < x.size(0); ++i) out[i] = 2 * in[i];
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, kernel::Double)
}  // namespace kernel
"""

PROGRAM = """
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/tvm_ffi.h>

#include <iostream>

namespace ffi = tvm::ffi;

struct Heap {
  void AllocData(DLTensor* tensor) { tensor->data = new float[tensor->shape[0]]; }
  void FreeData(DLTensor* tensor) { delete[] static_cast<float*>(tensor->data); }
};

ffi::Tensor Vector(std::initializer_list<float> values) {
  const int64_t n = static_cast<int64_t>(values.size());
  ffi::Tensor made = ffi::Tensor::FromNDAlloc(Heap(), {n}, DLDataType({kDLFloat, 32, 1}),
                                              DLDevice({kDLCPU, 0}));
  std::copy(values.begin(), values.end(), static_cast<float*>(made.data_ptr()));
  return made;
}

int main(int, char** argv) {
  ffi::Module mod = ffi::Module::LoadFromFile(argv[1]);
  ffi::Function twice = mod->GetFunction("twice").value();
  ffi::Tensor x = Vector({1, 2, 3}), y = Vector({0, 0, 0});
  twice(x, y);
  for (int i = 0; i < 3; ++i) std::cout << static_cast<const float*>(y.data_ptr())[i] << ' ';
  try {
    twice(x, Vector({0}));
  } catch (const ffi::Error& error) {
    std::cout << error.kind() << ": " << error.what();
  }
}
"""


def test_a_kernel_and_the_program_that_loads_it(tmp_path: Path) -> None:
    options = [sys.executable, "-m", "tain", "config"]
    options += ["--cflags", "--compat", "--ldflags", "--libs"]
    flags = shlex.split(subprocess.run(options, capture_output=True, text=True, check=True).stdout)
    for name, source in {"kernel": KERNEL, "program": PROGRAM}.items():
        (tmp_path / f"{name}.cc").write_text(source)
        shape = ["-shared"] if name == "kernel" else []
        command = ["g++", "-O0", *shape, f"{name}.cc", "-o", f"{name}.so", *flags]
        subprocess.run(command, cwd=tmp_path, check=True)
    ran = subprocess.run(
        ["./program.so", "./kernel.so"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    expected = "2 4 6 ValueError: Check failed: (x.size(0) == y.size(0)) is false: sizes differ"
    assert ran.stdout == expected
