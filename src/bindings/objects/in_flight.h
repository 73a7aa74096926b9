// SPDX-License-Identifier: Apache-2.0
// The objects that running calls use.
//
// A call borrows its arguments from their wrappers, which Python keeps alive until the call
// returns. Only `__init__` and `_move()` take the object away from a living wrapper, so they check
// here first. The list of used objects is not in the frames of the calls, because coroutines
// (greenlet) may move the C stack away. The GIL, or the lock of the bridge, guards the list.
#pragma once

#include <utility>

#include "objects/state.h"

namespace tain::bindings {

/// The used objects, once for each use. Calls nearly always end in the reverse order of their
/// beginning.
class UsedObjects {
 public:
  static void Add(const TainObject* object) noexcept {
    UsedList& used = GetObjectsState().used;
    if (TAIN_UNLIKELY(used.end == used.limit && !MakeRoom())) {
      ++used.num_unlisted;
      return;
    }
    *used.end++ = object;
  }
  static void Remove(const TainObject* object) noexcept {
    UsedList& used = GetObjectsState().used;
    if (TAIN_LIKELY(used.end[-1] == object)) {
      --used.end;
    } else {
      RemoveInside(object);
    }
  }
  /// The same for a value, if it is an object.
  static void AddValue(const TainAny& value) noexcept {
    if (value.type_index >= kTainStaticObjectBegin) Add(value.v_obj);
  }
  static void RemoveValue(const TainAny& value) noexcept {
    if (value.type_index >= kTainStaticObjectBegin) Remove(value.v_obj);
  }
  static bool Has(const TainObject* object) noexcept;
  /// Calls `visit(object, context)` for each used object, the latest first, until it returns
  /// nonzero.
  static void Visit(int (*visit)(TainObject* object, void* context), void* context);

 private:
  static bool MakeRoom() noexcept;
  static void RemoveInside(const TainObject* object) noexcept;
};

/// The values that one call uses, for a scope.
class InFlight : internal::NotCopied {
 public:
  InFlight(const TainAny* values, int32_t count) noexcept : values_(values), count_(0) {
    Grow(count);
  }
  ~InFlight() { Clear(); }
  /// Tells that there are `count` values now, not fewer than before.
  void Grow(int32_t count) noexcept {
    for (; count_ < count; ++count_) UsedObjects::AddValue(values_[count_]);
  }
  /// Tells that no value is used any more.
  void Clear() noexcept {
    for (; count_ > 0; --count_) UsedObjects::RemoveValue(values_[count_ - 1]);
  }

 private:
  const TainAny* values_;
  int32_t count_;
};

/// The same for a number of values that is known at compile time, without a loop.
template <int kCount>
class FewInFlight : internal::NotCopied {
 public:
  explicit FewInFlight(const TainAny* values) noexcept : values_(values) {
    AddAll(std::make_integer_sequence<int, kCount>());
  }
  ~FewInFlight() { RemoveAll(std::make_integer_sequence<int, kCount>()); }

 private:
  template <int... kPlaces>
  void AddAll(std::integer_sequence<int, kPlaces...>) noexcept {
    (UsedObjects::AddValue(values_[kPlaces]), ...);
  }
  template <int... kPlaces>
  void RemoveAll(std::integer_sequence<int, kPlaces...>) noexcept {
    (UsedObjects::RemoveValue(values_[kCount - 1 - kPlaces]), ...);
  }

  const TainAny* values_;
};

/// One object that a call uses, for a scope.
class ObjectInUse : internal::NotCopied {
 public:
  explicit ObjectInUse(const TainObject* object) noexcept : object_(object) {
    UsedObjects::Add(object);
  }
  ~ObjectInUse() { UsedObjects::Remove(object_); }

 private:
  const TainObject* object_;
};

/// One object that is used for a longer time, such as by a buffer. It is allocated on the heap, and
/// uses may end in any order.
class LastingUse : internal::NotCopied {
 public:
  explicit LastingUse(const TainObject* object) noexcept;
  ~LastingUse();
  static bool Has(const TainObject* object) noexcept;

 private:
  const TainObject* object_;
  LastingUse* next_;
  LastingUse** before_;  ///< the pointer that points to this
};

/// Returns false, with TypeError set, if a call uses the object of a wrapper. `what` is the
/// method that would take the object away.
bool CheckUnused(PyObject* wrapper, const char* what) noexcept;

}  // namespace tain::bindings
