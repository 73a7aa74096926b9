# SPDX-License-Identifier: Apache-2.0
"""Programs as terminals and notebooks show them: colours, and never what a page would run."""

from __future__ import annotations

import importlib.util
import io
import re
import sys
from html import unescape
from typing import Any

import pytest
import tensorexpr as tx
from tensorexpr import te, tir

import tain

I = tir.Var("i")  # noqa: E741
HAS_PYGMENTS = importlib.util.find_spec("pygments") is not None
HAS_IPYTHON = importlib.util.find_spec("IPython") is not None


def program(message: str = "wrong") -> Any:
    a = te.placeholder((4,), name="A")
    made = te.create_prim_func([a, te.compute((4,), lambda i: a[i] + 1, name="B")])
    body = tir.AssertStmt(tir.const(True, "bool"), message, made.body)
    return tir.PrimFunc(made.params, made.buffer_map, body)


def html(value: Any) -> str:
    """Return what a notebook gets: by IPython where it is installed."""
    if not HAS_IPYTHON:
        return str(value._repr_html_())
    from IPython.core.formatters import DisplayFormatter

    data, _ = DisplayFormatter().format(value)
    return str(data["text/html"])


def text_of(page: str) -> str:
    without_style = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", without_style))


SHOWN = {
    "function": program(),
    "module": tx.IRModule.from_expr(program()),
    "statement": tir.For(I, 0, 4, tir.ForKind.SERIAL, tir.Evaluate(I)),
    "expression": tir.Select(I < 3, I + 1, I * 2),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_shows_the_text(name: str) -> None:
    page = html(SHOWN[name])
    assert text_of(page) == SHOWN[name].script()
    assert page.count("<pre") == page.count("</pre>") == 1
    assert ('<span class="c' in page) == HAS_PYGMENTS


@pytest.mark.parametrize("has_pygments", sorted({False, HAS_PYGMENTS}))
def test_texts_are_escaped(has_pygments: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_pygments:
        monkeypatch.setitem(sys.modules, "pygments.lexers", None)
    hostile = "</pre><script>alert(1)</script><b>&amp; 'é'"
    shown = program(hostile)
    page = html(shown)
    assert "script>" not in page and "<b>" not in page and page.count("</pre>") == 1
    assert text_of(page) == shown.script() and "é" in shown.script()
    assert page.isascii()
    called = html(tir.call_extern("int32", "f", tir.StringImm("<img src=x onerror=alert(1)>")))
    assert "<img" not in called and "&lt;img" in called


def test_without_pygments_there_are_no_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygments", None)
    monkeypatch.setitem(sys.modules, "pygments.lexers", None)
    assert html(I + 1) == "<pre>i + 1</pre>"
    assert html(I < 1) == "<pre>i &lt; 1</pre>"
    out = io.StringIO()
    program().show(style="default", file=out)
    assert out.getvalue() == program().script() + "\n"


def test_large_programs_are_cut() -> None:
    lines = tir.SeqStmt([tir.Evaluate(I + k) for k in range(5000)])
    text = text_of(html(lines))
    assert text.startswith(lines.script()[:1000])
    assert text.endswith("\n... 4000 more lines") and text.count("\n") == 1000
    wide = tir.Call("int32", "call_extern", ["f", *[tir.Var("v" * 99)] * 2000])
    assert re.search(r" \.\.\. \d+ more characters$", text_of(html(wide)))


def test_what_has_no_text_is_a_tree() -> None:
    deep: Any = I
    for _ in range(60):
        deep = tir.Add(deep, deep)
    assert deep._repr_html_() == tain.to_html(deep)
    moved = I + 1
    moved._move()
    assert "moved" in moved._repr_html_()
    assert "tain-tree" in html(tir.decl_buffer((4,)))  # no program: as every object of tain


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("variable", [None, "NO_COLOR"])
def test_colors_of_terminals(variable: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    if variable is not None:
        monkeypatch.setenv(variable, "1")
    for shown in SHOWN.values():
        terminal, file = Terminal(), io.StringIO()
        shown.show(file=terminal)
        shown.show(file=file)
        assert file.getvalue() == shown.script() + "\n"
        plain = re.sub(r"\x1b\[[\d;]*m", "", terminal.getvalue())
        assert plain.rstrip("\n") == shown.script()
        assert ("\x1b[" in terminal.getvalue()) == (HAS_PYGMENTS and variable is None)
