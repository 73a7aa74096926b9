// SPDX-License-Identifier: Apache-2.0
// Types of graphs that are saved and loaded.
#include <tain/graph/binary.h>
#include <tain/graph/upgrade.h>
#include <tain/tain.h>

#include <future>

namespace {

using tain::Any;
using tain::Array;
using tain::List;
using tain::Map;
using tain::ObjectPtr;
using tain::Optional;
using tain::Ref;
using tain::String;

/// Is made by its default constructor, so cycles may pass through it.
struct LinkObj : tain::Object {
  String name;
  ObjectPtr<LinkObj> next;
  Any value;
  TAIN_OBJECT("testing.save.Link", LinkObj, tain::Object);
};

/// Has a member that is never null, so it has no default constructor.
struct PairObj : tain::Object {
  Any first;
  Ref<LinkObj> link;
  PairObj(Any f, Ref<LinkObj> l) : first(std::move(f)), link(std::move(l)) {}
  TAIN_OBJECT("testing.save.Pair", PairObj, tain::Object);
};

/// Only pairs of its own kind can be in it.
struct OnlyPairObj : tain::Object {
  Array<Any> parts;
  Ref<tain::Object> other;
  OnlyPairObj(Array<Any> p, Ref<tain::Object> o) : parts(std::move(p)), other(std::move(o)) {}
  TAIN_OBJECT("testing.save.OnlyPair", OnlyPairObj, tain::Object);
};

enum class Mood : int8_t { kGood, kBad };

struct KindsObj : tain::Object {
  bool flag = false;
  int8_t i8 = 0;
  int16_t i16 = 0;
  int32_t i32 = 0;
  int64_t i64 = 0;
  uint8_t u8 = 0;
  uint16_t u16 = 0;
  uint32_t u32 = 0;
  uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  String text;
  tain::Bytes data;
  Mood mood = Mood::kGood;
  Optional<int64_t> maybe;
  Array<Ref<LinkObj>> links;
  TAIN_OBJECT("testing.save.Kinds", KindsObj, tain::Object);
};

/// Saves a text instead of its fields.
struct HookedObj : tain::Object {
  int64_t count = 0;
  TAIN_OBJECT("testing.save.Hooked", HookedObj, tain::Object);
};

/// Has fields with defaults, of which old data does not know.
struct GrownObj : tain::Object {
  int64_t old = 0;
  int64_t added = 0;
  List<Any> made;
  TAIN_OBJECT("testing.save.Grown", GrownObj, tain::Object);
};

/// Had other fields in version 1; C++ converts them.
struct RenamedObj : tain::Object {
  String name;
  TAIN_OBJECT("testing.save.Renamed", RenamedObj, tain::Object);
};

struct ConstObj : tain::Object {
  const int64_t number = 0;
  ConstObj() = default;
  explicit ConstObj(int64_t n) : number(n) {}
  TAIN_OBJECT("testing.save.Const", ConstObj, tain::Object);
};

struct AbstractObj : tain::Object {
  virtual int64_t area() const = 0;
  TAIN_OBJECT("testing.save.Abstract", AbstractObj, tain::Object);
};

Map<String, Any> UpgradeRenamed(Map<String, Any> fields, int64_t version) {
  if (version == 1) {
    fields.Set("name", fields["title"]);
    fields.erase("title");
  }
  return fields;
}

/// Loads in a thread of C++; what it throws is thrown here.
Any LoadInThread(const tain::Bytes& saved) {
  return std::async(std::launch::async,
                    [&] { return tain::LoadBinary({saved.data(), saved.size()}); })
      .get();
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::GlobalDef().def("testing.save.load_in_thread", LoadInThread, arg("saved"),
                        tain::release_gil());
  refl::EnumDef<Mood>("testing.save.Mood").value("GOOD", Mood::kGood).value("BAD", Mood::kBad);
  refl::ObjectDef<LinkObj>()
      .def_rw("name", &LinkObj::name)
      .def_rw("next", &LinkObj::next)
      .def_rw("value", &LinkObj::value)
      .def_init_fields();
  refl::ObjectDef<PairObj>()
      .def_ro("first", &PairObj::first)
      .def_ro("link", &PairObj::link)
      .def_init<Any, Ref<LinkObj>>(arg("first"), arg("link"));
  refl::ObjectDef<OnlyPairObj>()
      .def_rw("parts", &OnlyPairObj::parts)
      .def_rw("other", &OnlyPairObj::other)
      .def_init<Array<Any>, Ref<tain::Object>>(arg("parts"), arg("other"));
  refl::ObjectDef<KindsObj>()
      .def_rw("flag", &KindsObj::flag)
      .def_rw("i8", &KindsObj::i8)
      .def_rw("i16", &KindsObj::i16)
      .def_rw("i32", &KindsObj::i32)
      .def_rw("i64", &KindsObj::i64)
      .def_rw("u8", &KindsObj::u8)
      .def_rw("u16", &KindsObj::u16)
      .def_rw("u32", &KindsObj::u32)
      .def_rw("u64", &KindsObj::u64)
      .def_rw("f32", &KindsObj::f32)
      .def_rw("f64", &KindsObj::f64)
      .def_rw("text", &KindsObj::text)
      .def_rw("data", &KindsObj::data)
      .def_rw("mood", &KindsObj::mood)
      .def_rw("maybe", &KindsObj::maybe)
      .def_rw("links", &KindsObj::links)
      .def_init_fields();
  refl::ObjectDef<HookedObj>()
      .def_rw("count", &HookedObj::count)
      .def_init_fields()
      .def_type_attr("__data_to_json__", tain::Function::FromTyped([](const HookedObj* self) {
                       return String("count " + std::to_string(self->count));
                     }))
      .def_type_attr("__data_from_json__", tain::Function::FromTyped([](const String& text) {
                       auto made = tain::make_object<HookedObj>();
                       made->count = std::stoll(std::string(text).substr(6));
                       return made;
                     }));
  refl::ObjectDef<GrownObj>()
      .def_rw("old", &GrownObj::old)
      .def_rw("added", &GrownObj::added, tain::default_(int64_t{7}))
      .def_rw("made", &GrownObj::made,
              tain::default_factory(tain::Function::FromTyped([] { return List<Any>{1, 2}; })))
      .def_init_fields();
  refl::ObjectDef<RenamedObj>().def_rw("name", &RenamedObj::name).def_init_fields();
  refl::ObjectDef<ConstObj>().def_ro("number", &ConstObj::number).def_init<int64_t>(arg("number"));
  refl::ObjectDef<AbstractObj>();
  tain::RegisterUpgrade("testing.save.Renamed", &UpgradeRenamed, 2);
}
