// SPDX-License-Identifier: Apache-2.0
// What Python sees: the only code of this engine that is written for Python.
#include "sheet.h"

namespace spreadsheet {
namespace {

// [operators]
using Operand = std::variant<Expr, double, std::string>;

Expr Node(const Operand& operand) {
  if (const auto* expr = std::get_if<Expr>(&operand)) return *expr;
  if (const auto* number = std::get_if<double>(&operand)) {
    return tain::make_object<NumberObj>(*number);
  }
  return tain::make_object<TextObj>(std::get<std::string>(operand));
}

template <Op op>
Expr Forward(const Expr& a, const Operand& b) {
  return tain::make_object<BinaryObj>(op, a, Node(b));
}

template <Op op>
Expr Reflected(const Expr& a, const Operand& b) {
  return tain::make_object<BinaryObj>(op, Node(b), a);
}

}  // namespace

TAIN_REGISTER {
  // [module]
  using tain::arg;
  using namespace tain::reflection;
  // Only parse is tain::thread_safe(): reading a cell changes what the sheet remembers.
  // [enums]
  EnumDef<Op>("spreadsheet.Op", "An operator of formulas.")
      .value("ADD", Op::kAdd)
      .value("SUB", Op::kSub)
      .value("MUL", Op::kMul)
      .value("DIV", Op::kDiv)
      .value("POW", Op::kPow)
      .value("CONCAT", Op::kConcat)
      .value("EQUAL", Op::kEqual)
      .value("LESS", Op::kLess)
      .value("GREATER", Op::kGreater);
  // [exceptions]
  ErrorDef<SheetError>("spreadsheet.SheetError", "ValueError", "A sheet cannot do this.");
  ErrorDef<ParseError>("spreadsheet.ParseError", "spreadsheet.SheetError", "A bad formula.")
      .def_ro("formula", &ParseError::formula, "the formula")
      .def_ro("position", &ParseError::position, "where the mistake is, from 0");
  ErrorDef<CycleError>("spreadsheet.CycleError", "spreadsheet.SheetError", "A cell needs itself.")
      .def_ro("path", &CycleError::path, "the cells, from the first one back to it");

  // [classes]
  ObjectDef<ExprObj>("A node of a formula.",
                     // [comparison and hash]
                     tain::eq(), tain::value_hash(),
                     // [classes]
                     tain::frozen())
      .def_init<>()
      // [subclass overrides]
      .def_virtual("evaluate", &ExprObj::evaluate_impl, tain::abstract(), arg("sheet"),
                   "The value of the node in a sheet.")
      .def_virtual("text", &ExprObj::text_impl, tain::abstract(), "The node as in a formula.")
      // [methods]
      .def("__str__", [](const ExprObj& expr) { return expr.text(); })
      // [operators]
      .def("__add__", Forward<Op::kAdd>)
      .def("__radd__", Reflected<Op::kAdd>)
      .def("__sub__", Forward<Op::kSub>)
      .def("__rsub__", Reflected<Op::kSub>)
      .def("__mul__", Forward<Op::kMul>)
      .def("__rmul__", Reflected<Op::kMul>)
      .def("__truediv__", Forward<Op::kDiv>)
      .def("__rtruediv__", Reflected<Op::kDiv>)
      .def("__pow__", Forward<Op::kPow>)
      .def("__neg__", [](const Expr& a) { return Reflected<Op::kSub>(a, 0.0); });
  // [classes]
  ObjectDef<NumberObj>("A number.")
      .def_ro("value", &NumberObj::value)
      .def_init<double>(arg("value"));
  ObjectDef<TextObj>("A text.")
      .def_ro("value", &TextObj::value)
      .def_init<std::string>(arg("value"));
  ObjectDef<ReferenceObj>("The value of a cell.")
      .def_ro("address", &ReferenceObj::address)
      .def_init<Address>(arg("address"));
  ObjectDef<RangeObj>("The cells of a rectangle, row by row.")
      .def_ro("first", &RangeObj::first, "the cell at the top left")
      .def_ro("last", &RangeObj::last, "the cell at the bottom right")
      .def_init<Address, Address>(arg("first"), arg("last"))
      // [iteration]
      .def("__len__", &RangeObj::size)
      .def_iter(&RangeObj::Addresses);
  // [classes]
  ObjectDef<BinaryObj>("An operator and its operands.", tain::transient())  // depth_: derived
      .def_ro("op", &BinaryObj::op)
      .def_ro("lhs", &BinaryObj::lhs)
      .def_ro("rhs", &BinaryObj::rhs)
      .def_init<Op, Expr, Expr>(arg("op"), arg("lhs"), arg("rhs"));
  ObjectDef<CallObj>("A call of a function.", tain::transient())  // depth_: derived
      .def_ro("name", &CallObj::name)
      .def_ro("args", &CallObj::args)
      .def_init<std::string, tain::Array<Expr>>(arg("name"), arg("args") = tain::Array<Expr>());

  ObjectDef<FunctionObj>("A function of formulas: a callback, or a subclass with `evaluate`.")
      .def_ro("name", &FunctionObj::name)
      .def_ro("callback", &FunctionObj::callback)
      .def_init<std::string, tain::Function>(arg("name"), arg("callback") = nullptr)
      // [subclass overrides]
      .def_virtual("evaluate", &FunctionObj::evaluate_impl, arg("args"), "The value of a call.");
  // [classes]
  ObjectDef<CellObj>("A cell that is not empty.",
                     // [comparison and hash]
                     tain::eq(), tain::value_hash(),
                     // [classes]
                     tain::frozen())
      .def_ro("address", &CellObj::address)
      .def_ro("expr", &CellObj::expr)
      .def_init<Address, Expr>(arg("address"), arg("expr"));
  ObjectDef<SheetObj>("Cells, functions and listeners.", tain::transient())  // the tracker: a cache
      .def_ro("cells", &SheetObj::cells, "the cells by address")
      .def_ro("functions", &SheetObj::functions, "functions of its own, by name")
      .def_ro("listeners", &SheetObj::listeners, "are called with the addresses that changed")
      .def_ro("history", &SheetObj::history, tain::no_repr(), tain::structural_ignore(),
              "what undo() returns to")
      .def_init<Cells, std::map<std::string, Function>, std::vector<tain::Function>>(
          arg("cells") = Cells(), arg("functions") = std::map<std::string, Function>(),
          arg("listeners") = std::vector<tain::Function>())
      // [operators]
      .def("__getitem__", &SheetObj::Get)
      .def("__setitem__", &SheetObj::Set)
      .def("__delitem__", &SheetObj::Erase)
      .def("__len__", [](const SheetObj& sheet) { return sheet.cells.size(); })
      .def("__contains__",
           [](const SheetObj& sheet, Address at) { return sheet.cells.contains(at); })
      // [iteration]
      .def_iter([](const SheetObj& sheet) {
        std::vector<Cell> cells;
        for (const auto& [address, cell] : sheet.cells) cells.push_back(cell);
        return cells;
      })
      // [methods]
      .def("cell", &SheetObj::Find, arg("address"), "The cell of an address.")
      .def("define", &SheetObj::Define, arg("function"), "Adds a function.")
      .def(
          "define",
          [](SheetObj& sheet, const std::string& name, tain::Function callback) {
            sheet.Define(tain::make_object<FunctionObj>(name, callback));
          },
          arg("name"), arg("callback"))
      .def(
          "listen",
          [](SheetObj& sheet, tain::Function listener) {
            if (listener == nullptr) TAIN_THROW(TypeError) << "listen: expected a function";
            sheet.listeners.push_back(listener);
          },
          arg("listener"), "Calls a function with the addresses that a change concerns.")
      .def("checkpoint", &SheetObj::Checkpoint, "Keeps a copy of the cells for undo().")
      .def("undo", &SheetObj::Undo, "Returns to the last checkpoint; False if there is none.")
      .def("display", &SheetObj::Display, arg("address"), "A value as text, made by format().")
      // [subclass overrides]
      .def_virtual("format", &SheetObj::format_impl, arg("value"), "A value as text.")
      // [methods]
      .def_property(
          "computed", [](const SheetObj& sheet) { return sheet.tracker.computed(); },
          "How many values were computed, not remembered.");
  GlobalDef().def("spreadsheet.parse", Parse, arg("formula"), "Parses a formula without its =.",
                  tain::thread_safe());
}

}  // namespace spreadsheet
