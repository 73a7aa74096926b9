# Written by `python -m tain stubgen`; do not edit.
# A C++ class may change what it inherits, and overloads may overlap.
# mypy: disable-error-code="override, assignment, misc, overload-overlap, overload-cannot-match, mutable-override"
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# pyright: reportOverlappingOverload=false, reportInconsistentOverload=false

import tain.types.stubbed
Leaf = tain.types.stubbed.Tree.Leaf

__all__ = ['Leaf']
