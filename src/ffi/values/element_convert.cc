// SPDX-License-Identifier: Apache-2.0
// Conversion of the elements of containers; see tain/internal/container_api.h.
#include <algorithm>
#include <string>
#include <utility>

#include "tain/container/map_base.h"
#include "tain/container/seq_base.h"
#include "tain/signals.h"

namespace tain::internal {
namespace {

constexpr int64_t kPartsPerCheck = 4096;  // of a container, between two checks for signals

/// A value, or what the host makes of it.
class HostedValue : NotCopied {
 public:
  HostedValue(const TainAny& value, TainHostForm form)
      : is_made_(FromHost(value, form, &made_)), value_(is_made_ ? made_.data() : value) {}

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

/// Reads a part of a container; the error of a type's from_any gets its place.
template <class Place, class F>
auto ReadInside(const Place& place, const F& read) {
  try {
    return read();
  } catch (...) {
    RethrowInside(place());
  }
}

}  // namespace

Any ConvertStored(const TainObject* container, const TainAny& key, const TainAny& element,
                  const ElementType& type) {
  const auto held = RefAccess::Share<Object>(const_cast<TainObject*>(container));
  const Any held_key{AnyView(key)};
  const Any held_element{AnyView(element)};
  Any converted;
  const auto place = [&] { return ContainerPlace(container) + KeyPlace(held_key.data()); };
  if (!ReadInside(place, [&] { return type.convert(&held_element.data(), &converted); })) {
    ThrowCast(type.explain, held_element.data(), place());
  }
  return converted;
}

// ---------------------------------------------------------------- sequences

bool SeqEach(TainObject* seq, void* context,
             bool (*take)(void* context, const TainAny* element, int64_t index)) {
  const auto held = RefAccess::Share<Object>(seq);
  int64_t i = 0;
  return ReadInside([&] { return IndexPlace(i); },
                    [&] {
                      while (true) {
                        const int64_t stop = i + kPartsPerCheck;
                        for (; i < stop && i < SeqSize(seq); ++i) {
                          const Any element{AnyView(SeqData(seq)[i])};
                          if (!take(context, &element.data(), i)) return false;
                        }
                        if (i < stop) return true;
                        check_signals();
                      }
                    });
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

bool SeqRead(const TainAny& value, TainHostForm form, void* target,
             void (*start)(void* target, int64_t size),
             bool (*take)(void* target, const TainAny* element, int64_t index)) {
  const HostedValue source(Referred(value), form);
  if (!IsSeq((*source).type_index)) return false;
  start(target, SeqSize((*source).v_obj));
  return SeqEach((*source).v_obj, target, take);
}

Mismatch SeqMismatch(const TainAny& value, const ElementType& type, TypeText expected,
                     TainHostForm form) {
  const HostedValue source(value, form);
  Mismatch mismatch(expected());
  if (!IsSeq((*source).type_index)) return mismatch;
  EachElement((*source).v_obj, [&](const TainAny* element, int64_t i) {
    Any converted;
    if (type.convert(element, &converted)) return true;
    mismatch = type.explain(element).At(IndexPlace(i), *element);
    return false;
  });
  return mismatch;
}

// ---------------------------------------------------------------- tuples

bool TupleCheck(const TainAny& value, const ElementType* types, int64_t size) noexcept {
  if (value.type_index != kTainArray || SeqSize(value.v_obj) != size) return false;
  const TainAny* element = SeqData(value.v_obj);
  return std::all_of(types, types + size,
                     [&](const ElementType& type) { return type.check(element++); });
}

TainObject* TupleConvert(const TainAny& value, const ElementType* types, int64_t size) {
  const HostedValue source(value, kTainHostSequence);
  if (TainObject* made = source.Made(kTainArray)) {
    if (TupleCheck(*source, types, size)) return NewReference(made);
  }
  if (!IsSeq((*source).type_index) || SeqSize((*source).v_obj) != size) return nullptr;
  auto converted = RefAccess::Steal<Object>(SeqNew(kTainArray, size));
  const bool good = EachElement((*source).v_obj, [&](const TainAny* item, int64_t i) {
    Any element;
    if (i >= size || !types[i].convert(item, &element)) return false;
    SeqPush(RefAccess::Header(converted), std::move(element));
    return true;
  });
  // A conversion may have changed the size of a List.
  const bool whole = good && SeqSize(RefAccess::Header(converted)) == size;
  return whole ? RefAccess::Release(converted) : nullptr;
}

bool TupleHold(const TainAny& value, Any* held, int64_t size) {
  const HostedValue source(Referred(value), kTainHostSequence);
  if (!IsSeq((*source).type_index) || SeqSize((*source).v_obj) != size) return false;
  for (int64_t i = 0; i < size; ++i) held[i] = Any(AnyView(SeqData((*source).v_obj)[i]));
  return true;
}

Mismatch TupleMismatch(const TainAny& value, const ElementType* types, int64_t size) {
  const HostedValue source(value, kTainHostSequence);
  const std::string expected = TupleStr(types, size);
  if (!IsSeq((*source).type_index)) return expected;
  const int64_t given = SeqSize((*source).v_obj);
  if (given != size) return SizeMismatch(expected, size, given);
  Mismatch mismatch(expected);
  EachElement((*source).v_obj, [&](const TainAny* item, int64_t i) {
    Any converted;
    if (i >= size) return false;
    if (types[i].convert(item, &converted)) return true;
    mismatch = types[i].explain(item).At(IndexPlace(i), *item);
    return false;
  });
  return mismatch;
}

// ---------------------------------------------------------------- maps

bool MapEach(TainObject* map, void* context,
             bool (*take)(void* context, const Any& key, const Any& value)) {
  const auto held = RefAccess::Share<Object>(map);
  int64_t count = 0;
  for (MapPlace at = MapPlaceAt(map, MapFirst(map)); at.position != kMapEnd;
       at = MapPlaceAfter(map, at)) {
    if (++count % kPartsPerCheck == 0) check_signals();
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
    const bool fits = ReadInside([&] { return KeyPlace(from_key.data()); },
                                 [&] {
                                   return key.convert(&from_key.data(), &to_key) &&
                                          mapped.convert(&from_value.data(), &to_value);
                                 });
    if (!fits) return false;
    MapSet(RefAccess::Header(converted), std::move(to_key), std::move(to_value));
    return true;
  });
  return good ? RefAccess::Release(converted) : nullptr;
}

bool MapRead(const TainAny& value, void* target,
             bool (*take)(void* target, const Any& key, const Any& value)) {
  const HostedValue source(Referred(value), kTainHostMapping);
  return IsMap((*source).type_index) &&
         EachEntry((*source).v_obj, [&](const Any& key, const Any& mapped) {
           return ReadInside([&] { return KeyPlace(key.data()); },
                             [&] { return take(target, key, mapped); });
         });
}

Mismatch MapMismatch(const TainAny& value, const ElementType& key, const ElementType& mapped,
                     TypeText expected) {
  const HostedValue source(value, kTainHostMapping);
  Mismatch mismatch(expected());
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
