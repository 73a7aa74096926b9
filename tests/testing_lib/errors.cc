// SPDX-License-Identifier: Apache-2.0
// Functions that throw: every kind of standard exception, tain's own, and things that are none.
#include <any>
#include <exception>
#include <filesystem>
#include <functional>
#include <ios>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>

#include "tain/reflection/global_def.h"
#include "tain/stl.h"

namespace tain_testing {
namespace {

struct OddException : std::exception {
  const char* what() const noexcept override { return "an odd exception"; }
};

void ThrowLogic(const std::string& kind, const std::string& message) {
  if (kind == "logic_error") throw std::logic_error(message);
  if (kind == "invalid_argument") throw std::invalid_argument(message);
  if (kind == "domain_error") throw std::domain_error(message);
  if (kind == "length_error") throw std::length_error(message);
  if (kind == "out_of_range") throw std::out_of_range(message);
}

void ThrowRuntime(const std::string& kind, const std::string& message) {
  if (kind == "runtime_error") throw std::runtime_error(message);
  if (kind == "range_error") throw std::range_error(message);
  if (kind == "overflow_error") throw std::overflow_error(message);
  if (kind == "underflow_error") throw std::underflow_error(message);
  if (kind == "system_error") {
    throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory), message);
  }
  if (kind == "system_errno") throw std::system_error(11, std::system_category(), message);
  if (kind == "system_unknown") throw std::system_error(9999, std::system_category(), message);
  if (kind == "stream_failure") throw std::ios_base::failure(message);
}

/// Errors of files; `message` is a path.
void ThrowOfFiles(const std::string& kind, const std::filesystem::path& path) {
  using std::filesystem::filesystem_error;
  const std::error_code missing = std::make_error_code(std::errc::no_such_file_or_directory);
  const std::error_code denied(13, std::system_category());
  if (kind == "filesystem") throw filesystem_error("open", missing);
  if (kind == "filesystem_path") throw filesystem_error("open", path, missing);
  if (kind == "filesystem_paths") throw filesystem_error("copy", path, path / "b", denied);
  if (kind == "filesystem_other") {
    throw filesystem_error("read", path, std::make_error_code(std::io_errc::stream));
  }
}

/// Throws the standard exception of a name; those that carry no message ignore it.
void ThrowStd(const std::string& kind, const std::string& message) {
  ThrowLogic(kind, message);
  ThrowRuntime(kind, message);
  if (kind == "bad_alloc") throw std::bad_alloc();
  if (kind == "bad_cast") throw std::bad_cast();
  if (kind == "bad_any_cast") throw std::bad_any_cast();
  if (kind == "bad_function_call") throw std::bad_function_call();
  if (kind == "bad_optional_access") throw std::bad_optional_access();
  if (kind == "exception") throw OddException();
  TAIN_THROW(ValueError) << "no exception is called " << kind;
}

/// Throws something that is no exception.
void ThrowOdd(const std::string& kind) {
  if (kind == "int") throw 42;
  if (kind == "text") throw "a text";
  throw std::string("a string");
}

void CheckPositive(int64_t x) { TAIN_CHECK_GT(x, 0) << "x must be positive"; }

/// Refuses depths for which the C stack may not do.
void CheckDepth(int64_t depth) {
  constexpr int64_t kMost = 200;
  if (depth > kMost) {
    TAIN_THROW(ValueError) << "expected a depth of at most " << kMost << ", got " << depth;
  }
}

/// Throws from a depth of calls; a negative depth does not.
int64_t Deep(int64_t depth) {
  CheckDepth(depth);
  if (depth < 0) return 0;
  if (depth == 0) TAIN_THROW(RuntimeError) << "at the bottom";
  return Deep(depth - 1) + 1;
}

/// Whether calling f raised, and what.
std::string Caught(const tain::Function& f) {
  try {
    f();
  } catch (const tain::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

/// Returns the backtrace of what f() throws.
std::string BacktraceOf(const tain::Function& f) {
  try {
    f();
  } catch (const tain::Error& error) {
    return error.backtrace();
  }
  return "";
}

/// Catches what f() throws and goes on in one of several ways.
void Pass(const tain::Function& f, const std::string& how) {
  try {
    f();
  } catch (const tain::Error& error) {
    if (how == "rethrow") throw;
    if (how == "copy") throw tain::Error(error);  // NOLINT: what careless code does
    if (how == "wrap") TAIN_THROW(RuntimeError) << "wrapped: " << error.what();
    if (how == "construct") throw tain::Error("KeyError", error.what());
    if (how == "nested") std::throw_with_nested(std::runtime_error("outer"));
    if (how == "later") {
      const tain::Error kept = error;
      throw kept;
    }
  } catch (const std::exception&) {
    throw;
  }
}

/// An error that states its cause.
void Nest(int64_t depth) {
  CheckDepth(depth);
  try {
    if (depth <= 0) throw std::invalid_argument("innermost");
    Nest(depth - 1);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
  }
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def("testing.throw_std", ThrowStd, arg("kind"), arg("message") = "a message",
           tain::thread_safe())
      .def("testing.throw_of_files", ThrowOfFiles, arg("kind"), arg("path") = "/x",
           tain::thread_safe())
      .def("testing.throw_odd", ThrowOdd, arg("kind") = "int", tain::thread_safe())
      .def("testing.check_positive", CheckPositive, arg("x"), tain::thread_safe())
      .def("testing.throw_deep", Deep, arg("depth"), tain::thread_safe())
      .def("testing.caught", Caught, arg("f"), "Calls f() and returns `kind: message`.")
      .def("testing.pass_error", Pass, arg("f"), arg("how"), "Calls f() and throws again.")
      .def(
          "testing.thrower",
          [] { return tain::Function([]() { throw std::runtime_error("of a closure"); }); },
          "Returns a function without a name, which throws.")
      .def("testing.backtrace_of", BacktraceOf, arg("f"))
      .def("testing.throw_nested", Nest, arg("depth"), tain::thread_safe())
      .def(
          "testing.fail_check", [] { TAIN_CHECK(1 + 1 == 3) << "arithmetic"; }, tain::thread_safe())
      .def(
          "testing.fail_internal", [] { TAIN_ICHECK(false) << "of the library"; },
          tain::thread_safe());
}

}  // namespace tain_testing
