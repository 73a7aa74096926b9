// SPDX-License-Identifier: Apache-2.0
// What bindings need that were written for another library: lenient parameters, overload_cast,
// properties without the GIL, types that are read once, and tuples, spans and points in time.
#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/stl/complex.h"
#include "testing_types.h"

namespace ported {

/// A number that counts how often a value was read as one.
struct Read {
  int64_t n = 0;
};
/// The same with a cheap test of values.
struct Probed {
  int64_t n = 0;
};
inline int64_t reads = 0;
inline int64_t probes = 0;

}  // namespace ported

template <>
struct tain::TypeTraits<ported::Read> : tain::CustomTraits<ported::Read> {
  static std::string type_str() { return "int"; }
  static Any to_any(const ported::Read& r) { return r.n; }
  static std::optional<ported::Read> from_any(const AnyView& v) {
    ++ported::reads;
    const auto n = v.try_cast<int64_t>();
    if (!n) return std::nullopt;
    if (*n < 0) TAIN_THROW(ValueError) << "a Read is not negative, got " << *n;
    return ported::Read{*n};
  }
};

template <>
struct tain::TypeTraits<ported::Probed> : tain::CustomTraits<ported::Probed> {
  static std::string type_str() { return "int"; }
  static Any to_any(const ported::Probed& r) { return r.n; }
  static bool accepts(const AnyView& v) noexcept {
    ++ported::probes;
    return v.type_index() == kTainInt;
  }
  static std::optional<ported::Probed> from_any(const AnyView& v) {
    ++ported::reads;
    const auto n = v.cast<int64_t>();
    if (n == 13) return std::nullopt;  // which `accepts` does not know
    return ported::Probed{n};
  }
};

namespace tain_testing {
namespace {

using ported::Probed;
using ported::Read;
using tain::arg;

template <class T>
T Same(const T& value) {
  return value;
}

/// A class whose members are overloaded, and whose property waits for another thread.
struct PortedObj : tain::Object {
  std::atomic<int64_t> turns{0};
  std::string note;

  std::string at(int64_t) { return "at int"; }
  std::string at(const std::string&) { return "at str"; }
  std::string at(int64_t) const { return "at int const"; }
  static std::string of(int64_t) { return "of int"; }
  static std::string of(const std::string&) { return "of str"; }
  std::string quiet(int64_t) const noexcept { return "quiet int"; }
  std::string quiet(double) const noexcept { return "quiet float"; }

  /// Waits until another thread has taken a turn; false after a second.
  bool AwaitTurn() {
    const int64_t before = turns;
    for (int i = 0; i < 1000 && turns == before; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return turns != before;
  }
  void SetAwaited(bool wanted) { note = AwaitTurn() == wanted ? "as wanted" : "not as wanted"; }
  TAIN_OBJECT("testing.Ported", PortedObj, tain::Object);
};

int64_t TakeReads() { return std::exchange(ported::reads, 0); }
int64_t TakeProbes() { return std::exchange(ported::probes, 0); }

std::string Kind(const Read& r) { return "Read " + std::to_string(r.n); }
std::string KindOfText(const tain::String&) { return "str"; }
std::string KindOfNumber(double) { return "float"; }

std::string HeldBy(const std::variant<tain::String, Read, double>& v) {
  return std::visit(
      []<class T>(const T& x) -> std::string {
        if constexpr (std::is_same_v<T, Read>) {
          return Kind(x);
        } else {
          return std::is_same_v<T, double> ? "float" : "str";
        }
      },
      v);
}

int64_t SumOf(const tain::Array<Read>& values) {
  int64_t sum = 0;
  for (const Read& r : values) sum += r.n;
  return sum;
}

void RegisterReads() {
  tain::reflection::GlobalDef()
      .def("testing.ported_reads", TakeReads)
      .def("testing.ported_probes", TakeProbes)
      .def("testing.read_plain", Same<Read>, arg("x"))
      .def("testing.read_optional", Same<std::optional<Read>>, arg("x"))
      .def("testing.read_vector", Same<std::vector<Read>>, arg("x"))
      .def("testing.read_nested", Same<std::vector<std::pair<Read, std::optional<Read>>>>, arg("x"))
      .def("testing.read_variant", HeldBy, arg("x"))
      .def("testing.read_map", Same<std::map<std::string, Read>>, arg("x"))
      .def("testing.read_pair", Same<std::pair<Read, Read>>, arg("x"))
      .def("testing.read_array", SumOf, arg("x"))
      .def("testing.read_overload", tain::overload(KindOfText, Kind, KindOfNumber), arg("x"))
      .def("testing.read_first", tain::overload(Kind, KindOfText, KindOfNumber), arg("x"))
      .def(
          "testing.read_vectors",
          tain::overload(
              [](const std::vector<Read>& v) { return "Reads " + std::to_string(v.size()); },
              [](const std::vector<std::string>& v) { return "strs " + std::to_string(v.size()); }),
          arg("x"))
      .def("testing.read_pairs",
           tain::overload([](const std::pair<Read, double>&) { return std::string("Read, float"); },
                          [](const std::pair<int64_t, int64_t>&) { return std::string("ints"); }),
           arg("x"))
      .def("testing.read_probed", Same<Probed>, arg("x"))
      .def("testing.read_probed_overload",
           tain::overload([](const Probed&) { return std::string("Probed"); }, KindOfText),
           arg("x"))
      .def("testing.read_result", [](const tain::TypedFunction<Read()>& f) { return f().n; });
}

void RegisterLenient() {
  tain::reflection::GlobalDef()
      .def("testing.strict_text", Same<std::string>, arg("x"), tain::thread_safe())
      .def("testing.lenient_text", Same<std::string>, arg("x"), tain::lenient(),
           tain::thread_safe())
      .def(
          "testing.lenient_size", [](std::string_view x) { return x.size(); }, arg("x").lenient())
      .def("testing.lenient_string", Same<tain::String>, arg("x"), tain::lenient(),
           tain::thread_safe())
      .def("testing.lenient_optional", Same<std::optional<std::string>>, arg("x"), tain::lenient())
      .def("testing.lenient_texts", Same<std::vector<std::string>>, arg("x"), tain::lenient())
      .def("testing.lenient_set", Same<std::set<std::string>>, arg("x"), tain::lenient())
      .def("testing.lenient_table", Same<std::map<std::string, std::vector<std::string>>>, arg("x"),
           tain::lenient())
      .def(
          "testing.lenient_list", [](const tain::List<tain::String>& x) { return x; }, arg("x"),
          tain::lenient())
      .def(
          "testing.lenient_bool", [](bool x) { return x; }, arg("x"), tain::lenient(),
          tain::thread_safe())
      .def(
          "testing.lenient_first", [](const std::string& a, const std::string& b) { return a + b; },
          arg("a").lenient(), arg("b"))
      .def("testing.lenient_overload",
           tain::overload([](const std::string&) { return std::string("str"); },
                          [](const tain::Bytes&) { return std::string("bytes"); }),
           arg("x"), tain::lenient())
      .def(
          "testing.strict_test", [](const std::function<bool(int64_t)>& test) { return test(5); },
          arg("test"))
      .def(
          "testing.lenient_test", [](const std::function<bool(int64_t)>& test) { return test(5); },
          arg("test"), tain::lenient())
      .def(
          "testing.lenient_says", [](const std::function<std::string()>& say) { return say(); },
          arg("say"), tain::lenient())
      .def("testing.lenient_callback", Same<std::function<bool(int64_t)>>, arg("f"),
           tain::lenient())
      .def(
          "testing.strict_says", [](const std::function<std::string()>& say) { return say(); },
          arg("say"));
}

void RegisterTypes() {
  using std::chrono::steady_clock, std::chrono::system_clock;
  tain::reflection::GlobalDef()
      .def("testing.tuple_of_map", Same<std::tuple<tain::Map<tain::String, tain::Any>>>, arg("x"))
      .def("testing.tuple_of_array", Same<std::tuple<tain::Array<int64_t>>>, arg("x"))
      .def(
          "testing.sum_of_span",
          [](std::span<const double> values) {
            double sum = 0;
            for (const double value : values) sum += value;
            return sum;
          },
          arg("x"))
      .def(
          "testing.double_span",
          [](std::span<int32_t, 3> values) {
            for (int32_t& value : values) value *= 2;
          },
          arg("x"))
      .def("testing.echo_complex64", Same<std::complex<float>>, arg("x"), tain::thread_safe())
      .def("testing.echo_std_time", Same<system_clock::time_point>, arg("x"), tain::thread_safe())
      .def(
          "testing.system_now", [] { return system_clock::now(); }, tain::thread_safe())
      .def("testing.steady_now", [] { return steady_clock::now(); }, tain::thread_safe());
}

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<PortedObj>()
      .def_init<>()
      .def_ro("note", &PortedObj::note)
      .def("take_turn", [](PortedObj& self) { ++self.turns; })
      .def("at", tain::overload_cast<int64_t>(&PortedObj::at))
      .def("at_const", tain::overload_cast<int64_t>(&PortedObj::at, tain::const_))
      .def("at_any", tain::overload(tain::overload_cast<const std::string&>(&PortedObj::at),
                                    tain::overload_cast<int64_t>(&PortedObj::at, tain::const_)))
      .def("quiet", tain::overload_cast<double>(&PortedObj::quiet, tain::const_))
      .def_static("of", tain::overload_cast<const std::string&>(&PortedObj::of))
      .def_property("awaited", &PortedObj::AwaitTurn, "Waits.", tain::release_gil())
      .def_property(
          "settled", [](const PortedObj&) { return true; }, &PortedObj::SetAwaited,
          tain::release_gil(), "Waits when it is set.")
      .def_property(
          "shown", [](const PortedObj& self) { return self.note; },
          [](PortedObj& self, const std::string& note) { self.note = note; }, tain::lenient());
  RegisterReads();
  RegisterLenient();
  RegisterTypes();
  tain::reflection::GlobalDef()
      .def("testing.price",
           [](const tain::Dict<tain::String, double>& d, const tain::String& k) { return d.at(k); })
      .def("testing.third", [](const tain::List<int64_t>& list) { return list[3]; })
      .def("testing.extent", [](const tain::Shape& shape) { return shape[7]; })
      .def("testing.wrong_cast", [](const tain::Any& x) { return x.cast<int64_t>(); })
      .def("testing.calls_price",
           [](const tain::Function& f) { return f(tain::Dict<tain::String, double>(), "x"); });
}

}  // namespace tain_testing
