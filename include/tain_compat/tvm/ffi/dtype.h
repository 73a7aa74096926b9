// SPDX-License-Identifier: Apache-2.0
// The data type of DLPack, which has no class of its own in tain.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/convert.h"
