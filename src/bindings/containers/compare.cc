// SPDX-License-Identifier: Apache-2.0
// Compares containers with each other and with Python's containers; see compare.h.
#include "containers/compare.h"

#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "base/recursion.h"
#include "tain/container/map_base.h"
#include "tain/internal/container_version.h"
#include "tain/internal/nested_notes.h"
#include "tain/internal/pair_table.h"
#include "values/container_access.h"
#include "values/container_lookup.h"

namespace tain::bindings {
namespace {

/// After so many elements signal handlers run.
constexpr int64_t kPartsPerCheck = 1 << 16;

/// A sequence that can be compared: an Array, List, Shape, list or tuple. It may change while it is
/// read.
class Operand {
 public:
  explicit Operand(PyObject* object) : object_(object) {
    TainObject* seq = ContainerOf<&IsAnySeq>(object);
    if (seq != nullptr) {
      held_ = Hold(seq);
    } else {
      builtin_ = PyList_Check(object) || PyTuple_Check(object);
#ifdef Py_GIL_DISABLED
      if (builtin_) readable_ = Checked(Readable(object).release());
      if (builtin_) object_ = readable_.ptr();
#endif
    }
  }
  explicit operator bool() const noexcept { return builtin_ || held_; }
  int64_t size() const noexcept {
    return builtin_ ? PySequence_Fast_GET_SIZE(object_) : LengthOf(HeaderOf(held_));
  }
  /// Returns a new reference to an element in range; null with an error set.
  PyObject* Item(int64_t index) const noexcept {
    if (!builtin_) return ItemOf(HeaderOf(held_), index);
    return Py_NewRef(PySequence_Fast_GET_ITEM(object_, static_cast<Py_ssize_t>(index)));
  }
  /// The container; null for a list or tuple.
  const Held& held() const noexcept { return held_; }
  TainObject* seq() const noexcept { return held_ ? HeaderOf(held_) : nullptr; }
  bool SameObject(const Operand& other) const noexcept { return held_ && held_ == other.held_; }
  /// Returns an element if it is a number that needs no Python object; otherwise null.
  const TainAny* Number(int64_t index) const noexcept {
    if (builtin_ || !internal::IsSeq(HeaderOf(held_)->type_index)) return nullptr;
    const TainAny* element = internal::SeqData(HeaderOf(held_)) + index;
    return element->type_index == kTainInt ? element : nullptr;
  }

 private:
  PyObject* object_;
#ifdef Py_GIL_DISABLED
  nb::object readable_;
#endif
  Held held_;
  bool builtin_ = false;
};

using Versions = std::pair<internal::ContainerVersion, internal::ContainerVersion>;

/// The results for the containers within the one that a thread compares or hashes. Lists and Dicts
/// have no hash; code that runs meanwhile may change them, and then they are compared anew.
struct KnownContainers {
  internal::PairTable<Py_hash_t> hashes;
  internal::PairTable<Versions> equal;
};

/// One level of a comparison or hash.
class SharedParts : internal::NestedNotes<KnownContainers> {
 public:
  bool HashOf(TainObject* part, Py_hash_t* hash) const {
    const Py_hash_t* known = notes() == nullptr ? nullptr : notes()->hashes.Find(part);
    if (known != nullptr) *hash = *known;
    return known != nullptr;
  }
  /// The caller holds the parts, because the code that ran may have dropped every other reference.
  void NoteHash(const Held& part, Py_hash_t hash) const noexcept {
    if (!MayBeMetAgain(part)) return;
    Note([&] { MakeNotes().hashes.FindOrAdd(HeaderOf(part), nullptr, hash); });
  }
  bool AreEqual(TainObject* a, TainObject* b) const {
    if (notes() == nullptr || b == nullptr) return false;
    const Versions* known = notes()->equal.Find(a, b);
    return known != nullptr && *known == VersionsOf(a, b);
  }
  void NoteEqual(const Held& a, const Held& b) const noexcept {
    if (b == nullptr || !MayBeMetAgain(a) || !MayBeMetAgain(b)) return;
    const Versions versions = VersionsOf(HeaderOf(a), HeaderOf(b));
    Note([&] { MakeNotes().equal.FindOrAdd(HeaderOf(a), HeaderOf(b), versions) = versions; });
  }

 private:
  static Versions VersionsOf(const TainObject* a, const TainObject* b) noexcept {
    const auto of = [](const TainObject* part) {
      const bool is_shape = part->type_index == kTainShape;  // it never changes
      return is_shape ? internal::ContainerVersion{} : internal::VersionOf(part);
    };
    return {of(a), of(b)};
  }
  /// Whether this is an inner container that more than its holder, its wrapper and the caller refer
  /// to.
  static bool MayBeMetAgain(const Held& part) noexcept {
    return depth() > 1 && part->use_count() > 3;
  }
  /// Without memory nothing is recorded.
  template <class F>
  static void Note(F record) noexcept {
    try {
      record();
    } catch (const std::bad_alloc&) {
    }
  }
};

PyObject* ResultOf(int op, bool less, bool equal) noexcept {
  switch (op) {
    case Py_EQ: return PyBool_FromLong(equal);
    case Py_NE: return PyBool_FromLong(!equal);
    case Py_LT: return PyBool_FromLong(less);
    case Py_LE: return PyBool_FromLong(less || equal);
    case Py_GT: return PyBool_FromLong(!less && !equal);
    default: return PyBool_FromLong(!less);
  }
}

/// Whether the elements at an index are equal; -1 with an error set. Returns both to the caller.
int ItemsEqual(const Operand& a, const Operand& b, int64_t index, Own* x, Own* y) noexcept {
  const TainAny* first = a.Number(index);
  const TainAny* second = b.Number(index);
  if (first != nullptr && second != nullptr && first->v_int64 == second->v_int64) return 1;
  *x = Own(a.Item(index));
  if (!*x || index >= b.size()) return x->get() == nullptr ? -1 : 0;
  *y = Own(b.Item(index));
  return *y ? PyObject_RichCompareBool(x->get(), y->get(), Py_EQ) : -1;
}

PyObject* CompareSeqs(const Operand& a, const Operand& b, int op) noexcept {
  if (a.SameObject(b)) return ResultOf(op, false, true);
  if ((op == Py_EQ || op == Py_NE) && a.size() != b.size()) return ResultOf(op, false, false);
  for (int64_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (TAIN_UNLIKELY(i % kPartsPerCheck == kPartsPerCheck - 1) && PyErr_CheckSignals() != 0) {
      return nullptr;
    }
    Own x, y;
    const int equal = ItemsEqual(a, b, i, &x, &y);
    if (equal < 0) return nullptr;
    if (equal > 0) continue;
    if (!y) break;  // `b` has become shorter
    if (op == Py_EQ || op == Py_NE) return ResultOf(op, false, false);
    return PyObject_RichCompare(x.get(), y.get(), op);
  }
  return ResultOf(op, a.size() < b.size(), a.size() == b.size());
}

/// Whether a value of the core equals one of Python; -1 with an error set.
int Equals(const TainAny& element, PyObject* value) noexcept {
  int64_t number;
  if (element.type_index == kTainInt && Py_TYPE(value) == &PyLong_Type &&
      CompactInt(value, &number)) {
    return element.v_int64 == number ? 1 : 0;
  }
  const Own item(ElementToPython(element));
  return item ? PyObject_RichCompareBool(item.get(), value, Py_EQ) : -1;
}

/// Whether an element equals a value; -1 with an error set.
int ElementEquals(const TainObject* seq, int64_t index, PyObject* value) noexcept {
  if (seq->type_index != kTainShape) return Equals(internal::SeqData(seq)[index], value);
  const Own item(ItemOf(seq, index));
  return item ? PyObject_RichCompareBool(item.get(), value, Py_EQ) : -1;
}

/// Converts a part of a container that is hashed. Python hashes NaN by the identity of its float,
/// and the next conversion would make another float; so here NaN has one hash.
PyObject* HashedPart(const TainAny& part) noexcept {
  const bool is_nan = part.type_index == kTainFloat && std::isnan(part.v_float64);
  return is_nan ? PyLong_FromLong(0) : ElementToPython(part);
}

/// Returns a tuple of the elements of an Array or Shape for its hash; null with an error set.
Own HashedElements(const TainObject* seq) noexcept {
  const int64_t size = LengthOf(seq);
  Own tuple(PyTuple_New(size));
  for (int64_t i = 0; tuple && i < size && i < LengthOf(seq); ++i) {
    PyObject* item =
        seq->type_index == kTainShape ? ItemOf(seq, i) : HashedPart(internal::SeqData(seq)[i]);
    if (item == nullptr) return Own();
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple;
}

/// Returns a list of the pairs of a Map for its hash; null with an error set.
Own HashedEntries(TainObject* map) noexcept {
  return Own(GuardedObject([&]() -> nb::object {
    nb::list pairs = NewList();
    internal::EachEntry(map, [&](const Any& key, const Any& value) {
      const nb::object first = Checked(HashedPart(key.data()));
      const nb::object second = Checked(HashedPart(value.data()));
      pairs.append(nb::make_tuple(first, second));
      return true;
    });
    return pairs;
  }));
}

/// Returns the hash of the object that `hashed` makes of a container; -1 with an error set.
template <class F>
Py_hash_t HashOf(TainObject* container, F&& hashed) noexcept {
  const Recursion level(" in hash()");
  if (!level) return -1;
  Py_hash_t hash = -1;
  const Held held = Hold(container);
  const SharedParts shared;
  if (shared.HashOf(container, &hash)) return hash;
  const Own made = hashed();
  if (made) hash = PyObject_Hash(made.get());
  if (hash != -1) shared.NoteHash(held, hash);
  return hash;
}

/// Reads a bound of index(). A negative bound counts from the end; the result is in range.
bool ReadBound(PyObject* object, int64_t size, int64_t* out) noexcept {
  if (!PyIndex_Check(object)) {
    PyErr_SetString(PyExc_TypeError, "slice indices must be integers or have an __index__ method");
    return false;
  }
  const Py_ssize_t value = PyNumber_AsSsize_t(object, nullptr);
  if (value == -1 && PyErr_Occurred()) return false;
  *out = value >= 0 ? value : value + size < 0 ? 0 : value + size;
  return true;
}

}  // namespace

PyObject* SeqRichCompare(PyObject* self, PyObject* other, int op) {
  TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  const Operand a(self);
  const Operand b(other);
  if (!b) Py_RETURN_NOTIMPLEMENTED;
  const Recursion level(" in comparison");
  if (!level) return nullptr;
  const SharedParts shared;
  if (shared.AreEqual(seq, b.seq())) return ResultOf(op, false, true);
  PyObject* result = CompareSeqs(a, b, op);
  if (result == (op == Py_EQ ? Py_True : Py_False) && (op == Py_EQ || op == Py_NE)) {
    shared.NoteEqual(a.held(), b.held());
  }
  return result;
}

Py_hash_t SeqHash(PyObject* self) {
  TainObject* seq = SeqReceiver(self);
  return seq == nullptr ? -1 : HashOf(seq, [seq] { return HashedElements(seq); });
}

int64_t FindInSeq(TainObject* seq, PyObject* value, int64_t start, int64_t stop,
                  Any* element) noexcept {
  const Held held = Hold(seq);
  for (int64_t i = start; i < stop && i < LengthOf(seq); ++i) {
    Any candidate;  // dropped before the size is read again: that may run code too
    if (element != nullptr) candidate = Any(AnyView(internal::SeqData(seq)[i]));
    const int equal =
        element != nullptr ? Equals(candidate.data(), value) : ElementEquals(seq, i, value);
    if (equal < 0) return -2;
    if (equal == 0) continue;
    if (element != nullptr) *element = std::move(candidate);
    return i;
  }
  return -1;
}

int SeqContains(PyObject* self, PyObject* value) {
  TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return -1;
  const int64_t found = FindInSeq(seq, value, 0, PY_SSIZE_T_MAX);
  return found == -2 ? -1 : found >= 0 ? 1 : 0;
}

PyObject* SeqCount(PyObject* self, PyObject* value) {
  TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  const Held held = Hold(seq);
  Py_ssize_t count = 0;
  for (int64_t i = 0; i < LengthOf(seq); ++i) {
    const int equal = ElementEquals(seq, i, value);
    if (equal < 0) return nullptr;
    count += equal;
  }
  return PyLong_FromSsize_t(count);
}

PyObject* SeqIndex(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("index", nargs, 1, 3)) return nullptr;
  TainObject* seq = SeqReceiver(self);
  if (seq == nullptr) return nullptr;
  const Held held = Hold(seq);
  int64_t start = 0;
  int64_t stop = PY_SSIZE_T_MAX;
  if (nargs > 1 && !ReadBound(args[1], LengthOf(seq), &start)) return nullptr;
  if (nargs > 2 && !ReadBound(args[2], LengthOf(seq), &stop)) return nullptr;
  const int64_t found = FindInSeq(seq, args[0], start, stop);
  if (found == -1) {
    PyErr_Format(PyExc_ValueError, "%R is not in %s", args[0], ContainerName(seq->type_index));
  }
  return found < 0 ? nullptr : PyLong_FromLongLong(found);
}

// ---------------------------------------------------------------- maps

namespace {

/// Returns the value of a key in the other operand as a new reference. Null, with or without an
/// error set, if it has none.
PyObject* ValueIn(PyObject* other, const Held& other_map, const Any& key) noexcept {
  if (other_map) {
    Any value;
    const int found = FindValue(HeaderOf(other_map), key.data(), &value);
    return found > 0 ? ToPython(value.Release()) : nullptr;
  }
  const Own object(ElementToPython(key.data()));
  if (!object) return nullptr;
  return DictValue(other, object.get());
}

/// Whether the other operand has an entry of a map; -1 with an error set. Has released all that it
/// held when it returns, so only the caller remembers the place.
int EntryIsIn(const internal::MapItem& item, PyObject* other, const Held& other_map) noexcept {
  const Any key{AnyView(item.key)};
  const Any value{AnyView(item.value)};
  const Own theirs(ValueIn(other, other_map, key));
  if (!theirs) return PyErr_Occurred() ? -1 : 0;
  const Own ours(ElementToPython(value.data()));
  return ours ? PyObject_RichCompareBool(ours.get(), theirs.get(), Py_EQ) : -1;
}

/// Whether the other operand has all entries of the map; -1 with an error set.
int AllIn(const Held& map, PyObject* other, const Held& other_map) noexcept {
  const TainObject* header = HeaderOf(map);
  internal::MapPlace at = internal::MapPlaceAt(header, internal::MapFirst(header));
  while (at.position != internal::kMapEnd) {
    const int equal = EntryIsIn(*internal::MapItemAt(header, at.position), other, other_map);
    if (equal <= 0) return equal;
    if (!internal::MapStandsAt(header, at)) {
      PyErr_Format(PyExc_RuntimeError, "%s changed during comparison",
                   ContainerName(header->type_index));
      return -1;
    }
    at = internal::MapPlaceAt(header, internal::MapNext(header, at.position));
  }
  return 1;
}

}  // namespace

PyObject* MapRichCompare(PyObject* self, PyObject* other, int op) {
  TainObject* map = MapReceiver(self);
  if (map == nullptr) return nullptr;
  TainObject* other_map = ContainerOf<&internal::IsMap>(other);
  if ((op != Py_EQ && op != Py_NE) || (other_map == nullptr && !PyDict_Check(other))) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  if (map == other_map) return PyBool_FromLong(op == Py_EQ);
  const Held held = Hold(map);
  const Held other_held = other_map == nullptr ? Held() : Hold(other_map);
  const auto size = static_cast<int64_t>(internal::MapSize(map));
  const int64_t other_size = other_map == nullptr
                                 ? static_cast<int64_t>(PyDict_GET_SIZE(other))
                                 : static_cast<int64_t>(internal::MapSize(other_map));
  int equal = 0;
  if (size == other_size) {
    const Recursion level(" in comparison");
    if (!level) return nullptr;
    const SharedParts shared;
    equal = shared.AreEqual(map, other_map) ? 1 : AllIn(held, other, other_held);
    if (equal == 1) shared.NoteEqual(held, other_held);
  }
  return EqualityResult(equal, op);
}

Py_hash_t MapHash(PyObject* self) {
  TainObject* map = MapReceiver(self);
  return map == nullptr ? -1 : HashOf(map, [map] {
    const Own pairs = HashedEntries(map);
    return Own(pairs ? PyFrozenSet_New(pairs.get()) : nullptr);
  });
}

}  // namespace tain::bindings
