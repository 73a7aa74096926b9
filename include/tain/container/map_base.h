// SPDX-License-Identifier: Apache-2.0
// The common base of Map and Dict: access by key, iterators in insertion order, conversion.
//
// Keys are hashed and compared as the binary contract says: texts by content, numbers by type and
// value (1 and 1.0 are different keys), objects by identity unless their type defines equality.
// Iterators hold a reference to the map; advancing one after entries were added or removed throws
// RuntimeError.
#pragma once

#include <initializer_list>
#include <optional>
#include <utility>

#include "tain/container/seq_base.h"
#include "tain/internal/iterators.h"

namespace tain {

/// The object behind Map and Dict: the header and a MapCell, which has a small and a dense form.
class TAIN_DLL MapBaseObj : public Object {
 public:
  internal::MapCell cell;

  /// Makes an empty map in the small form, with capacity 0.
  MapBaseObj() noexcept;
  MapBaseObj(const MapBaseObj&) = delete;
  MapBaseObj& operator=(const MapBaseObj&) = delete;
  /// Drops the entries.
  ~MapBaseObj();

  size_t size() const noexcept { return static_cast<size_t>(cell.size); }
};

#if TAIN_IS_64_BIT
static_assert(sizeof(MapBaseObj) == 80 && sizeof(internal::MapCell) == 56);
#endif

namespace internal {

/// Converts an entry that is not stored as K and V. Converting the key may change the map, so key
/// and value are held.
template <class K, class V>
TAIN_NOINLINE std::pair<K, V> ConvertedEntry(const TainObject* map, const MapItem& item) {
  const Any key{AnyView(item.key)};
  const Any value{AnyView(item.value)};
  std::optional<K> converted = TypeTraits<K>::TryCastFromAnyView(&key.data());
  if (!converted) ThrowCast(&MismatchOf<K>, key.data(), ContainerPlace(map) + ": key");
  return {*std::move(converted), CastElement<V>(map, key.data(), value.data())};
}

template <class K, class V>
class MapIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = std::pair<K, V>;
  using reference = ElementCopy<value_type>;
  using pointer = ArrowProxy<value_type>;
  using difference_type = std::ptrdiff_t;

  MapIterator() noexcept = default;
  MapIterator(ObjectPtr<Object> map, uint64_t position) noexcept
      : map_(std::move(map)), place_(MapPlaceAt(Header(), position)) {}

  reference operator*() const {
    const MapItem* item = MapItemOf(Header(), place_);
    if (TAIN_UNLIKELY(item == nullptr)) ThrowMapChanged();
    if constexpr (!FitsIfRead<K> && !FitsIfRead<V>) {
      if (TAIN_LIKELY(TypeTraits<K>::CheckAnyStrict(&item->key) &&
                      TypeTraits<V>::CheckAnyStrict(&item->value))) {
        return reference(TypeTraits<K>::CopyFromAnyViewAfterCheck(&item->key),
                         TypeTraits<V>::CopyFromAnyViewAfterCheck(&item->value));
      }
    }
    return ConvertedEntry<K, V>(Header(), *item);
  }
  ArrowProxy<value_type> operator->() const { return {**this}; }
  MapIterator& operator++() {
    place_ = MapPlaceAfter(Header(), place_);
    return *this;
  }
  MapIterator& operator--() {
    place_ = MapPlaceBefore(Header(), place_);
    return *this;
  }
  MapIterator operator++(int) {
    MapIterator before = *this;
    ++*this;
    return before;
  }
  MapIterator operator--(int) {
    MapIterator before = *this;
    --*this;
    return before;
  }
  bool operator==(const MapIterator& other) const noexcept {
    return position() == other.position();
  }
  uint64_t position() const noexcept { return place_.position; }

 private:
  const TainObject* Header() const noexcept { return RefAccess::Header(map_); }
  ObjectPtr<Object> map_;
  MapPlace place_;
};

/// A type Q that can be used to look up a key; text is not copied.
template <class K, class Q>
concept LookUpKey = std::is_convertible_v<const Q&, K> && Crosses<Q>;

/// A handle to a map of type kIndex.
template <class K, class V, int32_t kIndex>
class MapBase : public ObjectRef {
 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using size_type = size_t;
  using iterator = MapIterator<K, V>;
  using const_iterator = iterator;
  static constexpr bool _type_is_nullable = false;

  /// Returns the number of entries.
  size_t size() const noexcept { return static_cast<size_t>(MapSize(Header())); }
  /// Whether there are no entries.
  bool empty() const noexcept { return size() == 0; }

  /// Returns the value of a key. Throws KeyError if the key is not in the map, TypeError if the
  /// value is not a V.
  ElementCopy<V> at(const K& key) const {
    const ArgumentView<K> passed(key);
    const AnyView& view = passed.view;
    const MapItem* item = MapFind(Header(), view.data());
    if (TAIN_UNLIKELY(item == nullptr)) ThrowKeyError(view.data());
    return CastElement<V>(Header(), view.data(), item->value);
  }
  /// The same as `at`: it never adds an entry; `Set` does.
  ElementCopy<V> operator[](const K& key) const { return at(key); }
  /// Returns the value of a key, or std::nullopt if the key is not in the map.
  std::optional<V> Get(const K& key) const {
    const ArgumentView<K> passed(key);
    const MapItem* item = MapFind(Header(), passed.view.data());
    if (item == nullptr) return std::nullopt;
    return CastElement<V>(Header(), passed.view.data(), item->value);
  }
  /// Returns 1 if the key is in the map, else 0.
  size_t count(const K& key) const { return contains(key) ? 1 : 0; }
  /// Whether the key is in the map.
  bool contains(const K& key) const {
    return MapFind(Header(), ArgumentView<K>(key).view.data()) != nullptr;
  }
  /// Returns an iterator to the entry of a key; `end()` if the key is not in the map.
  iterator find(const K& key) const {
    return iterator(data_, MapFindPosition(Header(), ArgumentView<K>(key).view.data()));
  }

  /// An iterator to the first entry, a pair of copies, in order of insertion.
  iterator begin() const noexcept { return iterator(data_, MapFirst(Header())); }
  /// The end of the iteration.
  iterator end() const noexcept { return iterator(data_, kMapEnd); }

  /// Sets the value of a key. An existing key keeps its place in the order.
  void Set(K key, V value) {
    Any owned_key = ToElement<K>(std::move(key));
    Any owned_value = ToElement<V>(std::move(value));
    MapSet(Writable(), std::move(owned_key), std::move(owned_value));
  }
  /// Removes a key. Returns false if the key is not in the map.
  bool erase(const K& key) {
    if (!contains(key)) return false;
    const ArgumentView<K> passed(key);
    const AnyView& view = passed.view;
    return MapErase(Writable(), view.data());
  }
  /// Makes room for as many entries.
  void reserve(size_t capacity) { MapReserve(Writable(), capacity); }
  /// Removes all entries.
  void clear() {
    if (!empty()) MapClear(Writable());
  }

 protected:
  MapBase() : ObjectRef(RefAccess::Steal<Object>(MapNew(kIndex, 0))) {}
  explicit MapBase(UnsafeInit tag) noexcept : ObjectRef(tag) {}

  TainObject* Header() const noexcept { return RefAccess::Header(*this); }
  /// Returns the object to change. If it is shared and immutable, the handle first gets a copy.
  TainObject* Writable() { return Rewritten(data_, MapForWriting(Header(), kIndex)); }
  template <class R>
  void Fill(R&& range) {
    for (auto&& [key, value] : range) Set(K(key), V(value));
  }
};

/// Calls `take(key, value)` for each entry until it returns false; see MapEach.
template <class F>
bool EachEntry(TainObject* map, F&& take) {
  return MapEach(map, &take, [](void* context, const Any& key, const Any& value) -> bool {
    return (*static_cast<std::remove_reference_t<F>*>(context))(key, value);
  });
}

/// The traits of typed maps. TMap is the handle class, C its object class.
template <class TMap, class C, class K, class V, int32_t kIndex>
struct MapTraits : HandleTraits<TMap, C, false> {
  static constexpr bool kAnything = std::is_same_v<K, Any> && std::is_same_v<V, Any>;
  static constexpr bool kDirectWrite = kAnything;
  static constexpr bool kFitsIfRead = FitsIfRead<K> || FitsIfRead<V>;
  static constexpr bool kReadOnce = kFitsIfRead;
  static constexpr bool kHoldsText = kIndex == kTainMap && (HoldsText<K> || HoldsText<V>);

  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (a->type_index != kIndex) return false;
    if constexpr (!kAnything) {
      uint64_t at = MapFirst(a->v_obj);
      while (const MapItem* item = MapStep(a->v_obj, &at)) {
        if (!TypeTraits<K>::CheckAnyStrict(&item->key)) return false;
        if (!TypeTraits<V>::CheckAnyStrict(&item->value)) return false;
      }
    }
    return true;
  }
  static int FitOf(const TainAny* a) noexcept
    requires kFitsIfRead
  {
    if (a->type_index != kIndex) return kFitConverted;
    uint64_t at = MapFirst(a->v_obj);
    while (const MapItem* item = MapStep(a->v_obj, &at)) {
      if (!MayBeExact<K>(&item->key) || !MayBeExact<V>(&item->value)) return kFitConverted;
    }
    return kFitIfRead;
  }
  static std::optional<TMap> TryCastFromAnyView(const TainAny* a) {
    const TainAny view = Referred(*a);
    if (CheckAnyStrict(&view)) return TakeHandle<TMap>(*a);
    TainObject* converted = MapConvert(view, kIndex, kElementType<K>, kElementType<V>);
    if (converted == nullptr) return std::nullopt;
    return RefAccess::Make<TMap>(RefAccess::Steal<Object>(converted));
  }
  static std::string TypeStr() {
    return GenericStr(kIndex == kTainMap ? "Map" : "Dict", kElementType<K>, kElementType<V>);
  }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return MapMismatch(Referred(*a), kElementType<K>, kElementType<V>, &TypeStr);
  }
};

/// A range of pairs that convert to K and V, other than the handles of class C.
template <class R, class K, class V, class C>
concept EntryRange =
    InputRange<R> && !IsHandleOf<std::remove_cvref_t<R>, C> && requires(RangeReference<R> entry) {
      { entry.first } -> std::convertible_to<K>;
      { entry.second } -> std::convertible_to<V>;
    };

}  // namespace internal
}  // namespace tain
