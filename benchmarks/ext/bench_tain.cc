// SPDX-License-Identifier: Apache-2.0
// The benchmark's types and functions in tain: described once, no binding code.
#include <tain/tain.h>

namespace bench {

struct PairObj : tain::Object {
  int64_t a;
  int64_t b;
  PairObj(int64_t a, int64_t b) : a(a), b(b) {}
  int64_t sum() const { return a + b; }
  int64_t plus(int64_t x) const { return a + x; }
  TAIN_OBJECT("bench.Pair", PairObj, tain::Object);
};

/// One field of each type.
struct FieldsObj : tain::Object {
  bool flag = true;
  int32_t i32 = 1;
  int64_t i64 = 2;
  double f64 = 1.5;
  tain::String text = "text";
  tain::Ref<PairObj> child = tain::Ref<PairObj>(tain::make_object<PairObj>(1, 2));
  tain::Any held;
  TAIN_OBJECT("bench.Fields", FieldsObj, tain::Object);
};

struct TextObj : tain::Object {
  tain::String text;
  explicit TextObj(tain::String text) : text(std::move(text)) {}
  TAIN_OBJECT("bench.Text", TextObj, tain::Object);
};

/// A link of a chain. Nothing is done for long chains: tain bounds the nesting of deletions itself.
struct NodeObj : tain::Object {
  int64_t value;
  tain::Ptr<NodeObj> next;
  NodeObj(int64_t value, tain::Ptr<NodeObj> next) : value(value), next(std::move(next)) {}
  TAIN_OBJECT("bench.Node", NodeObj, tain::Object);
};

struct Level0Obj : tain::Object {
  int64_t v = 1;
  int64_t get() const { return v; }
  TAIN_OBJECT("bench.Level0", Level0Obj, tain::Object);
};
#define BENCH_LEVEL(n, parent)                                        \
  struct Level##n##Obj : Level##parent##Obj {                         \
    TAIN_OBJECT("bench.Level" #n, Level##n##Obj, Level##parent##Obj); \
  };
BENCH_LEVEL(1, 0)
BENCH_LEVEL(2, 1)
BENCH_LEVEL(3, 2)
BENCH_LEVEL(4, 3)
BENCH_LEVEL(5, 4)
BENCH_LEVEL(6, 5)
BENCH_LEVEL(7, 6)
BENCH_LEVEL(8, 7)
#undef BENCH_LEVEL

tain::Array<int64_t> MakeArray(int64_t n) {
  tain::Array<int64_t> array;
  for (int64_t i = 0; i < n; ++i) array.push_back(i);
  return array;
}

tain::Map<tain::String, int64_t> MakeMap(int64_t n) {
  tain::Map<tain::String, int64_t> map;
  for (int64_t i = 0; i < n; ++i) map.Set(tain::String("key" + std::to_string(i)), i);
  return map;
}

int64_t CallN(const tain::Function& f, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += f(i).cast<int64_t>();
  return sum;
}

/// The sum over a chain.
int64_t Walk(const NodeObj* node) {
  int64_t sum = 0;
  for (; node != nullptr; node = node->next.get()) sum += node->value;
  return sum;
}

/// The same object at every call.
tain::Ref<PairObj> Fetch() {
  static const tain::Ref<PairObj> kept = tain::Ref<PairObj>(tain::make_object<PairObj>(1, 2));
  return kept;
}

/// A method that C++ calls and Python may override.
struct ShapeObj : tain::Object {
  TAIN_VIRTUAL(scaled)
  virtual int64_t scaled_impl(int64_t x) const { return x + 1; }
  virtual ~ShapeObj() = default;
  TAIN_OBJECT("bench.Shape", ShapeObj, tain::Object);
};

int64_t CallVirtual(const ShapeObj& shape, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += shape.scaled(i);
  return sum;
}

template <class... L>
void DefineLevels() {
  (tain::reflection::ObjectDef<L>().template def_init<>(), ...);
}

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::LibraryDef().set(tain::thread_safe());  // as nanobind's functions are
  refl::ObjectDef<PairObj>(tain::thread_safe())
      .def_init<int64_t, int64_t>(arg("a"), arg("b"))
      .def_rw("a", &PairObj::a)
      .def_rw("b", &PairObj::b)
      .def("sum", &PairObj::sum)
      .def("plus", &PairObj::plus);
  refl::ObjectDef<FieldsObj>()
      .def_init<>()
      .def_rw("flag", &FieldsObj::flag)
      .def_rw("i32", &FieldsObj::i32)
      .def_rw("i64", &FieldsObj::i64)
      .def_rw("f64", &FieldsObj::f64)
      .def_rw("text", &FieldsObj::text)
      .def_rw("child", &FieldsObj::child)
      .def_rw("held", &FieldsObj::held);
  refl::ObjectDef<TextObj>().def_init<tain::String>().def_rw("text", &TextObj::text);
  refl::ObjectDef<NodeObj>()
      .def_init<int64_t, tain::Ptr<NodeObj>>()
      .def_ro("value", &NodeObj::value)
      .def_ro("next", &NodeObj::next);
  refl::ObjectDef<ShapeObj>().def_init<>().def_virtual("scaled", &ShapeObj::scaled_impl, arg("x"));
  refl::ObjectDef<Level0Obj>().def_init<>().def_rw("v", &Level0Obj::v).def("get", &Level0Obj::get);
  DefineLevels<Level1Obj, Level2Obj, Level3Obj, Level4Obj, Level5Obj, Level6Obj, Level7Obj,
               Level8Obj>();
  using I = int64_t;
  refl::GlobalDef()
      .def("bench.nop", [] {})
      .def("bench.add_one", [](I x) { return x + 1; })
      .def("bench.echo_int", [](I x) { return x; })
      .def("bench.echo_float", [](double x) { return x; })
      .def("bench.echo_str", [](std::string_view x) { return std::string(x); })
      .def("bench.echo_bytes", [](tain::Bytes x) { return x; })
      .def("bench.echo_obj", [](tain::Ref<PairObj> x) { return x; })
      .def("bench.echo_any", [](tain::Any x) { return x; })
      .def("bench.arity0", [] { return I{0}; })
      .def("bench.arity1", [](I a) { return a; })
      .def("bench.arity2", [](I a, I b) { return a + b; })
      .def("bench.arity3", [](I a, I b, I c) { return a + b + c; })
      .def("bench.arity4", [](I a, I b, I c, I d) { return a + b + c + d; })
      .def("bench.arity5", [](I a, I b, I c, I d, I e) { return a + b + c + d + e; })
      .def("bench.arity6", [](I a, I b, I c, I d, I e, I f) { return a + b + c + d + e + f; })
      .def("bench.arity7",
           [](I a, I b, I c, I d, I e, I f, I g) { return a + b + c + d + e + f + g; })
      .def("bench.arity12", [](I a, I b, I c, I d, I e, I f, I g, I h, I i, I j, I k,
                               I l) { return a + b + c + d + e + f + g + h + i + j + k + l; })
      .def("bench.arity16",
           [](I a, I b, I c, I d, I e, I f, I g, I h, I i, I j, I k, I l, I m, I n, I o, I p) {
             return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
           })
      .def("bench.arity8",
           [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; })
      .def(
          "bench.add", [](I a, I b) { return a + b; }, arg("a"), arg("b") = 2)
      .def(
          "bench.kw1", [](I a) { return a; }, arg("a"))
      .def(
          "bench.kw2", [](I a, I b) { return a + b; }, arg("a"), arg("b"))
      .def(
          "bench.kw4", [](I a, I b, I c, I d) { return a + b + c + d; }, arg("a"), arg("b"),
          arg("c"), arg("d"))
      .def(
          "bench.kw8",
          [](I a, I b, I c, I d, I e, I f, I g, I h) { return a + b + c + d + e + f + g + h; },
          arg("a"), arg("b"), arg("c"), arg("d"), arg("e"), arg("f"), arg("g"), arg("h"))
      .def("bench.fetch", Fetch)
      .def("bench.walk", Walk)
      .def("bench.call_n", CallN)
      .def("bench.call_virtual", CallVirtual)
      .def("bench.make_array", MakeArray)
      .def("bench.make_map", MakeMap)
      .def("bench.take_ints", [](tain::Array<I> x) { return static_cast<I>(x.size()); })
      .def("bench.copy_ints", [](tain::Array<I> x) { return static_cast<I>(x.size()); })
      .def("bench.set_first",
           [](tain::Array<tain::Any> x) {  // of Any: no element is looked at
             x.Set(0, 7);                  // copies an Array that others hold too
             return x;
           })
      .def("bench.take_dicts", [](tain::Array<tain::Map<tain::String, tain::Any>> x) {
        return static_cast<I>(x.size());
      });
}

}  // namespace bench
