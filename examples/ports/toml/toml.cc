// SPDX-License-Identifier: Apache-2.0
// cpptoml in Python, with tain.
#include <tain/boxed.h>
#include <tain/reflection/error_def.h>
#include <tain/stl.h>
#include <tain/tain.h>

#include "value.h"

namespace {

using cpptoml::array;
using cpptoml::base;
using cpptoml::local_date;
using cpptoml::table;
using cpptoml::table_array;

document::Value Item(const table& self, const std::string& key) {
  if (!self.contains(key)) TAIN_THROW(KeyError) << key;
  return document::ValueOf(self.get(key));
}

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  using tain::Boxed;
  using tain::boxed_base;

  // Not tain::thread_safe(): tables and arrays may change while they are read.
  refl::ErrorDef<cpptoml::parse_exception>("toml.ParseError", "ValueError");
  refl::ObjectDef<Boxed<local_date>>("toml.Date", tain::value_hash())
      .def_init_fields()
      .def_rw("year", &local_date::year)
      .def_rw("month", &local_date::month)
      .def_rw("day", &local_date::day);

  tain::declare_boxed<base>("toml.Element");
  tain::declare_boxed<table>("toml.Table", boxed_base<base>());
  tain::declare_boxed<array>("toml.Array", boxed_base<base>());
  tain::declare_boxed<table_array>("toml.TableArray", boxed_base<base>());
  refl::ObjectDef<Boxed<base>>("toml.Element")
      .def("is_value", &base::is_value)
      .def("is_table", &base::is_table)
      .def("as_table", &base::as_table)
      .def("as_array", &base::as_array)
      .def("clone", [](const base& self) { return document::ValueOf(self.clone()); })
      .def("__str__", document::Text<base>);
  refl::ObjectDef<Boxed<table>>("toml.Table", boxed_base<base>())
      .def_static("__create__", cpptoml::make_table)
      .def("element", &table::get, arg("key"))
      .def("qualified", &table::get_qualified, arg("key"))
      .def("erase", &table::erase, arg("key"))
      .def("insert", [](table& self, const std::string& key,
                        const std::shared_ptr<base>& element) { self.insert(key, element); })
      .def("keys", document::Keys)
      .def("__len__", document::Size)
      .def("__contains__", &table::contains)
      .def("__getitem__", Item)
      .def("__setitem__", [](table& self, const std::string& key,
                             const std::shared_ptr<base>& element) { self.insert(key, element); })
      .def("__setitem__", [](table& self, const std::string& key, const document::Scalar& value) {
        self.insert(key, document::ElementOf(value));
      });
  refl::ObjectDef<Boxed<array>>("toml.Array", boxed_base<base>())
      .def_static("__create__", cpptoml::make_array)
      .def("append",
           [](array& self, const std::shared_ptr<base>& element) { self.get().push_back(element); })
      .def("append",
           [](array& self, const document::Scalar& value) {
             self.get().push_back(document::ElementOf(value));
           })
      .def("__len__", [](const array& self) { return self.get().size(); })
      .def("__getitem__",
           [](const array& self, size_t index) { return document::ValueOf(self.get().at(index)); });
  refl::ObjectDef<Boxed<table_array>>("toml.TableArray", boxed_base<base>())
      .def("append", &table_array::push_back, arg("table"))
      .def("__len__", [](const table_array& self) { return self.get().size(); })
      .def("__getitem__",
           [](const table_array& self, size_t index) { return self.get().at(index); });

  refl::GlobalDef()
      .def("toml.parse", document::Parse, arg("text"), tain::release_gil())
      .def("toml.parse_file", cpptoml::parse_file, arg("filename"), tain::release_gil());
}

}  // namespace
