// SPDX-License-Identifier: Apache-2.0
// Remembers the values of cells and which cells they were made of.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "address.h"
#include "value.h"

namespace spreadsheet {

class Tracker {
 public:
  /// Counts how deep the evaluation is nested, because each level needs the C stack.
  class Level {
   public:
    explicit Level(Tracker* tracker) : tracker_(tracker) {
      if (tracker->depth_ == kMaxDepth) {
        throw SheetError("the evaluation is nested more than " + std::to_string(kMaxDepth) +
                         " levels deep");
      }
      ++tracker->depth_;
    }
    ~Level() { --tracker_->depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    static constexpr int kMaxDepth = 1000;
    Tracker* tracker_;
  };

  /// Returns the remembered value of a cell, or what `compute` returns. The cell that is being
  /// computed when this is called depends on this one from then on. Throws CycleError if this
  /// one is being computed already, and whatever `compute` throws; then nothing is remembered.
  template <class F>
  Value Get(const Address& address, F&& compute) {
    if (!active_.empty()) users_[address].insert(active_.back());
    if (const auto known = values_.find(address); known != values_.end()) return known->second;
    if (std::find(active_.begin(), active_.end(), address) != active_.end()) FailCycle(address);
    const Level level(this);
    active_.push_back(address);
    const Activation activation{&active_};
    const Value value = compute();
    ++computed_;
    values_[address] = value;
    return value;
  }

  /// Forgets a cell and all that depend on it. Returns them in the order of their addresses.
  std::vector<std::string> Forget(const Address& changed) {
    std::set<Address> found{changed};
    std::vector<Address> todo{changed};
    while (!todo.empty()) {
      const Address address = todo.back();
      todo.pop_back();
      values_.erase(address);
      const auto users = users_.find(address);
      if (users == users_.end()) continue;
      for (const Address& user : users->second) {
        if (found.insert(user).second) todo.push_back(user);
      }
      users_.erase(users);
    }
    std::vector<std::string> texts;
    for (const Address& address : found) texts.push_back(address.Text());
    return texts;
  }

  /// Forgets all cells.
  void ForgetAll() {
    values_.clear();
    users_.clear();
  }

  /// How many values were computed, not remembered.
  int64_t computed() const { return computed_; }

  /// Throws SheetError if a value is being computed: functions must not change the sheet.
  void CheckIdle() const {
    if (!active_.empty()) throw SheetError("a sheet cannot change while it computes a value");
  }

 private:
  struct Activation {
    ~Activation() { stack->pop_back(); }
    std::vector<Address>* stack;
  };

  [[noreturn]] void FailCycle(const Address& address) const {
    std::vector<std::string> path;
    for (auto at = std::find(active_.begin(), active_.end(), address); at != active_.end(); ++at) {
      path.push_back(at->Text());
    }
    path.push_back(address.Text());
    std::string text;
    for (const std::string& cell : path) text += (text.empty() ? "" : " -> ") + cell;
    CycleError error("a cell needs its own value: " + text);
    error.path = path;
    throw error;
  }

  std::map<Address, Value> values_;
  std::map<Address, std::set<Address>> users_;  // who was computed of a cell
  std::vector<Address> active_;                 // the cells that are being computed
  int64_t computed_ = 0;
  int depth_ = 0;
};

}  // namespace spreadsheet
