// SPDX-License-Identifier: Apache-2.0
// The halves of ExprVisitor and ExprMutator that need no template: walks over graphs of objects.
//
// A walk knows the objects that it has open in a list, so nesting uses memory instead of the C
// stack. Before it goes through the parts of an object it calls the functor's methods for it. A
// method that nobody overrides only says so (Outcome::kDefault), and is not called again.
#pragma once

#include <atomic>
#include <memory>

#include "tain/any.h"
#include "tain/function.h"

namespace tain::internal {

/// Finds the listed class of a functor that is nearest to a type. There is one for each class of
/// functors; it learns the types as they are met, and is read without a lock.
class TypeDispatch {
 public:
  using IndexOf = int32_t (*)();
  constexpr TypeDispatch(const IndexOf* listed, int32_t count) noexcept
      : listed_(listed), count_(count) {}

  /// Returns 1 + the position of the nearest listed class, or 0 if no parent is listed.
  int32_t Find(int32_t type_index) {
    const Table* table = table_.load(std::memory_order_acquire);
    if (TAIN_LIKELY(table != nullptr && static_cast<uint32_t>(type_index) < table->size)) {
      const uint32_t known =
          table->cells[static_cast<size_t>(type_index)].load(std::memory_order_relaxed);
      if (TAIN_LIKELY(known != 0)) return static_cast<int32_t>(known) - 1;
    }
    return Learn(type_index);
  }

 private:
  struct Table {
    uint32_t size;
    std::unique_ptr<std::atomic<uint32_t>[]> cells;  ///< 1 + what Find returns; 0 is unknown
    Table* previous;                                 ///< may still be read
  };
  TAIN_DLL int32_t Learn(int32_t type_index);

  const IndexOf* listed_;
  int32_t count_;
  std::atomic<Table*> table_{nullptr};
};

/// The work that a method of a functor has done.
enum class Outcome : uint8_t {
  kHandled,  ///< all that there is to do
  kDefault,  ///< nothing: nobody overrides it
  kGoOn      ///< something, and the parts are still to be walked
};

/// The methods that a walk calls for an object, in this order, until one has handled it.
enum class Hook : uint8_t {
  kExpr,    ///< VisitExpr
  kNode,    ///< VisitExpr_
  kDefault  ///< VisitExprDefault_
};

struct VisitorMemory;
struct MutatorMemory;
template <class Walk, class Functor, class Memory, class C, auto kAttributeOf>
class OpenObjects;
class VisitWalk;
class MutateWalk;

/// Throws ValueError because an empty handle was visited.
[[noreturn]] TAIN_DLL void ThrowNullVisit(const char* type_key);
/// Throws TypeError because a functor has no method for an object.
[[noreturn]] TAIN_DLL void ThrowNoMethod(const Object* op);
/// Throws TypeError because a mutator's method returned `got` where `expected` is needed.
[[noreturn]] TAIN_DLL void ThrowMutated(int32_t type_index, const char* expected, const Any& got);

/// Checks that the C stack has room for one more call. Throws RecursionError.
TAIN_DLL void CheckStackForVisit();

/// The base of visitors.
class TAIN_DLL GraphVisitor {
 public:
  GraphVisitor() noexcept;
  GraphVisitor(const GraphVisitor&) noexcept : GraphVisitor() {}
  GraphVisitor& operator=(const GraphVisitor&) noexcept { return *this; }
  virtual ~GraphVisitor();

 protected:
  /// Visits an object and what is below it; `first` is the first hook to be called for it.
  void WalkFrom(TainObject* object, Hook first);
  /// Visits an object after its parts, and these after theirs. If `nests`, the methods visit
  /// others, so all objects are remembered.
  void WalkPostOrder(TainObject* object, bool nests);
  /// Visits the parts of an object, but not itself.
  void WalkParts(TainObject* object);

  template <class Walk, class Functor, class Memory, class C, auto kAttributeOf>
  friend class OpenObjects;
  friend class VisitWalk;
  virtual void CallHook(Hook hook, int32_t slot, TainObject* object) = 0;
  virtual int32_t FindSlot(int32_t type_index) = 0;
  /// Whether kExpr and kDefault are called for objects of a type.
  virtual bool IsNode(int32_t type_index) = 0;

  Outcome outcome_ = Outcome::kHandled;
  bool forgets_ = false;  ///< whether each outermost walk asks again which methods are overridden

 private:
  std::unique_ptr<VisitorMemory> memory_;
};

/// The base of mutators.
class TAIN_DLL GraphMutator {
 public:
  GraphMutator() noexcept;
  GraphMutator(const GraphMutator&) noexcept : GraphMutator() {}
  GraphMutator& operator=(const GraphMutator&) noexcept { return *this; }
  virtual ~GraphMutator();

 protected:
  /// Returns what an object becomes. If `owned`, the reference is the mutator's own, so that it may
  /// change what nobody else refers to.
  Any MutateFrom(Any object, Hook first, bool owned);
  /// The same, but each object is mutated after its parts.
  Any MutatePostOrder(Any object);
  /// Returns an object with its parts mutated.
  Any MutateParts(TainObject* object);
  /// Returns what `Rewritten` makes of each object, once its parts are rewritten.
  Any RewriteAll(Any object, bool owned);

  template <class Walk, class Functor, class Memory, class C, auto kAttributeOf>
  friend class OpenObjects;
  friend class MutateWalk;
  virtual Any CallHook(Hook hook, int32_t slot, TainObject* object) = 0;
  /// Returns what takes the place of a value, or the value.
  virtual Any Rewritten(const Any& value);
  virtual int32_t FindSlot(int32_t type_index) = 0;
  virtual bool IsNode(int32_t type_index) = 0;

  Outcome outcome_ = Outcome::kHandled;
  bool forgets_ = false;  ///< as in GraphVisitor

 private:
  std::unique_ptr<MutatorMemory> memory_;
};

}  // namespace tain::internal
