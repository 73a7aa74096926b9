// SPDX-License-Identifier: Apache-2.0
// Registers the types for Python.
#include "sketch.h"

TAIN_REGISTER {
  // Not tain::thread_safe(): other extension modules read the coordinates without a lock of tain's.
  tain::reflection::ObjectDef<sketch::PointObj>("A point of a sketch.")
      .def_rw("x", &sketch::PointObj::x)
      .def_rw("y", &sketch::PointObj::y)
      .def_init<double, double>(tain::arg("x"), tain::arg("y"));
}
