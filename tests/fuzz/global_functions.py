# SPDX-License-Identifier: Apache-2.0
"""The global functions that the fuzzer calls."""

from __future__ import annotations

from typing import Any

import tain

#: Functions that run or recurse in the author's own C++ as long as they are told.
UNBOUNDED = {
    *("call_forever", "sleep", "spin", "spin_locked", "loop", "loop_free", "loop_on_thread"),
    *("loop_or_say", "hammer_start", "hammer_stop", "keep_until_exit", "chain_length", "tree_sum"),
    *("register_type", "descend", "greet_in_threads", "greet_watched_while", "call_from_threads"),
    *("call_until_none", "meet", "meet_alone", "meet_safely", "meet_unlocked"),
}


def bounded_functions() -> dict[str, Any]:
    """Return the functions that end by themselves, by name."""
    names = tain.list_global_func_names()
    return {n: tain.get_global_func(n) for n in names if n.rpartition(".")[2] not in UNBOUNDED}
