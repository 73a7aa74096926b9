// SPDX-License-Identifier: Apache-2.0
// Wrong use: keep_alive names an argument that the method does not have.
// expect: keep_alive<N, P>: N and P are the numbers of two objects: 0 the result, or what a
// constructor makes, 1 and later the arguments, for a method the object is 1; numbers and texts
// are copied
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  void Follow(const PointObj&) {}
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<PointObj>().def("follow", &PointObj::Follow,
                                              tain::keep_alive<1, 3>());
}
