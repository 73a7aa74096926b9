// SPDX-License-Identifier: Apache-2.0
// A client library of TVM FFI for tvm_clients.py: it runs on apache-tvm-ffi and, as it is, on tain.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace clients {

namespace {

namespace ffi = tvm::ffi;
using I = int64_t;
using V = ffi::TensorView;

class PairObj : public ffi::Object {
 public:
  I a;
  I b;
  PairObj(I a, I b) : a(a), b(b) {}
  I sum() const { return a + b; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Pair", PairObj, ffi::Object);
};
class Pair : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, ffi::ObjectRef, PairObj);
};

/// The same, for a Python class with a constructor of its own.
class OwnObj : public ffi::Object {
 public:
  I a;
  I b;
  OwnObj(I a, I b) : a(a), b(b) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Own", OwnObj, ffi::Object);
};

class FiveObj : public ffi::Object {
 public:
  I number;
  double factor;
  bool flag;
  ffi::String text;
  Pair child;
  FiveObj(I number, double factor, bool flag, ffi::String text, Pair child)
      : number(number),
        factor(factor),
        flag(flag),
        text(std::move(text)),
        child(std::move(child)) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Five", FiveObj, ffi::Object);
};

I Raises(I x) { TVM_FFI_THROW(ValueError) << "no " << x; }

I CallN(const ffi::Function& f, I n) {
  I sum = 0;
  for (I i = 0; i < n; ++i) sum += f(i).cast<I>();
  return sum;
}

I CallByC(const ffi::Function& f, I n) {
  auto* handle = const_cast<ffi::FunctionObj*>(static_cast<const ffi::FunctionObj*>(f.get()));
  I sum = 0;
  for (I i = 0; i < n; ++i) {
    TVMFFIAny argument{};
    argument.type_index = kTVMFFIInt;
    argument.v_int64 = i;
    TVMFFIAny result{};
    if (TVMFFIFunctionCall(handle, &argument, 1, &result) != 0) return -1;
    sum += result.v_int64;
  }
  return sum;
}

I CatchN(const ffi::Function& f, I n) {
  I caught = 0;
  for (I i = 0; i < n; ++i) {
    try {
      f(i);
    } catch (const ffi::Error&) {
      ++caught;
    }
  }
  return caught;
}

I FindN(I n) {
  I found = 0;
  for (I i = 0; i < n; ++i) found += ffi::Function::GetGlobal("clients.arity1").has_value();
  return found;
}

I MakeObjects(I n) {
  I sum = 0;
  for (I i = 0; i < n; ++i) sum += ffi::make_object<PairObj>(i, i)->a;
  return sum;
}

I MakeStrings(I n) {
  I sum = 0;
  for (I i = 0; i < n; ++i) sum += ffi::String("more characters than fit").size();
  return sum;
}

I AppendN(I n) {
  ffi::Array<I> array;
  for (I i = 0; i < n; ++i) array.push_back(i);
  return static_cast<I>(array.size());
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PairObj>()
      .def(refl::init<I, I>())
      .def_rw("a", &PairObj::a)
      .def_rw("b", &PairObj::b)
      .def("sum", &PairObj::sum);
  refl::ObjectDef<OwnObj>().def(refl::init<I, I>()).def_rw("a", &OwnObj::a).def_rw("b", &OwnObj::b);
  refl::ObjectDef<FiveObj>()
      .def(refl::init<I, double, bool, ffi::String, Pair>())
      .def_rw("number", &FiveObj::number)
      .def_rw("factor", &FiveObj::factor)
      .def_rw("flag", &FiveObj::flag)
      .def_rw("text", &FiveObj::text)
      .def_rw("child", &FiveObj::child);
  refl::GlobalDef()
      .def("clients.arity0", [] { return I{0}; })
      .def("clients.arity1", [](I a) { return a; })
      .def("clients.arity3", [](I a, I b, I c) { return a + b + c; })
      .def("clients.echo_str", [](ffi::String x) { return x; })
      .def("clients.echo_object", [](Pair x) { return x; })
      .def("clients.raises", Raises)
      .def("clients.call_n", CallN)
      .def("clients.call_by_c", CallByC)
      .def("clients.catch_n", CatchN)
      .def("clients.find_n", FindN)
      .def("clients.make_objects", MakeObjects)
      .def("clients.make_strings", MakeStrings)
      .def("clients.append_n", AppendN)
      .def("clients.take_ints", [](ffi::Array<I> x) { return static_cast<I>(x.size()); })
      .def("clients.view", [](V x) { return x.size(0); })
      .def("clients.three_views", [](V a, V b, V c) { return a.size(0) + b.size(0) + c.size(0); })
      .def("clients.echo_tensor", [](ffi::Tensor x) { return x; });
}

}  // namespace

}  // namespace clients
