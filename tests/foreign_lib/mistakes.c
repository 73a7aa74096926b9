// SPDX-License-Identifier: Apache-2.0
// Every mistake that a registration can make, in a static initializer, where nobody catches.
#include "abi.h"

static int Nothing(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

__attribute__((constructor)) static void Load(void) {
  const int32_t index = NewType("foreign_mistakes.Type");
  Field field = IntField("x", 24, kWritable);
  MustBeZero(TainTypeRegisterField(index, &field));
  MustBeZero(TainTypeRegisterField(index, &field));  // twice
  Describe(index, "", NULL);
  Describe(index, "", NULL);  // twice
  SetAttr(index, "__mine__", &Nothing);
  SetAttr(index, "__mine__", &Nothing);  // another function
  SetMethod(index, "", &Nothing, 0, "");
  SetMethod(987654, "f", &Nothing, 0, "");
  SetGlobal("foreign_mistakes.f", &Nothing);
  SetGlobal("foreign_mistakes.f", &Nothing);  // taken
  const Text nobody = {NULL, 5};
  TainTypeGetOrAllocIndex(&nobody, -1, 9, 0, 1, 5);
}
