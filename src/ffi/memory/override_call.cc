// SPDX-License-Identifier: Apache-2.0
// The overrides that run in each thread; see override_call.h.
#include "memory/override_call.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "memory/kept_list.h"
#include "tain/internal/fast_tls.h"

namespace tain::internal {

/// Addresses that are only compared.
struct OverrideCall::Note {
  const TainObject* receiver;
  std::string name;
  std::vector<const TainObject*> lent;
  Note* outer;
};

namespace {

/// The notes of a thread, the latest first.
constinit TAIN_FAST_THREAD_LOCAL void* latest = nullptr;

}  // namespace

OverrideCall::OverrideCall(const TainObject* receiver, std::string_view name, const TainAny* args,
                           int32_t num_args) {
  std::vector<const TainObject*> lent;
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTainDynObjectBegin && IsLent(args[i].v_obj)) {
      lent.push_back(args[i].v_obj);
    }
  }
  if (lent.empty()) return;
  auto note = std::make_unique<Note>(
      Note{receiver, std::string(name), std::move(lent), static_cast<Note*>(latest)});
  note_ = note.release();
  latest = note_;
}

OverrideCall::~OverrideCall() {
  if (note_ == nullptr) return;
  auto* first = static_cast<Note*>(latest);
  Note** at = &first;
  while (*at != nullptr && *at != note_) at = &(*at)->outer;
  if (*at == nullptr) return;  // a greenlet ended in another thread: that one's list has the note
  *at = note_->outer;
  latest = first;
  delete note_;
}

bool OverrideCall::PassesOn(const TainObject* receiver, std::string_view full_name,
                            const TainObject* argument) noexcept {
  const std::string_view name = full_name.substr(full_name.rfind('.') + 1);
  for (auto* note = static_cast<const Note*>(latest); note != nullptr; note = note->outer) {
    if (note->receiver == receiver && note->name == name &&
        std::find(note->lent.begin(), note->lent.end(), argument) != note->lent.end()) {
      return true;
    }
  }
  return false;
}

}  // namespace tain::internal
