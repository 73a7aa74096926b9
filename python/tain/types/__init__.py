# SPDX-License-Identifier: Apache-2.0
"""The package of all that is registered: ``geometry.Point`` is ``tain.types.geometry.Point``.

The namespaces are modules without files. A type or a function can be imported as soon as it is
registered. If no loaded library registers a namespace, the installed packages that announce it by
an entry point of the group ``tain.types`` are imported.
"""

# This module must define no other names: each would hide the namespace of the same name.
from tain.types import _finder

_finder.install(__name__)
