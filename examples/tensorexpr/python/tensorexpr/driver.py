# SPDX-License-Identifier: Apache-2.0
"""From programs to machine code."""

from __future__ import annotations

import hashlib
from typing import Any

from tain.types.tensorexpr import IRModule, _c_source
from tain.types.tensorexpr.te import Schedule, _lower_schedule
from tain.types.tensorexpr.tir import PrimFunc

import tain
import tain.cpp
from tain import transform

_PASSES = transform.Sequential(
    [
        transform.get_pass(f"tensorexpr.{name}")
        for name in (
            "Verify",
            "LowerBlocks",
            "InlineLets",
            "Simplify",
            "CheckBounds",
            "ReuseMemory",
            "Unroll",
            "Vectorize",
            "Simplify",
            "ShareSubexpressions",
        )
    ],
    name="tensorexpr.lower",
)
_TARGETS = ("c", "llvm")
_CFLAGS = ["-O3", "-march=native", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-fopenmp"]


def lower(
    inputs: Any, args: Any = None, name: str = "main", binds: Any = None, simple_mode: bool = False
) -> IRModule:
    """Return a module of loops that are ready for code: of a schedule, a program or a module."""
    if isinstance(inputs, IRModule):
        functions = dict(inputs.functions)
    elif isinstance(inputs, PrimFunc):
        functions = {name: inputs}
    elif isinstance(inputs, Schedule):
        if args is None:
            raise ValueError("lower: a schedule needs the arguments, as in lower(s, [A, B, C])")
        functions = {name: _lower_schedule(inputs, list(args))}
    else:
        raise TypeError(
            f"lower: expected a schedule, a PrimFunc or an IRModule, got {type(inputs).__name__}"
        )
    return _PASSES(IRModule(functions))


def _target(target: Any) -> str:
    kind = str(target).split()[0] if str(target) else ""
    if kind not in _TARGETS:
        raise ValueError(f"build: the target {str(target)!r} is not made here; use 'c' (or 'llvm')")
    return "c"


def _c_text(source: str) -> str:
    """Return a function of the library that returns its source."""
    lines = "\n".join(
        '  "' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'
        for line in source.split("\n")
    )
    return f"""
static const char te_source[] =
{lines};
TAIN_DLL_EXPORT int __tvm_ffi__source(void* self, const TainAny* args, int32_t num_args,
                                      TainAny* result) {{
  (void)self, (void)args, (void)num_args;
  const TainByteArray text = {{te_source, sizeof(te_source) - 1}};
  return TainStringFromByteArray(&text, result);
}}
"""


def build(
    inputs: Any,
    args: Any = None,
    target: Any = "c",
    target_host: Any = None,
    name: str = "main",
    binds: Any = None,
) -> tain.Module:
    """Return a module of machine code of a schedule, a program or a module."""
    if not isinstance(target, str) and hasattr(args, "startswith"):
        args, target = None, args
    if isinstance(args, str):
        args, target = None, args
    _target(target)
    module = lower(inputs, args, name=name)
    source = _c_source(module)
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    path = tain.cpp.build_inline(
        f"tensorexpr_{digest}",
        c_sources=source + _c_text(source),
        extra_cflags=_CFLAGS,
        extra_ldflags=["-fopenmp", "-lm"],
    )
    return tain.load_module(path)
