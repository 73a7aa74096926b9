# SPDX-License-Identifier: Apache-2.0
"""Random expressions and random schedules, compared with numpy.

Each case has a number, and what it does follows from that and from a seed. The environment variable
``TENSOREXPR_CASES`` is the number of cases of each kind, ``TENSOREXPR_SEED`` the seed. A failure
prints the command that runs its case alone.

Cases run in processes of their own with limits of time and memory, since wrong code may do
anything. Arrays lie between guards. In every other batch the code is compiled so that it stops
where it reads or writes outside of a local array (``-fsanitize=undefined``).
"""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from random_cases import BATCH, CASES, problems_of, run_batch
from random_expressions import expression_case
from random_schedules import schedule_case

MAKERS = {"expressions": expression_case, "schedules": schedule_case}


@pytest.mark.parametrize("batch", range(math.ceil(CASES / BATCH)))
@pytest.mark.parametrize("kind", ["expressions", "schedules"])
def test_random(kind: str, batch: int) -> None:
    first = batch * BATCH
    problems = problems_of(kind, first, min(BATCH, CASES - first), traps=batch % 2 == 1)
    assert not problems, f"\n{len(problems)} failures\n" + "\n\n".join(problems)


if __name__ == "__main__":
    np.seterr(all="ignore")
    if sys.argv[1] == "describe":
        print(MAKERS[sys.argv[2]](int(sys.argv[3])).text)
    else:
        run_batch(MAKERS[sys.argv[1]], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "1")
