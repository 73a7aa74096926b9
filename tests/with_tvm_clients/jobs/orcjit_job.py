# SPDX-License-Identifier: Apache-2.0
"""An object file that is compiled by a C compiler, linked in memory and called."""

import subprocess
import tempfile
from pathlib import Path

import tvm_ffi
import tvm_ffi_orcjit as orcjit

SOURCE = r"""
#include <stdint.h>
typedef struct { int32_t index; uint32_t zero; union { int64_t i; double f; void* p; }; } Value;
void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);
int __tvm_ffi_add(void* self, const Value* args, int n, Value* result) {
  if (n != 2) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add takes two");
    return -1;
  }
  result->index = 1;
  result->i = args[0].i + args[1].i;
  return 0;
}
int __tvm_ffi_half(void* self, const Value* args, int n, Value* result) {
  result->index = 3;
  result->f = args[0].f / 2;
  return 0;
}
"""

with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "job.c"
    source.write_text(SOURCE)
    made = source.with_suffix(".o")
    subprocess.run(["cc", "-c", "-fPIC", "-O2", str(source), "-o", str(made)], check=True)
    session = orcjit.ExecutionSession()
    module = session.load_module(str(made))
    print(isinstance(module, tvm_ffi.Module), module.kind)
    print(module.add(2, 3), module.half(5.0), module["add"](40, 2))
    print(module.implements_function("add"), module.implements_function("sub"))
    try:
        module.add(1)
    except TypeError as error:
        print(error)
    try:
        print(module.sub)
    except AttributeError:
        print("no sub")
    other = session.load_module(made.read_bytes(), name="other")
    module.import_module(other)
    print(len(module.imports), module.imports[0] == other, module.imports[0].half(9.0))
    print(module.get_function("half", True)(3.0))
