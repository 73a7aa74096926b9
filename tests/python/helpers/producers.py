# SPDX-License-Identifier: Apache-2.0
"""Arrays that are known by `__dlpack__` only, and broken ones."""

from __future__ import annotations

from typing import Any


class Wrapped:
    """An array that is known by its `__dlpack__` only."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self.array.__dlpack_device__()
        return device

    def __dlpack__(self, **keywords: Any) -> Any:
        self.asked.append(keywords)
        return self.array.__dlpack__(**keywords)


class Producer:
    """Returns or raises something in `__dlpack__`."""

    def __init__(self, result: Any, device: Any = (1, 0)) -> None:
        self.result = result
        self.device = device

    def __dlpack_device__(self) -> Any:
        return self.device

    def __dlpack__(self, **_: Any) -> Any:
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result
