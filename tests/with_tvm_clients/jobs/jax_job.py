# SPDX-License-Identifier: Apache-2.0
"""Functions of compiled modules and of Python, called by JAX under jit."""

import jax
import jax.numpy as jnp
import jax_tvm_ffi
import numpy as np
import tvm_ffi

jax.config.update("jax_platforms", "cpu")


def call(name, shape, *arguments, **attributes):
    """Call a registered target under jit, and show what comes back."""
    target = jax.ffi.ffi_call(name, jax.ShapeDtypeStruct(shape, jnp.float32))
    return np.asarray(jax.jit(lambda *given: target(*given, **attributes))(*arguments)).tolist()


def add_one(x, y):
    """Write x + 1 to y."""
    np.from_dlpack(y)[:] = np.from_dlpack(x) + 1


def scale(factor, x, y):
    """Write factor * x to y."""
    np.from_dlpack(y)[:] = np.from_dlpack(x) * factor


def fail(x, y):
    """Raise."""
    raise ValueError("no, not this one")


jax_tvm_ffi.register_ffi_target(
    "job.add_one", tvm_ffi.convert(add_one), platform="cpu", pass_owned_tensor=True
)
jax_tvm_ffi.register_ffi_target(
    "job.scale",
    tvm_ffi.convert(scale),
    ["attrs.factor", "args", "rets"],
    platform="cpu",
    pass_owned_tensor=True,
)
jax_tvm_ffi.register_ffi_target("job.fail", tvm_ffi.convert(fail), platform="cpu")
x = jnp.arange(6, dtype=jnp.float32)
print(call("job.add_one", (6,), x))
print(call("job.scale", (6,), x, factor=np.float32(2.5)))
try:
    call("job.fail", (6,), x)
except Exception as error:
    print(type(error).__name__, "no, not this one" in str(error))
