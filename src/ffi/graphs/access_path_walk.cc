// SPDX-License-Identifier: Apache-2.0
// Follows access paths: the value at a place, and copies with another value there.
//
// A path may have a million steps, so both are loops. What lies on the way is held, because getters,
// keys and copies can run foreign code.
#include <vector>

#include "base/guard.h"
#include "graphs/access_path_text.h"
#include "graphs/parts.h"
#include "graphs/rebuild.h"
#include "tain/internal/near_matches.h"
#include "values/container_detail.h"
#include "values/value_plan.h"

namespace tain {
namespace internal {
namespace {

/// Follows one path. An error names the part of the path that leads to the failing step.
class PathWalk {
 public:
  explicit PathWalk(const Array<AccessStep>& steps) : steps_(steps) {}

  /// Returns the part of a value that step `index` leads to.
  Any PartOf(const Any& whole, int64_t index) const {
    const AccessStep step = steps_[index];
    const TainAny& data = whole.data();
    const PartsOf form = PartsOfType(data.type_index);
    if (IsAttr(*step)) {
      if (form != PartsOf::kFields) ThrowNoParts(whole, index, "an object with fields");
      Any owner;
      const TainAny view = FieldView(data.v_obj, FieldOf(whole, index), &owner);
      return Any(AnyView(view));
    }
    if (form == PartsOf::kSequence && step->value.type_index() == kTainInt) {
      return Any(AnyView(SeqData(data.v_obj)[ElementIndex(whole, index)]));
    }
    if (form != PartsOf::kMap) ThrowNoItem(whole, index);
    const MapItem* item = MapFindSame(data.v_obj, step->value.data());
    if (item == nullptr) ThrowNoKey(index);
    return Any(AnyView(item->value));
  }

  /// Returns a copy of a value in which the part of step `index` is another one.
  Any WithPart(const Any& whole, int64_t index, Any part) const {
    const AccessStep step = steps_[index];
    TainObject* object = whole.data().v_obj;
    if (IsAttr(*step)) return CopyWithFields(object, {{&FieldOf(whole, index), std::move(part)}});
    const int32_t type_index = object->type_index;
    if (IsSeq(type_index)) {
      const int64_t at = ElementIndex(whole, index);
      TainObject* copy = SeqCopy(object, type_index, 0);
      Any result = Any::Steal(ViewOfObject(copy));
      SeqSet(copy, at, std::move(part));
      return result;
    }
    TainObject* copy = MapCopy(object, type_index);
    Any result = Any::Steal(ViewOfObject(copy));
    MapSetSame(copy, step->value, std::move(part));
    return result;
  }

 private:
  static bool IsAttr(const AccessStepObj& step) { return std::string_view(step.kind) == "attr"; }

  /// Returns the text of the path up to and including a step.
  std::string PlaceOf(int64_t index) const { return ShortPath(steps_, index + 1); }

  const TainFieldDef& FieldOf(const Any& whole, int64_t index) const {
    const AccessStep step = steps_[index];
    std::string_view name;
    TextOf(&step->value.data(), &name);
    const TypeFacts& type = FactsOf(whole.type_index());
    if (const TainFieldDef* field = FieldNamed(type, name)) return *field;
    std::vector<std::string> known;
    for (const TainFieldDef* field : type.fields) known.emplace_back(View(field->info.name));
    TAIN_THROW(AttributeError) << PlaceOf(index) << ": " << TypeNameOf(whole.data())
                               << " has no field '" << name << "'." << NearMatches(name, known);
  }

  int64_t ElementIndex(const Any& whole, int64_t index) const {
    const int64_t at = steps_[index]->value.data().v_int64;
    const int64_t size = SeqSize(whole.data().v_obj);
    if (at >= 0 && at < size) return at;
    TAIN_THROW(IndexError) << PlaceOf(index) << ": " << TypeNameOf(whole.data()) << " index " << at
                           << " out of range for size " << size;
  }

  [[noreturn]] void ThrowNoParts(const Any& whole, int64_t index, const char* expected) const {
    TAIN_THROW(TypeError) << PlaceOf(index) << ": expected " << expected << ", got "
                          << TypeAndValue(whole.data());
  }
  [[noreturn]] void ThrowNoItem(const Any& whole, int64_t index) const {
    const bool is_int = steps_[index]->value.type_index() == kTainInt;
    ThrowNoParts(whole, index, is_int ? "a sequence or a map" : "a map");
  }
  [[noreturn]] void ThrowNoKey(int64_t index) const {
    TAIN_THROW(KeyError) << PlaceOf(index) << ": the map has no such key";
  }

  const Array<AccessStep>& steps_;
};

}  // namespace
}  // namespace internal

Any AccessPath::Get(const Any& root) const {
  const Array<AccessStep> steps = get()->steps;
  const internal::PathWalk walk(steps);
  Any value = root;
  for (int64_t i = 0; i < static_cast<int64_t>(steps.size()); ++i) value = walk.PartOf(value, i);
  return value;
}

Any AccessPath::SetCopy(const Any& root, const Any& value) const {
  const Array<AccessStep> steps = get()->steps;
  const internal::PathWalk walk(steps);
  const auto size = static_cast<int64_t>(steps.size());
  std::vector<Any> way;  // the values on the way, the root first
  way.reserve(static_cast<size_t>(size) + 1);
  way.push_back(root);
  for (int64_t i = 0; i < size; ++i) way.push_back(walk.PartOf(way.back(), i));
  Any result = value;
  for (int64_t i = size - 1; i >= 0; --i) {
    way.pop_back();
    result = walk.WithPart(way.back(), i, std::move(result));
  }
  return result;
}

}  // namespace tain
