// SPDX-License-Identifier: Apache-2.0
// The nodes of formulas, as classes of nanobind.
#pragma once

#include <nanobind/intrusive/counter.h>
#include <nanobind/intrusive/ref.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../engine/functions.h"
#include "../engine/limits.h"

namespace spreadsheet {

namespace nb = nanobind;

struct SheetObj;
using Sheet = nb::ref<SheetObj>;

struct ExprObj : nb::intrusive_base {
  virtual Value evaluate(Sheet sheet) const = 0;
  virtual std::string text() const = 0;
  virtual int depth() const { return 1; }
  virtual int precedence() const { return 6; }
};
using Expr = nb::ref<ExprObj>;

struct NumberObj : ExprObj {
  double value;
  explicit NumberObj(double value) : value(CheckedNumber(value)) {}
  Value evaluate(Sheet) const override { return value; }
  std::string text() const override { return NumberText(value); }
};

struct TextObj : ExprObj {
  std::string value;
  explicit TextObj(std::string value) : value(std::move(value)) {}
  Value evaluate(Sheet) const override { return value; }
  std::string text() const override { return Quoted(value); }
};

struct ReferenceObj : ExprObj {
  Address address;
  explicit ReferenceObj(Address address) : address(address) {}
  Value evaluate(Sheet sheet) const override;
  std::string text() const override { return address.Text(); }
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
  Value evaluate(Sheet) const override { throw SheetError(text() + " is a range, not a value"); }
  std::string text() const override { return first.Text() + ":" + last.Text(); }
};

struct BinaryObj : ExprObj {
  Op op;
  Expr lhs, rhs;
  BinaryObj(Op op, Expr lhs, Expr rhs)
      : op(op), lhs(lhs), rhs(rhs), depth_(CheckedDepth(std::max(lhs->depth(), rhs->depth()))) {}
  Value evaluate(Sheet sheet) const override;
  std::string text() const override {
    return Operand(lhs->text(), lhs->precedence(), precedence()) + Symbol(op) +
           Operand(rhs->text(), rhs->precedence(), precedence() + 1);
  }
  int depth() const override { return depth_; }
  int precedence() const override { return Precedence(op); }

 private:
  int depth_;
};

struct CallObj : ExprObj {
  std::string name;
  std::vector<Expr> args;
  CallObj(const std::string& name, std::vector<Expr> args) : name(Capitals(name)), args(args) {
    int deepest = 0;
    for (const Expr& arg : args) deepest = std::max(deepest, arg->depth());
    depth_ = CheckedDepth(deepest);
  }
  Value evaluate(Sheet sheet) const override;
  std::string text() const override {
    std::string list;
    for (const Expr& arg : args) list += (list.empty() ? "" : ",") + arg->text();
    return name + "(" + list + ")";
  }
  int depth() const override { return depth_; }

 private:
  int depth_;
};

/// A function that Python adds: a callback, or a subclass that overrides `evaluate`.
struct FunctionObj : nb::intrusive_base {
  std::string name;
  nb::object callback;
  FunctionObj(const std::string& name, nb::object callback)
      : name(Capitals(name)), callback(std::move(callback)) {}
  virtual Value evaluate(const std::vector<Value>& args) const;
};
using Function = nb::ref<FunctionObj>;

/// Parses a formula without its `=`. Throws ParseError.
Expr Parse(std::string_view formula);

}  // namespace spreadsheet
