// SPDX-License-Identifier: Apache-2.0
// ExprFunctor, ExprVisitor and ExprMutator: which method is called, what is copied, bad input.
// clang reports each override that hides the methods of other nodes, which is meant.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverloaded-virtual"
#endif

#include "tain/graph/functor.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "helpers/error_of.h"
#include "tain/graph/visit.h"
#include "tain/tain.h"

using namespace tain_test;
using tain::Any;
using tain::Array;
using tain::Optional;

namespace {

struct TermObj : tain::Object {
  TAIN_OBJECT("functor_test.Term", TermObj, tain::Object);
};
using Term = tain::Ref<TermObj>;
struct LeafObj : TermObj {
  int64_t value = 0;
  explicit LeafObj(int64_t value) : value(value) {}
  TAIN_OBJECT("functor_test.Leaf", LeafObj, TermObj);
};
struct PairObj : TermObj {
  Term left, right;
  PairObj(Term left, Term right) : left(std::move(left)), right(std::move(right)) {}
  TAIN_OBJECT("functor_test.Pair", PairObj, TermObj);
};
struct ManyObj : TermObj {
  Array<Term> terms;
  Optional<Term> more;
  TAIN_OBJECT("functor_test.Many", ManyObj, TermObj);
};
/// Derives from Pair; no functor lists it.
struct TwinObj : PairObj {
  using PairObj::PairObj;
  TAIN_OBJECT("functor_test.Twin", TwinObj, PairObj);
};

TAIN_REGISTER {
  using tain::reflection::ObjectDef;
  ObjectDef<TermObj>();
  ObjectDef<LeafObj>().def_ro("value", &LeafObj::value);
  ObjectDef<PairObj>().def_ro("left", &PairObj::left).def_ro("right", &PairObj::right);
  ObjectDef<ManyObj>().def_ro("terms", &ManyObj::terms).def_ro("more", &ManyObj::more);
  ObjectDef<TwinObj>();
}

Term Leaf(int64_t value) { return tain::make_object<LeafObj>(value); }
Term Pair(Term a, Term b) { return tain::make_object<PairObj>(std::move(a), std::move(b)); }

int64_t ValueOf(const Term& term) {
  const auto* leaf = term.as<LeafObj>();
  return leaf == nullptr ? -1 : leaf->value;
}

class Sum : public tain::ExprFunctor<int64_t(const Term&, int64_t), LeafObj, PairObj> {
  int64_t VisitExpr_(const LeafObj* op, int64_t factor) override { return op->value * factor; }
  int64_t VisitExpr_(const PairObj* op, int64_t factor) override {
    return VisitExpr(op->left, factor) + VisitExpr(op->right, factor);
  }
};

/// Notes what it visits.
class Notes : public tain::ExprVisitor<Term, LeafObj, PairObj> {
 public:
  std::vector<std::string> notes;
  void VisitExpr_(const LeafObj* op) override { notes.push_back(std::to_string(op->value)); }
  void VisitExprDefault_(const tain::Object* op) override {
    notes.push_back(op->GetTypeKey().substr(13));
    ExprVisitor::VisitExprDefault_(op);
  }
};

class Increment : public tain::ExprMutator<Term, LeafObj> {
 public:
  int calls = 0;
  Term VisitExpr_(const LeafObj* op) override {
    ++calls;
    return op->value < 0 ? tain::GetRef<Term>(op) : Leaf(op->value + 1);
  }
};

/// Goes through VisitExpr, and through the default of PairObj.
class Logged : public tain::ExprMutator<Term, LeafObj, PairObj> {
 public:
  std::vector<std::string> log;
  Term VisitExpr(const Term& term) override {
    log.push_back("expr");
    return ExprMutator::VisitExpr(term);
  }
  Term VisitExpr_(const PairObj* op) override {
    log.push_back("pair");
    return ExprMutator::VisitExpr_(op);
  }
};

using Notable = std::vector<std::string>;

}  // namespace

TEST_CASE("a functor with arguments calls the method of the nearest listed class") {
  Sum sum;
  CHECK(sum(Pair(Leaf(1), Leaf(2)), 10) == 30);
  CHECK(sum(tain::make_object<TwinObj>(Leaf(3), Leaf(4)), 1) == 7);
  CHECK(ErrorOf([&] { sum(Term(tain::make_object<ManyObj>()), 1); }) ==
        "TypeError: the functor has no VisitExpr_ for functor_test.Many");
}

TEST_CASE("a visitor goes through fields, containers and optionals") {
  auto many = tain::make_object<ManyObj>();
  many->terms = {Leaf(1), Pair(Leaf(2), Leaf(3))};
  many->more = Leaf(4);
  Notes visitor;
  visitor.Visit(Term(many));
  CHECK(visitor.notes == Notable{"Many", "1", "Pair", "2", "3", "4"});
  visitor.notes.clear();
  visitor.Visit(many->terms);
  CHECK(visitor.notes == Notable{"1", "Pair", "2", "3"});
  visitor.notes.clear();
  visitor.Visit(Optional<Term>());
  CHECK(visitor.notes.empty());
}

TEST_CASE("a shared node is visited once in one call, and again in the next") {
  const Term shared = Leaf(1);
  const Term pair = Pair(shared, shared);
  Notes visitor;
  visitor.Visit(pair);
  CHECK(visitor.notes == Notable{"Pair", "1"});
  visitor.Visit(pair);
  CHECK(visitor.notes == Notable{"Pair", "1", "Pair", "1"});
}

TEST_CASE("a copy of a visitor begins anew") {
  Notes visitor;
  visitor.Visit(Leaf(1));
  Notes copy = visitor;
  copy.Visit(Leaf(2));
  CHECK(copy.notes == Notable{"1", "2"});
}

TEST_CASE("a mutator copies what changes and keeps the rest") {
  const Term same = Pair(Leaf(-1), Leaf(-2));
  const Term pair = Pair(same, Leaf(1));
  const Term made = Increment().Mutate(pair);
  CHECK_FALSE(made.same_as(pair));
  CHECK(made.as<PairObj>()->left.same_as(same));
  CHECK(ValueOf(made.as<PairObj>()->right) == 2);
  CHECK(ValueOf(pair.as<PairObj>()->right) == 1);
  CHECK(Increment().Mutate(same).same_as(same));
}

TEST_CASE("a graph that is moved in is changed in place where nobody else refers to it") {
  Term kept = Pair(Leaf(1), Leaf(2));
  Term pair = Pair(kept, Pair(Leaf(3), Leaf(4)));
  const tain::Object* outer = pair.get();
  const tain::Object* inner = pair.as<PairObj>()->right.get();
  const Term made = Increment().Mutate(std::move(pair));
  CHECK(made.get() == outer);
  CHECK(made.as<PairObj>()->right.get() == inner);
  CHECK(ValueOf(made.as<PairObj>()->right.as<PairObj>()->left) == 4);
  CHECK_FALSE(made.as<PairObj>()->left.same_as(kept));
  CHECK(ValueOf(kept.as<PairObj>()->left) == 1);
}

TEST_CASE("a method that calls the default changes in place too") {
  class Through : public tain::ExprMutator<Term, LeafObj, PairObj> {
   public:
    Term VisitExpr_(const LeafObj* op) override { return Leaf(op->value + 1); }
    Term VisitExpr_(const PairObj* op) override { return ExprMutator::VisitExpr_(op); }
  };
  Term pair = Pair(Leaf(1), Pair(Leaf(2), Leaf(3)));
  const tain::Object* outer = pair.get();
  const Term made = Through().Mutate(std::move(pair));
  CHECK(made.get() == outer);
  CHECK(ValueOf(made.as<PairObj>()->right.as<PairObj>()->right) == 4);
}

TEST_CASE("a shared node is mutated once, and its result is shared") {
  const Term shared = Leaf(1);
  Increment mutator;
  const Term made = mutator.Mutate(Pair(Pair(shared, shared), shared));
  CHECK(mutator.calls == 1);
  CHECK(made.as<PairObj>()->right.same_as(made.as<PairObj>()->left.as<PairObj>()->left));
}

TEST_CASE("VisitExpr can be overridden") {
  Logged mutator;
  const Term pair = Pair(Leaf(1), Leaf(2));
  CHECK(mutator.Mutate(pair).same_as(pair));
  CHECK(mutator.log == Notable{"expr", "pair", "expr", "expr"});
}

TEST_CASE("values with nodes in them can be mutated") {
  const Array<Term> terms{Leaf(1), Leaf(-1)};
  const Array<Term> made = Increment().Mutate(terms);
  CHECK(ValueOf(made[0]) == 2);
  CHECK(made[1].same_as(terms[1]));
  CHECK_FALSE(Increment().Mutate(Optional<Term>()).has_value());
}

TEST_CASE("empty handles") {
  Term moved = Leaf(1);
  const Term taken = std::move(moved);
  const std::string text = "ValueError: visit: expected functor_test.Term, got an empty handle";
  CHECK(ErrorOf([&] { Notes().Visit(moved); }) == text);
  CHECK(ErrorOf([&] { Increment().Mutate(moved); }) == text);
  CHECK(ErrorOf([&] { Sum()(moved, 1); }) == text);
  class Any_ : public tain::ExprMutator<tain::ObjectRef, LeafObj> {};
  CHECK_FALSE(Any_().Mutate(tain::ObjectRef()).defined());
}

TEST_CASE("a result of another class is an error that names it") {
  class Wrong : public tain::ExprMutator<Term, LeafObj> {
   public:
    Term VisitExpr_(const LeafObj*) override { return Term(tain::UnsafeInit{}); }
  };
  CHECK(
      ErrorOf([] { Wrong().Mutate(Leaf(1)); }) ==
      "TypeError: mutate: in the place of functor_test.Leaf: expected functor_test.Term, got None");
  CHECK(ErrorOf([] { Wrong().Mutate(Pair(Leaf(1), Leaf(2))); }).substr(0, 31) ==
        "TypeError: functor_test.Pair.le");
}

TEST_CASE("an error in a method leaves the mutator usable") {
  class Fails : public tain::ExprMutator<Term, LeafObj> {
   public:
    bool fails = true;
    Term VisitExpr_(const LeafObj* op) override {
      if (fails) TAIN_THROW(ValueError) << "no";
      return Leaf(op->value + 1);
    }
  };
  Fails mutator;
  const Term shared = Leaf(1);
  const Term pair = Pair(shared, shared);
  CHECK(ErrorOf([&] { mutator.Mutate(pair); }) == "ValueError: no");
  mutator.fails = false;
  CHECK(ValueOf(mutator.Mutate(pair).as<PairObj>()->left) == 2);
}

TEST_CASE("functions visit and rewrite a graph") {
  const Term graph = Pair(Leaf(1), Pair(Leaf(2), Leaf(3)));
  int64_t sum = 0, nodes = 0;
  tain::PostOrderVisit(graph, [&](const Any& node) {
    if (const auto* leaf = node.as<LeafObj>()) sum += leaf->value;
  });
  tain::PreOrderVisit(graph, [&](const Any& node) {
    ++nodes;
    return node.as<LeafObj>() == nullptr && nodes < 3;
  });
  CHECK(sum == 6);
  CHECK(nodes == 3);
  const Term made = tain::Rewrite(graph, [](const Any& node) -> Any {
    const auto* leaf = node.as<LeafObj>();
    return leaf == nullptr ? Any() : Any(Leaf(leaf->value * 10));
  });
  CHECK(ValueOf(made.as<PairObj>()->left) == 10);
  CHECK(ValueOf(graph.as<PairObj>()->left) == 1);
}
