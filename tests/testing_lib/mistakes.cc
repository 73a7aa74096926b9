// SPDX-License-Identifier: Apache-2.0
// What an author may get wrong without a compiler's or loader's help: objects that were not made by
// make_object, classes without a description, null handles, containers of the wrong elements.
#define TAIN_CHECK_NULL 1  // as in a build without NDEBUG

#include <memory>

#include "testing_types.h"

namespace tain_testing {
namespace {

using tain::Function;
using tain::Ptr;
using tain::Ref;

/// Hands itself to a function while it is made.
struct EagerObj : tain::Object {
  int64_t value = 1;
  EagerObj() = default;
  explicit EagerObj(const Function& f) { f(this); }
  TAIN_OBJECT("testing.Eager", EagerObj, tain::Object);
};

/// Keeps objects in fields of each kind.
struct KeeperObj : tain::Object {
  Ptr<EagerObj> direct;
  tain::ObjectRef any_object;
  tain::Optional<Ref<EagerObj>> maybe;
  std::string text() const { return direct->value == 1 ? "one" : "other"; }
  TAIN_OBJECT("testing.Keeper", KeeperObj, tain::Object);
};

/// An object that is never made by make_object.
EagerObj* Static() {
  static EagerObj object;
  return &object;
}

/// A cell of a sheet.
struct CellObj : tain::Object {
  double value = 0;
  TAIN_OBJECT("testing.Cell", CellObj, tain::Object);
};
struct SheetObj : tain::Object {
  tain::Dict<tain::String, Ref<CellObj>> cells;
  tain::List<int64_t> numbers;
  tain::Dict<int64_t, tain::List<double>> rows;
  double At(const tain::String& key) const { return cells.at(key)->value; }
  double Get(const tain::String& key) const { return cells.Get(key).value()->value; }
  double Total() const {
    double sum = 0;
    for (const auto& [key, cell] : cells) sum += cell->value;
    return sum;
  }
  int64_t Number(int64_t i) const { return numbers[i]; }
  int64_t Sum() const {
    int64_t sum = 0;
    for (const int64_t number : numbers) sum += number;
    return sum;
  }
  double Row(int64_t row, int64_t i) const { return rows.at(row)[i]; }
  TAIN_OBJECT("testing.Sheet", SheetObj, tain::Object);
};
/// Has a sheet, which the call does not name.
struct BookObj : tain::Object {
  Ptr<SheetObj> sheet;
  double Total() const { return sheet->Total(); }
  TAIN_OBJECT("testing.Book", BookObj, tain::Object);
};

/// Nobody describes it; its child is described.
struct BareObj : tain::Object {
  int64_t value = 3;
  TAIN_OBJECT("testing.Undescribed", BareObj, tain::Object);
};
struct BareChildObj : BareObj {
  TAIN_OBJECT("testing.UndescribedChild", BareChildObj, BareObj);
};

/// Constructed without arguments, and read-only, or with nothing to give.
struct TickObj : tain::Object {
  int64_t ticks = 7;
  int64_t Next() { return ++ticks; }
  TAIN_OBJECT("testing.Tick", TickObj, tain::Object);
};
struct TitleObj : tain::Object {
  tain::String title = "none";
  int64_t size = 1;
  TAIN_OBJECT("testing.Title", TitleObj, tain::Object);
};
struct SealedObj : tain::Object {
  int64_t a = 1;
  TAIN_OBJECT("testing.Sealed", SealedObj, tain::Object);
};

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<EagerObj>().def_rw("value", &EagerObj::value).def_init<>().def_init<Function>();
  refl::ObjectDef<KeeperObj>()
      .def_rw("direct", &KeeperObj::direct)
      .def_rw("any_object", &KeeperObj::any_object)
      .def_rw("maybe", &KeeperObj::maybe)
      .def_property("again", [](const KeeperObj& self) { return self.direct; })
      .def("text", &KeeperObj::text)
      .def_init<>();
  refl::ObjectDef<CellObj>().def_rw("value", &CellObj::value).def_init_fields();
  refl::ObjectDef<SheetObj>()
      .def_rw("cells", &SheetObj::cells)
      .def_rw("numbers", &SheetObj::numbers)
      .def_rw("rows", &SheetObj::rows)
      .def("at", &SheetObj::At, arg("key"))
      .def("get", &SheetObj::Get, arg("key"))
      .def("total", &SheetObj::Total)
      .def("number", &SheetObj::Number, arg("i"))
      .def("sum", &SheetObj::Sum)
      .def("row", &SheetObj::Row, arg("row"), arg("i"))
      .def_init<>();
  refl::ObjectDef<BookObj>()
      .def_rw("sheet", &BookObj::sheet)
      .def("total", &BookObj::Total)
      .def_init<>();
  refl::ObjectDef<BareChildObj>().def_rw("value", &BareChildObj::value).def_init<>();
  refl::ObjectDef<TickObj>()
      .def_rw("ticks", &TickObj::ticks)
      .def("next", &TickObj::Next)
      .def_init<>();
  refl::ObjectDef<TitleObj>()
      .def_ro("title", &TitleObj::title, "Its title.")
      .def_rw("size", &TitleObj::size)
      .def_init_fields();
  refl::ObjectDef<SealedObj>(tain::frozen()).def_ro("a", &SealedObj::a).def_init_fields();
  refl::GlobalDef()
      .def("testing.undescribed", [] { return tain::make_object<BareObj>(); })
      .def("testing.unmade_pointer", [] { return Static(); })
      .def("testing.unmade_const_pointer", []() -> const EagerObj* { return Static(); })
      .def("testing.unmade_reference", []() -> EagerObj& { return *Static(); })
      .def("testing.unmade_ptr", [] { return Ptr<EagerObj>(Static()); })
      .def("testing.unmade_ref", [] { return tain::GetRef<Ref<EagerObj>>(Static()); })
      .def("testing.unmade_optional",
           [] { return tain::Optional<Ref<EagerObj>>(Ptr<EagerObj>(Static())); })
      .def("testing.unmade_any", [] { return tain::Any(Static()); })
      .def("testing.unmade_array",
           [] { return tain::Array<Ref<EagerObj>>{Ref<EagerObj>(Ptr<EagerObj>(Static()))}; })
      .def(
          "testing.unmade_argument", [](const Function& f) { return f(*Static()); }, arg("f"))
      .def("testing.unmade_packed",
           Function::FromPacked([](tain::Args) -> tain::Any { return Static(); }))
      .def("testing.unmade_use_count", [] { return int64_t{Static()->use_count()}; })
      .def(
          "testing.keep_unmade",
          [](KeeperObj& keeper, const std::string& field) {
            if (field == "direct") keeper.direct = Ptr<EagerObj>(Static());
            if (field == "any_object") {
              keeper.any_object = tain::ObjectRef(Ptr<tain::Object>(Static()));
            }
            if (field == "none") keeper.direct = nullptr, keeper.any_object = tain::ObjectRef();
          },
          arg("keeper"), arg("field"))
      .def(
          "testing.sheet_total", [](const Ref<SheetObj>& sheet) { return sheet->Total(); },
          arg("sheet"))
      .def(
          "testing.lone_dict",
          [](const tain::Dict<tain::String, tain::Any>& values) {
            tain::Dict<tain::Any, tain::Any> anything;
            for (const auto& [key, value] : values) anything.Set(key, value);
            const tain::Any held = anything;
            const auto typed = tain::internal::RefAccess::Make<tain::Dict<tain::String, int64_t>>(
                tain::internal::RefAccess::Share<tain::Object>(held.data().v_obj));
            int64_t sum = 0;
            for (const auto& [key, value] : typed) sum += value;
            return sum;
          },
          arg("values"))
      .def(
          "testing.null_access",
          [](const std::string& how) -> int64_t {
            Ptr<EagerObj> ptr;
            Ref<EagerObj> ref = tain::make_object<EagerObj>();
            const Ref<EagerObj> taken = std::move(ref);
            if (how == "Ptr->") return ptr->value;
            if (how == "*Ptr") return (*ptr).value;
            if (how == "Ref->") return ref->value;  // NOLINT: moved from on purpose
            if (how == "*Ref") return (*ref).value;
            return taken->value;
          },
          arg("how"));
}

}  // namespace tain_testing
