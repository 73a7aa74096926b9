# SPDX-License-Identifier: Apache-2.0
"""The version of the package apache-tvm-ffi whose names these are."""

__version__ = "0.1.15"
__version_tuple__ = (0, 1, 15)
