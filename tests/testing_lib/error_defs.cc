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
  refl::GlobalDef()
      .def("testing.throw_cycle", &ThrowCycle, tain::arg("row"))
      .def("testing.throw_sheet", []() { throw SheetError("a sheet"); })
      .def("testing.throw_closed", []() { throw ClosedError(); })
      .def("testing.catch_defined", &Catch, tain::arg("raise"))
      .def(
          "testing.pass_through", [](const tain::Function& raise) { raise(); }, tain::arg("raise"));
}
