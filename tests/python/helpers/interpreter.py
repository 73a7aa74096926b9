# SPDX-License-Identifier: Apache-2.0
"""What tests ask about the interpreter that runs them."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig

import pytest

# configured with --with-pydebug: assertions of CPython's own are checked
DEBUG = hasattr(sys, "gettotalrefcount")
# configured with --disable-gil: importing tain switches the GIL on
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

# some distributions install CPython without the modules of its own tests
needs_testcapi = pytest.mark.only_if(
    importlib.util.find_spec("_testcapi") is not None, reason="the interpreter has no _testcapi"
)
