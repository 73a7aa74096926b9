// SPDX-License-Identifier: Apache-2.0
// Mistakes in registrations: each becomes one fault that says where and what, and nothing stays.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/reflection/enum_def.h"

using namespace tain_test;
using tain::arg;
using tain::Function;
using tain::reflection::GlobalDef;
using tain::reflection::ObjectDef;

namespace {

constexpr const char* kKeys[] = {"cpp_test.fault.T0",  "cpp_test.fault.T1",  "cpp_test.fault.T2",
                                 "cpp_test.fault.T3",  "cpp_test.fault.T4",  "cpp_test.fault.T5",
                                 "cpp_test.fault.T6",  "cpp_test.fault.T7",  "cpp_test.fault.T8",
                                 "cpp_test.fault.T9",  "cpp_test.fault.T10", "cpp_test.fault.T11",
                                 "cpp_test.fault.T12", "cpp_test.fault.T13", "cpp_test.fault.T14"};

// A class of its own for each mistake: a class whose registration was withdrawn stays so.
template <int kNumber>
struct FaultyObj : tain::Object {
  int64_t value = 0;
  double real = 0;
  FaultyObj() = default;
  explicit FaultyObj(int64_t value) : value(value) {}
  int64_t Get() const { return value; }
  TAIN_OBJECT(kKeys[kNumber], FaultyObj, tain::Object);
};

int64_t Add(int64_t a, int64_t b) { return a + b; }
bool IsGlobal(const char* name) { return Function::GetGlobal(name).has_value(); }

}  // namespace

TAIN_REGISTER { GlobalDef().def("cpp_test.fault.taken", Add); }

TEST_CASE("a duplicate field is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<0>>()
              .def_rw("value", &FaultyObj<0>::value)
              .def_ro("value", &FaultyObj<0>::real);
        }) == "cpp_test.fault.T0.value: the name is already that of a field");
}

TEST_CASE("a method of a field's name is a fault, and so is an overload that none can reach") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<1>>()
              .def_rw("value", &FaultyObj<1>::value)
              .def("value", &FaultyObj<1>::Get)
              .def("get", &FaultyObj<1>::Get)
              .def("get", [](const FaultyObj<1>& self) { return self.value; });
        }) ==
        "cpp_test.fault.T1.value: the name is already that of a field\n"
        "cpp_test.fault.T1.get: an overload with the same parameters is registered already: "
        "get() -> int");
}

TEST_CASE("a member of a name that Python keeps for classes is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<10>>()
              .def("__dict__", &FaultyObj<10>::Get)
              .def("__len__", &FaultyObj<10>::Get)
              .def_rw("__class__", &FaultyObj<10>::value)
              .def_static("__new__", [] { return 1; });
        }) ==
        "cpp_test.fault.T10.__dict__: the name belongs to Python, which keeps it for classes\n"
        "cpp_test.fault.T10.__class__: the name belongs to Python, which keeps it for classes\n"
        "cpp_test.fault.T10.__new__: the name belongs to Python, which keeps it for classes");
}

TEST_CASE("a second description is one fault, however much it says") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<2>>().def_rw("value", &FaultyObj<2>::value).def_init<>();
          ObjectDef<FaultyObj<2>>().def_rw("value", &FaultyObj<2>::value).def_init<int64_t>();
        }) == "cpp_test.fault.T2: described twice (a second ObjectDef)");
}

TEST_CASE("two constructors of the same parameters are a fault") {
  const std::string faults = FaultsOf([] {
    ObjectDef<FaultyObj<3>>().def_init<>().def_static(
        "__create__", [] { return tain::make_object<FaultyObj<3>>(); });
  });
  CHECK(faults ==
        "cpp_test.fault.T3: an overload with the same parameters is registered already: "
        "T3() -> cpp_test.fault.T3");
}

TEST_CASE("a constructor that returns no object of the type is a fault") {
  const std::string faults =
      FaultsOf([] { ObjectDef<FaultyObj<9>>().def_static("__create__", [](int) { return 5; }); });
  CHECK(faults ==
        "cpp_test.fault.T9.__create__: expected a function that returns an object of the type, its "
        "result is int");
}

TEST_CASE("an assignable member of a frozen type is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<4>>(tain::frozen())
              .def_rw("value", &FaultyObj<4>::value)
              .def_property(
                  "p", [](const FaultyObj<4>& self) { return self.value; },
                  [](FaultyObj<4>& self, int64_t v) { self.value = v; });
        }) ==
        "cpp_test.fault.T4.value: writable, but the type is frozen: use def_ro\n"
        "cpp_test.fault.T4.p: a setter, but the type is frozen");
}

TEST_CASE("a default that the field cannot take is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<5>>()
              .def_rw("value", &FaultyObj<5>::value, tain::default_("text"))
              .def_rw("real", &FaultyObj<5>::real, tain::default_factory(Function()))
              .def_init_fields();
        }) ==
        "cpp_test.fault.T5.value: expected a default of type int, got str\n"
        "cpp_test.fault.T5.real: expected a default of type Function (the factory), got None");
}

TEST_CASE("a default that does not fulfil the field's conditions is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<11>>()
              .def_rw("value", &FaultyObj<11>::value, tain::range(1, 3), tain::default_(0))
              .def_rw("real", &FaultyObj<11>::real, tain::range(1, 3), tain::default_(3))
              .def_init_fields();
        }) == "cpp_test.fault.T11.value: the default: expected int from 1 to 3, got int (0)");
}

TEST_CASE("an initializer that does not fulfil the field's conditions is a fault") {
  CHECK(
      FaultsOf([] {
        ObjectDef<FaultyObj<12>>()
            .def_rw("value", &FaultyObj<12>::value, tain::range(5, 9))
            .def_rw("real", &FaultyObj<12>::real, tain::range(-9, 9))
            .def_init_fields();
      }) ==
      "cpp_test.fault.T12.value: the member's initializer: expected int from 5 to 9, got int (0). "
      "Give the member another one, or the field a tain::default_()");
}

TEST_CASE("a default of a parameter that calls would share is a fault") {
  CHECK(FaultsOf([] {
          GlobalDef().def(
              "cpp_test.fault.f", [](tain::List<int64_t> x) { return x; },
              arg("x") = tain::List<int64_t>{1});
        }) ==
        "cpp_test.fault.f: the default of argument x can change and would be shared by all calls: "
        "give a function that makes it to arg(...).factory");
  CHECK(FaultsOf([] {
          GlobalDef().def(
              "cpp_test.fault.g", [](tain::Any x) { return x; },
              arg("x") = tain::Dict<tain::String, int64_t>{});
        }) ==
        "cpp_test.fault.g: the default of argument x can change and would be shared by all calls: "
        "give a function that makes it to arg(...).factory");
  CHECK(FaultsOf([] {
          GlobalDef()
              .def(
                  "cpp_test.fault.h", [](tain::List<int64_t> x) { return x; },
                  arg("x").factory([] { return tain::List<int64_t>{1}; }))
              .def(
                  "cpp_test.fault.i", [](tain::Array<int64_t> x) { return x; },
                  arg("x") = tain::Array<int64_t>{1});
        }) == "");
}

TEST_CASE("arguments that do not fit the parameters are faults that name the function") {
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a")); }) ==
        "cpp_test.fault.f: 1 tain::arg for 2 parameters: name all of them or none");
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a"), arg("b"), arg("c")); }) ==
        "cpp_test.fault.f: 3 tain::arg for 2 parameters: name all of them or none");
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a"), arg("a")); }) ==
        "cpp_test.fault.f: argument a: the name stands twice");
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a") = 1, arg("b")); }) ==
        "cpp_test.fault.f: argument b: has no default, but a parameter before it has one");
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a"), arg("")); }) ==
        "cpp_test.fault.f: argument 1: the name is empty");
  CHECK(FaultsOf([] {
          GlobalDef().def_packed(
              "cpp_test.fault.f", [](tain::Args) { return tain::Any(); }, arg("a"));
        }) == "cpp_test.fault.f: a packed function takes any arguments, so they cannot be named");
  CHECK(!IsGlobal("cpp_test.fault.f"));
}

TEST_CASE("a default that a parameter cannot take is a fault") {
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a"), arg("b") = "x"); }) ==
        "cpp_test.fault.f: the default of argument b: expected int, got str ('x')");
  CHECK(FaultsOf([] { GlobalDef().def("cpp_test.fault.f", Add, arg("a"), arg("b") = nullptr); }) ==
        "cpp_test.fault.f: the default of argument b: expected int, got None");
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<6>>();
          GlobalDef().def("cpp_test.fault.f", [](tain::Ref<FaultyObj<6>>) {}, arg("x") = 1);
        }) ==
        "cpp_test.fault.f: the default of argument x: expected cpp_test.fault.T6, got int (1)");
  CHECK(FaultsOf([] {
          GlobalDef().def("cpp_test.fault.f", Add, arg("a"), arg("b").factory(Function()));
        }) == "cpp_test.fault.f: the default of argument b: the function that makes it is null");
}

TEST_CASE("defaults that a call would convert are no faults") {
  CHECK(FaultsOf([] {
          GlobalDef()
              .def(
                  "cpp_test.fault.good1", [](double x) { return x; }, arg("x") = 1)
              .def(
                  "cpp_test.fault.good2", [](int64_t x) { return x; }, arg("x") = true)
              .def(
                  "cpp_test.fault.good3", [](tain::Ptr<FaultyObj<6>> p) { return p; },
                  arg("p") = nullptr)
              .def(
                  "cpp_test.fault.good4", [](tain::Any x) { return x; }, arg("x") = "anything")
              .def("cpp_test.fault.good5", [](Function f) { return f; }, arg("f") = nullptr);
        }) == "");
  CHECK(Function::GetGlobalRequired("cpp_test.fault.good1")().cast<double>() == 1.0);
}

TEST_CASE("one fault withdraws everything of the block") {
  const std::string faults = FaultsOf(
      [] { GlobalDef().def("cpp_test.fault.good", Add).def("cpp_test.fault.taken", Add); });
  CHECK(faults.find("cpp_test.fault.taken") != std::string::npos);
  CHECK(!IsGlobal("cpp_test.fault.good"));
  CHECK(IsGlobal("cpp_test.fault.taken"));
}

TEST_CASE("what registration code throws is a fault, whatever it is") {
  CHECK(FaultsOf([] { TAIN_THROW(ValueError) << "on purpose"; }) == "on purpose");
  CHECK(FaultsOf([] { throw std::runtime_error("of the standard"); }) == "of the standard");
  CHECK(FaultsOf([] { throw 42; }) ==
        "registration code threw something that is no std::exception");
}

TEST_CASE("a null function and an empty name are faults") {
  CHECK(FaultsOf([] { GlobalDef().def("", Add); }).find("empty") != std::string::npos);
  CHECK(FaultsOf([] { ObjectDef<FaultyObj<7>>().def("", &FaultyObj<7>::Get); }).find("empty") !=
        std::string::npos);
}

TEST_CASE("an enum whose key is taken is a fault") {
  enum class E { kA = 1 };
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<8>>();
          tain::reflection::EnumDef<E>("cpp_test.fault.T8").value("A", E::kA);
        }).find("cpp_test.fault.T8") != std::string::npos);
}

TEST_CASE("what is said of threads must not contradict itself") {
  CHECK(FaultsOf([] {
          ObjectDef<FaultyObj<13>>(tain::lock_receiver())
              .def("both", &FaultyObj<13>::Get, tain::lock_receiver(), tain::thread_safe())
              .def("free", &FaultyObj<13>::Get, tain::lock_receiver(), tain::release_gil())
              .def_static("make", Add, tain::lock_receiver());
          ObjectDef<FaultyObj<14>>(tain::lock_receiver(), tain::thread_safe());
        }) ==
        "cpp_test.fault.T13.both: lock_receiver() and thread_safe() exclude each other: say one of "
        "them\n"
        "cpp_test.fault.T13.free: lock_receiver() and release_gil() exclude each other: say one of "
        "them\n"
        "cpp_test.fault.T13.make: lock_receiver() is for methods and properties, and this function "
        "has no receiver: say thread_safe(), or nothing\n"
        "cpp_test.fault.T14: lock_receiver() and thread_safe() exclude each other: say one of "
        "them, and the other one at the methods that differ");
}
