# SPDX-License-Identifier: Apache-2.0
"""What must not stand in any file: machine paths, unknown hosts, conflict marks, stray blanks."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from lint_sources import ROOT, files, relative, text

TEXT = (".h", ".cc", ".cpp", ".py", ".pyi", ".md", ".toml", ".cmake", ".in", ".json", ".sh", ".txt")
TOP = ("include", "src", "python", "tests", "examples", "benchmarks", "docs", "tools", "cmake")
GENERATED = {"LICENSE", "THIRD_PARTY_NOTICES"}

# Where links may lead: a link that rots or that a reader cannot open is worse than none.
HOSTS = {
    "cmake.org",
    "data-apis.org",
    "dmlc.github.io",
    "docs.python.org",
    "en.cppreference.com",
    "github.com",
    "itanium-cxx-abi.github.io",
    "keepachangelog.com",
    "nanobind.readthedocs.io",
    "numpy.org",
    "packaging.python.org",
    "peps.python.org",
    "semver.org",
    "tvm.apache.org",
    "www.apache.org",
    "www.w3.org",  # the namespace of SVG
}

RULES = {
    "a path of one machine": re.compile(r"(?<![\w./])/(root|home|work|Users)/\w"),
    "a conflict mark": re.compile(r"^(<{7}|>{7}|\|{7}) "),
    "trailing blanks": re.compile(r"[ \t]+$"),
    "a tab": re.compile(r"\t"),
    "unfinished work without an issue": re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))"),
}
# The Python object of a C++ object has one name, `wrapper`; in tools/ a mirror is one of packages.
WRAPPER_FOLDERS = ("include/", "src/", "python/", "tests/", "docs/", "ARCHITECTURE.md")
OTHER_NAME = re.compile(r"mirror", re.IGNORECASE)
_URL = re.compile(r"https?://([\w.-]+)")


def text_files() -> list[Path]:
    """Return the tracked text files, or all below the folders where there is no git."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "ls-files", "-z"]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        paths = [ROOT / name for name in listed.split("\0") if name]
        found = [path for path in paths if path.is_file() and path.suffix in (*TEXT, "")]
    else:
        found = files(*TOP, suffixes=TEXT)
    return [path for path in found if path.name not in GENERATED and path != Path(__file__)]


def test_no_line_says_what_no_line_should() -> None:
    faults = [
        f"{relative(path)}:{number}: {rule}: {line.strip()[:80]}"
        for path in text_files()
        for number, line in enumerate(text(path).splitlines(), 1)
        for rule, pattern in RULES.items()
        if pattern.search(line)
    ]
    assert not faults, "\n".join(faults)


def test_a_wrapper_has_no_other_name() -> None:
    faults = [
        f"{relative(path)}:{number}: {line.strip()[:80]}"
        for path in text_files()
        if relative(path).startswith(WRAPPER_FOLDERS)
        for number, line in enumerate(text(path).splitlines(), 1)
        if OTHER_NAME.search(line)
    ]
    assert not faults, "\n".join(faults)


def test_links_lead_to_known_hosts() -> None:
    faults = [
        f"{relative(path)}: {host}"
        for path in text_files()
        for host in _URL.findall(text(path))
        if host not in HOSTS
    ]
    assert not faults, "\n".join(faults)
