# SPDX-License-Identifier: Apache-2.0
"""The text from which a library was generated."""

from __future__ import annotations

import pytest

import tain
import tain.cpp


def test_a_library_tells_its_source() -> None:
    """A function `__tvm_ffi__source` returns the text; it is none of the module's functions."""
    source = """
        #include <tain/c_api.h>
        #define F(name) TAIN_DLL_EXPORT int name(void* s, const TainAny* a, int32_t n, TainAny* r)
        F(__tvm_ffi__source) {
          const TainByteArray text = {"int x;", 6};
          (void)s, (void)a, (void)n;
          return TainStringFromByteArray(&text, r);
        }
        F(__tvm_ffi_zero) {
          (void)s, (void)a, (void)n;
          r->type_index = kTainInt;
          r->v_int64 = 0;
          return 0;
        }
    """
    module = tain.load_module(tain.cpp.build_inline("tells_source", c_sources=source))
    assert module.get_source() == module.inspect_source("c") == "int x;"
    assert list(module.get_function_list()) == ["zero"]
    module.close()
    with pytest.raises(ValueError, match="the module is closed"):
        module.get_source()
