# SPDX-License-Identifier: Apache-2.0
"""Types defined in Python: `py_class` and `field`.

The fields of such a type are stored in a C++ object, and their annotations determine their memory.
The factory that makes the classes of C++ types makes the class.
"""
