// SPDX-License-Identifier: Apache-2.0
// Types that cross by CustomTraits: std::complex, and a struct that knows nothing of tain.
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include "tain/stl.h"
#include "testing_types.h"

namespace third_party {

struct Rgb {
  uint8_t red = 0, green = 0, blue = 0;
};

}  // namespace third_party

template <>
struct tain::TypeTraits<std::complex<double>> : tain::CustomTraits<std::complex<double>> {
  static std::string type_str() { return "complex"; }
  static Any to_any(const std::complex<double>& z) { return MakeComplex(z.real(), z.imag()); }
  static std::optional<std::complex<double>> from_any(const AnyView& value) {
    const auto parts = ComplexParts(value);
    if (!parts) return std::nullopt;
    return std::complex<double>(parts->first, parts->second);
  }
};

template <>
struct tain::TypeTraits<third_party::Rgb> : tain::CustomTraits<third_party::Rgb> {
  static std::string type_str() { return "str"; }
  static Any to_any(const third_party::Rgb& c) {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", c.red, c.green, c.blue);
    return Any(std::string(text));
  }
  static std::optional<third_party::Rgb> from_any(const AnyView& value) {
    const auto text = value.try_cast<std::string>();
    unsigned red, green, blue;
    if (!text) return std::nullopt;
    if (std::sscanf(text->c_str(), "#%2x%2x%2x", &red, &green, &blue) != 3) {
      TAIN_THROW(ValueError) << "a colour is written #rrggbb, got " << *text;
    }
    return third_party::Rgb{static_cast<uint8_t>(red), static_cast<uint8_t>(green),
                            static_cast<uint8_t>(blue)};
  }
};

namespace tain_testing {
namespace {

struct PaintObj : tain::Object {
  third_party::Rgb colour;
  std::complex<double> phase{1, 2};
  TAIN_OBJECT("testing.Paint", PaintObj, tain::Object);
};

template <class T>
T Same(const T& value) {
  return value;
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::ObjectDef<PaintObj>("Fields of custom types.")
      .def_rw("colour", &PaintObj::colour)
      .def_rw("phase", &PaintObj::phase)
      .def_init_fields();
  tain::reflection::GlobalDef()
      .def("testing.echo_complex", Same<std::complex<double>>, arg("x"), tain::thread_safe())
      .def("testing.echo_complexes", Same<std::vector<std::complex<double>>>, arg("x"))
      .def("testing.echo_rgb", Same<third_party::Rgb>, arg("x") = third_party::Rgb{1, 2, 255},
           tain::thread_safe())
      .def("testing.echo_error", Same<tain::Error>, arg("x"))
      .def("testing.call_with_rgb", [](const tain::Function& f) { return f(third_party::Rgb()); });
}

}  // namespace tain_testing
