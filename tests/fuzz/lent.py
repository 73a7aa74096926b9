# SPDX-License-Identifier: Apache-2.0
"""Foreign objects that C++ lends to a callback, which keeps them and what it makes of them."""

from __future__ import annotations

from typing import Any

from tain.types.testing import boxed

import tain

LENDERS = (
    *("lend_pointer", "lend_const_pointer", "lend_reference", "lend_const_reference"),
    *("pass_value", "lend_untyped", "lend_all", "lend_two", "lend_shared", "lend_nothing"),
)
MAKERS = ("solver_by_value", "solver_unique", "solver_shared", "solvers", "any_solver", "use_all")


def derived(f: Any, one: Any) -> Any:
    """Return something that may point into an object."""
    way = f.rng.randrange(8)
    if way == 0:
        return boxed.Solver(one)
    if way == 1:
        return iter(one)
    if way == 2:
        return one.itself()
    if way == 3:
        return f.rng.choice([boxed.Listener(), f.values.any(0)]).attach(one)
    if way == 4:
        return boxed.Listener().attach_all([one, one])
    if way == 5:
        return one.attach(boxed.Model())
    maker = tain.get_global_func("testing.boxed." + f.rng.choice(MAKERS))
    return maker([one] if f.rng.randrange(2) else one)


def lent_object(f: Any) -> None:
    """Call a function that lends objects, and keep them beyond the call."""
    rounds = f.rng.randrange(4)

    def use(*lent: Any) -> None:
        for one in lent:
            f.values.keep(one)
            for _ in range(rounds):
                try:
                    f.values.keep(derived(f, one))
                except (AttributeError, TypeError, ValueError):
                    continue
                f.act()

    name = f.rng.choice(LENDERS)
    f.note(name, rounds)
    tain.get_global_func("testing.boxed." + name)(use)
    if f.rng.randrange(3) == 0:
        f.values.keep(derived(f, f.values.any(0)))
