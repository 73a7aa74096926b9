# SPDX-License-Identifier: Apache-2.0
"""Builds the extensions that are compared, with the options that their users use; cached."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType

EXT = Path(__file__).resolve().parent / "ext"
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
PYTHON_INCLUDE = f"-I{sysconfig.get_path('include')}"
# The same for all. nanobind's own CMake function would pass -Os unless told NOMINSIZE, which makes
# its objects smaller, and its calls slower, than measured here.
OPTIMIZED = ("-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-std=c++20")


@dataclass(frozen=True)
class Toolkit:
    """How one of the contenders is compiled."""

    name: str
    cflags: tuple[str, ...]
    ldflags: tuple[str, ...] = ()
    sources: tuple[Path, ...] = field(default=())  # compiled beside the extension
    env: tuple[tuple[str, str], ...] = ()


def folder() -> Path:
    """Return the folder of what was built."""
    base = os.environ.get("TAIN_CACHE_DIR")
    if base is None:
        from platformdirs import user_cache_dir

        base = user_cache_dir("tain")
    made = Path(base) / "benchmarks"
    made.mkdir(parents=True, exist_ok=True)
    return made


def compiler(language: str = "c++") -> str:
    """Return the compiler: CXX or CC if they are set."""
    if language == "c":
        return os.environ.get("CC") or shutil.which("cc") or "gcc"
    return os.environ.get("CXX") or shutil.which("c++") or "g++"


def _unique_flags() -> tuple[str, ...]:
    """Return the option with which GCC lets a library be unloaded; Clang needs none."""
    shown = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False)
    return () if "clang" in shown.stdout else ("-fno-gnu-unique",)


def _tain() -> Toolkit:
    from tain import libinfo

    headers, libraries = libinfo.include_dir(), libinfo.lib_dir()
    return Toolkit(
        "tain",
        (*OPTIMIZED, *_unique_flags(), f"-I{headers}"),
        (f"-L{libraries}", "-ltain", f"-Wl,-rpath,{libraries}"),
    )


def _nanobind() -> Toolkit:
    root = Path(str(importlib.import_module("nanobind").__file__)).parent
    # What nanobind's CMake function and the instructions in nb_combined.cpp pass.
    sections = ("-ffunction-sections", "-fdata-sections")
    flags = (*OPTIMIZED, "-DNB_COMPACT_ASSERTIONS", "-fno-strict-aliasing", *sections)
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        flags += ("-DNB_FREE_THREADED",)
    include = (
        PYTHON_INCLUDE,
        f"-I{root / 'include'}",
        f"-I{root / 'ext/robin_map/include'}",
    )
    return Toolkit(
        "nanobind",
        flags + include,
        ("-Wl,-s", "-Wl,--gc-sections"),
        (root / "src/nb_combined.cpp",),
    )


def _nanobind_generic() -> Toolkit:
    # What is bound by records, as the bridge does it; it shares libtain with bench_tain.
    kit, tain = _nanobind(), _tain()
    flags = (*kit.cflags, *tain.cflags[len(OPTIMIZED) :])
    return Toolkit("nanobind_generic", flags, (*kit.ldflags, *tain.ldflags), kit.sources)


def _pybind11() -> Toolkit:
    import pybind11

    return Toolkit(
        "pybind11",
        (*OPTIMIZED, "-flto", PYTHON_INCLUDE, f"-I{pybind11.get_include()}"),
        ("-flto", "-Wl,-s"),
    )


def _tvm() -> Toolkit:
    from tvm_ffi import libinfo

    library = Path(libinfo.find_libtvm_ffi())
    return Toolkit(
        "tvm",
        (
            *OPTIMIZED,
            f"-I{libinfo.find_include_path()}",
            f"-I{libinfo.find_dlpack_include_path()}",
        ),
        (f"-L{library.parent}", "-ltvm_ffi", f"-Wl,-rpath,{library.parent}"),
    )


def _torch() -> Toolkit:
    # Its folder, but no import: PyTorch must not be there while other rows are timed.
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise ImportError("No module named 'torch'")
    root = Path(spec.origin).parent
    return Toolkit(
        "torch",
        (*OPTIMIZED, f"-I{root / 'include'}", f"-I{root / 'include/torch/csrc/api/include'}"),
        (f"-L{root / 'lib'}", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{root / 'lib'}"),
    )


def _c() -> Toolkit:
    import numpy

    numpy_include = f"-I{numpy.get_include()}"
    return Toolkit("c", ("-O2", "-DNDEBUG", "-fPIC", PYTHON_INCLUDE, numpy_include))


_TOOLKITS = {
    "tain": _tain,
    "nanobind": _nanobind,
    "nanobind_args": _nanobind_generic,
    "nanobind_record": _nanobind_generic,
    "pybind11": _pybind11,
    "tvm": _tvm,
    "torch": _torch,
    "c": _c,
}


def toolkit(name: str) -> Toolkit:
    """Return how a contender is compiled; ImportError if it is not installed."""
    return _TOOLKITS[name]()


def _run(command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{result.stderr}")


@cache
def _version(name: str) -> str:
    """Return what else than flags and sources the result depends on: versions, tain's headers."""
    if name == "nanobind_generic":
        return _version("nanobind") + _version("tain")
    module = {"tain": "tain", "nanobind": "nanobind", "pybind11": "pybind11", "tvm": "tvm_ffi"}
    if name == "torch":
        return importlib.metadata.version("torch")
    module["c"] = "numpy"
    package = importlib.import_module(module[name])
    stamp = str(getattr(package, "__version__", ""))
    if name == "tain":
        headers = sorted(Path(importlib.import_module("tain.libinfo").include_dir()).rglob("*.h"))
        contents = hashlib.sha256()
        for header in headers:
            contents.update(header.read_bytes())
        stamp += contents.hexdigest()
    return stamp + sys.version


def compile_object(kit: Toolkit, source: Path, target: Path) -> float:
    """Compile one file and return the seconds it took."""
    language = "c" if source.suffix == ".c" else "c++"
    start = time.perf_counter()
    _run([compiler(language), *kit.cflags, "-c", str(source), "-o", str(target)])
    return time.perf_counter() - start


def _key(kit: Toolkit, sources: Sequence[Path]) -> str:
    made = hashlib.sha256(repr((kit, _version(kit.name))).encode())
    for source in (*sources, *sorted(EXT.glob("*.h"))):
        made.update(source.read_bytes())
    return made.hexdigest()[:16]


def _object(kit: Toolkit, source: Path) -> Path:
    """Return the object file of one source, compiled if need be."""
    target = folder() / f"{source.stem}-{_key(kit, [source])}.o"
    if not target.exists():
        temporary = target.with_suffix(f".{os.getpid()}.{threading.get_ident()}.o")
        compile_object(kit, source, temporary)
        temporary.replace(target)
    return target


def build(source: Path, kit: Toolkit, module: bool = True) -> Path:
    """Return the shared library made of one source with a contender's options."""
    sources = (source, *kit.sources)
    home = folder() / f"{source.stem}-{_key(kit, sources)}"
    name = source.stem + SUFFIX if module else f"lib{source.stem}.so"
    library = home / name
    if library.exists():
        return library
    objects = [str(_object(kit, path)) for path in sources]
    home.mkdir(parents=True, exist_ok=True)
    temporary = home / f"{name}.{os.getpid()}"
    linker = compiler("c" if source.suffix == ".c" else "c++")
    _run([linker, "-shared", *objects, "-o", str(temporary), *kit.ldflags])
    temporary.replace(library)
    return library


def extension(name: str) -> Path:
    """Return the library of a contender's `ext/bench_*`, built if need be."""
    kit = toolkit(name)
    (source,) = EXT.glob(f"bench_{kit.name}.c*")
    # The parts of it that are about arrays and boxes.
    parts = (path for part in ("arrays", "boxes") for path in EXT.glob(f"{part}_{kit.name}.c*"))
    whole = replace(kit, sources=(*parts, *kit.sources))
    return build(source, whole, module=name not in ("tain", "tvm", "torch"))


def prepare(libraries: Sequence[Callable[[], Path]], jobs: int) -> None:
    """Build libraries with `jobs` compilers at a time, so that later calls find them."""
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda library: library(), libraries))


def load_module(library: Path) -> ModuleType:
    """Return the extension module of a library that was built."""
    sys.path.insert(0, str(library.parent))
    try:
        return importlib.import_module(library.name.removesuffix(SUFFIX))
    finally:
        sys.path.pop(0)
