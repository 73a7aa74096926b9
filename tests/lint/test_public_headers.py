# SPDX-License-Identifier: Apache-2.0
"""Each public header compiles alone, and the umbrella is a list of them."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from importlib import util
from pathlib import Path

from lint_sources import ROOT, files, includes, relative, text

INCLUDE = ROOT / "include"
TAIN = INCLUDE / "tain"
COMPAT = INCLUDE / "tain_compat"
UMBRELLA = TAIN / "tain.h"
CXX = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
C = ["gcc", "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]

# The headers of tain/interop need the library they speak to.
INTEROP_NEEDS = {"nanobind.h": "nanobind", "pybind11.h": "pybind11"}


def compile_alone(header: Path, command: list[str], language: str) -> str | None:
    """Return the compiler's output if a header does not compile by itself."""
    flags = [f"-I{INCLUDE}"]
    if header.parent.name == "interop":
        if library := INTEROP_NEEDS.get(header.name):  # bridge.h needs Python.h alone
            spec = util.find_spec(library)
            assert spec and spec.origin, f"{header.name} needs {library}"
            flags += ["-isystem", str(Path(spec.origin).parent / "include")]
        flags += ["-isystem", sysconfig.get_paths()["include"]]
    name = header.relative_to(INCLUDE).as_posix()
    if COMPAT in header.parents:
        flags += [f"-I{COMPAT}"]
        name = header.relative_to(COMPAT).as_posix()
    # Not as the main file: there `#pragma once` is a warning. Twice: guarded against itself.
    source = f'#include "{name}"\n#include "{name}"\n'
    result = subprocess.run(
        [*command, *flags, "-x", language, "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{relative(header)}:\n{result.stderr[:2000]}" if result.returncode else None


def test_each_public_header_compiles_alone() -> None:
    headers = files("include/tain", "include/tain_compat", suffixes=(".h",))
    # In C++20 it is an #error: tests/compile_fail and tests/with_reflection.
    headers = [header for header in headers if header != TAIN / "reflection" / "auto.h"]
    # tests/with_eigen compiles it.
    headers = [header for header in headers if header != TAIN / "interop" / "eigen.h"]
    assert headers
    with ThreadPoolExecutor(2) as pool:
        faults = pool.map(lambda header: compile_alone(header, CXX, "c++"), headers)
        failed = [fault for fault in faults if fault]
    assert not failed, "\n".join(failed)


def test_the_binary_contract_is_also_c() -> None:
    failed = [
        fault for name in ("c_api.h", "version.h") if (fault := compile_alone(TAIN / name, C, "c"))
    ]
    assert not failed, "\n".join(failed)


def test_forwarding_headers_have_no_code() -> None:
    """They include, and give other names: using declarations, using directives and macros."""
    allowed = re.compile(
        r'|#pragma once|#include "(tain|tvm)/[\w/]+\.h"|namespace [\w:]+ \{|\}'
        r"|using( namespace)? [\w:]+;|using \w+ = [\w:]+;"
        r"|#define \w+( \\\n *)? ?(\w+|\[\[maybe_unused\]\])"
        r"|#define TVM_FFI_CHECK\(cond, Kind\) TAIN_INTERNAL_CHECK\(Kind, cond\)"
        r"|TAIN_INTERNAL_COMPAT\(\w+\)|#define TAIN_INTERNAL_COMPAT\(name\)"
        r" namespace tvm::runtime { using ::tain::name; } namespace tvm { using ::tain::name; }"
    )
    faults = []
    for header in files("include/tain_compat", suffixes=(".h",)):
        source = re.sub(r"//[^\n]*", "", text(header)).replace("\\\n", " ")
        if header.name == "tain_compat.h":
            source = re.sub(r"#if .*?#endif", "", source, flags=re.DOTALL)
        lines = (" ".join(line.split()) for line in source.splitlines())
        faults += [f"{relative(header)}: {x}" for x in lines if not allowed.fullmatch(x)]
    assert not faults, "\n".join(faults)


def test_the_umbrella_contains_includes_only() -> None:
    for line in text(UMBRELLA).splitlines():
        assert re.fullmatch(r'|//.*|#pragma once|#include "tain/[^"]+"', line), line


def test_the_umbrella_reaches_every_public_header() -> None:
    reached: set[Path] = set()
    pending = [UMBRELLA]
    while pending:
        header = pending.pop()
        if header not in reached:
            reached.add(header)
            pending += [found.target for found in includes(header) if found.target]
    # Opt-in: tain/stl.h with what it includes, operations on graphs, boxes of foreign classes, and
    # what only programs that embed libtain need.
    private = ("include/tain/interop/", "include/tain/internal/", "include/tain/stl")
    private += ("include/tain/reflection/inspect.h", "include/tain/graph/", "include/tain/boxed.h")
    private += ("include/tain/override.h",)
    private += ("include/tain/reflection/auto.h", "include/tain/reflection/annotations.h")
    missing = [
        relative(path)
        for path in files("include/tain", suffixes=(".h",))
        if path not in reached and not relative(path).startswith(private)
    ]
    assert not missing, f"tain.h includes neither directly nor through others: {missing}"
