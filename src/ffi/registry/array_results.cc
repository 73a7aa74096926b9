// SPDX-License-Identifier: Apache-2.0
// Results that are arrays of numpy; see array_results.h.
#include "registry/array_results.h"

#include <optional>

#include "base/guard.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/internal/type_expr.h"
#include "tain/reflection/library_def.h"

namespace tain::internal {
namespace {

/// Returns whether the expression has changed.
bool RewriteArrays(TypeExpr* expr) {
  if (expr->kind == TypeExpr::Kind::kName && expr->name == "Callable") return false;
  bool changed = expr->kind == TypeExpr::Kind::kName && expr->name == "Tensor";
  if (changed) expr->name = "numpy.ndarray";
  for (TypeExpr& part : expr->parts) changed = RewriteArrays(&part) || changed;
  return changed;
}

void RewritePlace(Arena& arena, ArrayPlace place) {
  const std::string text = AsNumpyType(View(*place.type));
  if (text == View(*place.type)) return;
  *place.type = arena.Copy(text);
  if (place.call_flags != nullptr) *place.call_flags |= kTainCallAsNumpy;
}

}  // namespace

std::string AsNumpyType(std::string_view type) {
  std::optional<TypeExpr> expr;
  if (type.find("Tensor") != std::string_view::npos) expr = ParseTypeExpr(type);
  if (!expr || !RewriteArrays(&*expr)) return std::string(type);
  return WriteTypeExpr(*expr);
}

void PlaceArrays(Arena& arena, Unit* unit, ArrayPlace place, bool as_numpy) {
  if (View(*place.type).find("Tensor") == std::string_view::npos) return;
  if (as_numpy || (unit != nullptr && unit->as_numpy)) {
    RewritePlace(arena, place);
  } else if (unit != nullptr) {
    unit->tensor_places.push_back(place);
  }
}

bool TypeGivesArrays(int32_t type_index) noexcept {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  return record != nullptr && (record->def.flags & kTainTypeAsNumpy) != 0;
}

void SetLibraryAsNumpy(const TainUnit* record) noexcept {
  FaultsInUnit(record, "LibraryDef", [&] {
    NoteInUnit(record, [](Unit& unit) {
      unit.as_numpy = true;
      for (const ArrayPlace& place : unit.tensor_places) {
        RewritePlace(Registry::Default().arena, place);
      }
      unit.tensor_places.clear();
    });
  });
}

}  // namespace tain::internal
