# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin of tools/peer_suite.sh, and the command that fetches what it runs.

As a plugin it lets the package `tvm_ffi` find the parts that belong to the tests alone (the classes
of the testing library), and prints a table of what fails by cause. Tests of private parts are
counted by themselves.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

PACKAGE = "apache-tvm-ffi"
# Tests of what is private to that package: its generator of stubs, and its own type descriptions.
PRIVATE_FILES = re.compile(
    r"test_stub|test_rust|test_type_converter|gen_abi_cpp|test_free_threaded"
)


def download(version: str, work: Path) -> None:
    """Fetch the source distribution and the wheel, and unpack both."""
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(work)]
    subprocess.run([*pip, "--only-binary", ":all:", f"{PACKAGE}=={version}"], check=True)
    subprocess.run([*pip, "--no-binary", PACKAGE, f"{PACKAGE}=={version}"], check=True)
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "wheel")
    (sources,) = work.glob("*.tar.gz")
    with tarfile.open(sources) as archive:
        archive.extractall(work, filter="data")
    (work / sources.name.removesuffix(".tar.gz")).rename(work / "sdist")


def pytest_configure() -> None:
    """Let `tvm_ffi.testing` be the package's own, with its library as a client of tain."""
    import tvm_ffi
    from tvm_ffi import libinfo

    peer = Path(os.environ["TAIN_PEER"]) / "tvm_ffi"
    tvm_ffi.__path__.append(str(peer))
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(
        filter(None, (str(peer / "lib"), os.environ.get("LD_LIBRARY_PATH")))
    )
    # The extension module of the package is linked with the library of the test types.
    libinfo.load_lib_ctypes(PACKAGE, "tvm_ffi_testing", "RTLD_GLOBAL")


def _cause(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (getattr(crash, "message", None) or str(report.longrepr)).strip().splitlines() or ["?"]
    errors = (line for line in lines if re.match(r"(E +)?\w*(Error|Exception)\b", line))
    first = next(errors, lines[0])
    return re.sub(r"0x[0-9a-f]+|\d{3,}", "#", first)[:110]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how many pass, and the causes of the rest."""
    causes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, ()):
            is_private = PRIVATE_FILES.search(report.nodeid) is not None
            counts[f"{'private' if is_private else 'public'} {outcome}"] += 1
            if outcome in ("failed", "error") and not is_private:
                causes[_cause(report)] += 1
    for name, count in sorted(counts.items()):
        terminalreporter.write_line(f"{count:6} {name}")
    for cause, count in causes.most_common(60):
        terminalreporter.write_line(f"{count:6} {cause}")


if __name__ == "__main__":
    if sys.argv[1:2] != ["download"] or len(sys.argv) != 4:
        sys.exit("usage: peer_suite.py download VERSION FOLDER")
    download(sys.argv[2], Path(sys.argv[3]))
