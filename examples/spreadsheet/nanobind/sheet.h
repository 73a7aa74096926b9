// SPDX-License-Identifier: Apache-2.0
// The sheet and its cells, as classes of nanobind.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "../engine/tracker.h"
#include "nodes.h"

namespace spreadsheet {

struct CellObj : nb::intrusive_base {
  Address address;
  Expr expr;
  CellObj(Address address, Expr expr) : address(address), expr(std::move(expr)) {}
};
using Cell = nb::ref<CellObj>;
using Cells = std::map<Address, Cell>;

/// What may be assigned to a cell. A text that begins with `=` is a formula.
using Source = std::variant<Expr, double, std::string>;

struct SheetObj : nb::intrusive_base {
  Cells cells;
  std::map<std::string, Function> functions;
  std::vector<nb::object> listeners;
  std::vector<Cells> history;
  Tracker tracker;

  SheetObj(Cells cells, std::map<std::string, Function> functions,
           std::vector<nb::object> listeners);

  Value Get(const Address& address);
  void Set(const Address& address, const Source& source);
  void Erase(const Address& address);
  Cell Find(const Address& address) const;
  Value Call(const std::string& name, const std::vector<Value>& args);
  void Define(const Function& function);
  void Checkpoint() { history.push_back(cells); }
  bool Undo();

  virtual std::string format(const Value& value) const { return ValueText(value); }
  std::string Display(const Address& address) { return format(Get(address)); }

 private:
  void Notify(const std::vector<std::string>& changed);
};

}  // namespace spreadsheet
