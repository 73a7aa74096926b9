// SPDX-License-Identifier: Apache-2.0
// Types with state that is no registered field: in members of their own, in padding, in parents.
#include <memory>
#include <vector>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace {

/// Counts calls in a member that is not registered.
struct CounterObj : tain::Object {
  tain::String name = "c";
  std::vector<int64_t> hits;
  void Hit() { hits.push_back(1); }
  int64_t Count() const { return static_cast<int64_t>(hits.size()); }
  TAIN_OBJECT("testing.state.Counter", CounterObj, tain::Object);
};
struct ChildObj : CounterObj {
  int64_t own = 0;
  TAIN_OBJECT("testing.state.Child", ChildObj, CounterObj);
};
/// Its fields have all of its state; there is padding behind each.
struct PaddedObj : tain::Object {
  virtual ~PaddedObj() = default;
  int32_t a = 1;
  double b = 2;
  bool c = false;
  TAIN_OBJECT("testing.state.Padded", PaddedObj, tain::Object);
};
struct InPaddingObj : tain::Object {
  int32_t a = 1;
  int32_t hidden = 3;
  double b = 2;
  TAIN_OBJECT("testing.state.InPadding", InPaddingObj, tain::Object);
};
struct CachedObj : tain::Object {
  int64_t a = 1;
  double cache = 0;
  TAIN_OBJECT("testing.state.Cached", CachedObj, tain::Object);
};
struct OwnPartObj : CachedObj {
  int64_t hidden = 1;
  TAIN_OBJECT("testing.state.OwnPart", OwnPartObj, CachedObj);
};
struct SaysSoObj : tain::Object {
  static constexpr bool _type_transient = true;
  int64_t a = 1;
  double cache = 0;
  TAIN_OBJECT("testing.state.SaysSo", SaysSoObj, tain::Object);
};
struct OwnerObj : tain::Object {
  int64_t a = 1;
  int64_t* owned = new int64_t(1);
  ~OwnerObj() { delete owned; }
  TAIN_OBJECT("testing.state.Owner", OwnerObj, tain::Object);
};
struct UniqueObj : tain::Object {
  int64_t a = 1;
  std::unique_ptr<int64_t> owned = std::make_unique<int64_t>(1);
  TAIN_OBJECT("testing.state.Unique", UniqueObj, tain::Object);
};
struct StatefulObj : tain::Object {
  int64_t a = 1;
  int64_t hidden = 0;
  TAIN_OBJECT("testing.state.Stateful", StatefulObj, tain::Object);
};

namespace lib {

struct Private {
  int32_t x = 1;
  int32_t Hidden() const { return y_; }
  void Hide(int32_t y) { y_ = y; }

 private:
  int32_t y_ = 2;
};
struct Sharing : std::enable_shared_from_this<Sharing> {
  virtual ~Sharing() = default;
  int64_t x = 1;
};
struct Owner {
  int64_t x = 1;
  int64_t* owned = new int64_t(1);
  ~Owner() { delete owned; }
};

}  // namespace lib
}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<CounterObj>()
      .def_rw("name", &CounterObj::name)
      .def_init_fields()
      .def("hit", &CounterObj::Hit)
      .def_property("count", &CounterObj::Count);
  refl::ObjectDef<ChildObj>().def_rw("own", &ChildObj::own).def_init_fields();
  refl::ObjectDef<PaddedObj>()
      .def_rw("a", &PaddedObj::a)
      .def_rw("b", &PaddedObj::b)
      .def_rw("c", &PaddedObj::c)
      .def_init_fields();
  refl::ObjectDef<InPaddingObj>()
      .def_rw("a", &InPaddingObj::a)
      .def_rw("b", &InPaddingObj::b)
      .def_init_fields();
  refl::ObjectDef<CachedObj>(tain::transient()).def_rw("a", &CachedObj::a).def_init_fields();
  refl::ObjectDef<OwnPartObj>().def_init_fields();
  refl::ObjectDef<SaysSoObj>().def_rw("a", &SaysSoObj::a).def_init_fields();
  refl::ObjectDef<OwnerObj>(tain::no_copy(), tain::transient())
      .def_rw("a", &OwnerObj::a)
      .def_init_fields();
  refl::ObjectDef<UniqueObj>().def_rw("a", &UniqueObj::a).def_init_fields();
  refl::ObjectDef<StatefulObj>()
      .def_rw("a", &StatefulObj::a)
      .def_init_fields()
      .def("hide", [](StatefulObj& self, int64_t value) { self.hidden = value; })
      .def("__getstate__", [](const StatefulObj& self) { return self.hidden; })
      .def("__setstate__", [](StatefulObj& self, int64_t state) { self.hidden = state; });
  refl::ObjectDef<tain::Boxed<lib::Private>>("testing.state.Private")
      .def_init<>()
      .def_rw("x", &lib::Private::x)
      .def("hide", &lib::Private::Hide)
      .def_property("hidden", &lib::Private::Hidden);
  refl::ObjectDef<tain::Boxed<lib::Sharing>>("testing.state.Sharing")
      .def_init<>()
      .def_rw("x", &lib::Sharing::x);
  refl::ObjectDef<tain::Boxed<lib::Owner>>("testing.state.Owned", tain::no_copy())
      .def_init<>()
      .def_rw("x", &lib::Owner::x);
}
