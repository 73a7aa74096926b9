// SPDX-License-Identifier: Apache-2.0
// The nodes of formulas, as types of tain.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../engine/functions.h"
#include "../engine/limits.h"
#include "address.h"

namespace spreadsheet {

struct SheetObj;
using Sheet = tain::Ref<SheetObj>;

struct ExprObj : tain::Object {
  TAIN_VIRTUAL(evaluate)
  virtual Value evaluate_impl(const Sheet&) const { TAIN_ABSTRACT(evaluate); }
  TAIN_VIRTUAL(text)
  virtual std::string text_impl() const { TAIN_ABSTRACT(text); }
  virtual int depth() const { return 1; }
  virtual int precedence() const { return 6; }
  virtual ~ExprObj() = default;
  TAIN_OBJECT("spreadsheet.Expr", ExprObj, tain::Object);
};
using Expr = tain::Ref<ExprObj>;

struct NumberObj : ExprObj {
  double value;
  explicit NumberObj(double value) : value(CheckedNumber(value)) {}
  Value evaluate_impl(const Sheet&) const override { return value; }
  std::string text_impl() const override { return NumberText(value); }
  TAIN_OBJECT("spreadsheet.Number", NumberObj, ExprObj);
};

struct TextObj : ExprObj {
  std::string value;
  explicit TextObj(std::string value) : value(std::move(value)) {}
  Value evaluate_impl(const Sheet&) const override { return value; }
  std::string text_impl() const override { return Quoted(value); }
  TAIN_OBJECT("spreadsheet.Text", TextObj, ExprObj);
};

struct ReferenceObj : ExprObj {
  Address address;
  explicit ReferenceObj(Address address) : address(address) {}
  Value evaluate_impl(const Sheet& sheet) const override;
  std::string text_impl() const override { return address.Text(); }
  TAIN_OBJECT("spreadsheet.Reference", ReferenceObj, ExprObj);
};

struct RangeObj : ExprObj {
  Address first, last;
  RangeObj(Address first, Address last) : first(first), last(last) { CheckedRange(first, last); }
  int64_t size() const { return CheckedRange(first, last); }
  std::vector<Address> Addresses() const {
    std::vector<Address> result;
    for (int64_t row = first.row; row <= last.row; ++row) {
      for (int64_t column = first.column; column <= last.column; ++column) {
        result.push_back({row, column});
      }
    }
    return result;
  }
  Value evaluate_impl(const Sheet&) const override {
    throw SheetError(text() + " is a range, not a value");
  }
  std::string text_impl() const override { return first.Text() + ":" + last.Text(); }
  TAIN_OBJECT("spreadsheet.Range", RangeObj, ExprObj);
};

struct BinaryObj : ExprObj {
  Op op;
  Expr lhs, rhs;
  BinaryObj(Op op, Expr lhs, Expr rhs)
      : op(op), lhs(lhs), rhs(rhs), depth_(CheckedDepth(std::max(lhs->depth(), rhs->depth()))) {}
  Value evaluate_impl(const Sheet& sheet) const override;
  std::string text_impl() const override {
    return Operand(lhs->text(), lhs->precedence(), precedence()) + Symbol(op) +
           Operand(rhs->text(), rhs->precedence(), precedence() + 1);
  }
  int depth() const override { return depth_; }
  int precedence() const override { return Precedence(op); }
  TAIN_OBJECT("spreadsheet.Binary", BinaryObj, ExprObj);

 private:
  int depth_;
};

struct CallObj : ExprObj {
  std::string name;
  tain::Array<Expr> args;
  CallObj(const std::string& name, tain::Array<Expr> args) : name(Capitals(name)), args(args) {
    int deepest = 0;
    for (const Expr& arg : args) deepest = std::max(deepest, arg->depth());
    depth_ = CheckedDepth(deepest);
  }
  Value evaluate_impl(const Sheet& sheet) const override;
  std::string text_impl() const override {
    std::string list;
    for (const Expr& arg : args) list.append(list.empty() ? "" : ",").append(arg->text());
    return name + "(" + list + ")";
  }
  int depth() const override { return depth_; }
  TAIN_OBJECT("spreadsheet.Call", CallObj, ExprObj);

 private:
  int depth_;
};

/// A function that Python adds: a callback, or a subclass that overrides `evaluate`.
struct FunctionObj : tain::Object {
  std::string name;
  tain::Function callback;
  FunctionObj(const std::string& name, tain::Function callback)
      : name(Capitals(name)), callback(std::move(callback)) {}
  TAIN_VIRTUAL(evaluate)
  virtual Value evaluate_impl(const std::vector<Value>& args) const;
  virtual ~FunctionObj() = default;
  TAIN_OBJECT("spreadsheet.Function", FunctionObj, tain::Object);
};
using Function = tain::Ref<FunctionObj>;

/// Parses a formula without its `=`. Throws ParseError.
Expr Parse(std::string_view formula);

}  // namespace spreadsheet
