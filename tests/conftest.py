# SPDX-License-Identifier: Apache-2.0
"""Which tests belong to a run: some hold only on some interpreters, and none may be skipped in CI.

A test whose `only_if(condition, reason)` is false is no part of the run. A test is skipped where a
tool is missing; with --no-skips that is a failure.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="a test that is skipped, for want of a tool, fails"
    )


def belongs(item: pytest.Item) -> bool:
    """Whether all conditions of a test hold here."""
    return all(mark.args[0] for mark in item.iter_markers("only_if"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = [item for item in items if not belongs(item)]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if belongs(item)]


def refuse_a_skip(config: pytest.Config, report: Any) -> None:
    """Turn the report of something skipped into that of a failure."""
    if report.skipped and config.getoption("no_skips") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: skipped, though --no-skips is given: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    refuse_a_skip(item.config, report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    report = yield
    refuse_a_skip(collector.config, report)
    return report
