// SPDX-License-Identifier: Apache-2.0
// keep_alive: objects of both kinds that store a pointer to an argument of a call.
//
// A dead Source has the value -1. A Keeper says what it read of its Source when it died.
#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include "tain/boxed.h"
#include "tain/tain.h"

namespace testing {
namespace {

/// Memory that is never given back, so that a dead object can be read.
template <class T>
T* MakeForEver() {
  return new T;
}

/// What a keeper points to; its memory outlives it.
struct Source {
  std::array<int64_t, 2>* numbers = MakeForEver<std::array<int64_t, 2>>();
  explicit Source(int64_t value = 7) { numbers->fill(value); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { numbers->fill(-1); }
};
struct SourceObj : tain::Object, Source {
  using Source::Source;
  tain::Any link;  // with which Python closes cycles
  TAIN_OBJECT("testing.keeping.Source", SourceObj, tain::Object);
};
struct BoxedSource : Source {
  using Source::Source;
};

int64_t last_read = 0;

/// Points to a Source that it does not own.
struct Keeper {
  const Source* source = nullptr;
  ~Keeper() {
    if (source != nullptr) last_read = Read();
  }
  int64_t Read() const { return source == nullptr ? 0 : (*source->numbers)[0]; }
  void Point(const Source* given) { source = given; }
};
struct KeeperObj : tain::Object, Keeper {
  KeeperObj() = default;
  explicit KeeperObj(const SourceObj* given) { source = given; }
  KeeperObj(const SourceObj& given, bool) { source = &given; }
  TAIN_OBJECT("testing.keeping.Keeper", KeeperObj, tain::Object);
};
struct BoxedKeeper : Keeper {
  explicit BoxedKeeper(const SourceObj* given) { source = given; }
};
/// A trivial class, whose deletion runs no destructor.
struct PlainKeeperObj : tain::Object {
  const Source* source = nullptr;
  int64_t Read() const { return source == nullptr ? 0 : (*source->numbers)[0]; }
  TAIN_OBJECT("testing.keeping.PlainKeeper", PlainKeeperObj, tain::Object);
};

template <class K>
K* Pointing(K* keeper, const Source* source) {
  keeper->source = source;
  return keeper;
}

tain::Ref<KeeperObj> Made(const SourceObj* source) {
  auto keeper = tain::make_object<KeeperObj>();
  keeper->source = source;
  return tain::Ref<KeeperObj>(keeper);
}

}  // namespace
}  // namespace testing

TAIN_REGISTER {
  using namespace testing;
  namespace refl = tain::reflection;
  using tain::arg, tain::keep_alive;
  refl::ObjectDef<SourceObj>().def_init<int64_t>(arg("value") = 7).def_rw("link", &SourceObj::link);
  refl::ObjectDef<tain::Boxed<BoxedSource>>("testing.keeping.BoxedSource").def_init<>();

  refl::ObjectDef<KeeperObj>()
      .def_init<>()
      .def_init<const SourceObj*>(arg("source"), keep_alive<0, 1>())
      .def_init<const SourceObj&, bool>(arg("source"), arg("again"), keep_alive<0, 1>())
      .def("read", &KeeperObj::Read)
      .def(
          "point", [](KeeperObj& self, const SourceObj* source) { self.Point(source); },
          arg("source"), keep_alive<1, 2>())
      .def(
          "point_boxed", [](KeeperObj& self, const BoxedSource& source) { self.Point(&source); },
          arg("source"), keep_alive<1, 2>())
      .def(
          "point_and_throw",
          [](KeeperObj& self, const SourceObj* source) {
            self.Point(source);
            throw std::runtime_error("after it was stored");
          },
          arg("source"), keep_alive<1, 2>())
      .def(
          "point_of_many",
          [](KeeperObj& self, const tain::Array<tain::Ref<SourceObj>>& sources) {
            self.Point(sources[0].get());
          },
          arg("sources"), keep_alive<1, 2>())
      .def("point_either",
           tain::overload([](KeeperObj& self, const SourceObj* source) { self.Point(source); },
                          [](KeeperObj& self, const BoxedSource& source) { self.Point(&source); }),
           keep_alive<1, 2>())
      .def_property(
          "source", [](const KeeperObj& self) { return self.source != nullptr; },
          [](KeeperObj& self, const SourceObj* source) { self.Point(source); }, keep_alive<1, 2>());
  refl::ObjectDef<tain::Boxed<BoxedKeeper>>("testing.keeping.BoxedKeeper")
      .def_init<const SourceObj*>(arg("source"), keep_alive<0, 1>())
      .def("read", &BoxedKeeper::Read)
      .def(
          "point", [](BoxedKeeper& self, const SourceObj* source) { self.Point(source); },
          arg("source"), keep_alive<1, 2>())
      .def(
          "point_boxed", [](BoxedKeeper& self, const BoxedSource* source) { self.Point(source); },
          arg("source"), tain::no_keep_alive(), keep_alive<1, 2>());
  refl::ObjectDef<PlainKeeperObj>().def("read", &PlainKeeperObj::Read);

  refl::GlobalDef()
      .def("testing.keeping.last_read", [] { return last_read; })
      .def("testing.keeping.made", &Made, arg("source"), keep_alive<0, 1>())
      .def("testing.keeping.made_with_default", &Made,
           arg("source").factory(tain::Function([] { return tain::make_object<SourceObj>(); })),
           keep_alive<0, 1>())
      .def(
          "testing.keeping.made_plain",
          [](const SourceObj* source) {
            auto keeper = tain::make_object<PlainKeeperObj>();
            keeper->source = source;
            return tain::Ref<PlainKeeperObj>(keeper);
          },
          arg("source"), keep_alive<0, 1>())
      .def(
          "testing.keeping.made_or_none",
          [](const SourceObj* source) {
            return source == nullptr ? tain::Ptr<KeeperObj>() : tain::Ptr<KeeperObj>(Made(source));
          },
          arg("source") = nullptr, keep_alive<0, 1>())
      .def("testing.keeping.made_with_short_form",
           tain::with_defaults([](int64_t, const SourceObj* source) { return Made(source); },
                               [](int64_t) { return Made(nullptr); }),
           arg("number"), arg("source").optional(), keep_alive<0, 2>())
      .def(
          "testing.keeping.many",
          [](const SourceObj* source) {
            return tain::Array<tain::Ref<KeeperObj>>{Made(source), Made(source)};
          },
          arg("source"), keep_alive<0, 1>())
      .def(
          "testing.keeping.anything",
          [](const tain::Any& value, const SourceObj*) { return value; }, arg("value"),
          arg("source"), keep_alive<0, 2>())
      .def(
          "testing.keeping.any_first", [](const tain::Any&, const SourceObj*) {}, arg("keeper"),
          arg("source"), keep_alive<1, 2>())
      .def(
          "testing.keeping.kept_by_first",
          [](KeeperObj& keeper) {
            auto source = tain::make_object<SourceObj>(11);
            keeper.source = source.get();
            return tain::Ref<SourceObj>(source);
          },
          arg("keeper"), keep_alive<1, 0>())
      .def(
          "testing.keeping.tensor",
          [](const SourceObj& source) {
            return tain::Tensor::View(source.numbers->data(), {2}, nullptr);
          },
          arg("source"), keep_alive<0, 1>())
      .def(
          "testing.keeping.array",
          [](const SourceObj& source) {
            return tain::Tensor::View(source.numbers->data(), {2}, nullptr);
          },
          arg("source"), keep_alive<0, 1>(), tain::as_numpy())
      .def(
          "testing.keeping.view_first", [](KeeperObj&, tain::TensorView) {}, arg("keeper"),
          arg("view"), keep_alive<1, 2>())
      .def(
          "testing.keeping.text_after",
          [](const KeeperObj&, const SourceObj*) { return std::string("a text"); }, arg("keeper"),
          arg("source"), keep_alive<1, 2>())
      .def_packed(
          "testing.keeping.packed",
          [](tain::Args args) -> tain::Any { return Made(args[0].cast<SourceObj*>()); },
          keep_alive<0, 1>())
      .def(
          "testing.keeping.call_with_view",
          [](const tain::Function& callback, KeeperObj* keeper) {
            const auto tensor = tain::Tensor::Empty({2}, DLDataType{kDLFloat, 64, 1});
            callback(keeper, tain::TensorView(tensor));
          },
          arg("callback"), arg("keeper"))
      .def(
          "testing.keeping.lend",
          [](const tain::Function& callback) {
            BoxedSource source;
            callback(&source);
          },
          arg("callback"));
}
