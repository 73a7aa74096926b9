// SPDX-License-Identifier: Apache-2.0
// The benchmark's types and functions bound by hand with static nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/stl/bind_map.h>
#include <nanobind/stl/bind_vector.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

// What follows must come after nanobind.h.
#include <nanobind/intrusive/counter.h>
#include <nanobind/intrusive/ref.h>
#include <nanobind/intrusive/counter.inl>

namespace nb = nanobind;

NB_MAKE_OPAQUE(std::vector<int64_t>)
NB_MAKE_OPAQUE(std::map<std::string, int64_t>)

namespace {

struct Pair {
  int64_t a;
  int64_t b;
  Pair(int64_t a, int64_t b) : a(a), b(b) {}
  int64_t sum() const { return a + b; }
};

/// A child with an intrusive count: once it has a Python object it keeps that for its whole life.
struct Child : nb::intrusive_base {
  int64_t a = 1;
  int64_t b = 2;
};

/// A parent whose child's Python object lives as long as Python uses it, as in tain.
struct SharedFields {
  std::shared_ptr<Pair> child = std::make_shared<Pair>(1, 2);
};

struct Fields {
  bool flag = true;
  int32_t i32 = 1;
  int64_t i64 = 2;
  double f64 = 1.5;
  std::string text = "text";
  nb::ref<Child> child = new Child();
};

template <int kDepth>
struct Level : Level<kDepth - 1> {};
template <>
struct Level<0> {
  int64_t v = 1;
};

template <int kDepth>
void BindLevel(nb::module_& m) {
  if constexpr (kDepth == 0) {
    nb::class_<Level<0>>(m, "Level0").def(nb::init<>()).def_rw("v", &Level<0>::v);
  } else {
    BindLevel<kDepth - 1>(m);
    const std::string name = "Level" + std::to_string(kDepth);
    nb::class_<Level<kDepth>, Level<kDepth - 1>>(m, name.c_str()).def(nb::init<>());
  }
}

std::vector<int64_t> MakeArray(int64_t n) {
  std::vector<int64_t> array;
  for (int64_t i = 0; i < n; ++i) array.push_back(i);
  return array;
}

std::map<std::string, int64_t> MakeMap(int64_t n) {
  std::map<std::string, int64_t> map;
  for (int64_t i = 0; i < n; ++i) map["key" + std::to_string(i)] = i;
  return map;
}

int64_t CallN(const nb::callable& f, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += nb::cast<int64_t>(f(i));
  return sum;
}

}  // namespace

NB_MODULE(bench_nanobind, m) {
  nb::set_leak_warnings(false);
  nb::intrusive_init([](PyObject* o) noexcept { Py_INCREF(o); },
                     [](PyObject* o) noexcept { Py_DECREF(o); });
  nb::class_<Pair>(m, "Pair")
      .def(nb::init<int64_t, int64_t>(), nb::arg("a"), nb::arg("b"))
      .def_rw("a", &Pair::a)
      .def_rw("b", &Pair::b)
      .def("sum", &Pair::sum);
  nb::class_<Child>(m, "Child", nb::intrusive_ptr<Child>([](Child* o, PyObject* po) noexcept {
                      o->set_self_py(po);
                    }))
      .def(nb::init<>());
  nb::class_<Fields>(m, "Fields")
      .def(nb::init<>())
      .def_rw("flag", &Fields::flag)
      .def_rw("i32", &Fields::i32)
      .def_rw("i64", &Fields::i64)
      .def_rw("f64", &Fields::f64)
      .def_rw("text", &Fields::text)
      .def_rw("child", &Fields::child);
  nb::class_<SharedFields>(m, "SharedFields")
      .def(nb::init<>())
      .def_rw("child", &SharedFields::child);
  BindLevel<8>(m);
  nb::bind_vector<std::vector<int64_t>>(m, "IntVector");
  nb::bind_map<std::map<std::string, int64_t>>(m, "IntMap");
  using I = int64_t;
  m.def("nop", [] {});
  m.def("add_one", [](I x) { return x + 1; });
  m.def("echo_int", [](I x) { return x; });
  m.def("echo_float", [](double x) { return x; });
  m.def("echo_str", [](std::string_view x) { return std::string(x); });
  m.def("echo_bytes", [](nb::bytes x) { return nb::bytes(x.c_str(), x.size()); });
  m.def("echo_obj", [](Pair& x) -> Pair& { return x; }, nb::rv_policy::reference);
  m.def("arity0", [] { return I{0}; });
  m.def("arity1", [](I a) { return a; });
  m.def("arity2", [](I a, I b) { return a + b; });
  m.def("arity3", [](I a, I b, I c) { return a + b + c; });
  m.def("arity4", [](I a, I b, I c, I d) { return a + b + c + d; });
  m.def("arity5", [](I a, I b, I c, I d, I e) { return a + b + c + d + e; });
  m.def("arity6", [](I a, I b, I c, I d, I e, I f) { return a + b + c + d + e + f; });
  m.def("arity7", [](I a, I b, I c, I d, I e, I f, I g) { return a + b + c + d + e + f + g; });
  m.def("arity8",
        [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; });
  m.def("call_n", CallN);
  m.def("make_array", MakeArray);
  m.def("make_map", MakeMap);
  m.def("take_ints", [](const std::vector<I>& x) { return static_cast<I>(x.size()); });
}
