// SPDX-License-Identifier: Apache-2.0
// testing.SheetError, testing.CycleError: exception classes of C++ that Python knows.
#include <stdexcept>

#include "tain/reflection/error_def.h"
#include "tain/stl.h"
#include "testing_types.h"

namespace tain_testing {
namespace {

struct SheetError : std::runtime_error {
  using std::runtime_error::runtime_error;
  int64_t row = 0;
};
struct CycleError : SheetError {
  using SheetError::SheetError;
  std::vector<std::string> cells;
};
/// No class can derive from it.
struct ClosedError final : std::exception {
  const char* what() const noexcept override { return "closed"; }
};

[[noreturn]] void ThrowCycle(int64_t row) {
  CycleError error("a cycle");
  error.row = row;
  error.cells = {"A1", "B2"};
  throw error;
}

/// Calls back and says what it caught.
std::string Catch(const tain::Function& raise) {
  try {
    raise();
  } catch (const CycleError& error) {
    std::string text = std::string("CycleError ") + error.what() + " " + std::to_string(error.row);
    for (const std::string& cell : error.cells) text += " " + cell;
    return text;
  } catch (const SheetError& error) {
    return std::string("SheetError ") + error.what() + " " + std::to_string(error.row);
  } catch (const ClosedError&) {
    return "ClosedError";
  } catch (const tain::Error& error) {
    return "Error " + error.kind();
  }
  return "nothing";
}

/// Calls back, and throws what it caught again, with another cell if `cell` is not empty.
void ChangeCaught(const tain::Function& raise, const std::string& cell) {
  try {
    raise();
  } catch (CycleError& error) {
    if (!cell.empty()) error.cells.push_back(cell);
    throw;
  } catch (SheetError& error) {
    if (!cell.empty()) error.row = static_cast<int64_t>(cell.size());
    throw;
  }
}

/// Its constructor refuses some messages.
struct PickyError : std::runtime_error {
  explicit PickyError(const std::string& text) : std::runtime_error(text) {
    if (text.empty()) throw std::invalid_argument("no text");
  }
};
/// It derives from a class that is caught before all others.
struct ArenaError : std::bad_alloc {
  int64_t wanted = 0;
  const char* what() const noexcept override { return "the arena is full"; }
};

}  // namespace
}  // namespace tain_testing

TAIN_REGISTER {
  using namespace tain_testing;
  namespace refl = tain::reflection;
  refl::ErrorDef<SheetError>("testing.SheetError", "ValueError", "A sheet is wrong.")
      .def_ro("row", &SheetError::row, "The row.");
  refl::ErrorDef<CycleError>("testing.CycleError", "testing.SheetError", "A cell needs itself.")
      .def_ro("cells", &CycleError::cells, "The cells of the cycle.");
  refl::ErrorDef<ClosedError>("testing.ClosedError");
  refl::ErrorDef<PickyError>("testing.PickyError");
  refl::ErrorDef<ArenaError>("testing.ArenaError", "MemoryError")
      .def_ro("wanted", &ArenaError::wanted, "How many bytes were wanted.");
  refl::GlobalDef()
      .def("testing.throw_cycle", &ThrowCycle, tain::arg("row"))
      .def("testing.bound_cycle", []() { ThrowCycle(1); })
      .def("testing.throw_sheet", []() { throw SheetError("a sheet"); })
      .def("testing.throw_closed", []() { throw ClosedError(); })
      .def("testing.throw_arena",
           []() {
             ArenaError error;
             error.wanted = 64;
             throw error;
           })
      .def("testing.change_caught", &ChangeCaught, tain::arg("raise"), tain::arg("cell") = "")
      .def("testing.catch_defined", &Catch, tain::arg("raise"))
      .def(
          "testing.pass_through", [](const tain::Function& raise) { raise(); }, tain::arg("raise"));
}
