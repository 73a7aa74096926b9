# SPDX-License-Identifier: Apache-2.0
"""Says what to install where a package is missing that only `tain.cpp` needs."""

from __future__ import annotations

__all__ = ["cpp_extra"]

_OF_THE_EXTRA = ("filelock", "platformdirs")


class cpp_extra:  # noqa: N801 - it is used as a function
    """Name the extra of tain in the error of an import: ``with cpp_extra(): import filelock``."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ModuleNotFoundError) and error.name in _OF_THE_EXTRA:
            raise ModuleNotFoundError(
                f"tain.cpp needs the package {error.name!r}, which is not installed: "
                "pip install 'tain[cpp]'",
                name=error.name,
            ) from None
