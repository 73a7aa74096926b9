// SPDX-License-Identifier: Apache-2.0
// What Map and Dict share: access by key, iterators in order of insertion, conversion of entries.
//
// Keys are hashed and compared as the binary contract says: equal text is equal, 1 and 1.0 are
// different keys, objects are compared by identity unless their type says otherwise. Iterators hold
// a reference; walking on after the number of entries has changed throws RuntimeError.
#pragma once

#include <initializer_list>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include "tain/container/seq_base.h"

namespace tain {

/// The object behind Map and Dict: 56 bytes and then, by form, pairs or the rest of the cell.
class TAIN_DLL MapBaseObj : public Object {
 public:
  internal::MapCell cell;

  /// An empty map in the small form with no room.
  MapBaseObj() noexcept;
  MapBaseObj(const MapBaseObj&) = delete;
  MapBaseObj& operator=(const MapBaseObj&) = delete;
  /// Drops the entries.
  ~MapBaseObj();

  size_t size() const noexcept { return static_cast<size_t>(cell.size); }
};

static_assert(sizeof(MapBaseObj) == 80 && sizeof(internal::MapCell) == 56);

namespace internal {

template <class K, class V>
class MapIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = std::pair<K, V>;
  using reference = value_type;
  using pointer = ArrowProxy<value_type>;
  using difference_type = std::ptrdiff_t;

  MapIterator() noexcept = default;
  MapIterator(ObjectPtr<Object> map, uint64_t position) noexcept
      : map_(std::move(map)), position_(position), size_(MapSize(Header())) {}

  value_type operator*() const {
    const MapItem* item = MapItemAt(Header(), position_);
    if (TAIN_UNLIKELY(item == nullptr)) ThrowMapChanged();
    return {CastOrThrow<K>(item->key), CastOrThrow<V>(item->value)};
  }
  ArrowProxy<value_type> operator->() const { return {**this}; }
  MapIterator& operator++() {
    CheckUnchanged();
    position_ = MapNext(Header(), position_);
    return *this;
  }
  MapIterator& operator--() {
    CheckUnchanged();
    position_ = position_ == kMapEnd ? MapLast(Header()) : MapPrevious(Header(), position_);
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
  bool operator==(const MapIterator& other) const noexcept { return position_ == other.position_; }
  uint64_t position() const noexcept { return position_; }

 private:
  const TainObject* Header() const noexcept { return RefAccess::Header(map_); }
  void CheckUnchanged() const {
    if (TAIN_UNLIKELY(MapSize(Header()) != size_)) ThrowMapChanged();
  }
  ObjectPtr<Object> map_;
  uint64_t position_ = kMapEnd;
  uint64_t size_ = 0;
};

/// A value that looks a key up; text is not copied.
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

  size_t size() const noexcept { return static_cast<size_t>(MapSize(Header())); }
  bool empty() const noexcept { return size() == 0; }

  /// The value of a key; KeyError if there is none.
  V at(const K& key) const {
    const AnyView view(key);
    const MapItem* item = MapFind(Header(), view.data());
    if (TAIN_UNLIKELY(item == nullptr)) ThrowKeyError(view.data());
    return CastOrThrow<V>(item->value);
  }
  V operator[](const K& key) const { return at(key); }
  /// The value of a key, if there is one.
  std::optional<V> Get(const K& key) const {
    const MapItem* item = MapFind(Header(), AnyView(key).data());
    if (item == nullptr) return std::nullopt;
    return CastOrThrow<V>(item->value);
  }
  size_t count(const K& key) const { return contains(key) ? 1 : 0; }
  bool contains(const K& key) const { return MapFind(Header(), AnyView(key).data()) != nullptr; }
  iterator find(const K& key) const {
    return iterator(data_, MapFindPosition(Header(), AnyView(key).data()));
  }

  iterator begin() const noexcept { return iterator(data_, MapFirst(Header())); }
  iterator end() const noexcept { return iterator(data_, kMapEnd); }

  /// Sets the value of a key; a key that is there keeps its place.
  void Set(K key, V value) {
    Any owned_key = ToElement<K>(std::move(key));
    Any owned_value = ToElement<V>(std::move(value));
    MapSet(Writable(), std::move(owned_key), std::move(owned_value));
  }
  /// Removes a key; false if there is none.
  bool erase(const K& key) {
    if (!contains(key)) return false;
    const AnyView view(key);
    return MapErase(Writable(), view.data());
  }
  void reserve(size_t capacity) { MapReserve(Writable(), capacity); }
  void clear() {
    if (!empty()) MapClear(Writable());
  }

 protected:
  MapBase() : ObjectRef(RefAccess::Steal<Object>(MapNew(kIndex, 0))) {}
  explicit MapBase(UnsafeInit tag) noexcept : ObjectRef(tag) {}

  TainObject* Header() const noexcept { return RefAccess::Header(*this); }
  /// The object to change: this one, or a copy that replaces it if others see it.
  TainObject* Writable() {
    TainObject* header = Header();
    TainObject* writable = MapForWriting(header, kIndex);
    if (writable != header) data_ = RefAccess::Steal<Object>(writable);
    return writable;
  }
  template <class R>
  void Fill(R&& range) {
    for (auto&& [key, value] : range) Set(K(key), V(value));
  }
};

/// How typed maps cross. TMap is the handle, C its object class.
template <class TMap, class C, class K, class V, int32_t kIndex>
struct MapTraits : HandleTraits<TMap, C, false> {
  static constexpr bool kAnything = std::is_same_v<K, Any> && std::is_same_v<V, Any>;
  static constexpr bool kDirectWrite = kAnything;

  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (a->type_index != kIndex) return false;
    if constexpr (!kAnything) {
      const TainObject* map = a->v_obj;
      for (uint64_t at = MapFirst(map); at != kMapEnd; at = MapNext(map, at)) {
        const MapItem* item = MapItemAt(map, at);
        if (!TypeTraits<K>::CheckAnyStrict(&item->key)) return false;
        if (!TypeTraits<V>::CheckAnyStrict(&item->value)) return false;
      }
    }
    return true;
  }
  static std::optional<TMap> TryCastFromAnyView(const TainAny* a) {
    const TainAny view = Referred(*a);
    if (CheckAnyStrict(&view)) return TakeHandle<TMap>(*a);
    if (!IsMap(view.type_index)) return std::nullopt;
    const TainObject* source = view.v_obj;
    auto converted = RefAccess::Steal<Object>(MapNew(kIndex, MapSize(source)));
    for (uint64_t at = MapFirst(source); at != kMapEnd; at = MapNext(source, at)) {
      const MapItem* item = MapItemAt(source, at);
      std::optional<K> key = TypeTraits<K>::TryCastFromAnyView(&item->key);
      if (!key) return std::nullopt;
      std::optional<V> value = TypeTraits<V>::TryCastFromAnyView(&item->value);
      if (!value) return std::nullopt;
      MapSet(RefAccess::Header(converted), ToElement<K>(*std::move(key)),
             ToElement<V>(*std::move(value)));
    }
    return RefAccess::Make<TMap>(std::move(converted));
  }
  static std::string Mismatch(const TainAny* a, std::string& where) {
    const TainAny view = Referred(*a);
    if (!IsMap(view.type_index)) return TypeTraits<TMap>::TypeStr();
    const TainObject* map = view.v_obj;
    for (uint64_t at = MapFirst(map); at != kMapEnd; at = MapNext(map, at)) {
      const MapItem* item = MapItemAt(map, at);
      if (!TypeTraits<K>::TryCastFromAnyView(&item->key)) {
        where += where.empty() ? "key" : " key";
        return MismatchInside<K>(&item->key, where);
      }
      if (!TypeTraits<V>::TryCastFromAnyView(&item->value)) {
        where += KeyPlace(item->key);
        return MismatchInside<V>(&item->value, where);
      }
    }
    return TypeTraits<TMap>::TypeStr();
  }
};

/// Ranges of pairs.
template <class R, class K, class V>
concept EntryRange = std::ranges::input_range<R> && !IsObjectRef<std::remove_cvref_t<R>> &&
                     requires(std::ranges::range_reference_t<R> entry) {
                       { entry.first } -> std::convertible_to<K>;
                       { entry.second } -> std::convertible_to<V>;
                     };

}  // namespace internal
}  // namespace tain
