// SPDX-License-Identifier: Apache-2.0
// The functions of libtain for the container headers: memory of sequences and maps, error texts.
//
// Private to tain's headers and bridge. A sequence or map is passed as its object's header; null
// stands for an empty one where a function only reads. Functions that are not noexcept throw Error
// or std::bad_alloc and leave the container unchanged. Elements are dropped only after the
// container is consistent again, because dropping an element can run arbitrary code.
#pragma once

#include <initializer_list>
#include <string>

#include "tain/convert.h"

namespace tain::internal {

// ---------------------------------------------------------------- texts

/// Returns type and value for messages: `str ('a')`.
TAIN_DLL std::string TypeAndValue(const TainAny& value);
/// Throws the error of a conversion with `where` before its message. Other errors are thrown
/// unchanged.
[[noreturn]] TAIN_DLL void ThrowPlaced(const std::string& where, const Error& error);
/// In the handler of what a type's from_any threw: throws it as an error whose message begins with the
/// place of the value; an empty place stands for one that a caller knows. Errors that ask to stop, and
/// MemoryError, are thrown unchanged.
[[noreturn]] TAIN_DLL void RethrowInside(const std::string& place);
/// Returns the place of a map's entry: `["key"]`.
TAIN_DLL std::string KeyPlace(const TainAny& key);

/// Returns the place of a sequence's element: `[2]`.
TAIN_DLL std::string IndexPlace(int64_t index);
/// Returns the mismatch for a sequence of `size` elements where `wanted` elements were expected.
TAIN_DLL Mismatch SizeMismatch(const std::string& type, int64_t wanted, int64_t size);

/// Returns the name of a container for messages: `Sheet.cells` if the container is in a field of an
/// object that a running call uses, else its type, such as `Dict`.
TAIN_DLL std::string ContainerPlace(const TainObject* container);

// ---------------------------------------------------------------- types of elements

/// The work of the traits of an element's type, as functions: libtain has the loops over elements,
/// so that they are not compiled for each type.
struct ElementType {
  bool (*check)(const TainAny* a) noexcept;     ///< CheckAnyStrict
  bool (*convert)(const TainAny* a, Any* out);  ///< TryCastFromAnyView; returns whether it is a T
  Explain explain;
  TypeText type_str;
};

/// Converts an element to an Any, as it is stored.
template <class T>
inline Any ToElement(T value) {
  static_assert(CrossesAsElement<T>,
                "an element's type must cross the border and own what it holds: see tain/traits.h");
  TainAny raw{};
  TypeTraits<T>::MoveToAny(std::move(value), &raw);
  return Any::Steal(raw);
}

/// Reads the element of a tuple.
template <class T>
std::optional<T> ReadElement(const TainAny* a, int64_t index) {
  return ReadOr<T>(a, [&] { RethrowInside(IndexPlace(index)); });
}

template <class T>
bool ConvertElement(const TainAny* a, Any* out) {
  std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(a);
  if (!value) return false;
  *out = ToElement<T>(*std::move(value));
  return true;
}

template <class T>
inline constexpr ElementType kElementType = {
    [](const TainAny* a) noexcept { return TypeTraits<T>::CheckAnyStrict(a); }, &ConvertElement<T>,
    &MismatchOf<T>, &TypeTraits<T>::TypeStr};

/// Returns the name of a type with parameters: `Array[int]`, `Map[str, int]`.
TAIN_DLL std::string GenericStr(const char* name, const ElementType& element);
TAIN_DLL std::string GenericStr(const char* name, const ElementType& key, const ElementType& value);

/// Converts an element that is not stored as its type says. Conversions can run the host's code, so
/// container, key and element are held. The key of a sequence is an int. Throws the error of
/// CastElement.
TAIN_DLL Any ConvertStored(const TainObject* container, const TainAny& key, const TainAny& element,
                           const ElementType& type);

/// Calls `take(context, element, index)` for each element until it returns false; returns whether
/// it never did. Converting an element may run the host's code, so the sequence and the element are
/// held.
TAIN_DLL bool SeqEach(TainObject* seq, void* context,
                      bool (*take)(void* context, const TainAny* element, int64_t index));
/// Returns a new sequence of type `type_index` with the elements of `value` (an Array, a List or a
/// sequence of the host) converted; null if it is none or an element does not convert.
TAIN_DLL TainObject* SeqConvert(const TainAny& value, int32_t type_index, const ElementType& type);
/// Returns why `value` does not convert to a sequence: the mismatch of its first element that does
/// not convert, or `expected` if it is no sequence. The host is asked for `form`.
TAIN_DLL Mismatch SeqMismatch(const TainAny& value, const ElementType& type, TypeText expected,
                              TainHostForm form = kTainHostSequence);
/// Calls `start(target, size)`, then `take(target, element, index)` for each element of a sequence,
/// an rvalue reference to one, or what the host makes of the value if it is asked for `form`.
/// Returns false if the value is none or `take` returned false.
TAIN_DLL bool SeqRead(const TainAny& value, TainHostForm form, void* target,
                      void (*start)(void* target, int64_t size),
                      bool (*take)(void* target, const TainAny* element, int64_t index));

/// Calls `take(context, key, value)` for each entry until it returns false; returns whether it never
/// did. Converting an entry may run the host's code, so key and value are held. Throws RuntimeError
/// if the map changes meanwhile.
TAIN_DLL bool MapEach(TainObject* map, void* context,
                      bool (*take)(void* context, const Any& key, const Any& value));
/// SeqConvert and SeqMismatch for maps.
TAIN_DLL TainObject* MapConvert(const TainAny& value, int32_t type_index, const ElementType& key,
                                const ElementType& mapped);
TAIN_DLL Mismatch MapMismatch(const TainAny& value, const ElementType& key,
                              const ElementType& mapped, TypeText expected);
/// SeqRead for maps.
TAIN_DLL bool MapRead(const TainAny& value, void* target,
                      bool (*take)(void* target, const Any& key, const Any& value));

/// CastElement for a value that is not stored as a T.
template <class T>
TAIN_NOINLINE T CastElementSlow(const TainObject* container, const TainAny& key,
                                const TainAny& element) {
  const Any converted = ConvertStored(container, key, element, kElementType<T>);
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(&converted.data());
}

/// CastElement for a T that reading alone tells whether it fits. Reading may run code that changes
/// the container, so the element is held.
template <class T>
TAIN_NOINLINE T CastElementRead(const TainObject* container, const TainAny& key,
                                const TainAny& element) {
  const Any held{AnyView(element)};
  if (std::optional<T> read = TypeTraits<T>::TryCastFromAnyView(&held.data())) {
    return *std::move(read);
  }
  return CastElementSlow<T>(container, key, held.data());  // throws
}

/// Returns an element of a container as a T. Throws an error that names the place of the element.
template <class T>
inline T CastElement(const TainObject* container, const TainAny& key, const TainAny& element) {
  if constexpr (FitsIfRead<T>) {
    return CastElementRead<T>(container, key, element);
  } else if constexpr (Crosses<T>) {
    if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(&element))) {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(&element);
    }
    return CastElementSlow<T>(container, key, element);
  } else {
    return CastOrThrow<T>(element);  // its static_assert explains the error
  }
}

/// Returns the union `a | b` without duplicate alternatives.
TAIN_DLL std::string UnionStr(const std::string& a, const std::string& b);
TAIN_DLL std::string UnionStr(std::initializer_list<TypeText> types);
TAIN_DLL std::string OptionalStr(TypeText type);
/// Returns why a value is none of several types: the first specific mismatch (a wrong element, a
/// range), otherwise what all types expect.
TAIN_DLL Mismatch UnionMismatch(const TainAny* a, std::initializer_list<Explain> explains);
TAIN_DLL Mismatch OptionalMismatch(const TainAny* a, Explain explain);

/// TypeStr, CheckAnyStrict and ExplainMismatch of a tuple with elements of these types.
TAIN_DLL std::string TupleStr(const ElementType* types, int64_t size);
TAIN_DLL bool TupleCheck(const TainAny& value, const ElementType* types, int64_t size) noexcept;
TAIN_DLL Mismatch TupleMismatch(const TainAny& value, const ElementType* types, int64_t size);
/// Returns a new Array with the elements of `value` converted; null if it is no sequence of this
/// size or an element does not convert.
TAIN_DLL TainObject* TupleConvert(const TainAny& value, const ElementType* types, int64_t size);
/// Stores the elements of a sequence of this size, an rvalue reference to one, or what the host makes
/// of the value; false if it is none. Converting an element may run the host's code, which may change
/// a List, so the elements are held before one is converted.
TAIN_DLL bool TupleHold(const TainAny& value, Any* held, int64_t size);

/// Returns the object that an rvalue reference refers to; returns other values unchanged.
inline TainAny Referred(const TainAny& a) noexcept {
  return TAIN_LIKELY(a.type_index != kTainRValueRef) ? a : PeekRValue(a);
}

/// Returns a handle to the object of `a`. The object of an rvalue reference is moved, any other is
/// shared. The caller must have checked the type of Referred(a).
template <class TRef>
inline TRef TakeHandle(const TainAny& a) {
  if (a.type_index == kTainRValueRef) {
    TainObject* moved = std::exchange(*static_cast<TainObject**>(a.v_ptr), nullptr);
    return RefAccess::Make<TRef>(RefAccess::Steal<Object>(moved));
  }
  return RefAccess::Make<TRef>(RefAccess::Share<Object>(a.v_obj));
}

/// Lets a handle refer to the object that SeqForWriting or MapForWriting returned; returns that.
inline TainObject* Rewritten(ObjectPtr<Object>& handle, TainObject* writable) {
  if (writable != RefAccess::Header(handle)) handle = RefAccess::Steal<Object>(writable);
  return writable;
}

/// Whether T is a handle to objects of class C.
template <class T, class C>
inline constexpr bool IsHandleOf = false;
template <class T, class C>
  requires IsObjectRef<T>
inline constexpr bool IsHandleOf<T, C> = std::is_same_v<typename T::ContainerType, C>;

// ---------------------------------------------------------------- sequences

/// The result of accessors of containers: a copy of an element. It is const if it is an object, so
/// that `list[0] = x`, which would change the copy alone, does not compile.
template <class T>
using ElementCopy = std::conditional_t<std::is_class_v<T>, const T, T>;

/// Returns the cell of an Array or List.
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
/// Whether a value of a built-in type has parts: Array, List, Map, Dict.
inline bool IsContainer(int32_t type_index) noexcept {
  return IsSeq(type_index) || type_index == kTainMap || type_index == kTainDict;
}

/// Whether a container of the type can change: List, Dict.
inline bool IsMutableContainer(int32_t type_index) noexcept {
  return type_index == kTainList || type_index == kTainDict;
}

/// Makes an empty sequence of type kTainArray or kTainList with room for `capacity` elements.
TAIN_DLL TainObject* SeqNew(int32_t type_index, int64_t capacity);
/// Makes a new sequence of the elements of another, with room for `extra` more.
TAIN_DLL TainObject* SeqCopy(const TainObject* source, int32_t type_index, int64_t extra);
/// Returns the sequence that a writer may change: a List itself, an Array itself if it is not
/// shared, else a copy. For null it makes a new sequence. If the result is not `seq`, the caller
/// owns a reference to it.
TAIN_DLL TainObject* SeqForWriting(TainObject* seq, int32_t type_index, int64_t extra);
TAIN_DLL void SeqReserve(TainObject* seq, int64_t capacity);
/// Frees unused memory if more than half of the capacity is unused.
TAIN_DLL void SeqShrink(TainObject* seq) noexcept;
TAIN_DLL void SeqPush(TainObject* seq, Any value);
/// Inserts before `index`. Throws IndexError if it is not in 0..size.
TAIN_DLL void SeqInsert(TainObject* seq, int64_t index, Any value);
/// Replaces an element. Throws IndexError.
TAIN_DLL void SeqSet(TainObject* seq, int64_t index, Any value);
/// Replaces elements [first, last) by copies of `count` values, which may be elements of the same
/// sequence. Throws IndexError.
TAIN_DLL void SeqSplice(TainObject* seq, int64_t first, int64_t last, const TainAny* values,
                        int64_t count);
/// Removes and returns an element. Throws IndexError.
TAIN_DLL Any SeqTake(TainObject* seq, int64_t index);
/// Changes the size; new elements are copies of `fill`. Throws ValueError if the size is negative.
TAIN_DLL void SeqResize(TainObject* seq, int64_t size, const TainAny& fill);
TAIN_DLL void SeqClear(TainObject* seq) noexcept;
/// Frees a block of operator new, or null: the data_deleter of a List, also of one without elements.
TAIN_DLL void FreeListBlock(void* block);
/// Throws IndexError with the index and the size.
[[noreturn]] TAIN_DLL void ThrowSeqIndex(const TainObject* seq, int64_t index);

/// Returns element `index` of a sequence. Throws IndexError.
inline const TainAny& SeqAt(const TainObject* seq, int64_t index) {
  if (TAIN_UNLIKELY(static_cast<uint64_t>(index) >= static_cast<uint64_t>(SeqSize(seq)))) {
    ThrowSeqIndex(seq, index);
  }
  return SeqData(seq)[index];
}

/// Returns element `index` as a T. Throws IndexError, and TypeError if the element does not
/// convert.
template <class T>
inline T ElementAt(const TainObject* seq, int64_t index) {
  const TainAny& element = SeqAt(seq, index);
  return CastElement<T>(seq, AnyView(index).data(), element);
}

/// Makes a Shape of `size` extents, which are copied from `data` unless it is null.
TAIN_DLL TainObject* ShapeNew(const int64_t* data, size_t size);

// ---------------------------------------------------------------- maps

/// The memory of Map and Dict after the header. The small form is an array of at most 4 pairs; it
/// has the top bit of `num_slots` set and lacks the members from `fib_shift` on. The dense form is a
/// hash table.
struct MapCell {
  void* data;                   ///< small: pairs; dense: blocks of 16 slots
  uint64_t size;                ///< entries
  uint64_t num_slots;           ///< capacity, with the tag of the small form
  void (*data_deleter)(void*);  ///< frees data; null if it lies in the object's own block
  uint32_t fib_shift;           ///< dense: 64 - log2(slots)
  uint32_t padding;
  uint64_t head;  ///< dense: slot of the first entry in order of insertion, or kMapEnd
  uint64_t tail;  ///< dense: slot of the last entry, or kMapEnd
};

/// Stands for "no position", also in the links of the dense form.
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

/// A key and its value, with their layout in memory.
struct MapItem {
  TainAny key;
  TainAny value;
};

/// Makes an empty map of type kTainMap or kTainDict with room for `capacity` entries.
TAIN_DLL TainObject* MapNew(int32_t type_index, uint64_t capacity);
/// Makes a new map of the entries of another.
TAIN_DLL TainObject* MapCopy(const TainObject* source, int32_t type_index);
/// Returns the map that a writer may change, by the rules of SeqForWriting.
TAIN_DLL TainObject* MapForWriting(TainObject* map, int32_t type_index);
/// Returns the entry of a key, or null. Throws any error of a custom hash or equality, and
/// RuntimeError if this code changes the map in every attempt.
TAIN_DLL const MapItem* MapFind(const TainObject* map, const TainAny& key);
/// Returns the position of the entry of a key, or kMapEnd.
TAIN_DLL uint64_t MapFindPosition(const TainObject* map, const TainAny& key);
/// Sets the value of a key. An existing key keeps its place in the order.
TAIN_DLL void MapSet(TainObject* map, Any key, Any value);
/// Returns the value of a key. If there is no entry, adds one with `value` first.
TAIN_DLL Any MapGetOrSet(TainObject* map, Any key, Any value);
/// Removes the entry of a key. Returns false if there is none.
TAIN_DLL bool MapErase(TainObject* map, const TainAny& key);
/// Removes the entry of a key and stores its value in `*value`. Returns false if there is none.
TAIN_DLL bool MapTake(TainObject* map, const TainAny& key, Any* value);
/// Removes the last entry in insertion order and stores its key and value. Returns false if the map
/// is empty.
TAIN_DLL bool MapTakeLast(TainObject* map, Any* key, Any* value) noexcept;
TAIN_DLL void MapReserve(TainObject* map, uint64_t capacity);
TAIN_DLL void MapClear(TainObject* map) noexcept;
/// The next functions iterate in insertion order. Positions are stable until the map changes. A
/// position without an entry has no item and no neighbours.
TAIN_DLL uint64_t MapFirst(const TainObject* map) noexcept;
TAIN_DLL uint64_t MapLast(const TainObject* map) noexcept;
TAIN_DLL uint64_t MapNext(const TainObject* map, uint64_t position) noexcept;
TAIN_DLL uint64_t MapPrevious(const TainObject* map, uint64_t position) noexcept;
TAIN_DLL const MapItem* MapItemAt(const TainObject* map, uint64_t position) noexcept;
/// Returns the entry at `*position`, or null if there is none, and advances `*position` to the next
/// entry.
TAIN_DLL const MapItem* MapStep(const TainObject* map, uint64_t* position) noexcept;
/// The place of an iteration over a map. Position and size do not show every change, so it also
/// records the key of the entry and either the previous position or the map's count of changes.
struct MapPlace {
  uint64_t position = kMapEnd;
  uint64_t before = kMapEnd;  ///< position of the entry before it, or the map's count of changes
  uint64_t size = 0;          ///< entries of the map
  TainAny key{};              ///< only compared bit by bit, as its object may be dead
};
TAIN_DLL MapPlace MapPlaceAt(const TainObject* map, uint64_t position) noexcept;
/// Returns the entry of a place, or null if the position now has another entry or none.
TAIN_DLL const MapItem* MapItemOf(const TainObject* map, const MapPlace& place) noexcept;
/// Whether the entry is still at its place and the map has not changed, except for values.
TAIN_DLL bool MapStandsAt(const TainObject* map, const MapPlace& place) noexcept;
/// Returns the place after or before a place. Throws RuntimeError if the map has changed since.
TAIN_DLL MapPlace MapPlaceAfter(const TainObject* map, const MapPlace& place);
TAIN_DLL MapPlace MapPlaceBefore(const TainObject* map, const MapPlace& place);
/// Throws KeyError with the repr of the key.
[[noreturn]] TAIN_DLL void ThrowKeyError(const TainAny& key);
/// Throws RuntimeError because the map changed during an iteration.
[[noreturn]] TAIN_DLL void ThrowMapChanged();

/// Hash and equality as maps use them. Unlike TainAnyHash and TainAnyEqual they throw any error of
/// a type's own functions.
TAIN_DLL uint64_t AnyHash(const TainAny& value);
TAIN_DLL bool AnyEqual(const TainAny& a, const TainAny& b);

}  // namespace tain::internal
