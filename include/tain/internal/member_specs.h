// SPDX-License-Identifier: Apache-2.0
// The options of a registration in collected form, and signatures as data.
#pragma once

#include <vector>

#include "tain/internal/field_access.h"
#include "tain/internal/with_defaults.h"
#include "tain/reflection/arg.h"
#include "tain/reflection/check.h"

namespace tain::internal {

/// Whether a Spec accepts all of these options.
template <class Spec, class... Extra>
concept Accepts =
    requires(Spec& spec, Extra&&... extra) { (spec.Add(static_cast<Extra&&>(extra)), ...); };

/// Documentation and flags of a field or of a type, already collected.
struct FinishedSpec {
  const char* doc = "";
  int64_t flags = 0;
};

/// The options of a field and of a type.
struct FlaggedSpec : FinishedSpec {
  void Add(const char* text) noexcept { doc = text; }
  void Add(const struct doc& d) noexcept { doc = d.text; }
  void Add(const FinishedSpec& spec) noexcept {
    doc = spec.doc;
    flags |= spec.flags;
  }
};

/// The options of a field.
struct FieldSpec : FlaggedSpec {
  Any default_value;

  using FlaggedSpec::Add;
  template <class F>
  void Add(const FieldCheck<F>&) noexcept {}  // see FieldConditions
  void Add(default_ d) {
    default_value = std::move(d.value);
    flags |= kTainFieldHasDefault;
  }
  void Add(default_factory d) {
    default_value = Any(std::move(d.make));
    flags |= kTainFieldHasDefault | kTainFieldDefaultFactory;
  }
  template <int64_t kBits>
  void Add(FieldFlag<kBits>) noexcept {
    flags |= kBits;
  }
};

/// The conditions of a field. They are no part of FieldSpec, which most fields have without them.
struct FieldConditions {
  std::string text;  ///< the values that they ask for: `above 0`
  Function setter;   ///< checks them and sets
};

template <class T>
inline constexpr bool kIsCheck = false;
template <class F>
inline constexpr bool kIsCheck<FieldCheck<F>> = true;
/// Whether an option of a field of type V is no condition, or one that takes its values.
template <class V, class Option>
inline constexpr bool kFitsCheck = true;
template <class V, class F>
inline constexpr bool kFitsCheck<V, FieldCheck<F>> =
    std::is_invocable_r_v<bool, const F&, const V&>;

/// Calls `set` for the values of a field of type V that fulfil its conditions.
template <class V, class... F>
struct CheckedSetter {
  TainFieldSetter set;
  std::tuple<FieldCheck<F>...> conditions;

  /// Gets the address that `set` takes, and the value. With null for the address it checks only.
  Any operator()(Args args) const {
    const TainAny value = args[1].data();
    std::optional<V> read = ReadForField<V>(&value);
    if (!read) ThrowCast(&MismatchOf<V>, value, "");
    std::apply([&](const auto&... each) { (Check(each, *read, value), ...); }, conditions);
    void* const place = args[0].data().v_ptr;
    if (place == nullptr) return Any();
    // The value that was checked is set, not the one that it may have become.
    const Any checked(*std::move(read));
    if (set(place, &checked.data()) != 0) throw Error::MoveFromRaised();
    return Any();
  }

 private:
  template <class C>
  static void Check(const C& condition, const V& read, const TainAny& value) {
    if (condition.holds(read)) return;
    ThrowMismatch("", Mismatch::Unusable(TypeTraits<V>::TypeStr() + " " + condition.text), value);
  }
};

/// The options that functions and properties have.
struct CalledSpec {
  const char* doc = "";
  int32_t flags = 0;
  uint64_t keeps = 0;  ///< as in TainFunctionInfo; of a property those of both functions

  void Add(const char* text) noexcept { doc = text; }
  void Add(const struct doc& d) noexcept { doc = d.text; }
  template <uint64_t kPair>
  void Add(KeepsAlive<kPair>) noexcept {
    keeps = WithKept(keeps, kPair);
  }
};

/// The options of a function. Its functions are not inlined, because there are many registrations.
struct CallSpec : CalledSpec, NotCopied {
  CallSpec() noexcept = default;
  TAIN_DLL ~CallSpec();

  std::vector<arg> args;

  using CalledSpec::Add;
  TAIN_DLL void Add(arg a);
  TAIN_DLL void Add(const call_spec& spec);
  void Add(std::vector<arg> all) {
    for (arg& one : all) Add(std::move(one));
  }
  template <int32_t kBits>
  void Add(CallFlag<kBits>) noexcept {
    flags |= kBits;
  }
};

/// The options of a property, which are those of its functions.
struct PropertySpec : CalledSpec {
  using CalledSpec::Add;
  void Add(const call_spec& spec) noexcept {
    doc = spec.doc;
    flags |= spec.flags & kPropertyFlags;
    keeps = spec.keeps;
  }
  template <int32_t kBits>
    requires((kBits & ~kPropertyFlags) == 0)
  void Add(CallFlag<kBits>) noexcept {
    flags |= kBits;
  }
};

/// The options of a type.
struct TypeSpec : FlaggedSpec {
  using FlaggedSpec::Add;
  template <int64_t kBits>
  void Add(TypeFlag<kBits>) noexcept {
    flags |= kBits;
  }
  template <class B>
  void Add(boxed_base<B>) noexcept {}  // boxed.h
  void Add(structural s) noexcept {
    flags = (flags & ~int64_t{kTainTypeStructural}) |
            (static_cast<int64_t>(s.kind) << kTainTypeStructuralShift);
  }
};

/// Whether T is an option of some kind of member.
template <class T>
inline constexpr bool kIsOption = Accepts<PropertySpec, T> || Accepts<CallSpec, T> ||
                                  Accepts<FieldSpec, T> || Accepts<TypeSpec, T>;

/// Collects the options of a member in a Spec; get() returns null if there are none.
template <class Spec, class... Extra>
class Collected {
 public:
  explicit Collected(Extra&&... extra) { (spec_.Add(static_cast<Extra&&>(extra)), ...); }
  const Spec* get() const noexcept { return &spec_; }

 private:
  Spec spec_;
};
template <class Spec>
class Collected<Spec> {
 public:
  static const Spec* get() noexcept { return nullptr; }
};
// Mistakes have been reported.
template <class Spec, class... Extra>
  requires(!Accepts<Spec, Extra...>)
class Collected<Spec, Extra...> {
 public:
  explicit Collected(Extra&&...) noexcept {}
  static const Spec* get() noexcept { return nullptr; }
};

/// A signature as data; its functions return the type expressions.
struct CallShape {
  int32_t num_params;
  int32_t num_optional;  ///< last parameters with one value each whose default the callee knows
  uint64_t nullable;     ///< bit i: parameter i can be null
  std::string (*const* params)();
  std::string (*result)();
  int (*const* exact)(const TainAny* value);  ///< see TainFunctionInfo
  bool takes_rest;
  bool takes_keywords;
  bool returns_enum;
  bool takes_away;  ///< kTainCallTakesAway
};

template <class Sig>
TAIN_HIDDEN inline constexpr CallShape kShape = {
    SignatureTools<Sig>::kNumParams,      0,
    SignatureTools<Sig>::kNullable,       SignatureTools<Sig>::kParams,
    &ResultTypeStr<typename Sig::Result>, SignatureTools<Sig>::kExact,
    SignatureTools<Sig>::kRest,           SignatureTools<Sig>::kKeywords,
    SignatureTools<Sig>::ReturnsEnum(),   SignatureTools<Sig>::kTakesAway};

/// The shape of a callable that may be called without its last parameters.
constexpr CallShape WithOptional(CallShape shape, int32_t num_optional) noexcept {
  shape.num_optional = num_optional;
  return shape;
}

/// The shape of a callable: that of its signature, unless it is a WithDefaults.
template <class F>
TAIN_HIDDEN inline constexpr CallShape kShapeOf = kShape<SignatureOf<F>>;
template <class F, class... Shorter>
TAIN_HIDDEN inline constexpr CallShape kShapeOf<WithDefaults<F, Shorter...>> =
    WithOptional(kShape<SignatureOf<F>>, WithDefaults<F, Shorter...>::kNumOptional);

/// A callable, with its signature, of which libtain makes a Function.
struct PlainCallable {
  PlainClosure closure;
  CallShape shape;
};
template <class F>
TAIN_HIDDEN inline constexpr PlainCallable kPlainCallable = {kPlainClosure<F>, kShapeOf<F>};

/// A method or a static method as constant data.
struct MethodRow {
  const char* name;
  const PlainCallable* callable;
  const void* bytes;  ///< of the callable
  call_spec spec;
  bool is_static;
};

/// The type of a field as data: everything except name, offset and options.
struct FieldShape {
  int32_t size;
  int32_t alignment;
  int32_t kind;  ///< TainFieldKind
  int32_t access;
  bool is_const;  ///< keeps the value that the constructor set
  bool is_enum;
  TainFieldGetter get;
  TainFieldSetter set;
  std::string (*type)();
  int32_t (*object_type)() noexcept;  ///< the index of the declared class, for objects
  int (*visit_edges)(void* field, int (*visit)(TainObject* child, void* context), void* context);
  void (*clear_edges)(void* field);
};

/// The shape of a field with these accessors.
template <class M, class Access>
constexpr FieldShape ShapeWith(int32_t kind, int32_t access) noexcept {
  using Traits = TypeTraits<std::remove_const_t<M>>;
  FieldShape shape{};
  shape.size = static_cast<int32_t>(sizeof(M));
  shape.alignment = static_cast<int32_t>(alignof(M));
  shape.kind = kind;
  shape.access = access;
  shape.is_const = std::is_const_v<M>;
  shape.is_enum = Traits::kIsEnum;
  shape.get = &Access::Get;
  shape.set = &Access::Set;
  shape.type = &Traits::TypeStr;
  return shape;
}
/// The shape of a field whose accessors take a TainFieldPlace.
template <class M, class Access, bool kEdges>
constexpr FieldShape PlacedShapeWith(int32_t access) noexcept {
  FieldShape shape = ShapeWith<M, Access>(kTainFieldOpaque, kTainFieldPlaced | access);
  if constexpr (kEdges && HoldsEdges<std::remove_const_t<M>>()) {
    shape.visit_edges = &Access::VisitEdges;
    shape.clear_edges = &Access::ClearEdges;
  }
  return shape;
}

template <class M>
constexpr FieldShape MakeFieldShape() noexcept {
  using V = std::remove_const_t<M>;
  using Traits = TypeTraits<V>;
  FieldShape shape = ShapeWith<M, FieldAccess<M>>(Traits::kFieldKind, 0);
  if constexpr (Traits::kFieldKind == kTainFieldObject) {
    shape.access = (Traits::kDirectWrite ? kTainFieldDirectWrite : 0) |
                   (Traits::kNullable ? kTainFieldNullable : 0);
    shape.object_type = &TypeOf<typename Traits::Container>::Index;
  }
  if constexpr (FieldEdges<V>::kKnown) {
    shape.visit_edges = &FieldEdges<V>::Visit;
    shape.clear_edges = &FieldEdges<V>::Clear;
  }
  return shape;
}
template <class M>
TAIN_HIDDEN inline constexpr FieldShape kFieldShape = MakeFieldShape<M>();

/// A field as constant data.
struct FieldRow {
  const char* name;
  const FieldShape* shape;
  int64_t offset;  ///< bytes from the start of the class
  int64_t flags;
  const char* doc;
};

/// The shape of a field of a class that is OnlyOfTain.
template <class M>
TAIN_HIDDEN inline constexpr FieldShape kCheckedShape =
    PlacedShapeWith<M, CheckedField<M>, true>(0);

/// The shape of a field in a box, or of one whose value keeps the object alive.
template <class M, bool kBoxed>
TAIN_HIDDEN inline constexpr FieldShape kPlacedShape =
    PlacedShapeWith<M, PlacedField<M, kBoxed>, kBoxed>(
        RefersTo<std::remove_const_t<M>> ? kTainFieldRefers : 0);

}  // namespace tain::internal
