// SPDX-License-Identifier: Apache-2.0
// Wrong use: a parameter after tain::Args.
// expect: tain::Args takes all further arguments: it is the last parameter, or the one before
// tain::Kwargs
#include "tain/reflection/global_def.h"

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.rest",
                                    [](tain::Args args, int x) { return args.size() + x; });
}
