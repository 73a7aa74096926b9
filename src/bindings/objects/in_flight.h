// SPDX-License-Identifier: Apache-2.0
// Which objects the calls under way use.
//
// A call borrows its arguments from their mirrors, which Python keeps until it returns. Only
// `__init__` and `_move()` take an object away from a live mirror; they ask here before. What is in
// use stands in memory of its own, not in the frames of the calls: a coroutine that moves the C
// stack away (greenlet) does not move it. The GIL guards all of it.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The objects in use, once for each use. Calls end nearly always in reverse order of their begin.
class UsedObjects {
 public:
  static void Add(const TainObject* object) noexcept {
    if (TAIN_UNLIKELY(end == limit && !MakeRoom())) {
      ++num_unlisted;
      return;
    }
    *end++ = object;
  }
  static void Remove(const TainObject* object) noexcept {
    if (TAIN_LIKELY(end[-1] == object)) {
      --end;
    } else {
      RemoveInside(object);
    }
  }
  static bool Has(const TainObject* object) noexcept;
  /// Calls `visit(object, context)` for each, the latest first, until it returns non-zero.
  static void Visit(int (*visit)(TainObject* object, void* context), void* context);

 private:
  static bool MakeRoom() noexcept;
  static void RemoveInside(const TainObject* object) noexcept;

  static constexpr size_t kFirstRoom = 64;
  static const TainObject* first_room[kFirstRoom];
  static const TainObject** begin;  ///< there stands null, which no use is
  static const TainObject** end;
  static const TainObject** limit;
  static size_t num_unlisted;  ///< uses for which there was no memory
};

/// The values of a call, for as long as this stands.
class InFlight {
 public:
  InFlight(const TainAny* values, int32_t count) noexcept : values_(values), count_(0) {
    Grow(count);
  }
  ~InFlight() { Clear(); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  /// The values are `count` now, no fewer than before.
  void Grow(int32_t count) noexcept {
    for (; count_ < count; ++count_) {
      if (IsObject(values_[count_])) UsedObjects::Add(values_[count_].v_obj);
    }
  }
  /// No value is in use any more.
  void Clear() noexcept {
    for (; count_ > 0; --count_) {
      if (IsObject(values_[count_ - 1])) UsedObjects::Remove(values_[count_ - 1].v_obj);
    }
  }

 private:
  static bool IsObject(const TainAny& value) noexcept {
    return value.type_index >= kTainStaticObjectBegin;
  }

  const TainAny* values_;
  int32_t count_;
};

/// One object that a call uses.
class ObjectInUse {
 public:
  explicit ObjectInUse(const TainObject* object) noexcept : object_(object) {
    UsedObjects::Add(object);
  }
  ~ObjectInUse() { UsedObjects::Remove(object_); }
  ObjectInUse(const ObjectInUse&) = delete;
  ObjectInUse& operator=(const ObjectInUse&) = delete;

 private:
  const TainObject* object_;
};

/// One object in use for as long as somebody likes. It stands at its place in the heap: there may
/// be many, which end in any order.
class LastingUse {
 public:
  explicit LastingUse(const TainObject* object) noexcept;
  ~LastingUse();
  LastingUse(const LastingUse&) = delete;
  LastingUse& operator=(const LastingUse&) = delete;
  static bool Has(const TainObject* object) noexcept;

 private:
  static LastingUse* first;
  const TainObject* object_;
  LastingUse* next_;
  LastingUse** before_;  ///< what points to this
};

/// False, with TypeError set, if a call uses the object of an instance; `what` would take it away.
bool CheckUnused(PyObject* instance, const char* what) noexcept;

}  // namespace tain::bindings
