// SPDX-License-Identifier: Apache-2.0
// Types that are described later than they are used; see undescribed.h.
#include "registry/undescribed.h"

#include <mutex>
#include <new>
#include <shared_mutex>
#include <string_view>
#include <utility>

#include "base/guard.h"
#include "registry/registry.h"
#include "registry/unit.h"

namespace tain::internal {
namespace {

thread_local const char* running_file = nullptr;  // of the block that runs

std::string_view NameOfFile(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

/// Returns what follows the fault: which file has the description.
std::string FileAdvice(const UndescribedType& type) {
  const std::string_view user = type.used_in, describer = type.described_in;
  if (user == describer) {
    return "; " + std::string(NameOfFile(user)) + " does so further down: move that up";
  }
  // Files of one name in two folders need their paths.
  const bool same = NameOfFile(user) == NameOfFile(describer);
  const std::string first(same ? describer : NameOfFile(describer));
  const std::string second(same ? user : NameOfFile(user));
  return "; " + first + " does so later: list " + first + " before " + second +
         " among the sources of the library";
}

}  // namespace

RegistrationBlock::RegistrationBlock(const char* file, int line) noexcept
    : file_(file), line_(line), outer_(std::exchange(running_file, file)) {}

RegistrationBlock::~RegistrationBlock() {
  NoteDescribed();
  running_file = outer_;
}

std::string RegistrationBlock::Where() const noexcept {
  if (file_ == nullptr) return "";
  try {
    return "TAIN_REGISTER (" + std::string(file_) + ":" + std::to_string(line_) + ")";
  } catch (const std::bad_alloc&) {
    return "";
  }
}

void NoteUndescribed(const std::string& fault, bool (*is_described)()) {
  if (running_file == nullptr) return;
  NoteInUnit(nullptr, [&](Unit& unit) {
    unit.undescribed.push_back({fault, is_described, running_file, nullptr});
  });
}

void NoteDescribed() noexcept {
  try {
    Unit* unit = CurrentUnit(nullptr);
    if (unit == nullptr || running_file == nullptr) return;
    std::vector<UndescribedType> types;  // asked without the lock, which the answers may take
    {
      const std::shared_lock lock(Registry::Default().mutex);
      types = unit->undescribed;
    }
    for (UndescribedType& type : types) {
      if (type.described_in == nullptr && type.is_described()) type.described_in = running_file;
    }
    const std::unique_lock lock(Registry::Default().mutex);
    if (unit->undescribed.size() == types.size()) unit->undescribed = std::move(types);
  } catch (...) {
    // The fault says less.
  }
}

void ExplainUndescribed(Unit* unit) {
  for (const UndescribedType& type : unit->undescribed) {
    if (type.described_in == nullptr) continue;
    for (std::string& fault : unit->faults) {
      if (fault == type.fault) fault += FileAdvice(type);
    }
  }
  unit->undescribed.clear();
}

}  // namespace tain::internal
