// SPDX-License-Identifier: Apache-2.0
// What an author may say beside a name: arg("x") = default, doc, flags of fields, types and calls.
//
// All of these are plain values handed to def_ro, def_rw, def, ObjectDef and GlobalDef in any
// order. A bare string is documentation.
#pragma once

#include <vector>

#include "tain/function.h"
#include "tain/internal/virtual_names.h"

namespace tain {

/// A parameter's name, documentation and default: `arg("y") = 0.0`. The first parameter without a
/// name makes all positional-only.
class arg {
 public:
  explicit arg(const char* name, const char* doc = "") noexcept : name_(name), doc_(doc) {}
  /// Gives the default.
  template <class T>
    requires internal::Crosses<T>
  arg operator=(T&& value) && {  // NOLINT: reads as a default
    default_ = Any(std::forward<T>(value));
    flags_ |= kTainArgHasDefault;
    return std::move(*this);
  }
  template <class T>
    requires(!internal::Crosses<T>)
  arg operator=(T&&) && {  // NOLINT: says why not
    static_assert(TypeTraits<std::decay_t<T>>::kCrosses,
                  "arg: the default's type does not cross the border: give it a tain::TypeTraits, "
                  "or include tain/stl.h for standard containers");
    return std::move(*this);
  }
  arg operator=(std::nullptr_t) && {  // NOLINT: reads as a default
    flags_ |= kTainArgHasDefault;
    return std::move(*this);
  }
  /// Gives a function that makes the default anew for each call.
  arg factory(Function make) && {
    default_ = Any(std::move(make));
    flags_ |= kTainArgHasDefault | kTainArgFactory;
    return std::move(*this);
  }
  /// The parameter and all after it can only be given by keyword.
  arg kw_only() && {
    flags_ |= kTainArgKwOnly;
    return std::move(*this);
  }

  const char* name() const noexcept { return name_; }
  const char* doc() const noexcept { return doc_; }
  const Any& default_value() const noexcept { return default_; }
  int32_t flags() const noexcept { return flags_; }

 private:
  const char* name_;
  const char* doc_;
  Any default_;
  int32_t flags_ = 0;
};

/// Documentation.
struct doc {
  const char* text;
  explicit doc(const char* t) noexcept : text(t) {}
};

/// A field's default in the constructor that def_init_fields makes.
struct default_ {
  Any value;
  template <class T>
    requires internal::Crosses<T>
  explicit default_(T&& v) : value(std::forward<T>(v)) {}
  template <class T>
    requires(!internal::Crosses<T>)
  explicit default_(T&&) {
    static_assert(TypeTraits<std::decay_t<T>>::kCrosses,
                  "default_: the type does not cross the border: give it a tain::TypeTraits, or "
                  "include tain/stl.h for standard containers");
  }
};
/// A function that makes a field's default.
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
}  // namespace internal

// Flags of fields.
struct kw_only : internal::FieldFlag<kTainFieldKwOnly> {};
struct no_repr : internal::FieldFlag<kTainFieldNoRepr> {};
struct no_compare : internal::FieldFlag<kTainFieldNoCompare> {};
struct no_hash : internal::FieldFlag<kTainFieldNoHash> {};
struct no_init : internal::FieldFlag<kTainFieldNoInit> {};

// Flags of types: arguments of ObjectDef.
struct eq : internal::TypeFlag<kTainTypeEq> {};
struct order : internal::TypeFlag<kTainTypeOrder | kTainTypeEq> {};
struct value_hash : internal::TypeFlag<kTainTypeHash | kTainTypeEq> {};
struct frozen : internal::TypeFlag<kTainTypeFrozen> {};
/// Of a type: no Python subclasses; of a method: no override in Python.
struct final_ : internal::TypeFlag<kTainTypeFinal>, internal::CallFlag<kTainCallFinal> {};

// Flags of calls.
/// Of a method: a Python class that does not override it has no instances.
struct abstract : internal::CallFlag<kTainCallAbstract> {};
struct release_gil : internal::CallFlag<kTainCallReleaseGil> {};

namespace internal {

/// Whether everything beside a member is something that a Spec takes.
template <class Spec, class... Extra>
concept Accepts =
    requires(Spec& spec, Extra&&... extra) { (spec.Add(static_cast<Extra&&>(extra)), ...); };

/// What is said beside a field.
struct FieldSpec {
  const char* doc = "";
  int64_t flags = 0;
  Any default_value;

  void Add(const char* text) noexcept { doc = text; }
  void Add(const struct doc& d) noexcept { doc = d.text; }
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

/// What is said beside a call.
struct CallSpec {
  const char* doc = "";
  int32_t flags = 0;
  std::vector<arg> args;

  void Add(const char* text) noexcept { doc = text; }
  void Add(const struct doc& d) noexcept { doc = d.text; }
  void Add(arg a) { args.push_back(std::move(a)); }
  template <int32_t kBits>
  void Add(CallFlag<kBits>) noexcept {
    flags |= kBits;
  }
};

/// What is said beside a type.
struct TypeSpec {
  const char* doc = "";
  int64_t flags = 0;

  void Add(const char* text) noexcept { doc = text; }
  void Add(const struct doc& d) noexcept { doc = d.text; }
  template <int64_t kBits>
  void Add(TypeFlag<kBits>) noexcept {
    flags |= kBits;
  }
};

/// A signature as data: how to spell its types.
struct CallShape {
  int32_t num_params;
  std::string (*const* params)();
  std::string (*result)();
  int (*const* exact)(const TainAny* value);  ///< see TainFunctionInfo
  bool takes_rest;
  bool takes_keywords;
  bool returns_enum;
};

template <class Sig>
inline constexpr CallShape kShape = {
    SignatureTools<Sig>::kNumParams,     SignatureTools<Sig>::kParams,
    &SignatureTools<Sig>::ResultTypeStr, SignatureTools<Sig>::kExact,
    SignatureTools<Sig>::kRest,          SignatureTools<Sig>::kKeywords,
    SignatureTools<Sig>::ReturnsEnum()};

/// Runs registration code of a unit: what it throws becomes a fault of the unit.
TAIN_DLL bool RunRegistration(const TainUnit* unit, void (*body)()) noexcept;
/// Hangs names, types and defaults on a function and makes it global; a mistake becomes a fault of
/// the unit. Functions of one name and one definition, a number that is not 0, are overloads.
TAIN_DLL void DefineGlobal(const TainUnit* unit, const char* name, const Function& function,
                           const CallShape* shape, const CallSpec& spec,
                           uint64_t definition) noexcept;
/// A number for a new definition.
TAIN_DLL uint64_t NewDefinition() noexcept;

/// Makes an enum known; null, and a fault of the unit, if it cannot be.
TAIN_DLL const TainEnumInfo* DefineEnum(const TainUnit* unit, const TainEnumInfo& info) noexcept;

using InPlaceConstructor = int (*)(void* body, const TainFunctionInfo* info, const TainAny* args,
                                   int32_t num_args);

/// The half of ObjectDef that needs no template: collects members and hands them to the type table.
class TAIN_DLL TypeBuilder {
 public:
  TypeBuilder(const TypeBuilder&) = delete;
  TypeBuilder& operator=(const TypeBuilder&) = delete;

 protected:
  TypeBuilder(const TainUnit* unit, int32_t type_index, const char* key) noexcept;
  ~TypeBuilder();  // ends the description: makes the field constructor

  /// Opens the description of the type.
  void Open(const TainTypeDef& def, const TypeSpec& spec) noexcept;
  /// Sizes, offsets, accessors and kind in `def`; the rest from the name and the spec.
  void AddField(const char* name, TainFieldDef def, std::string (*type)(),
                const FieldSpec& spec) noexcept;
  void AddMethod(const char* name, Function function, const CallShape* shape, const CallSpec& spec,
                 bool is_static, int32_t flags) noexcept;
  void AddProperty(const char* name, const Function& getter, const Function& setter,
                   std::string (*type)(), const char* doc, int32_t flags) noexcept;
  void AddConstant(const char* name, const Any& value, const char* doc) noexcept;
  void AddTypeAttr(const char* name, const Any& value) noexcept;
  /// The constructor that builds in place.
  void AddInit(InPlaceConstructor construct, const CallShape* shape, const CallSpec& spec) noexcept;
  /// The constructor from fields; made when the description ends.
  void AddFieldInit() noexcept { field_init_ = true; }
  /// Records a `__create__` that returns no object as a mistake; false for other names.
  bool MakesNothing(const char* name, const CallShape& shape) noexcept;
  /// Says which methods the class declares with TAIN_VIRTUAL (names, each with a NUL behind it) and
  /// which methods of all classes the library calls.
  void DeclareVirtuals(std::string_view names, const CalledVirtuals& called) noexcept;
  /// Records a def_virtual of a name that no TAIN_VIRTUAL declares as a mistake.
  void NotVirtual(const char* name) noexcept;
  /// Records a mistake.
  void Fault(const std::string& message) noexcept;

 private:
  const TainUnit* unit_;
  int32_t type_index_;
  const char* key_;
  bool field_init_ = false;
  bool open_ = false;
};

}  // namespace internal
}  // namespace tain

#define TAIN_INTERNAL_REGISTER_AS(id)                                                       \
  static void tain_register_##id();                                                         \
  [[maybe_unused]] static const bool tain_registered_##id =                                 \
      ::tain::internal::RunRegistration(::tain::internal::ThisUnit(), &tain_register_##id); \
  static void tain_register_##id()
#define TAIN_INTERNAL_REGISTER(id) TAIN_INTERNAL_REGISTER_AS(id)

/// A block of registrations that runs when the library is loaded: TAIN_REGISTER {
/// ObjectDef<T>()...; }
#define TAIN_REGISTER TAIN_INTERNAL_REGISTER(__COUNTER__)
/// The same in the spelling of code that was written for the two-class form.
#define TAIN_STATIC_INIT_BLOCK() TAIN_REGISTER
