// SPDX-License-Identifier: Apache-2.0
// The exception class of the ecosystem's C++ headers, declared so that its objects can be caught and
// thrown: the C++ runtime tells exception classes by their names.
#pragma once

#include <exception>
#include <utility>

#include "tain/c_api.h"
#include "tain/error.h"

namespace tvm::ffi {

/// A reference to an object: one pointer.
class ObjectRef {
 public:
  tain::ObjectRef object;
};

/// What functions that are compiled with those headers throw.
class TAIN_DLL_EXPORT Error : public ObjectRef, public std::exception {
 public:
  explicit Error(const tain::Error& error) : ObjectRef{error} {}
  const char* what() const noexcept override {
    // The message ends with a NUL that is not counted.
    const auto* header = tain::internal::RefAccess::Header(object);
    return reinterpret_cast<const TainErrorCell*>(header + 1)->message.data;
  }
};
static_assert(sizeof(Error) == 16);

}  // namespace tvm::ffi

namespace tain::compat {

/// Returns tain's error for one of the ecosystem: the same object.
inline Error FromTheirs(const tvm::ffi::Error& error) {
  TainErrorSetRaised(internal::RefAccess::Header(error.object));
  return Error::MoveFromRaised();
}

/// Runs code of another library; what it throws comes out as an exception of tain.
template <class F>
auto CallTheirs(F&& run) {
  try {
    return run();
  } catch (const tvm::ffi::Error& error) {
    throw FromTheirs(error);
  }
}

/// Runs code that another library called through C++; what it throws is an exception of that library.
template <class F>
auto ForTheirs(F&& run) {
  try {
    return run();
  } catch (const Error& error) {
    throw tvm::ffi::Error(error);
  } catch (const tvm::ffi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw tvm::ffi::Error(Error("RuntimeError", error.what()));
  }
}

/// The body of a C function: what `run` throws becomes the thread's raised error.
template <class F>
int Guard(F&& run) noexcept {
  try {
    run();
    return 0;
  } catch (const tvm::ffi::Error& error) {
    TainErrorSetRaised(internal::RefAccess::Header(error.object));
  } catch (const Error& error) {
    TainErrorSetRaised(internal::RefAccess::Header(error));
  } catch (const std::bad_alloc&) {
    TainErrorSetRaisedFromCStr("MemoryError", "out of memory");
  } catch (const std::exception& error) {
    TainErrorSetRaisedFromCStr("RuntimeError", error.what());
  } catch (...) {
    TainErrorSetRaisedFromCStr("RuntimeError", "a C++ exception of an unknown class");
  }
  return -1;
}

}  // namespace tain::compat
