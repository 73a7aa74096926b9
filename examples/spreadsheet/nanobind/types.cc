// SPDX-License-Identifier: Apache-2.0
// What Python sees: the binding code of nanobind. protocols.py has the rest of it.
#include <nanobind/make_iterator.h>
#include <nanobind/operators.h>
#include <nanobind/trampoline.h>
#include <nanobind/intrusive/counter.inl>

#include "casters.h"
#include "sheet.h"

namespace spreadsheet {
namespace {

using nb::literals::operator""_a;

// [operators]
using Operand = std::variant<Expr, double, std::string>;

Expr Node(const Operand& operand) {
  if (const auto* expr = std::get_if<Expr>(&operand)) return *expr;
  if (const auto* number = std::get_if<double>(&operand)) return new NumberObj(*number);
  return new TextObj(std::get<std::string>(operand));
}

template <Op op>
Expr Forward(const Expr& a, const Operand& b) {
  return new BinaryObj(op, a, Node(b));
}

template <Op op>
Expr Reflected(const Expr& a, const Operand& b) {
  return new BinaryObj(op, Node(b), a);
}

// [subclass overrides]
template <class Base>
struct PyNode : Base {
  NB_TRAMPOLINE(Base);
  Value evaluate(Sheet sheet) const override {
    if constexpr (std::is_abstract_v<Base>) {
      NB_OVERRIDE_PURE(evaluate, sheet);
    } else {
      NB_OVERRIDE(evaluate, sheet);
    }
  }
  std::string text() const override {
    if constexpr (std::is_abstract_v<Base>) {
      NB_OVERRIDE_PURE(text);
    } else {
      NB_OVERRIDE(text);
    }
  }
};

struct PyFunction : FunctionObj {
  NB_TRAMPOLINE(FunctionObj);
  Value evaluate(const std::vector<Value>& args) const override { NB_OVERRIDE(evaluate, args); }
};

struct PySheet : SheetObj {
  NB_TRAMPOLINE(SheetObj);
  std::string format(const Value& value) const override { NB_OVERRIDE(format, value); }
};

// [collection of cycles]
int VisitFunction(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(nb::inst_ptr<FunctionObj>(self)->callback.ptr());
  return 0;
}

int ClearFunction(PyObject* self) {
  nb::inst_ptr<FunctionObj>(self)->callback = nb::none();
  return 0;
}

int VisitSheet(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const SheetObj* sheet = nb::inst_ptr<SheetObj>(self);
  for (const nb::object& listener : sheet->listeners) Py_VISIT(listener.ptr());
  for (const auto& [name, function] : sheet->functions) {
    if (PyObject* object = function->self_py()) {
      Py_VISIT(object);
    } else {  // C++ made it, and Python has not seen it
      Py_VISIT(function->callback.ptr());
    }
  }
  return 0;
}

int ClearSheet(PyObject* self) {
  SheetObj* sheet = nb::inst_ptr<SheetObj>(self);
  sheet->listeners.clear();
  sheet->functions.clear();
  return 0;
}

PyType_Slot kFunctionSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(VisitFunction)},
                                {Py_tp_clear, reinterpret_cast<void*>(ClearFunction)},
                                {0, nullptr}};
PyType_Slot kSheetSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(VisitSheet)},
                             {Py_tp_clear, reinterpret_cast<void*>(ClearSheet)},
                             {0, nullptr}};

// [exceptions]
void Raise(const char* name, const char* text, nb::kwargs fields) {
  const nb::object cls = nb::module_::import_("spreadsheet_nb.errors").attr(name);
  const nb::object error = cls(text, **fields);
  PyErr_SetObject(cls.ptr(), error.ptr());
}

void Translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const ParseError& error) {
    nb::kwargs fields;
    fields["formula"] = error.formula;
    fields["position"] = error.position;
    Raise("ParseError", error.what(), fields);
  } catch (const CycleError& error) {
    nb::kwargs fields;
    fields["path"] = error.path;
    Raise("CycleError", error.what(), fields);
  } catch (const SheetError& error) {
    Raise("SheetError", error.what(), nb::kwargs());
  }
}

}  // namespace

// [module]
NB_MODULE(_engine, m) {
  nb::intrusive_init(
      [](PyObject* o) noexcept {
        const nb::gil_scoped_acquire gil;
        Py_INCREF(o);
      },
      [](PyObject* o) noexcept {
        const nb::gil_scoped_acquire gil;
        Py_DECREF(o);
      });
  // [exceptions]
  nb::register_exception_translator(Translate);
  // [enums]
  nb::enum_<Op>(m, "Op", nb::is_arithmetic(), "An operator of formulas.")
      .value("ADD", Op::kAdd)
      .value("SUB", Op::kSub)
      .value("MUL", Op::kMul)
      .value("DIV", Op::kDiv)
      .value("POW", Op::kPow)
      .value("CONCAT", Op::kConcat)
      .value("EQUAL", Op::kEqual)
      .value("LESS", Op::kLess)
      .value("GREATER", Op::kGreater);

  // [classes]
  nb::class_<nb::intrusive_base>(
      m, "Object",
      nb::intrusive_ptr<nb::intrusive_base>(
          [](nb::intrusive_base* o, PyObject* po) noexcept { o->set_self_py(po); }));
  nb::class_<ExprObj, nb::intrusive_base, PyNode<ExprObj>>(m, "Expr", nb::is_weak_referenceable(),
                                                           "A node of a formula.")
      .def(nb::init<>())
      // [subclass overrides]
      .def("evaluate", &ExprObj::evaluate, "sheet"_a, "The value of the node in a sheet.")
      .def("text", &ExprObj::text, "The node as in a formula.")
      // [methods]
      .def("__str__", &ExprObj::text)
      // [operators]
      .def("__add__", &Forward<Op::kAdd>, nb::is_operator())
      .def("__radd__", &Reflected<Op::kAdd>, nb::is_operator())
      .def("__sub__", &Forward<Op::kSub>, nb::is_operator())
      .def("__rsub__", &Reflected<Op::kSub>, nb::is_operator())
      .def("__mul__", &Forward<Op::kMul>, nb::is_operator())
      .def("__rmul__", &Reflected<Op::kMul>, nb::is_operator())
      .def("__truediv__", &Forward<Op::kDiv>, nb::is_operator())
      .def("__rtruediv__", &Reflected<Op::kDiv>, nb::is_operator())
      .def("__pow__", &Forward<Op::kPow>, nb::is_operator())
      .def("__neg__", [](const Expr& a) { return Reflected<Op::kSub>(a, 0.0); });
  // [classes]
  nb::class_<NumberObj, ExprObj, PyNode<NumberObj>>(m, "Number", "A number.")
      .def_ro("value", &NumberObj::value)
      .def(nb::init<double>(), "value"_a);
  nb::class_<TextObj, ExprObj, PyNode<TextObj>>(m, "Text", "A text.")
      .def_ro("value", &TextObj::value)
      .def(nb::init<std::string>(), "value"_a);
  nb::class_<ReferenceObj, ExprObj, PyNode<ReferenceObj>>(m, "Reference", "The value of a cell.")
      .def_ro("address", &ReferenceObj::address)
      .def(nb::init<Address>(), "address"_a);
  nb::class_<RangeObj, ExprObj, PyNode<RangeObj>>(m, "Range", "The cells of a rectangle.")
      .def_ro("first", &RangeObj::first, "the cell at the top left")
      .def_ro("last", &RangeObj::last, "the cell at the bottom right")
      .def(nb::init<Address, Address>(), "first"_a, "last"_a)
      // [iteration]
      .def("__len__", &RangeObj::size)
      .def("__iter__", [](const RangeObj& range) { return nb::iter(nb::cast(range.Addresses())); });
  // [classes]
  nb::class_<BinaryObj, ExprObj, PyNode<BinaryObj>>(m, "Binary", "An operator and its operands.")
      .def_ro("op", &BinaryObj::op)
      .def_ro("lhs", &BinaryObj::lhs)
      .def_ro("rhs", &BinaryObj::rhs)
      .def(nb::init<Op, Expr, Expr>(), "op"_a, "lhs"_a, "rhs"_a);
  nb::class_<CallObj, ExprObj, PyNode<CallObj>>(m, "Call", "A call of a function.")
      .def_ro("name", &CallObj::name)
      .def_ro("args", &CallObj::args)
      .def(nb::init<std::string, std::vector<Expr>>(), "name"_a, "args"_a = std::vector<Expr>());
  nb::class_<FunctionObj, nb::intrusive_base, PyFunction>(
      m, "Function", nb::is_weak_referenceable(), nb::type_slots(kFunctionSlots),
      "A function of formulas: a callback, or a subclass with `evaluate`.")
      .def_ro("name", &FunctionObj::name)
      .def_ro("callback", &FunctionObj::callback)
      .def(nb::init<std::string, nb::object>(), "name"_a, "callback"_a = nb::none())
      // [subclass overrides]
      .def("evaluate", &FunctionObj::evaluate, "args"_a, "The value of a call.");
  // [classes]
  nb::class_<CellObj, nb::intrusive_base>(m, "Cell", nb::dynamic_attr(),
                                          nb::is_weak_referenceable(), "A cell that is not empty.")
      .def_ro("address", &CellObj::address)
      .def_ro("expr", &CellObj::expr)
      .def(nb::init<Address, Expr>(), "address"_a, "expr"_a);
  nb::class_<SheetObj, nb::intrusive_base, PySheet>(m, "Sheet", nb::is_weak_referenceable(),
                                                    nb::type_slots(kSheetSlots),
                                                    "Cells, functions and listeners.")
      .def_ro("cells", &SheetObj::cells, "the cells by address")
      .def_ro("functions", &SheetObj::functions, "functions of its own, by name")
      .def_ro("listeners", &SheetObj::listeners, "are called with the addresses that changed")
      .def_ro("history", &SheetObj::history, "what undo() returns to")
      .def(nb::init<Cells, std::map<std::string, Function>, std::vector<nb::object>>(),
           "cells"_a = Cells(), "functions"_a = std::map<std::string, Function>(),
           "listeners"_a = std::vector<nb::object>())
      // [operators]
      .def("__getitem__", &SheetObj::Get)
      .def("__setitem__", &SheetObj::Set)
      .def("__delitem__", &SheetObj::Erase)
      .def("__len__", [](const SheetObj& sheet) { return sheet.cells.size(); })
      .def("__contains__",
           [](const SheetObj& sheet, Address at) { return sheet.cells.contains(at); })
      // [iteration]
      .def("__iter__",
           [](const SheetObj& sheet) {
             std::vector<Cell> cells;
             for (const auto& [address, cell] : sheet.cells) cells.push_back(cell);
             return nb::iter(nb::cast(cells));
           })
      // [methods]
      .def("cell", &SheetObj::Find, "address"_a, "The cell of an address.")
      .def("define", &SheetObj::Define, "function"_a, "Adds a function.")
      .def(
          "define",
          [](SheetObj& sheet, const std::string& name, nb::callable callback) {
            sheet.Define(new FunctionObj(name, std::move(callback)));
          },
          "name"_a, "callback"_a)
      .def(
          "listen",
          [](SheetObj& sheet, nb::callable f) { sheet.listeners.push_back(std::move(f)); },
          "listener"_a, "Calls a function with the addresses that a change concerns.")
      .def("checkpoint", &SheetObj::Checkpoint, "Keeps a copy of the cells for undo().")
      .def("undo", &SheetObj::Undo, "Returns to the last checkpoint; False if there is none.")
      .def("display", &SheetObj::Display, "address"_a, "A value as text, made by format().")
      // [subclass overrides]
      .def("format", &SheetObj::format, "value"_a.none(), "A value as text.")
      // [methods]
      .def_prop_ro(
          "computed", [](const SheetObj& sheet) { return sheet.tracker.computed(); },
          "How many values were computed, not remembered.");
  m.def("parse", &Parse, "formula"_a, "Parses a formula without its =.");
}

}  // namespace spreadsheet
