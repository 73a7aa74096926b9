// SPDX-License-Identifier: Apache-2.0
// What the container headers ask of libtain: memory of sequences and maps, and words for errors.
//
// Private to tain's headers and bridge. A sequence or map is passed as its object's header; null
// stands for an empty one where a function only reads. Functions that are not noexcept throw Error
// or std::bad_alloc and leave the container as it was. Elements are dropped only after the
// container is consistent again, because dropping one can run anybody's code.
#pragma once

#include <string>

#include "tain/convert.h"

namespace tain::internal {

// ---------------------------------------------------------------- words

/// `str ('a')`, or the bare number if `expected` states a range of integers.
TAIN_DLL std::string GotText(const std::string& expected, const TainAny& got);
/// Throws the error of a conversion with the place of the value before its words; other errors as
/// they are.
[[noreturn]] TAIN_DLL void ThrowPlaced(std::string where, const Error& error);
/// `["key"]`, the place of a map's entry.
TAIN_DLL std::string KeyPlace(const TainAny& key);

/// Mismatch of an element: as the whole value is what a message would otherwise speak of, the text
/// says itself what it got (ThrowMismatch adds nothing then).
template <class T>
TAIN_COLD inline std::string MismatchInside(const TainAny* element, std::string& where) {
  std::string expected = MismatchOf<T>(element, where);
  if (expected.find(", got ") == std::string::npos) {
    expected += ", got " + GotText(expected, *element);
  }
  return expected;
}

/// A container for messages: `Sheet.cells` if an object that a call under way uses has it in a
/// field, else `Dict`.
TAIN_DLL std::string ContainerPlace(const TainObject* container);

/// CastElement for what is not stored as a T. Conversions run the host's code, so everything is
/// held. The key of a sequence is an int.
template <class T>
TAIN_NOINLINE T CastElementSlow(const TainObject* container, const TainAny& key,
                                const TainAny& element) {
  const auto held = RefAccess::Share<Object>(const_cast<TainObject*>(container));
  const Any held_key{AnyView(key)};
  const Any held_element{AnyView(element)};
  std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(&held_element.data());
  if (TAIN_UNLIKELY(!value)) {
    ThrowCast<T>(held_element.data(), ContainerPlace(container) + KeyPlace(held_key.data()));
  }
  return *std::move(value);
}

/// An element of a container as a T; an error names its place.
template <class T>
inline T CastElement(const TainObject* container, const TainAny& key, const TainAny& element) {
  if constexpr (Crosses<T>) {
    if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(&element))) {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(&element);
    }
    return CastElementSlow<T>(container, key, element);
  } else {
    return CastOrThrow<T>(element);  // says why not
  }
}

/// `a | b` without naming anything twice.
TAIN_DLL std::string UnionStr(const std::string& a, const std::string& b);

/// What an rvalue reference refers to; other values are returned as they are.
inline TainAny Referred(const TainAny& a) noexcept {
  if (TAIN_LIKELY(a.type_index != kTainRValueRef)) return a;
  TainAny view{};
  view.v_obj = *static_cast<TainObject**>(a.v_ptr);
  view.type_index = view.v_obj == nullptr ? kTainNone : view.v_obj->type_index;
  return view;
}

/// A handle to the object of `a`, after the caller has checked Referred(a): moved out of an rvalue
/// reference, shared otherwise.
template <class TRef>
inline TRef TakeHandle(const TainAny& a) {
  if (a.type_index == kTainRValueRef) {
    TainObject* moved = std::exchange(*static_cast<TainObject**>(a.v_ptr), nullptr);
    return RefAccess::Make<TRef>(RefAccess::Steal<Object>(moved));
  }
  return RefAccess::Make<TRef>(RefAccess::Share<Object>(a.v_obj));
}

// ---------------------------------------------------------------- sequences

/// The cell of an Array or List.
inline TainSeqCell* SeqCellOf(TainObject* seq) noexcept {
  return reinterpret_cast<TainSeqCell*>(seq + 1);  // the cell follows the header
}
inline const TainSeqCell* SeqCellOf(const TainObject* seq) noexcept {
  return reinterpret_cast<const TainSeqCell*>(seq + 1);
}
inline int64_t SeqSize(const TainObject* seq) noexcept {
  return seq == nullptr ? 0 : SeqCellOf(seq)->size;
}
inline const TainAny* SeqData(const TainObject* seq) noexcept {
  return seq == nullptr ? nullptr : static_cast<const TainAny*>(SeqCellOf(seq)->data);
}
inline bool IsSeq(int32_t type_index) noexcept {
  return type_index == kTainArray || type_index == kTainList;
}

/// An empty sequence of type kTainArray or kTainList with room for `capacity` elements.
TAIN_DLL TainObject* SeqNew(int32_t type_index, int64_t capacity);
/// A new sequence of the elements of another, with room for `extra` more.
TAIN_DLL TainObject* SeqCopy(const TainObject* source, int32_t type_index, int64_t extra);
/// What a writer may change: a List itself; an Array itself if nobody else sees it, else a copy
/// (the caller owns one reference to what is returned if it differs from `seq`). Null makes a new
/// one.
TAIN_DLL TainObject* SeqForWriting(TainObject* seq, int32_t type_index, int64_t extra);
TAIN_DLL void SeqReserve(TainObject* seq, int64_t capacity);
/// Gives memory back if more than half of the room is not used.
TAIN_DLL void SeqShrink(TainObject* seq) noexcept;
TAIN_DLL void SeqPush(TainObject* seq, Any value);
/// Inserts before `index` (0..size); IndexError.
TAIN_DLL void SeqInsert(TainObject* seq, int64_t index, Any value);
/// Replaces an element; IndexError.
TAIN_DLL void SeqSet(TainObject* seq, int64_t index, Any value);
/// Replaces elements [first, last) by copies of `count` values, which may be the sequence's own;
/// IndexError.
TAIN_DLL void SeqSplice(TainObject* seq, int64_t first, int64_t last, const TainAny* values,
                        int64_t count);
/// Removes and returns an element; IndexError.
TAIN_DLL Any SeqTake(TainObject* seq, int64_t index);
/// Grows with copies of `fill` or shrinks; ValueError if negative.
TAIN_DLL void SeqResize(TainObject* seq, int64_t size, const TainAny& fill);
TAIN_DLL void SeqClear(TainObject* seq) noexcept;
/// Does nothing: the data_deleter of a List whose elements lie in the object's own block.
TAIN_DLL void KeepBlock(void* block);
/// IndexError that names the index and the size.
[[noreturn]] TAIN_DLL void ThrowSeqIndex(const TainObject* seq, int64_t index);

/// Element `index` of a sequence; IndexError.
inline const TainAny& SeqAt(const TainObject* seq, int64_t index) {
  if (TAIN_UNLIKELY(static_cast<uint64_t>(index) >= static_cast<uint64_t>(SeqSize(seq)))) {
    ThrowSeqIndex(seq, index);
  }
  return SeqData(seq)[index];
}

/// Element `index` as a T; IndexError.
template <class T>
inline T ElementAt(const TainObject* seq, int64_t index) {
  const TainAny& element = SeqAt(seq, index);
  return CastElement<T>(seq, AnyView(index).data(), element);
}

/// A Shape of `size` extents, copied from `data` unless that is null.
TAIN_DLL TainObject* ShapeNew(const int64_t* data, size_t size);

// ---------------------------------------------------------------- maps

/// Memory of Map and Dict after the header. `slots` has its top bit set in the small form, an array
/// of at most 4 pairs; the dense form, a hash table, has the last three members too.
struct MapCell {
  void* data;                   ///< small: pairs; dense: blocks of 16 slots
  uint64_t size;                ///< entries
  uint64_t slots;               ///< room, and the tag of the small form
  void (*data_deleter)(void*);  ///< frees data; null if it lies in the object's own block
  uint32_t fib_shift;           ///< dense: 64 - log2(slots)
  uint32_t padding;
  uint64_t head;  ///< dense: slot of the first entry in order of insertion, or kMapEnd
  uint64_t tail;  ///< dense: slot of the last entry, or kMapEnd
};

/// No position; "none" in the links of the dense form.
inline constexpr uint64_t kMapEnd = ~uint64_t{0};

inline MapCell* MapCellOf(TainObject* map) noexcept { return reinterpret_cast<MapCell*>(map + 1); }
inline const MapCell* MapCellOf(const TainObject* map) noexcept {
  return reinterpret_cast<const MapCell*>(map + 1);
}
inline uint64_t MapSize(const TainObject* map) noexcept {
  return map == nullptr ? 0 : MapCellOf(map)->size;
}
inline bool IsMap(int32_t type_index) noexcept {
  return type_index == kTainMap || type_index == kTainDict;
}

/// Key and value, as they lie in memory.
struct MapItem {
  TainAny key;
  TainAny value;
};

/// An empty map of type kTainMap or kTainDict with room for `capacity` entries.
TAIN_DLL TainObject* MapNew(int32_t type_index, uint64_t capacity);
/// A new map of the entries of another.
TAIN_DLL TainObject* MapCopy(const TainObject* source, int32_t type_index);
/// As SeqForWriting.
TAIN_DLL TainObject* MapForWriting(TainObject* map, int32_t type_index);
/// The entry of a key, or null. Throws what a custom hash or equality throws; RuntimeError if it
/// changes the map at every look.
TAIN_DLL const MapItem* MapFind(const TainObject* map, const TainAny& key);
/// Position of the entry of a key, or kMapEnd.
TAIN_DLL uint64_t MapFindPosition(const TainObject* map, const TainAny& key);
/// Sets the value of a key; a key that is there keeps its place in the order.
TAIN_DLL void MapSet(TainObject* map, Any key, Any value);
/// The value of a key, which is set to `value` first if there is none.
TAIN_DLL Any MapGetOrSet(TainObject* map, Any key, Any value);
/// Removes the entry of a key; false if there is none.
TAIN_DLL bool MapErase(TainObject* map, const TainAny& key);
/// Removes the entry of a key and gives out its value; false if there is none.
TAIN_DLL bool MapTake(TainObject* map, const TainAny& key, Any* value);
/// Removes the last entry in order of insertion and gives it out; false if there is none.
TAIN_DLL bool MapTakeLast(TainObject* map, Any* key, Any* value) noexcept;
TAIN_DLL void MapReserve(TainObject* map, uint64_t capacity);
TAIN_DLL void MapClear(TainObject* map) noexcept;
/// Walks the entries in order of insertion. Positions are stable until the map changes; a position
/// that is not (any more) an entry has no item and no neighbours.
TAIN_DLL uint64_t MapFirst(const TainObject* map) noexcept;
TAIN_DLL uint64_t MapLast(const TainObject* map) noexcept;
TAIN_DLL uint64_t MapNext(const TainObject* map, uint64_t position) noexcept;
TAIN_DLL uint64_t MapPrevious(const TainObject* map, uint64_t position) noexcept;
TAIN_DLL const MapItem* MapItemAt(const TainObject* map, uint64_t position) noexcept;
/// The entry at a position, which then moves on to the next one; null if there is none.
TAIN_DLL const MapItem* MapStep(const TainObject* map, uint64_t* position) noexcept;
/// Where a walk over a map stands: an entry that is known again by its key, and by what lies before
/// it or how often the map has changed, since a map may change at constant size.
struct MapPlace {
  uint64_t position = kMapEnd;
  uint64_t before = kMapEnd;  ///< position of the entry before it, or the map's count of changes
  uint64_t size = 0;          ///< entries of the map
  TainAny key{};              ///< only compared bit by bit: its object may be gone
};
TAIN_DLL MapPlace MapPlaceAt(const TainObject* map, uint64_t position) noexcept;
/// The entry of a place; null if another one lies there now, or none.
TAIN_DLL const MapItem* MapItemOf(const TainObject* map, const MapPlace& place) noexcept;
/// Whether the entry is where it was, in a map that has not changed but for values.
TAIN_DLL bool MapStandsAt(const TainObject* map, const MapPlace& place) noexcept;
/// The entry after or before a place; RuntimeError if the map has changed since.
TAIN_DLL MapPlace MapPlaceAfter(const TainObject* map, const MapPlace& place);
TAIN_DLL MapPlace MapPlaceBefore(const TainObject* map, const MapPlace& place);
/// KeyError with the key's repr.
[[noreturn]] TAIN_DLL void ThrowKeyError(const TainAny& key);
/// RuntimeError: the map changed while it was walked.
[[noreturn]] TAIN_DLL void ThrowMapChanged();

/// Hash and equality as maps use them; unlike TainAnyHash and TainAnyEqual they throw what a type's
/// own functions throw.
TAIN_DLL uint64_t AnyHash(const TainAny& value);
TAIN_DLL bool AnyEqual(const TainAny& a, const TainAny& b);

}  // namespace tain::internal
