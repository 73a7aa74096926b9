// SPDX-License-Identifier: Apache-2.0
// The functions that documents and users know: echo, apply, nop, add_one, test_raise_error ...
#include <string>

#include "tain/reflection/global_def.h"

namespace tain_testing {
namespace {

using tain::Any;
using tain::Args;
using tain::Function;

Any Apply(const Function& f, Args args) { return f.CallPacked(args); }

void RaiseError(const std::string& kind, const std::string& message) {
  throw tain::Error(kind, message);
}

DLDevice DeviceTest(DLDevice device, int32_t device_type, int32_t device_id) {
  TAIN_CHECK_EQ(static_cast<int32_t>(device.device_type), device_type);
  TAIN_CHECK_EQ(device.device_id, device_id);
  return device;
}

/// A curried sum: a function that returns a function.
Function MakeAdder(int64_t a) {
  return [a](int64_t b) { return a + b; };
}

/// The kinds of the arguments as text, to see what arrived.
std::string Describe(Args args) {
  std::string text;
  for (int32_t i = 0; i < args.size(); ++i) {
    text += (i == 0 ? "" : ", ") + Any(args[i]).GetTypeKey();
  }
  return text;
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def(
          "testing.echo", [](Any x) { return x; }, arg("x"), "Returns its argument.",
          tain::thread_safe())
      .def("testing.apply", Apply, arg("f"), arg("args"), "Calls f(*args).")
      .def(
          "testing.nop", [] {}, "Does nothing.", tain::thread_safe())
      .def(
          "testing.add_one", [](int64_t x) { return x + 1; }, arg("x"), "x + 1.",
          tain::thread_safe())
      .def("testing.test_raise_error", RaiseError, arg("kind"), arg("message"),
           "Raises an error of a kind.", tain::thread_safe())
      .def(
          "testing.object_use_count", [](const tain::Object& x) { return x.use_count(); }, arg("x"),
          "Number of strong references of an object.")
      .def("testing.device_test", DeviceTest, arg("device"), arg("device_type"), arg("device_id"),
           "Returns the device if type and id are those given.", tain::thread_safe())
      .def("testing.make_adder", MakeAdder, arg("a"), tain::thread_safe())
      .def_packed(
          "testing.packed_count",
          [](Args args, Any* result) { *result = static_cast<int64_t>(args.size()); },
          tain::thread_safe())
      .def_packed(
          "testing.packed_last",
          [](Args args) -> Any {
            if (args.size() == 0) return nullptr;
            return args[args.size() - 1];
          },
          tain::thread_safe())
      .def("testing.describe", Describe, tain::thread_safe());
}

}  // namespace tain_testing
