// SPDX-License-Identifier: Apache-2.0
// Nodes that do something, as Python sees them.
#include "statements.h"

#include "describe.h"

namespace pyast {

TAIN_REGISTER {
  Describe<FunctionDefObj>(
      "`def name(args) -> returns: body`.", Field{"name", &FunctionDefObj::name},
      Field{"args", &FunctionDefObj::args}, Field{"body", &FunctionDefObj::body},
      Field{"decorator_list", &FunctionDefObj::decorator_list},
      Field{"returns", &FunctionDefObj::returns},
      Field{"type_comment", &FunctionDefObj::type_comment},
      Field{"type_params", &FunctionDefObj::type_params});
  Describe<AsyncFunctionDefObj>(
      "`async def name(args) -> returns: body`.", Field{"name", &AsyncFunctionDefObj::name},
      Field{"args", &AsyncFunctionDefObj::args}, Field{"body", &AsyncFunctionDefObj::body},
      Field{"decorator_list", &AsyncFunctionDefObj::decorator_list},
      Field{"returns", &AsyncFunctionDefObj::returns},
      Field{"type_comment", &AsyncFunctionDefObj::type_comment},
      Field{"type_params", &AsyncFunctionDefObj::type_params});
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
  Describe<ForObj>("`for target in iter: body`.", Field{"target", &ForObj::target},
                   Field{"iter", &ForObj::iter}, Field{"body", &ForObj::body},
                   Field{"orelse", &ForObj::orelse}, Field{"type_comment", &ForObj::type_comment});
  Describe<AsyncForObj>("`async for target in iter: body`.", Field{"target", &AsyncForObj::target},
                        Field{"iter", &AsyncForObj::iter}, Field{"body", &AsyncForObj::body},
                        Field{"orelse", &AsyncForObj::orelse},
                        Field{"type_comment", &AsyncForObj::type_comment});
  Describe<WhileObj>("`while test: body`.", Field{"test", &WhileObj::test},
                     Field{"body", &WhileObj::body}, Field{"orelse", &WhileObj::orelse});
  Describe<IfObj>("`if test: body`.", Field{"test", &IfObj::test}, Field{"body", &IfObj::body},
                  Field{"orelse", &IfObj::orelse});
  Describe<WithObj>("`with items: body`.", Field{"items", &WithObj::items},
                    Field{"body", &WithObj::body}, Field{"type_comment", &WithObj::type_comment});
  Describe<AsyncWithObj>("`async with items: body`.", Field{"items", &AsyncWithObj::items},
                         Field{"body", &AsyncWithObj::body},
                         Field{"type_comment", &AsyncWithObj::type_comment});
  Describe<MatchObj>("`match subject: cases`.", Field{"subject", &MatchObj::subject},
                     Field{"cases", &MatchObj::cases});
  Describe<RaiseObj>("`raise exc from cause`.", Field{"exc", &RaiseObj::exc},
                     Field{"cause", &RaiseObj::cause});
  Describe<TryObj>("`try: body` with `except`, `else`, `finally`.", Field{"body", &TryObj::body},
                   Field{"handlers", &TryObj::handlers}, Field{"orelse", &TryObj::orelse},
                   Field{"finalbody", &TryObj::finalbody});
  Describe<TryStarObj>("`try: body` with `except*`.", Field{"body", &TryStarObj::body},
                       Field{"handlers", &TryStarObj::handlers},
                       Field{"orelse", &TryStarObj::orelse},
                       Field{"finalbody", &TryStarObj::finalbody});
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
