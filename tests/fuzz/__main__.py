# SPDX-License-Identifier: Apache-2.0
"""Random hostile use of everything that tain offers, until the time is over.

    python tests/fuzz --seconds 120 --seed 1      # workers of seeds 1, 2, 3 ...
    python tests/fuzz --only-seed 17              # one worker again
    python tests/fuzz --threads 4                 # each worker acts in four threads at once

Exit status 1 and the last actions of each worker that crashed, hung or broke a rule of CPython.
Under AddressSanitizer: `tools/stages.sh` has the environment (`sanitized_env`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from supervisor import PATIENCE, run_many, run_worker


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first worker (default 1)")
    parser.add_argument("--seconds", type=float, default=60, help="in all (default 60)")
    parser.add_argument("--each", type=float, default=6, help="seconds of one worker (default 6)")
    parser.add_argument("--only-seed", type=int, help="run this one worker, and show its end")
    parser.add_argument("--only-action", default="", help="with --only-seed: this action only")
    parser.add_argument("--threads", type=int, default=1, help="of each worker (default 1)")
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        help=f"seconds after its time after which a worker hangs (default {PATIENCE:g})",
    )
    given = parser.parse_args()
    how = {"threads": given.threads, "patience": given.patience}
    if given.only_seed is not None:
        folder = Path(tempfile.mkdtemp(prefix="tain-fuzz-"))
        outcomes = [run_worker(given.only_seed, given.each, folder, given.only_action, **how)]
        print(outcomes[0].describe())
    else:
        outcomes = run_many(given.seed, given.seconds, given.each, **how)
    bad = [one.seed for one in outcomes if not one.is_good]
    actions = sum(one.actions for one in outcomes)
    memory = sum(one.is_out_of_memory for one in outcomes)
    imports = sum(one.waits_for_import for one in outcomes)
    print(
        f"{len(outcomes)} workers, {actions} actions, {memory} without memory, "
        f"{imports} stuck in an import, "
        f"{len(bad)} failed: seeds {bad}"
    )
    return 1 if bad or not actions else 0


if __name__ == "__main__":
    sys.exit(main())
