# SPDX-License-Identifier: Apache-2.0
"""The classes of libtain that the package has under their own names."""

from tain import _core

__all__ = [
    "FunctionPass",
    "Mutator",
    "Pass",
    "PassContext",
    "PassInstrument",
    "PassTiming",
    "Sequential",
    "Visitor",
]

FunctionPass = _core.get_class("tain.transform.FunctionPass")
Mutator = _core.get_class("tain.transform.Mutator")
Pass = _core.get_class("tain.transform.Pass")
PassContext = _core.get_class("tain.transform.PassContext")
PassInstrument = _core.get_class("tain.transform.PassInstrument")
PassTiming = _core.get_class("tain.transform.PassTiming")
Sequential = _core.get_class("tain.transform.Sequential")
Visitor = _core.get_class("tain.transform.Visitor")
