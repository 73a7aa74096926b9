// SPDX-License-Identifier: Apache-2.0
// The options of a registration: arg("x") = default, doc, flags of fields, types and calls.
//
// Options are plain values that are passed to def_ro, def_rw, def, ObjectDef and GlobalDef in any
// order. A plain string is documentation.
#pragma once

#include <optional>

#include "tain/function.h"
#include "tain/internal/static_text.h"

namespace tain {

/// A parameter in a call_spec.
struct arg_spec {
  const char* name;
  const char* doc = "";
  int32_t flags = 0;  ///< TainArgFlag: kTainArgOptional, kTainArgKwOnly
};

/// All options of a function in one struct, for example as a code generator writes them:
///   constexpr tain::arg_spec kParams[] = {{"x", "abscissa"}, {"by", "", kTainArgOptional}};
///   GlobalDef().def("geometry.scaled", scaled, tain::call_spec{kParams, 2, "Scales."});
/// Further documentation and flags in the same `def` are added.
struct call_spec {
  const arg_spec* params = nullptr;
  int32_t num_params = 0;
  const char* doc = "";
  int32_t flags = 0;   ///< TainCallFlag: kTainCallReleaseGil, kTainCallAbstract, kTainCallFinal
  uint64_t keeps = 0;  ///< the pairs of keep_alive, as in TainFunctionInfo
};

/// A parameter's name, documentation and default: `arg("y") = 0.0`. If one parameter has no name,
/// all parameters are positional-only.
class arg {
 public:
  explicit arg(const char* name, const char* doc = "") noexcept : name_(name), doc_(doc) {}
  explicit arg(const arg_spec& spec) noexcept
      : name_(spec.name), doc_(spec.doc), flags_(spec.flags) {}
  /// Sets the default.
  template <class T>
    requires internal::Crosses<T>
  arg operator=(T&& value) && {  // NOLINT: reads as a default
    default_ = Any(std::forward<T>(value));
    return std::move(*this).With(kTainArgHasDefault);
  }
  template <class T>
    requires(!internal::Crosses<T>)
  arg operator=(T&&) && {  // NOLINT: explains the error
    static_assert(TypeTraits<std::decay_t<T>>::kCrosses,
                  "arg: the default's type" TAIN_INTERNAL_NOT_CROSSING);
    return std::move(*this);
  }
  arg operator=(std::nullptr_t) && {  // NOLINT: reads as a default
    return std::move(*this).With(kTainArgHasDefault);
  }
  arg operator=(std::nullopt_t) && { return std::move(*this) = nullptr; }  // NOLINT: the same
  /// Sets a function that makes a new default for each call.
  arg factory(Function make) && {
    default_ = Any(std::move(make));
    return std::move(*this).With(kTainArgHasDefault | kTainArgFactory);
  }
  /// Marks the parameter as one whose default only the callee knows; signatures show `...`. The
  /// argument may be omitted if all later ones are; the function then gets fewer arguments, so it
  /// must be made by tain::with_defaults.
  arg optional() && { return std::move(*this).With(kTainArgOptional); }
  /// Makes this parameter and all later ones keyword-only.
  arg kw_only() && { return std::move(*this).With(kTainArgKwOnly); }
  /// Whether a parameter that can be null takes None: a pointer, a smart pointer, an optional. It
  /// does if nothing is said.
  arg none(bool accept = true) && {
    flags_ = accept ? flags_ & ~kTainArgNotNone : flags_ | kTainArgNotNone;
    return std::move(*this);
  }
  /// The parameter takes what lenient() says.
  arg lenient() && { return std::move(*this).With(kTainArgLenient); }

  const char* name() const noexcept { return name_; }
  const char* doc() const noexcept { return doc_; }
  const Any& default_value() const noexcept { return default_; }
  int32_t flags() const noexcept { return flags_; }

 private:
  arg With(int32_t flags) && {
    flags_ |= flags;
    return std::move(*this);
  }
  const char* name_;
  const char* doc_;
  Any default_;
  int32_t flags_ = 0;
};

/// Documentation. In C++20, if it is used as a template argument, its text must be a static array.
struct doc {
  const char* text;
  explicit constexpr doc(const char* t) noexcept : text(internal::StaticText(t)) {}
};

/// The default of a field in the constructor that def_init_fields makes.
struct default_ {
  Any value;
  template <class T>
    requires internal::Crosses<T>
  explicit default_(T&& v) : value(std::forward<T>(v)) {}
  explicit default_(std::nullopt_t) {}
  template <class T>
    requires(!internal::Crosses<T>)
  explicit default_(T&&) {
    static_assert(TypeTraits<std::decay_t<T>>::kCrosses,
                  "default_: the type" TAIN_INTERNAL_NOT_CROSSING);
  }
};
/// A function that makes the default of a field for each object.
struct default_factory {
  Function make;
  explicit default_factory(Function f) : make(std::move(f)) {}
};

namespace internal {
template <int64_t kBits>
struct FieldFlag {};
template <int64_t kBits>
struct TypeFlag {};
template <int32_t kBits>
struct CallFlag {};
/// The option keep_alive; kPair is a KeptPair.
template <uint64_t kPair>
struct KeepsAlive {};

/// The largest number of an argument in keep_alive, and what stands for a wrong keep_alive.
inline constexpr int kLastKept = 63;
inline constexpr uint64_t kWrongPair = 0xFFFF;
/// One pair of TainFunctionInfo::keeps. It is never 0, because the numbers differ.
constexpr uint64_t KeptPair(int nurse, int patient) noexcept {
  const auto is_good = [](int number) { return number >= 0 && number <= kLastKept; };
  if (!is_good(nurse) || !is_good(patient) || nurse == patient) return kWrongPair;
  return static_cast<uint64_t>(nurse) | static_cast<uint64_t>(patient) << 8;
}
/// Adds a pair to others; a fifth one makes the last one wrong.
constexpr uint64_t WithKept(uint64_t pairs, uint64_t pair) noexcept {
  if (pair == 0) return pairs;
  for (int shift = 0; shift < 64; shift += 16) {
    if ((pairs >> shift & 0xFFFF) == 0) return pairs | pair << shift;
  }
  return pairs | kWrongPair << 48;
}
}  // namespace internal

// Flags of fields.
/// The constructor of def_init_fields takes the field by keyword only.
struct kw_only : internal::FieldFlag<kTainFieldKwOnly> {};
/// repr leaves the field out.
struct no_repr : internal::FieldFlag<kTainFieldNoRepr> {};
/// `==` and order leave the field out.
struct no_compare : internal::FieldFlag<kTainFieldNoCompare> {};
/// The hash leaves the field out.
struct no_hash : internal::FieldFlag<kTainFieldNoHash> {};
/// The constructor of def_init_fields does not take the field.
struct no_init : internal::FieldFlag<kTainFieldNoInit> {};
/// Structural comparison and hash leave the field out.
struct structural_ignore : internal::FieldFlag<kTainFieldNoStructuralEq> {};
/// The field defines variables: a variable in it, at any depth, may stand for another one.
struct def_region : internal::FieldFlag<kTainFieldDefPattern> {};
/// As def_region, but only for a variable that is the field's value or an element of it.
struct simple_def : internal::FieldFlag<kTainFieldSimpleDef> {};

namespace internal {
/// A flag of fields or types, and its names in Python.
struct FlagNames {
  int64_t bit;
  const char* given = "";     ///< in the flags of a class that Python defines; empty if it has none
  const char* property = "";  ///< in FieldInfo; empty if it has none of its own
  bool means = true;          ///< the value of the property if the bit is set
};
/// All bits that a field may have. A new flag is a bit in c_api.h, a name above and a row here.
inline constexpr FlagNames kFieldFlags[] = {
    {kTainFieldWritable, "writable"},
    {kTainFieldHasDefault, "default", "has_default"},
    {kTainFieldDefaultFactory, "factory"},
    {kTainFieldKwOnly, "kw_only", "kw_only"},
    {kTainFieldNoRepr, "no_repr", "repr", false},
    {kTainFieldNoCompare, "no_compare", "compare", false},
    {kTainFieldNoHash, "no_hash", "hash", false},
    {kTainFieldNoInit, "no_init", "init", false},
    {kTainFieldNoStructuralEq, "structural_ignore"},
    {kTainFieldDefPattern, "structural_def"},
    {kTainFieldSimpleDef, "structural_simple_def"},
    {kTainFieldSetterIsFunction},
    {kTainFieldAsNumpy},
};

/// A flag of calls.
struct CallFlagRow {
  int32_t bit;
  bool of_properties = false;  ///< whether an author may give it to a property
};
/// All flags of calls that a registration may set. A new one is a bit in c_api_registry.h, a row
/// here and a name below.
inline constexpr CallFlagRow kCallFlags[] = {
    {kTainCallReleaseGil, true},
    {kTainCallThreadSafe, true},
    {kTainCallLockReceiver, true},
    {kTainCallTakesAway, true},
    {kTainCallMethod},
    {kTainCallPacked},
    {kTainCallVirtual},
    {kTainCallConstructor},
    {kTainCallReturnsEnum},
    {kTainCallAbstract},
    {kTainCallFinal},
    {kTainCallKeepsNothing, true},
    {kTainCallAsNumpy, true},
    {kTainCallLenient, true},
};
/// The bits of all of them, or of those that a property may have.
constexpr int32_t CallFlagBits(bool of_properties) noexcept {
  int32_t bits = 0;
  for (const CallFlagRow& flag : kCallFlags) {
    if (flag.of_properties || !of_properties) bits |= flag.bit;
  }
  return bits;
}
inline constexpr int32_t kAllCallFlags = CallFlagBits(false);
inline constexpr int32_t kPropertyFlags = CallFlagBits(true);
/// All flags of parameters.
inline constexpr int32_t kAllArgFlags =
    kTainArgHasDefault | kTainArgFactory | kTainArgKwOnly | kTainArgNamed | kTainArgVarPositional |
    kTainArgVarKeyword | kTainArgUnchanged | kTainArgOptional | kTainArgNotNone | kTainArgLenient;
}  // namespace internal

// Flags of types: arguments of ObjectDef.
/// `==` compares the fields.
struct eq : internal::TypeFlag<kTainTypeEq> {};
/// `<`, `<=`, `>` and `>=` compare the fields in their order; includes eq.
struct order : internal::TypeFlag<kTainTypeOrder | kTainTypeEq> {};
/// Equal objects have equal hashes; includes eq.
struct value_hash : internal::TypeFlag<kTainTypeHash | kTainTypeEq> {};
/// No field can be assigned.
struct frozen : internal::TypeFlag<kTainTypeFrozen> {};
/// For a type: it has no Python subclasses. For a method: Python classes must not override it.
struct final_ : internal::TypeFlag<kTainTypeFinal>, internal::CallFlag<kTainCallFinal> {};

/// The GIL is released while the destructor runs, also that of a child: it waits for threads that
/// may call Python.
struct destroy_without_gil : internal::TypeFlag<kTainTypeDestroyWithoutGil> {};

/// State of the objects that is no registered field may be lost when they are pickled, saved or
/// copied with other fields, such as a cache. Without it these raise TypeError.
struct transient : internal::TypeFlag<kTainTypeTransient> {};
/// The objects cannot be copied, although the class has a copy constructor: it owns a raw pointer.
struct no_copy : internal::TypeFlag<kTainTypeNoCopy> {};
/// Tensors that Python gets from a function, a method, a property or a field are arrays of numpy
/// that share the memory. For a type: those of all its members. For all of a library:
/// LibraryDef().set(tain::as_numpy()).
struct as_numpy : internal::FieldFlag<kTainFieldAsNumpy>,
                  internal::TypeFlag<kTainTypeAsNumpy>,
                  internal::CallFlag<kTainCallAsNumpy> {};

/// The base class of a boxed class, which is boxed too: its functions take objects of the class.
template <class B>
struct boxed_base {};

/// How structural comparison and hash treat objects of the type: structural(StructuralKind::kDag).
enum class StructuralKind : int32_t {
  kTree = kTainStructuralTree,            ///< by fields; sharing does not matter. The default
  kVariable = kTainStructuralVariable,    ///< a variable, which may stand for another variable
  kDag = kTainStructuralDag,              ///< by fields; the same parts must be shared
  kConstTree = kTainStructuralConstTree,  ///< a tree that contains no variable
  kUnique = kTainStructuralUnique         ///< by identity
};
/// The flag of a type for its StructuralKind.
struct structural {
  StructuralKind kind;
  explicit constexpr structural(StructuralKind k) noexcept : kind(k) {}
};

// Flags of calls.
/// For a method: a Python class must override it before it can be instantiated.
struct abstract : internal::CallFlag<kTainCallAbstract> {};
/// The GIL is released while the C++ function runs.
struct release_gil : internal::CallFlag<kTainCallReleaseGil> {};
/// Threads may call the function at the same time: without a GIL the call takes no lock. For a type:
/// its functions, methods and properties, unless they say something else about threads. For all of
/// a library: LibraryDef().set(tain::thread_safe()). With a GIL it changes nothing.
struct thread_safe : internal::TypeFlag<kTainTypeThreadSafe>,
                     internal::CallFlag<kTainCallThreadSafe> {};
/// Threads may call the method at the same time for different objects: without a GIL the call takes
/// a lock of its object. For a type: its methods and properties, unless they say something else
/// about threads. With a GIL it changes nothing.
struct lock_receiver : internal::TypeFlag<kTainTypeLockReceiver>,
                       internal::CallFlag<kTainCallLockReceiver> {};
/// Parameters take more than their type says, as in pybind11: bytes where C++ has text (also inside
/// of lists and dicts), a value with a truth value where it has a bool; results of a std::function
/// likewise. For one parameter: arg("x").lenient().
struct lenient : internal::CallFlag<kTainCallLenient> {};
/// C++ keeps no pointer or reference to an argument that is a boxed object. Without it the boxes
/// that the call makes or changes keep such arguments alive.
struct no_keep_alive : internal::CallFlag<kTainCallKeepsNothing> {};
/// Object kNurse of a call keeps object kPatient alive as long as it lives itself: 0 is the result,
/// or the object that a constructor makes; 1 and later are the arguments, for a method the object
/// is 1. A function has at most four of them. For constructors, functions, methods and properties.
template <int kNurse, int kPatient>
struct keep_alive : internal::KeepsAlive<internal::KeptPair(kNurse, kPatient)> {};

}  // namespace tain
