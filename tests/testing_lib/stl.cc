// SPDX-License-Identifier: Apache-2.0
// testing.echo_std_*: what tain/stl.h lets cross, as parameters, results, fields and defaults.
#include "tain/stl.h"

#include <string>

#include "testing_types.h"

namespace tain_testing {
namespace {

using tain::reflection::GlobalDef;

template <class T, class... Flags>
void Echo(GlobalDef& def, const char* name, Flags... flags) {
  def.def(name, [](const T& x) -> T { return x; }, tain::arg("x"), flags...);
}

enum class Fruit : int8_t { kApple = 1, kPear };
enum class Unnamed { kOne = 1 };  // nobody registers it: it crosses as an int

}  // namespace
}  // namespace tain_testing

template <>
inline constexpr bool tain::enum_as_int<tain_testing::Unnamed> = true;

namespace tain_testing {
namespace {

struct StlFieldsObj : tain::Object {
  std::vector<int8_t> numbers{1, 2};
  std::vector<Point> points;
  std::map<std::string, std::vector<double>> table{{"a", {0.5}}};
  std::set<int64_t> set{3, 1};
  std::optional<std::string> note;
  std::variant<int64_t, std::string> either = 5;
  std::pair<int64_t, std::string> pair{1, "one"};
  std::function<int64_t(int64_t)> function;
  std::chrono::milliseconds wait{1500};
  std::filesystem::path path = "a/b";
  std::optional<Fruit> fruit;
  tain::Optional<Fruit> other_fruit;
  Unnamed unnamed = Unnamed::kOne;
  TAIN_OBJECT("testing.StlFields", StlFieldsObj, tain::Object);
};

/// Standard types on the way to and from an override.
struct StlVirtualObj : tain::Object {
  int64_t bonus = 0;
  TAIN_VIRTUAL(scaled)
  virtual std::map<std::string, std::vector<int64_t>> scaled_impl(
      const std::vector<int64_t>& values, std::optional<int64_t> factor) const {
    std::map<std::string, std::vector<int64_t>> result;
    for (const int64_t value : values) result["cpp"].push_back(value * factor.value_or(1) + bonus);
    return result;
  }
  TAIN_OBJECT("testing.StlVirtual", StlVirtualObj, tain::Object);
};

// Those of containers are not thread_safe: a List or Dict may change while it is converted.
void RegisterSequences(GlobalDef& def) {
  Echo<std::vector<int64_t>>(def, "testing.echo_std_vector_int");
  Echo<std::vector<int8_t>>(def, "testing.echo_std_vector_int8");
  Echo<std::vector<bool>>(def, "testing.echo_std_vector_bool");
  Echo<std::vector<std::string>>(def, "testing.echo_std_vector_str");
  Echo<std::vector<Point>>(def, "testing.echo_std_vector_point");
  Echo<std::vector<tain::Any>>(def, "testing.echo_std_vector_any");
  Echo<std::vector<std::vector<double>>>(def, "testing.echo_std_vector_vector_double");
  Echo<std::deque<int64_t>>(def, "testing.echo_std_deque_int");
  Echo<std::list<int64_t>>(def, "testing.echo_std_list_int");
  Echo<std::array<int64_t, 3>>(def, "testing.echo_std_array_int");
  Echo<std::set<int64_t>>(def, "testing.echo_std_set_int");
  Echo<std::unordered_set<int64_t>>(def, "testing.echo_std_unordered_set_int");
}

void RegisterOthers(GlobalDef& def) {
  Echo<std::map<std::string, int64_t>>(def, "testing.echo_std_map_str_int");
  Echo<std::map<std::string, std::vector<Point>>>(def, "testing.echo_std_map_str_points");
  Echo<std::unordered_map<std::string, int64_t>>(def, "testing.echo_std_unordered_map_str_int");
  Echo<std::optional<int64_t>>(def, "testing.echo_std_optional_int", tain::thread_safe());
  Echo<std::optional<std::vector<int64_t>>>(def, "testing.echo_std_optional_vector_int");
  Echo<std::variant<int64_t, std::string>>(def, "testing.echo_std_variant_int_str");
  Echo<std::variant<std::monostate, int8_t, double, std::vector<int64_t>, std::set<std::string>>>(
      def, "testing.echo_std_variant_many");
  Echo<std::tuple<int64_t, std::string, double>>(def, "testing.echo_std_tuple");
  Echo<std::tuple<>>(def, "testing.echo_std_tuple_empty");
  Echo<std::pair<int64_t, std::string>>(def, "testing.echo_std_pair_int_str");
  Echo<std::function<int64_t(int64_t)>>(def, "testing.echo_std_function");
  Echo<std::chrono::seconds>(def, "testing.echo_std_seconds", tain::thread_safe());
  Echo<std::chrono::minutes>(def, "testing.echo_std_minutes", tain::thread_safe());
  Echo<std::chrono::days>(def, "testing.echo_std_days", tain::thread_safe());
  Echo<std::chrono::milliseconds>(def, "testing.echo_std_milliseconds", tain::thread_safe());
  Echo<std::chrono::nanoseconds>(def, "testing.echo_std_nanoseconds", tain::thread_safe());
  Echo<std::chrono::duration<double, std::ratio<3600>>>(def, "testing.echo_std_hours",
                                                        tain::thread_safe());
  Echo<std::optional<Fruit>>(def, "testing.echo_std_optional_fruit", tain::thread_safe());
  Echo<std::vector<Fruit>>(def, "testing.echo_std_vector_fruit");
  Echo<Unnamed>(def, "testing.echo_unnamed", tain::thread_safe());
  Echo<std::filesystem::path>(def, "testing.echo_std_path", tain::thread_safe());
}

int64_t SumOf(const std::vector<int64_t>& values, const std::map<std::string, int64_t>& weights) {
  int64_t sum = 0;
  for (const int64_t value : values) sum += value;
  for (const auto& [name, weight] : weights) sum += weight;
  return sum;
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::EnumDef<Fruit>("testing.Fruit")
      .value("APPLE", Fruit::kApple)
      .value("PEAR", Fruit::kPear);
  GlobalDef def;
  RegisterSequences(def);
  RegisterOthers(def);
  using F = StlFieldsObj;
  tain::reflection::ObjectDef<F>("A field of each kind of standard container.")
      .def_rw("numbers", &F::numbers)
      .def_rw("points", &F::points)
      .def_rw("table", &F::table)
      .def_rw("set", &F::set)
      .def_rw("note", &F::note)
      .def_rw("either", &F::either)
      .def_rw("pair", &F::pair)
      .def_rw("function", &F::function)
      .def_rw("wait", &F::wait)
      .def_rw("path", &F::path)
      .def_rw("fruit", &F::fruit)
      .def_rw("other_fruit", &F::other_fruit)
      .def_rw("unnamed", &F::unnamed)
      .def_init_fields();
  tain::reflection::ObjectDef<StlVirtualObj>()
      .def_rw("bonus", &StlVirtualObj::bonus)
      .def_init<>()
      .def_virtual("scaled", &StlVirtualObj::scaled_impl, arg("values"), arg("factor") = nullptr);
  def.def(
      "testing.std_scaled",
      [](const StlVirtualObj& object) { return object.scaled(std::vector<int64_t>{1, 2}, 10); },
      arg("object"));
  def.def("testing.std_defaults", SumOf, arg("values") = std::vector<int64_t>{1, 2},
          arg("weights") = std::map<std::string, int64_t>{{"a", 3}})
      .def(
          "testing.std_file_count",
          [](const std::filesystem::path& p) { return p.native().size(); },
          arg("path") = std::filesystem::path("abc"), tain::thread_safe())
      .def(
          "testing.std_call",  // arguments of standard types reach a callback
          [](const tain::Function& f) {
            return f(std::vector<int64_t>{1, 2}, std::optional<int64_t>(), std::string("x"),
                     std::map<std::string, int64_t>{{"k", 1}}, std::chrono::seconds(2));
          },
          arg("f"));
}

}  // namespace tain_testing
