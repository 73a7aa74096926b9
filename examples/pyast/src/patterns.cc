// SPDX-License-Identifier: Apache-2.0
// Nodes of patterns and type parameters, as Python sees them.
#include "patterns.h"

#include "describe.h"

namespace pyast {

TAIN_REGISTER {
  Describe<MatchValueObj>("`case value`.", Field{"value", &MatchValueObj::value});
  Describe<MatchSingletonObj>("`case None`, `case True`, `case False`.",
                              Field{"value", &MatchSingletonObj::value});
  Describe<MatchSequenceObj>("`case [a, b]`.", Field{"patterns", &MatchSequenceObj::patterns});
  Describe<MatchMappingObj>("`case {key: a, **rest}`.", Field{"keys", &MatchMappingObj::keys},
                            Field{"patterns", &MatchMappingObj::patterns},
                            Field{"rest", &MatchMappingObj::rest});
  Describe<MatchClassObj>("`case cls(a, b=c)`.", Field{"cls", &MatchClassObj::cls},
                          Field{"patterns", &MatchClassObj::patterns},
                          Field{"kwd_attrs", &MatchClassObj::kwd_attrs},
                          Field{"kwd_patterns", &MatchClassObj::kwd_patterns});
  Describe<MatchStarObj>("`*name` in a sequence.", Field{"name", &MatchStarObj::name});
  Describe<MatchAsObj>("`case pattern as name`, or a bare name.",
                       Field{"pattern", &MatchAsObj::pattern}, Field{"name", &MatchAsObj::name});
  Describe<MatchOrObj>("`case a | b`.", Field{"patterns", &MatchOrObj::patterns});
  Describe<MatchCaseObj>("`case pattern if guard: body`.", Field{"pattern", &MatchCaseObj::pattern},
                         Field{"guard", &MatchCaseObj::guard}, Field{"body", &MatchCaseObj::body});
  Describe<TypeVarObj>("`name: bound = default_value`.", Field{"name", &TypeVarObj::name},
                       Field{"bound", &TypeVarObj::bound},
                       Field{"default_value", &TypeVarObj::default_value});
  Describe<ParamSpecObj>("`**name = default_value`.", Field{"name", &ParamSpecObj::name},
                         Field{"default_value", &ParamSpecObj::default_value});
  Describe<TypeVarTupleObj>("`*name = default_value`.", Field{"name", &TypeVarTupleObj::name},
                            Field{"default_value", &TypeVarTupleObj::default_value});
}

}  // namespace pyast
