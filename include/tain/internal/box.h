// SPDX-License-Identifier: Apache-2.0
// The objects that hold a class which does not derive from tain::Object, or refer to one.
//
// All boxes of a class have the same type index. What follows the part that they share says who
// owns the target: the box itself (BoxedValue), a std::unique_ptr or std::shared_ptr in it, or other
// objects (BoxedReference). Any box keeps the objects alive into which its own may point.
#pragma once

#include <memory>
#include <typeinfo>
#include <utility>

#include "tain/internal/box_type.h"

namespace tain {

namespace internal {

enum class BoxKind : uint8_t {
  kValue,
  kUnique,
  kShared,
  kReference,
  kOverridden,  ///< as kValue, of a class derived from the boxed one (box_override.h)
  kGiven,       ///< the same, but a std::unique_ptr of C++ owns the object
  kEnded        ///< the value was destroyed before the box, by the garbage collector
};

/// Whether C++ lent the object for the length of a call.
enum class BoxLoan : uint8_t {
  kNone,
  kLent,
  kDependent,  ///< the box keeps a lent object, into which its own may point; it ends with the loan
  kOver        ///< the call has returned, so the box has no target any more
};

/// The objects that a box keeps alive; known to libtain alone.
struct BoxKept;
/// Takes from a box what it keeps, and drops it.
TAIN_DLL void DropKept(class BoxObj* box) noexcept;
/// Makes a box the one of the object at its target; without memory for that it stays unknown.
TAIN_DLL void EnterBox(class BoxObj* box) noexcept;
/// Ends that, before the box dies.
TAIN_DLL void LeaveBox(class BoxObj* box) noexcept;

/// The part that all boxes share.
class BoxObj : public Object {
 public:
  /// The object, as its first registered base; null after it was given away, and when the call is
  /// over for which it was lent.
  void* target;
  BoxKind kind;
  bool read_only;  ///< it stands for a const object
  BoxLoan loan = BoxLoan::kNone;
  bool is_known = false;   ///< its object knows it (OverrideLink)
  bool is_stored = false;  ///< others shared the object of a kShared box when the box was made
  /// The calls under way that use the target of a box, if it is one that IsTakenAsIs.
  std::atomic<int32_t> uses{0};
  BoxKept* kept = nullptr;  ///< null if it keeps nothing; guarded by a lock of libtain
  void* place = nullptr;    ///< the target under which the box is found; null if it cannot be

 protected:
  BoxObj(void* t, BoxKind k, bool ro) noexcept : target(t), kind(k), read_only(ro) {}
  ~BoxObj() {
    if (TAIN_LIKELY(place != nullptr)) LeaveBox(this);
    if (TAIN_UNLIKELY(kept != nullptr)) DropKept(this);
  }
};

/// Makes a box keep an object alive. A reference to an object is not kept itself, but what it keeps.
/// Throws std::bad_alloc.
TAIN_DLL void KeepObject(BoxObj* box, TainObject* object);
/// Makes a box keep what the object of another one needs, of which its own is a copy.
TAIN_DLL void KeepAsCopy(BoxObj* box, const BoxObj* source);
/// Ends a box whose object C++ may share: what the box keeps lives as long as the object.
TAIN_DLL void LeaveKept(class BoxedShared* box) noexcept;
/// Drops what boxes have left for objects that are dead by now.
TAIN_DLL void DropKeptOfEnded() noexcept;

/// The arguments of a call that concern the boxes which it makes or changes, a bit for each.
struct KeptBits {
  uint64_t stored;  ///< into which the object of the box may point
  uint64_t copied;  ///< of which it may have a copy, so that it needs what these keep

  constexpr bool Any() const noexcept { return (stored | copied) != 0; }
  /// Returns the bits without that of the receiver.
  constexpr KeptBits WithoutFirst() const noexcept {
    return {stored & ~uint64_t{1}, copied & ~uint64_t{1}};
  }
};
/// Makes the boxes in a result keep arguments alive, unless they existed before the call: a box that
/// owns its object those of `which`, any other all that are objects. `info` may be null.
TAIN_DLL void KeepInResult(const TainFunctionInfo* info, const TainAny& result, const TainAny* args,
                           int32_t num_args, KeptBits which);
/// Makes a box that a constructor has made keep arguments alive.
TAIN_DLL void KeepInMade(BoxObj* made, const TainFunctionInfo* info, const TainAny* args,
                         int32_t num_args, KeptBits which);
/// Makes the receiver of a method, which sets something, keep arguments alive. Throws TypeError if
/// only one of both is lent for the length of a call; a lent receiver takes those of the bits in
/// `values`, which are `const T&`.
TAIN_DLL void KeepInReceiver(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                             KeptBits which, uint64_t values);
/// Makes a box, or an object of tain, keep what a value needs that was stored in one of its fields.
TAIN_DLL void KeepInField(TainObject* object, const TainAny& value);
/// Lends the objects to which the new boxes in `value` refer. Returns these boxes.
TAIN_DLL Any LendBoxesIn(const TainAny& value);
/// Ends the loans of boxes that LendBoxesIn returned.
TAIN_DLL void EndLoans(const Any& lent) noexcept;

template <class F>
void* TargetOf(const F* object, const BoxType& type) noexcept {
  return reinterpret_cast<char*>(const_cast<F*>(object)) - type.shift;
}
template <class F>
F* ObjectAt(void* target, const BoxType& type) noexcept {
  return reinterpret_cast<F*>(static_cast<char*>(target) + type.shift);
}

}  // namespace internal

/// A box of an F: `tain::Ref<tain::Boxed<F>>` is a handle to it. ObjectDef<Boxed<F, P>> says that
/// Python makes objects of P, a class derived from Overrides<F>.
template <class F>
class Boxed<F, void> : public internal::BoxObj {
 public:
  /// Returns the object, or null after it was given away.
  F* get() const noexcept {
    return target == nullptr ? nullptr
                             : internal::ObjectAt<F>(target, *internal::FindBoxTypeOf<F>());
  }

 protected:
  using BoxObj::BoxObj;
};

namespace internal {

/// Throws ValueError because a box has no target.
[[noreturn]] TAIN_DLL void ThrowNoTarget(const BoxObj* box);
[[noreturn]] TAIN_DLL void ThrowReadOnlyBox(int32_t type_index);
[[noreturn]] TAIN_DLL void ThrowSlicedCopy(const char* key);
[[noreturn]] TAIN_DLL void ThrowNotCopyable(const char* key);

/// Calls `end`, which destroys a V. Nobody can be told of an exception.
template <class V, class End>
void EndQuietly(const End& end) noexcept {
  if constexpr (std::is_nothrow_destructible_v<V>) {
    end();
  } else {
    try {
      end();
    } catch (...) {
    }
  }
}
/// An F that can be a member of a box.
template <class F>
concept HasValue = !std::is_abstract_v<F> && std::is_destructible_v<F>;

/// A box that contains its object.
template <class F>
class BoxedValue : public Boxed<F> {
 public:
  using Target = F;
  template <class... A>
  explicit BoxedValue(std::in_place_t, A&&... args)
      : Boxed<F>(nullptr, BoxKind::kValue, false), value(static_cast<A&&>(args)...) {
    this->target = TargetOf(&value, BoxTypeOf<F>());
    EnterBox(this);
  }
  ~BoxedValue() noexcept {
    if (TAIN_LIKELY(this->kind == BoxKind::kValue)) End(this);
  }
  /// Destroys the value.
  static void End(BoxObj* box) noexcept {
    auto* self = static_cast<BoxedValue*>(box);
    self->kind = BoxKind::kEnded;
    EndQuietly<F>([self] { self->value.F::~F(); });
  }
  union {
    F value;
  };
};

/// A box of an object that a std::unique_ptr owned.
class BoxedUnique : public BoxObj {
 public:
  BoxedUnique(void* t, bool ro, void* owned, void (*free)(void*), const char* as) noexcept
      : BoxObj(t, BoxKind::kUnique, ro), held(owned), destroy(free), type(as) {
    EnterBox(this);
  }
  ~BoxedUnique() {
    if (kind == BoxKind::kUnique) End();
  }
  /// Destroys the object, unless it was given away.
  void End() noexcept {
    if (held != nullptr) destroy(std::exchange(held, nullptr));
  }
  void* held;  ///< the pointer that the std::unique_ptr had
  void (*destroy)(void* held);
  const char* type;  ///< the MangledNameOf the std::unique_ptr's class
};

class BoxedShared : public BoxObj {
 public:
  BoxedShared(void* t, bool ro, std::shared_ptr<const void> owned) noexcept
      : BoxObj(t, BoxKind::kShared, ro), held(std::move(owned)) {
    EnterBox(this);
  }
  ~BoxedShared() {
    if (TAIN_UNLIKELY(kept != nullptr && kind == BoxKind::kShared)) LeaveKept(this);
  }
  std::shared_ptr<const void> held;  ///< null in a box of another kind

 protected:
  BoxedShared(void* t, BoxKind k, bool ro) noexcept : BoxObj(t, k, ro) { EnterBox(this); }
};

/// A box of an object that others own. It becomes a box that shares the ownership if C++ gives the
/// object in a std::shared_ptr.
class BoxedReference : public BoxedShared {
 public:
  BoxedReference(void* t, bool ro) noexcept : BoxedShared(t, BoxKind::kReference, ro) {}
};

/// Returns the box by which Python has an object already, or null. If others own the object, the box
/// keeps those of `owners` alive too that are objects. It is no longer read-only, unless
/// `read_only` is set.
TAIN_DLL ObjectPtr<Object> KnownBox(void* target, int32_t type_index, bool read_only,
                                    const TainAny* owners, int32_t num_owners);
/// The same for an object that `owner` owns, of which the box keeps a share.
TAIN_DLL ObjectPtr<Object> KnownSharedBox(void* target, int32_t type_index, bool read_only,
                                          const std::shared_ptr<const void>& owner);

/// Makes a box of type `index`.
template <class Box, class... A>
ObjectPtr<Object> NewBox(int32_t index, A&&... args) {
  void* body = TainObjectAlloc(sizeof(Box), alignof(Box), index);
  if (TAIN_UNLIKELY(body == nullptr)) throw std::bad_alloc();
  MemoryGuard guard{body, index};
  Box* box = ::new (body) Box(static_cast<A&&>(args)...);
  guard.body = nullptr;
  FinishObject(box, index, &DeleteObject<Box>);
  return RefAccess::Steal<Object>(ObjectAccess::Header(box));
}

/// The link from an object of a class with overrides (box_override.h) to its box.
class OverrideLink {
 public:
  OverrideLink() noexcept = default;
  OverrideLink(const OverrideLink&) noexcept {}  // a copy has no box
  OverrideLink& operator=(const OverrideLink&) noexcept { return *this; }
  ~OverrideLink() {
    for (Kept* kept = kept_.load(std::memory_order_relaxed); kept != nullptr;) {
      delete std::exchange(kept, kept->next);
    }
  }
  /// Returns the box that contains or owns the object, or did so before C++ took it over; else null.
  BoxObj* box() const noexcept { return box_.load(std::memory_order_acquire); }
  bool is_in_box() const noexcept { return is_in_box_; }
  void Tie(BoxObj* box, bool is_in_box) noexcept {
    is_in_box_ = is_in_box;
    box_.store(box, std::memory_order_release);
  }
  void Untie() noexcept { box_.store(nullptr, std::memory_order_release); }

  /// Keeps a value to which an override returned a reference, until the function with this address
  /// returns another one or the object dies.
  template <class T>
  T& Keep(const void* function, T&& value);

 private:
  struct Kept {
    const void* function;
    Kept* next = nullptr;
    explicit Kept(const void* id) noexcept : function(id) {}
    virtual ~Kept() = default;
  };
  template <class T>
  struct KeptValue : Kept {
    T value;
    KeptValue(const void* id, T&& given) : Kept(id), value(std::move(given)) {}
  };
  std::atomic<BoxObj*> box_{nullptr};
  bool is_in_box_ = false;
  mutable std::atomic<Kept*> kept_{nullptr};
};

/// The type index and the target of a box of an object.
struct BoxPlace {
  int32_t type_index;
  void* target;
  OverrideLink* link;  ///< the object's link to its box; null for most classes
  /// Returns the box to which the object belongs, if the object knows it; else null.
  BoxObj* own() const noexcept { return link == nullptr ? nullptr : link->box(); }
};
/// Returns the place of an object. That of a polymorphic object is the place of its dynamic class if
/// it is registered.
template <class F>
BoxPlace PlaceOf(const F* object) {
  const BoxType& type = BoxTypeOf<F>();
#if TAIN_HAS_RTTI
  if constexpr (std::is_polymorphic_v<F>) {
    const std::type_info& dynamic = typeid(*object);
    if (dynamic != typeid(F)) {
      const BoxType* found = FindBoxType(dynamic.name());
      if (found != nullptr && TainTypeIsInstance(found->type_index, type.type_index) != 0) {
        const auto* whole = static_cast<const char*>(dynamic_cast<const void*>(object));
        return {found->type_index, const_cast<char*>(whole) - found->shift,
                found->link_of == nullptr ? nullptr : found->link_of(whole)};
      }
    }
  }
#endif
  return {type.type_index, TargetOf(object, type),
          type.link_of == nullptr ? nullptr : type.link_of(object)};
}

/// Returns the header of an object that is passed or moved as an argument; null for other values.
inline TainObject* HeaderOfArgument(const TainAny& a) noexcept {
  if (TAIN_LIKELY(a.type_index >= kTainStaticObjectBegin)) return a.v_obj;
  return PeekRValue(a).v_obj;
}
/// Returns the box of an F; null for other values.
template <class F>
inline BoxObj* BoxIn(const TainAny& a) noexcept {
  TainObject* header = HeaderOfArgument(a);
  if (header == nullptr || !IsBoxIndex<F>(header->type_index)) return nullptr;
  return static_cast<BoxObj*>(ObjectAccess::FromHeader(header));
}
/// Returns the object of a box of an F. Throws ValueError if it was given away, TypeError if it is
/// read-only and `change` is set.
template <class F>
inline F* Opened(const BoxObj* box, bool change) {
  if (TAIN_UNLIKELY(box->target == nullptr)) ThrowNoTarget(box);
  if (TAIN_UNLIKELY(change && box->read_only)) ThrowReadOnlyBox(box->type_index());
  return ObjectAt<F>(box->target, *FindBoxTypeOf<F>());
}

/// Whether an object is known to be exactly an F.
template <class F>
inline bool IsExactly(const F& object) noexcept {
  (void)object;
  if constexpr (std::is_polymorphic_v<F> && !std::is_final_v<F>) {
#if TAIN_HAS_RTTI
    return typeid(object) == typeid(F);
#else
    return false;
#endif
  }
  return true;
}
/// Whether the object of a box is exactly an F, so that its copy has everything.
template <class F>
inline bool IsWhole(const F& object, const BoxObj* box) noexcept {
  if (IsExactly(object)) return true;
  return !TAIN_HAS_RTTI && box->kind == BoxKind::kValue &&
         box->type_index() == FindBoxTypeOf<F>()->type_index;
}

/// Returns the box of an object that a std::shared_ptr owns.
inline ObjectPtr<Object> BoxOfShared(const BoxPlace& place, bool read_only,
                                     std::shared_ptr<const void> owner) {
  if (auto known = KnownSharedBox(place.target, place.type_index, read_only, owner)) return known;
  return NewBox<BoxedShared>(place.type_index, place.target, read_only, std::move(owner));
}

/// Makes the box of an object that others own: of `owners` it keeps those alive that are objects.
TAIN_NOINLINE inline ObjectPtr<Object> MakeBoxOfReference(const BoxPlace& place, bool read_only,
                                                          const TainAny* owners,
                                                          int32_t num_owners) {
  ObjectPtr<Object> made = NewBox<BoxedReference>(place.type_index, place.target, read_only);
  for (int32_t i = 0; i < num_owners; ++i) {
    if (TainObject* owner = HeaderOfArgument(owners[i])) {
      KeepObject(static_cast<BoxObj*>(made.get()), owner);
    }
  }
  return made;
}
/// Returns such a box, the known one if there is one.
inline ObjectPtr<Object> BoxOfReference(const BoxPlace& place, bool read_only,
                                        const TainAny* owners, int32_t num_owners) {
  auto known = KnownBox(place.target, place.type_index, read_only, owners, num_owners);
  return known ? std::move(known) : MakeBoxOfReference(place, read_only, owners, num_owners);
}

/// Returns a reference to an object of which `owner` owns the memory.
template <class F>
ObjectPtr<Object> ReferenceTo(F* object, bool read_only, TainObject* owner) {
  const TainAny view = ViewOfObjectOrNone(owner);
  return BoxOfReference(PlaceOf(object), read_only, &view, 1);
}

/// Changes the state of a box whose object C++ takes over, as BoxKind::kGiven: the object is lent to
/// Python until C++ destroys it, and holds the box.
TAIN_DLL void GiveBox(BoxObj* box) noexcept;
/// Returns a box whose object C++ gives back.
TAIN_DLL ObjectPtr<Object> TakeBack(BoxObj* box, bool is_in_box) noexcept;
/// Ends the loan of a given object, which is about to be destroyed, and what depends on it.
TAIN_DLL void EndGiven(BoxObj* box) noexcept;
/// Drops the box of a given object that was destroyed.
TAIN_DLL void LeaveGiven(BoxObj* box) noexcept;
/// Returns the box of an object that C++ returned in a std::shared_ptr, one of `owners`. Throws
/// TypeError if C++ would destroy the object.
TAIN_DLL ObjectPtr<Object> SharedAgain(BoxObj* box, int64_t owners);

/// Keeps a box alive for a std::shared_ptr.
struct BoxKeeper {
  ObjectPtr<Object> box;
  void operator()(const void*) noexcept { box.reset(); }
};

/// Makes the result of a function that returns a reference or a pointer: the argument that has the
/// object, the box by which Python has it, or a new one. It keeps all arguments alive that are
/// objects.
template <class F>
void StoreReference(const F* object, bool read_only, const TainAny* args, int32_t num_args,
                    TainAny* out) {
  *out = TainAny{};
  if (object == nullptr) return;
  const BoxPlace place = PlaceOf(object);
  if (BoxObj* own = place.own(); TAIN_UNLIKELY(own != nullptr)) {
    return ObjectToAny(RefAccess::Share<Object>(ObjectAccess::Header(own)), out);
  }
  for (int32_t i = 0; i < num_args; ++i) {
    const BoxObj* box = BoxIn<F>(args[i]);
    if (box == nullptr || box->target == nullptr ||
        ObjectAt<F>(box->target, *FindBoxTypeOf<F>()) != object) {
      continue;
    }
    return ObjectToAny(RefAccess::Share<Object>(ObjectAccess::Header(box)), out);
  }
  if constexpr (requires { const_cast<F*>(object)->weak_from_this().lock(); }) {
    if (auto shared = const_cast<F*>(object)->weak_from_this().lock()) {
      return ObjectToAny(
          BoxOfShared(place, read_only, std::shared_ptr<const void>(std::move(shared), object)),
          out);
    }
  }
  ObjectToAny(BoxOfReference(place, read_only, args, num_args), out);
}

}  // namespace internal
}  // namespace tain
