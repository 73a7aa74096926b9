# SPDX-License-Identifier: Apache-2.0
"""Data types by their names."""

from tain import dtype

_NAMES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "bfloat16", "float8_e3m4", "float8_e4m3"),
    *("float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    *("float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"),
)
globals().update({name: dtype(name) for name in _NAMES})
float4_e2m1fnx2 = dtype("float4_e2m1fn").with_lanes(2)

__all__ = ["dtype", "float4_e2m1fnx2", *_NAMES]
