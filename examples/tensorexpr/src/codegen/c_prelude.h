// SPDX-License-Identifier: Apache-2.0
// What stands before all generated code.
#pragma once

namespace tensorexpr {

inline constexpr const char* kPrelude = R"C(#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tain/c_api.h>
#include <tain/c_api_host.h>

#define TE_UNUSED __attribute__((unused))

// glibc has these for vectors, too (libmvec): loops that call them are vectorized.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define TE_SIMD __attribute__((simd("notinbranch")))
TE_SIMD float expf(float); TE_SIMD double exp(double);
TE_SIMD float logf(float); TE_SIMD double log(double);
TE_SIMD float sinf(float); TE_SIMD double sin(double);
TE_SIMD float cosf(float); TE_SIMD double cos(double);
TE_SIMD float powf(float, float); TE_SIMD double pow(double, double);
#if __GLIBC_PREREQ(2, 35)
TE_SIMD float tanhf(float); TE_SIMD double tanh(double);
TE_SIMD float erff(float); TE_SIMD double erf(double);
TE_SIMD float tanf(float); TE_SIMD double tan(double);
TE_SIMD float atanf(float); TE_SIMD double atan(double);
TE_SIMD float exp2f(float); TE_SIMD double exp2(double);
TE_SIMD float log2f(float); TE_SIMD double log2(double);
#endif
#endif

TE_UNUSED static int te_raise(const char* kind, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  TainErrorSetRaisedFromCStr(kind, text);
  return -1;
}
// Threads of a parallel loop leave their first error to the thread that began it.
TE_UNUSED static void te_keep_error(TainObject** first) {
  TainObject* raised = NULL;
  TainErrorMoveFromRaised(&raised);
#pragma omp critical(te_errors)
  {
    TainObject* dropped = *first == NULL ? NULL : raised;
    if (*first == NULL) *first = raised;
    if (dropped != NULL) TainObjectDecRef(dropped);
  }
}
TE_UNUSED static void te_free(void* place) { free(*(void**)place); }
TE_UNUSED static void* te_allocate(int64_t size, int rank, ...) {
  int64_t count = 1;
  bool fits = true, is_empty = false;
  va_list extents;
  va_start(extents, rank);
  for (int i = 0; i < rank; ++i) {
    const int64_t extent = va_arg(extents, int64_t);
    is_empty = is_empty || extent <= 0;
    fits = fits && extent >= 0 && !__builtin_mul_overflow(count, extent, &count);
  }
  va_end(extents);
  if (is_empty) count = 0;
  else if (!fits || count > INT64_MAX / 2 / size) return NULL;
  void* memory = NULL;
  return posix_memalign(&memory, 64, (size_t)(count * size) + 64) == 0 ? memory : NULL;
}

TE_UNUSED static const DLTensor* te_tensor(const char* function, const char* name, const TainAny* arg) {
  if (arg->type_index == kTainDLTensorPtr && arg->v_ptr != NULL) return (const DLTensor*)arg->v_ptr;
  if (arg->type_index == kTainTensor) return (const DLTensor*)((const char*)arg->v_obj + sizeof(TainObject));
  te_raise("TypeError", "%s: argument %s: expected a tensor, got another value", function, name);
  return NULL;
}
TE_UNUSED static int te_is_read_only(const TainAny* arg) {
  if (arg->type_index != kTainTensor || (TainObjectWordOf(arg->v_obj) & kTainHeaderHasPrefix) == 0) return 0;
  const char* tail = (const char*)arg->v_obj + sizeof(TainObject) + sizeof(DLTensor);
  return (((const TainTensorTail*)tail)->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
}
TE_UNUSED static int te_writable(const char* function, const char* name, const TainAny* arg) {
  if (!te_is_read_only(arg)) return 0;
  return te_raise("ValueError", "%s: argument %s is read-only, and the function writes it", function, name);
}
// What is handed on of a read-only argument is read-only, too. The caller drops it with te_drop.
TE_UNUSED static int te_keep_read_only(const TainAny* given, TainAny* view) {
  if (!te_is_read_only(given)) return 0;
  DLManagedTensorVersioned* shared = NULL;
  TainObject* tensor = NULL;
  if (TainTensorToDLPackVersioned(given->v_obj, &shared) != 0) return -1;
  if (TainTensorFromDLPackVersioned(shared, 0, 0, &tensor) != 0) {
    if (shared->deleter != NULL) shared->deleter(shared);
    return -1;
  }
  view->type_index = kTainTensor;
  view->v_obj = tensor;
  return 0;
}
TE_UNUSED static int te_drop(const TainAny* values, int count) {
  for (int i = 0; i < count; ++i)
    if (values[i].type_index == kTainTensor) TainObjectDecRef(values[i].v_obj);
  return -1;
}
TE_UNUSED static const char* te_kind(int code) {
  return code == kDLInt ? "int" : code == kDLUInt ? "uint" : code == kDLFloat ? "float" :
         code == kDLBool ? "bool" : code == kDLBfloat ? "bfloat" : "other";
}
TE_UNUSED static int te_check(const char* function, const char* name, const DLTensor* t, int code, int bits,
                              int rank, int alignment) {
  if (t->dtype.code != code || t->dtype.bits != bits || t->dtype.lanes != 1)
    return te_raise("TypeError", "%s: argument %s: expected %s%d, got %s%d", function, name, te_kind(code),
                    bits, te_kind(t->dtype.code), t->dtype.bits);
  if (t->ndim != rank)
    return te_raise("ValueError", "%s: argument %s: expected %d dimensions, got %d", function, name, rank, t->ndim);
  if (t->device.device_type != kDLCPU)
    return te_raise("ValueError", "%s: argument %s: expected memory of the CPU, got device type %d", function, name,
                    (int)t->device.device_type);
  if (((uintptr_t)t->data + t->byte_offset) % (uintptr_t)alignment != 0)
    return te_raise("ValueError", "%s: argument %s: expected data aligned to %d bytes", function, name, alignment);
  return 0;
}
TE_UNUSED static int te_extent(const char* function, const char* name, const DLTensor* t, int axis, int64_t expected) {
  if (t->shape[axis] == expected) return 0;
  return te_raise("ValueError", "%s: argument %s: expected extent %lld of dimension %d, got %lld", function, name,
                  (long long)expected, axis, (long long)t->shape[axis]);
}
TE_UNUSED static int te_compact(const char* function, const char* name, const DLTensor* t) {
  if (t->strides == NULL) return 0;
  int64_t expected = 1;
  for (int i = t->ndim - 1; i >= 0; --i) {
    if (t->shape[i] == 0) return 0;
    expected *= t->shape[i];
  }
  int64_t step = 1;
  for (int i = t->ndim - 1; i >= 0; --i) {
    if (t->shape[i] != 1 && t->strides[i] != step)
      return te_raise("ValueError", "%s: argument %s: expected a compact array, got stride %lld instead of %lld of "
                      "dimension %d; copy it (numpy.ascontiguousarray)", function, name, (long long)t->strides[i],
                      (long long)step, i);
    step *= t->shape[i];
  }
  return 0;
}
TE_UNUSED static int te_stride(const char* function, const char* name, const DLTensor* t, int axis, int64_t expected) {
  int64_t given = 1;
  if (t->strides != NULL) given = t->strides[axis];
  else for (int i = t->ndim - 1; i > axis; --i) given *= t->shape[i];
  if (given == expected || t->shape[axis] <= 1) return 0;
  return te_raise("ValueError", "%s: argument %s: expected stride %lld of dimension %d, got %lld", function, name,
                  (long long)expected, axis, (long long)given);
}
// The first byte of an array, and the one after its last; strides may be negative.
TE_UNUSED static bool te_span(const DLTensor* t, const char** begin, const char** end) {
  int64_t first = 0, last = 0, step = 1;
  const int64_t size = (t->dtype.bits + 7) / 8;
  for (int i = t->ndim - 1; i >= 0; --i) {
    if (t->shape[i] == 0) return false;
    const int64_t reach = (t->shape[i] - 1) * (t->strides == NULL ? step : t->strides[i]);
    *(reach < 0 ? &first : &last) += reach;
    step *= t->shape[i];
  }
  *begin = (const char*)t->data + t->byte_offset + first * size;
  *end = (const char*)t->data + t->byte_offset + (last + 1) * size;
  return true;
}
TE_UNUSED static int te_apart(const char* function, const char* name, const DLTensor* a, const char* other, const DLTensor* b) {
  const char *x, *x_end, *y, *y_end;
  if (!te_span(a, &x, &x_end) || !te_span(b, &y, &y_end) || x_end <= y || y_end <= x) return 0;
  return te_raise("ValueError", "%s: argument %s shares memory with %s, and one of them is written", function, name, other);
}

#define TE_INTEGERS(name, type, wide)                                                              \
  TE_UNUSED static inline type te_div_##name(type a, type b) {                                     \
    return b == 0 ? 0 : b == (type)-1 && (type)-1 < 1 ? (type)(0 - (wide)a) : (type)(a / b);         \
  }                                                                                                \
  TE_UNUSED static inline type te_mod_##name(type a, type b) {                                     \
    return b == 0 || (b == (type)-1 && (type)-1 < 1) ? 0 : (type)(a % b);                           \
  }                                                                                                \
  TE_UNUSED static inline type te_floordiv_##name(type a, type b) {                                \
    const type q = te_div_##name(a, b), r = te_mod_##name(a, b);                                    \
    return r != 0 && ((r < 1) != (b < 1)) ? (type)(q - 1) : q;                                       \
  }                                                                                                \
  TE_UNUSED static inline type te_floormod_##name(type a, type b) {                                \
    const type r = te_mod_##name(a, b);                                                             \
    return r != 0 && ((r < 1) != (b < 1)) ? (type)(r + b) : r;                                       \
  }                                                                                                \
  TE_UNUSED static inline type te_abs_##name(type a) { return a < 1 ? (type)(0 - (wide)a) : a; }      \
  TE_UNUSED static inline type te_shl_##name(type a, type b) {                                     \
    return (uint64_t)b < 8 * sizeof(type) ? (type)((wide)a << b) : 0;                               \
  }                                                                                                \
  TE_UNUSED static inline type te_shr_##name(type a, type b) {                                     \
    return (type)(a >> ((uint64_t)b < 8 * sizeof(type) ? b : (type)(8 * sizeof(type) - 1)))         \
           * (type)((uint64_t)b < 8 * sizeof(type) || (type)-1 < 1);                               \
  }                                                                                                \
  TE_UNUSED static inline type te_pow_##name(type a, type b) {                                     \
    type result = 1;                                                                                \
    if (b < 1) return b == 0 ? 1 : a == 1 ? 1 : a == (type)-1 ? ((b & 1) != 0 ? a : 1) : 0;         \
    for (; b > 0; b = (type)(b >> 1), a = (type)((wide)a * (wide)a))                                 \
      if ((b & 1) != 0) result = (type)((wide)result * (wide)a);                                    \
    return result;                                                                                  \
  }
TE_INTEGERS(int8, int8_t, uint32_t)
TE_INTEGERS(int16, int16_t, uint32_t)
TE_INTEGERS(int32, int32_t, uint32_t)
TE_INTEGERS(int64, int64_t, uint64_t)
TE_INTEGERS(uint8, uint8_t, uint32_t)
TE_INTEGERS(uint16, uint16_t, uint32_t)
TE_INTEGERS(uint32, uint32_t, uint32_t)
TE_INTEGERS(uint64, uint64_t, uint64_t)
#define TE_FLOATS(name, type, floor_of, mod_of)                                                    \
  TE_UNUSED static inline type te_floordiv_##name(type a, type b) {                                \
    if (b == 0) return a / b;                                                                       \
    const type r = mod_of(a, b);                                                                    \
    type q = (a - r) / b;                                                                           \
    if (r != 0 && (b < 0) != (r < 0)) q -= 1;                                                       \
    if (q == 0) return copysign(0, a / b);                                                          \
    const type down = floor_of(q);                                                                  \
    return q - down > (type)0.5 ? down + 1 : down;                                                  \
  }                                                                                                \
  TE_UNUSED static inline type te_floormod_##name(type a, type b) {                                \
    const type r = mod_of(a, b);                                                                    \
    if (r == 0 && b != 0) return (type)copysign(0, b);                                              \
    return r != 0 && (b < 0) != (r < 0) ? r + b : r;                                                \
  }
TE_FLOATS(float32, float, floorf, fmodf)
TE_FLOATS(float64, double, floor, fmod)

)C";

}  // namespace tensorexpr
