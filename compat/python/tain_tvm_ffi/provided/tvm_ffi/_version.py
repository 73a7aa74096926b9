# SPDX-License-Identifier: Apache-2.0
"""The version of the package apache-tvm-ffi whose names these are."""

from tain_tvm_ffi import STANDS_FOR

__version__ = STANDS_FOR
__version_tuple__ = tuple(int(part) for part in STANDS_FOR.split("."))
