// SPDX-License-Identifier: Apache-2.0
// Visits the counted references that an object holds in reflected members and as a container.
#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "base/guard.h"
#include "memory/box_kept.h"
#include "memory/kept_outside.h"
#include "registry/type_slots.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/container_api.h"
#include "tain/internal/field_target.h"
#include "tain/module.h"

namespace tain::internal {
namespace {

/// The fields of a type and its parents that hold a reference.
struct EdgeList {
  std::vector<int64_t> objects;  ///< offsets of object pointers
  std::vector<int64_t> values;   ///< offsets of TainAny
  /// The offset of the imports, in types of modules; only those of tain's C++ class have them there.
  int64_t imports = 0;
  /// Fields with a visit_edges function, which finds the references in them.
  std::vector<const TainFieldDef*> others;
  bool is_box = false;  ///< an object of the type may refer to the object of another box
};

/// Edge lists by type. They are made when they are first needed, and never freed.
constinit TypeSlots<std::atomic<const EdgeList*>> edge_lists;

/// Adds an offset, unless it is in the list, because a field that a child registers again is one
/// edge.
void AddOnce(std::vector<int64_t>& offsets, int64_t offset) {
  if (std::find(offsets.begin(), offsets.end(), offset) == offsets.end()) {
    offsets.push_back(offset);
  }
}

void AddOther(std::vector<const TainFieldDef*>& fields, const TainFieldDef& field) {
  const auto same = [&](const TainFieldDef* known) {
    return known->info.offset == field.info.offset;
  };
  if (std::none_of(fields.begin(), fields.end(), same)) fields.push_back(&field);
}

}  // namespace

/// Where the imports of a module are, which are no field.
struct ModuleEdges {
  static int64_t Offset() {
    static const int64_t offset = [] {
      const ModuleObj probe;
      return reinterpret_cast<const char*>(&probe.imports_) -
             reinterpret_cast<const char*>(ObjectAccess::Header(&probe));
    }();
    return offset;
  }
};

namespace {

void AddFields(const TainTypeRecord* record, EdgeList* out) {
  if (record == nullptr) return;
  if (record->info->type_index == kTainModule) out->imports = ModuleEdges::Offset();
  if (record->request.parent >= kTainStaticObjectBegin) {
    AddFields(TainGetTypeRecord(record->request.parent), out);
  }
  for (int32_t i = 0; i < record->num_fields; ++i) {
    const TainFieldDef& field = *record->fields[i];
    if (field.kind == kTainFieldObject && !LeadsNowhere({field.type.data, field.type.size})) {
      AddOnce(out->objects, field.info.offset);
    } else if (field.kind == kTainFieldAny) {
      AddOnce(out->values, field.info.offset);
    } else if (field.visit_edges != nullptr) {
      AddOther(out->others, field);
    }
  }
}

const EdgeList& EdgesOf(int32_t type_index) {
  std::atomic<const EdgeList*>* slot = edge_lists.Find(type_index);
  const EdgeList* known = slot == nullptr ? nullptr : slot->load(std::memory_order_acquire);
  if (TAIN_LIKELY(known != nullptr)) return *known;
  static constinit const EdgeList kNone;
  if (type_index >= TypeTable::kMaxTypes) return kNone;  // no type
  slot = &edge_lists.At(type_index);
  auto list = std::make_unique<EdgeList>();
  AddFields(TainGetTypeRecord(type_index), list.get());
  list->is_box = IsBoxType(type_index);
  if (slot->compare_exchange_strong(known, list.get())) known = list.release();
  return *known;
}

using Visit = int (*)(TainObject*, void*);

int VisitValue(const TainAny& value, Visit visit, void* context) {
  return value.type_index >= kTainStaticObjectBegin ? visit(value.v_obj, context) : 0;
}

int VisitSequence(const TainObject* object, Visit visit, void* context) {
  const auto* cell = reinterpret_cast<const TainSeqCell*>(object + 1);
  const auto* values = static_cast<const TainAny*>(cell->data);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (const int code = VisitValue(values[i], visit, context)) return code;
  }
  return 0;
}

int VisitMap(const TainObject* object, Visit visit, void* context) {
  for (uint64_t at = MapFirst(object); MapItemAt(object, at) != nullptr; at = MapNext(object, at)) {
    const MapItem* item = MapItemAt(object, at);
    if (const int code = VisitValue(item->key, visit, context)) return code;
    if (const int code = VisitValue(item->value, visit, context)) return code;
  }
  return 0;
}

int VisitError(const TainObject* object, Visit visit, void* context) {
  const auto* cell = reinterpret_cast<const TainErrorCell*>(object + 1);
  for (TainObject* child : {cell->cause_chain, cell->extra_context}) {
    if (child == nullptr) continue;
    if (const int code = visit(child, context)) return code;
  }
  return 0;
}

BoxObj* BoxAt(TainObject* object) noexcept {
  return static_cast<BoxObj*>(ObjectAccess::FromHeader(object));
}

/// Returns where the imports of a module are; null for a module of another library, and whatever else.
TainObject** ImportsOf(TainObject* object, const EdgeList& edges) noexcept {
  if (edges.imports == 0 || (TainObjectWordOf(object) & kTainHeaderHasPrefix) == 0) return nullptr;
  return reinterpret_cast<TainObject**>(reinterpret_cast<char*>(object) + edges.imports);
}

int VisitFields(TainObject* object, Visit visit, void* context) {
  const EdgeList& edges = EdgesOf(object->type_index);
  char* base = reinterpret_cast<char*>(object);
  if (TainObject** imports = ImportsOf(object, edges); imports != nullptr && *imports != nullptr) {
    if (const int code = visit(*imports, context)) return code;
  }
  for (const int64_t offset : edges.objects) {
    TainObject* child = *reinterpret_cast<TainObject**>(base + offset);
    if (child == nullptr) continue;
    if (const int code = visit(child, context)) return code;
  }
  for (const int64_t offset : edges.values) {
    const auto& value = *reinterpret_cast<const TainAny*>(base + offset);
    if (const int code = VisitValue(value, visit, context)) return code;
  }
  for (const TainFieldDef* field : edges.others) {
    FieldTarget target(object, *field);
    if (const int code = field->visit_edges(target.get(), visit, context)) return code;
  }
  return edges.is_box ? VisitKept(BoxAt(object), visit, context)
                      : VisitKeptOutside(object, visit, context);
}

/// Returns a value that refers to an object, even to one that make_object did not make, whose index
/// is 0.
TainAny ReferenceTo(TainObject* object) noexcept {
  TainAny view{};
  view.type_index = kTainStaticObjectBegin;
  view.v_obj = object;
  return view;
}

/// Clears the fields with a visit_edges function; `taken` keeps the cleared references alive.
void ClearOthers(const EdgeList& edges, TainObject* object, std::vector<Any>* taken) {
  const auto keep = [](TainObject* child, void* all) {
    static_cast<std::vector<Any>*>(all)->emplace_back(AnyView(ReferenceTo(child)));
    return 0;
  };
  for (const TainFieldDef* field : edges.others) {
    field->visit_edges(FieldTarget(object, *field).get(), keep, taken);
  }
  for (const TainFieldDef* field : edges.others) {
    if (field->clear_edges != nullptr) field->clear_edges(FieldTarget(object, *field).get());
  }
}

void ClearFields(TainObject* object) {
  const EdgeList& edges = EdgesOf(object->type_index);
  std::vector<Any> taken;
  char* base = reinterpret_cast<char*>(object);
  ClearOthers(edges, object, &taken);
  if (edges.is_box) ClearKept(BoxAt(object));
  taken.reserve(taken.size() + edges.objects.size() + edges.values.size() + 1);
  const auto take = [&](TainObject** place) {
    TainObject* child = std::exchange(*place, nullptr);
    if (child != nullptr) taken.push_back(Any::Steal(ReferenceTo(child)));
  };
  if (TainObject** imports = ImportsOf(object, edges)) take(imports);
  for (const int64_t offset : edges.objects) take(reinterpret_cast<TainObject**>(base + offset));
  for (const int64_t offset : edges.values) {
    taken.push_back(
        Any::Steal(std::exchange(*reinterpret_cast<TainAny*>(base + offset), TainAny{})));
  }
}

/// Whether the edges of a type are those of its fields. The binary contract fixes the layout of all
/// types below kTainDynObjectBegin but modules.
bool HasFields(int32_t type_index) noexcept {
  return type_index >= kTainDynObjectBegin || type_index == kTainModule;
}

}  // namespace

}  // namespace tain::internal

using namespace tain::internal;  // NOLINT: the C functions below belong to it

int TainObjectVisitEdges(TainObject* object, int (*visit)(TainObject* child, void* context),
                         void* context) TAIN_NOEXCEPT {
  return Guard([&] {
    NotNull(object, "TainObjectVisitEdges", "an object");
    switch (object->type_index) {
      case kTainArray:
      case kTainList: return VisitSequence(object, visit, context);
      case kTainMap:
      case kTainDict: return VisitMap(object, visit, context);
      case kTainError: return VisitError(object, visit, context);
      default: return HasFields(object->type_index) ? VisitFields(object, visit, context) : 0;
    }
  });
}

int TainObjectClearEdges(TainObject* object) TAIN_NOEXCEPT {
  return Guard([&] {
    NotNull(object, "TainObjectClearEdges", "an object");
    if (IsSeq(object->type_index)) return SeqClear(object);
    if (IsMap(object->type_index)) return MapClear(object);
    if (HasFields(object->type_index)) ClearFields(object);
  });
}

int TainTypeCanReach(int32_t type_index) TAIN_NOEXCEPT {
  if (IsContainer(type_index) || type_index == kTainError) return 1;
  if (!HasFields(type_index)) return 0;
  try {
    const EdgeList& edges = EdgesOf(type_index);
    return edges.objects.empty() && edges.values.empty() && edges.others.empty() &&
                   edges.imports == 0 && !edges.is_box
               ? 0
               : 1;
  } catch (...) {
    return 1;
  }
}
