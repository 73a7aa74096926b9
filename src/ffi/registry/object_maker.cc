// SPDX-License-Identifier: Apache-2.0
// Makes objects from the record of their type; see object_maker.h.
#include "registry/object_maker.h"

#include "base/guard.h"
#include "memory/box_kept.h"
#include "registry/foreign_type.h"
#include "registry/type_chain.h"

namespace tain::internal {
namespace {

/// Runs `construct(body)`, which returns a code, in new memory.
template <class F>
Any MakeWith(const TainTypeRecord& record, F&& construct) {
  TainAny made{};
  ThrowIfFailed(ObjectMaker(record).Make(construct, &made));
  return Any::Steal(made);
}

}  // namespace

Any MakeDefault(const TainTypeRecord& record) {
  if (record.def.construct_default == nullptr) {
    if (std::optional<Any> made = MakeForeignDefault(record)) return *std::move(made);
    TAIN_THROW(TypeError) << View(record.info->type_key) << " has no default constructor";
  }
  return MakeWith(record, [&](void* body) { return record.def.construct_default(body, &record); });
}

void CheckMayCopy(const TainTypeRecord& record) {
  if ((record.def.flags & kTainTypeNoCopy) == 0) return;
  TAIN_THROW(TypeError) << View(record.info->type_key)
                        << " cannot be copied: its ObjectDef says tain::no_copy()";
}

Any MakeCopy(const TainTypeRecord& record, const TainObject* source) {
  CheckMayCopy(record);
  if (record.def.copy == nullptr) {
    if (std::optional<Any> made = MakeForeignCopy(record, source)) return *std::move(made);
  }
  if (record.def.copy == nullptr || record.def.deleter == nullptr || record.request.size == 0) {
    TAIN_THROW(TypeError) << View(record.info->type_key)
                          << " cannot be copied: its class has no copy constructor";
  }
  const char* from = reinterpret_cast<const char*>(source) - record.def.header_offset;
  Any made = MakeWith(record, [&](void* body) {
    const int code = record.def.copy(body, from, &record);
    if (code == 0) ObjectMaker(record).HeaderOf(body)->combined_ref_count = kBothOne;
    return code;
  });
  KeepWhatSourceKeeps(made.data().v_obj, source);
  return made;
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainTypeConstructDefault(int32_t type_index, TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainTypeConstructDefault", "a place for the result");
    result = MakeDefault(RegisteredType(type_index)).Release().v_obj;
  });
}
