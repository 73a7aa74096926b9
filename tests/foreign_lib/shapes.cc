// SPDX-License-Identifier: Apache-2.0
// Objects in C++ without tain's headers: one with virtual functions before its header, one of
// alignment 64.
#include <new>

#include "abi.h"

namespace {

struct Counted {
  Header header;
};

struct Before {
  virtual ~Before() = default;
  virtual int64_t Area() const { return -1; }
  int64_t before = 11;
};

int64_t alive = 0;

struct Shape : Before, Counted {
  int64_t side = 0;
  Shape() { __atomic_add_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
  Shape(const Shape& other) : Before(other), side(other.side) {
    __atomic_add_fetch(&alive, 1, __ATOMIC_SEQ_CST);
  }
  ~Shape() override { __atomic_sub_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
  int64_t Area() const override { return side * side; }
};

struct alignas(64) Wide : Counted {
  int64_t value = 0;
  alignas(64) double lanes[8] = {};
  Wide() { __atomic_add_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
  ~Wide() { __atomic_sub_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
};

int32_t shape_index, wide_index;

template <class T>
T* FromHeader(void* header) {
  return static_cast<T*>(reinterpret_cast<Counted*>(header));
}

template <class T>
void Delete(void* self, int flags) {
  T* object = FromHeader<T>(self);
  if (flags & kStrong) object->~T();
  if (flags & kWeak) ::operator delete(object, std::align_val_t{alignof(T)});
}

template <class T, class... A>
Header* Make(int32_t type_index, const A&... args) {
  void* memory = ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  T* object = new (memory) T(args...);
  object->header = {(uint64_t{1} << 32) | 1, type_index, 0, &Delete<T>};
  return &object->header;
}

int CreateShape(Header** out) {
  *out = Make<Shape>(shape_index);
  return 0;
}
int NewWide(void*, const Value*, int32_t, Value* result) {
  *result = ObjectValue(Make<Wide>(wide_index));
  return 0;
}
int CopyShape(void*, const Value* args, int32_t, Value* result) {
  *result = ObjectValue(Make<Shape>(shape_index, *FromHeader<Shape>(args[0].object)));
  return 0;
}
int Area(void*, const Value* args, int32_t, Value* result) {
  *result = IntValue(FromHeader<Shape>(args[0].object)->Area());
  return 0;
}
int IsAligned(void*, const Value* args, int32_t, Value* result) {
  const auto* wide = FromHeader<Wide>(args[0].object);
  const bool aligned = reinterpret_cast<uintptr_t>(&wide->lanes) % 64 == 0;
  *result = IntValue(aligned && wide->lanes[7] == 0 ? 1 : 0);
  return 0;
}
int Alive(void*, const Value*, int32_t, Value* result) {
  *result = IntValue(__atomic_load_n(&alive, __ATOMIC_SEQ_CST));
  return 0;
}

/// Bytes from the header to a member.
template <class T>
size_t OffsetOf(int64_t T::* member) {
  alignas(T) static char memory[sizeof(T)];
  T* object = reinterpret_cast<T*>(memory);
  return static_cast<size_t>(reinterpret_cast<char*>(&(object->*member)) -
                             reinterpret_cast<char*>(static_cast<Counted*>(object)));
}

const int loaded = [] {
  shape_index = NewType("foreign_cpp.Shape");
  Field side = IntField("side", OffsetOf(&Shape::side), kWritable);
  MustBeZero(TainTypeRegisterField(shape_index, &side));
  Describe(shape_index, "A square with a virtual area.", &CreateShape);
  SetAttr(shape_index, "__ffi_shallow_copy__", &CopyShape);
  SetMethod(shape_index, "area", &Area, 0, "");

  wide_index = NewType("foreign_cpp.Wide");
  Field value = IntField("value", OffsetOf(&Wide::value), kWritable | kHasDefault);
  value.default_value = IntValue(3);
  MustBeZero(TainTypeRegisterField(wide_index, &value));
  SetAttr(wide_index, "__ffi_new__", &NewWide);
  SetMethod(wide_index, "is_aligned", &IsAligned, 0, "");
  SetGlobal("foreign_cpp.alive", &Alive);
  return 0;
}();

}  // namespace
