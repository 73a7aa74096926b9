// SPDX-License-Identifier: Apache-2.0
// The header that all others of this folder include first.
//
// The headers of this folder give names of tain to code that was written for the headers of Apache
// TVM and apache-tvm-ffi. They contain no code of their own. A file includes either these headers
// or the original ones.
#pragma once

// The include guards of the original headers that all others of their kind include.
#if defined(TVM_FFI_C_API_H_) || defined(TVM_RUNTIME_C_RUNTIME_API_H_)
#error headers of apache-tvm-ffi come before those of tain_compat: one file can include only one kind
#include <stops here, see the line above>
#endif

#include "tain/base.h"

// Apache TVM has its names in two namespaces: `using` in one of them and in the other.
#define TAIN_INTERNAL_COMPAT(name) \
  namespace tvm::runtime {         \
  using ::tain::name;              \
  }                                \
  namespace tvm {                  \
  using ::tain::name;              \
  }
