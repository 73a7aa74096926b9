// SPDX-License-Identifier: Apache-2.0
// TAIN_FAST_THREAD_LOCAL: a thread-local variable that is reached without a function call.
#pragma once

// For code of tain itself. The initial-exec model uses static TLS, of which the loader reserves
// only little for libraries opened at run time, so a library may declare only a few words this way.
#if defined(__ELF__) && (defined(__GNUC__) || defined(__clang__))
#define TAIN_FAST_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))
#else
#define TAIN_FAST_THREAD_LOCAL thread_local
#endif
