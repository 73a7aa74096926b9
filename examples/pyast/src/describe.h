// SPDX-License-Identifier: Apache-2.0
// Describe<T>(doc, fields...): the ObjectDef of a node class, its constructor, and its children.
//
//   Describe<AttributeObj>("`value.attr`.", Field{"value", &AttributeObj::value}, ...);
// The constructor is that of Python's ast: the fields in the order of the grammar, then the place.
// A field that may be missing, a sequence and a context have defaults, if all after them have one.
#pragma once

#include <array>
#include <utility>

#include "children.h"

namespace pyast {

/// A field of the grammar.
template <class C, class M>
struct Field {
  using Type = M;
  const char* name;
  M C::* member;
};
template <class C, class M>
Field(const char*, M C::*) -> Field<C, M>;

namespace internal {

template <class M>
inline constexpr bool kHasDefault = std::is_same_v<M, ExprContext>;
template <class T>
inline constexpr bool kHasDefault<Optional<T>> = true;
template <class T>
inline constexpr bool kHasDefault<Array<T>> = true;

/// Whether field i and all after it have defaults.
template <class... M>
constexpr bool HasDefaultsFrom(size_t i) {
  const std::array<bool, sizeof...(M) + 1> each{kHasDefault<M>..., true};
  for (; i < each.size(); ++i) {
    if (!each[i]) return false;
  }
  return true;
}

template <class M>
tain::arg Parameter(const char* name, bool has_default) {
  if constexpr (kHasDefault<M>) {
    if (has_default) return tain::arg(name) = M{};
  }
  return tain::arg(name);
}

/// Makes a node of its parent part (with the place, if that is where it is) and its fields.
template <class T, class... M>
Ref<T> MakePlaced(const Place& place, M&&... fields) {
  using Parent = typename T::_type_parent;
  if constexpr (std::is_base_of_v<Place, Parent>) {
    return tain::make_object<T>(Parent{{}, place}, std::move(fields)...);
  } else {
    return tain::make_object<T>(Parent{}, place, std::move(fields)...);
  }
}

template <class T, class... C, class... M, size_t... I>
void DescribeNode(const char* doc, std::index_sequence<I...>, Field<C, M>... fields) {
  // Not tain::thread_safe(): a node may be assigned to while a pass reads it.
  tain::reflection::ObjectDef<T> def(doc);
  (def.def_rw(fields.name, fields.member), ...);
  if constexpr (std::is_base_of_v<Place, T>) {
    if constexpr (!std::is_base_of_v<Place, typename T::_type_parent>) {
      def.def_rw("lineno", &T::lineno)
          .def_rw("col_offset", &T::col_offset)
          .def_rw("end_lineno", &T::end_lineno)
          .def_rw("end_col_offset", &T::end_col_offset);
    }
    def.def_static(
        "__create__",
        [](M... values, int32_t lineno, int32_t col_offset, Optional<int32_t> end_lineno,
           Optional<int32_t> end_col_offset) {
          return MakePlaced<T>({lineno, col_offset, end_lineno, end_col_offset},
                               std::move(values)...);
        },
        Parameter<M>(fields.name, HasDefaultsFrom<M...>(I))..., tain::arg("lineno") = 1,
        tain::arg("col_offset") = 0, tain::arg("end_lineno") = nullptr,
        tain::arg("end_col_offset") = nullptr);
  } else {
    def.def_static(
        "__create__",
        [](M... values) {
          return Ref<T>(tain::make_object<T>(typename T::_type_parent{}, std::move(values)...));
        },
        Parameter<M>(fields.name, HasDefaultsFrom<M...>(I))...);
  }
  SetChildrenOf(T::RuntimeTypeIndex(), [fields...](ASTObj& node, ChildVisitor& visitor) {
    (VisitField(static_cast<T&>(node).*fields.member, visitor), ...);
  });
}

}  // namespace internal

/// Describes a node class to Python and to VisitChildren.
template <class T, class... C, class... M>
void Describe(const char* doc, Field<C, M>... fields) {
  internal::DescribeNode<T>(doc, std::index_sequence_for<M...>(), fields...);
}

}  // namespace pyast
