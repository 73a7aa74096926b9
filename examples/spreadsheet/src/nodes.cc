// SPDX-License-Identifier: Apache-2.0
// How nodes are evaluated, and made by the parser.
#include "nodes.h"

#include "../engine/parser.h"
#include "sheet.h"

namespace spreadsheet {
namespace {

struct Build {
  using Node = Expr;
  static Expr Number(double value) { return tain::make_object<NumberObj>(value); }
  static Expr Text(std::string value) { return tain::make_object<TextObj>(std::move(value)); }
  static Expr Reference(Address address) { return tain::make_object<ReferenceObj>(address); }
  static Expr Range(Address a, Address b) { return tain::make_object<RangeObj>(a, b); }
  static Expr Binary(Op op, Expr a, Expr b) { return tain::make_object<BinaryObj>(op, a, b); }
  static Expr Call(const std::string& name, const std::vector<Expr>& args) {
    return tain::make_object<CallObj>(name, args);
  }
};

}  // namespace

Value ReferenceObj::evaluate_impl(const Sheet& sheet) const { return sheet->Get(address); }

Value BinaryObj::evaluate_impl(const Sheet& sheet) const {
  const Tracker::Level level(&sheet->tracker);
  const Value left = lhs->evaluate(sheet);
  return Apply(op, left, rhs->evaluate(sheet));
}

Value CallObj::evaluate_impl(const Sheet& sheet) const {
  const Tracker::Level level(&sheet->tracker);
  std::vector<Value> values;
  for (const Expr& arg : args) {
    if (const auto* range = arg.as<RangeObj>()) {
      for (const Address& address : range->Addresses()) values.push_back(sheet->Get(address));
    } else {
      values.push_back(arg->evaluate(sheet));
    }
  }
  return sheet->Call(name, values);
}

Value FunctionObj::evaluate_impl(const std::vector<Value>& args) const {
  if (callback == nullptr) throw SheetError(name + " has no callback and no evaluate()");
  std::vector<tain::Any> owned(args.begin(), args.end());
  std::vector<tain::AnyView> views(owned.begin(), owned.end());
  return callback.CallPacked(views.data(), static_cast<int32_t>(views.size())).cast<Value>();
}

Expr Parse(std::string_view formula) { return Parser<Build>(formula).ParseAll(); }

}  // namespace spreadsheet
