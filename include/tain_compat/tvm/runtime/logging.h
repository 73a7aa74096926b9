// SPDX-License-Identifier: Apache-2.0
// The checks, under the names of tvm.
#pragma once

#include "tvm/tain_compat.h"

#include "tvm/ffi/error.h"

TAIN_INTERNAL_COMPAT(Error)

#define CHECK TAIN_CHECK
#define CHECK_EQ TAIN_CHECK_EQ
#define CHECK_NE TAIN_CHECK_NE
#define CHECK_LT TAIN_CHECK_LT
#define CHECK_LE TAIN_CHECK_LE
#define CHECK_GT TAIN_CHECK_GT
#define CHECK_GE TAIN_CHECK_GE
#define ICHECK TAIN_ICHECK
#define ICHECK_EQ TAIN_ICHECK_EQ
#define ICHECK_NE TAIN_ICHECK_NE
#define ICHECK_LT TAIN_ICHECK_LT
#define ICHECK_LE TAIN_ICHECK_LE
#define ICHECK_GT TAIN_ICHECK_GT
#define ICHECK_GE TAIN_ICHECK_GE
