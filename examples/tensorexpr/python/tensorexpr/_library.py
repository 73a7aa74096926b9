# SPDX-License-Identifier: Apache-2.0
"""Loads the library of the package; imported before `tain.types.tensorexpr` is."""

import tain

tain.init_ffi_api("tensorexpr", "tensorexpr", library="tensorexpr")
