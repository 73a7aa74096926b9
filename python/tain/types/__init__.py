# SPDX-License-Identifier: Apache-2.0
"""The registered types by their keys: ``geometry.Point`` is ``tain.types.geometry.Point``.

There are no files behind the namespaces; what is registered now is what can be imported now. A
namespace that no loaded library registers is looked for among the installed packages that
announce it (entry points of the group ``tain.types``).
"""

# Nothing else may be named here: each name would hide the namespace of the same name.
from tain.types import _finder

_finder.install(__name__)
