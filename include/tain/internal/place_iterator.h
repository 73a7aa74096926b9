// SPDX-License-Identifier: Apache-2.0
// PlaceIterator, the base of the iterators over sequences and over tensors.
#pragma once

#include <compare>
#include <cstddef>
#include <type_traits>

#include "tain/internal/iterators.h"

namespace tain::internal {

/// A random access iterator that is a place in a range: `Self` has At(place).
template <class Self, class Reference>
class PlaceIterator {
 public:
  using difference_type = ptrdiff_t;
  using value_type = std::remove_cvref_t<Reference>;
  using reference = Reference;
  using pointer = void;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category =
      std::conditional_t<std::is_reference_v<Reference>, std::random_access_iterator_tag,
                         std::input_iterator_tag>;

  Reference operator*() const { return self().At(place_); }
  Reference operator[](ptrdiff_t i) const { return self().At(place_ + i); }
  Self& operator+=(ptrdiff_t count) noexcept {
    place_ += count;
    return static_cast<Self&>(*this);
  }
  Self& operator-=(ptrdiff_t count) noexcept { return *this += -count; }
  Self& operator++() noexcept { return *this += 1; }
  Self& operator--() noexcept { return *this += -1; }
  Self operator++(int) noexcept {
    Self before = self();
    ++*this;
    return before;
  }
  Self operator--(int) noexcept {
    Self before = self();
    --*this;
    return before;
  }
  friend Self operator+(Self it, ptrdiff_t count) noexcept { return it += count; }
  friend Self operator+(ptrdiff_t count, Self it) noexcept { return it += count; }
  friend Self operator-(Self it, ptrdiff_t count) noexcept { return it -= count; }
  friend ptrdiff_t operator-(const Self& a, const Self& b) noexcept { return a.place_ - b.place_; }
  friend bool operator==(const Self& a, const Self& b) noexcept { return a.place_ == b.place_; }
  friend auto operator<=>(const Self& a, const Self& b) noexcept { return a.place_ <=> b.place_; }

 protected:
  PlaceIterator() noexcept = default;
  explicit PlaceIterator(ptrdiff_t place) noexcept : place_(place) {}
  ptrdiff_t place_ = 0;

 private:
  const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

}  // namespace tain::internal
