# SPDX-License-Identifier: Apache-2.0
"""The ports: what each needs, how both bindings of it are built, and how they are loaded."""

from __future__ import annotations

import importlib
import importlib.util
import os
import resource
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Port:
    """One library of Debian's, and two bindings of it."""

    name: str  # of the folder and of the namespace in Python
    package: str  # of Debian
    header: str  # where that package puts one
    other: str  # the binding tool that tain is compared with
    target: str  # of CMake; that of the other binding is `module`
    module: str
    needs: tuple[str, ...] = ()  # targets of the other tool that are no part of the binding

    @property
    def sources(self) -> dict[str, Path]:
        """The file of each binding."""
        folder = HERE / self.name
        return {
            "tain": folder / f"{self.name}.cc",
            self.other: folder / self.other / f"{self.name}.cc",
        }


PORTS = {
    port.name: port
    for port in (
        Port(
            "hnsw",
            "libhnswlib-dev",
            "/usr/include/hnswlib/hnswlib.h",
            "pybind11",
            "hnsw",
            "hnsw_pb",
        ),
        Port(
            "box2d",
            "libbox2d-dev",
            "/usr/include/box2d/box2d.h",
            "nanobind",
            "box2d_tain",
            "box2d_nb",
            ("nanobind",),
        ),
        Port("toml", "libcpptoml-dev", "/usr/include/cpptoml.h", "pybind11", "toml", "toml_pb"),
    )
}


def run(*command: str, env: dict[str, str] | None = None) -> float:
    """Run a command and return the seconds of its processes; RuntimeError shows what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def cmake_dir(tool: str) -> str:
    """Return where the CMake package of a tool is, in its Python package."""
    if tool == "tain":
        return importlib.import_module("tain.libinfo").cmake_dir()
    package = importlib.import_module(tool)
    return str(package.cmake_dir() if tool == "nanobind" else package.get_cmake_dir())


def configure(port: Port, folder: Path, cached: bool = True) -> None:
    """Make the build folder of a port; without `cached`, its compiler is called at each build."""
    env = dict(os.environ)
    if not cached:
        env.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    packages = [f"-D{tool}_DIR={cmake_dir(tool)}" for tool in ("tain", port.other)]
    options = [
        "-GNinja",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DPython_EXECUTABLE={sys.executable}",
        *packages,
    ]
    run("cmake", "-S", str(HERE / port.name), "-B", str(folder), *options, env=env)


def build(folder: Path, *targets: str) -> float:
    """Build targets of a configured folder, and return the seconds that the compiler took."""
    return run("cmake", "--build", str(folder), "--target", *targets)


def library(port: Port, tool: str, folder: Path) -> Path:
    """Return the file of a binding that was built."""
    if tool == "tain":
        return folder / f"lib{port.target}.so"
    return folder / f"{port.module}{sysconfig.get_config_var('EXT_SUFFIX')}"


def load(port: Port, tool: str, folder: Path) -> Any:
    """Return the Python module of a binding that was built."""
    path = library(port, tool, folder)
    if tool == "tain":
        importlib.import_module("tain").load_library(str(path))
        return importlib.import_module(f"tain.types.{port.name}")
    spec = importlib.util.spec_from_file_location(port.module, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[port.module] = module  # where pickles look for its classes
    spec.loader.exec_module(module)
    return module
