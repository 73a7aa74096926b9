// SPDX-License-Identifier: Apache-2.0
// The benchmark's types and functions in apache-tvm-ffi, with its reflection headers.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <string>

namespace bench {

namespace ffi = tvm::ffi;

class PairObj : public ffi::Object {
 public:
  int64_t a;
  int64_t b;
  PairObj(int64_t a, int64_t b) : a(a), b(b) {}
  int64_t sum() const { return a + b; }
  int64_t plus(int64_t x) const { return a + x; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.Pair", PairObj, ffi::Object);
};
class Pair : public ffi::ObjectRef {
 public:
  Pair(int64_t a, int64_t b) { data_ = ffi::make_object<PairObj>(a, b); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, ffi::ObjectRef, PairObj);
};

class FieldsObj : public ffi::Object {
 public:
  bool flag = true;
  int32_t i32 = 1;
  int64_t i64 = 2;
  double f64 = 1.5;
  ffi::String text = "text";
  Pair child = Pair(1, 2);
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.Fields", FieldsObj, ffi::Object);
};

/// Keywords need the constructor that apache-tvm-ffi makes of the fields. Positional calls are
/// measured with `refl::init`, which is the faster of the two.
class KwPairObj : public ffi::Object {
 public:
  int64_t a = 0;
  int64_t b = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.KwPair", KwPairObj, ffi::Object);
};

class TextObj : public ffi::Object {
 public:
  ffi::String text;
  explicit TextObj(ffi::String text) : text(std::move(text)) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.Text", TextObj, ffi::Object);
};

/// A link of a chain. The destructor takes the chain apart in a loop, without which a long one
/// overflows the stack.
class NodeObj : public ffi::Object {
 public:
  int64_t value;
  ffi::ObjectRef next;
  NodeObj(int64_t value, ffi::ObjectRef next) : value(value), next(std::move(next)) {}
  ~NodeObj() {
    ffi::ObjectRef node = std::move(next);
    while (node.defined() && node.unique()) {
      auto* link = static_cast<const NodeObj*>(node.get());
      ffi::ObjectRef following = std::move(const_cast<NodeObj*>(link)->next);
      node = std::move(following);
    }
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.Node", NodeObj, ffi::Object);
};

class Level0Obj : public ffi::Object {
 public:
  int64_t v = 1;
  int64_t get() const { return v; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bench.Level0", Level0Obj, ffi::Object);
};
#define BENCH_LEVEL(n, parent)                                                        \
  class Level##n##Obj : public Level##parent##Obj {                                   \
   public:                                                                            \
    TVM_FFI_DECLARE_OBJECT_INFO("bench.Level" #n, Level##n##Obj, Level##parent##Obj); \
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

ffi::Array<int64_t> MakeArray(int64_t n) {
  ffi::Array<int64_t> array;
  for (int64_t i = 0; i < n; ++i) array.push_back(i);
  return array;
}

ffi::Map<ffi::String, int64_t> MakeMap(int64_t n) {
  ffi::Map<ffi::String, int64_t> map;
  for (int64_t i = 0; i < n; ++i) map.Set(ffi::String("key" + std::to_string(i)), i);
  return map;
}

int64_t CallN(ffi::Function f, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += f(i).cast<int64_t>();
  return sum;
}

/// The sum over a chain.
int64_t Walk(const ffi::ObjectRef& first) {
  int64_t sum = 0;
  const auto* node = static_cast<const NodeObj*>(first.get());
  for (; node != nullptr; node = static_cast<const NodeObj*>(node->next.get())) sum += node->value;
  return sum;
}

/// The same object at every call.
Pair Fetch() {
  static const Pair kept(1, 2);
  return kept;
}

template <class... L>
void DefineLevels() {
  namespace refl = tvm::ffi::reflection;
  (refl::ObjectDef<L>().def(refl::init<>()), ...);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PairObj>()
      .def(refl::init<int64_t, int64_t>())
      .def_rw("a", &PairObj::a)
      .def_rw("b", &PairObj::b)
      .def("sum", &PairObj::sum)
      .def("plus", &PairObj::plus);
  refl::ObjectDef<FieldsObj>()
      .def(refl::init<>())
      .def_rw("flag", &FieldsObj::flag)
      .def_rw("i32", &FieldsObj::i32)
      .def_rw("i64", &FieldsObj::i64)
      .def_rw("f64", &FieldsObj::f64)
      .def_rw("text", &FieldsObj::text)
      .def_rw("child", &FieldsObj::child);
  refl::ObjectDef<KwPairObj>().def_rw("a", &KwPairObj::a).def_rw("b", &KwPairObj::b);
  refl::ObjectDef<TextObj>().def(refl::init<ffi::String>()).def_rw("text", &TextObj::text);
  refl::ObjectDef<NodeObj>()
      .def(refl::init<int64_t, ffi::ObjectRef>())
      .def_ro("value", &NodeObj::value)
      .def_ro("next", &NodeObj::next);
  refl::ObjectDef<Level0Obj>()
      .def(refl::init<>())
      .def_rw("v", &Level0Obj::v)
      .def("get", &Level0Obj::get);
  DefineLevels<Level1Obj, Level2Obj, Level3Obj, Level4Obj, Level5Obj, Level6Obj, Level7Obj,
               Level8Obj>();
  using I = int64_t;
  refl::GlobalDef()
      .def("bench.nop", [] {})
      .def("bench.add_one", [](I x) { return x + 1; })
      .def("bench.echo_int", [](I x) { return x; })
      .def("bench.echo_float", [](double x) { return x; })
      .def("bench.echo_str", [](ffi::String x) { return x; })
      .def("bench.echo_bytes", [](ffi::Bytes x) { return x; })
      .def("bench.echo_obj", [](Pair x) { return x; })
      .def("bench.echo_any", [](ffi::Any x) { return x; })
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
      .def("bench.fetch", Fetch)
      .def("bench.walk", Walk)
      .def("bench.call_n", CallN)
      .def("bench.make_array", MakeArray)
      .def("bench.make_map", MakeMap)
      .def("bench.take_ints", [](ffi::Array<I> x) { return static_cast<I>(x.size()); })
      .def("bench.copy_ints", [](ffi::Array<I> x) { return static_cast<I>(x.size()); })
      .def("bench.take_dicts",
           [](ffi::Array<ffi::Map<ffi::String, ffi::Any>> x) { return static_cast<I>(x.size()); });
}

}  // namespace bench
