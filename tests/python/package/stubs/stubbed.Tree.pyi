# Written by `python -m tain stubgen`; do not edit.
# A C++ class may change what it inherits, and overloads may overlap.
# mypy: disable-error-code="override, assignment, misc, overload-overlap, overload-cannot-match, mutable-override"
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# pyright: reportOverlappingOverload=false, reportInconsistentOverload=false

import tain
import tain.types.stubbed

__all__ = ['Leaf']

class Leaf(tain.Object):
    __match_args__ = ()
    tree: tain.types.stubbed.Tree | None
    def __init__(self) -> None: ...
