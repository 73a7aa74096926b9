# SPDX-License-Identifier: Apache-2.0
"""Decoding that a grammar guides: masks of the tokens that may come next, and what is refused."""

import torch
import xgrammar

VOCABULARY = ["<s>", "</s>", "{", "}", '"', "a", "b", ":", ",", " ", "1", "2", "true", "[", "]"]
SCHEMA = (
    '{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, '
    '"required": ["name", "age"]}'
)


def shown(action):
    """Print the result of an action, or what it raises."""
    try:
        print(action())
    except RuntimeError as error:
        # The first part names the time and the place in the library.
        print("RuntimeError", str(error).split("] ", 1)[-1].split(": ", 1)[-1][:60])


info = xgrammar.TokenizerInfo([*VOCABULARY, "name", "age"], stop_token_ids=[1])
print(info.vocab_size, info.vocab_type, info.stop_token_ids, info.special_token_ids)
compiler = xgrammar.GrammarCompiler(info, max_threads=2)
compiled = compiler.compile_json_schema(SCHEMA, any_whitespace=False)
print(type(compiled).__name__, compiled.memory_size_bytes)
matcher = xgrammar.GrammarMatcher(compiled)
mask = xgrammar.allocate_token_bitmask(1, info.vocab_size)
for token in (2, 4, 15):
    matcher.fill_next_token_bitmask(mask)
    logits = torch.zeros(1, info.vocab_size)
    xgrammar.apply_token_bitmask_inplace(logits, mask)
    print(mask.tolist(), logits.tolist(), matcher.accept_token(token))
print(matcher.find_jump_forward_string())
print(matcher.accept_string('": "a", "age": 1'), matcher.is_terminated())
matcher.rollback(1)
print(matcher.accept_token(0), matcher.is_terminated())
matcher.reset()
grammar = xgrammar.Grammar.from_ebnf('root ::= "a" | "b" root')
print(grammar, xgrammar.Grammar.from_regex("[ab]+"))
print(xgrammar.Grammar.union(grammar, xgrammar.Grammar.builtin_json_grammar())._handle is not None)
shown(lambda: xgrammar.Grammar.from_ebnf('root ::= "a'))
again = xgrammar.CompiledGrammar.deserialize_json(compiled.serialize_json(), info)
print(again.memory_size_bytes == compiled.memory_size_bytes)
shown(lambda: xgrammar.CompiledGrammar.deserialize_json("{", info))
