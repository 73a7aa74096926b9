// SPDX-License-Identifier: Apache-2.0
// The plan of each type for structural comparison, hash and free variables, and which hooks objects
// have.
#pragma once

#include <array>
#include <vector>

#include "registry/type_facts.h"
#include "tain/any.h"
#include "tain/internal/container_api.h"
#include "tain/internal/field_target.h"
#include "tain/reflection/arg.h"
#include "values/field_memory.h"

namespace tain::internal {

/// Whether variables that have no partner yet may get one.
enum class Region : uint8_t {
  kUse,       ///< no: a variable equals only itself
  kDef,       ///< yes, here and in all parts
  kSimpleDef  ///< yes, but not in the fields of objects
};

/// A field that structural operations look at.
struct StructuralField {
  const TainFieldDef* def;
  int64_t offset;  ///< from the header
  int32_t kind;    ///< TainFieldKind
  Region defines;  ///< kUse unless the field is a region of definitions
};

/// The plan of a type for structural operations.
struct StructuralPlan {
  static constexpr auto kPart = TypePart::kStructure;
  StructuralKind kind = StructuralKind::kTree;  ///< that of the nearest type that states one
  bool is_flat = false;                         ///< no field can hold an object
  uint64_t key_hash = 0;                        ///< of the type key, the same in all processes
  std::vector<StructuralField> fields;
  const TainAny* equal_hook = nullptr;  ///< `__s_equal__` of the type or a parent, or null
  const TainAny* hash_hook = nullptr;
};

/// A type with what one walk has found out about it.
struct KnownType {
  int32_t index = -1;
  bool host_hooks = false;  ///< the host class of an object without wrapper may have hooks
  const StructuralPlan* plan = nullptr;
};

/// The types that a walk has met; looks most of them up in an array.
class StructuralPlans {
 public:
  const KnownType& Of(int32_t type_index) {
    KnownType& known = known_[static_cast<uint32_t>(type_index) % known_.size()];
    if (TAIN_UNLIKELY(known.index != type_index)) Fill(known, type_index);
    return known;
  }

 private:
  static void Fill(KnownType& known, int32_t type_index);
  std::array<KnownType, 128> known_{};
};

inline constexpr const char* kEqualHook = "__s_equal__";
inline constexpr const char* kHashHook = "__s_hash__";

/// Whether the host class of an object has hooks, or may have some.
bool MayHaveHostHook(TainObject* object, const KnownType& type) noexcept;
/// Whether the host class of an object has a hook: kHostStructuralEqual, kHostStructuralHash. Asking
/// may run foreign code.
bool HasHostHook(TainObject* object, const KnownType& type, int hook);

/// Returns the region in which the parts of an object or container are.
inline Region Inside(Region region, bool is_object) noexcept {
  return region == Region::kSimpleDef && is_object ? Region::kUse : region;
}
/// Returns the region of a field of an object that is in a region.
inline Region RegionOf(const StructuralField& field, Region of_object) noexcept {
  return field.defines != Region::kUse && of_object != Region::kDef ? field.defines
                                                                    : Inside(of_object, true);
}

/// The value of a field that only its getter can read; owns it. It is read in place, since copying
/// what was just written in two halves would stall the processor.
class GetterValue : NotCopied {
 public:
  GetterValue(TainObject* object, const StructuralField& field) {
    ThrowIfFailed(GetField(*field.def, object, &value_));
  }
  ~GetterValue() {
    if (value_.type_index >= kTainStaticObjectBegin) DecRef(value_.v_obj);
  }
  const TainAny& data() const noexcept { return value_; }

 private:
  TainAny value_{};
};

/// Throws TypeError for an object that make_object did not make.
inline TainAny ObjectView(TainObject* object) {
  TainAny view;
  ViewHeader<Object>(object, &view);
  return view;
}

/// Whether values of a type have parts of their own.
inline bool HasParts(int32_t type_index) noexcept {
  return type_index >= kTainDynObjectBegin || IsContainer(type_index);
}

}  // namespace tain::internal
