// SPDX-License-Identifier: Apache-2.0
// Iterator<T>: what Python's iter() takes, made of C++ iterators, containers and callables.
//
//   .def_iter(&SheetObj::cells)                      // a member, or a function that returns one
//   .def("rows", [](SheetObj& s) { return tain::make_iterator(s.begin(), s.end(), s); })
//   tain::make_generator([n = 0]() mutable -> std::optional<int> { ... });  // std::nullopt ends it
// A method `__iter__` may also return any container. Elements that are std::pair, std::tuple or
// Tuple are tuples in Python. C++ takes the elements with Next().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tain/any.h"
#include "tain/internal/iterators.h"
#include "tain/object_ref_macros.h"

namespace tain {
namespace internal {

/// Where the elements of an iterator come from.
class TAIN_DLL IteratorSteps {
 public:
  virtual ~IteratorSteps();
  /// Writes the next element and returns true; false at the end.
  virtual bool Next(Any* out) = 0;
};

}  // namespace internal

/// The object behind Iterator<T>.
class TAIN_DLL IteratorObj : public Object {
 public:
  /// Takes over `steps`. `owner` is held as long as the iterator is not exhausted.
  IteratorObj(internal::IteratorSteps* steps, ObjectRef owner, std::string element_type);
  ~IteratorObj();
  IteratorObj(const IteratorObj&) = delete;
  IteratorObj& operator=(const IteratorObj&) = delete;

  /// Writes the next element and returns true; false at the end, and from then on. After an
  /// exception the iterator is exhausted. Throws ValueError if it is running already.
  bool Next(Any* out);
  /// The type expression of the elements.
  std::string_view element_type() const noexcept { return element_type_; }
  const ObjectRef& owner() const noexcept { return owner_; }

  TAIN_OBJECT("ffi.Iterator", IteratorObj, Object);

 private:
  friend struct IteratorRegistration;
  void Finish() noexcept;
  internal::IteratorSteps* steps_;  ///< null at the end
  ObjectRef owner_;
  std::string element_type_;
  bool running_ = false;
  bool owner_is_box_;  ///< whose object may be lent for the length of a call
};

/// A handle to an iterator over elements of the type T; never null.
template <class T>
class Iterator : public ObjectRef {
 public:
  using ContainerType = IteratorObj;
  static constexpr bool _type_is_nullable = false;

  explicit Iterator(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  explicit Iterator(ObjectPtr<IteratorObj> made) : ObjectRef(std::move(made)) {}
  /// Returns the next element; std::nullopt at the end.
  std::optional<T> Next() const {
    Any element;
    auto* self = static_cast<IteratorObj*>(const_cast<Object*>(ObjectRef::get()));
    if (!self->Next(&element)) return std::nullopt;
    return element.cast<T>();
  }
};

template <class T>
struct TypeTraits<Iterator<T>> : internal::HandleTraits<Iterator<T>, IteratorObj, false> {
  static std::string TypeStr() { return "Iterator[" + TypeTraits<T>::TypeStr() + "]"; }
};

namespace internal {

/// The type in which an element crosses: that of the value, without const inside of a map's pair.
template <class V>
struct ElementOf {
  using Type = V;
};
template <template <class, class> class P, class A, class B>
  requires(std::is_same_v<P<A, B>, std::pair<A, B>>)
struct ElementOf<P<const A, B>> {
  using Type = std::pair<A, B>;
};

template <class It>
using ElementOfIterator =
    typename ElementOf<std::remove_cv_t<typename std::iterator_traits<It>::value_type>>::Type;

template <class T>
constexpr void CheckElement() {
  constexpr bool kCrosses = TypeTraits<T>::kCrosses;
  static_assert(kCrosses,
                "the element's type does not cross the border: give it a tain::TypeTraits, or "
                "include tain/stl.h for standard types");
}

template <class It, class End, class T>
class RangeSteps final : public IteratorSteps {
 public:
  RangeSteps(It first, End last) : at_(std::move(first)), last_(std::move(last)) {}
  bool Next(Any* out) override {
    if (at_ == last_) return false;
    *out = Any(T(*at_));
    ++at_;
    return true;
  }

 private:
  It at_;
  End last_;
};

template <class F, class T>
class GeneratorSteps final : public IteratorSteps {
 public:
  explicit GeneratorSteps(F next) : next_(std::move(next)) {}
  bool Next(Any* out) override {
    auto made = next_();
    if (!made.has_value()) return false;
    *out = Any(T(*std::move(made)));
    return true;
  }

 private:
  F next_;
};

/// Iterates over a range that it owns.
template <class R, class T>
class OwningSteps final : public IteratorSteps {
 public:
  explicit OwningSteps(R range) : range_(std::move(range)), at_(std::begin(range_)) {}
  bool Next(Any* out) override {
    if (at_ == std::end(range_)) return false;
    *out = Any(T(*at_));
    ++at_;
    return true;
  }

 private:
  R range_;
  decltype(std::begin(std::declval<R&>())) at_;
};

/// Iterates by index over a range of an object, which may grow and shrink meanwhile.
template <class C, class G, class T>
class IndexedSteps final : public IteratorSteps {
 public:
  IndexedSteps(C* owner, G range) : owner_(owner), range_(std::move(range)) {}
  bool Next(Any* out) override {
    auto&& range = range_(*owner_);
    if (index_ >= std::end(range) - std::begin(range)) return false;
    *out = Any(T(std::begin(range)[index_++]));
    return true;
  }

 private:
  C* owner_;  // the IteratorObj holds it
  G range_;
  std::ptrdiff_t index_ = 0;
};

/// Elements that were copied when the iteration began.
class TAIN_DLL CopiedSteps final : public IteratorSteps {
 public:
  CopiedSteps();
  ~CopiedSteps() override;
  void Add(Any element);
  bool Next(Any* out) override;

 private:
  struct Elements;
  Elements* elements_;
};

template <class T>
Iterator<T> NewIterator(IteratorSteps* steps, ObjectRef owner) {
  return Iterator<T>(make_object<IteratorObj>(steps, std::move(owner), TypeTraits<T>::TypeStr()));
}

/// Returns the range of an object: a member, or what a member function or a function returns.
template <class C, class G>
decltype(auto) RangeOf(C& owner, const G& range) {
  if constexpr (std::is_member_object_pointer_v<G>) {
    return (owner.*range);
  } else if constexpr (std::is_member_function_pointer_v<G>) {
    return (owner.*range)();
  } else {
    return range(owner);
  }
}

/// Returns an iterator over copies of the elements of a range.
template <class T, class R>
auto CopyElements(R&& range) {
  auto* copied = new CopiedSteps();
  auto made = NewIterator<T>(copied, ObjectRef());
  for (auto&& element : range) copied->Add(Any(T(element)));
  return made;
}

/// Returns an iterator over the range that `get` returns for an object, which `holder` keeps alive.
/// The range may change during the iteration: a range without indices is copied first.
template <class C, class G>
auto IterateOver(C& owner, const G& get, ObjectRef holder) {
  using R = decltype(get(owner));
  using It = std::remove_cvref_t<decltype(std::begin(std::declval<std::remove_cvref_t<R>&>()))>;
  using T = ElementOfIterator<It>;
  CheckElement<T>();
  if constexpr (std::contiguous_iterator<It> && std::is_trivially_copyable_v<R>) {
    return CopyElements<T>(get(owner));  // a view such as std::span, of memory that may move
  } else if constexpr (!std::is_reference_v<R>) {
    return NewIterator<T>(new OwningSteps<R, T>(get(owner)), std::move(holder));
  } else if constexpr (std::random_access_iterator<It>) {
    return NewIterator<T>(new IndexedSteps<C, G, T>(&owner, get), std::move(holder));
  } else {
    return CopyElements<T>(get(owner));
  }
}
template <class C, class G>
auto IterateOver(C& owner, const G& get) {
  return IterateOver(owner, get, ObjectRef(ObjectPtr<Object>(GetObjectPtr<Object>(&owner))));
}

}  // namespace internal

/// Returns an iterator over [first, last). It keeps `owner`, an object or a handle, alive. After a
/// change that invalidates C++ iterators of the range, the iterator must not be used any more.
template <class It, class End>
auto make_iterator(It first, End last, ObjectRef owner = ObjectRef()) {
  using T = internal::ElementOfIterator<It>;
  internal::CheckElement<T>();
  return internal::NewIterator<T>(
      new internal::RangeSteps<It, End, T>(std::move(first), std::move(last)), std::move(owner));
}
template <class It, class End, class C>
  requires std::is_base_of_v<Object, C>
auto make_iterator(It first, End last, const C& owner) {
  auto* object = const_cast<Object*>(static_cast<const Object*>(&owner));
  return make_iterator(std::move(first), std::move(last),
                       ObjectRef(ObjectPtr<Object>(GetObjectPtr<Object>(object))));
}

/// Returns an iterator whose elements are the results of `next()`, a std::optional<T> or a
/// tain::Optional<T>. An empty result ends the iteration. The iterator keeps `owner` alive.
template <class F>
auto make_generator(F next, ObjectRef owner = ObjectRef()) {
  using T = std::remove_cvref_t<decltype(*next())>;
  internal::CheckElement<T>();
  return internal::NewIterator<T>(new internal::GeneratorSteps<F, T>(std::move(next)),
                                  std::move(owner));
}

}  // namespace tain
