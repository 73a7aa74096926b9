// SPDX-License-Identifier: Apache-2.0
// Clocks the registrations of a library: compiled beside it and linked last. Constructors with a
// priority run before all others, and those of the last file after all others, whether they are
// static initializers, as in tain, or constructor functions, as in apache-tvm-ffi.
#include <chrono>

namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point start;
double spent;

__attribute__((constructor(101))) void Start() { start = Clock::now(); }
__attribute__((constructor)) void Stop() {
  spent = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) double spent_us() { return spent; }
