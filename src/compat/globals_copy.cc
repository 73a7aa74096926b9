// SPDX-License-Identifier: Apache-2.0
// The global function that copies a graph. Every container of the copy is new, those that nobody can
// change too: code of the ecosystem relies on it.
#include <unordered_map>
#include <vector>

#include "deeper.h"
#include "fields.h"
#include "tain/graph/copy.h"
#include "tain/reflection/inspect.h"
#include "tain/tain.h"

namespace tain::compat {
namespace {

class Copying {
 public:
  Any Of(const Any& value) {
    const int32_t index = value.type_index();
    if (index < kTainStaticObjectBegin) return value;
    if (const auto known = known_.find(value.data().v_obj); known != known_.end()) {
      return known->second;
    }
    const Deeper deeper(&depth_, "DeepCopy");
    switch (index) {
      case kTainArray: return Elements<Array<Any>>(value);
      case kTainList: return Changing(value, List<Any>());
      case kTainMap: return Entries(value);
      case kTainDict: return Changing(value, Dict<Any, Any>());
      default: break;
    }
    return index < kTainStaticObjectEnd || IsEnum(index) ? value : Fields(value);
  }

 private:
  /// Members of enums exist once.
  static bool IsEnum(int32_t index) {
    const TainTypeInfo* info = TainGetTypeInfo(index);
    for (int32_t i = 0; i < info->type_depth; ++i) {
      if (TextOf(info->type_ancestors[i]->type_key) == "ffi.Enum") return true;
    }
    return false;
  }

  Any Keep(const Any& value, const Any& made) {
    held_.push_back(value);
    return known_[value.data().v_obj] = made;
  }

  template <class Container>
  Any Elements(const Any& value) {
    Container made;
    for (const Any& one : value.cast<Container>()) made.push_back(Of(one));
    // A cycle through the container has copied it already.
    const auto known = known_.find(value.data().v_obj);
    return known != known_.end() ? known->second : Keep(value, made);
  }

  Any Entries(const Any& value) {
    Map<Any, Any> made;
    for (const auto& [key, one] : value.cast<Map<Any, Any>>()) made.Set(Of(key), Of(one));
    const auto known = known_.find(value.data().v_obj);
    return known != known_.end() ? known->second : Keep(value, made);
  }

  Any Changing(const Any& value, List<Any> made) {
    Keep(value, made);
    const auto list = value.cast<List<Any>>();
    const std::vector<Any> elements(list.begin(), list.end());
    for (const Any& one : elements) made.push_back(Of(one));
    return made;
  }

  Any Changing(const Any& value, Dict<Any, Any> made) {
    Keep(value, made);
    std::vector<std::pair<Any, Any>> entries;
    for (const auto& [key, one] : value.cast<Dict<Any, Any>>()) entries.emplace_back(key, one);
    for (const auto& [key, one] : entries) made.Set(Of(key), Of(one));
    return made;
  }

  Any Fields(const Any& value) {
    const Any copy = TypeAttr(value.type_index(), "__ffi_shallow_copy__");
    if (copy.type_index() != kTainFunction) return Keep(value, DeepCopy(value));
    const Any made = copy.cast<Function>()(value);
    Keep(value, made);
    ForEachField(value.type_index(), [&](const TainFieldInfo& field) {
      const Any before = ValueOf(field, value.data().v_obj);
      if (before.type_index() < kTainStaticObjectBegin) return;
      const Any after = Of(before);
      if (after.data().v_obj != before.data().v_obj) {
        SetValue(field, made.data().v_obj, after.data());
      }
    });
    return made;
  }

  int depth_ = 0;
  std::unordered_map<const TainObject*, Any> known_;
  std::vector<Any> held_;
};

}  // namespace
}  // namespace tain::compat

TAIN_REGISTER {
  tain::reflection::GlobalDef().def(
      "ffi.DeepCopy", [](const tain::Any& value) { return tain::compat::Copying().Of(value); });
}
