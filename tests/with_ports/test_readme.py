# SPDX-License-Identifier: Apache-2.0
"""The README of the ports against what can be counted without a build, and its files."""

from __future__ import annotations

import re

import compare
import ports

README = (ports.HERE / "README.md").read_text(encoding="utf-8")


def test_the_table_has_the_lines_of_each_binding() -> None:
    shown = re.findall(r"^\| (\w+) \| (\w+) \| (\d+) / (\d+) \|", README, re.MULTILINE)
    counted = [
        (port.name, port.other, *(str(compare.lines_of(path)) for path in port.sources.values()))
        for port in ports.PORTS.values()
    ]
    assert shown == counted


def test_the_table_has_every_call() -> None:
    shown = re.findall(r"^\| (\w+) \| ([a-z][\w ,+]+) \| \d+ \| \d+ \| [\d.]+ \|", README, re.M)
    calls = [(call.port, call.name) for call in compare.CALLS]
    assert shown == calls


def test_no_binding_has_a_helper_header() -> None:
    """What both bindings of a port share knows nothing of Python, of tain or of the other tool."""
    for port in ports.PORTS.values():
        for header in (ports.HERE / port.name).rglob("*.h"):
            assert not re.search(r"tain|pybind11|nanobind|Python\.h", header.read_text()), header
        assert not list((ports.HERE / port.name).rglob("*.py")), port.name
