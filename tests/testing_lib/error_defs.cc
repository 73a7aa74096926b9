// SPDX-License-Identifier: Apache-2.0
// testing.SheetError, testing.CycleError: exception classes of C++ that Python knows.
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "tain/reflection/enum_def.h"
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

enum class Tint { kRed = 1, kGreen = 2, kBlue = 4 };

/// Fields whose values in Python are of other types than those that C++ passes.
struct TypedError : std::runtime_error {
  using std::runtime_error::runtime_error;
  Tint color = Tint::kGreen;
  std::pair<int64_t, std::string> place{1, "A"};
  std::optional<int8_t> small = 7;
  tain::List<int64_t> marks{1, 2};
  tain::Any anything = "any";
  const char* view = "a view";
  const int64_t length = static_cast<int64_t>(std::string_view(what()).size());
};

/// A class as other libraries have them: no message alone makes it.
struct ParseError : std::runtime_error {
  ParseError(const std::string& text, int64_t at) : std::runtime_error(text), line(at) {}
  const int64_t line;
};
/// The same, and its ErrorDef says nothing of how to make it.
struct UnmadeError : ParseError {
  using ParseError::ParseError;
};

std::string CatchMade(const tain::Function& raise) {
  try {
    raise();
  } catch (const TypedError& e) {
    std::string text = std::string("TypedError ") + e.what() + " " +
                       std::to_string(static_cast<int>(e.color)) + " " +
                       std::to_string(e.place.first) + e.place.second + " " +
                       (e.small ? std::to_string(*e.small) : "none");
    for (int64_t mark : e.marks) text += " " + std::to_string(mark);
    return text + " " + e.view + " " + std::to_string(e.length);
  } catch (const UnmadeError& e) {
    return std::string("UnmadeError ") + e.what();
  } catch (const ParseError& e) {
    return std::string("ParseError ") + e.what() + " " + std::to_string(e.line);
  } catch (const tain::Error& e) {
    return "Error " + e.kind() + " " + e.message();
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
  refl::ErrorDef<PickyError>("testing.PickyError");
  refl::ErrorDef<ArenaError>("testing.ArenaError", "MemoryError")
      .def_ro("wanted", &ArenaError::wanted, "How many bytes were wanted.");
  refl::EnumDef<Tint>("testing.Tint")
      .value("RED", Tint::kRed)
      .value("GREEN", Tint::kGreen)
      .value("BLUE", Tint::kBlue);
  refl::ErrorDef<TypedError>("testing.TypedError")
      .def_init(std::function<TypedError(const std::string&)>())  // empty: as if it were not given
      .def_rw("color", &TypedError::color)
      .def_rw("place", &TypedError::place)
      .def_rw("small", &TypedError::small)
      .def_rw("marks", &TypedError::marks)
      .def_rw("anything", &TypedError::anything)
      .def_ro("view", &TypedError::view)
      .def_ro("length", &TypedError::length);
  refl::ErrorDef<ParseError>("testing.ParseError")
      .def_init([](const std::string& text, const tain::Map<tain::String, tain::Any>& fields) {
        if (text == "refused") throw std::invalid_argument("the factory refuses");
        const auto line = fields.find("line");
        return ParseError(text, line == fields.end() ? 1 : (*line).second.cast<int64_t>());
      })
      .def_ro("line", &ParseError::line);
  refl::ErrorDef<UnmadeError>("testing.UnmadeError", "testing.ParseError");
  refl::GlobalDef()
      .def("testing.catch_made", &CatchMade, tain::arg("raise"))
      .def("testing.throw_typed", []() { throw TypedError("typed"); })
      .def("testing.throw_parse", []() { throw ParseError("parsed", 12); })
      .def("testing.throw_unmade", []() { throw UnmadeError("unmade", 13); })
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
