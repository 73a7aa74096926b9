// SPDX-License-Identifier: Apache-2.0
// TypeBuilder, the part of ObjectDef that is no template: members go to the type table, mistakes to
// the unit.
#include <algorithm>
#include <string>

#include "registry/array_results.h"
#include "registry/field_init.h"
#include "registry/function_record.h"
#include "registry/keep_alive.h"
#include "registry/member_writer.h"
#include "registry/object_maker.h"
#include "registry/overloads.h"
#include "registry/registration.h"
#include "registry/thread_rules.h"
#include "registry/type_chain.h"
#include "registry/unit.h"
#include "tain/container/array.h"
#include "tain/internal/type_builder.h"

namespace tain::internal {
namespace {

/// The function of def_init: allocates memory, runs the constructor in place, and makes the header.
class InitFunction : public FunctionObj {
 public:
  InitFunction(const TainTypeRecord& record, InPlaceConstructor construct)
      : maker_(record), construct_(construct) {
    body.cell.safe_call = &SafeCall;
  }

 private:
  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    const auto* init =
        static_cast<InitFunction*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    const auto construct = [&](void* memory) {
      return init->construct_(memory, init->body.info, args, num_args);
    };
    return init->maker_.Make(construct, result);
  }

  ObjectMaker maker_;
  InPlaceConstructor construct_;
};

std::string PlaceOfMember(const char* key, const char* name) {
  return std::string(key) + "." + (name == nullptr ? "" : name);
}

/// Returns a Function for a method whose first parameter is the receiver. A Function has one info,
/// so a Function that was registered by itself gets another Function around it. Other Functions are
/// returned unchanged.
Function WithOwnReceiver(Function function, const TainFunctionInfo& method) {
  const TainFunctionInfo* known = TainFunctionGetInfo(RefAccess::Header(function));
  if (known == nullptr || (known->flags & kTainCallMethod) != 0) return function;
  TainFunctionInfo info = *known;
  info.name = method.name;
  if (method.doc.size != 0) info.doc = method.doc;
  info.flags |= method.flags & ~int32_t{kTainCallPacked};
  if (info.num_overloads != 0) {  // its overloads handle this themselves
    info.flags = (info.flags & ~int32_t{kTainCallOverloaded}) | kTainCallPacked;
    info.exact = nullptr;
  }
  if (info.num_args > 0) {
    ++info.args;
    --info.num_args;
  }
  Function made = Function::FromPacked(
      [function = std::move(function)](Args args) { return function.CallPacked(args); });
  ThrowIfFailed(TainFunctionSetInfo(RefAccess::Header(made), &info));
  return made;
}

/// Returns the own method of a type by its name; null if there is none.
const TainMethodDef* FindMethod(int32_t type_index, std::string_view name) noexcept {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  return record == nullptr ? nullptr : OwnMethod(*record, name);
}

/// All of a field's record that its shape says.
TainFieldDef FieldDefOf(const FieldShape& shape) {
  TainFieldDef def{};
  def.info.flags = shape.is_const ? int64_t{kTainFieldNoInit} : 0;
  def.info.size = shape.size;
  def.info.alignment = shape.alignment;
  def.info.getter = shape.get;
  def.info.setter = reinterpret_cast<void*>(shape.set);  // the ABI's word
  def.kind = shape.kind;
  def.access = shape.access;
  def.is_enum = shape.is_enum;
  def.object_type_index = shape.object_type == nullptr ? 0 : shape.object_type();
  def.visit_edges = shape.visit_edges;
  def.clear_edges = shape.clear_edges;
  return def;
}

/// Returns the record of a method with an overloaded function in place of its function.
TainMethodDef OverloadedDef(const TainMethodDef& known, const Function& function) {
  TainMethodDef def = known;
  def.info.metadata = {};
  def.info.doc = TainFunctionGetInfo(RefAccess::Header(function))->doc;
  TypeTraits<Function>::CopyToAnyView(function, &def.info.method);
  return def;
}

/// Throws if a default does not fulfil the field's conditions.
void CheckDefault(const FieldSpec& spec, const FieldConditions& conditions,
                  const std::string& where) {
  const bool is_value =
      (spec.flags & kTainFieldHasDefault) != 0 && (spec.flags & kTainFieldDefaultFactory) == 0;
  if (!is_value) return;
  try {
    conditions.setter(static_cast<void*>(nullptr), spec.default_value);
  } catch (const Error& error) {
    throw Error(error.kind(), where + ": the default: " + error.message());
  }
}

}  // namespace

void DefineConstructor(int32_t type_index, const Function& function, InPlaceConstructor construct,
                       const char* doc, bool overloads) {
  if (const TainMethodDef* known = overloads ? FindMethod(type_index, "__create__") : nullptr) {
    const TainTypeRecord* type = TainGetTypeRecord(type_index);
    const Function both = MakeOverloaded({known->info.method.v_obj, type->def.construct},
                                         {RefAccess::Header(function), construct});
    ThrowIfFailed(ReplaceMethod(type_index, OverloadedDef(*known, both)));
    ThrowIfFailed(ReplaceConstructor(type_index, both, OverloadedConstructor(both)));
    return;
  }
  TainMethodDef def{};
  def.info.name = Bytes("__create__");
  def.info.doc = Bytes(doc);
  def.info.flags = kTainMethodStatic;
  TypeTraits<Function>::CopyToAnyView(function, &def.info.method);
  def.declaring_type = type_index;
  ThrowIfFailed(TainTypeDefMethod(type_index, &def));
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr || record->constructor != nullptr) return;  // a fault, recorded above
  ThrowIfFailed(TainTypeDefConstructor(type_index, RefAccess::Header(function), construct));
}

template <class F>
bool TypeBuilder::Describe(F&& part) noexcept {
  return !open_ || FaultsOf(unit_, key_, part);
}

TypeBuilder::TypeBuilder(const TainUnit* unit, int32_t type_index, const char* key) noexcept
    : unit_(unit), type_index_(type_index), key_(key), open_(TainUnitEnter(unit) == 0) {}

TypeBuilder::~TypeBuilder() {
  if (!open_) return;
  if (field_init_) {
    FaultsOf(unit_, key_, [&] { DefineFieldConstructor(type_index_, key_); });
  }
  TainUnitLeave(unit_);
}

void TypeBuilder::Fault(const std::string& message) noexcept {
  FaultsOf(unit_, key_, [&] { TAIN_THROW(ValueError) << message; });
}

void TypeBuilder::DeclareVirtuals(std::string_view names, const CalledVirtuals& called) noexcept {
  Describe([&] {
    const uint32_t key_hash = HashOfText(key_);
    for (; !names.empty(); names.remove_prefix(names.find('\0') + 1)) {
      const std::string_view name = names.substr(0, names.find('\0'));
      const uint32_t name_hash = HashOfText(name);
      if (std::any_of(called.begin, called.end, [&](const CalledVirtual& one) {
            return one.key == key_hash && one.name == name_hash;
          })) {
        NoteCalledVirtual(unit_, type_index_, name);
      }
    }
  });
}

void TypeBuilder::NotVirtual(const char* name) noexcept {
  Describe([&] {
    TAIN_THROW(TypeError) << PlaceOfMember(key_, name) << ": expected TAIN_VIRTUAL(" << name
                          << ") in the class for def_virtual, got none: C++ would never call an "
                          << "override";
  });
}

bool TypeBuilder::MakesNothing(const char* name, const CallShape& shape) noexcept {
  if (name == nullptr || std::string_view(name) != "__create__") return false;
  FaultsOf(unit_, key_, [&] {
    TAIN_THROW(TypeError) << key_ << ".__create__: expected a function that returns an object of "
                          << "the type, its result is " << shape.result();
  });
  return true;
}

void TypeBuilder::Open(const TainTypeDef& code, int64_t header_offset,
                       const TypeSpec& spec) noexcept {
  Describe([&] {
    TainTypeDef full = code;
    full.header_offset = header_offset;
    full.doc = Bytes(spec.doc);
    full.flags |= spec.flags;
    const bool boxed = (full.flags & kTainTypeBoxed) != 0;  // its own function raises the error
    if ((full.flags & kTainTypeNoCopy) != 0 && !boxed) full.copy = nullptr;
    CheckNotLate(type_index_);
    ThrowIfFailed(TainTypeDefine(type_index_, &full));
  });
}

void TypeBuilder::SetState(const TainTypeState& state) noexcept {
  Describe([&] { ThrowIfFailed(TainTypeDefState(type_index_, &state)); });
}

std::string RangeText(const Any& low, const Any& high) {
  const auto text = [](const Any& number) {
    TainAny out{};
    ThrowIfFailed(TainAnyRepr(&number.data(), &out));
    return Any::Steal(out).cast<std::string>();
  };
  return "from " + text(low) + " to " + text(high);
}

void TypeBuilder::AddField(const char* name, const FieldShape& shape, int64_t offset, int64_t flags,
                           const FieldSpec* spec, const FieldConditions* conditions) noexcept {
  Describe([&] {
    const std::string where = PlaceOfMember(key_, name);
    const std::string type_text = SpellType(shape.type, where);
    TainFieldDef def = FieldDefOf(shape);
    def.info.name = Bytes(name);
    def.info.offset = offset;
    def.info.flags |= flags | (TypeGivesArrays(type_index_) ? kTainFieldAsNumpy : 0);
    if (spec != nullptr) {
      def.info.doc = Bytes(spec->doc);
      def.info.flags |= spec->flags;
      def.info.default_value_or_factory = spec->default_value.data();
    }
    if (conditions != nullptr) {
      TainObject* setter = RefAccess::Header(conditions->setter);
      TainFunctionInfo info{};
      info.name = {where.data(), where.size()};
      info.doc = {conditions->text.data(), conditions->text.size()};
      ThrowIfFailed(TainFunctionSetInfo(setter, &info));
      def.info.setter = setter;
      def.info.flags |= kTainFieldSetterIsFunction;
      def.access |= kTainFieldChecked;
    }
    def.info.field_static_type_index = StaticIndexOf(def);
    def.type = {type_text.data(), type_text.size()};
    def.declaring_type = type_index_;
    ThrowIfFailed(TainTypeDefField(type_index_, &def));
    if (conditions != nullptr) CheckDefault(*spec, *conditions, where);
  });
}

void TypeBuilder::AddPlainMethod(const char* name, const PlainCallable& callable, const void* bytes,
                                 bool is_static, int32_t flags, const CallSpec* spec) noexcept {
  Describe([&] {
    AddMethod(name, Function(MakePlainClosure(callable.closure, bytes)), &callable.shape, is_static,
              flags, spec);
  });
}

void TypeBuilder::AddFields(const FieldRow* rows, size_t count, int64_t header_offset) noexcept {
  FieldSpec spec;
  for (size_t i = 0; i < count; ++i) {
    spec.doc = rows[i].doc;
    AddField(rows[i].name, *rows[i].shape, rows[i].offset - header_offset, rows[i].flags, &spec);
  }
}

void TypeBuilder::AddMethods(const MethodRow* rows, size_t count) noexcept {
  for (size_t i = 0; i < count; ++i) {
    FaultsOf(unit_, key_, [&] {
      CallSpec spec;
      spec.Add(rows[i].spec);
      AddPlainMethod(rows[i].name, *rows[i].callable, rows[i].bytes, rows[i].is_static, 0, &spec);
    });
  }
}

void TypeBuilder::AddMethod(const char* name, Function function, const CallShape* shape,
                            bool is_static, int32_t flags, const CallSpec* said) noexcept {
  const CallSpec& spec = SpecOf(said);
  const bool done = Describe([&] {
    const bool constructs = is_static && name != nullptr && std::string_view(name) == "__create__";
    // Messages about a constructor name the class.
    FunctionRecord record(constructs ? std::string(key_) : PlaceOfMember(key_, name), shape, spec,
                          !is_static);
    record.info().flags |= flags | (constructs ? kTainCallConstructor : 0) |
                           (TypeGivesArrays(type_index_) ? kTainCallAsNumpy : 0);
    AddThreadFlagsOfType(type_index_, &record.info().flags);
    TAIN_CHECK(function.defined()) << "the function is null";
    if (shape == nullptr && !is_static)
      function = WithOwnReceiver(std::move(function), record.info());
    function = record.SetInfoOf(function);
    if (constructs) return DefineConstructor(type_index_, function, nullptr, spec.doc, true);
    if (const TainMethodDef* known = FindMethod(type_index_, name == nullptr ? "" : name)) {
      const Function both = MakeOverloaded({known->info.method.v_obj, nullptr},
                                           {RefAccess::Header(function), nullptr});
      ThrowIfFailed(ReplaceMethod(type_index_, OverloadedDef(*known, both)));
      return;
    }
    TainMethodDef def{};
    def.info.name = Bytes(name);
    const TainFunctionInfo* call = TainFunctionGetInfo(RefAccess::Header(function));
    def.info.doc = *spec.doc != '\0' || call == nullptr ? Bytes(spec.doc) : call->doc;
    def.info.flags = is_static ? kTainMethodStatic : 0;
    TypeTraits<Function>::CopyToAnyView(function, &def.info.method);
    def.declaring_type = type_index_;
    ThrowIfFailed(TainTypeDefMethod(type_index_, &def));
  });
  if (!done) NoteRefusedMember(unit_, type_index_, name);
}

void TypeBuilder::AddProperty(const char* name, const Function& getter, const Function& setter,
                              std::string (*type)(), const PropertySpec& spec,
                              int32_t flags) noexcept {
  const bool done = Describe([&] {
    const std::string where = PlaceOfMember(key_, name);
    const std::string type_text = SpellType(type, where);
    const TainByteArray type_bytes{type_text.data(), type_text.size()};
    TainFunctionInfo info{};
    info.name = {where.data(), where.size()};
    info.doc = Bytes(spec.doc);
    info.return_type = type_bytes;
    info.flags = kTainCallMethod | flags | spec.flags |
                 (TypeGivesArrays(type_index_) ? kTainCallAsNumpy : 0);
    AddThreadFlagsOfType(type_index_, &info.flags);
    info.keeps = KeptOfProperty(spec.keeps, where, 1, setter.defined());
    const Function get = WithInfo(getter, info);
    Function set;
    if (setter.defined()) {
      TainArgInfo value{};  // without a name: messages begin `geometry.Point.x: expected float`
      value.name = Bytes("");
      value.type = type_bytes;
      info.flags &= ~int32_t{kTainCallAsNumpy};
      info.return_type = Bytes("None");
      info.args = &value;
      info.num_args = 1;
      info.keeps = KeptOfProperty(spec.keeps, where, 2, true);
      set = WithInfo(setter, info);
    }
    const TainFunctionInfo* getter_info = TainFunctionGetInfo(RefAccess::Header(get));
    TainPropertyDef def{};
    def.name = Bytes(name);
    def.doc = Bytes(spec.doc);
    def.type = getter_info->return_type;
    def.getter = RefAccess::Header(get);
    def.setter = RefAccess::Header(set);
    def.declaring_type = type_index_;
    ThrowIfFailed(TainTypeDefProperty(type_index_, &def));
  });
  if (!done) NoteRefusedMember(unit_, type_index_, name);
}

void TypeBuilder::AddConstant(const char* name, const Any& value, const char* doc) noexcept {
  Describe([&] {
    const TainConstantDef def{Bytes(name), Bytes(doc), value.data()};
    ThrowIfFailed(TainTypeDefConstant(type_index_, &def));
  });
}

void TypeBuilder::AddTypeAttr(const char* name, const Any& value) noexcept {
  Describe([&] {
    const TainByteArray name_bytes = Bytes(name);
    ThrowIfFailed(TainTypeRegisterAttr(type_index_, &name_bytes, &value.data()));
  });
}

void TypeBuilder::AddSkipped(std::span<const Skipped> skipped, bool is_strict) noexcept {
  Describe([&] {
    Array<String> texts;
    for (const Skipped& one : skipped) {
      texts.push_back(one.name);
      texts.push_back(one.why);
    }
    AddTypeAttr("__tain_skipped__", texts);
    if (is_strict) AddTypeAttr("__tain_strict__", true);
  });
}

void TypeBuilder::AddInit(InPlaceConstructor construct, const CallShape& shape,
                          const CallSpec* said) noexcept {
  const CallSpec& spec = SpecOf(said);
  Describe([&] {
    const TainTypeRecord* type_record = TainGetTypeRecord(type_index_);
    if (type_record == nullptr || (type_record->def.flags & kTainTypeDefined) == 0) return;
    const Function function(
        ObjectPtr<FunctionObj>(make_object<InitFunction>(*type_record, construct)));
    FunctionRecord record(key_, &shape, spec, false);
    record.info().return_type = Bytes(key_);
    record.info().flags |= kTainCallConstructor;
    AddThreadFlagsOfType(type_index_, &record.info().flags);
    // One that builds in place has no object yet that could keep others.
    DefineConstructor(type_index_, record.SetInfoOf(function),
                      spec.keeps == 0 ? construct : nullptr, spec.doc, true);
  });
}

}  // namespace tain::internal
