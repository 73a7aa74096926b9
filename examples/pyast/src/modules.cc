// SPDX-License-Identifier: Apache-2.0
// The top of a tree and the parts of other nodes, as Python sees them.
#include "modules.h"

#include "describe.h"

namespace pyast {

TAIN_REGISTER {
  Describe<ModuleObj>("A file.", Field{"body", &ModuleObj::body},
                      Field{"type_ignores", &ModuleObj::type_ignores});
  Describe<InteractiveObj>("A statement typed at a prompt.", Field{"body", &InteractiveObj::body});
  Describe<ExpressionObj>("What `eval` takes.", Field{"body", &ExpressionObj::body});
  Describe<FunctionTypeObj>("A type comment of a function: `(argtypes) -> returns`.",
                            Field{"argtypes", &FunctionTypeObj::argtypes},
                            Field{"returns", &FunctionTypeObj::returns});
  Describe<TypeIgnoreObj>("A `# type: ignore` comment.", Field{"lineno", &TypeIgnoreObj::lineno},
                          Field{"tag", &TypeIgnoreObj::tag});
  Describe<KeywordObj>("`arg=value`, or `**value`, in a call or class.",
                       Field{"arg", &KeywordObj::arg}, Field{"value", &KeywordObj::value});
  Describe<AliasObj>("`name as asname` in an import.", Field{"name", &AliasObj::name},
                     Field{"asname", &AliasObj::asname});
  Describe<ArgObj>("`arg: annotation`, a parameter.", Field{"arg", &ArgObj::arg},
                   Field{"annotation", &ArgObj::annotation},
                   Field{"type_comment", &ArgObj::type_comment});
  Describe<ArgumentsObj>(
      "The parameters of a function.", Field{"posonlyargs", &ArgumentsObj::posonlyargs},
      Field{"args", &ArgumentsObj::args}, Field{"vararg", &ArgumentsObj::vararg},
      Field{"kwonlyargs", &ArgumentsObj::kwonlyargs},
      Field{"kw_defaults", &ArgumentsObj::kw_defaults}, Field{"kwarg", &ArgumentsObj::kwarg},
      Field{"defaults", &ArgumentsObj::defaults});
  Describe<ComprehensionObj>(
      "`for target in iter if ifs` in a comprehension.", Field{"target", &ComprehensionObj::target},
      Field{"iter", &ComprehensionObj::iter}, Field{"ifs", &ComprehensionObj::ifs},
      Field{"is_async", &ComprehensionObj::is_async});
  Describe<WithItemObj>("`context_expr as optional_vars`.",
                        Field{"context_expr", &WithItemObj::context_expr},
                        Field{"optional_vars", &WithItemObj::optional_vars});
}

}  // namespace pyast
