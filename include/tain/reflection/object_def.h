// SPDX-License-Identifier: Apache-2.0
// ObjectDef<T>: the description of a type, from which Python gets its class.
//
//   ObjectDef<PointObj>("A point in the plane.")
//       .def_rw("x", &PointObj::x, "abscissa")
//       .def_init<double, double>(arg("x"), arg("y") = 0.0)
//       .def("norm", &PointObj::norm, "Euclidean length");
// Each member function spells types and forwards: the work is TypeBuilder's, in libtain. Mistakes
// that only show at run time (a name twice, a default of the wrong type) are collected and raised
// by the load as one ImportError.
#pragma once

#include <concepts>

#include "tain/internal/edges.h"
#include "tain/object_ref_macros.h"
#include "tain/reflection/registry.h"

namespace tain {
namespace internal {

/// A type opts out of copying with `static constexpr bool _type_copyable = false`.
template <class T>
constexpr bool MayCopy() {
  if constexpr (requires { T::_type_copyable; }) {
    return T::_type_copyable && std::is_copy_constructible_v<T>;
  } else {
    return std::is_copy_constructible_v<T>;
  }
}
/// A type opts out of assignable fields with `static constexpr bool _type_mutable = false`.
template <class T>
constexpr bool MayMutate() {
  if constexpr (requires { T::_type_mutable; }) {
    return T::_type_mutable;
  } else {
    return true;
  }
}

/// Getter and setter of a field of type M anywhere in memory.
template <class M>
struct FieldAccess {
  static int Get(void* field, TainAny* result) noexcept {
    try {
      TypeTraits<M>::MoveToAny(*static_cast<const M*>(field), result);
      return 0;
    } catch (...) {
      return TainErrorSetFromException();
    }
  }
  static int Set(void* field, const TainAny* value) noexcept {
    try {
      *static_cast<M*>(field) = CastOrThrow<M>(*value);
      return 0;
    } catch (...) {
      return TainErrorSetFromException();
    }
  }
};
template <class M>
struct FieldAccess<const M> : FieldAccess<M> {
  static int Set(void*, const TainAny*) noexcept {
    TainErrorSetRaisedFromCStr("AttributeError", "the field is const");
    return -1;
  }
};

/// Whether P, the first parameter of a function registered as a method, can take a T.
template <class P, class T>
inline constexpr bool kTakesReceiver =
    std::is_convertible_v<T&, P> || std::is_convertible_v<T*, P> ||
    std::is_same_v<std::decay_t<P>, AnyView> || std::is_same_v<std::decay_t<P>, Any> ||
    std::is_same_v<std::decay_t<P>, Args> ||
    requires(T* object) { std::decay_t<P>(ObjectPtr<T>(object)); };

template <class Sig, class T>
inline constexpr bool kIsMethodOf = false;
template <class R, class First, class... P, class T>
inline constexpr bool kIsMethodOf<Signature<R, First, P...>, T> = kTakesReceiver<First, T>;

/// What a method of T is made of.
template <class T, class D>
struct MethodCall {
  using Type = D;
};
template <class T, IsMember D>
struct MethodCall<T, D> {
  using Type = MemberCall<T, D>;
};
/// Whether a member function is one of T or its bases; true for other callables.
template <class T, class D>
inline constexpr bool kIsOwnMember = true;
template <class T, IsMember D>
inline constexpr bool kIsOwnMember<T, D> = std::is_base_of_v<typename MemberSignature<D>::Class, T>;

/// The signature of a callable as a method of T.
template <class T, class F>
using MethodSignature =
    SignatureOf<std::conditional_t<kIsOwnMember<T, std::decay_t<F>>,
                                   typename MethodCall<T, std::decay_t<F>>::Type, void (*)()>>;
template <class T, class F>
inline constexpr bool kGoodMethod =
    kIsOwnMember<T, std::decay_t<F>> && kGoodSignature<MethodSignature<T, F>> &&
    kIsMethodOf<MethodSignature<T, F>, T>;

/// Says why a callable with a good signature is no method of T.
template <class T, class F, class Sig>
struct ReceiverErrors {
  static_assert(
      kIsOwnMember<T, std::decay_t<F>>,
      "def: this is a member function of another class, not of ObjectDef's class or its bases");
  static_assert(!kIsOwnMember<T, std::decay_t<F>> || kIsMethodOf<Sig, T>,
                "def: the first parameter of a method must take the object: T&, const T&, T* or "
                "tain::Ref<T>; use def_static for a function without it");
};

/// Says why a callable is no method of T.
template <class T, class F, class Sig = MethodSignature<T, F>>
using MethodErrors =
    std::conditional_t<kGoodSignature<Sig>, ReceiverErrors<T, F, Sig>, SignatureErrors<Sig, F>>;

/// Whether a method takes the object and so many values.
template <class T, class F, int kValues, class Sig = MethodSignature<T, F>>
inline constexpr bool kTakesValues = Sig::kNumParams == kValues + 1 || SignatureTools<Sig>::kRest;

/// Says why W is no member that a field can be made of.
template <class W>
struct FieldErrors {
  static constexpr bool kData = std::is_pointer_v<W> && !kIsPlainFunction<W>;
  static_assert(!kData,
                "def_ro/def_rw: a static member belongs to no object: use def_attr for a constant, "
                "def_static for a function that reads it");
  static_assert(kData,
                "def_ro/def_rw: this is no data member: use def_property for what a function "
                "computes, def_attr for a constant");
};

/// Whether no result R is ever an object of T.
template <class T, class R>
constexpr bool NeverMakes() {
  using D = std::decay_t<R>;
  if constexpr (requires { typename TypeTraits<D>::Container; }) {
    using C = typename TypeTraits<D>::Container;
    return !std::is_base_of_v<C, T> && !std::is_base_of_v<T, C>;
  } else {
    return std::is_void_v<D> || std::is_arithmetic_v<D> || std::is_enum_v<D> ||
           std::is_convertible_v<D, std::string_view>;
  }
}

/// A callable as a method of T.
template <class T, class F>
auto AsMethod(F&& f) {
  return typename MethodCall<T, std::decay_t<F>>::Type{std::forward<F>(f)};
}

/// Index and key of T, if it is a class that ObjectDef can describe.
template <class T>
concept Described = IsObject<T> && (std::is_same_v<T, Object> ||
                                    requires { requires std::same_as<typename T::_type_self, T>; });
template <class T>
int32_t DescribedIndex() noexcept {
  if constexpr (Described<T>) return T::RuntimeTypeIndex();
  return kTainNone;
}
template <class T>
const char* DescribedKey() noexcept {
  if constexpr (Described<T>) return T::_type_key;
  return "";
}

template <class T, class... A>
struct InPlace {
  void* body;
  void operator()(A... args) { ::new (body) T(static_cast<A&&>(args)...); }
};

template <class T, class... A>
int ConstructInPlace(void* body, const TainFunctionInfo* info, const TainAny* args,
                     int32_t num_args) noexcept {
  try {
    InPlace<T, A...> build{body};
    TainAny result{};
    SignatureTools<Signature<void, A...>>::Invoke::Call(build, info, args, num_args, &result);
    return 0;
  } catch (...) {
    return TainErrorSetFromException();
  }
}

template <class T>
TainTypeDef MakeTypeDef() noexcept {
  TainTypeDef def{};
  def.header_offset = HeaderOffset<T>();
  def.destroy = [](void* body, const TainTypeRecord*) { static_cast<T*>(body)->T::~T(); };
  def.deleter = &DeleteObject<T>;
  if constexpr (std::is_abstract_v<T>) {
    def.flags |= kTainTypeAbstract;
  } else {
    if constexpr (std::is_default_constructible_v<T>) {
      def.construct_default = [](void* body, const TainTypeRecord*) {
        try {
          ::new (body) T();
          return 0;
        } catch (...) {
          return TainErrorSetFromException();
        }
      };
    }
    if constexpr (MayCopy<T>()) {
      def.copy = [](void* body, const void* source, const TainTypeRecord*) {
        try {
          ::new (body) T(*static_cast<const T*>(source));
          return 0;
        } catch (...) {
          return TainErrorSetFromException();
        }
      };
    }
  }
  return def;
}

}  // namespace internal

namespace reflection {

/// Describes T. Ends with the full expression.
template <class T>
class ObjectDef : private internal::TypeBuilder {
  static_assert(std::is_base_of_v<Object, T>, "ObjectDef<T>: T must derive from tain::Object");
  static_assert(!internal::IsObject<T> || internal::Described<T>,
                "ObjectDef<T>: T has no TAIN_OBJECT(key, T, Parent) of its own");

 public:
  template <class... Extra>
  explicit ObjectDef(Extra&&... extra) noexcept
      : TypeBuilder(internal::ThisUnit(), internal::DescribedIndex<T>(),
                    internal::DescribedKey<T>()) {
    static_assert(internal::Accepts<internal::TypeSpec, Extra...>,
                  "ObjectDef: its arguments are documentation, eq(), order(), value_hash(), "
                  "frozen() and final_()");
    if constexpr (internal::Described<T> && internal::Accepts<internal::TypeSpec, Extra...>) {
      internal::TypeSpec spec;
      (spec.Add(std::forward<Extra>(extra)), ...);
      Open(internal::MakeTypeDef<T>(), spec);
      if constexpr (internal::HasOwnKey<T>) {
        constexpr const auto& kNames = internal::kVirtualText<T>;
        if constexpr (!kNames.empty()) {
          DeclareVirtuals({kNames.data(), kNames.size()}, internal::AllCalledVirtuals());
        }
      }
    }
  }

  /// A field that Python can read.
  template <class M, class C, class... Extra>
  ObjectDef& def_ro(const char* name, M C::* member, Extra&&... extra) {
    return Field(name, member, 0, std::forward<Extra>(extra)...);
  }
  template <class W, class... Extra>
    requires(!std::is_member_pointer_v<std::decay_t<W>>)
  ObjectDef& def_ro(const char*, W&&, Extra&&...) {  // says why not
    (void)sizeof(internal::FieldErrors<std::decay_t<W>>);
    return *this;
  }
  /// A field that Python can read and assign.
  template <class M, class C, class... Extra>
  ObjectDef& def_rw(const char* name, M C::* member, Extra&&... extra) {
    static_assert(!std::is_const_v<M>, "def_rw: the member is const: use def_ro");
    static_assert(internal::MayMutate<T>(),
                  "def_rw: the class says _type_mutable = false: use def_ro");
    return Field(name, member, kTainFieldWritable, std::forward<Extra>(extra)...);
  }
  template <class W, class... Extra>
    requires(!std::is_member_pointer_v<std::decay_t<W>>)
  ObjectDef& def_rw(const char*, W&&, Extra&&...) {  // says why not
    (void)sizeof(internal::FieldErrors<std::decay_t<W>>);
    return *this;
  }
  /// A property computed by a function of the object.
  template <class G>
  ObjectDef& def_property(const char* name, G&& getter, const char* doc = "") {
    return Property(name, 0, doc, std::forward<G>(getter));
  }
  /// A property with a setter.
  template <class G, class S>
    requires(!std::is_convertible_v<S, const char*>)
  ObjectDef& def_property(const char* name, G&& getter, S&& setter, const char* doc = "") {
    static_assert(internal::MayMutate<T>(),
                  "def_property: the class says _type_mutable = false: give no setter");
    return Property(name, 0, doc, std::forward<G>(getter), std::forward<S>(setter));
  }
  /// A property that a Python subclass may override for C++ callers too: see TAIN_VIRTUAL.
  template <class G>
  ObjectDef& def_virtual_property(const char* name, G&& getter, const char* doc = "") {
    CheckVirtual<G>(name);
    return Property(name, kTainCallVirtual, doc, std::forward<G>(getter));
  }
  /// The same with a setter.
  template <class G, class S>
    requires(!std::is_convertible_v<S, const char*>)
  ObjectDef& def_virtual_property(const char* name, G&& getter, S&& setter, const char* doc = "") {
    static_assert(internal::MayMutate<T>(),
                  "def_virtual_property: the class says _type_mutable = false: give no setter");
    CheckVirtual<G>(name);
    return Property(name, kTainCallVirtual, doc, std::forward<G>(getter), std::forward<S>(setter));
  }
  /// A method: a member function, or a function whose first parameter takes the object. Operators
  /// go under their Python names: "__add__". A tain::Function that is there already is called with
  /// the object first. A second `def` of one name adds an overload.
  template <class F, class... Extra>
  ObjectDef& def(const char* name, F&& f, Extra&&... extra) {
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      AddMethod(name, f, nullptr, Collect<internal::CallSpec>(std::forward<Extra>(extra)...), false,
                0);
    } else if constexpr (!internal::kGoodMethod<T, F>) {
      (void)sizeof(internal::MethodErrors<T, F>);
    } else {
      Method(name, std::forward<F>(f), 0, std::forward<Extra>(extra)...);
    }
    return *this;
  }
  /// A method that a Python subclass may override for C++ callers too: see TAIN_VIRTUAL.
  template <class F, class... Extra>
  ObjectDef& def_virtual(const char* name, F&& f, Extra&&... extra) {
    if constexpr (!internal::kGoodMethod<T, F>) {
      (void)sizeof(internal::MethodErrors<T, F>);
    } else {
      CheckVirtual<F>(name);
      Method(name, std::forward<F>(f), kTainCallVirtual, std::forward<Extra>(extra)...);
    }
    return *this;
  }
  /// A static method. Under the name `__create__` it is also the constructor. A second one of one
  /// name is an overload.
  template <class F, class... Extra>
  ObjectDef& def_static(const char* name, F&& f, Extra&&... extra) {
    using Sig = internal::SignatureOf<std::decay_t<F>>;
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def_static(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      AddMethod(name, f, nullptr, Collect<internal::CallSpec>(std::forward<Extra>(extra)...), true,
                0);
    } else if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
    } else {
      const internal::CallSpec spec = Collect<internal::CallSpec>(std::forward<Extra>(extra)...);
      if constexpr (internal::NeverMakes<T, typename Sig::Result>()) {
        if (MakesNothing(name, internal::kShape<Sig>)) return *this;
      }
      AddMethod(name, Function::FromTyped(std::forward<F>(f)), &internal::kShape<Sig>, spec, true,
                0);
    }
    return *this;
  }
  /// The constructor T(A...); a second one is an overload.
  template <class... A, class... Extra>
  ObjectDef& def_init(Extra&&... extra) {
    static_assert(!std::is_abstract_v<T>, "def_init: the class has a pure virtual method");
    static_assert(std::is_abstract_v<T> || std::is_constructible_v<T, A...>,
                  "def_init<A...>: the class has no constructor that takes these types");
    using Sig = internal::Signature<void, A...>;
    if constexpr (std::is_constructible_v<T, A...>) {
      if constexpr (!internal::kGoodSignature<Sig>) {
        (void)sizeof(internal::SignatureErrors<Sig, void()>);
      } else {
        const internal::CallSpec spec = Collect<internal::CallSpec>(std::forward<Extra>(extra)...);
        AddInit(&internal::ConstructInPlace<T, A...>, &internal::kShape<Sig>, spec);
      }
    }
    return *this;
  }
  /// A keyword constructor from the fields; the class body's own initializers are the defaults.
  ObjectDef& def_init_fields() {
    static_assert(std::is_default_constructible_v<T>,
                  "def_init_fields: the class needs a default constructor");
    AddFieldInit();
    return *this;
  }
  /// A constant of the class.
  template <class V>
  ObjectDef& def_attr(const char* name, V&& value, const char* doc = "") {
    constexpr bool kCrosses = std::is_constructible_v<Any, V>;
    static_assert(kCrosses,
                  "def_attr: the value's type does not cross the border: give it a "
                  "tain::TypeTraits, or include tain/stl.h for standard containers");
    if constexpr (kCrosses) AddConstant(name, Any(std::forward<V>(value)), doc);
    return *this;
  }
  /// An attribute of the type in the table's columns, such as `__ffi_repr__`.
  template <class V>
  ObjectDef& def_type_attr(const char* name, V&& value) {
    constexpr bool kCrosses = std::is_constructible_v<Any, V>;
    static_assert(kCrosses,
                  "def_type_attr: the value's type does not cross the border: give it a "
                  "tain::TypeTraits, or include tain/stl.h for standard containers");
    if constexpr (kCrosses) AddTypeAttr(name, Any(std::forward<V>(value)));
    return *this;
  }

 private:
  /// A member of a class without a key may have its TAIN_VIRTUAL there, where nobody finds it.
  template <class F>
  void CheckVirtual(const char* name) noexcept {
    if constexpr (internal::IsMember<F>) {
      using Class = typename internal::MemberSignature<std::decay_t<F>>::Class;
      if constexpr (!internal::HasOwnKey<Class>) return;
    }
    if (name != nullptr && !internal::DeclaresVirtual<T>(name)) NotVirtual(name);
  }

  /// Collects what is said beside a function.
  template <class Spec, class... Extra>
  static Spec Collect(Extra&&... extra) {
    static_assert(
        internal::Accepts<Spec, Extra...>,
        "def: beside a function stand tain::arg, documentation, release_gil(), abstract() "
        "and final_()");
    Spec spec;
    if constexpr (internal::Accepts<Spec, Extra...>) {
      (spec.Add(std::forward<Extra>(extra)), ...);
    }
    return spec;
  }

  template <class M, class C, class... Extra>
  ObjectDef& Field(const char* name, M C::* member, int64_t flags, Extra&&... extra) {
    using V = std::remove_const_t<M>;
    constexpr bool kOwn = std::is_base_of_v<C, T>;
    constexpr bool kData = !std::is_function_v<M>;
    constexpr bool kSaid = internal::Accepts<internal::FieldSpec, Extra...>;
    static_assert(
        kData, "def_ro/def_rw: this is a member function: use def_property, or def for a method");
    static_assert(
        kOwn,
        "def_ro/def_rw: this is a member of another class, not of ObjectDef's class or its bases");
    static_assert(!kData || TypeTraits<V>::kCrosses,
                  "def_ro/def_rw: the field's type does not cross the border: give it a "
                  "tain::TypeTraits, use "
                  "def_property, or include tain/stl.h for standard containers");
    static_assert(kSaid,
                  "def_ro/def_rw: a field takes documentation, default_, default_factory and the "
                  "flags of fields");
    if constexpr (TypeTraits<V>::kCrosses && kOwn && kSaid) {
      static_assert(TypeTraits<V>::kStorable,
                    "def_ro/def_rw: the field is a view that owns nothing: use tain::String, "
                    "tain::Any or Ref");
      internal::FieldSpec spec;
      (spec.Add(std::forward<Extra>(extra)), ...);
      TainFieldDef def{};
      // A const member keeps what the constructor gave it.
      def.info.flags = flags | (std::is_const_v<M> ? int64_t{kTainFieldNoInit} : 0);
      def.info.size = sizeof(M);
      def.info.alignment = alignof(M);
      def.info.offset = Offset(member);
      def.info.getter = &internal::FieldAccess<M>::Get;
      def.info.setter = reinterpret_cast<void*>(&internal::FieldAccess<M>::Set);  // the ABI's word
      def.kind = TypeTraits<V>::kFieldKind;
      def.is_enum = TypeTraits<V>::kIsEnum;
      if constexpr (internal::FieldEdges<V>::kKnown) {
        def.visit_edges = &internal::FieldEdges<V>::Visit;
        def.clear_edges = &internal::FieldEdges<V>::Clear;
      }
      if constexpr (TypeTraits<V>::kFieldKind == kTainFieldObject) {
        def.access = (TypeTraits<V>::kDirectWrite ? kTainFieldDirectWrite : 0) |
                     (TypeTraits<V>::kNullable ? kTainFieldNullable : 0);
        def.object_type_index = TypeTraits<V>::Container::RuntimeTypeIndex();
      }
      AddField(name, def, &TypeTraits<V>::TypeStr, spec);
    }
    return *this;
  }

  /// The functions are the getter and, if there is one, the setter.
  template <class G, class... S>
  ObjectDef& Property(const char* name, int32_t flags, const char* doc, G&& getter, S&&... setter) {
    if constexpr (!internal::kGoodMethod<T, G>) {
      (void)sizeof(internal::MethodErrors<T, G>);
    } else if constexpr (!(internal::kGoodMethod<T, S> && ...)) {
      (void)(sizeof(internal::MethodErrors<T, S>) + ... + 0);
    } else {
      static_assert(internal::kTakesValues<T, G, 0>,
                    "def_property: the getter takes the object and nothing else");
      static_assert((internal::kTakesValues<T, S, 1> && ...),
                    "def_property: the setter takes the object and the value");
      using Sig = internal::MethodSignature<T, G>;
      Function set;
      ((set = Function::Wrap(internal::AsMethod<T>(std::forward<S>(setter)))), ...);
      AddProperty(name, Function::Wrap(internal::AsMethod<T>(std::forward<G>(getter))), set,
                  internal::kShape<Sig>.result, doc, flags);
    }
    return *this;
  }

  template <class F, class... Extra>
  void Method(const char* name, F&& f, int32_t flags, Extra&&... extra) {
    const internal::CallSpec spec = Collect<internal::CallSpec>(std::forward<Extra>(extra)...);
    AddMethod(name, Function::Wrap(internal::AsMethod<T>(std::forward<F>(f))),
              &internal::kShape<internal::MethodSignature<T, F>>, spec, false, flags);
  }

  /// Bytes from the header to a member, found without an instance.
  template <class M, class C>
  static int64_t Offset(M C::* member) noexcept {
    alignas(T) static constexpr char probe[1] = {};
    T* body = reinterpret_cast<T*>(const_cast<char*>(probe));  // only addresses are used
    return reinterpret_cast<const char*>(&(body->*member)) -
           reinterpret_cast<const char*>(static_cast<Object*>(body));
  }
};

}  // namespace reflection
}  // namespace tain
