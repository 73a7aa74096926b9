// SPDX-License-Identifier: Apache-2.0
// Units: which unit is open, faults, loads, and the C functions for them.
#include "registry/unit.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/guard.h"
#include "base/shared_file.h"
#include "registry/registry.h"
#include "tain/reflection/register.h"
#include "tain/version.h"

namespace tain::internal {
namespace {

/// The units that TainUnitEnter opened on a thread, the innermost last. Units that do not fit are
/// only counted; their registrations belong to the innermost unit in the list.
struct OpenUnits {
  static constexpr int kRoom = 16;
  Unit* units[kRoom];
  int count;

  Unit* top() const noexcept { return count == 0 ? nullptr : units[std::min(count, kRoom) - 1]; }
};

thread_local OpenUnits open_units;
thread_local LoadScope* current_load = nullptr;

std::atomic<uint64_t> load_numbers{0};

/// Returns the reason why the unit cannot be used with this libtain; empty if it can. The first
/// words of the record never move, so a record of another layout can be read up to there.
std::string LayoutFault(const TainUnit& unit) {
  if (unit.abi_major != TAIN_ABI_VERSION_MAJOR || unit.layout_version != TAIN_LAYOUT_VERSION) {
    return "it was compiled for tain's binary interface " + std::to_string(unit.abi_major) + "." +
           std::to_string(unit.abi_minor) + " (layout " + std::to_string(unit.layout_version) +
           "), but the installed tain " TAIN_VERSION " has " TAIN_STR(
               TAIN_ABI_VERSION_MAJOR) "." TAIN_STR(TAIN_ABI_VERSION_MINOR) " (layout " TAIN_STR(
               TAIN_LAYOUT_VERSION) "): rebuild the library against the installed tain";
  }
  if (unit.sizeof_any != sizeof(TainAny) || unit.sizeof_object != sizeof(TainObject)) {
    return "it was compiled (" + std::string(unit.compiler == nullptr ? "?" : unit.compiler) +
           ") with values of " + std::to_string(unit.sizeof_any) + " and headers of " +
           std::to_string(unit.sizeof_object) +
           " bytes, but the installed tain " TAIN_VERSION " (" TAIN_COMPILER_TAG ") has " +
           std::to_string(sizeof(TainAny)) + " and " + std::to_string(sizeof(TainObject)) +
           ": rebuild the library against the installed tain";
  }
  return "";
}

Unit* AddUnit(const TainUnit* record) {
  // The loader's lock is taken before the registry's lock, because static initializers take them in
  // this order.
  std::string opened = FileOfAddress(record);
  KeepLoaded(record);
  const LoadScope* load = LoadScope::Current();
  std::string file = load == nullptr ? opened : load->UserFile(opened);
  std::string fault = LayoutFault(*record);
  const bool has_name = fault.empty() && record->name != nullptr && *record->name != '\0';
  std::string name = has_name ? record->name : StemOf(file);

  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  if (Unit* known = registry.units.Find(record)) return known;
  Unit* unit = registry.units.Add(record, std::move(name), std::move(file), std::move(opened));
  if (!fault.empty()) {
    unit->faults.push_back(std::move(fault));
    unit->refused = true;
    NotePending(unit);
  }
  return unit;
}

Unit* UnitOf(const TainUnit* record) {
  struct Last {
    const TainUnit* record;
    Unit* unit;
  };
  static thread_local Last last{nullptr, nullptr};
  if (last.record == record) return last.unit;
  Registry& registry = Registry::Default();
  Unit* unit = nullptr;
  {
    std::shared_lock lock(registry.mutex);
    unit = registry.units.Find(record);
  }
  if (unit == nullptr) unit = AddUnit(record);
  last = {record, unit};
  return unit;
}

Unit* Enrolled(Unit* unit) {
  if (current_load != nullptr) current_load->Enroll(unit);
  return unit;
}

/// Completes the faults of a unit by those that only the whole load shows. Needs the lock.
void FindFaults(const Registry& registry, Unit* unit) {
  ExplainUndescribed(unit);
  FindUnlisted(registry, unit);
  CheckErrorClasses(registry, unit);
}

}  // namespace

// ---------------------------------------------------------------- which unit

Unit* CurrentUnit(const TainUnit* record) {
  if (record != nullptr) return Enrolled(UnitOf(record));
  if (Unit* open = open_units.top()) return Enrolled(open);
  return current_load == nullptr ? nullptr : current_load->Anonymous();
}

Unit* UnknownUnit(const std::string& file) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  for (const auto& unit : registry.units.all()) {
    if (unit->record == nullptr && unit->file == file && !unit->refused) return unit.get();
  }
  return registry.units.Add(nullptr, StemOf(file), file);
}

void RecordFault(Unit* unit, std::string_view message) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  if (unit->refused) return;  // it has one fault already
  auto& faults = unit->faults;
  if (std::find(faults.begin(), faults.end(), message) == faults.end()) {
    faults.emplace_back(message);
    registry.Touch();  // the next look-up of a name raises it, also of one that was found before
  }
  NotePending(unit);
}

int RegistrationFailed(Unit* unit) noexcept {
  try {
    if (unit == nullptr) {
      const std::string file = LibraryInInitialization();
      if (file.empty()) return TainErrorSetFromException();
      unit = UnknownUnit(file);
    }
    try {
      throw;
    } catch (const Error& error) {
      RecordFault(unit, error.message());
    } catch (const std::exception& error) {
      RecordFault(unit, error.what());
    }
  } catch (...) {  // no memory to record it
    if (unit == nullptr) return TainErrorSetFromException();
    unit->refused = true;
  }
  return 0;
}

void RaisePendingFaults() {
  if (!units_pending.load(std::memory_order_acquire)) return;
  units_pending.store(false, std::memory_order_release);
  Registry& registry = Registry::Default();
  std::vector<Unit*> faulty, good;
  {
    std::unique_lock lock(registry.mutex);
    for (const auto& unit : registry.units.all()) {
      if (unit->faults.empty() && unit->journal.empty()) continue;
      if (unit->load.load() != 0) continue;  // its load settles it
      if (unit->open.load() != 0) {          // it is registering just now
        units_pending.store(true, std::memory_order_release);
        continue;
      }
      FindFaults(registry, unit.get());
      (unit->faults.empty() ? good : faulty).push_back(unit.get());
    }
  }
  SettleUnits(registry, good);
  const std::string text = SettleUnits(registry, faulty);
  if (!text.empty()) TAIN_THROW(ImportError) << text;
}

// ---------------------------------------------------------------- own units

Unit* OpenOwnUnit(const TainByteArray& name, const TainByteArray& file) {
  constexpr uint64_t kSettledByOwner = ~uint64_t{0};  // no load has this number
  const std::string_view name_text = TextOf(name, "a definition", "a unit's name");
  const std::string_view file_text = TextOf(file, "a definition", "a unit's file");
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  Unit* unit = registry.units.Add(nullptr, std::string(name_text), std::string(file_text));
  unit->load.store(kSettledByOwner);
  return unit;
}

void SettleOwnUnit(Unit* unit) { SettleUnits(Registry::Default(), {unit}); }

// ---------------------------------------------------------------- loads

LoadScope::LoadScope(std::string file, std::string opened)
    : file_(std::move(file)),
      opened_(std::move(opened)),
      number_(load_numbers.fetch_add(1) + 1),
      outer_(std::exchange(current_load, this)) {}

LoadScope::~LoadScope() {
  current_load = outer_;
  for (Unit* unit : units_) unit->load.store(0);
}

LoadScope* LoadScope::Current() noexcept { return current_load; }

void LoadScope::Enroll(Unit* unit) {
  uint64_t none = 0;
  if (unit->load.compare_exchange_strong(none, number_)) units_.push_back(unit);
}

Unit* LoadScope::Anonymous() {
  if (anonymous_ == nullptr) {
    Registry& registry = Registry::Default();
    std::unique_lock lock(registry.mutex);
    anonymous_ = registry.units.Add(nullptr, StemOf(file_), file_, opened_);
  }
  Enroll(anonymous_);
  return anonymous_;
}

bool LoadScope::Defer(const Registration& registration) noexcept {
  if (!defers_) return false;
  try {
    deferred_.push_back(registration);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void LoadScope::RunDeferred() noexcept {
  defers_ = false;
  const auto all = std::exchange(deferred_, {});
  for (const auto& [unit, body, file, line] : all) RunRegistrationAt(unit, body, file, line);
}

void LoadScope::BeforeLookUp() noexcept {
  if (TAIN_UNLIKELY(current_load != nullptr && current_load->defers_)) current_load->RunDeferred();
}

std::string LoadScope::Finish() {
  Registry& registry = Registry::Default();
  {
    std::unique_lock lock(registry.mutex);
    for (Unit* unit : units_) FindFaults(registry, unit);
  }
  return SettleUnits(registry, units_);
}

bool LoadScope::registered() const noexcept {
  for (const Unit* unit : units_) {
    if (unit->registered) return true;
  }
  return false;
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainUnitEnter(const TainUnit* record) noexcept {
  if (record == nullptr) return -1;
  try {
    Unit* unit = CurrentUnit(record);
    if (unit->refused) return -1;
    if (open_units.count < OpenUnits::kRoom) open_units.units[open_units.count] = unit;
    ++open_units.count;
    unit->open.fetch_add(1);
    return 0;
  } catch (...) {
    return -1;  // no memory
  }
}

extern "C" void TainUnitLeave(const TainUnit* record) noexcept {
  if (record == nullptr || open_units.count == 0) return;
  Unit* unit = open_units.top();
  if (unit->record != record) return;  // Enter refused it
  --open_units.count;
  unit->open.fetch_sub(1);
}

extern "C" void TainUnitFault(const TainUnit* record, const char* message) noexcept {
  const void* caller = TAIN_CALLER();
  GuardVoid([&] {
    Unit* unit = CurrentUnit(record);
    if (unit == nullptr) unit = UnknownUnit(FileOfAddress(caller));
    RecordFault(unit, message == nullptr ? "unknown mistake" : message);
  });
}

extern "C" int TainRaisePendingFaults(void) noexcept {
  return Guard([] { RaisePendingFaults(); });
}
