// SPDX-License-Identifier: Apache-2.0
// Wrong use: keep_alive names an argument that is a number, which is copied.
// expect: keep_alive<N, P>: N and P are the numbers of two objects: 0 the result, or what a
// constructor makes, 1 and later the arguments, for a method the object is 1; numbers and texts
// are copied
#include "tain/ref.h"
#include "tain/reflection/global_def.h"

static tain::Object* Same(tain::Object* object, int) { return object; }

TAIN_REGISTER { tain::reflection::GlobalDef().def("wrong.same", &Same, tain::keep_alive<0, 2>()); }
