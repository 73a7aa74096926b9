# SPDX-License-Identifier: Apache-2.0
"""yaml-cpp in Python; importing this module compiles yaml.cc, once."""

from __future__ import annotations

from pathlib import Path

import tain.cpp

tain.cpp.load(
    name="boxed_yaml",
    sources=[Path(__file__).with_name("yaml.cc")],
    extra_ldflags=["-lyaml-cpp"],
)
tain.init_ffi_api("yaml", __name__)
