// SPDX-License-Identifier: Apache-2.0
// The benchmark's types and functions bound by hand with pybind11.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl_bind.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace py = pybind11;

PYBIND11_MAKE_OPAQUE(std::vector<int64_t>)
using IntMap = std::map<std::string, int64_t>;
PYBIND11_MAKE_OPAQUE(IntMap)

namespace {

struct Pair {
  int64_t a;
  int64_t b;
  Pair(int64_t a, int64_t b) : a(a), b(b) {}
  int64_t sum() const { return a + b; }
  int64_t plus(int64_t x) const { return a + x; }
};

struct Fields {
  bool flag = true;
  int32_t i32 = 1;
  int64_t i64 = 2;
  double f64 = 1.5;
  std::string text = "text";
  std::shared_ptr<Pair> child = std::make_shared<Pair>(1, 2);
};

struct Text {
  std::string text;
  explicit Text(std::string text) : text(std::move(text)) {}
};

/// A link of a chain. The destructor takes the chain apart in a loop, without which a long one
/// overflows the stack.
struct Node {
  int64_t value;
  std::shared_ptr<Node> next;
  Node(int64_t value, std::shared_ptr<Node> next) : value(value), next(std::move(next)) {}
  ~Node() {
    std::shared_ptr<Node> node = std::move(next);
    while (node != nullptr && node.use_count() == 1) {
      std::shared_ptr<Node> following = std::move(node->next);
      node = std::move(following);
    }
  }
};

template <int kDepth>
struct Level : Level<kDepth - 1> {};
template <>
struct Level<0> {
  int64_t v = 1;
  int64_t get() const { return v; }
};

template <int kDepth>
void BindLevel(py::module_& m) {
  if constexpr (kDepth == 0) {
    py::class_<Level<0>>(m, "Level0")
        .def(py::init<>())
        .def_readwrite("v", &Level<0>::v)
        .def("get", &Level<0>::get);
  } else {
    BindLevel<kDepth - 1>(m);
    const std::string name = "Level" + std::to_string(kDepth);
    py::class_<Level<kDepth>, Level<kDepth - 1>>(m, name.c_str()).def(py::init<>());
  }
}

std::vector<int64_t> MakeArray(int64_t n) {
  std::vector<int64_t> array;
  for (int64_t i = 0; i < n; ++i) array.push_back(i);
  return array;
}

IntMap MakeMap(int64_t n) {
  IntMap map;
  for (int64_t i = 0; i < n; ++i) map["key" + std::to_string(i)] = i;
  return map;
}

int64_t Walk(const Node* node) {
  int64_t sum = 0;
  for (; node != nullptr; node = node->next.get()) sum += node->value;
  return sum;
}

/// The same object at every call.
std::shared_ptr<Pair> Fetch() {
  static const auto* kept = new std::shared_ptr<Pair>(std::make_shared<Pair>(1, 2));
  return *kept;
}

int64_t CallN(const py::function& f, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += f(i).cast<int64_t>();
  return sum;
}

}  // namespace

void BindArrays(py::module_& m);  // arrays_pybind11.cc
void BindBoxes(py::module_& m);   // boxes_pybind11.cc

PYBIND11_MODULE(bench_pybind11, m) {
  py::class_<Pair, std::shared_ptr<Pair>>(m, "Pair")
      .def(py::init<int64_t, int64_t>(), py::arg("a"), py::arg("b"))
      .def_readwrite("a", &Pair::a)
      .def_readwrite("b", &Pair::b)
      .def("sum", &Pair::sum)
      .def("plus", &Pair::plus);
  py::class_<Fields>(m, "Fields")
      .def(py::init<>())
      .def_readwrite("flag", &Fields::flag)
      .def_readwrite("i32", &Fields::i32)
      .def_readwrite("i64", &Fields::i64)
      .def_readwrite("f64", &Fields::f64)
      .def_readwrite("text", &Fields::text)
      .def_readwrite("child", &Fields::child);
  py::class_<Text>(m, "Text").def(py::init<std::string>()).def_readwrite("text", &Text::text);
  py::class_<Node, std::shared_ptr<Node>>(m, "Node")
      .def(py::init<int64_t, std::shared_ptr<Node>>())
      .def_readonly("value", &Node::value)
      .def_readonly("next", &Node::next);
  BindLevel<8>(m);
  BindArrays(m);
  BindBoxes(m);
  py::bind_vector<std::vector<int64_t>>(m, "IntVector");
  py::bind_map<IntMap>(m, "IntMap");
  py::implicitly_convertible<py::list, std::vector<int64_t>>();
  using I = int64_t;
  m.def("nop", [] {});
  m.def("add_one", [](I x) { return x + 1; });
  m.def("echo_int", [](I x) { return x; });
  m.def("echo_float", [](double x) { return x; });
  m.def("echo_str", [](std::string_view x) { return std::string(x); });
  // As with str: a view comes in, and what goes out is C++ memory.
  m.def("echo_bytes",
        [](const py::bytes& x) { return py::bytes(std::string(std::string_view(x))); });
  // As in nanobind's row: neither takes a share of the object, which is alive in Python anyway.
  m.def("echo_obj", [](Pair& x) -> Pair& { return x; }, py::return_value_policy::reference);
  m.def("echo_any", [](py::object x) { return x; });
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
  m.def("add", [](I a, I b) { return a + b; }, py::arg("a"), py::arg("b") = 2);
  m.def("kw1", [](I a) { return a; }, py::arg("a"));
  m.def("kw2", [](I a, I b) { return a + b; }, py::arg("a"), py::arg("b"));
  m.def(
      "kw4", [](I a, I b, I c, I d) { return a + b + c + d; }, py::arg("a"), py::arg("b"),
      py::arg("c"), py::arg("d"));
  m.def(
      "kw8", [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; },
      py::arg("a"), py::arg("b"), py::arg("c"), py::arg("d"), py::arg("e"), py::arg("f"),
      py::arg("g"), py::arg("h"));
  m.def("fetch", Fetch);
  m.def("walk", Walk);
  m.def("call_n", CallN);
  m.def("make_array", MakeArray);
  m.def("make_map", MakeMap);
  m.def("take_ints", [](const std::vector<I>& x) { return static_cast<I>(x.size()); });
  // What only reads the list would not be bound as a type: the caster copies it. The element type
  // is another one than IntVector's, because that is opaque in the whole module.
  m.def("copy_ints", [](const std::vector<long long>& x) { return static_cast<I>(x.size()); });
  using Record = std::map<std::string, std::variant<I, double, std::string>>;
  m.def("take_dicts", [](const std::vector<Record>& x) { return static_cast<I>(x.size()); });
}
