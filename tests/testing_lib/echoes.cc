// SPDX-License-Identifier: Apache-2.0
// testing.echo_*: a function for every type that crosses, which returns what it got.
#include <string>
#include <string_view>

#include "testing_types.h"

namespace tain_testing {
namespace {

using tain::Any;
using tain::Array;
using tain::Bytes;
using tain::Dict;
using tain::Function;
using tain::List;
using tain::Map;
using tain::Optional;
using tain::String;
using tain::reflection::GlobalDef;

/// P is the parameter's type, R the result's.
template <class P, class R = std::decay_t<P>, class... Flags>
void Echo(GlobalDef& def, const char* name, Flags... flags) {
  def.def(name, [](P x) -> R { return R(x); }, tain::arg("x"), flags...);
}
/// The same of values that nobody can change.
template <class P, class R = std::decay_t<P>>
void EchoSafely(GlobalDef& def, const char* name) {
  Echo<P, R>(def, name, tain::thread_safe());
}

void RegisterNumbers(GlobalDef& def) {
  EchoSafely<bool>(def, "testing.echo_bool");
  EchoSafely<int8_t>(def, "testing.echo_int8");
  EchoSafely<int16_t>(def, "testing.echo_int16");
  EchoSafely<int32_t>(def, "testing.echo_int32");
  EchoSafely<int64_t>(def, "testing.echo_int64");
  EchoSafely<uint8_t>(def, "testing.echo_uint8");
  EchoSafely<uint16_t>(def, "testing.echo_uint16");
  EchoSafely<uint32_t>(def, "testing.echo_uint32");
  EchoSafely<uint64_t>(def, "testing.echo_uint64");
  EchoSafely<char>(def, "testing.echo_char");
  EchoSafely<long long>(def, "testing.echo_long_long");
  EchoSafely<float>(def, "testing.echo_float");
  EchoSafely<double>(def, "testing.echo_double");
  EchoSafely<const int64_t&>(def, "testing.echo_int_cref");
}

void RegisterTexts(GlobalDef& def) {
  EchoSafely<std::string>(def, "testing.echo_str");
  EchoSafely<const std::string&>(def, "testing.echo_str_cref");
  EchoSafely<std::string_view, std::string>(def, "testing.echo_string_view");
  EchoSafely<const char*, std::string>(def, "testing.echo_c_str");
  EchoSafely<String>(def, "testing.echo_string");
  EchoSafely<const String&>(def, "testing.echo_string_cref");
  EchoSafely<Bytes>(def, "testing.echo_bytes");
}

// Those of containers are not thread_safe: a List or Dict may change while it is converted.
void RegisterContainers(GlobalDef& def) {
  Echo<Array<Any>>(def, "testing.echo_array");
  Echo<Array<int64_t>>(def, "testing.echo_array_int");
  Echo<Array<double>>(def, "testing.echo_array_double");
  Echo<Array<String>>(def, "testing.echo_array_str");
  Echo<Array<Point>>(def, "testing.echo_array_point");
  Echo<Array<Array<int64_t>>>(def, "testing.echo_array_array_int");
  Echo<List<Any>>(def, "testing.echo_list");
  Echo<List<int64_t>>(def, "testing.echo_list_int");
  Echo<Map<Any, Any>>(def, "testing.echo_map");
  Echo<Map<String, int64_t>>(def, "testing.echo_map_str_int");
  Echo<Map<String, Array<int64_t>>>(def, "testing.echo_map_str_array_int");
  Echo<Dict<Any, Any>>(def, "testing.echo_dict");
  Echo<Dict<String, int64_t>>(def, "testing.echo_dict_str_int");
  EchoSafely<Optional<int64_t>>(def, "testing.echo_optional_int");
  EchoSafely<Optional<String>>(def, "testing.echo_optional_str");
  Echo<Optional<Point>>(def, "testing.echo_optional_point");
  Echo<Optional<Array<int64_t>>>(def, "testing.echo_optional_array_int");
  Echo<tain::Tuple<int64_t, String>>(def, "testing.echo_tuple_int_str");
  Echo<tain::Variant<int64_t, String>>(def, "testing.echo_variant_int_str");
  Echo<tain::Shape>(def, "testing.echo_shape");
}

// Nor are those of objects: such a call holds them, which tests of reference counts would see.
void RegisterObjects(GlobalDef& def) {
  Echo<Point>(def, "testing.echo_point");
  Echo<const Point&>(def, "testing.echo_point_cref");
  Echo<tain::Ptr<PointObj>>(def, "testing.echo_point_ptr");
  Echo<PointObj*>(def, "testing.echo_point_bare");
  def.def("testing.echo_point_ref", [](PointObj& p) -> PointObj& { return p; }, tain::arg("x"));
  Echo<tain::ObjectRef>(def, "testing.echo_object");
  Echo<Function>(def, "testing.echo_function");
  Echo<tain::TypedFunction<int64_t(int64_t)>>(def, "testing.echo_typed_function");
  EchoSafely<DLDevice>(def, "testing.echo_device");
  EchoSafely<DLDataType>(def, "testing.echo_dtype");
  EchoSafely<void*>(def, "testing.echo_pointer");
  EchoSafely<std::nullptr_t>(def, "testing.echo_none");
  Echo<tain::AnyView, Any>(def, "testing.echo_any_view");
}

/// Containers that C++ makes, to see that they arrive.
void RegisterMakers(GlobalDef& def) {
  def.def(
         "testing.make_array", [] { return Array<int64_t>{1, 2, 3}; }, tain::thread_safe())
      .def(
          "testing.make_list", [] { return List<Any>{1, "two", nullptr}; }, tain::thread_safe())
      .def(
          "testing.make_map", [] { return Map<String, int64_t>{{"a", 1}, {"b", 2}}; },
          tain::thread_safe())
      .def(
          "testing.list_push", [](List<Any> list, Any value) { list.push_back(std::move(value)); },
          tain::arg("list"), tain::arg("value"))
      .def(
          "testing.array_push",
          [](Array<Any> array, Any value) {
            array.push_back(std::move(value));
            return array;
          },
          tain::arg("array"), tain::arg("value"), "A copy with one more element, unless moved in.")
      .def(
          "testing.array_sum",
          [](const Array<int64_t>& values) {
            int64_t sum = 0;
            for (int64_t v : values) sum += v;
            return sum;
          },
          tain::arg("values"));
}

}  // namespace

TAIN_REGISTER {
  GlobalDef def;
  RegisterNumbers(def);
  RegisterTexts(def);
  RegisterContainers(def);
  RegisterObjects(def);
  RegisterMakers(def);
}

}  // namespace tain_testing
