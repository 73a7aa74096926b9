// SPDX-License-Identifier: Apache-2.0
// The version number of tain and, separately, the version of the binary contract.
//
// TAIN_VERSION feeds pyproject.toml, the CMake package version, the SOVERSION of libtain and
// `tain.__version__`; all of them read this file. TAIN_ABI_VERSION_* is compiled into every
// extension and compared when the extension is loaded. A different major number is refused, because
// layouts or exported functions that compiled libraries rely on have changed; a higher minor number
// only adds to them. The file has no includes, so that build scripts and C can read it.
#pragma once

#define TAIN_VERSION_MAJOR 0
#define TAIN_VERSION_MINOR 2
#define TAIN_VERSION_PATCH 0
#define TAIN_VERSION "0.2.0"

#define TAIN_ABI_VERSION_MAJOR 2
#define TAIN_ABI_VERSION_MINOR 0
