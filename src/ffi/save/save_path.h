// SPDX-License-Identifier: Apache-2.0
// The nodes that saving has opened, and the path to the value that it writes.
#pragma once

#include <string>
#include <vector>

#include "save/save_type.h"
#include "tain/internal/host_value.h"
#include "values/container_detail.h"

namespace tain::internal {

enum class SaveForm : uint8_t { kFields, kSequence, kMap, kData };

/// A node to which more than one reference exists.
struct SavedNode {
  int64_t number = -1;   ///< of the finished node, or of every node that is open (binary form)
  int64_t label = -1;    ///< by which references to the open node call it (JSON)
  std::string_view key;  ///< of its type, once it is open
};

/// A node whose parts are being written.
struct SaveFrame {
  Any held;
  SaveType* type = nullptr;  ///< null for containers
  SavedNode* known = nullptr;
  Any data;  ///< the result of a hook
  MapPlace place{};
  int64_t next = 0;  ///< the part after the present one; for maps keys and values alternate
  int64_t size = 0;  ///< parts
  size_t text = 0;   ///< where the text of the node begins (JSON)
  size_t label = 0;  ///< where a label of the node would stand
  SaveForm form = SaveForm::kFields;

  TainObject* object() const noexcept { return held.data().v_obj; }
};

/// Returns the path to the part that is being written: `<root>.body[3].callback`.
std::string SavePath(const std::vector<SaveFrame>& frames);

/// Whether the object has a wrapper, or its class may be one of the host.
bool HasHostClass(const TainObject* object) noexcept;

/// Returns why tensors of a data type can be neither saved nor loaded; empty if they can. Elements
/// that are addresses mean nothing elsewhere, and from untrusted data they could be any. No width is
/// taken that no name of a data type has.
std::string TensorTypeFault(DLDataType dtype);
/// Returns the elements of a tensor without gaps, in `*room` if they have gaps in memory. If they
/// cannot be saved, writes why to `*refusal`.
std::string_view TensorBytes(const TainObject* tensor, std::string* room, std::string* refusal);

}  // namespace tain::internal
