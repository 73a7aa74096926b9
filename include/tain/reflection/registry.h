// SPDX-License-Identifier: Apache-2.0
// The former name of tain/reflection/global_def.h. Includes only.
#pragma once

#include "tain/reflection/global_def.h"
