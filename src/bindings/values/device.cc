// SPDX-License-Identifier: Apache-2.0
// The class tain.Device and the functions that make devices.
#include "values/device_dtype.h"

#include <nanobind/stl/string.h>

#include <charconv>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "base/bridge_lock.h"
#include "base/given_text.h"
#include "base/type_keys.h"
#include "objects/class_table.h"
#include "tain/internal/device_kinds.h"

namespace tain::bindings {
namespace {

using internal::DeviceKind;
using internal::kDeviceKinds;

std::string TypeNameOf(int32_t device_type) {
  const char* name = TainDeviceTypeName(device_type);
  return name == nullptr ? std::to_string(device_type) : name;  // of a later DLPack: the number
}

/// A name and the number that it stands for.
using Named = std::pair<std::string, int32_t>;

std::vector<Named> AllNames() {
  std::vector<Named> names;
  for (const DeviceKind& kind : kDeviceKinds) {
    names.emplace_back(kind.name, kind.number);
    if (kind.second_name != nullptr) names.emplace_back(kind.second_name, kind.number);
  }
  return names;
}

std::string KnownNames() {
  std::string names;
  for (const auto& [name, number] : AllNames()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

[[noreturn]] void ThrowText(std::string_view text, const std::string& hint) {
  ThrowValue("device(): expected the name of a device such as 'cuda' or 'cuda:1', got '" +
             std::string(text) + "'." + hint + " Known names: " + KnownNames());
}

/// Parses a number of digits only; -1 if the text has other characters or the number is too large.
int32_t ParseNumber(std::string_view text) noexcept {
  int32_t number = -1;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end && number >= 0 ? number : -1;
}

int32_t ParseType(std::string_view name, std::string_view whole) {
  std::vector<std::string> known;
  for (const auto& [known_name, device_type] : AllNames()) {
    if (name == known_name) return device_type;
    known.push_back(known_name);
  }
  const int32_t number = ParseNumber(name);
  if (number >= 0) return number;
  ThrowText(whole, NearMatches(name, known));
}

/// Converts a Python int in 0..2**31-1.
int32_t IndexOf(nb::handle object, const char* where) {
  if (!PyIndex_Check(object.ptr()) || PyBool_Check(object.ptr())) {
    ThrowGiven(std::string(where) + ": expected int", object);
  }
  const Py_ssize_t value = PyNumber_AsSsize_t(object.ptr(), nullptr);
  if (value < 0 || value > std::numeric_limits<int32_t>::max()) {
    ThrowError(PyExc_ValueError, "%s: expected int in 0..2147483647, got %R", where, object.ptr());
  }
  return static_cast<int32_t>(value);
}

DLDevice MakeDevice(int32_t device_type, int32_t index) noexcept {
  return {static_cast<DLDeviceType>(device_type), index};
}

/// Parses `cuda` or `cuda:1`. The argument `index` counts if the text has none.
DLDevice ParseDevice(std::string_view text, nb::handle index) {
  const size_t colon = text.find(':');
  const int32_t device_type = ParseType(text.substr(0, colon), text);
  if (colon == std::string_view::npos) {
    return MakeDevice(device_type, index.is_none() ? 0 : IndexOf(index, "device(): index"));
  }
  if (!index.is_none()) {
    ThrowText(text, " The index is given twice.");
  }
  const int32_t number = ParseNumber(text.substr(colon + 1));
  if (number < 0) ThrowText(text, " Expected a number from 0 on after the colon.");
  return MakeDevice(device_type, number);
}

DLDevice DeviceFrom(nb::handle device, nb::handle index) {
  if (nb::isinstance<Device>(device) && index.is_none()) {
    return nb::inst_ptr<Device>(device)->value;
  }
  if (PyUnicode_Check(device.ptr())) {
    return ParseDevice(TextFrom(device, "device()"), index);
  }
  if (PyIndex_Check(device.ptr()) && !PyBool_Check(device.ptr())) {
    return MakeDevice(IndexOf(device, "device(): type"),
                      index.is_none() ? 0 : IndexOf(index, "device(): index"));
  }
  if (std::string_view(TypeName(device.ptr())) == "torch.device" && index.is_none()) {
    return ParseDevice(TextFrom(nb::str(device), "device()"), nb::none());
  }
  ThrowGiven("device(): expected str or int", device);
}

std::string DeviceText(const Device& device) {
  return TypeNameOf(device.value.device_type) + ":" + std::to_string(device.value.device_id);
}

/// Returns the repr, with the text that the core writes for a device.
std::string DeviceRepr(const Device& device) { return "device('" + DeviceText(device) + "')"; }

nb::object DeviceEqual(const Device& self, nb::handle other) {
  if (!nb::isinstance<Device>(other)) return nb::borrow(Py_NotImplemented);
  const DLDevice& value = nb::inst_ptr<Device>(other)->value;
  return nb::bool_(self.value.device_type == value.device_type &&
                   self.value.device_id == value.device_id);
}

int64_t DeviceHash(const Device& self) {
  return (static_cast<int64_t>(self.value.device_type) << 32) | self.value.device_id;
}

}  // namespace

void DefineDevice(CoreModule& m) {
  CoreClass<Device>(m, "Device", nb::is_final(),
                    "A device: its kind and its number.\n\n"
                    "Device(\"cuda:7\"), Device(\"cuda\", 7) and Device(2, 7) are the same; the "
                    "number is 0 if none is given.")
      .def(
          "__init__",
          [](Device* self, nb::handle device, nb::handle index) {
            new (self) Device{DeviceFrom(device, index)};
          },
          nb::arg("device").none(), nb::arg("index").none() = nb::none(),
          nb::sig(
              "def __init__(self, device: str | int | Device, index: int | None = None) -> None"))
      .def_prop_ro(
          "device_type",
          [](const Device& self) { return static_cast<int32_t>(self.value.device_type); },
          "The number of the kind in DLPack: 1 for cpu, 2 for cuda ...")
      .def_prop_ro(
          "device_id", [](const Device& self) { return self.value.device_id; },
          "The number of the device among the devices of its kind.")
      .def_prop_ro(
          "type", [](const Device& self) { return TypeNameOf(self.value.device_type); },
          "The name of the kind: 'cpu', 'cuda' ...")
      .def_prop_ro(
          "index", [](const Device& self) { return self.value.device_id; },
          "The same as device_id.")
      .def(
          "dlpack_device_type",
          [](const Device& self) { return static_cast<int32_t>(self.value.device_type); },
          "Returns the same as device_type.")
      .def("__str__", &DeviceText)
      .def("__repr__", &DeviceRepr)
      .def("__eq__", &DeviceEqual, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &DeviceHash)
      .def(
          "__reduce__",
          [](nb::handle_t<Device> self) {
            const DLDevice& value = nb::inst_ptr<Device>(self)->value;
            return nb::make_tuple(
                self.type(),
                nb::make_tuple(static_cast<int32_t>(value.device_type), value.device_id));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

void DefineDevices(CoreModule& m) {
  m.def(
      "device",
      [](nb::handle device, nb::handle index) { return Device{DeviceFrom(device, index)}; },
      nb::arg("device").none(), nb::arg("index").none() = nb::none(),
      nb::sig("def device(device: str | int | Device, index: int | None = None) -> Device"),
      "A device by name and number: device(\"cuda:7\"), device(\"cuda\", 7) or device(2, 7).");
  for (const DeviceKind& kind : kDeviceKinds) {
    const int32_t device_type = kind.number;
    const std::string name = kind.name;
    const std::string where = name + "(): index";
    const std::string signature = "def " + name + "(index: int = 0) -> Device";
    m.def(
        name.c_str(),
        [device_type, where](nb::handle index) {
          return Device{MakeDevice(device_type, IndexOf(index, where.c_str()))};
        },
        nb::arg("index").none() = 0, nb::sig(signature.c_str()), kind.doc);
  }
  m.def(
      "device_kinds",
      [] {
        nb::list names = NewList();
        for (const DeviceKind& kind : kDeviceKinds) names.append(Text(kind.name));
        return nb::tuple(names);
      },
      nb::sig("def device_kinds() -> tuple[str, ...]"),
      "The names of the functions that make a device of a kind.");
}

}  // namespace tain::bindings
