// SPDX-License-Identifier: Apache-2.0
// The former name of three headers. Includes only.
#pragma once

#include "tain/internal/type_builder.h"
#include "tain/reflection/arg.h"
#include "tain/reflection/register.h"
