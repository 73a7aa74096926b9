# SPDX-License-Identifier: Apache-2.0
"""The global functions ``ffi.*``."""

from .registry import init_ffi_api

init_ffi_api("ffi", __name__)
