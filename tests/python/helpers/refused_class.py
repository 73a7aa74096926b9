# SPDX-License-Identifier: Apache-2.0
"""The beginning of scripts in which a class is refused; a clause `except TypeError` follows it."""

from __future__ import annotations

REFUSED_CLASS = """
        @tain.register_object("testing.Bare")
        class MyBare(tain.Object):
            __slots__ = ()
        try:
            @tain.register_object("testing.Point")
            class Mine(tain.Object):
                pass"""
