// SPDX-License-Identifier: Apache-2.0
// tain's own half of the binary contract. Includes only.
#pragma once

#include "tain/c_api_host.h"
#include "tain/c_api_registry.h"
