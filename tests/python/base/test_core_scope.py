# SPDX-License-Identifier: Apache-2.0
"""What importing tain lets the other libraries of a process see: libtain's names, nothing else."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import tain._core

from tain import libinfo

pytestmark = pytest.mark.only_if(sys.platform == "linux", reason="ELF")

# What a library sees that names nothing it needs: the global scope.
SEEN = """
    import ctypes, os
    {before}
    scope = ctypes.CDLL(None)
    print(*[name for name in {names!r} if hasattr(scope, name)], sep="\\n")
    """


def exported(path: str) -> list[str]:
    command = ["nm", "-D", "--defined-only", "--format=posix", path]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines]


def test_libraries_see_all_of_libtain(run) -> None:
    names = exported(libinfo.find_libtain())
    names.remove("TainCheckSingleCopy")  # by this one the copies of libtain are counted
    assert "TainTypeGetOrAllocIndex" in names
    assert run(SEEN.format(before="import tain", names=names)).split() == names
    assert run(SEEN.format(before="", names=names)).split() == []


def test_the_addresses_are_those_of_libtain(run) -> None:
    """Of data too: the type of an exception is known by its address."""
    run("""
        import ctypes
        from tain import libinfo
        core, scope = ctypes.CDLL(libinfo.find_libtain()), ctypes.CDLL(None)
        for name in ("TainObjectDelete", "TainOverrideSets", "_ZTIN4tain5ErrorE"):
            here, there = (ctypes.addressof(ctypes.c_char.in_dll(l, name)) for l in (core, scope))
            assert here == there, name
        """)


def test_libraries_see_nothing_else(run) -> None:
    """Neither the bridge nor the testing library, nor what libtain itself needs."""
    bridge = exported(tain._core.__file__)
    testing = exported(libinfo.find_bundled("tain_testing"))
    names = [*bridge, *testing, "_ZSt4cout", "__cxa_throw", "_Unwind_Resume"]
    assert "PyInit__core" in names
    seen = run(SEEN.format(before="import tain; tain.testing.echo", names=names)).split()
    base = run(SEEN.format(before="", names=names)).split()
    assert sorted(set(seen) - set(base)) == []


def test_what_the_loader_says(run) -> None:
    code = """
        import os, subprocess, sys
        env = {**os.environ, "LD_DEBUG": "scopes", "LD_DEBUG_OUTPUT": "scopes"}
        subprocess.run([sys.executable, "-c", "import tain"], check=True, env=env)
        print(*[open(name).read() for name in os.listdir() if name.startswith("scopes.")])
        """
    added = re.findall(r"add (\S+) \[0\] to global scope", run(code))
    assert [path.rpartition("/")[2] for path in added] == ["libtain_names.so"]


def test_the_names_alone_need_libc_only() -> None:
    command = ["readelf", "-d", str(libinfo.find_bundled("tain_names"))]
    needed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", needed)) <= {"libc.so.6"}
