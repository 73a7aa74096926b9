// SPDX-License-Identifier: Apache-2.0
// What <dlpack/dlpack.h> of tain_compat includes: tain's declarations of DLPack, and its version.
//
// A DLPack of the user's that comes earlier on the path is included instead of them.
#pragma once

#include "tain/dlpack_types.h"

// Not while tain/dlpack_types.h includes this file: it takes a version for a DLPack of the user's.
#if defined(TAIN_DLPACK_DECLARED) && !defined(DLPACK_MAJOR_VERSION)
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 1
#endif
