# SPDX-License-Identifier: Apache-2.0
"""Enums of every size and sign, alone, in containers and as overloads, compiled once."""

from __future__ import annotations

import tain

SOURCE = r"""
#include <tain/stl.h>

#include <chrono>

namespace {
enum Mask { kA = 1, kB = 2, kAll = -1 };
enum class Open : unsigned { Read = 1, Write = 2 };
enum class Rights : uint64_t { Read = 1, Owner = uint64_t{1} << 63, All = ~uint64_t{0} };
enum class Big : uint64_t { Low = 1, Half = uint64_t{1} << 63, Top = ~uint64_t{0} };
enum class Deep : int64_t { Bottom = INT64_MIN, Zero = 0, Top = INT64_MAX };
enum class Color { Red, Green };
enum class Mode { Fast, Safe };

struct Holder : tain::Object {
  std::vector<Color> colors{Color::Green};
  tain::List<Color> list{Color::Green};
  tain::Dict<tain::String, Mode> modes;
  std::variant<Color, int64_t> either = Color::Green;
  Rights rights = Rights::Owner;
  TAIN_OBJECT("bounds.Holder", Holder, tain::Object);
};
struct Paths : tain::Object {
  std::filesystem::path path;
  TAIN_OBJECT("bounds.Paths", Paths, tain::Object);
};
}  // namespace

namespace {
template <class E>
auto Number(E e) { return static_cast<std::underlying_type_t<E>>(e); }

void RegisterEnums() {
  namespace refl = tain::reflection;
  refl::EnumDef<Mask>("bounds.Mask", "", refl::EnumKind::kFlag)
      .value("A", kA).value("B", kB).value("All", kAll);
  refl::EnumDef<Open>("bounds.Open", "", refl::EnumKind::kFlag)
      .value("Read", Open::Read).value("Write", Open::Write);
  refl::EnumDef<Rights>("bounds.Rights", "", refl::EnumKind::kFlag)
      .value("Read", Rights::Read).value("Owner", Rights::Owner).value("All", Rights::All);
  refl::EnumDef<Big>("bounds.Big")
      .value("Low", Big::Low).value("Half", Big::Half).value("Top", Big::Top);
  refl::EnumDef<Deep>("bounds.Deep")
      .value("Bottom", Deep::Bottom).value("Zero", Deep::Zero).value("Top", Deep::Top);
  refl::EnumDef<Color>("bounds.Color").value("Red", Color::Red).value("Green", Color::Green);
  refl::EnumDef<Mode>("bounds.Mode", "", refl::EnumKind::kStr)
      .value("Fast", Mode::Fast, "fast").value("Safe", Mode::Safe, "safe");
}

template <class E>
void RegisterBoth(const char* name) {
  static std::deque<std::string> names;
  const auto named = [&](const char* end) {
    return names.emplace_back(std::string("bounds.") + name + end).c_str();
  };
  tain::reflection::GlobalDef()
      .def(named("_number"), Number<E>)
      .def(named("_all_but"), [](E e) { return static_cast<E>(~Number(e)); });
}
}  // namespace

#define KIND(type, text) [](type) { return std::string(text); }

TAIN_REGISTER {
  RegisterEnums();
  tain::reflection::ObjectDef<Holder>().def_init<>()
      .def_rw("colors", &Holder::colors).def_rw("list", &Holder::list)
      .def_rw("modes", &Holder::modes).def_rw("either", &Holder::either)
      .def_rw("rights", &Holder::rights);
  tain::reflection::ObjectDef<Paths>().def_init<>().def_rw("path", &Paths::path);
  RegisterBoth<Mask>("mask");
  RegisterBoth<Open>("open");
  RegisterBoth<Rights>("rights");
  RegisterBoth<Big>("big");
  RegisterBoth<Deep>("deep");
  using Entries = std::map<std::string, Color>;
  using ByColor = std::map<Color, Mode>;
  tain::reflection::GlobalDef()
      .def("bounds.future", [] { return static_cast<Open>(65); })
      .def("bounds.open_file", [](Open how) { return how; },
           tain::arg("how") = static_cast<Open>(0))
      .def("bounds.both", [](Open how) { return how; }, tain::arg("how") = static_cast<Open>(3))
      .def("bounds.beyond", [](Open how) { return how; }, tain::arg("how") = static_cast<Open>(65))
      .def("bounds.vector", [] { return std::vector<Color>{Color::Green, Color::Red}; })
      .def("bounds.array", [] { return tain::Array<Color>{Color::Green}; })
      .def("bounds.list", [] { return tain::List<Rights>{Rights::Owner}; })
      .def("bounds.nested", [] { return std::vector<std::vector<Mode>>{{Mode::Safe}}; })
      .def("bounds.pair", [] { return std::pair(Color::Green, int64_t{1}); })
      .def("bounds.map", [] { return Entries{{"a", Color::Green}}; })
      .def("bounds.by_color", [] { return ByColor{{Color::Green, Mode::Safe}}; })
      .def("bounds.optional", [] { return std::optional(std::vector{Color::Green}); })
      .def("bounds.variant", [](std::variant<Color, std::string> v) { return v; })
      .def("bounds.color_or_int", [](std::variant<Color, int64_t> v) { return v; })
      .def("bounds.which", [](std::variant<Color, int64_t> v) { return v.index(); })
      .def("bounds.which_reversed", [](std::variant<int64_t, Color> v) { return v.index(); })
      .def("bounds.which_double", [](std::variant<Color, double> v) { return v.index(); })
      .def("bounds.which_text", [](std::variant<std::string, Mode> v) { return v.index(); })
      .def("bounds.which_float", [](std::variant<float, double> v) { return v.index(); })
      .def("bounds.callback", [](const std::function<void(Color)>& f) { f(Color::Green); })
      .def("bounds.callback_optional",
           [](const std::function<void(std::optional<Mode>)>& f) { f(Mode::Safe); f({}); })
      .def("bounds.callback_vector",
           [](const std::function<void(std::vector<Color>, std::map<std::string, Mode>)>& f) {
             f({Color::Green}, {{"a", Mode::Safe}});
           })
      .def("bounds.colors_of", [](const std::vector<Color>& v) { return v.size(); })
      // overloads, in both orders
      .def("bounds.enum_int", tain::overload(KIND(Color, "enum"), KIND(int64_t, "int")))
      .def("bounds.int_enum", tain::overload(KIND(int64_t, "int"), KIND(Color, "enum")))
      .def("bounds.enum_double", tain::overload(KIND(Color, "enum"), KIND(double, "double")))
      .def("bounds.double_enum", tain::overload(KIND(double, "double"), KIND(Color, "enum")))
      .def("bounds.enum_str", tain::overload(KIND(Mode, "enum"), KIND(std::string, "str")))
      .def("bounds.str_enum", tain::overload(KIND(std::string, "str"), KIND(Mode, "enum")))
      .def("bounds.int_bool", tain::overload(KIND(int64_t, "int"), KIND(bool, "bool")))
      .def("bounds.float_double", tain::overload(KIND(float, "float"), KIND(double, "double")))
      .def("bounds.double_float", tain::overload(KIND(double, "double"), KIND(float, "float")))
      .def("bounds.duration_double",
           tain::overload(KIND(std::chrono::seconds, "duration"), KIND(double, "double")))
      .def("bounds.double_duration",
           tain::overload(KIND(double, "double"), KIND(std::chrono::seconds, "duration")))
      .def("bounds.any_enum", tain::overload(KIND(tain::Any, "any"), KIND(Color, "enum")))
      .def("bounds.enum_any", tain::overload(KIND(Color, "enum"), KIND(tain::Any, "any")))
      // numbers
      .def("bounds.double", [](double x) { return x; })
      .def("bounds.float", [](float x) { return x; })
      .def("bounds.int", [](int64_t x) { return x; })
      .def("bounds.doubles", [](std::vector<double> x) { return x; })
      .def("bounds.by_double", [](std::map<double, int64_t> x) { return x; })
      .def("bounds.tensor", [](tain::TensorRef<const double, 1> x) { return x.size(0); })
      .def("bounds.seconds", [](std::chrono::seconds x) { return x.count(); })
      .def("bounds.millis", [](std::chrono::milliseconds x) { return x.count(); })
      .def("bounds.nanos", [](std::chrono::nanoseconds x) { return x.count(); })
      .def("bounds.tenths", [](std::chrono::duration<int32_t, std::ratio<1, 10>> x) {
        return x.count();
      })
      .def("bounds.real_seconds", [](std::chrono::duration<double> x) { return x.count(); })
      .def("bounds.maybe", [](std::optional<int64_t> n) { return n.value_or(-1); },
           tain::arg("n") = std::nullopt)
      .def("bounds.pointer", [](void* p) { return reinterpret_cast<uintptr_t>(p); })
      .def("bounds.text", [](std::string x) { return x; })
      // paths
      .def("bounds.extension", [](const std::filesystem::path& p) { return p.extension(); },
           tain::arg("path"))
      .def("bounds.paths", [](const std::vector<std::filesystem::path>& p) { return p.size(); },
           tain::arg("paths"))
      .def("bounds.path_or_int",
           [](const std::variant<int64_t, std::filesystem::path>& p) { return p.index(); },
           tain::arg("path"))
      .def("bounds.path_from", [](const std::function<std::filesystem::path()>& f) { return f(); });
}
"""

tain.cpp.load_inline("bounds", cpp_sources=SOURCE, extra_cflags=["-O0"])
