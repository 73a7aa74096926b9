// SPDX-License-Identifier: Apache-2.0
// Libraries with mistakes: one ImportError that names them all, and nothing of the library stays.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"

using namespace tain_test;

#ifdef TAIN_TEST_LIBRARY_DIR

namespace {

/// Loads lib<name>.so of the build; the error's text, or nothing.
std::string Load(const std::string& name) {
  const std::string path = std::string(TAIN_TEST_LIBRARY_DIR) + "/lib" + name + ".so";
  const TainByteArray bytes = Text(path);
  TainAny opened{};
  if (TainLibraryLoad(&bytes, &opened) != 0) return TakeError();
  const tain::Any keeper = tain::Any::Steal(opened);
  return "";
}

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool IsType(std::string_view key) {
  const TainByteArray bytes = Text(key);
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) == 0) return true;
  TakeError();
  return false;
}

}  // namespace

TEST_CASE("the testing library loads without fault, twice") {
  CHECK(Load("tain_testing") == "");
  CHECK(Load("tain_testing") == "");
  CHECK(tain::Function::GetGlobalRequired("testing.add_one")(1).cast<int64_t>() == 2);
}

TEST_CASE("each mistake is named, with the file") {
  REQUIRE(Load("tain_testing") == "");
  const struct {
    const char* library;
    const char* text;
  } table[] = {
      {"duplicate_field", "faulty.Twice.value: the name is already that of a field"},
      {"conflicting_key", "testing.Point: already registered by"},
      {"second_owner", "testing.Point: already described by"},
      {"wrong_parent", "with parent testing.Depth1, here it has ffi.Object"},
      {"bad_default", "faulty.twice: the default of argument x: expected int, got str ('text')"},
      {"duplicate_global", "testing.echo is already registered by"},
      {"wrong_abi", "compiled for tain's binary interface 99."},
      {"defined_twice", "faulty.Defined: described twice (a second ObjectDef)"},
      {"throws", "registration that gives up"},
      {"no_virtual", "faulty.NoVirtual.area: expected TAIN_VIRTUAL(area) in the class"},
      {"unlisted_virtual", "faulty.Unlisted.area: expected def_virtual(\"area\", ...)"},
      {"plain_enum",
       "faulty.PlainEnum.kind: expected an enum that is registered, got faulty::Kind"},
      {"boxes", "faulty.Other: faulty::First is already boxed as faulty.First"},
      {"boxes", "faulty.First: the key belongs to the boxed class faulty::First, not to"},
      {"boxes", "faulty.Child: expected a base class that is registered, got faulty::Unknown"},
      {"boxes", "argument 0: expected a class that is registered, got faulty::Unknown: describe"},
      {"many", "faulty.same_names: argument a: the name stands twice"},
  };
  for (const auto& row : table) {
    CAPTURE(row.library);
    const std::string error = Load(std::string("tain_faulty_") + row.library);
    CAPTURE(error);
    CHECK(Contains(error, "ImportError: "));
    CHECK(Contains(error, row.text));
    CHECK(Contains(error, row.library));
  }
}

TEST_CASE("nothing of a faulty library stays") {
  Load("tain_faulty_duplicate_global");
  Load("tain_faulty_defined_twice");
  Load("tain_faulty_throws");
  CHECK(!tain::Function::GetGlobal("faulty.innocent").has_value());
  CHECK(!tain::Function::GetGlobal("faulty.before").has_value());
  CHECK(!IsType("faulty.Defined"));
}

#endif
