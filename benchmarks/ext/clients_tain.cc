// SPDX-License-Identifier: Apache-2.0
// The types and functions of clients_tvm.cc, written with tain's headers.
#include <tain/tain.h>

namespace clients {

namespace {

using I = int64_t;
using V = tain::TensorView;

struct PairObj : tain::Object {
  I a;
  I b;
  PairObj(I a, I b) : a(a), b(b) {}
  I sum() const { return a + b; }
  TAIN_OBJECT("clients.Pair", PairObj, tain::Object);
};
using Pair = tain::Ptr<PairObj>;

/// The same, for a Python class with a constructor of its own.
struct OwnObj : tain::Object {
  I a;
  I b;
  OwnObj(I a, I b) : a(a), b(b) {}
  TAIN_OBJECT("clients.Own", OwnObj, tain::Object);
};

struct FiveObj : tain::Object {
  I number;
  double factor;
  bool flag;
  tain::String text;
  Pair child;
  FiveObj(I number, double factor, bool flag, tain::String text, Pair child)
      : number(number),
        factor(factor),
        flag(flag),
        text(std::move(text)),
        child(std::move(child)) {}
  TAIN_OBJECT("clients.Five", FiveObj, tain::Object);
};

I Raises(I x) { TAIN_THROW(ValueError) << "no " << x; }

I CallN(const tain::Function& f, I n) {
  I sum = 0;
  for (I i = 0; i < n; ++i) sum += f(i).cast<I>();
  return sum;
}

I CallByC(const tain::Function& f, I n) {
  TainObject* handle = tain::internal::ObjectAccess::Header(f.get());
  I sum = 0;
  for (I i = 0; i < n; ++i) {
    TainAny argument{};
    argument.type_index = kTainInt;
    argument.v_int64 = i;
    TainAny result{};
    if (TainFunctionCall(handle, &argument, 1, &result) != 0) return -1;
    sum += result.v_int64;
  }
  return sum;
}

I CatchN(const tain::Function& f, I n) {
  I caught = 0;
  for (I i = 0; i < n; ++i) {
    try {
      f(i);
    } catch (const tain::Error&) {
      ++caught;
    }
  }
  return caught;
}

I FindN(I n) {
  I found = 0;
  for (I i = 0; i < n; ++i) found += tain::Function::GetGlobal("clients.arity1").has_value();
  return found;
}

I MakeObjects(I n) {
  I sum = 0;
  for (I i = 0; i < n; ++i) sum += tain::make_object<PairObj>(i, i)->a;
  return sum;
}

I MakeStrings(I n) {
  I sum = 0;
  for (I i = 0; i < n; ++i) sum += tain::String("more characters than fit").size();
  return sum;
}

I AppendN(I n) {
  tain::Array<I> array;
  for (I i = 0; i < n; ++i) array.push_back(i);
  return static_cast<I>(array.size());
}

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<PairObj>()
      .def_init<I, I>()
      .def_rw("a", &PairObj::a)
      .def_rw("b", &PairObj::b)
      .def("sum", &PairObj::sum);
  refl::ObjectDef<OwnObj>().def_init<I, I>().def_rw("a", &OwnObj::a).def_rw("b", &OwnObj::b);
  refl::ObjectDef<FiveObj>()
      .def_init<I, double, bool, tain::String, Pair>()
      .def_rw("number", &FiveObj::number)
      .def_rw("factor", &FiveObj::factor)
      .def_rw("flag", &FiveObj::flag)
      .def_rw("text", &FiveObj::text)
      .def_rw("child", &FiveObj::child);
  refl::GlobalDef()
      .def("clients.arity0", [] { return I{0}; })
      .def("clients.arity1", [](I a) { return a; })
      .def("clients.arity3", [](I a, I b, I c) { return a + b + c; })
      .def("clients.echo_str", [](tain::String x) { return x; })
      .def("clients.echo_object", [](Pair x) { return x; })
      .def("clients.raises", Raises)
      .def("clients.call_n", CallN)
      .def("clients.call_by_c", CallByC)
      .def("clients.catch_n", CatchN)
      .def("clients.find_n", FindN)
      .def("clients.make_objects", MakeObjects)
      .def("clients.make_strings", MakeStrings)
      .def("clients.append_n", AppendN)
      .def("clients.take_ints", [](tain::Array<I> x) { return static_cast<I>(x.size()); })
      .def("clients.view", [](V x) { return x.size(0); })
      .def("clients.three_views", [](V a, V b, V c) { return a.size(0) + b.size(0) + c.size(0); })
      .def("clients.echo_tensor", [](tain::Tensor x) { return x; });
}

}  // namespace

}  // namespace clients
