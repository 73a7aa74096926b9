// SPDX-License-Identifier: Apache-2.0
// ObjectDef<T>: describes a type, from which Python gets a class.
//
//   ObjectDef<PointObj>("A point in the plane.")
//       .def_rw("x", &PointObj::x, "abscissa")
//       .def_init<double, double>(arg("x"), arg("y") = 0.0)
//       .def("norm", &PointObj::norm, "Euclidean length");
// The member functions here only turn C++ types into data and call TypeBuilder in libtain. Mistakes
// that are found at run time (a duplicate name, a default of the wrong type) are collected, and the
// load raises them as one ImportError.
#pragma once

// First, so that fewer lines of a compile error say which header includes which.
#include "tain/internal/signature_checks.h"

#include "tain/internal/field_access.h"
#include "tain/internal/keep_alive.h"
#include "tain/internal/method_traits.h"
#include "tain/internal/type_def.h"
#include "tain/internal/type_state.h"
#include "tain/iterator.h"
#include "tain/object_ref_macros.h"
#include "tain/reflection/global_def.h"

namespace tain::internal {

template <class F>
struct BoxCode;  // boxed.h

/// Returns the TypeBuilder of an ObjectDef.
struct BuilderOf {
  template <class Def>
  static TypeBuilder& Get(Def& def) noexcept {
    return def;
  }
};

/// Whether the options of a type contain tain::no_copy(): then no copy is compiled, which fails for
/// a member such as std::vector<std::unique_ptr<X>>.
template <class... Extra>
inline constexpr bool kMayBeCopied = !(std::is_same_v<std::decay_t<Extra>, no_copy> || ...);

/// The types that ObjectDef<T> describes: the class with the members, the class of which its
/// constructors make objects, and the object of tain that these are. boxed.h specializes it.
template <class T>
struct DefinedClass {
  using Self = T;
  using Made = T;
  using Constructed = T;
  static constexpr bool kBoxed = false;

  template <class... Options>
  static int32_t Index(const Options&...) noexcept {
    return DescribedIndex<T>();
  }
  template <class... Options>
  static const char* Key(const Options&...) noexcept {
    return DescribedKey<T>();
  }
  template <class... Options>
  static constexpr bool Accepted() noexcept {
    return Described<T> && Accepts<TypeSpec, Options...>;
  }
  template <class... Options>
  static void AddTo(TypeSpec& spec, Options&&... options) {
    (spec.Add(std::forward<Options>(options)), ...);
  }
  /// Returns the place from which the offsets of fields are counted.
  static const char* Start(T* body) noexcept {
    return reinterpret_cast<const char*>(static_cast<Object*>(body));
  }
  static TainTypeState State() noexcept {
    TainTypeState state = StateOf<T>();
    state.origin = HeaderOffset<T>();
    return state;
  }
};

}  // namespace tain::internal

namespace tain::reflection {

/// Describes T. The description ends with the full expression. Arguments of the constructor are
/// documentation and flags of types (arg.h), for a Boxed<T> after the key.
template <class T>
class ObjectDef : private internal::TypeBuilder {
  static_assert(std::is_base_of_v<Object, T>, "ObjectDef<T>: T must derive from tain::Object");
  static_assert(!internal::IsObject<T> || internal::Described<T>,
                "ObjectDef<T>: T has no TAIN_OBJECT(key, T, Parent) of its own");

  using Class = internal::DefinedClass<T>;
  using Self = typename Class::Self;
  using Constructed = typename Class::Constructed;
  friend struct internal::BuilderOf;

 public:
  template <class... Extra>
  explicit ObjectDef(Extra&&... extra) noexcept
      : TypeBuilder(internal::ThisUnit(), Class::Index(extra...), Class::Key(extra...)) {
    static_assert(!internal::Described<T> || Class::template Accepted<Extra...>(),
                  "ObjectDef: its arguments are documentation, eq(), order(), value_hash(), "
                  "frozen(), final_(), destroy_without_gil(), transient(), no_copy(), "
                  "thread_safe(), lock_receiver(), as_numpy() and structural(kind); for a Boxed<T> "
                  "the key stands first");
    if constexpr (Class::template Accepted<Extra...>()) {
      internal::TypeSpec spec;
      Class::AddTo(spec, std::forward<Extra>(extra)...);
      spec.flags |= internal::StateFlagsOf<Self>();
      constexpr bool kCopies = internal::kMayBeCopied<Extra...>;
      Open(internal::kTypeDef<T, kCopies>, internal::HeaderOffset<T>(), spec);
      if constexpr (!std::is_abstract_v<typename Class::Constructed>) SetState(Class::State());
      if constexpr (!Class::kBoxed && internal::HasOwnKey<T>) {
        constexpr const auto& kNames = internal::kVirtualText<T>;
        if constexpr (!kNames.empty()) {
          DeclareVirtuals({kNames.data(), kNames.size()}, internal::AllCalledVirtuals());
        }
      }
      if constexpr (Class::kBoxed) {
        if constexpr (kCopies) {
          AddTypeAttr("__ffi_shallow_copy__", Function::Wrap(&Class::CopyBox));
        }
      }
    }
  }

  /// Adds a field that Python can read.
  template <class M, class C, class... Extra>
  ObjectDef& def_ro(const char* name, M C::* member, Extra... extra) {
    return Field(name, member, 0, std::forward<Extra>(extra)...);
  }
  template <class W, class... Extra>
    requires(!std::is_member_pointer_v<std::decay_t<W>>)
  ObjectDef& def_ro(const char*, W&&, Extra...) {  // explains the error
    (void)sizeof(internal::FieldErrors<std::decay_t<W>>);
    return *this;
  }
  /// Adds a field that Python can read and assign.
  template <class M, class C, class... Extra>
  ObjectDef& def_rw(const char* name, M C::* member, Extra... extra) {
    static_assert(!std::is_const_v<M>, "def_rw: the member is const: use def_ro");
    static_assert(std::is_const_v<M> || internal::FieldMayBeAssigned<M>(),
                  "def_rw: the member is a pointer, or of a boxed class that cannot be assigned: "
                  "use def_ro, or def_property with a setter");
    static_assert(internal::MayMutate<Self>(),
                  "def_rw: the class says _type_mutable = false: use def_ro");
    return Field(name, member, kTainFieldWritable, std::forward<Extra>(extra)...);
  }
  template <class W, class... Extra>
    requires(!std::is_member_pointer_v<std::decay_t<W>>)
  ObjectDef& def_rw(const char*, W&&, Extra...) {  // explains the error
    (void)sizeof(internal::FieldErrors<std::decay_t<W>>);
    return *this;
  }
  /// Adds a property: `(name, getter, options...)` or `(name, getter, setter, options...)`. The
  /// getter is a function of the object, the setter one of the object and the value. Without a
  /// setter the property is read-only. Options are documentation, release_gil(), thread_safe(), lenient(),
  /// no_keep_alive() and keep_alive<N, P>(), which are those of both functions; keep_alive is the
  /// setter's if it names the value (2).
  template <class G = internal::UseOverloadCast, class S = const char*, class... Extra>
  ObjectDef& def_property(const char* name, G&& getter, S&& setter_or_option = "", Extra... extra) {
    return AnyProperty(name, 0, std::forward<G>(getter), std::forward<S>(setter_or_option),
                       std::forward<Extra>(extra)...);
  }
  /// Adds a property that Python subclasses may override; C++ callers reach the override. It needs
  /// TAIN_VIRTUAL in the class. The arguments are those of def_property.
  template <class G = internal::UseOverloadCast, class S = const char*, class... Extra>
  ObjectDef& def_virtual_property(const char* name, G&& getter, S&& setter_or_option = "",
                                  Extra... extra) {
    CheckVirtual<G>(name);
    return AnyProperty(name, kTainCallVirtual, std::forward<G>(getter),
                       std::forward<S>(setter_or_option), std::forward<Extra>(extra)...);
  }
  /// Adds a method: a member function, or a function whose first parameter takes the object. An
  /// operator has its Python name: "__add__". An existing tain::Function gets the object as first
  /// argument. A second `def` of the same name adds an overload.
  template <class F = internal::UseOverloadCast, class... Extra>
  ObjectDef& def(const char* name, F&& f, Extra... extra) {
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      AddMethod(name, f, nullptr, false, 0, Said<Extra...>(std::forward<Extra>(extra)...).get());
    } else if constexpr (!internal::kGoodMethod<Self, F>) {
      (void)sizeof(internal::MethodErrors<Self, F>);
    } else {
      (void)sizeof(
          internal::KeepErrors<internal::kKeepsFit<internal::MethodSignature<Self, F>, Extra...>>);
      Method(name, std::forward<F>(f), 0, std::forward<Extra>(extra)...);
    }
    return *this;
  }
  /// Adds a method that Python subclasses may override; C++ callers reach the override. It needs
  /// TAIN_VIRTUAL in the class.
  template <class F = internal::UseTheImplFunction, class... Extra>
  ObjectDef& def_virtual(const char* name, F&& f, Extra... extra) {
    if constexpr (!internal::kGoodMethod<Self, F>) {
      (void)sizeof(internal::MethodErrors<Self, F>);
    } else {
      (void)sizeof(
          internal::KeepErrors<internal::kKeepsFit<internal::MethodSignature<Self, F>, Extra...>>);
      CheckVirtual<F>(name);
      Method(name, std::forward<F>(f), kTainCallVirtual, std::forward<Extra>(extra)...);
    }
    return *this;
  }
  /// Makes the objects iterable: `range` is a member, or a function of the object that returns a
  /// range. The range may change during an iteration.
  template <class G>
  ObjectDef& def_iter(G range, const char* doc = "") {
    const auto get = [range](Self& self) -> decltype(auto) {
      return internal::RangeOf(self, range);
    };
    if constexpr (Class::kBoxed) {
      return def("__iter__", [get](T& box) { return IterateOverBox(box, get); }, doc);
    } else {
      return def("__iter__", [get](T& self) { return internal::IterateOver(self, get); }, doc);
    }
  }
  /// Makes the objects iterable by their own begin() and end().
  ObjectDef& def_iter(const char* doc = "") {
    return def_iter([](Self& self) -> Self& { return self; }, doc);
  }
  /// Adds a static method. A static method named `__create__` is also the constructor. A second one
  /// of the same name is an overload.
  template <class F = internal::UseOverloadCast, class... Extra>
  ObjectDef& def_static(const char* name, F&& f, Extra... extra) {
    using Sig = internal::SignatureOf<std::decay_t<F>>;
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def_static(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      AddMethod(name, f, nullptr, true, 0, Said<Extra...>(std::forward<Extra>(extra)...).get());
    } else if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
    } else {
      if constexpr (internal::NeverMakes<T, typename Sig::Result>()) {
        if (MakesNothing(name, internal::kShape<Sig>)) return *this;
      }
      (void)sizeof(internal::KeepErrors<internal::kKeepsFit<Sig, Extra...>>);
      using Call = typename internal::FunctionCall<std::decay_t<F>>::Type;
      AddCallable(name, Call{std::forward<F>(f)}, true, 0, std::forward<Extra>(extra)...);
    }
    return *this;
  }
  /// Adds the constructor T(A...). A second constructor is an overload.
  template <class... A, class... Extra>
  ObjectDef& def_init(Extra... extra) {
    static_assert(!std::is_abstract_v<Constructed>,
                  "def_init: the class has a pure virtual method");
    static_assert(std::is_abstract_v<Constructed> || std::is_constructible_v<Constructed, A...>,
                  "def_init<A...>: the class has no constructor that takes these types; a member "
                  "tain::Ref<U> has no default: initialize it, or make it a tain::Ptr<U>");
    using Sig = internal::Signature<void, A...>;
    if constexpr (std::is_constructible_v<Constructed, A...>) {
      if constexpr (!internal::kGoodSignature<Sig>) {
        (void)sizeof(internal::SignatureErrors<Sig, void()>);
      } else {
        using Making = typename internal::MadeBy<Constructed, Sig>::Type;
        (void)sizeof(internal::KeepErrors<internal::kKeepsFit<Making, Extra...>>);
        AddInit(&internal::ConstructInPlace<typename Class::Made, A...>, internal::kShape<Sig>,
                Said<Extra...>(std::forward<Extra>(extra)...).get());
      }
    }
    return *this;
  }
  /// Adds a constructor whose last parameters have C++ default arguments. Full is its signature,
  /// each of Shorter that of a call with fewer arguments:
  ///   .def_init_with_defaults<void(double, double), void(double)>(arg("x"), arg("by").optional())
  template <class Full, class... Shorter, class... Extra>
  ObjectDef& def_init_with_defaults(Extra... extra) {
    using Sig = internal::SignatureOf<Full>;
    static_assert(!std::is_abstract_v<Constructed>,
                  "def_init: the class has a pure virtual method");
    static_assert((internal::kIsShorter<internal::SignatureOf<Shorter>, Sig> && ...),
                  "def_init_with_defaults: a shorter form takes the first parameters of the "
                  "constructor, and not all of them");
    if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, void()>);
    } else if constexpr (!std::is_abstract_v<Constructed>) {
      static constexpr internal::CallShape kShape =
          internal::WithOptional(internal::kShape<Sig>, static_cast<int32_t>(sizeof...(Shorter)));
      using Making = typename internal::MadeBy<Constructed, Sig>::Type;
      (void)sizeof(internal::KeepErrors<internal::kKeepsFit<Making, Extra...>>);
      AddInit(&internal::ConstructWithDefaults<typename Class::Made, Sig,
                                               internal::SignatureOf<Shorter>...>,
              kShape, Said<Extra...>(std::forward<Extra>(extra)...).get());
    }
    return *this;
  }
  /// Adds a constructor that takes the fields by keyword. The defaults are the member initializers
  /// of the C++ class.
  ObjectDef& def_init_fields() {
    // A bool, because compilers explain at length why a trait does not hold.
    constexpr bool kHasDefault = std::is_default_constructible_v<Constructed>;
    static_assert(kHasDefault,
                  "def_init_fields: the class needs a default constructor; a member "
                  "tain::Ref<U> has no default: initialize it, or make it a tain::Ptr<U>");
    AddFieldInit();
    return *this;
  }
  /// Adds a constant of the class.
  template <class V>
  ObjectDef& def_attr(const char* name, V&& value, const char* doc = "") {
    constexpr bool kCrosses = std::is_constructible_v<Any, V>;
    static_assert(kCrosses, "def_attr: the value's type" TAIN_INTERNAL_NOT_CROSSING);
    if constexpr (kCrosses) AddConstant(name, Any(std::forward<V>(value)), doc);
    return *this;
  }
  /// Sets an attribute of the type in the type table, such as `__ffi_repr__`.
  template <class V>
  ObjectDef& def_type_attr(const char* name, V&& value) {
    constexpr bool kCrosses = std::is_constructible_v<Any, V>;
    static_assert(kCrosses, "def_type_attr: the value's type" TAIN_INTERNAL_NOT_CROSSING);
    if constexpr (kCrosses) AddTypeAttr(name, Any(std::forward<V>(value)));
    return *this;
  }
  /// Lists members that the description leaves out, each with the reason: type_info(...).skipped.
  ObjectDef& def_skipped(std::initializer_list<internal::Skipped> members) {
    AddSkipped({members.begin(), members.size()}, internal::kIsStrict);
    return *this;
  }

 private:
  /// Records a mistake if no TAIN_VIRTUAL declares the name. Members of a class without a key are
  /// not checked: their TAIN_VIRTUAL is in that class, where it cannot be found.
  template <class F>
  void CheckVirtual(const char* name) noexcept {
    if constexpr (internal::IsMember<F>) {
      using Declaring = typename internal::MemberSignature<std::decay_t<F>>::Class;
      if constexpr (!internal::HasOwnKey<Declaring>) return;
    }
    if (name != nullptr && !internal::DeclaresVirtual<T>(name)) NotVirtual(name);
  }

  /// The options of a function.
  template <class... Extra>
  struct Said : internal::Collected<internal::CallSpec, Extra...> {
    using internal::Collected<internal::CallSpec, Extra...>::Collected;
    static_assert(
        internal::Accepts<internal::CallSpec, Extra...>,
        "def: after the function it takes tain::arg, documentation, release_gil(), thread_safe(), "
        "lock_receiver(), lenient(), abstract() and final_()");
  };

  template <class M, class C, class... Extra>
  ObjectDef& Field(const char* name, M C::* member, int64_t flags, Extra&&... extra) {
    using V = std::remove_const_t<M>;
    constexpr bool kOwn = std::is_base_of_v<C, Self>;
    constexpr bool kData = !std::is_function_v<M>;
    constexpr bool kSaid = internal::Accepts<internal::FieldSpec, Extra...>;
    static_assert(
        kData, "def_ro/def_rw: this is a member function: use def_property, or def for a method");
    static_assert(
        kOwn,
        "def_ro/def_rw: this is a member of another class, not of ObjectDef's class or its bases");
    constexpr bool kObject = internal::IsObject<V>;
    static_assert(!kObject,
                  "def_ro/def_rw: the member holds an object by value, which cannot be counted: "
                  "hold it as tain::Ref<U>, or as tain::Ptr<U>, which may be null");
    static_assert(!kData || kObject || TypeTraits<V>::kCrosses,
                  "def_ro/def_rw: the field's type does not cross the border: give it a "
                  "tain::TypeTraits, use "
                  "def_property, or include tain/stl.h for standard containers");
    static_assert(
        kSaid,
        "def_ro/def_rw: a field takes documentation, default_, default_factory and the "
        "flags of fields; release_gil(), thread_safe(), lenient() and keep_alive() are for "
        "functions, methods and def_property");
    if constexpr (TypeTraits<V>::kCrosses && kOwn && kSaid && !kObject) {
      static_assert(TypeTraits<V>::kStorable || TypeTraits<V>::kBorrows || internal::RefersTo<V>,
                    "def_ro/def_rw: the field is a view that owns nothing: use tain::String, "
                    "tain::Any or Ref");
      const internal::FieldShape* shape;
      if constexpr (Class::kBoxed || TypeTraits<V>::kBorrows || internal::RefersTo<V>) {
        shape = &internal::kPlacedShape<M, Class::kBoxed>;
      } else if constexpr (requires {
                             requires std::is_same_v<typename T::_type_only_of_tain, T>;
                           }) {
        shape = &internal::kCheckedShape<M>;
      } else {
        shape = &internal::kFieldShape<M>;
      }
      if constexpr ((internal::kIsCheck<std::remove_cvref_t<Extra>> || ...)) {
        AddChecked<M>(name, *shape, Offset(member), flags, extra...);
      } else {
        AddField(name, *shape, Offset(member), flags,
                 internal::Collected<internal::FieldSpec, Extra...>(std::forward<Extra>(extra)...)
                     .get());
      }
    }
    return *this;
  }

  template <class M, class... Extra>
  void AddChecked(const char* name, const internal::FieldShape& shape, int64_t offset,
                  int64_t flags, const Extra&... extra) {
    constexpr bool kConst = std::is_const_v<M>;
    static_assert(!kConst,
                  "check/range: the member is const, so only the constructor sets it: check the "
                  "value there");
    constexpr bool kFits = (internal::kFitsCheck<M, Extra> && ...);
    static_assert(kFits,
                  "check/range: the condition takes a value of the field's type and returns bool");
    if constexpr (!kConst && kFits) {
      internal::FieldSpec said;
      (said.Add(extra), ...);
      const internal::FieldConditions conditions =
          std::apply([&](const auto&... each) { return ConditionsOf<M>(shape.set, each...); },
                     std::tuple_cat(OnlyCheck(extra)...));
      AddField(name, shape, offset, flags, &said, &conditions);
    }
  }
  template <class Extra>
  static auto OnlyCheck(const Extra& extra) {
    if constexpr (internal::kIsCheck<Extra>) {
      return std::tuple<Extra>(extra);
    } else {
      return std::tuple<>();
    }
  }
  template <class M, class... F>
  static internal::FieldConditions ConditionsOf(TainFieldSetter set,
                                                const internal::FieldCheck<F>&... each) {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + each.text), ...);
    return {std::move(text),
            Function::FromPacked(internal::CheckedSetter<M, F...>{set, {each...}})};
  }

  /// Adds a property; S is its setter or its first option.
  template <class G, class S, class... Extra>
  ObjectDef& AnyProperty(const char* name, int32_t flags, G&& getter, S&& setter_or_option,
                         Extra&&... extra) {
    using internal::Accepts, internal::PropertySpec, internal::kIsOption;
    // Bools, because compilers explain at length why a concept does not hold.
    constexpr bool kOption = Accepts<PropertySpec, S>;
    constexpr bool kSaid = (kOption || !kIsOption<S>) && Accepts<PropertySpec, Extra...>;
    static_assert(kSaid,
                  "def_property: after getter and setter it takes documentation, release_gil(), "
                  "thread_safe(), lock_receiver(), lenient(), keep_alive(), no_keep_alive() and "
                  "as_numpy(); this flag is for other members");
    static_assert(!kSaid || kOption || internal::MayMutate<Self>(),
                  "def_property: the class says _type_mutable = false: give no setter");
    if constexpr (!kSaid) {
      return *this;
    } else if constexpr (kOption) {
      (void)sizeof(
          internal::KeepErrors<
              internal::kKeepsFitProperty<internal::MethodSignature<Self, G>, void, S, Extra...>>);
      const internal::Collected<PropertySpec, S, Extra...> said(std::forward<S>(setter_or_option),
                                                                std::forward<Extra>(extra)...);
      return Property(name, flags, *said.get(), std::forward<G>(getter));
    } else {
      (void)sizeof(
          internal::KeepErrors<internal::kKeepsFitProperty<
              internal::MethodSignature<Self, G>, internal::MethodSignature<Self, S>, Extra...>>);
      PropertySpec said;
      (said.Add(std::forward<Extra>(extra)), ...);
      return Property(name, flags, said, std::forward<G>(getter),
                      std::forward<S>(setter_or_option));
    }
  }

  /// Adds a property with a getter and at most one setter.
  template <class G, class... S>
  ObjectDef& Property(const char* name, int32_t flags, const internal::PropertySpec& said,
                      G&& getter, S&&... setter) {
    if constexpr (!internal::kGoodMethod<Self, G>) {
      (void)sizeof(internal::MethodErrors<Self, G>);
    } else if constexpr (!(internal::kGoodMethod<Self, S> && ...)) {
      (void)(sizeof(internal::MethodErrors<Self, S>) + ... + 0);
    } else {
      static_assert(internal::kTakesValues<Self, G, 0>,
                    "def_property: the getter takes the object and nothing else");
      static_assert((internal::kTakesValues<Self, S, 1> && ...),
                    "def_property: the setter takes the object and the value");
      using Sig = internal::MethodSignature<Self, G>;
      constexpr bool kTakesAway =
          (internal::SignatureTools<internal::MethodSignature<Self, S>>::kTakesAway || ...);
      if constexpr (kTakesAway) flags |= kTainCallTakesAway;
      Function set;
      ((set = Function::Wrap(internal::AsMethod<Self>(std::forward<S>(setter)))), ...);
      AddProperty(name, Function::Wrap(internal::AsMethod<Self>(std::forward<G>(getter))), set,
                  internal::kShape<Sig>.result, said, flags);
    }
    return *this;
  }

  template <class F, class... Extra>
  void Method(const char* name, F&& f, int32_t flags, Extra&&... extra) {
    AddCallable(name, internal::AsMethod<Self>(std::forward<F>(f)), false, flags,
                std::forward<Extra>(extra)...);
  }

  template <class Call, class... Extra>
  void AddCallable(const char* name, Call call, bool is_static, int32_t flags, Extra&&... extra) {
    const Said<Extra...> said(std::forward<Extra>(extra)...);
    if constexpr (internal::kIsPlainCallable<Call>) {
      AddPlainMethod(name, internal::kPlainCallable<Call>, &call, is_static, flags, said.get());
    } else {
      AddMethod(name, Function::Wrap(std::move(call)), &internal::kShapeOf<Call>, is_static, flags,
                said.get());
    }
  }

  /// Returns the bytes from the header, or from the target of a box, to a member, computed without
  /// an instance.
  template <class M, class C>
  static int64_t Offset(M C::* member) noexcept {
    // Only addresses are used. A real object would need memory, and a small one draws a warning.
    Self* body = reinterpret_cast<Self*>(uintptr_t{1} << 20);
    return reinterpret_cast<const char*>(&(body->*member)) - Class::Start(body);
  }
};

/// Fails to compile, and accepts every member, so that the compiler reports only this error.
template <class T>
  requires(std::is_base_of_v<Object, T> && !std::is_convertible_v<T*, Object*>)
class ObjectDef<T> {
 public:
  template <class... A>
  explicit ObjectDef(A&&...) noexcept {
    static_assert(!std::is_base_of_v<Object, T>,
                  "ObjectDef<T>: the base class of T must be public: struct T : tain::Object, or "
                  "class T : public tain::Object");
  }
#define TAIN_INTERNAL_ACCEPT(name)   \
  template <class... A, class... B>  \
  ObjectDef& name(B&&...) noexcept { \
    return *this;                    \
  }
  TAIN_INTERNAL_ACCEPT(def_ro)
  TAIN_INTERNAL_ACCEPT(def_rw)
  TAIN_INTERNAL_ACCEPT(def_property)
  TAIN_INTERNAL_ACCEPT(def_virtual_property)
  TAIN_INTERNAL_ACCEPT(def)
  TAIN_INTERNAL_ACCEPT(def_virtual)
  TAIN_INTERNAL_ACCEPT(def_iter)
  TAIN_INTERNAL_ACCEPT(def_static)
  TAIN_INTERNAL_ACCEPT(def_init)
  TAIN_INTERNAL_ACCEPT(def_init_with_defaults)
  TAIN_INTERNAL_ACCEPT(def_init_fields)
  TAIN_INTERNAL_ACCEPT(def_attr)
  TAIN_INTERNAL_ACCEPT(def_type_attr)
  TAIN_INTERNAL_ACCEPT(def_skipped)
#undef TAIN_INTERNAL_ACCEPT
};

}  // namespace tain::reflection

namespace tain::internal {
/// Registers a type without members.
template <class T>
void RegisterObjectType() {
  reflection::ObjectDef<T>();
}
}  // namespace tain::internal

/// Registers a type without members when the library is loaded.
#define TAIN_REGISTER_OBJECT_TYPE(TypeName)                                        \
  [[maybe_unused]] static const bool TAIN_CONCAT(tain_object_type_, __COUNTER__) = \
      ::tain::internal::RunRegistration(::tain::internal::ThisUnit(),              \
                                        &::tain::internal::RegisterObjectType<TypeName>)
