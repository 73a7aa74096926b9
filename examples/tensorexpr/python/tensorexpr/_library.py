# SPDX-License-Identifier: Apache-2.0
"""Loads the library of the package; imported before `tain.types.tensorexpr` is."""

from __future__ import annotations

from typing import Any

import tain

tain.init_ffi_api("tensorexpr", "tensorexpr", library="tensorexpr")


@tain.register_object("tensorexpr.tir.Range")
class Range(tain.Object):
    """The integers from `begin` up to `end`, without it; with one argument, from 0 on."""

    def __init__(self, begin: Any, end: Any = None) -> None:
        if end is None:
            begin, end = 0, begin
        self.__init_handle_by_constructor__(Range._between, begin, end)
