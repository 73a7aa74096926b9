// SPDX-License-Identifier: Apache-2.0
// The common base of Array and List: element access, iterators, mutators, conversion of elements.
//
// Elements are stored as Any and read as T: reading converts, and throws TypeError if other code
// has stored a value of another type in a shared List. A wrong index throws IndexError. Iterators
// hold a reference to the sequence, which keeps it alive.
#pragma once

#include <initializer_list>
#include <vector>

#include "tain/convert.h"
#include "tain/internal/container_api.h"
#include "tain/internal/place_iterator.h"
#include "tain/internal/range.h"

namespace tain {

/// The object behind Array and List. The elements are in the same block or in a separate one.
class TAIN_DLL SeqObj : public Object {
 public:
  TainSeqCell cell{};

  SeqObj() noexcept = default;
  SeqObj(const SeqObj&) = delete;
  SeqObj& operator=(const SeqObj&) = delete;
  /// Drops the elements.
  ~SeqObj();

  int64_t size() const noexcept { return cell.size; }
  // An Any has the layout of a TainAny.
  const Any* begin() const noexcept { return static_cast<const Any*>(cell.data); }
  const Any* end() const noexcept { return begin() + cell.size; }
};

#if TAIN_IS_64_BIT
static_assert(sizeof(SeqObj) == sizeof(TainObject) + sizeof(TainSeqCell) && sizeof(SeqObj) == 56);
#endif

namespace internal {

/// Holds a temporary element for `it->member`.
template <class T>
struct ArrowProxy {
  T value;
  const T* operator->() const noexcept { return &value; }
};

template <class T>
class SeqIterator : public PlaceIterator<SeqIterator<T>, ElementCopy<T>> {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using pointer = ArrowProxy<T>;

  SeqIterator() noexcept = default;
  SeqIterator(ObjectPtr<Object> seq, int64_t index) noexcept
      : SeqIterator::PlaceIterator(index), seq_(std::move(seq)) {}

  ElementCopy<T> At(ptrdiff_t place) const { return ElementAt<T>(RefAccess::Header(seq_), place); }
  ArrowProxy<T> operator->() const { return {**this}; }
  int64_t index() const noexcept { return this->place_; }

 private:
  ObjectPtr<Object> seq_;
};

/// A range from which a container of class C can be made. Its own handles are excluded: they have
/// other constructors.
template <class R, class T, class C>
concept ElementRange = InputRange<R> && std::convertible_to<RangeReference<R>, T> &&
                       !IsHandleOf<std::remove_cvref_t<R>, C>;

/// A handle to a sequence of type kIndex with elements of type T.
template <class T, int32_t kIndex>
class SeqBase : public ObjectRef {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = SeqIterator<T>;
  using const_iterator = iterator;
  using reverse_iterator = std::reverse_iterator<iterator>;
  static constexpr bool _type_is_nullable = false;

  /// Returns the number of elements.
  size_t size() const noexcept { return static_cast<size_t>(SeqSize(Header())); }
  /// Whether there are no elements.
  bool empty() const noexcept { return size() == 0; }
  /// Returns for how many elements there is room without new memory.
  size_t capacity() const noexcept {
    return defined() ? static_cast<size_t>(SeqCellOf(Header())->capacity) : 0;
  }

  /// Returns element i. Throws IndexError if i is not in 0..size()-1.
  ElementCopy<T> operator[](int64_t i) const { return ElementAt<T>(Header(), i); }
  /// The same as `[i]`.
  ElementCopy<T> at(int64_t i) const { return (*this)[i]; }
  /// Returns the first element. Throws IndexError if there is none.
  ElementCopy<T> front() const { return (*this)[0]; }
  /// Returns the last element. Throws IndexError if there is none.
  ElementCopy<T> back() const { return (*this)[SeqSize(Header()) - 1]; }

  /// An iterator to the first element; it reads copies, and `Set` replaces elements.
  iterator begin() const noexcept { return iterator(data_, 0); }
  /// The end of the iteration.
  iterator end() const noexcept { return iterator(data_, SeqSize(Header())); }
  /// An iterator to the last element, for going backwards.
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  /// The end of going backwards.
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

  /// Adds an element at the end.
  void push_back(T value) {
    Any element = ToElement<T>(std::move(value));
    SeqPush(Writable(1), std::move(element));
  }
  /// Adds T(args...) at the end.
  template <class... A>
  void emplace_back(A&&... args) {
    push_back(T(std::forward<A>(args)...));
  }
  /// Removes the last element. Throws IndexError if there is none.
  void pop_back() { SeqTake(Writable(), SeqSize(Header()) - 1); }
  /// Replaces element i. Throws IndexError if i is not in 0..size()-1.
  void Set(int64_t i, T value) {
    Any element = ToElement<T>(std::move(value));
    if (i < 0 || static_cast<size_t>(i) >= size()) ThrowSeqIndex(Header(), i);
    SeqSet(Writable(), i, std::move(element));
  }
  /// Inserts before `position`. Returns an iterator to the new element.
  iterator insert(const iterator& position, T value) {
    Any element = ToElement<T>(std::move(value));
    SeqInsert(Writable(1), position.index(), std::move(element));
    return begin() + position.index();
  }
  template <std::input_iterator It>
  iterator insert(const iterator& position, It first, It last) {
    std::vector<Any> elements;
    for (; first != last; ++first) elements.push_back(ToElement<T>(T(*first)));
    Splice(position.index(), position.index(), elements);
    return begin() + position.index();
  }
  /// Removes an element or a range. Returns an iterator to the element after it.
  iterator erase(const iterator& position) {
    SeqTake(Writable(), position.index());
    return begin() + position.index();
  }
  iterator erase(const iterator& first, const iterator& last) {
    Splice(first.index(), last.index(), {});
    return begin() + first.index();
  }
  /// Changes the size; new elements are T(). Throws ValueError if the size is negative.
  void resize(int64_t size)
    requires std::default_initializable<T>
  {
    resize(size, T());
  }
  void resize(int64_t size, T fill) {
    const Any element = ToElement<T>(std::move(fill));
    SeqResize(Writable(), size, element.data());
  }
  /// Makes room for as many elements.
  void reserve(int64_t capacity) {
    if (capacity > SeqSize(Header())) SeqReserve(Writable(), capacity);
  }
  /// Removes all elements.
  void clear() {
    if (!empty()) SeqClear(Writable());
  }

 protected:
  SeqBase() : ObjectRef(RefAccess::Steal<Object>(SeqNew(kIndex, 0))) {}
  explicit SeqBase(UnsafeInit tag) noexcept : ObjectRef(tag) {}

  TainObject* Header() const noexcept { return RefAccess::Header(*this); }
  /// Returns the object to change. If it is shared and immutable, the handle first gets a copy.
  TainObject* Writable(int64_t extra = 0) {
    return Rewritten(data_, SeqForWriting(Header(), kIndex, extra));
  }
  template <class R>
  void Fill(R&& range) {
    const int64_t size = SizeOrUnknown(range);
    if (size >= 0) SeqReserve(Header(), size);
    for (auto&& value : range)
      SeqPush(Header(), ToElement<T>(T(std::forward<decltype(value)>(value))));
  }

 private:
  void Splice(int64_t first, int64_t last, const std::vector<Any>& elements) {
    SeqSplice(Writable(), first, last, reinterpret_cast<const TainAny*>(elements.data()),
              static_cast<int64_t>(elements.size()));
  }
};

/// Calls `take(element, index)` for each element until it returns false; see SeqEach.
template <class F>
bool EachElement(TainObject* seq, F&& take) {
  return SeqEach(seq, &take, [](void* context, const TainAny* element, int64_t index) -> bool {
    return (*static_cast<std::remove_reference_t<F>*>(context))(element, index);
  });
}

/// The traits of typed sequences. TSeq is the handle class, C its object class.
template <class TSeq, class C, class T, int32_t kIndex>
struct SeqTraits : HandleTraits<TSeq, C, false> {
  static constexpr bool kDirectWrite = std::is_same_v<T, Any>;
  static constexpr bool kReadOnce = FitsIfRead<T>;
  static constexpr bool kFitsIfRead = FitsIfRead<T>;
  static constexpr bool kHoldsText = kIndex == kTainArray && HoldsText<T>;

  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (a->type_index != kIndex) return false;
    if constexpr (!std::is_same_v<T, Any>) {
      const TainAny* data = SeqData(a->v_obj);
      for (int64_t i = 0, size = SeqSize(a->v_obj); i < size; ++i) {
        if (!TypeTraits<T>::CheckAnyStrict(data + i)) return false;
      }
    }
    return true;
  }
  static int FitOf(const TainAny* a) noexcept
    requires FitsIfRead<T>
  {
    if (a->type_index != kIndex) return kFitConverted;
    const TainAny* data = SeqData(a->v_obj);
    for (int64_t i = 0, size = SeqSize(a->v_obj); i < size; ++i) {
      if (!MayBeExact<T>(data + i)) return kFitConverted;
    }
    return kFitIfRead;
  }
  static std::optional<TSeq> TryCastFromAnyView(const TainAny* a) {
    const TainAny view = Referred(*a);
    if (CheckAnyStrict(&view)) return TakeHandle<TSeq>(*a);
    TainObject* converted = SeqConvert(view, kIndex, kElementType<T>);
    if (converted == nullptr) return std::nullopt;
    return RefAccess::Make<TSeq>(RefAccess::Steal<Object>(converted));
  }
  static std::string TypeStr() {
    return GenericStr(kIndex == kTainArray ? "Array" : "List", kElementType<T>);
  }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return SeqMismatch(Referred(*a), kElementType<T>, &TypeStr);
  }
};

/// Whether every stored U is also a stored T, so that a container of U can be used as one of T.
template <class U, class T>
inline constexpr bool kStoredAlike = std::is_same_v<T, Any> || std::is_same_v<T, U>;
template <class U, class T>
  requires(IsObjectRef<U> && IsObjectRef<T> && !std::is_same_v<T, U>)
inline constexpr bool kStoredAlike<U, T> =
    std::is_same_v<T, ObjectRef> ||
    (std::is_convertible_v<U, T> &&
     std::is_base_of_v<typename T::ContainerType, typename U::ContainerType>);

}  // namespace internal
}  // namespace tain
