# SPDX-License-Identifier: Apache-2.0
"""Running calls in threads of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable


def in_threads(calls: Iterable[Callable[[], object]]) -> None:
    """Start a thread for each call, wait for all of them, and raise what the first one raised."""
    errors: list[BaseException] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
