# SPDX-License-Identifier: Apache-2.0
"""Kernels for GPUs, loaded without one: each function refuses arguments as its own code does."""

import ctypes
import importlib.util
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import tvm_ffi

package = Path(importlib.util.find_spec("tokenspeed_kernel").submodule_search_locations[0])
libraries = sorted(package.glob("thirdparty/cuda/objs/*/*.so"))

# Libraries of CUDA in which all functions do nothing.
missing, needed = set(), set()
for library in libraries:
    dynamic = subprocess.run(
        ["readelf", "-d", str(library)], check=True, capture_output=True, text=True
    ).stdout
    needed |= set(re.findall(r"\[(lib(?:cu|nv)[^\]]+)\]", dynamic))
    listed = subprocess.run(
        ["nm", "-D", "--undefined-only", str(library)], check=True, capture_output=True, text=True
    ).stdout
    missing |= set(re.findall(r" U (_*cu[A-Za-z]\w*)", listed))
folder = tempfile.TemporaryDirectory()
source = Path(folder.name) / "stub.c"
source.write_text("".join(f"int {name}(void) {{ return 0; }}\n" for name in sorted(missing)))
versions = Path(folder.name) / "versions"
for name in sorted(needed):
    versions.write_text(f"{name} {{ global: *; }};\n")
    made = Path(folder.name) / name
    command = ["cc", "-w", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", str(made), str(source)]
    subprocess.run([*command, f"-Wl,--version-script={versions}"], check=True)
    ctypes.CDLL(str(made), ctypes.RTLD_GLOBAL)

for library in libraries:
    module = tvm_ffi.load_module(str(library))
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True
    ).stdout
    for name in sorted(re.findall(r" T __tvm_ffi_(?!_)(\w+)", listed)):
        function = module[name]
        for arguments in ((), (1,), ("a", None, 2.5), (np.zeros(3, "float32"),) * 4):
            try:
                print(library.stem, name, len(arguments), function(*arguments))
            except Exception as error:
                print(library.stem, name, len(arguments), type(error).__name__, error)
