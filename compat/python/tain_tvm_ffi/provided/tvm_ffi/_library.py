# SPDX-License-Identifier: Apache-2.0
"""The library with the C functions, which brings the global functions ``ffi.*``."""

import tain_tvm_ffi

LIB = tain_tvm_ffi.load()
