// SPDX-License-Identifier: Apache-2.0
// Every kind of callable becomes a Function, and its parameters take what they say they take.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "helpers/error_of.h"
#include "tain/function.h"

using tain::AnyView;
using tain::Args;
using tain::Function;
using tain_test::ErrorOf;

namespace {

int64_t Twice(int64_t x) { return 2 * x; }
int64_t TwiceNoexcept(int64_t x) noexcept { return 2 * x; }

struct Functor {
  int64_t operator()(int64_t x) { return x + 1; }
};
struct ConstFunctor {
  int64_t operator()(int64_t x) const noexcept { return x + 2; }
};
struct LvalueFunctor {
  int64_t operator()(int64_t x) & { return x + 3; }
};
/// Overloaded, so it needs a choice.
struct Overloaded {
  int64_t operator()(int64_t x) const { return x; }
  double operator()(double x) const { return x; }
};

struct CellObj : tain::Object {
  int64_t value = 10;
  explicit CellObj(int64_t value) : value(value) {}
  int64_t Plain(int64_t x) { return value += x; }
  int64_t Const(int64_t x) const { return value + x; }
  int64_t Lvalue(int64_t x) & { return value + x; }
  int64_t ConstLvalue(int64_t x) const& { return value + x; }
  int64_t Rvalue(int64_t x) && { return value + x; }
  int64_t ConstRvalue(int64_t x) const&& { return value + x; }
  int64_t Noexcept(int64_t x) noexcept { return value + x; }
  int64_t ConstNoexcept(int64_t x) const noexcept { return value + x; }
  int64_t LvalueNoexcept(int64_t x) & noexcept { return value + x; }
  int64_t ConstLvalueNoexcept(int64_t x) const& noexcept { return value + x; }
  int64_t RvalueNoexcept(int64_t x) && noexcept { return value + x; }
  int64_t ConstRvalueNoexcept(int64_t x) const&& noexcept { return value + x; }
  static int64_t Static(int64_t x) { return x * 100; }
  TAIN_OBJECT("cpp_test.callable.Cell", CellObj, tain::Object);
};
struct ChildCellObj : CellObj {
  ChildCellObj() : CellObj(20) {}
  TAIN_OBJECT("cpp_test.callable.ChildCell", ChildCellObj, CellObj);
};
struct OtherObj : tain::Object {
  TAIN_OBJECT("cpp_test.callable.Other", OtherObj, tain::Object);
};
using Cell = tain::Ref<CellObj>;

Cell MakeCell(int64_t value) { return tain::make_object<CellObj>(value); }

int64_t CallInt(const Function& f, int64_t x) { return f(x).cast<int64_t>(); }

}  // namespace

TEST_CASE("functions and pointers to them are callable") {
  CHECK(CallInt(Twice, 3) == 6);
  CHECK(CallInt(&Twice, 3) == 6);
  CHECK(CallInt(&TwiceNoexcept, 3) == 6);
  CHECK(CallInt(&CellObj::Static, 3) == 300);
}

TEST_CASE("function objects are callable, whatever their operator() says") {
  CHECK(CallInt(Functor{}, 3) == 4);
  CHECK(CallInt(ConstFunctor{}, 3) == 5);
  CHECK(CallInt(LvalueFunctor{}, 3) == 6);
  const ConstFunctor constant{};
  CHECK(CallInt(constant, 3) == 5);
  CHECK(CallInt([f = Overloaded{}](int64_t x) { return f(x); }, 3) == 3);
}

TEST_CASE("std::function is callable, and an empty one throws") {
  CHECK(CallInt(std::function<int64_t(int64_t)>(Twice), 4) == 8);
  const Function empty = std::function<int64_t(int64_t)>();
  CHECK_THROWS_AS(empty(1), tain::Error);
}

TEST_CASE("lambdas keep their state") {
  Function counter = [n = int64_t{0}](int64_t step) mutable { return n += step; };
  CHECK(CallInt(counter, 2) == 2);
  CHECK(CallInt(counter, 5) == 7);
  auto owned = std::make_shared<int>(1);
  {
    Function keeps = [owned]() { return static_cast<int64_t>(*owned); };
    CHECK(owned.use_count() == 2);
    CHECK(keeps().cast<int64_t>() == 1);
  }
  CHECK(owned.use_count() == 1);
  Function moved_only = [p = std::make_unique<int>(5)] { return static_cast<int64_t>(*p); };
  CHECK(moved_only().cast<int64_t>() == 5);
}

TEST_CASE("member functions take the object first, whatever their qualifiers") {
  const Cell cell = MakeCell(10);
  CHECK(Function(&CellObj::Plain)(cell, 1).cast<int64_t>() == 11);
  CHECK(Function(&CellObj::Const)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::Lvalue)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::ConstLvalue)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::Rvalue)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::ConstRvalue)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::Noexcept)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::ConstNoexcept)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::LvalueNoexcept)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::ConstLvalueNoexcept)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::RvalueNoexcept)(cell, 1).cast<int64_t>() == 12);
  CHECK(Function(&CellObj::ConstRvalueNoexcept)(cell, 1).cast<int64_t>() == 12);
}

TEST_CASE("a receiver may be a child, but nothing else") {
  const Function f = &CellObj::Const;
  CHECK(f(tain::make_object<ChildCellObj>(), 1).cast<int64_t>() == 21);
  CHECK(ErrorOf([&] { f(tain::make_object<OtherObj>(), 1); }) ==
        "TypeError: argument 0: expected cpp_test.callable.Cell, got cpp_test.callable.Other");
  CHECK(ErrorOf([&] { f(nullptr, 1); }) ==
        "TypeError: argument 0: expected cpp_test.callable.Cell, got None");
}

TEST_CASE("a parameter is taken by value, const reference or rvalue reference") {
  CHECK(Function([](std::string s) { return s + "!"; })("a").cast<std::string>() == "a!");
  CHECK(Function([](const std::string& s) { return s + "!"; })("a").cast<std::string>() == "a!");
  CHECK(Function([](std::string&& s) { return std::move(s) + "!"; })("a").cast<std::string>() ==
        "a!");
  CHECK(Function([](std::string_view s) { return std::string(s); })("a").cast<std::string>() ==
        "a");
  CHECK(Function([](const char* s) { return std::string(s); })("a").cast<std::string>() == "a");
  CHECK(Function([](const int64_t& x) { return x; })(7).cast<int64_t>() == 7);
  CHECK(Function([](int64_t&& x) { return x; })(7).cast<int64_t>() == 7);
}

TEST_CASE("objects are taken as T&, const T&, T*, Ref and Ptr, and keep their identity") {
  const Cell cell = MakeCell(1);
  const auto same = [&](const Function& f) { return f(cell).cast<Cell>().same_as(cell); };
  CHECK(same([](CellObj& c) -> CellObj& { return c; }));
  CHECK(same([](const CellObj& c) -> const CellObj& { return c; }));
  CHECK(same([](CellObj* c) { return c; }));
  CHECK(same([](const CellObj* c) { return c; }));
  CHECK(same([](Cell c) { return c; }));
  CHECK(same([](const Cell& c) { return c; }));
  CHECK(same([](Cell&& c) { return std::move(c); }));
  CHECK(same([](tain::Ptr<CellObj> c) { return c; }));
  CHECK(same([](tain::ObjectRef c) { return c; }));
  CHECK(cell.use_count() == 1);
}

TEST_CASE("None is a null pointer, but no reference") {
  CHECK(Function([](CellObj* c) { return c == nullptr; })(nullptr).cast<bool>());
  CHECK(Function([](tain::Ptr<CellObj> c) { return c == nullptr; })(nullptr).cast<bool>());
  CHECK(ErrorOf([] { Function([](CellObj&) {})(nullptr); }) ==
        "TypeError: argument 0: expected cpp_test.callable.Cell, got None");
  CHECK(ErrorOf([] { Function([](Cell) {})(nullptr); }) ==
        "TypeError: argument 0: expected cpp_test.callable.Cell, got None");
}

TEST_CASE("an rvalue reference is moved into a handle and only looked at by a reference") {
  const auto moved_count = [](const Function& f, Cell cell) {
    TainObject* slot = tain::internal::RefAccess::Release(cell);
    TainAny argument{};
    argument.type_index = kTainRValueRef;
    argument.v_ptr = &slot;
    const AnyView view(argument);
    const int64_t count = f.CallPacked(&view, 1).cast<int64_t>();
    const bool moved = slot == nullptr;
    if (!moved) TainObjectDecRef(slot);
    return std::pair(count, moved);
  };
  CHECK(moved_count([](Cell c) { return c.use_count(); }, MakeCell(1)) ==
        std::pair(int64_t{1}, true));
  CHECK(moved_count([](const CellObj& c) { return c.use_count(); }, MakeCell(1)) ==
        std::pair(int64_t{1}, false));
  CHECK(moved_count([](const CellObj* c) { return c->use_count(); }, MakeCell(1)) ==
        std::pair(int64_t{1}, false));
}

TEST_CASE("an rvalue reference that is empty says that it was moved") {
  TainObject* slot = nullptr;
  TainAny argument{};
  argument.type_index = kTainRValueRef;
  argument.v_ptr = &slot;
  const AnyView view(argument);
  const Function f = [](const CellObj&) {};
  CHECK(ErrorOf([&] { f.CallPacked(&view, 1); }) ==
        "TypeError: argument 0: expected cpp_test.callable.Cell, got an empty object (it was "
        "moved)");
}

TEST_CASE("the rest of the arguments is an Args") {
  const Function sum = [](int64_t start, Args rest) {
    for (int32_t i = 0; i < rest.size(); ++i) start += rest[i].cast<int64_t>();
    return start;
  };
  CHECK(sum(1).cast<int64_t>() == 1);
  CHECK(sum(1, 2, 3).cast<int64_t>() == 6);
  CHECK(ErrorOf([&] { sum(); }) == "TypeError: this function takes 1 argument but 0 were given");
  CHECK(ErrorOf([] { Function([](Args a) { a[1]; })(1); }) ==
        "IndexError: argument 1 of 1 arguments");
}
