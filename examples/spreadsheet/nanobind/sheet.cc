// SPDX-License-Identifier: Apache-2.0
// Reading and changing cells.
#include "sheet.h"

#include "casters.h"

namespace spreadsheet {
namespace {

Expr ExprOf(const Source& source) {
  if (const auto* expr = std::get_if<Expr>(&source)) return *expr;
  if (const auto* number = std::get_if<double>(&source)) {
    return new NumberObj(*number);
  }
  const auto& text = std::get<std::string>(source);
  if (text.starts_with('=')) return Parse(std::string_view(text).substr(1));
  return new TextObj(text);
}

}  // namespace

SheetObj::SheetObj(Cells cells, std::map<std::string, Function> functions,
                   std::vector<nb::object> listeners)
    : cells(std::move(cells)), functions(std::move(functions)), listeners(std::move(listeners)) {
  for (const auto& [address, cell] : this->cells) {
    if (cell->address != address) {
      throw SheetError("the cell " + cell->address.Text() + " is not " + address.Text());
    }
  }
}

Value SheetObj::Get(const Address& address) {
  return tracker.Get(address, [&]() -> Value {
    const auto found = cells.find(address);
    if (found == cells.end()) return {};
    const Expr expr = found->second->expr;
    return expr->evaluate(Sheet(this));
  });
}

void SheetObj::Set(const Address& address, const Source& source) {
  tracker.CheckIdle();
  cells.insert_or_assign(address, new CellObj(address, ExprOf(source)));
  Notify(tracker.Forget(address));
}

void SheetObj::Erase(const Address& address) {
  tracker.CheckIdle();
  Find(address);
  cells.erase(address);
  Notify(tracker.Forget(address));
}

Cell SheetObj::Find(const Address& address) const {
  const auto found = cells.find(address);
  if (found == cells.end()) throw nb::key_error(address.Text().c_str());
  return found->second;
}

Value SheetObj::Call(const std::string& name, const std::vector<Value>& args) {
  if (const auto own = functions.find(name); own != functions.end()) {
    const Function function = own->second;
    return function->evaluate(args);
  }
  if (const Builtin builtin = FindBuiltin(name)) return builtin(args);
  throw SheetError("there is no function " + name);
}

void SheetObj::Define(const Function& function) {
  tracker.CheckIdle();
  functions.insert_or_assign(function->name, function);
  tracker.ForgetAll();
}

bool SheetObj::Undo() {
  tracker.CheckIdle();
  if (history.empty()) return false;
  cells = history.back();
  history.pop_back();
  tracker.ForgetAll();
  std::vector<std::string> changed;
  for (const auto& [address, cell] : cells) changed.push_back(address.Text());
  Notify(changed);
  return true;
}

void SheetObj::Notify(const std::vector<std::string>& changed) {
  const std::vector<nb::object> told = listeners;  // a listener may add another one
  for (const nb::object& listener : told) listener(changed);
}

}  // namespace spreadsheet
