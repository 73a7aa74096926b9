// SPDX-License-Identifier: Apache-2.0
// AccessPath, the place of a value in a graph: attributes, indices and keys from a root.
//
//   AccessPath path = AccessPath::Parse(".body[3].value[\"k\"]");
//   Any value = path.Get(root);                    // root.body[3].value["k"]
//   Any other = path.SetCopy(root, Any(1));        // only what leads to the place is copied
// A path is immutable. It prints as `<root>.body[3].value["k"]`. An int in brackets is one kind of
// step, whether the object that it meets is a sequence or a map.
#pragma once

#include <string>
#include <string_view>

#include "tain/container/array.h"
#include "tain/container/optional.h"
#include "tain/object_ref_macros.h"
#include "tain/string.h"

namespace tain {

/// One step of a path.
class TAIN_DLL AccessStepObj : public Object {
 public:
  String kind;  ///< "attr", "index" or "key"
  Any value;    ///< the name, the index, or the key

  AccessStepObj(String kind, Any value);
  /// Returns `.name`, `[3]` or `["key"]`.
  String ToString() const;

  static constexpr bool _type_mutable = false;
  TAIN_DECLARE_OBJECT_INFO_FINAL("ffi.AccessStep", AccessStepObj, Object);
};
using AccessStep = Ref<AccessStepObj>;

/// The object behind AccessPath.
class TAIN_DLL AccessPathObj : public Object {
 public:
  Array<AccessStep> steps;  ///< from the root to the place

  AccessPathObj() = default;
  explicit AccessPathObj(Array<AccessStep> s) : steps(std::move(s)) {}

  static constexpr bool _type_mutable = false;
  TAIN_DECLARE_OBJECT_INFO_FINAL("ffi.AccessPath", AccessPathObj, Object);
};

/// A place in a graph, never null.
class TAIN_DLL AccessPath : public ObjectRef {
 public:
  TAIN_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(AccessPath, ObjectRef, AccessPathObj);
  /// The path of the root.
  AccessPath();
  explicit AccessPath(Array<AccessStep> steps);
  AccessPath(const Ref<AccessPathObj>& path)  // NOLINT: the same object
      : ObjectRef(static_cast<const ObjectRef&>(path)) {}

  /// Reads a path. Throws ValueError that shows the position of a mistake.
  static AccessPath Parse(std::string_view text);

  /// Returns the path of an attribute of this place. Throws ValueError if the name is empty.
  AccessPath Attr(std::string_view name) const;
  /// Returns the path of an element, or of an entry with an int as key.
  AccessPath Item(int64_t index) const;
  /// Returns the path of an entry of a map. An int gives the same path as Item.
  AccessPath Key(const Any& key) const;
  /// Returns the path without its last step; nothing for the root.
  Optional<AccessPath> Parent() const;
  /// Whether `other` is this place or inside of it.
  bool IsPrefixOf(const AccessPath& other) const;
  size_t size() const noexcept { return get()->steps.size(); }

  /// Returns the value at the place. Throws AttributeError, IndexError, KeyError or TypeError,
  /// with the path of the step that failed.
  Any Get(const Any& root) const;
  /// Returns a copy of the root in which the place has another value. Objects and containers on
  /// the way are copied; all others are shared with the original. Throws as Get, and TypeError if
  /// an object cannot be rebuilt or its field does not take the value.
  Any SetCopy(const Any& root, const Any& value) const;
  String ToString() const;
};

}  // namespace tain
