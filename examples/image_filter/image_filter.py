# SPDX-License-Identifier: Apache-2.0
"""The functions of filters.cc; importing this module compiles them, once."""

from __future__ import annotations

from pathlib import Path

import tain.cpp

_module = tain.cpp.load(
    name="image_filter",
    sources=[Path(__file__).with_name("filters.cc")],
    extra_cflags=["-O3"],
)
box_blur = _module.box_blur
sobel = _module.sobel
histogram = _module.histogram
