# SPDX-License-Identifier: Apache-2.0
"""Saved graphs with changes: JSON text and the binary form of whatever the fuzzer has."""

from __future__ import annotations

import re
from typing import Any

import tain

_TOKEN = re.compile(rb'"[^"\n]*"|-?\d+(?:\.\d+)?|[\[\]{},:]|null|true|false')
_NUMBERS = (b"0", b"-1", b"1e400", b"99999999999999999999", b"1.5", b"null", b'"x"', b"[]", b"{}")


def _saved(f: Any, save: Any) -> bytes:
    try:
        made = save(f.values.any(2))
    except TypeError:  # a function, for example
        made = save(tain.Array([1, "text", {"key": 2.5}, tain.List([]), b"bytes"]))
    return made.encode() if isinstance(made, str) else bytes(made)


def _changed_bytes(f: Any, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(f.rng.randint(1, 4)):
        at = f.rng.randrange(len(changed) + 1)
        how = f.rng.randrange(4)
        if how == 0:
            changed[at : at + 1] = bytes([f.rng.randrange(256)])
        elif how == 1:
            del changed[at : at + f.rng.randint(1, 8)]
        elif how == 2:
            start = f.rng.randrange(len(data))
            changed[at:at] = data[start : start + f.rng.randint(1, 40)]
        else:
            changed[at:at] = b"\xff" * f.rng.randint(1, 10)
    return bytes(changed)


def _changed_tokens(f: Any, data: bytes) -> bytes:
    """Exchange whole tokens, so that the text stays JSON more often."""
    tokens = _TOKEN.findall(data) or [b"null"]
    for _ in range(f.rng.randint(1, 3)):
        at = f.rng.randrange(len(tokens))
        other = f.rng.choice((*_NUMBERS, f.rng.choice(tokens)))
        tokens[at : at + f.rng.randint(0, 2)] = [other]
    return b"".join(tokens)


def mutated_json(f: Any) -> None:
    """Load a text that was changed, which must raise or work."""
    data = _saved(f, tain.save_json)
    data = (_changed_tokens if f.rng.randrange(3) else _changed_bytes)(f, data)
    f.note(data[:200])
    f.values.keep(tain.load_json(data))


def mutated_binary(f: Any) -> None:
    data = _changed_bytes(f, _saved(f, tain.save_binary))
    f.note(data[:200])
    f.values.keep(tain.load_binary(data))


def saved_again(f: Any) -> None:
    """Save what there is and load it."""
    value = f.values.any(2)
    f.values.keep(tain.load_json(tain.save_json(value)))
    f.values.keep(tain.load_binary(tain.save_binary(value)))
