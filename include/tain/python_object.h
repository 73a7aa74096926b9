// SPDX-License-Identifier: Apache-2.0
// PythonObject, a Python object that C++ holds as it is and does not look into: pybind11's
// py::object.
//
//   struct NodeObj : tain::Object {
//     tain::PythonObject payload;                       // a field: any object, None at first
//   };
//   tain::PythonObject Same(tain::PythonObject x) { return x; }   // a list comes back as that list
//   void Visit(tain::Optional<tain::PythonObject> context);       // None is std::nullopt
// `Any` makes values of C++ of lists, dicts, numbers and texts; a PythonObject does not. It holds a
// counted reference, which the garbage collector sees and which may be dropped without the GIL.
#pragma once

#include "tain/function.h"
#include "tain/internal/host_value.h"
#include "tain/internal/object_traits.h"

namespace tain {

/// The object behind a PythonObject; its cell has the address of Python's object.
class PythonObjectObj : public Object {
 public:
  TainOpaqueCell cell{};

  TAIN_INTERNAL_BUILTIN_TYPE("ffi.OpaquePyObject", kTainOpaquePyObject, true);
};

/// A reference to a Python object. A default-constructed one is None.
class PythonObject : public ObjectRef {
 public:
  using ContainerType = PythonObjectObj;
  static constexpr bool _type_is_nullable = true;

  PythonObject() noexcept = default;
  PythonObject(std::nullptr_t) noexcept {}  // NOLINT: None
  explicit PythonObject(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  explicit PythonObject(ObjectPtr<PythonObjectObj> object) noexcept
      : ObjectRef(ObjectPtr<Object>(std::move(object))) {}

  /// Makes the object that a value of C++ is in Python. Throws TypeError in a program without Python.
  static PythonObject From(const AnyView& value);

  bool is_none() const noexcept { return get() == nullptr; }
  /// The address of Python's object (a PyObject*, borrowed); null for None.
  void* ptr() const noexcept {
    return is_none() ? nullptr : static_cast<const PythonObjectObj*>(get())->cell.handle;
  }
  /// Whether both are the same object, as Python's `is`.
  bool is(const PythonObject& other) const noexcept { return ptr() == other.ptr(); }
  /// The value that the object is where C++ takes an Any: an Array of a list, an int64_t of an int.
  /// Throws what Python raises.
  Any value() const;
  /// value() as a T. Throws TypeError.
  template <class T>
  T cast() const {
    return value().template cast<T>();
  }
};

template <>
struct TypeTraits<PythonObject>
    : internal::ReadingTraits<PythonObject,
                              internal::HandleTraits<PythonObject, PythonObjectObj, true>> {
  static bool ReadInto(const TainAny* a, PythonObject* out) {
    if (CheckAnyStrict(a)) {
      *out = CopyFromAnyViewAfterCheck(a);
      return true;
    }
    Any made;
    if (!internal::MakeHostObject(*a, &made) || !CheckAnyStrict(&made.data())) return false;
    *out = CopyFromAnyViewAfterCheck(&made.data());
    return true;
  }
  static std::string TypeStr() { return "object"; }
  static Mismatch ExplainMismatch(const TainAny*) { return Mismatch(TypeStr()); }
};

template <>
inline constexpr bool internal::kIsHostObject<PythonObject> = true;

inline PythonObject PythonObject::From(const AnyView& value) { return value.cast<PythonObject>(); }

inline Any PythonObject::value() const {
  Any made;
  if (!is_none()) internal::FromHost(AnyView(*this).data(), kTainHostValue, &made);
  return made;
}

}  // namespace tain
