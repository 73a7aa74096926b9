// SPDX-License-Identifier: Apache-2.0
// cpptoml in Python, with pybind11.
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "../value.h"

namespace py = pybind11;
using namespace py::literals;

namespace {

using cpptoml::array;
using cpptoml::base;
using cpptoml::local_date;
using cpptoml::table;
using cpptoml::table_array;

document::Value Item(const table& self, const std::string& key) {
  if (!self.contains(key)) throw py::key_error(key);
  return document::ValueOf(self.get(key));
}

auto FieldsOf(const local_date& date) { return std::tuple(date.year, date.month, date.day); }

}  // namespace

PYBIND11_MODULE(toml_pb, m) {
  py::register_exception<cpptoml::parse_exception>(m, "ParseError", PyExc_ValueError);
  py::class_<local_date>(m, "Date")
      .def(py::init([](int year, int month, int day) { return local_date{year, month, day}; }),
           "year"_a = 0, "month"_a = 0, "day"_a = 0)
      .def_readwrite("year", &local_date::year)
      .def_readwrite("month", &local_date::month)
      .def_readwrite("day", &local_date::day)
      .def(
          "__eq__",
          [](const local_date& a, const local_date& b) { return FieldsOf(a) == FieldsOf(b); },
          py::is_operator())
      .def("__hash__", [](const local_date& date) { return py::hash(py::cast(FieldsOf(date))); })
      .def("__repr__",
           [](const local_date& date) {
             return py::str("toml.Date(year={}, month={}, day={})")
                 .format(date.year, date.month, date.day);
           })
      .def(py::pickle([](const local_date& date) { return FieldsOf(date); },
                      [](const std::tuple<int, int, int>& state) {
                        return std::make_from_tuple<local_date>(state);
                      }));

  py::class_<base, std::shared_ptr<base>> element(m, "Element");
  py::class_<table, base, std::shared_ptr<table>> of_table(m, "Table");
  py::class_<array, base, std::shared_ptr<array>> of_array(m, "Array");
  py::class_<table_array, base, std::shared_ptr<table_array>> of_tables(m, "TableArray");
  element.def("is_value", &base::is_value)
      .def("is_table", &base::is_table)
      .def("as_table", &base::as_table)
      .def("as_array", &base::as_array)
      .def("clone", [](const base& self) { return document::ValueOf(self.clone()); })
      .def("__str__", document::Text<base>);
  of_table.def(py::init(&cpptoml::make_table))
      .def("element", &table::get, "key"_a)
      .def("qualified", &table::get_qualified, "key"_a)
      .def("erase", &table::erase, "key"_a)
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
  of_array.def(py::init(&cpptoml::make_array))
      .def("append",
           [](array& self, const std::shared_ptr<base>& element) { self.get().push_back(element); })
      .def("append",
           [](array& self, const document::Scalar& value) {
             self.get().push_back(document::ElementOf(value));
           })
      .def("__len__", [](const array& self) { return self.get().size(); })
      .def("__getitem__",
           [](const array& self, size_t index) { return document::ValueOf(self.get().at(index)); });
  of_tables.def("append", &table_array::push_back, "table"_a)
      .def("__len__", [](const table_array& self) { return self.get().size(); })
      .def("__getitem__",
           [](const table_array& self, size_t index) { return self.get().at(index); });

  m.def("parse", document::Parse, "text"_a, py::call_guard<py::gil_scoped_release>());
  m.def("parse_file", cpptoml::parse_file, "filename"_a, py::call_guard<py::gil_scoped_release>());
}
