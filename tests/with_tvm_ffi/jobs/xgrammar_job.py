import sys, types
import numpy as np, torch
# transformers and triton are not needed for this job
import xgrammar as xgr
vocab = ["<s>", "</s>", "{", "}", '"', "a", "b", ":", ",", " ", "1", "2", "true", "[", "]", "name", "age"]
ti = xgr.TokenizerInfo(vocab, stop_token_ids=[1])
print(ti.vocab_size, ti.vocab_type, ti.stop_token_ids, ti.special_token_ids)
c = xgr.GrammarCompiler(ti, max_threads=2)
g = c.compile_json_schema('{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}', any_whitespace=False)
print(type(g), g.memory_size_bytes > 0)
m = xgr.GrammarMatcher(g)
mask = xgr.allocate_token_bitmask(1, ti.vocab_size)
m.fill_next_token_bitmask(mask)
print(mask)
for t in [2, 4]: print(m.accept_token(t))
m.fill_next_token_bitmask(mask); print(mask)
logits = torch.zeros(1, ti.vocab_size); xgr.apply_token_bitmask_inplace(logits, mask); print(logits)
print(m.find_jump_forward_string())
print(m.accept_string('name": "a", "age": 1'), m.is_terminated())
gr = xgr.Grammar.from_ebnf('root ::= "a" | "b" root'); print(gr)
try:
    xgr.Grammar.from_ebnf('root ::= "a')
except Exception as e: print(type(e).__name__, str(e)[:80])
print(xgr.Grammar.from_regex("[ab]+"))
s = g.serialize_json(); g2 = xgr.CompiledGrammar.deserialize_json(s, ti); print(g2.memory_size_bytes == g.memory_size_bytes)
try: xgr.CompiledGrammar.deserialize_json("{", ti)
except Exception as e: print(type(e).__name__, str(e)[:80])
