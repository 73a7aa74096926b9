# SPDX-License-Identifier: Apache-2.0
"""Points, polygons and functions of them, all written in C++."""

import tain

tain.init_ffi_api("geometry", __name__, library="geometry")
