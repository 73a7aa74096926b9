// SPDX-License-Identifier: Apache-2.0
// How nodes are evaluated, and made by the parser.
#include "nodes.h"

#include "../engine/parser.h"
#include "casters.h"
#include "sheet.h"

namespace spreadsheet {
namespace {

struct Build {
  using Node = Expr;
  static Expr Number(double value) { return new NumberObj(value); }
  static Expr Text(std::string value) { return new TextObj(std::move(value)); }
  static Expr Reference(Address address) { return new ReferenceObj(address); }
  static Expr Range(Address a, Address b) { return new RangeObj(a, b); }
  static Expr Binary(Op op, Expr a, Expr b) { return new BinaryObj(op, a, b); }
  static Expr Call(const std::string& name, const std::vector<Expr>& args) {
    return new CallObj(name, args);
  }
};

}  // namespace

Value ReferenceObj::evaluate(Sheet sheet) const { return sheet->Get(address); }

Value BinaryObj::evaluate(Sheet sheet) const {
  const Tracker::Level level(&sheet->tracker);
  const Value left = lhs->evaluate(sheet);
  return Apply(op, left, rhs->evaluate(sheet));
}

Value CallObj::evaluate(Sheet sheet) const {
  const Tracker::Level level(&sheet->tracker);
  std::vector<Value> values;
  for (const Expr& arg : args) {
    if (const auto* range = dynamic_cast<const RangeObj*>(arg.get())) {
      for (const Address& address : range->Addresses()) values.push_back(sheet->Get(address));
    } else {
      values.push_back(arg->evaluate(sheet));
    }
  }
  return sheet->Call(name, values);
}

Value FunctionObj::evaluate(const std::vector<Value>& args) const {
  if (callback.is_none()) throw SheetError(name + " has no callback and no evaluate()");
  nb::list values;
  for (const Value& value : args) values.append(nb::cast(value));
  const nb::object result = callback(*values);
  Value value;
  if (!nb::try_cast(result, value)) throw nb::type_error("the callback returned no value");
  return value;
}

Expr Parse(std::string_view formula) { return Parser<Build>(formula).ParseAll(); }

}  // namespace spreadsheet
