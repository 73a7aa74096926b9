// SPDX-License-Identifier: Apache-2.0
// Makes and copies objects of types that the ABI's functions alone described, by their attributes.
#include "registry/foreign_type.h"

#include <string_view>

#include "base/guard.h"
#include "registry/registration.h"
#include "registry/type_column.h"

namespace tain::internal {
namespace {

TypeColumn new_column{"__ffi_new__"};
TypeColumn copy_column{"__ffi_shallow_copy__"};

std::string_view KeyOf(const TainTypeRecord& record) { return View(record.info->type_key); }

/// Returns the Function in an attribute, or null.
TainObject* FunctionIn(TypeColumn& column, const TainTypeRecord& record) noexcept {
  const TainAny* value = column.Find(record.info->type_index);
  return value == nullptr || value->type_index != kTainFunction ? nullptr : value->v_obj;
}

/// Checks that a result is an object of the type.
Any ForeignResult(const TainTypeRecord& record, const char* where, Any made) {
  if (made.type_index() >= kTainStaticObjectBegin &&
      TainTypeIsInstance(made.type_index(), record.info->type_index) != 0) {
    return made;
  }
  TAIN_THROW(TypeError) << KeyOf(record) << ": " << where << " returned " << TypeNameOf(made.data())
                        << ", expected " << KeyOf(record);
}

Any CallForeign(TainObject* function, const TainAny* args, int32_t num_args) {
  TainAny result{};
  ThrowIfFailed(TainFunctionCall(function, args, num_args, &result));
  return Any::Steal(result);
}

/// Returns the creator that the metadata names, or null.
TainObjectCreator CreatorOf(const TainTypeRecord& record) noexcept {
  const TainTypeMetadata* metadata = record.info->metadata;
  return metadata == nullptr ? nullptr : metadata->creator;
}

void DeleteMarker(void*, int) {}

/// An object without content. It is static and never freed.
struct Marker {
  TainObjectPrefix prefix{};
  TainObject header{kBothOne, kTainObject, kTainHeaderHasPrefix, &DeleteMarker};
};
Marker kwargs_marker;
Marker invalid_marker;

Any ShareMarker(Marker& marker) { return Any(AnyView(ViewOfObject(&marker.header))); }

const int registered =
    SetGlobalFunction("ffi.GetKwargsObject", [] { return ShareMarker(kwargs_marker); }) +
    SetGlobalFunction("ffi.GetInvalidObject", [] { return ShareMarker(invalid_marker); });

}  // namespace

int SetGlobalFunction(const char* name, const Function& function) {
  const TainByteArray text = Bytes(name);
  return TainFunctionSetGlobal(&text, RefAccess::Header(function), 0);
}

std::optional<Any> MakeForeignDefault(const TainTypeRecord& record) {
  if (TainObject* make = FunctionIn(new_column, record)) {
    return ForeignResult(record, "__ffi_new__", CallForeign(make, nullptr, 0));
  }
  const TainObjectCreator creator = CreatorOf(record);
  if (creator == nullptr) return std::nullopt;
  TainObject* made = nullptr;
  ThrowIfFailed(creator(&made));
  return ForeignResult(record, "the creator", Any::Steal(ViewOfObjectOrNone(made)));
}

std::optional<Any> MakeForeignCopy(const TainTypeRecord& record, const TainObject* source) {
  TainObject* copy = FunctionIn(copy_column, record);
  if (copy == nullptr) return std::nullopt;
  const TainAny value = ViewOfObject(source);  // a borrowed argument
  return ForeignResult(record, "__ffi_shallow_copy__", CallForeign(copy, &value, 1));
}

TainObject* KeywordArgumentsMarker() noexcept { return &kwargs_marker.header; }

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainTypeHasDefault(int32_t type_index) noexcept {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr) return 0;
  return record->def.construct_default != nullptr || FunctionIn(new_column, *record) != nullptr ||
                 CreatorOf(*record) != nullptr
             ? 1
             : 0;
}
