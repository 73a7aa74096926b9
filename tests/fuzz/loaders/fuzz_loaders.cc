// SPDX-License-Identifier: Apache-2.0
// Feeds bytes to LoadJson and LoadBinary: the target of libFuzzer (`fuzz_loaders` in
// tools/stages.sh builds and runs it).
//
// The first byte says which loader gets the rest, and whether it comes in parts. What loads is saved
// again and loaded again, compared and copied, and its text must be text. If TAIN_FUZZ_SEEDS names a
// folder, graphs to begin with are written there.
#include <tain/graph/binary.h>
#include <tain/graph/copy.h>
#include <tain/graph/structural.h>
#include <tain/tain.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <unordered_set>

#include "base/utf8.h"

namespace {

using tain::Any;
using tain::Array;
using tain::Dict;
using tain::List;
using tain::Map;
using tain::Optional;
using tain::Ptr;
using tain::Ref;
using tain::String;

struct NodeObj : tain::Object {
  String name;
  Ptr<NodeObj> next;
  Any value;
  int8_t small = 0;
  uint32_t wide = 0;
  bool flag = false;
  float f32 = 0;
  double f64 = 0;
  Optional<int64_t> maybe;
  List<Any> items;
  TAIN_OBJECT("fuzz.Node", NodeObj, tain::Object);
};

struct PairObj : tain::Object {
  Any first;
  Ref<NodeObj> second;
  PairObj(Any f, Ref<NodeObj> s) : first(std::move(f)), second(std::move(s)) {}
  TAIN_OBJECT("fuzz.Pair", PairObj, tain::Object);
};

struct ListedObj : tain::Object {
  Array<Ref<NodeObj>> nodes;
  Map<String, int64_t> counts;
  tain::Bytes data;
  tain::Shape shape;
  TAIN_OBJECT("fuzz.Listed", ListedObj, tain::Object);
};

struct ChangedObj : tain::Object {
  int64_t now = 0;
  TAIN_OBJECT("fuzz.Changed", ChangedObj, tain::Object);
};

struct HookedObj : tain::Object {
  Any data;
  TAIN_OBJECT("fuzz.Hooked", HookedObj, tain::Object);
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<NodeObj>()
      .def_rw("name", &NodeObj::name)
      .def_rw("next", &NodeObj::next)
      .def_rw("value", &NodeObj::value)
      .def_rw("small", &NodeObj::small)
      .def_rw("wide", &NodeObj::wide)
      .def_rw("flag", &NodeObj::flag)
      .def_rw("f32", &NodeObj::f32)
      .def_rw("f64", &NodeObj::f64)
      .def_rw("maybe", &NodeObj::maybe)
      .def_rw("items", &NodeObj::items);
  refl::ObjectDef<PairObj>()
      .def_ro("first", &PairObj::first)
      .def_ro("second", &PairObj::second)
      .def_init<Any, Ref<NodeObj>>(arg("first"), arg("second"));
  refl::ObjectDef<ListedObj>()
      .def_rw("nodes", &ListedObj::nodes)
      .def_rw("counts", &ListedObj::counts)
      .def_rw("data", &ListedObj::data)
      .def_rw("shape", &ListedObj::shape);
  refl::ObjectDef<ChangedObj>().def_rw("now", &ChangedObj::now, tain::default_(int64_t{1}));
  refl::ObjectDef<HookedObj>()
      .def_rw("data", &HookedObj::data)
      .def_type_attr("__data_to_json__",
                     tain::Function::FromTyped([](const HookedObj* self) { return self->data; }))
      .def_type_attr("__data_from_json__", tain::Function::FromTyped([](Any data) {
                       auto made = tain::make_object<HookedObj>();
                       made->data = std::move(data);
                       return made;
                     }));
  tain::RegisterUpgrade(
      "fuzz.Changed",
      [](Map<String, Any> fields, int64_t version) {
        if (version < 2) fields.Set("now", fields.Get("old").value_or(Any(int64_t{2})));
        fields.erase("old");
        return fields;
      },
      2);
}

Any SeedGraph() {
  auto node = tain::make_object<NodeObj>();
  node->name = "a name of some length";
  node->value =
      List<Any>{1, 2.5, nullptr, true, String("text"), tain::BigInt("99999999999999999999")};
  node->next = tain::make_object<NodeObj>();
  node->next->value = Dict<Any, Any>{{String("key"), 300}, {7, tain::Bytes("\0\1", 2)}};
  auto listed = tain::make_object<ListedObj>();
  listed->nodes = {Ref<NodeObj>(node), Ref<NodeObj>(node->next)};
  listed->counts = {{"one", 1}};
  listed->shape = tain::Shape({2, 3});
  auto hooked = tain::make_object<HookedObj>();
  hooked->data = String("data");
  tain::Tensor tensor = tain::Tensor::Empty({2, 3}, DLDataType{kDLFloat, 32, 1}, {kDLCPU, 0});
  std::fill_n(static_cast<float*>(tensor->data), 6, 1.0F);
  return Array<Any>{node,
                    listed,
                    tain::make_object<PairObj>(1, Ref<NodeObj>(node)),
                    hooked,
                    tain::make_object<ChangedObj>(),
                    tensor,
                    DLDataType{kDLInt, 8, 1},
                    DLDevice{kDLCPU, 0}};
}

/// A graph with a cycle. Its objects live until the process ends.
Any SeedCycle() {
  auto node = tain::make_object<NodeObj>();
  node->next = node;
  node->items.push_back(node);
  return node;
}

/// A map with keys that lead to an object that is made last.
Any SeedKeys() {
  Dict<Any, Any> found;
  const Any pair = tain::make_object<PairObj>(found, tain::make_object<NodeObj>());
  found.Set(Array<Any>{pair}, 1);
  found.Set(Array<Any>{nullptr}, 2);
  found.Set(Map<Any, Any>{{1, pair}}, 3);
  return pair;
}

/// A graph whose parts are shared: there are 2**60 ways to its end.
Any SeedLadder() {
  Any part = String("end");
  for (int i = 0; i < 60; ++i) {
    part = i % 2 == 0 ? Any(Array<Any>{part, part}) : Any(Map<Any, Any>{{0, part}, {1, part}});
  }
  return part;
}

/// Text at the borders of what UTF-8 allows.
Any SeedText() {
  return Array<Any>{String("\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"),
                    String("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), String("\xED\xA0\x80")};
}

void WriteSeed(const std::string& folder, const char* name, char kind, const std::string& text) {
  std::ofstream(folder + "/" + name, std::ios::binary) << kind << text;
}

/// Calls `act` for each object that a value leads to, once.
template <class Act>
void ForEachObject(const Any& root, const Act& act) {
  std::vector<Any> open = {root};
  std::unordered_set<const TainObject*> known;
  while (!open.empty()) {
    const Any next = std::move(open.back());
    open.pop_back();
    if (next.type_index() < kTainStaticObjectBegin) continue;
    if (!known.insert(next.data().v_obj).second) continue;
    const auto add = [](TainObject* child, void* context) {
      TainAny view{};
      view.type_index = child->type_index;
      view.v_obj = child;
      static_cast<std::vector<Any>*>(context)->emplace_back(tain::AnyView(view));
      return 0;
    };
    TainObjectVisitEdges(next.data().v_obj, add, &open);
    act(next);
  }
}

/// Frees the cycles of what was loaded, as a host's garbage collector does.
void Cut(const Any& root) {
  std::vector<Any> all;  // nothing dies while others are visited
  ForEachObject(root, [&](const Any& one) { all.push_back(one); });
  for (const Any& one : all) TainObjectClearEdges(one.data().v_obj);
}

void CheckText(const Any& value) {
  if (const auto text = value.try_cast<String>()) {
    if (!tain::internal::IsText({text->data(), text->size()})) std::abort();
  }
}

/// Reads all text that a value leads to.
void CheckAllText(const Any& root) {
  CheckText(root);
  ForEachObject(root, [](const Any& one) {
    if (const auto array = one.as<Array<Any>>()) {
      for (const Any& element : *array) CheckText(element);
    } else if (const auto list = one.as<List<Any>>()) {
      for (const Any& element : *list) CheckText(element);
    } else if (const auto map = one.as<Map<Any, Any>>()) {
      for (const auto& [key, value] : *map) CheckText(key), CheckText(value);
    } else if (const auto dict = one.as<Dict<Any, Any>>()) {
      for (const auto& [key, value] : *dict) CheckText(key), CheckText(value);
    } else if (const auto node = one.as<Ptr<NodeObj>>()) {
      CheckText((*node)->name);
      CheckText((*node)->value);
    } else if (const auto hooked = one.as<Ptr<HookedObj>>()) {
      CheckText((*hooked)->data);
    }
  });
}

/// Whether a key of a map may be found only as itself, so that the map is not structurally equal to one
/// that was loaded: a mutable object, or a Map that has a NaN.
bool HasKeysFoundAsThemselves(const Any& root) {
  bool found = false;
  const auto look = [&found](const auto& map) {
    for (const auto& [key, value] : map) {
      ForEachObject(key, [&found](const Any& one) {
        const bool is_value = one.as<Array<Any>>() || one.as<tain::Shape>() || one.as<String>() ||
                              one.as<tain::Bytes>() || one.as<tain::BigInt>();
        found = found || !is_value;
      });
    }
  };
  ForEachObject(root, [&look](const Any& one) {
    if (const auto map = one.as<Map<Any, Any>>()) look(*map);
    if (const auto dict = one.as<Dict<Any, Any>>()) look(*dict);
  });
  return found;
}

/// Compares and copies, in time that is bounded by the size of the graph.
void UseGraph(const Any& loaded, const Any& again) {
  try {
    if (tain::StructuralHash()(loaded) != tain::StructuralHash()(again)) std::abort();
    if (!HasKeysFoundAsThemselves(loaded) && !tain::StructuralEqual()(loaded, again)) std::abort();
  } catch (const tain::Error&) {
    // A graph with a cycle has no structure to compare.
  }
  try {
    const Any copy = tain::DeepCopy(loaded);
    CheckAllText(copy);
    Cut(copy);
  } catch (const tain::Error&) {
    // An object that cannot be copied.
  }
}

class Parts {
 public:
  explicit Parts(std::string_view rest) : rest_(rest) {}
  size_t operator()(char* out, size_t size) {
    const size_t part = std::min({size, rest_.size(), size_t{3}});
    std::copy_n(rest_.data(), part, out);
    rest_.remove_prefix(part);
    return part;
  }

 private:
  std::string_view rest_;
};

Any Load(char kind, std::string_view data) {
  const tain::ReadBytes read = Parts(data);
  switch (kind & 3) {
    case 0: return tain::LoadJson(data);
    case 1: return tain::LoadBinary(data);
    case 2: return tain::LoadJson(read);
    default: return tain::LoadBinary(read);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("TAIN_FUZZ_SEEDS");
  if (folder == nullptr) return 0;
  static const Any graphs[] = {SeedGraph(), SeedCycle(), SeedLadder(), SeedText(), SeedKeys()};
  WriteSeed(folder, "json", '0', tain::SaveJson(graphs[0]));
  WriteSeed(folder, "json_lines", '2', tain::SaveJson(graphs[0], 1));
  WriteSeed(folder, "json_cycle", '0', tain::SaveJson(graphs[1]));
  WriteSeed(folder, "binary", '1', tain::SaveBinary(graphs[0]));
  WriteSeed(folder, "binary_cycle", '3', tain::SaveBinary(graphs[1]));
  WriteSeed(folder, "json_ladder", '0', tain::SaveJson(graphs[2]));
  WriteSeed(folder, "binary_ladder", '1', tain::SaveBinary(graphs[2]));
  WriteSeed(folder, "json_text", '2', tain::SaveJson(graphs[3]));
  WriteSeed(folder, "binary_text", '1', tain::SaveBinary(graphs[3]));
  WriteSeed(folder, "json_keys", '0', tain::SaveJson(graphs[4]));
  WriteSeed(folder, "binary_keys", '1', tain::SaveBinary(graphs[4]));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return -1;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Any loaded;
  try {
    loaded = Load(bytes[0], bytes.substr(1));
  } catch (const tain::Error&) {
    return 0;
  }
  CheckAllText(loaded);
  try {
    const std::string saved = tain::SaveBinary(loaded);
    const Any again = tain::LoadBinary(saved);
    if (tain::SaveBinary(again) != saved) std::abort();
    UseGraph(loaded, again);
    Cut(again);
  } catch (const tain::Error&) {
    // A value that has one form in the text and another in the field.
  }
  Cut(loaded);
  return 0;
}
