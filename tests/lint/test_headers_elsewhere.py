# SPDX-License-Identifier: Apache-2.0
"""Public headers in projects of others: after their macros, with their warnings, without RTTI."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from lint_sources import ROOT, files, relative

INCLUDE = ROOT / "include"

# What common headers define, as far as it is a name that somebody might give a member.
MACROS = {
    "Qt": "slots= signals=public emit= foreach(a,b)=for(a:b) forever=for(;;) SIGNAL(a)=#a "
    "SLOT(a)=#a METHOD(a)=#a Q_OBJECT= Q_EMIT= Q_SLOTS= Q_SIGNALS=public",
    "Windows": "small=char near= far= hyper=__int64 pascal= cdecl= interface=struct IN= OUT= "
    "OPTIONAL= CONST=const VOID=void ERROR=0 NO_ERROR=0L DELETE=0x10000L TRUE=1 FALSE=0 STRICT=1 "
    "DIFFERENCE=11 IGNORE=0 INFINITE=0xFFFFFFFF CALLBACK= WINAPI= THIS= PURE==0 "
    "min(a,b)=((a)<(b)?(a):(b)) max(a,b)=((a)>(b)?(a):(b)) GetObject=GetObjectW "
    "GetMessage=GetMessageW GetClassName=GetClassNameW GetCurrentTime()=GetTickCount() "
    "SendMessage=SendMessageW CreateWindow=CreateWindowW Yield()= DOMAIN=1 SING=2 OVERFLOW=3 "
    "UNDERFLOW=4 RELATIVE=1 ABSOLUTE=2 TRANSPARENT=1 OPAQUE=2 ALTERNATE=1 rad1=0x0420 grp1=0x0430",
    "X11": "None=0L Bool=int Status=int True=1 False=0 Always=2 Success=0 Complex=0 "
    "Convex=2 Nonconvex=1 Above=0 Below=1 Unsorted=0 KeyPress=2 KeyRelease=3 FocusIn=9 FocusOut=10 "
    "Expose=12 CursorShape=0 GrayScale=1 TrueColor=4 Button1=1 ControlMask=4 Absolute=5 "
    "DestroyAll=0 CurrentTime=0L InputOnly=2 PropModeReplace=0 NoSymbol=0L",
    "glibc": "major(dev)=gnu_dev_major(dev) minor(dev)=gnu_dev_minor(dev) "
    "makedev(a,b)=gnu_dev_makedev(a,b) unix=1 linux=1 st_atime=st_atim.tv_sec sa_handler=__sa",
    "others": "YES=1 NO=0 nil=0 PI=3.14 ERR=-1 OK=0 CHECK(c)=check(c) LOG(x)=log(x) "
    "verify(x)=assert(x) require(x)=assert(x) _N=01 _B=02 _U=04 _L=08 _C=16 _X=32 B0=0 F1=1",
}
# The words with which the headers above them are compiled, before the macros are defined.
STANDARD = "#include <bits/stdc++.h>\n#include <cxxabi.h>\n#include <dlfcn.h>\n"

# Instances of what the headers offer; warnings come out of templates too.
USES = r"""
namespace uses {
struct Plain : tain::Object {
  double x = 0;
  float y = 0;
  uint8_t z = 0;
  tain::Ptr<Plain> next;
  int id(int a) const { return a; }
  TAIN_OBJECT("uses.Plain", Plain, tain::Object);
};
struct Virtual : tain::Object {
  TAIN_VIRTUAL(on)
  virtual int on_impl(std::string) { return 1; }
  virtual ~Virtual() = default;
  TAIN_OBJECT("uses.Virtual", Virtual, tain::Object);
};
enum class Color : uint8_t { kRed, kGreen };
struct Foreign {
  int a = 1;
  std::vector<std::string> names;
  std::map<std::string, int> map;
  int get() const { return a; }
};
struct Shown {
  virtual ~Shown() = default;
  virtual int area() const { return 1; }
};
struct Bad : std::runtime_error {
  using std::runtime_error::runtime_error;
  int code = 1;
};
inline int add(int a, int b) { return a + b; }
}  // namespace uses
TAIN_EXPORT(add, uses::add, tain::arg("a"), tain::arg("b") = 1);
TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  using namespace uses;
  refl::EnumDef<Color>("uses.Color").value("RED", Color::kRed).value("GREEN", Color::kGreen);
  refl::ObjectDef<Plain>()
      .def_init_fields()
      .def_rw("x", &Plain::x)
      .def_rw("y", &Plain::y, tain::default_(1.0))
      .def_rw("z", &Plain::z)
      .def_rw("next", &Plain::next)
      .def("id", &Plain::id);
  refl::ObjectDef<Virtual>().def_init<>().def_virtual("on", &Virtual::on_impl);
  refl::ObjectDef<tain::Boxed<Foreign>>("uses.Foreign")
      .def_init<>()
      .def_rw("a", &Foreign::a)
      .def_rw("names", &Foreign::names)
      .def("get", &Foreign::get);
  refl::ObjectDef<tain::Boxed<Shown>>("uses.Shown").def_init<>().def("area", &Shown::area);
  refl::ErrorDef<Bad>("uses.Bad").def_ro("code", &Bad::code);
  refl::GlobalDef()
      .def("uses.sizes", [](tain::Array<int64_t> a) { return a.size(); })
      .def("uses.standard",
           [](std::vector<uint16_t> a, std::map<std::string, std::optional<float>> m,
              std::pair<int, char> p, std::variant<int, std::string>, std::set<int>,
              std::chrono::milliseconds ms, std::filesystem::path, std::tuple<int, double> t,
              std::function<int(int, std::string)>) { return std::make_tuple(a, m, p, ms, t); })
      .def("uses.containers",
           [](tain::Map<tain::String, tain::Any> m, tain::List<double>,
              tain::Dict<int64_t, tain::String>, tain::Tuple<int, float>, tain::Optional<int>,
              tain::Variant<int, tain::String>, tain::Tensor, tain::TensorView, tain::Shape,
              tain::Module) { return m; })
      .def("uses.numbers", [](Color c, int8_t, uint64_t, long double, short) { return c; })
      .def("uses.take", [](std::unique_ptr<Foreign> f) { return f->a; })
      .def("uses.give", [] { return std::make_shared<Shown>(); })
      .def("uses.warn", [](std::string text) { tain::warn(text); });
}
"""
WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wshadow",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wold-style-cast",
    "-Wundef",
    "-Wnon-virtual-dtor",
    "-Woverloaded-virtual",
]
OF_GCC = ["-Wuseless-cast", "-Wstringop-overflow"]
# Uses of std::vector::at and of iterators in the standard library's own headers are not tain's.
COMPILERS = {"g++": [*WARNINGS, *OF_GCC], "clang++-19": WARNINGS}


def all_headers() -> str:
    """Return the lines that include every public header but those that need another library."""
    left_out = ("include/tain/interop/", "include/tain/internal/reflect/")
    left_out += ("include/tain/reflection/auto.h", "include/tain/reflection/annotations.h")
    names = [relative(path) for path in files("include/tain", suffixes=(".h",))]
    names = [name for name in names if not name.startswith(left_out)]
    return "".join(f"#include <{name.removeprefix('include/')}>\n" for name in names)


def compiled(source: str, compiler: str, *options: str) -> str:
    """Return what the compiler says."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [compiler, "-std=c++20", f"-I{INCLUDE}", *options, "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return result.stderr


@pytest.mark.parametrize("owner", MACROS)
def test_headers_after_the_macros_of_others(owner: str) -> None:
    defined = ""
    for word in MACROS[owner].split(" "):
        name, _, value = word.partition("=")
        defined += f"#undef {name.partition('(')[0]}\n#define {name} {value}\n"
    source = STANDARD + defined + all_headers()
    assert compiled(source, "g++", "-fsyntax-only", "-Wall", "-Werror") == ""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_headers_and_their_templates_draw_no_warning(compiler: str) -> None:
    source = all_headers() + USES
    output = compiled(source, compiler, *COMPILERS[compiler], "-O1", "-S", "-o", "/dev/null")
    assert output == ""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_headers_without_rtti(compiler: str) -> None:
    assert compiled(all_headers() + USES, compiler, "-fno-rtti", "-fsyntax-only", "-Wall") == ""


# Calls of an overridable method through what may hold no object, each inlined as deep as it goes.
CALLS = """
#include <tain/tain.h>
struct ShapeObj : tain::Object {
  TAIN_VIRTUAL(area)
  virtual double area_impl() const { return 1; }
  TAIN_OBJECT("calls.Shape", ShapeObj, tain::Object);
};
using Shape = tain::Ref<ShapeObj>;
double InArray(const tain::Array<Shape>& shapes) {
  double sum = 0;
  for (const auto& each : shapes) sum += each->area();
  return sum;
}
double InList(tain::List<Shape> shapes) {
  double sum = 0;
  for (const Shape& each : shapes) sum += each->area();
  return sum;
}
double InAny(const tain::Any& value) { return value.cast<Shape>()->area(); }
double InOptional(const tain::Optional<Shape>& value) { return value.value()->area(); }
double InPtr(tain::Ptr<ShapeObj> value) { return value->area(); }
"""
# The sources of examples that need nothing but tain.
EXAMPLES = [
    path
    for folder in ("geometry/src", "pyast/src", "spreadsheet/src", "plugin", "image_filter")
    for path in files(f"examples/{folder}", suffixes=(".cc",))
]
AS_RELEASED = ["-Wall", "-Wextra", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"]


@pytest.mark.parametrize("level", ["-O2", "-O3"])
@pytest.mark.parametrize("compiler", [os.environ.get("CXX", "g++"), "clang++-19"])
def test_calls_of_virtual_methods_draw_no_warning(compiler: str, level: str) -> None:
    assert compiled(CALLS, compiler, *AS_RELEASED, level, "-c", "-o", "/dev/null") == ""


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=relative)
def test_examples_draw_no_warning(path: Path) -> None:
    """Examples compile without a warning by the oldest and by the newest compiler of the matrix."""
    source = path.read_text(encoding="utf-8")
    levels = ["-O2", "-O3"] if "/spreadsheet/" in relative(path) else ["-O3"]
    for level in levels:
        options = [*AS_RELEASED, level, f"-I{path.parent}", "-c", "-o", "/dev/null"]
        assert compiled(source, os.environ.get("CXX", "g++"), *options) == ""
