// SPDX-License-Identifier: Apache-2.0
// The handles that own objects: Ref<T> (never null), Ptr<T> = ObjectPtr<T> (nullable), Weak<T>,
// ObjectRef; and make_object.
//
// A handle has the size of a pointer and counts atomically. A moved-from Ref<T> is empty and may
// only be assigned or destroyed. T may be incomplete where a handle is declared, so a type can hold
// handles to itself.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "tain/object.h"

namespace tain {

template <class T>
class Ref;

namespace internal {
struct RefAccess;
/// Runs the destructor. It is not inlined, because the compiler would do so in two places.
template <class T>
TAIN_NOINLINE void DestroyObject(void* header) {
  static_cast<T*>(ObjectAccess::FromHeader(static_cast<TainObject*>(header)))->T::~T();
}
template <class T>
void DeleteObject(void* self, int flags) {
  if constexpr (std::is_trivially_destructible_v<T>) {
    TainObjectDelete(self, flags, nullptr);
  } else {
    TainObjectDelete(self, flags, &DestroyObject<T>);
  }
}
/// The memory of an object whose constructor runs; frees it unless `body` is taken out.
struct MemoryGuard {
  void* body;
  int32_t index;
  ~MemoryGuard() {
    if (body != nullptr) TainObjectAbandon(body, index);
  }
};
/// Throws ValueError: an empty handle was used.
[[noreturn]] TAIN_DLL void ThrowNullRef(const char* type_key);
/// Throws ValueError: `->` or `*` was used on an empty handle.
[[noreturn]] TAIN_DLL void ThrowNullAccess(const char* type_key);
}  // namespace internal

// Whether `->` and `*` of an empty handle throw ValueError. The default is 1 in builds without
// NDEBUG; a library that defines it must do so for all of its files.
#ifndef TAIN_CHECK_NULL
#ifdef NDEBUG
#define TAIN_CHECK_NULL 0
#else
#define TAIN_CHECK_NULL 1
#endif
#endif

namespace internal {
/// Returns the object of a handle for `->` and `*`. Throws ValueError if it is null and kCheck is
/// set.
template <class T, bool kCheck = TAIN_CHECK_NULL != 0>
inline T* Accessed(T* object) noexcept(!kCheck) {
  if constexpr (kCheck) {
    if (TAIN_UNLIKELY(object == nullptr)) ThrowNullAccess(TypeOf<std::remove_const_t<T>>::kKey);
  }
  return object;
}
}  // namespace internal

/// An owning, counted pointer that may be null.
template <class T>
class ObjectPtr {
 public:
  using ContainerType = T;

  /// Null; or a pointer to an object that is counted already, or to an object of a derived class.
  ObjectPtr() noexcept = default;
  ObjectPtr(std::nullptr_t) noexcept {}  // NOLINT: implicit as for every smart pointer
  explicit ObjectPtr(T* object) noexcept : header_(HeaderOf(object)) { IncRef(); }
  ObjectPtr(const ObjectPtr& other) noexcept : header_(other.header_) { IncRef(); }
  ObjectPtr(ObjectPtr&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  template <class U>
    requires(std::is_base_of_v<T, U>)
  ObjectPtr(const ObjectPtr<U>& other) noexcept : header_(other.header_) {
    IncRef();
  }
  template <class U>
    requires(std::is_base_of_v<T, U>)
  ObjectPtr(ObjectPtr<U>&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  ~ObjectPtr() { reset(); }

  ObjectPtr& operator=(const ObjectPtr& other) noexcept {
    ObjectPtr(other).swap(*this);
    return *this;
  }
  ObjectPtr& operator=(ObjectPtr&& other) noexcept {
    ObjectPtr(std::move(other)).swap(*this);
    return *this;
  }

  /// Returns the bare pointer, which may be null.
  T* get() const noexcept {
    if (header_ == nullptr) return nullptr;
    return static_cast<T*>(internal::ObjectAccess::FromHeader(header_));
  }
  /// Accesses a member. Throws ValueError if it is null and TAIN_CHECK_NULL is set.
  T* operator->() const noexcept(!TAIN_CHECK_NULL) { return internal::Accessed(get()); }
  /// Returns the object. Throws ValueError as `->` does.
  T& operator*() const noexcept(!TAIN_CHECK_NULL) { return *internal::Accessed(get()); }
  /// Whether it is not null.
  explicit operator bool() const noexcept { return header_ != nullptr; }
  /// Drops the reference.
  void reset() noexcept {
    if (TainObject* old = std::exchange(header_, nullptr)) internal::DecRef(old);
  }
  /// Exchanges two handles.
  void swap(ObjectPtr& other) noexcept { std::swap(header_, other.header_); }
  /// Returns the number of strong references; 0 if it is null.
  int32_t use_count() const noexcept { return header_ == nullptr ? 0 : get()->use_count(); }
  /// Whether nothing else can reach the object.
  bool unique() const noexcept { return header_ != nullptr && get()->unique(); }

  /// Whether both are the same object, or both null.
  template <class U>
  bool operator==(const ObjectPtr<U>& other) const noexcept {
    return header_ == other.header_;
  }
  bool operator==(std::nullptr_t) const noexcept { return header_ == nullptr; }

 private:
  template <class>
  friend class ObjectPtr;
  friend struct internal::RefAccess;

  static TainObject* HeaderOf(T* object) noexcept {
    return object == nullptr ? nullptr : internal::ObjectAccess::Header(object);
  }
  void IncRef() const noexcept {
    if (header_ != nullptr) internal::IncRef(header_);
  }

  TainObject* header_ = nullptr;
};

/// The nullable handle: another name of ObjectPtr, whose members it has.
template <class T>
using Ptr = ObjectPtr<T>;

/// A nullable handle to any object; the base class of all handle classes.
class ObjectRef {
 public:
  using ContainerType = Object;
  static constexpr bool _type_is_nullable = true;

  /// Null; or a handle to the object of a pointer.
  ObjectRef() noexcept = default;
  explicit ObjectRef(UnsafeInit) noexcept {}
  explicit ObjectRef(ObjectPtr<Object> object) noexcept : data_(std::move(object)) {}

  /// Returns the bare pointer, which may be null.
  const Object* get() const noexcept { return data_.get(); }
  /// Accesses a member of Object. Throws ValueError as that of ObjectPtr.
  const Object* operator->() const noexcept(!TAIN_CHECK_NULL) { return internal::Accessed(get()); }
  /// Whether it is not null.
  bool defined() const noexcept { return data_ != nullptr; }
  /// Whether it is not null.
  explicit operator bool() const noexcept { return defined(); }
  /// Whether both are handles to the same object.
  bool same_as(const ObjectRef& other) const noexcept { return data_ == other.data_; }
  /// Whether both are the same object, or both null.
  bool operator==(const ObjectRef& other) const noexcept { return data_ == other.data_; }
  template <class T>
  bool operator==(const ObjectPtr<T>& other) const noexcept {
    return data_ == other;
  }
  bool operator==(std::nullptr_t) const noexcept { return data_ == nullptr; }
  /// Whether nothing else can reach the object.
  bool unique() const noexcept { return data_.unique(); }
  /// Returns the number of strong references; 0 if it is null.
  int32_t use_count() const noexcept { return data_.use_count(); }
  /// Returns the index of the object's type; that of None if it is null.
  int32_t type_index() const noexcept { return data_ ? get()->type_index() : kTainNone; }
  /// Returns the object as a T, or null if it is not a T.
  template <class T>
  const T* as() const noexcept {
    return data_ && get()->template IsInstance<T>() ? static_cast<const T*>(data_.get()) : nullptr;
  }

 protected:
  friend struct internal::RefAccess;
  ObjectPtr<Object> data_;
};

namespace internal {

/// Converts between handles and bare headers; for the conversion traits and containers.
struct RefAccess {
  /// Returns the header that a handle points to, or null.
  template <class T>
  static TainObject* Header(const ObjectPtr<T>& ptr) noexcept {
    return ptr.header_;
  }
  static TainObject* Header(const ObjectRef& ref) noexcept { return ref.data_.header_; }
  /// Takes the reference out of a handle.
  template <class T>
  static TainObject* Release(ObjectPtr<T>& ptr) noexcept {
    return std::exchange(ptr.header_, nullptr);
  }
  static TainObject* Release(ObjectRef& ref) noexcept {
    return std::exchange(ref.data_.header_, nullptr);
  }
  /// Returns a handle that takes over a reference.
  template <class T>
  static ObjectPtr<T> Steal(TainObject* header) noexcept {
    ObjectPtr<T> ptr;
    ptr.header_ = header;
    return ptr;
  }
  /// Returns a handle with a new reference.
  template <class T>
  static ObjectPtr<T> Share(TainObject* header) noexcept {
    if (header != nullptr) IncRef(header);
    return Steal<T>(header);
  }
  /// Returns a handle of class TRef, which derives from ObjectRef, to an object of the right type.
  template <class TRef>
  static TRef Make(ObjectPtr<Object> ptr) {
    TRef ref(UnsafeInit{});  // braces could make a List of it
    ref.ObjectRef::data_ = std::move(ptr);
    return ref;
  }
};

template <class T>
concept IsObject = std::is_base_of_v<Object, std::remove_cv_t<T>>;
template <class T>
concept IsObjectRef = std::is_base_of_v<ObjectRef, std::remove_cv_t<T>>;

}  // namespace internal

/// An owning, counted pointer that is never null.
template <class T>
class Ref : public ObjectRef {
 public:
  using ContainerType = T;
  static constexpr bool _type_is_nullable = false;

  Ref() = delete;  // a Ref is never null: initialize it, or use tain::Ptr, which may be null
  explicit Ref(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  Ref(std::nullptr_t) = delete;  // a Ref is never null: use tain::Ptr, which may be null
  /// Takes a pointer; throws ValueError if it is null. If a class inherits the constructors, this
  /// one takes the result of make_object<T>.
  Ref(ObjectPtr<T> ptr)  // NOLINT: checked for null
      : ObjectRef(ObjectPtr<Object>(std::move(ptr))) {
    if (TAIN_UNLIKELY(!defined())) internal::ThrowNullRef(TypeOf<T>::kKey);
  }
  template <class U>
    requires(std::is_base_of_v<T, U> && !std::is_same_v<T, U>)
  Ref(ObjectPtr<U> ptr) : Ref(ObjectPtr<T>(std::move(ptr))) {}  // NOLINT: checked for null
  template <class U>
    requires(std::is_base_of_v<T, U> && !std::is_same_v<T, U>)
  Ref(const Ref<U>& other) noexcept : ObjectRef(other) {}  // NOLINT: child to parent
  template <class U>
    requires(std::is_base_of_v<T, U> && !std::is_same_v<T, U>)
  Ref(Ref<U>&& other) noexcept : ObjectRef(std::move(other)) {}  // NOLINT: child to parent
  Ref(const Ref&) noexcept = default;
  Ref(Ref&&) noexcept = default;
  Ref& operator=(const Ref&) noexcept = default;
  Ref& operator=(Ref&&) noexcept = default;

  /// Returns the bare pointer.
  T* get() const noexcept { return static_cast<T*>(const_cast<Object*>(ObjectRef::get())); }
  /// Accesses a member. Throws ValueError if it was moved from and TAIN_CHECK_NULL is set.
  T* operator->() const noexcept(!TAIN_CHECK_NULL) { return internal::Accessed(get()); }
  /// Returns the object. Throws ValueError as `->` does.
  T& operator*() const noexcept(!TAIN_CHECK_NULL) { return *internal::Accessed(get()); }
  // From never null to nullable, and from child to parent.
  template <class U>
    requires(std::is_base_of_v<U, T>)
  operator ObjectPtr<U>() const& noexcept {  // NOLINT: implicit
    return ObjectPtr<U>(get());
  }
  template <class U>
    requires(std::is_base_of_v<U, T>)
  operator ObjectPtr<U>() && noexcept {  // NOLINT: implicit
    return internal::RefAccess::Steal<U>(internal::RefAccess::Release(*this));
  }
};

/// A weak reference, which does not keep the object alive.
template <class T>
class Weak {
 public:
  /// Empty; or a weak reference to the object of a handle.
  Weak() noexcept = default;
  Weak(const ObjectPtr<T>& ptr) noexcept : header_(internal::RefAccess::Header(ptr)) {  // NOLINT
    IncWeak();
  }
  Weak(const Ref<T>& ref) noexcept : header_(internal::RefAccess::Header(ref)) {  // NOLINT
    IncWeak();
  }
  Weak(const Weak& other) noexcept : header_(other.header_) { IncWeak(); }
  Weak(Weak&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  Weak& operator=(Weak other) noexcept {
    std::swap(header_, other.header_);
    return *this;
  }
  ~Weak() {
    if (header_ != nullptr) internal::DecWeak(header_);
  }

  /// Returns the object, or null if it has been destroyed.
  ObjectPtr<T> lock() const noexcept {
    if (header_ == nullptr || !internal::IncRefIfAlive(header_)) return nullptr;
    return internal::RefAccess::Steal<T>(header_);
  }
  /// Whether the object has been destroyed, or there is none.
  bool expired() const noexcept {
    if (header_ == nullptr) return true;
    const uint64_t count = std::atomic_ref<uint64_t>(header_->combined_ref_count).load();
    return (count & internal::kStrongMask) == 0;
  }

 private:
  void IncWeak() noexcept {
    if (header_ == nullptr) return;
    std::atomic_ref<uint64_t>(header_->combined_ref_count)
        .fetch_add(internal::kWeakOne, std::memory_order_relaxed);
  }
  TainObject* header_ = nullptr;
};

/// Weak under the name that code in the two-class form uses.
template <class T>
using WeakObjectPtr = Weak<T>;

namespace internal {

template <class T>
inline void FinishObject(T* object, int32_t type_index, void (*deleter)(void*, int)) noexcept {
  TainObject* header = ObjectAccess::Header(object);
  const auto offset =
      static_cast<uint32_t>(reinterpret_cast<char*>(header) - reinterpret_cast<char*>(object));
  header->type_index = type_index;
  header->deleter = deleter;
  header->reserved = kTainHeaderHasPrefix | ((offset >> 3) << kTainHeaderOffsetShift);
}

}  // namespace internal

template <class F, class P = void>
class Boxed;

namespace internal {
template <class T>
inline constexpr bool kIsBoxed = false;
template <class F, class P>
inline constexpr bool kIsBoxed<Boxed<F, P>> = true;
}  // namespace internal

/// Makes an object by the constructor T(args...). The handle converts to Ptr<T> and to handles of
/// the bases of T. Throws std::bad_alloc, and any exception of the constructor.
template <class T, class... Args>
Ref<T> make_object(Args&&... args) {
  static_assert(internal::IsObject<T>, "make_object<T>: T must derive from tain::Object");
  static_assert(!std::is_abstract_v<T>, "make_object<T>: T has a pure virtual method");
  static_assert(!internal::kIsBoxed<T>,
                "make_object<Boxed<T>>: a box is made where its object crosses: return a "
                "std::unique_ptr<T>, a std::shared_ptr<T> or a T");
  // A bool, because compilers explain at length why an expression is not valid.
  constexpr bool kPublic = std::is_convertible_v<T*, Object*>;
  static_assert(kPublic || !internal::IsObject<T>,
                "make_object<T>: the base class of T must be public: struct T : tain::Object, or "
                "class T : public tain::Object");
  constexpr bool kMakes = kPublic && !internal::kIsBoxed<T> &&
                          requires { ::new (std::declval<void*>()) T(std::declval<Args>()...); };
  static_assert(kMakes || !kPublic || std::is_abstract_v<T> || internal::kIsBoxed<T>,
                "make_object<T>: T has no constructor that takes these arguments; a member "
                "tain::Ref<U> has no default: initialize it, or make it a tain::Ptr<U>");
  if constexpr (internal::IsObject<T> && !std::is_abstract_v<T> && kMakes) {
    const int32_t index = TypeOf<T>::Index();
    void* body = TainObjectAlloc(sizeof(T), alignof(T), index);
    if (TAIN_UNLIKELY(body == nullptr)) throw std::bad_alloc();
    T* object;
    if constexpr (std::is_nothrow_constructible_v<T, Args...>) {
      object = ::new (body) T(std::forward<Args>(args)...);
    } else {
      internal::MemoryGuard guard{body, index};
      object = ::new (body) T(std::forward<Args>(args)...);
      guard.body = nullptr;
    }
    internal::FinishObject(object, index, &internal::DeleteObject<T>);
    return internal::RefAccess::Make<Ref<T>>(
        internal::RefAccess::Steal<Object>(internal::ObjectAccess::Header(object)));
  } else {
    return Ref<T>(UnsafeInit{});
  }
}

/// Returns a handle of class TRef to an object that is already counted, such as `this`. Throws
/// ValueError for a null pointer if TRef is never null.
template <class TRef, class T>
TRef GetRef(const T* object) {
  static_assert(internal::IsObjectRef<TRef>, "GetRef<TRef>(ptr): TRef must be a handle class");
  using Container = typename TRef::ContainerType;
  static_assert(std::is_base_of_v<Container, T>, "GetRef: the object is not of the handle's class");
  if (object == nullptr && !TRef::_type_is_nullable)
    internal::ThrowNullRef(TypeOf<Container>::kKey);
  return internal::RefAccess::Make<TRef>(ObjectPtr<Object>(const_cast<T*>(object)));
}

/// Returns a counted pointer to an object that is already counted.
template <class T>
ObjectPtr<T> GetObjectPtr(T* object) noexcept {
  return ObjectPtr<T>(object);
}

/// The hash of an object's identity, for maps with handles as keys.
struct ObjectPtrHash {
  size_t operator()(const ObjectRef& ref) const noexcept {
    return Of(internal::RefAccess::Header(ref));
  }
  template <class T>
  size_t operator()(const ObjectPtr<T>& ptr) const noexcept {
    return Of(internal::RefAccess::Header(ptr));
  }

 private:
  static size_t Of(const TainObject* header) noexcept {
    return reinterpret_cast<size_t>(header) >> 4;
  }
};

/// Whether two handles are of the same object.
struct ObjectPtrEqual {
  bool operator()(const ObjectRef& a, const ObjectRef& b) const noexcept { return a.same_as(b); }
  template <class T>
  bool operator()(const ObjectPtr<T>& a, const ObjectPtr<T>& b) const noexcept {
    return a == b;
  }
};

}  // namespace tain
