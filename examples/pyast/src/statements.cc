// SPDX-License-Identifier: Apache-2.0
// Nodes that do something, as Python sees them.
#include "statements.h"

#include "describe.h"

namespace pyast {

namespace {

// These kinds of statements come in two: the second has the fields of the first.

template <class T>
void DescribeFunction(const char* doc) {
  Describe<T>(doc, Field{"name", &T::name}, Field{"args", &T::args}, Field{"body", &T::body},
              Field{"decorator_list", &T::decorator_list}, Field{"returns", &T::returns},
              Field{"type_comment", &T::type_comment}, Field{"type_params", &T::type_params});
}

template <class T>
void DescribeFor(const char* doc) {
  Describe<T>(doc, Field{"target", &T::target}, Field{"iter", &T::iter}, Field{"body", &T::body},
              Field{"orelse", &T::orelse}, Field{"type_comment", &T::type_comment});
}

template <class T>
void DescribeWith(const char* doc) {
  Describe<T>(doc, Field{"items", &T::items}, Field{"body", &T::body},
              Field{"type_comment", &T::type_comment});
}

template <class T>
void DescribeTry(const char* doc) {
  Describe<T>(doc, Field{"body", &T::body}, Field{"handlers", &T::handlers},
              Field{"orelse", &T::orelse}, Field{"finalbody", &T::finalbody});
}

}  // namespace

TAIN_REGISTER {
  DescribeFunction<FunctionDefObj>("`def name(args) -> returns: body`.");
  DescribeFunction<AsyncFunctionDefObj>("`async def name(args) -> returns: body`.");
  Describe<ClassDefObj>(
      "`class name(bases, keywords): body`.", Field{"name", &ClassDefObj::name},
      Field{"bases", &ClassDefObj::bases}, Field{"keywords", &ClassDefObj::keywords},
      Field{"body", &ClassDefObj::body}, Field{"decorator_list", &ClassDefObj::decorator_list},
      Field{"type_params", &ClassDefObj::type_params});
  Describe<ReturnObj>("`return value`.", Field{"value", &ReturnObj::value});
  Describe<DeleteObj>("`del targets`.", Field{"targets", &DeleteObj::targets});
  Describe<AssignObj>("`target = value`.", Field{"targets", &AssignObj::targets},
                      Field{"value", &AssignObj::value},
                      Field{"type_comment", &AssignObj::type_comment});
  Describe<TypeAliasObj>("`type name[type_params] = value`.", Field{"name", &TypeAliasObj::name},
                         Field{"type_params", &TypeAliasObj::type_params},
                         Field{"value", &TypeAliasObj::value});
  Describe<AugAssignObj>("`target += value`.", Field{"target", &AugAssignObj::target},
                         Field{"op", &AugAssignObj::op}, Field{"value", &AugAssignObj::value});
  Describe<AnnAssignObj>("`target: annotation = value`.", Field{"target", &AnnAssignObj::target},
                         Field{"annotation", &AnnAssignObj::annotation},
                         Field{"value", &AnnAssignObj::value},
                         Field{"simple", &AnnAssignObj::simple});
  DescribeFor<ForObj>("`for target in iter: body`.");
  DescribeFor<AsyncForObj>("`async for target in iter: body`.");
  Describe<WhileObj>("`while test: body`.", Field{"test", &WhileObj::test},
                     Field{"body", &WhileObj::body}, Field{"orelse", &WhileObj::orelse});
  Describe<IfObj>("`if test: body`.", Field{"test", &IfObj::test}, Field{"body", &IfObj::body},
                  Field{"orelse", &IfObj::orelse});
  DescribeWith<WithObj>("`with items: body`.");
  DescribeWith<AsyncWithObj>("`async with items: body`.");
  Describe<MatchObj>("`match subject: cases`.", Field{"subject", &MatchObj::subject},
                     Field{"cases", &MatchObj::cases});
  Describe<RaiseObj>("`raise exc from cause`.", Field{"exc", &RaiseObj::exc},
                     Field{"cause", &RaiseObj::cause});
  DescribeTry<TryObj>("`try: body` with `except`, `else`, `finally`.");
  DescribeTry<TryStarObj>("`try: body` with `except*`.");
  Describe<AssertObj>("`assert test, msg`.", Field{"test", &AssertObj::test},
                      Field{"msg", &AssertObj::msg});
  Describe<ImportObj>("`import names`.", Field{"names", &ImportObj::names},
                      Field{"is_lazy", &ImportObj::is_lazy});
  Describe<ImportFromObj>("`from module import names`.", Field{"module", &ImportFromObj::module},
                          Field{"names", &ImportFromObj::names},
                          Field{"level", &ImportFromObj::level},
                          Field{"is_lazy", &ImportFromObj::is_lazy});
  Describe<GlobalObj>("`global names`.", Field{"names", &GlobalObj::names});
  Describe<NonlocalObj>("`nonlocal names`.", Field{"names", &NonlocalObj::names});
  Describe<ExprStmtObj>("An expression that stands alone.", Field{"value", &ExprStmtObj::value});
  Describe<PassObj>("`pass`.");
  Describe<BreakObj>("`break`.");
  Describe<ContinueObj>("`continue`.");
  Describe<ExceptHandlerObj>("`except type as name: body`.", Field{"type", &ExceptHandlerObj::type},
                             Field{"name", &ExceptHandlerObj::name},
                             Field{"body", &ExceptHandlerObj::body});
}

}  // namespace pyast
