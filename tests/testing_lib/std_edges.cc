// SPDX-License-Identifier: Apache-2.0
// testing.StdEdges: references in every standard type that may hold some, for cycles through them.
#include <string>

#include "tain/stl.h"
#include "testing_types.h"

namespace tain_testing {

/// Each field can hold the object itself.
struct StdEdgesObj : tain::Object {
  using Self = tain::Ptr<StdEdgesObj>;
  std::vector<Self> vector;
  std::deque<tain::Any> deque;
  std::list<Self> list;
  std::array<Self, 2> array;
  std::map<std::string, Self> map;
  std::unordered_map<int64_t, tain::Any> unordered_map;
  std::optional<tain::Any> optional;
  std::variant<int64_t, Self> variant;
  std::pair<int64_t, Self> pair;
  std::tuple<Self, tain::Any, int64_t> tuple;
  std::function<tain::Any(int64_t)> function;
  std::map<std::string, std::vector<std::optional<std::pair<int64_t, tain::Any>>>> nested;
  std::vector<std::function<int64_t()>> functions;
  tain::Variant<int64_t, tain::Array<tain::Any>> tain_variant;
  tain::Optional<tain::Variant<int64_t, tain::Array<tain::Any>>> tain_optional;
  std::vector<std::string> words;  // holds none

  /// Puts a callable of C++ around an object: what it holds nobody sees.
  void HideInLambda(tain::Any value) {
    function = [value = std::move(value)](int64_t) { return value; };
  }
  TAIN_OBJECT("testing.StdEdges", StdEdgesObj, tain::Object);
};

/// Standard types without a single reference: no class for the collector.
struct StdLeavesObj : tain::Object {
  std::vector<std::string> words;
  std::map<std::string, std::vector<double>> table;
  std::optional<std::variant<int64_t, std::string>> either;
  TAIN_OBJECT("testing.StdLeaves", StdLeavesObj, tain::Object);
};

}  // namespace tain_testing

TAIN_REGISTER {
  using tain_testing::StdEdgesObj;
  using tain_testing::StdLeavesObj;
  using T = StdEdgesObj;
  tain::reflection::ObjectDef<T>("References in standard types.")
      .def_rw("vector", &T::vector)
      .def_rw("deque", &T::deque)
      .def_rw("list", &T::list)
      .def_rw("array", &T::array)
      .def_rw("map", &T::map)
      .def_rw("unordered_map", &T::unordered_map)
      .def_rw("optional", &T::optional)
      .def_rw("variant", &T::variant)
      .def_rw("pair", &T::pair)
      .def_rw("triple", &T::tuple)
      .def_rw("function", &T::function)
      .def_rw("nested", &T::nested)
      .def_rw("functions", &T::functions)
      .def_rw("tain_variant", &T::tain_variant)
      .def_rw("tain_optional", &T::tain_optional)
      .def_rw("words", &T::words)
      .def("hide_in_lambda", &T::HideInLambda, tain::arg("value"))
      .def_init<>();
  tain::reflection::ObjectDef<StdLeavesObj>()
      .def_rw("words", &StdLeavesObj::words)
      .def_rw("table", &StdLeavesObj::table)
      .def_rw("either", &StdLeavesObj::either)
      .def_init<>();
}
