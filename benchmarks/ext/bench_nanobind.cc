// SPDX-License-Identifier: Apache-2.0
// The benchmark's types and functions bound by hand with static nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/stl/bind_map.h>
#include <nanobind/stl/bind_vector.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
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
  int64_t plus(int64_t x) const { return a + x; }
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
  nb::object held = nb::none();
};

struct Text {
  std::string text;
  explicit Text(std::string text) : text(std::move(text)) {}
};

/// A link of a chain, counted intrusively, which is what nanobind recommends for shared objects.
/// The destructor takes the chain apart in a loop, without which a long one overflows the stack.
struct Node : nb::intrusive_base {
  int64_t value;
  nb::ref<Node> next;
  Node(int64_t value, nb::ref<Node> next) : value(value), next(std::move(next)) {}
  ~Node() override {
    nb::ref<Node> node = std::move(next);
    while (node && node->self_py() != nullptr && Py_REFCNT(node->self_py()) == 1) {
      nb::ref<Node> following = std::move(node->next);
      node = std::move(following);
    }
  }
};

/// A method that C++ calls and Python may override.
struct Shape {
  virtual int64_t scaled(int64_t x) const { return x + 1; }
  virtual ~Shape() = default;
};
struct PyShape : Shape {
  NB_TRAMPOLINE(Shape, 1);
  int64_t scaled(int64_t x) const override { NB_OVERRIDE(scaled, x); }
};

int64_t CallVirtual(const Shape& shape, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += shape.scaled(i);
  return sum;
}

template <int kDepth>
struct Level : Level<kDepth - 1> {};
template <>
struct Level<0> {
  int64_t v = 1;
  int64_t get() const { return v; }
};

template <int kDepth>
void BindLevel(nb::module_& m) {
  if constexpr (kDepth == 0) {
    nb::class_<Level<0>>(m, "Level0")
        .def(nb::init<>())
        .def_rw("v", &Level<0>::v)
        .def("get", &Level<0>::get);
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

int64_t Walk(const Node* node) {
  int64_t sum = 0;
  for (; node != nullptr; node = node->next.get()) sum += node->value;
  return sum;
}

/// The same object at every call.
nb::ref<Child> Fetch() {
  static const nb::ref<Child>* kept = new nb::ref<Child>(new Child());
  return *kept;
}

int64_t CallN(const nb::callable& f, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += nb::cast<int64_t>(f(i));
  return sum;
}

}  // namespace

void BindArrays(nb::module_& m);  // arrays_nanobind.cc
void BindBoxes(nb::module_& m);   // boxes_nanobind.cc

NB_MODULE(bench_nanobind, m) {
  nb::set_leak_warnings(false);
  nb::intrusive_init([](PyObject* o) noexcept { Py_INCREF(o); },
                     [](PyObject* o) noexcept { Py_DECREF(o); });
  nb::class_<Pair>(m, "Pair")
      .def(nb::init<int64_t, int64_t>(), nb::arg("a"), nb::arg("b"))
      .def_rw("a", &Pair::a)
      .def_rw("b", &Pair::b)
      .def("sum", &Pair::sum)
      .def("plus", &Pair::plus);
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
      .def_rw("child", &Fields::child)
      .def_rw("held", &Fields::held, nb::arg().none());
  nb::class_<SharedFields>(m, "SharedFields")
      .def(nb::init<>())
      .def_rw("child", &SharedFields::child);
  nb::class_<Text>(m, "Text").def(nb::init<std::string>()).def_rw("text", &Text::text);
  nb::class_<Node>(m, "Node", nb::intrusive_ptr<Node>([](Node* o, PyObject* po) noexcept {
                     o->set_self_py(po);
                   }))
      .def(nb::init<int64_t, nb::ref<Node>>(), nb::arg(), nb::arg().none())
      .def_ro("value", &Node::value)
      .def_ro("next", &Node::next);
  nb::class_<Shape, PyShape>(m, "Shape").def(nb::init<>()).def("scaled", &Shape::scaled);
  BindLevel<8>(m);
  BindArrays(m);
  BindBoxes(m);
  nb::bind_vector<std::vector<int64_t>>(m, "IntVector");
  nb::bind_map<std::map<std::string, int64_t>>(m, "IntMap");
  using I = int64_t;
  m.def("nop", [] {});
  m.def("add_one", [](I x) { return x + 1; });
  m.def("echo_int", [](I x) { return x; });
  m.def("echo_float", [](double x) { return x; });
  m.def("echo_str", [](std::string_view x) { return std::string(x); });
  // As with str: a view comes in, and what goes out is C++ memory.
  m.def("echo_bytes", [](const nb::bytes& x) {
    const std::string owned(x.c_str(), x.size());
    return nb::bytes(owned.data(), owned.size());
  });
  m.def("echo_obj", [](Pair& x) -> Pair& { return x; }, nb::rv_policy::reference);
  m.def("echo_any", [](nb::object x) { return x; });
  m.def("arity0", [] { return I{0}; });
  m.def("arity1", [](I a) { return a; });
  m.def("arity2", [](I a, I b) { return a + b; });
  m.def("arity3", [](I a, I b, I c) { return a + b + c; });
  m.def("arity4", [](I a, I b, I c, I d) { return a + b + c + d; });
  m.def("arity5", [](I a, I b, I c, I d, I e) { return a + b + c + d + e; });
  m.def("arity6", [](I a, I b, I c, I d, I e, I f) { return a + b + c + d + e + f; });
  m.def("arity7", [](I a, I b, I c, I d, I e, I f, I g) { return a + b + c + d + e + f + g; });
  m.def("arity12", [](I a, I b, I c, I d, I e, I f, I g, I h, I i, I j, I k, I l) {
    return a + b + c + d + e + f + g + h + i + j + k + l;
  });
  m.def("arity16",
        [](I a, I b, I c, I d, I e, I f, I g, I h, I i, I j, I k, I l, I m, I n, I o, I p) {
          return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
        });
  m.def("arity8",
        [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; });
  m.def("add", [](I a, I b) { return a + b; }, nb::arg("a"), nb::arg("b") = 2);
  m.def("kw1", [](I a) { return a; }, nb::arg("a"));
  m.def("kw2", [](I a, I b) { return a + b; }, nb::arg("a"), nb::arg("b"));
  m.def(
      "kw4", [](I a, I b, I c, I d) { return a + b + c + d; }, nb::arg("a"), nb::arg("b"),
      nb::arg("c"), nb::arg("d"));
  m.def(
      "kw8", [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; },
      nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"), nb::arg("e"), nb::arg("f"),
      nb::arg("g"), nb::arg("h"));
  m.def("fetch", Fetch);
  m.def("walk", Walk, nb::arg().none());
  m.def("call_n", CallN);
  m.def("call_virtual", CallVirtual);
  m.def("make_array", MakeArray);
  m.def("make_map", MakeMap);
  m.def("take_ints", [](const std::vector<I>& x) { return static_cast<I>(x.size()); });
  // What only reads the list would not be bound as a type: the caster copies it. The element type
  // is another one than IntVector's, because that is opaque in the whole module.
  m.def("copy_ints", [](const std::vector<long long>& x) { return static_cast<I>(x.size()); });
  using Record = std::map<std::string, std::variant<I, double, std::string>>;
  m.def("take_dicts", [](const std::vector<Record>& x) { return static_cast<I>(x.size()); });
}
