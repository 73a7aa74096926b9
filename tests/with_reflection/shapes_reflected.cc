// SPDX-License-Identifier: Apache-2.0
// The types of shapes.h, which the compiler lists.
#include <tain/reflection/auto.h>

#include "shapes.h"

TAIN_REFLECT(shapes)
