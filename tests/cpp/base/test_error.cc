// SPDX-License-Identifier: Apache-2.0
// Error: throwing, checks, backtraces, the raised error, std exceptions.
#include "tain/error.h"

#include <any>
#include <filesystem>
#include <ios>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "helpers/value_helpers.h"
#include "tain/function.h"

using namespace tain;
using namespace tain_test;

namespace {

/// `Kind: message` of what TainErrorSetFromException makes of an exception.
template <class T>
std::string Translated(const T& exception) {
  try {
    throw exception;
  } catch (...) {
    CHECK(TainErrorSetFromException() == -1);
  }
  return TakeError();
}

struct Odd {};

void Fail(int n) { TAIN_THROW(KeyError) << "no " << n; }

}  // namespace

TEST_CASE("an Error has kind, message and the place of the throw") {
  const NothingLeft check;
  try {
    Fail(3);
    FAIL("nothing thrown");
  } catch (const Error& error) {
    CHECK(error.kind() == "KeyError");
    CHECK(error.message() == "no 3");
    CHECK(std::string(error.what()) == "no 3");
    CHECK(error.backtrace().find("test_error.cc\", line ") != std::string::npos);
    CHECK(error.backtrace().find(", in {anonymous}::Fail\n") +
              error.backtrace().find(", in (anonymous namespace)::Fail\n") !=
          2 * std::string::npos);
    CHECK(!error.cause().has_value());
  }
}

TEST_CASE("messages take anything that can be written") {
  CHECK(ThrownBy([] {
          TAIN_THROW(ValueError) << 1 << ' ' << 2.5 << ' ' << true << ' ' << "x" << ' '
                                 << std::string("y") << ' ' << String("z") << ' ' << 7u << ' '
                                 << -8ll << ' ' << size_t{9} << ' ' << std::string_view("w") << ' '
                                 << 'c' << ' ' << static_cast<const char*>(nullptr);
        }) == "ValueError: 1 2.5 true x y z 7 -8 9 w c (null)");
  // Without <ostream>, which only types of one's own need.
  const int* const null = nullptr;
  CHECK(ThrownBy([&] {
          TAIN_THROW(ValueError) << short{-1} << ' ' << static_cast<unsigned short>(65535) << ' '
                                 << 0.25F << ' ' << 1e300L << ' ' << static_cast<unsigned char>('c')
                                 << ' ' << null << ' ' << ~0ULL << ' ' << -5L;
        }) == "ValueError: -1 65535 0.25 1e+300 c 0 18446744073709551615 -5");
  CHECK(ThrownBy([] { TAIN_THROW(MyOwnError); }) == "MyOwnError: ");
}

TEST_CASE("checks print their operands") {
  const int a = 1, b = 2;
  CHECK(ThrownBy([&] { TAIN_CHECK_EQ(a, b) << "really"; }) ==
        "ValueError: Check failed: a == b (1 vs. 2) really");
  CHECK(ThrownBy([&] { TAIN_CHECK(a > b) << "no"; }) ==
        "ValueError: Check failed: (a > b) is false: no");
  CHECK(ThrownBy([&] { TAIN_ICHECK_LT(b, a); }) == "InternalError: Check failed: b < a (2 vs. 1) ");
  CHECK(ThrownBy([&] {
          TAIN_CHECK_NE(a, b);
          TAIN_ICHECK(true);
        }) == "");
}

TEST_CASE("a backtrace is kept most recent call first and shown last") {
  const NothingLeft check;
  const Error error("ValueError", "m",
                    "  File \"a\", line 1, in f\n  File \"b\", line 2, in g\n    x = 1");
  CHECK(error.backtrace() == "  File \"a\", line 1, in f\n  File \"b\", line 2, in g\n    x = 1\n");
  TainObject* header = internal::RefAccess::Header(error);
  auto* cell = reinterpret_cast<TainErrorCell*>(header + 1);
  CHECK(Str(cell->backtrace) ==
        "  File \"b\", line 2, in g\n    x = 1\n  File \"a\", line 1, in f\n");
  const TainByteArray caller = Text("  File \"c\", line 3, in h\n");
  REQUIRE(bool(cell->update_backtrace != nullptr));
  cell->update_backtrace(header, &caller, kTainBacktraceAppend);
  CHECK(error.backtrace().find("  File \"c\"") == 0);
  cell->update_backtrace(header, &caller, kTainBacktraceReplace);
  CHECK(error.backtrace() == "  File \"c\", line 3, in h\n");
  cell->update_backtrace(header, nullptr, kTainBacktraceReplace);
  cell->update_backtrace(nullptr, &caller, kTainBacktraceReplace);
}

TEST_CASE("std exceptions become the kinds that Python knows") {
  const NothingLeft check;
  CHECK(Translated(std::out_of_range("m")) == "IndexError: m");
  CHECK(Translated(std::invalid_argument("m")) == "ValueError: m");
  CHECK(Translated(std::domain_error("m")) == "ValueError: m");
  CHECK(Translated(std::length_error("m")) == "ValueError: m");
  CHECK(Translated(std::overflow_error("m")) == "OverflowError: m");
  CHECK(Translated(std::range_error("m")) == "OverflowError: m");
  CHECK(Translated(std::bad_alloc()) == "MemoryError: out of memory");
  CHECK(Translated(std::bad_cast()) == "TypeError: std::bad_cast");
  CHECK(Translated(std::bad_any_cast()).substr(0, 11) == "TypeError: ");
  CHECK(Translated(std::runtime_error("m")) == "RuntimeError: m");
  CHECK(Translated(std::logic_error("m")) == "RuntimeError: m");
  CHECK(Translated(42) == "RuntimeError: C++ exception of type int");
  CHECK(Translated(Odd()).find("RuntimeError: C++ exception of type ") == 0);
  CHECK(Translated(std::filesystem::filesystem_error(
            "open", "/nope", std::make_error_code(std::errc::no_such_file_or_directory))) ==
        "OSError: [Errno 2] No such file or directory: '/nope'");
  CHECK(Translated(std::filesystem::filesystem_error(
            "copy", "it's", "b", std::make_error_code(std::errc::permission_denied))) ==
        "OSError: [Errno 13] Permission denied: \"it's\" -> 'b'");
  CHECK(Translated(std::system_error(2, std::system_category(), "m")) ==
        "OSError: [Errno 2] m: No such file or directory");
  CHECK(Translated(std::system_error(std::make_error_code(std::io_errc::stream), "m")) ==
        "RuntimeError: m: iostream error");
  CHECK(Translated(Error("StopIteration", "end")) == "StopIteration: end");
  CHECK(TainErrorSetFromException() == -1);
  CHECK(TakeError() == "InternalError: TainErrorSetFromException: no exception is being handled");
}

TEST_CASE("a class derived from a std exception is known by the kind of its base") {
  struct TooLarge : std::overflow_error {
    using std::overflow_error::overflow_error;
  };
  struct NotThat : std::bad_cast {};
  CHECK(internal::StandardErrorKind<TooLarge>() == std::string("OverflowError"));
  CHECK(internal::StandardErrorKind<NotThat>() == std::string("TypeError"));
  CHECK(internal::StandardErrorKind<std::runtime_error>() == std::string("RuntimeError"));
  CHECK(Translated(TooLarge("m")) == "OverflowError: m");
}

TEST_CASE("the raised error belongs to its thread") {
  const NothingLeft check;
  TainErrorSetRaisedFromCStr("ValueError", "mine");
  std::thread([] {
    CHECK(TakeError() == "");
    TainErrorSetRaisedFromCStr("TypeError", "dropped with the thread");
  }).join();
  CHECK(TakeError() == "ValueError: mine");
  CHECK(TakeError() == "");
  const char* parts[] = {"a", nullptr, "b"};
  TainErrorSetRaisedFromCStrParts("KeyError", parts, 3);
  CHECK(TakeError() == "KeyError: ab");
  TainErrorSetRaisedFromCStrParts(nullptr, nullptr, 3);
  CHECK(TakeError() == "RuntimeError: ");
  CHECK(ThrownBy([] { throw Error::MoveFromRaised(); }) ==
        "InternalError: a call failed but left no error behind");
  TainErrorMoveFromRaised(nullptr);
}

TEST_CASE("the C functions check what they are given") {
  const NothingLeft check;
  const TainByteArray kind = Text("ValueError"), message = Text("m"), none = Text("");
  TainObject *cause = nullptr, *error = nullptr;
  REQUIRE(TainErrorCreate(&kind, &message, &none, &cause) == 0);
  REQUIRE(TainErrorCreateWithCauseAndExtraContext(&kind, &message, nullptr, cause, nullptr,
                                                  &error) == 0);
  CHECK(internal::RefAccess::Make<Error>(internal::RefAccess::Share<Object>(error))
            .cause()
            ->message() == "m");
  TainObjectDecRef(cause);
  TainErrorSetRaised(error);
  TainObjectDecRef(error);
  CHECK(TakeError() == "ValueError: m");
  CHECK(TainErrorCreate(nullptr, &message, &none, &error) == -1);
  CHECK(TakeError() == "TypeError: TainErrorCreate: expected a kind, got null");
  CHECK(TainErrorCreate(&kind, &message, &none, nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainErrorCreate: expected a place for the result, got null");
  const Point point = MakePoint(1);
  TainObject* header = internal::RefAccess::Header(point);
  CHECK(TainErrorCreateWithCauseAndExtraContext(&kind, &message, &none, header, nullptr, &error) ==
        -1);
  CHECK(TakeError() == "TypeError: TainErrorCreate: expected an Error as cause");
  TainErrorSetRaised(header);
  CHECK(TakeError() == "TypeError: TainErrorSetRaised: expected an Error");
  TainErrorSetRaised(nullptr);
  CHECK(TakeError() == "");
}

TEST_CASE("a chain of a million causes is dropped without recursion") {
  const TainByteArray kind = Text("ValueError"), message = Text("m");
  TainObject* last = nullptr;
  int failures = 0;
  for (int i = 0; i < 1000000; ++i) {
    TainObject* error = nullptr;
    failures +=
        TainErrorCreateWithCauseAndExtraContext(&kind, &message, nullptr, last, nullptr, &error);
    if (last != nullptr) TainObjectDecRef(last);
    last = error;
  }
  CHECK(failures == 0);
  TainObjectDecRef(last);
}

TEST_CASE("TainBacktrace says the place, and the stack if the environment asks") {
  const auto text = [](const char* file, const char* function) {
    return Str(*TainBacktrace(file, 3, function, 0));
  };
  CHECK(text("f.cc", "func") == "  File \"f.cc\", line 3, in func\n");
  CHECK(text("f.cc", "double geometry::Point::norm(int) const") ==
        "  File \"f.cc\", line 3, in geometry::Point::norm\n");
  CHECK(text("f.cc", "T ns::f(const std::vector<T>&) [with T = int]") ==
        "  File \"f.cc\", line 3, in ns::f\n");
  CHECK(text("f.cc", "main()::<lambda(int)>") ==
        "  File \"f.cc\", line 3, in main()::<lambda(int)>\n");
  CHECK(text(nullptr, nullptr) == "");
#if defined(__linux__)
  setenv("TAIN_BACKTRACE", "1", 1);
  const std::string whole = text("f.cc", "func");
  unsetenv("TAIN_BACKTRACE");
  CHECK(whole.find("  File \"f.cc\", line 3, in func\n  File \"") == 0);
#endif
}

TEST_CASE("empty handles are reported") {
  CHECK(ThrownBy([] { Point p{ObjectPtr<PointObj>()}; }) ==
        "ValueError: test_values.Point: expected an object, got an empty handle");
}
