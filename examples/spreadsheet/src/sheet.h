// SPDX-License-Identifier: Apache-2.0
// The sheet and its cells, as types of tain.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "../engine/tracker.h"
#include "nodes.h"

namespace spreadsheet {

struct CellObj : tain::Object {
  Address address;
  Expr expr;
  CellObj(Address address, Expr expr) : address(address), expr(std::move(expr)) {}
  TAIN_OBJECT("spreadsheet.Cell", CellObj, tain::Object);
};
using Cell = tain::Ref<CellObj>;
using Cells = std::map<Address, Cell>;

/// What may be assigned to a cell. A text that begins with `=` is a formula.
using Source = std::variant<Expr, double, std::string>;

struct SheetObj : tain::Object {
  Cells cells;
  std::map<std::string, Function> functions;
  std::vector<tain::Function> listeners;
  std::vector<Cells> history;
  Tracker tracker;

  SheetObj(Cells cells, std::map<std::string, Function> functions,
           std::vector<tain::Function> listeners);

  Value Get(const Address& address);
  void Set(const Address& address, const Source& source);
  void Erase(const Address& address);
  Cell Find(const Address& address) const;
  Value Call(const std::string& name, const std::vector<Value>& args);
  void Define(const Function& function);
  void Checkpoint() { history.push_back(cells); }
  bool Undo();

  TAIN_VIRTUAL(format)
  virtual std::string format_impl(const Value& value) const { return ValueText(value); }
  std::string Display(const Address& address) { return format(Get(address)); }
  virtual ~SheetObj() = default;
  TAIN_OBJECT("spreadsheet.Sheet", SheetObj, tain::Object);

 private:
  void Notify(const std::vector<std::string>& changed);
};

}  // namespace spreadsheet
