# SPDX-License-Identifier: Apache-2.0
"""The classes of libtain that the package has under their own names."""

from tain import _core

_NAMES = (
    *("FunctionPass", "Mutator", "Pass", "PassContext", "PassInstrument", "PassTiming"),
    *("Sequential", "Visitor"),
)
__all__ = [*_NAMES]
globals().update({name: _core.get_class(f"tain.transform.{name}") for name in _NAMES})
