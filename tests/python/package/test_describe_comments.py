# SPDX-License-Identifier: Apache-2.0
"""Documentation from C++ comments."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tain.describe._comments import Docs, docs_of

# ---- comment marks

FORMS = [
    "/// Moves it.\n/// Far.",
    "    /// Moves it.\n    /// Far.",
    "//! Moves it.\n//! Far.",
    "///< Moves it.\n  ///< Far.",
    "//!< Moves it.\n//!< Far.",
    "/** Moves it.\n * Far. */",
    "/** Moves it.\n Far.\n */",
    "/*! Moves it.\n    Far. */",
    "/*!< Moves it.\n * Far. */",
    "/**< Moves it.\n   * Far.\n   **/",
    "/**\n * Moves it.\n * Far.\n */",
    "/**\r\n * Moves it.\r\n * Far.\r\n */",
    "/**\n\tMoves it.\n\tFar.\n*/",
    "///Moves it.\n///Far.",
    "/** Moves it. */\n/** Far. */",
    "/// Moves it.\n// Not this.\n/// Far.",
    "/** Moves it.\n * Far.",
    "/// ------\n/// Moves it.\n/// Far.\n/// ======",
]


@pytest.mark.parametrize("raw", FORMS)
def test_the_forms_of_comments(raw: str) -> None:
    assert docs_of(raw) == Docs(text="Moves it.\nFar.")


ORDINARY = ["// Moves it.", "/* Moves it. */", "//// Moves it.", "/*** Moves it. ***/"]


@pytest.mark.parametrize("raw", ORDINARY)
def test_ordinary_comments_count_if_asked_for(raw: str) -> None:
    assert docs_of(raw) == Docs()
    assert docs_of(raw, ordinary=True) == Docs(text="Moves it.")


def test_ordinary_comments_have_no_inline_marks() -> None:
    raw = "// The \\b word \\n <b>x</b> &lt;\n// @param x a \\d\n// @return y"
    docs = docs_of(raw, ordinary=True)
    assert docs.text == "The \\b word \\n <b>x</b> &lt;"
    assert dict(docs.parameters) == {"x": "a \\d"} and docs.returns == "y"


@pytest.mark.parametrize(
    "raw", [None, "", "//", "///", "/**/", "/** */", "/***/", "/*", "/**", "/"]
)
def test_no_text(raw: str | None) -> None:
    assert docs_of(raw).docstring() == ("/" if raw == "/" else "")


# ---- sections

MANY = r"""/**
 * @brief Moves it.
 *
 * Second paragraph,
 * two lines.
 *
 * @param[in] x the x
 *            of it
 * @param [in,out] a,b both
 * @param  c - the third
 * @param d: the fourth
 * @tparam T not shown
 * @return the result
 * @retval 0 good
 * @retval 1
 * @throws std::invalid_argument if x
 *   is bad
 * @exception lib::Error
 * @note Careful.
 * @warning Hot.
 * @see Other
 * @since 1.2
 * @deprecated Use y.
 * @todo not shown
 * not shown
 *
 * Last paragraph.
 */"""


def test_all_sections() -> None:
    docs = docs_of(MANY)
    assert docs == Docs(
        text="Moves it.\n\nSecond paragraph,\ntwo lines.\n\nLast paragraph.",
        parameters={
            "x": "the x of it",
            "a": "both",
            "b": "both",
            "c": "the third",
            "d": "the fourth",
        },
        returns="the result\n\n- ``0``: good\n- ``1``",
        raises=(("std::invalid_argument", "if x is bad"), ("lib::Error", "")),
        sections=(
            ("Note", "Careful."),
            ("Warning", "Hot."),
            ("See Also", "Other"),
            ("Since", "1.2"),
            ("Deprecated", "Use y."),
        ),
    )
    assert docs.docstring({"std::invalid_argument": "ValueError"}) == (
        "Moves it.\n\nSecond paragraph,\ntwo lines.\n\nLast paragraph.\n\n"
        "Returns:\n    the result\n\n    - ``0``: good\n    - ``1``\n\n"
        "Raises:\n    ValueError: if x is bad\n    lib::Error\n\n"
        "Note:\n    Careful.\n\nWarning:\n    Hot.\n\nSee Also:\n    Other\n\n"
        "Since:\n    1.2\n\nDeprecated:\n    Use y."
    )
    assert docs_of(MANY.replace("@", "\\")) == docs


PARAMETERS = [
    ("@param x the x", {"x": "the x"}),
    ("\\param[out] x the x", {"x": "the x"}),
    ("@param x,y,z them", {"x": "them", "y": "them", "z": "them"}),
    ("@param x, y them", {"x": "them", "y": "them"}),
    ("@param x, the x", {"x": "the x"}),
    ("@param x the x @param y the y", {"x": "the x", "y": "the y"}),
    ("Text. @param x the x", {"x": "the x"}),
    ("@param *x the x", {"x": "the x"}),
    ("@param `x` the x", {"x": "the x"}),
    ("@param ... more", {"...": "more"}),
    ("@param größe Größe", {"größe": "Größe"}),
    ("@param x one @param x two", {"x": "one two"}),
    ("@param x", {}),
    ("@param", {}),
    ("@param [in", {}),
    ("@params x y", {}),
    ("a@param x y", {}),
    ("`@param x` y", {}),
    ("@@param x y", {}),
]


@pytest.mark.parametrize(("text", "expected"), PARAMETERS)
def test_parameters(text: str, expected: dict[str, str]) -> None:
    assert dict(docs_of(f"/// {text}").parameters) == expected
    assert dict(docs_of(f"/** {text} */").parameters) == expected


RAISES = [
    ("@throws A if x", ("A", "if x")),
    ("@throw lib::A<int> if x", ("lib::A<int>", "if x")),
    ("@throws A: if x", ("A", "if x")),
    ("@throws if x is bad", ("Exception", "if x is bad")),
    ("@exception A", ("A", "")),
    ("@throws", ("Exception", "")),
]


@pytest.mark.parametrize(("text", "expected"), RAISES)
def test_raises(text: str, expected: tuple[str, str]) -> None:
    assert docs_of(f"/// {text}").raises == (expected,)


TEXTS = [
    ("@short A.", "A."),
    ("B.\n\n@brief A.", "A.\n\nB."),
    ("@brief A.\n@details B.", "A.\n\nB."),
    ("@brief A\nlong.\n\nB.", "A\nlong.\n\nB."),
    (
        "A @a x, @p y. @e z @em w! @b v @c f(), (@c g)",
        "A *x*, ``y``. *z* *w*! **v** ``f()``, (``g``)",
    ),
    ("@a\nx y", "*x* y"),
    ('@ref Foo, @ref Foo "the foo".', "Foo, the foo."),
    ("@link Foo the foo@endlink.", "the foo."),
    ("@link Foo @endlink.", "Foo."),
    ("- a\n  b\n- c", "- a\n  b\n- c"),
    ("A:\n- a\n  - b\n- c", "A:\n\n- a\n\n  - b\n\n- c"),
    ("@li a\n@li b", "- a\n- b"),
    ("1. a\n2. b", "1. a\n2. b"),
    ("A@n B\\n C<br>D", "A\nB\nC\nD"),
    ("A<p>B", "A<p>B"),
    ("A.<p>B", "A.\n\nB"),
    ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
    ("<b>a</b> <i>b</i> <tt>c</tt> <code>d</code>", "**a** *b* ``c`` ``d``"),
    ("std::vector<int> and Box<b> and a<b", "std::vector<int> and Box<b> and a<b"),
    ("&lt;b&gt; &amp;lt; &eacute; &nosuch; &#65; &copy", "<b> &lt; é &nosuch; A &copy"),
    ("@f$x^2@f$ \\f[ y \\f]", ":math:`x^2` :math:`y`"),
    ("`code` ``more``", "``code`` ``more``"),
    ("\\\\ \\@ \\& \\< \\# \\% \\$ @@ a\\@b", "\\ @ & < # % $ @ a@b"),
    ("a@b.c and C:\\\\temp", "a@b.c and C:\\temp"),
    ("\\nosuch @nosuch x", "\\nosuch @nosuch x"),
    ("@code{.cpp}\n  int x;\n    y();\n@endcode", "::\n\n    int x;\n      y();"),
    ("So:\n@code\nf(@a x, &lt;);\n@endcode\nthen", "So::\n\n    f(@a x, &lt;);\n\nthen"),
    ("```cpp\nf(`x`);\n```", "::\n\n    f(`x`);"),
    ("@verbatim a @b @endverbatim", "::\n\n    a @b"),
    ("@code\nf();", "::\n\n    f();"),
    ("So:\n    f();\n    g();\nthen", "So::\n\n    f();\n    g();\n\nthen"),
    ("So:\n\n    f();\n\n    g();\n\nthen", "So::\n\n    f();\n\n    g();\n\nthen"),
    ("A\n@cond X\nsecret\n@endcond\nB", "A\n\nB"),
    ("A\n@internal\nsecret", "A"),
    ("A\n@internal secret @endinternal\nB", "A\n\nB"),
    ("@htmlonly <x> @endhtmlonly A", "A"),
    ("@{", ""),
    ("@ingroup x\nA", "A"),
    ("@defgroup x The X\nA", "A"),
    ("@name Accessors\n@{", ""),
    ("@addtogroup x\nA\n@}", "A"),
    ("@class X a.h\nA", "A"),
    ("@author Me\n\nA", "A"),
    ("@par Title\nA", "Title:\nA"),
    ("@copydoc f(int)", "See ``f(int)``."),
    ("Grüße, 世界 😀", "Grüße, 世界 😀"),
    ("A\0B\x07C\ud800", "ABC\ufffd"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_texts(text: str, expected: str) -> None:
    slashes = "\n".join(f"/// {line}" for line in text.split("\n"))
    assert docs_of(slashes).text == expected
    stars = "\n".join(f" * {line}" for line in text.split("\n"))
    assert docs_of(f"/**\n{stars}\n */").text == expected


def test_internal_comments_are_hidden() -> None:
    assert docs_of("/// @internal Only us.").hidden
    assert docs_of("/// @cond\n/// Only us.\n/// @endcond").hidden
    assert not docs_of("/// A\n/// @internal Only us.").hidden
    assert not docs_of("/// A").hidden and not docs_of("/// ").hidden


def test_sections_of_several_paragraphs() -> None:
    docs = docs_of("/// @note @parblock\n/// A\n///\n/// B\n/// @endparblock\n///\n/// C")
    assert docs == Docs(text="C", sections=(("Note", "A\n\nB"),))


def test_a_parameter_keeps_its_list() -> None:
    docs = docs_of("/// @param x one of\n///   - a\n///   - b\n/// @return y")
    assert docs.parameters["x"] == "one of\n\n- a\n- b"
    assert docs.returns == "y"


# ---- bad and long texts

PIECES = [
    *"`*<>&@\\/-\n {}[]()\"#%$.,:;aé😀\t\r\0",
    "``", "```", "/**", "*/", "///", "//!<", "\n * ", "\n/// ", "\n\n", "    ", "- ", "1. ",
    "f$", "f[",
    "@param ", "@param[in] a,b ", "@return ", "@retval ", "@throws ", "@brief ", "@note ", "@code ",
    "@endcode ", "@code{.cpp}\n", "@verbatim ", "@internal ", "@endinternal ", "@cond ",
    "@endcond ",
    "@link ", "@endlink ", "@ref ", "@a ", "@c ", "@n", "@li ", "@par ", "@details ", "@parblock ",
    "@endparblock ", "@copydoc ", "@{", "@}", "<b>", "</b>", "<li>", "<p>", "<a href='", "&lt;",
    "&#",
    "&#9999999;", "@tparam ", "@todo ", "@name ", "word ", "@f$", "\\f]",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.booleans())
def test_no_comment_is_an_error(text: str, ordinary: bool) -> None:
    for raw in (text, f"/// {text}", f"/** {text} */", f"// {text}"):
        docs = docs_of(raw, ordinary=ordinary)
        docs.docstring().encode()
        assert all(text == text.strip("\n") for text in (docs.text, docs.returns))
        assert all(docs.parameters.values())


@given(st.text())
def test_no_text_is_an_error(text: str) -> None:
    docs_of(text, ordinary=True).docstring().encode()
    docs_of(f"/** {text}").docstring().encode()


def seconds(text: str) -> float:
    begin = time.process_time()
    docs_of(text).docstring()
    return time.process_time() - begin


REPEATED: list[Any] = [
    *PIECES,
    "\n@note\n",
    "@param a x ",
    "@param ",
    "a,",
    "\n - a\n   - b",
    "\n a\n     b",
]


@pytest.mark.parametrize("piece", REPEATED, ids=ascii)
def test_eight_times_the_length_takes_eight_times_as_long(piece: str) -> None:
    short, long = (f"/** {piece * (n // len(piece))}" for n in (30_000, 240_000))
    assert seconds(long) < 25 * max(seconds(short), 0.02)


@pytest.mark.parametrize("start", ["/// ", "/** @param a,"])
def test_a_mebibyte_of_everything(start: str) -> None:
    chosen = random.Random(1)
    text = start + "".join(chosen.choice(PIECES) for _ in range(350_000))
    assert len(text) > 1_000_000
    assert seconds(text) < 15
    nested = "\n".join(f"///{' ' * i}- a\n/// b" for i in range(1, 1400))
    assert seconds(nested) < 15
