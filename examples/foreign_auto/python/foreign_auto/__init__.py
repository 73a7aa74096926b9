# SPDX-License-Identifier: Apache-2.0
"""Addresses and networks of Asio, a C++ library that knows nothing of Python."""

import tain

tain.init_ffi_api("asio.ip", __name__, library="foreign_auto")
