// SPDX-License-Identifier: Apache-2.0
// TAIN_FAST_THREAD_LOCAL: a thread-local variable that is reached without a function call.
#pragma once

// For code of tain itself. initial-exec takes from the small reserve of static TLS that the loader
// keeps for libraries opened at run time, so only a few words in a library may be declared this
// way.
#if defined(__ELF__) && (defined(__GNUC__) || defined(__clang__))
#define TAIN_FAST_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))
#else
#define TAIN_FAST_THREAD_LOCAL thread_local
#endif
