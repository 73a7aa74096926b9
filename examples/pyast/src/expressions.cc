// SPDX-License-Identifier: Apache-2.0
// Nodes that have a value, as Python sees them.
#include "expressions.h"

#include "describe.h"

namespace pyast {

TAIN_REGISTER {
  Describe<BoolOpObj>("`a and b and c`.", Field{"op", &BoolOpObj::op},
                      Field{"values", &BoolOpObj::values});
  Describe<NamedExprObj>("`target := value`.", Field{"target", &NamedExprObj::target},
                         Field{"value", &NamedExprObj::value});
  Describe<BinOpObj>("`left + right`.", Field{"left", &BinOpObj::left}, Field{"op", &BinOpObj::op},
                     Field{"right", &BinOpObj::right});
  Describe<UnaryOpObj>("`not operand`.", Field{"op", &UnaryOpObj::op},
                       Field{"operand", &UnaryOpObj::operand});
  Describe<LambdaObj>("`lambda args: body`.", Field{"args", &LambdaObj::args},
                      Field{"body", &LambdaObj::body});
  Describe<IfExpObj>("`body if test else orelse`.", Field{"test", &IfExpObj::test},
                     Field{"body", &IfExpObj::body}, Field{"orelse", &IfExpObj::orelse});
  Describe<DictObj>("`{key: value, **more}`.", Field{"keys", &DictObj::keys},
                    Field{"values", &DictObj::values});
  Describe<SetObj>("`{a, b}`.", Field{"elts", &SetObj::elts});
  Describe<ListCompObj>("`[elt for x in y]`.", Field{"elt", &ListCompObj::elt},
                        Field{"generators", &ListCompObj::generators});
  Describe<SetCompObj>("`{elt for x in y}`.", Field{"elt", &SetCompObj::elt},
                       Field{"generators", &SetCompObj::generators});
  Describe<DictCompObj>("`{key: value for x in y}`, or `{**key for x in y}`.",
                        Field{"key", &DictCompObj::key}, Field{"value", &DictCompObj::value},
                        Field{"generators", &DictCompObj::generators});
  Describe<GeneratorExpObj>("`(elt for x in y)`.", Field{"elt", &GeneratorExpObj::elt},
                            Field{"generators", &GeneratorExpObj::generators});
  Describe<AwaitObj>("`await value`.", Field{"value", &AwaitObj::value});
  Describe<YieldObj>("`yield value`.", Field{"value", &YieldObj::value});
  Describe<YieldFromObj>("`yield from value`.", Field{"value", &YieldFromObj::value});
  Describe<CompareObj>("`left < b < c`.", Field{"left", &CompareObj::left},
                       Field{"ops", &CompareObj::ops},
                       Field{"comparators", &CompareObj::comparators});
  Describe<CallObj>("`func(a, *b, c=d)`.", Field{"func", &CallObj::func},
                    Field{"args", &CallObj::args}, Field{"keywords", &CallObj::keywords});
  Describe<FormattedValueObj>("`{value!r:format_spec}` in an f-string.",
                              Field{"value", &FormattedValueObj::value},
                              Field{"conversion", &FormattedValueObj::conversion},
                              Field{"format_spec", &FormattedValueObj::format_spec});
  Describe<JoinedStrObj>("An f-string.", Field{"values", &JoinedStrObj::values});
  Describe<InterpolationObj>("`{value!r:format_spec}` in a t-string; `str` is how it is written.",
                             Field{"value", &InterpolationObj::value},
                             Field{"str", &InterpolationObj::str},
                             Field{"conversion", &InterpolationObj::conversion},
                             Field{"format_spec", &InterpolationObj::format_spec});
  Describe<TemplateStrObj>("A t-string.", Field{"values", &TemplateStrObj::values});
  Describe<ConstantObj>(
      "A literal: None, bool, int, float, complex, str, bytes or `...`; folded: also a tuple.",
      Field{"value", &ConstantObj::value}, Field{"kind", &ConstantObj::kind});
  Describe<AttributeObj>("`value.attr`.", Field{"value", &AttributeObj::value},
                         Field{"attr", &AttributeObj::attr}, Field{"ctx", &AttributeObj::ctx});
  Describe<SubscriptObj>("`value[slice]`.", Field{"value", &SubscriptObj::value},
                         Field{"slice", &SubscriptObj::slice}, Field{"ctx", &SubscriptObj::ctx});
  Describe<StarredObj>("`*value`.", Field{"value", &StarredObj::value},
                       Field{"ctx", &StarredObj::ctx});
  Describe<NameObj>("`id`.", Field{"id", &NameObj::id}, Field{"ctx", &NameObj::ctx});
  Describe<ListObj>("`[a, b]`.", Field{"elts", &ListObj::elts}, Field{"ctx", &ListObj::ctx});
  Describe<TupleObj>("`a, b`.", Field{"elts", &TupleObj::elts}, Field{"ctx", &TupleObj::ctx});
  Describe<SliceObj>("`lower:upper:step`.", Field{"lower", &SliceObj::lower},
                     Field{"upper", &SliceObj::upper}, Field{"step", &SliceObj::step});
}

}  // namespace pyast
