// SPDX-License-Identifier: Apache-2.0
// Conversion of the elements of containers; see tain/internal/container_api.h.
#include <string>
#include <utility>

#include "tain/container/map_base.h"
#include "tain/container/seq_base.h"

namespace tain::internal {
namespace {

/// A value, or what the host makes of it.
class HostedValue {
 public:
  HostedValue(const TainAny& value, TainHostForm form)
      : is_made_(FromHost(value, form, &made_)), value_(is_made_ ? made_.data() : value) {}
  HostedValue(const HostedValue&) = delete;
  HostedValue& operator=(const HostedValue&) = delete;

  const TainAny& operator*() const noexcept { return value_; }
  /// Returns the object that the host made, if it has this type; otherwise null.
  TainObject* Made(int32_t type_index) const noexcept {
    return is_made_ && value_.type_index == type_index ? value_.v_obj : nullptr;
  }

 private:
  Any made_;
  bool is_made_;
  TainAny value_;
};

/// Returns a new reference.
TainObject* NewReference(TainObject* object) noexcept {
  IncRef(object);
  return object;
}

}  // namespace

std::string GenericStr(const char* name, const ElementType& element) {
  return std::string(name) + "[" + element.type_str() + "]";
}

std::string GenericStr(const char* name, const ElementType& key, const ElementType& mapped) {
  return std::string(name) + "[" + key.type_str() + ", " + mapped.type_str() + "]";
}

Any ConvertStored(const TainObject* container, const TainAny& key, const TainAny& element,
                  const ElementType& type) {
  const auto held = RefAccess::Share<Object>(const_cast<TainObject*>(container));
  const Any held_key{AnyView(key)};
  const Any held_element{AnyView(element)};
  Any converted;
  if (!type.convert(&held_element.data(), &converted)) {
    ThrowCast(type.explain, held_element.data(),
              ContainerPlace(container) + KeyPlace(held_key.data()));
  }
  return converted;
}

// ---------------------------------------------------------------- sequences

bool SeqEach(TainObject* seq, void* context,
             bool (*take)(void* context, const TainAny* element, int64_t index)) {
  const auto held = RefAccess::Share<Object>(seq);
  for (int64_t i = 0; i < SeqSize(seq); ++i) {
    const Any element{AnyView(SeqData(seq)[i])};
    if (!take(context, &element.data(), i)) return false;
  }
  return true;
}

TainObject* SeqConvert(const TainAny& value, int32_t type_index, const ElementType& type) {
  const HostedValue source(value, kTainHostSequence);
  if (TainObject* made = source.Made(type_index)) {
    const TainAny* data = SeqData(made);
    int64_t exact = 0;
    while (exact < SeqSize(made) && type.check(data + exact)) ++exact;
    if (exact == SeqSize(made)) return NewReference(made);
  }
  if (!IsSeq((*source).type_index)) return nullptr;
  TainObject* seq = (*source).v_obj;
  auto converted = RefAccess::Steal<Object>(SeqNew(type_index, SeqSize(seq)));
  const bool good = EachElement(seq, [&](const TainAny* item, int64_t) {
    Any element;
    if (!type.convert(item, &element)) return false;
    SeqPush(RefAccess::Header(converted), std::move(element));
    return true;
  });
  return good ? RefAccess::Release(converted) : nullptr;
}

Mismatch SeqMismatch(const TainAny& value, const ElementType& type, std::string expected,
                     TainHostForm form) {
  const HostedValue source(value, form);
  Mismatch mismatch(std::move(expected));
  if (!IsSeq((*source).type_index)) return mismatch;
  EachElement((*source).v_obj, [&](const TainAny* element, int64_t i) {
    Any converted;
    if (type.convert(element, &converted)) return true;
    mismatch = type.explain(element).At(IndexPlace(i), *element);
    return false;
  });
  return mismatch;
}

// ---------------------------------------------------------------- maps

bool MapEach(TainObject* map, void* context,
             bool (*take)(void* context, const Any& key, const Any& value)) {
  const auto held = RefAccess::Share<Object>(map);
  for (MapPlace at = MapPlaceAt(map, MapFirst(map)); at.position != kMapEnd;
       at = MapPlaceAfter(map, at)) {
    const MapItem* item = MapItemAt(map, at.position);
    const Any key{AnyView(item->key)};
    const Any value{AnyView(item->value)};
    if (!take(context, key, value)) return false;
  }
  return true;
}

TainObject* MapConvert(const TainAny& value, int32_t type_index, const ElementType& key,
                       const ElementType& mapped) {
  const HostedValue source(value, kTainHostMapping);
  if (TainObject* made = source.Made(type_index)) {
    uint64_t at = MapFirst(made);
    const MapItem* item = nullptr;
    while ((item = MapStep(made, &at)) != nullptr) {
      if (!key.check(&item->key) || !mapped.check(&item->value)) break;
    }
    if (item == nullptr) return NewReference(made);
  }
  if (!IsMap((*source).type_index)) return nullptr;
  TainObject* map = (*source).v_obj;
  auto converted = RefAccess::Steal<Object>(MapNew(type_index, MapSize(map)));
  const bool good = EachEntry(map, [&](const Any& from_key, const Any& from_value) {
    Any to_key, to_value;
    if (!key.convert(&from_key.data(), &to_key)) return false;
    if (!mapped.convert(&from_value.data(), &to_value)) return false;
    MapSet(RefAccess::Header(converted), std::move(to_key), std::move(to_value));
    return true;
  });
  return good ? RefAccess::Release(converted) : nullptr;
}

Mismatch MapMismatch(const TainAny& value, const ElementType& key, const ElementType& mapped,
                     std::string expected) {
  const HostedValue source(value, kTainHostMapping);
  Mismatch mismatch(std::move(expected));
  if (!IsMap((*source).type_index)) return mismatch;
  EachEntry((*source).v_obj, [&](const Any& from_key, const Any& from_value) {
    Any converted;
    if (!key.convert(&from_key.data(), &converted)) {
      mismatch = key.explain(&from_key.data()).At("key", from_key.data());
      return false;
    }
    if (!mapped.convert(&from_value.data(), &converted)) {
      mismatch =
          mapped.explain(&from_value.data()).At(KeyPlace(from_key.data()), from_value.data());
      return false;
    }
    return true;
  });
  return mismatch;
}

}  // namespace tain::internal
