// SPDX-License-Identifier: Apache-2.0
// tain/stl.h without a host: values go to Any and back, elements are checked, nothing is left.
#include "tain/stl.h"

#include "helpers/value_helpers.h"
#include "tain/container/list.h"
#include "tain/custom_traits.h"
#include "tain/stl/complex.h"
#include "tain/virtual.h"

using namespace tain;
using namespace tain_test;
using namespace std::chrono_literals;

namespace {

template <class T>
T RoundTrip(const T& value) {
  return Any(value).cast<T>();
}

template <class T>
concept CanBeViewed = std::is_constructible_v<AnyView, const T&>;

struct Fahrenheit {
  explicit Fahrenheit(double degrees) : degrees(degrees) {}
  double degrees;
};
struct Celsius {
  double degrees = 0;
  bool operator==(const Celsius&) const = default;
};

}  // namespace

template <>
struct tain::TypeTraits<Celsius> : tain::internal::ReadingTraits<Celsius> {
  static constexpr bool kCrosses = true;
  static constexpr bool kViewable = false;
  static void MoveToAny(const Celsius& v, TainAny* out) {
    TypeTraits<double>::MoveToAny(v.degrees, out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return TypeTraits<double>::CheckAnyStrict(a);
  }
  static Celsius CopyFromAnyViewAfterCheck(const TainAny* a) { return {a->v_float64}; }
  static bool ReadInto(const TainAny* a, Celsius* out) {
    return TypeTraits<double>::ReadInto(a, &out->degrees);
  }
  static std::string TypeStr() { return "float"; }
};
template <>
struct tain::TypeTraits<Fahrenheit> : tain::CustomTraits<Fahrenheit> {
  static std::string type_str() { return "float"; }
  static Any to_any(const Fahrenheit& f) { return f.degrees; }
  static std::optional<Fahrenheit> from_any(const AnyView& value) {
    const auto degrees = value.try_cast<double>();
    if (!degrees) return std::nullopt;
    return Fahrenheit{*degrees};
  }
};

static_assert(!CanBeViewed<std::vector<int>> && !CanBeViewed<std::map<int, int>>);
static_assert(!CanBeViewed<std::optional<std::vector<int>>> && !CanBeViewed<Fahrenheit>);
static_assert(CanBeViewed<std::optional<int>> && CanBeViewed<std::variant<int, String>>);
static_assert(!internal::Crosses<std::vector<std::string_view>>);
static_assert(!internal::Crosses<std::map<int, std::vector<Object>>>);
static_assert(!internal::Crosses<std::optional<std::ostream*>>);
static_assert(!internal::Crosses<std::function<void(std::ostream&)>>);

TEST_CASE("sequences and sets") {
  const NothingLeft check;
  CHECK(RoundTrip(std::vector<int>{1, 2}) == std::vector<int>{1, 2});
  CHECK(RoundTrip(std::vector<bool>{true, false}) == std::vector<bool>{true, false});
  CHECK(RoundTrip(std::deque<std::string>{"a", "long enough"}).back() == "long enough");
  CHECK(RoundTrip(std::list<int>{1, 2}).size() == 2);
  CHECK(RoundTrip(std::array<std::string, 2>{"a", "b"})[1] == "b");
  CHECK(RoundTrip(std::array<Point, 1>{MakePoint(2)})[0]->x == 2);  // not default-constructible
  CHECK(RoundTrip(std::set<int>{3, 1}) == std::set<int>{1, 3});
  CHECK(RoundTrip(std::unordered_set<std::string>{"x"}).count("x") == 1);
  const Any nested = std::vector<std::vector<int>>{{1}, {}};
  CHECK(Repr(nested) == "[[1], []]");
  CHECK(Any(Array<int>{1, 2}).cast<std::vector<double>>() == std::vector<double>{1, 2});
  CHECK(Any(List<int>{1, 2, 2}).cast<std::set<int64_t>>().size() == 2);
  CHECK(Any(std::vector<int>{1}).as<std::vector<int>>().has_value());
  CHECK(!Any(std::vector<int>{1}).as<std::vector<double>>().has_value());
  CHECK(!Any(List<int>{1}).as<std::vector<int>>().has_value());
}

TEST_CASE("wrong elements are named") {
  CHECK(CastError<std::vector<int8_t>>(Any(Array<int>{1, 300}), "x") ==
        "OverflowError: x[1]: expected int in -128..127, got 300");
  CHECK(CastError<std::vector<int>>(5) == "TypeError: expected Array[int], got int (5)");
  CHECK(CastError<std::array<int, 2>>(Any(Array<int>{1})) ==
        "TypeError: expected Array[int] of 2 elements, got 1");
  CHECK(CastError<std::set<int>>(Any(Array<Any>{"x"}), "x") ==
        "TypeError: x[0]: expected int, got str ('x')");
  CHECK(CastError<std::map<std::string, std::vector<int>>>(
            Any(Map<Any, Any>{{"key", Array<Any>{1, "x"}}}), "x") ==
        "TypeError: x[\"key\"][1]: expected int, got str ('x')");
  CHECK(CastError<std::map<std::string, int>>(Any(Map<Any, Any>{{1, 1}}), "x") ==
        "TypeError: x: key: expected str, got int (1)");
  CHECK(CastError<std::pair<int, int>>(Any(Array<int>{1})) ==
        "TypeError: expected tuple[int, int] of 2 elements, got 1");
  CHECK(CastError<std::variant<int8_t, std::string>>(300) ==
        "OverflowError: expected int in -128..127, got 300");
  CHECK(CastError<std::variant<int8_t, std::string>>(1.5) ==
        "TypeError: expected int | str, got float (1.5)");
  CHECK(CastError<std::optional<std::vector<int>>>(Any(Array<Any>{nullptr}), "x") ==
        "TypeError: x[0]: expected int, got None");
}

TEST_CASE("values are read in place") {
  using Rows = std::vector<std::vector<std::optional<int>>>;
  CHECK(RoundTrip(Rows{{1, std::nullopt}, {}, {3}}) == Rows{{1, std::nullopt}, {}, {3}});
  CHECK(RoundTrip(std::vector<bool>{true, false}) == std::vector<bool>{true, false});
  const auto kinds = Array<Any>{Any(1), Any(true), Any(2.5)};
  CHECK(Any(kinds).cast<std::deque<double>>() == std::deque<double>{1, 1, 2.5});
  CHECK(CastError<std::vector<int>>(Any(kinds), "x") ==
        "TypeError: x[2]: expected int, got float (2.5)");
  CHECK(!Any(kinds).try_cast<std::vector<int>>());
  // Two keys of a Map may be one key of the C++ map: the last value replaces the others.
  using Lists = std::map<int, std::vector<int>>;
  Map<Any, Any> equal;
  equal.Set(Any(1), Any(Array<int>{1, 2}));
  equal.Set(Any(true), Any(Array<int>{3}));
  CHECK(Any(equal).cast<Lists>() == Lists{{1, {3}}});
}

TEST_CASE("types without a default constructor inside of others") {
  using Mixed = std::variant<Fahrenheit, std::string>;
  CHECK(std::get<0>(Any(2.5).cast<Mixed>()).degrees == 2.5);
  CHECK(std::get<1>(Any("x").cast<Mixed>()) == "x");
  CHECK(!Any(nullptr).try_cast<Mixed>());
  const auto pair = Any(Array<Any>{1.5, 2}).cast<std::pair<Fahrenheit, int>>();
  CHECK((pair.first.degrees == 1.5 && pair.second == 2));
  CHECK(Any(Array<double>{1, 2}).cast<std::vector<Fahrenheit>>()[1].degrees == 2);
  CHECK(Any(Map<String, double>{{"a", 3}}).cast<std::map<String, Fahrenheit>>().at("a").degrees ==
        3);
  CHECK(Any(4.5).cast<std::optional<Fahrenheit>>()->degrees == 4.5);
}

TEST_CASE("traits of one's own that read in place") {
  const std::vector<Celsius> read = Any(Array<double>{1, 2}).cast<std::vector<Celsius>>();
  REQUIRE(read.size() == 2);
  CHECK(read[1].degrees == 2);
  CHECK(Any(3.5).cast<Celsius>().degrees == 3.5);
  CHECK(Any(3.5).try_cast<Celsius>()->degrees == 3.5);
  CHECK(!Any("hot").try_cast<Celsius>());
  CHECK(Any(Map<String, double>{{"now", 4}}).cast<std::map<String, Celsius>>()["now"].degrees == 4);
  CHECK(Any().cast<std::optional<Celsius>>() == std::nullopt);
  CHECK(Any(1).cast<std::optional<Celsius>>()->degrees == 1);
  CHECK(CastError<Celsius>("hot") == "TypeError: expected float, got str ('hot')");
}

TEST_CASE("maps, tuples, optional, variant") {
  const NothingLeft check;
  const std::map<std::string, int> map{{"b", 1}, {"a", 2}};
  CHECK(RoundTrip(map) == map);
  CHECK(Any(map).cast<std::unordered_map<std::string, double>>().at("b") == 1.0);
  CHECK(Any(map).cast<Map<String, int>>().size() == 2);
  const std::tuple<int, std::string, Point> tuple(1, "a", MakePoint(3));
  CHECK(std::get<2>(RoundTrip(tuple)).same_as(std::get<2>(tuple)));
  CHECK(RoundTrip(std::pair<int, std::string>(1, "a")).second == "a");
  CHECK(Any(Tuple<int, int>(1, 2)).cast<std::pair<double, int>>().first == 1.0);
  RoundTrip(std::tuple<>());
  CHECK(RoundTrip(std::optional<int>(5)) == 5);
  CHECK(!RoundTrip(std::optional<int>()).has_value());
  CHECK(Any(std::optional<Point>()) == nullptr);
  using Either = std::variant<std::monostate, int, double, std::vector<int>>;
  CHECK(RoundTrip(Either(2.0)).index() == 2);
  CHECK(RoundTrip(Either(2)).index() == 1);
  CHECK(RoundTrip(Either()).index() == 0);
  CHECK(RoundTrip(Either(std::vector<int>{1})).index() == 3);
  CHECK(Any(true).cast<std::variant<std::string, double>>().index() == 1);
}

TEST_CASE("functions") {
  const NothingLeft check;
  std::function<int(const std::string&)> size = [](const std::string& s) {
    return static_cast<int>(s.size());
  };
  auto back = RoundTrip(size);
  CHECK(back("four") == 4);
  CHECK(!RoundTrip(std::function<void()>()));
  CHECK(Any(std::function<void()>()) == nullptr);
  const Function function = size;
  CHECK(function("abc").cast<int>() == 3);
  const auto typed = Any(function).cast<std::function<int(std::string)>>();
  CHECK(Any(typed).cast<Function>().same_as(function));
  const Function sum = [](const std::vector<int>& values) {
    int total = 0;
    for (const int value : values) total += value;
    return total;
  };
  CHECK(sum(std::vector<int>{1, 2, 3}).cast<int>() == 6);
  CHECK(Function([](std::optional<std::vector<int>> v) { return v.has_value(); })(
            std::optional<std::vector<int>>(std::in_place))
            .cast<bool>());
}

TEST_CASE("durations are seconds") {
  CHECK(Any(1500ms).cast<double>() == 1.5);
  CHECK(Any(1500ms).cast<std::chrono::milliseconds>() == 1500ms);
  CHECK(CastError<std::chrono::seconds>(1500ms) ==
        "ValueError: expected float (seconds) that is a whole number of seconds, got float (1.5)");
  CHECK(CastError<std::chrono::minutes>(5) ==
        "ValueError: expected float (seconds) that is a whole number of minutes, got int (5)");
  CHECK(Any(300).cast<std::chrono::minutes>() == 5min);
  CHECK(Any(-7200.0).cast<std::chrono::hours>() == -2h);
  CHECK(CastError<std::chrono::duration<int64_t, std::ratio<1, 60>>>(0.01) ==
        "ValueError: expected float (seconds) that is a whole number of 1/60 seconds, got float "
        "(0.01)");
  CHECK(Any(0.1).cast<std::chrono::duration<int64_t, std::ratio<1, 60>>>().count() == 6);
  CHECK(Any(1).cast<std::chrono::nanoseconds>() == 1s);
  CHECK(Any(0.1).cast<std::chrono::microseconds>() == 100ms);
  CHECK(Any(int64_t{9007199254740993} / 1000).cast<std::chrono::milliseconds>().count() ==
        int64_t{9007199254740993} / 1000 * 1000);
  CHECK(Any(60).cast<std::chrono::duration<float, std::ratio<60>>>().count() == 1.0f);
  CHECK(CastError<std::chrono::nanoseconds>(1e300) ==
        "OverflowError: expected float in -9223372036.85478..9223372036.85478, got 1e+300");
  CHECK(CastError<std::chrono::nanoseconds>("1") == "TypeError: expected float, got str ('1')");
  CHECK(CastError<std::chrono::duration<int8_t>>(128).find("-128..127") != std::string::npos);
}

TEST_CASE("paths are text") {
  CHECK(RoundTrip(std::filesystem::path("a/b")) == "a/b");
  CHECK(Any(Bytes("a/b")).cast<std::filesystem::path>() == "a/b");
  CHECK(RoundTrip(std::filesystem::path("\xff"
                                        "a\x80")) ==
        "\xff"
        "a\x80");
  CHECK(Any(std::filesystem::path("\xff")).cast<std::string>() == "\xed\xb3\xbf");
  CHECK(Any(std::filesystem::path("\xed\xa0\x80")).cast<std::string>().size() == 9);
  CHECK(Any(std::filesystem::path("\xf0\x9f\x98\x80\xc3\xa4\xe2\x82\xac")).cast<std::string>() ==
        "\xf0\x9f\x98\x80\xc3\xa4\xe2\x82\xac");
  CHECK(CastError<std::filesystem::path>(String("a\xed\xa0\x80")) ==
        "UnicodeEncodeError: byte 1 of the path begins a surrogate that stands for no byte");
  CHECK(CastError<std::filesystem::path>(1) == "TypeError: expected str, got int (1)");
}

TEST_CASE("types of one's own") {
  const NothingLeft check;
  CHECK(RoundTrip(Fahrenheit{451}).degrees == 451);
  CHECK(Any(std::vector<Fahrenheit>{Fahrenheit(1), Fahrenheit(2)}).cast<std::vector<double>>()[1] ==
        2.0);
  CHECK(Function([](Fahrenheit f) { return f.degrees; })(Fahrenheit{5}).cast<double>() == 5);
  CHECK(CastError<Fahrenheit>("x") == "TypeError: expected float, got str ('x')");
  Map<Fahrenheit, int> map;
  map.Set(Fahrenheit{1}, 5);
  CHECK(map.at(Fahrenheit{1}) == 5);
  CHECK(map.contains(Fahrenheit{1}));
  CHECK(Variant<Fahrenheit, String>(Fahrenheit{1}).is<Fahrenheit>());
}

TEST_CASE("a tuple of one element that cannot be made without a value") {
  const NothingLeft check;
  using Table = std::tuple<Map<String, Any>>;
  CHECK(Repr(std::get<0>(RoundTrip(Table(Map<String, Any>{{"a", 1}})))) == "{'a': 1}");
  CHECK(CastError<Table>(Array<Any>{5}) == "TypeError: [0]: expected Map[str, Any], got int (5)");
  CHECK(std::get<0>(RoundTrip(std::tuple<Array<int>>({1, 2}))).size() == 2);
}

TEST_CASE("points in time are seconds since the epoch of their clock") {
  using std::chrono::system_clock;
  const system_clock::time_point point(std::chrono::milliseconds(1500));
  CHECK(Any(point).cast<double>() == 1.5);
  CHECK(RoundTrip(point) == point);
  CHECK(CastError<system_clock::time_point>("x") ==
        "TypeError: expected float (seconds since the epoch, as datetime.timestamp() gives them), "
        "got str ('x')");
  using Seconds = std::chrono::time_point<system_clock, std::chrono::duration<int8_t>>;
  CHECK(CastError<Seconds>(300.0) == "OverflowError: expected float in -128..127, got 300.0");
}

TEST_CASE("complex numbers without a host are pairs") {
  CHECK(RoundTrip(std::complex<double>(1, 2)) == std::complex<double>(1, 2));
  CHECK(RoundTrip(std::vector<std::complex<float>>{{1, 2}})[0] == std::complex<float>(1, 2));
  CHECK(CastError<std::complex<float>>(Array<double>{1, 1e300}) ==
        "OverflowError: imag: expected float in -3.40282e+38..3.40282e+38, got 1e+300");
  CHECK(MakeComplex(1, 2).cast<std::vector<double>>() == std::vector<double>{1, 2});
  CHECK(ComplexParts(1.5) == std::pair(1.5, 0.0));
  CHECK(!ComplexParts("x").has_value());
}
