// SPDX-License-Identifier: Apache-2.0
// Tensor, an array of any number of dimensions, and views of tensors as parameters.
//
//   void AddOne(tain::TensorView x, tain::TensorView y);          // any element type, writable
//   double Sum(tain::TensorRef<const double, 1> x);               // checked; tensor/tensor_ref.h
//   tain::Tensor Zeros(int64_t n) { return tain::Tensor::Empty({n}, {kDLFloat, 32, 1}); }
// A Tensor owns a reference to its memory, or to what owns the memory: a numpy array, a DLPack
// tensor. A view is valid until the call ends. Nothing is copied when an array crosses.
#pragma once

#include <vector>

#include "tain/container/shape.h"
#include "tain/convert.h"
#include "tain/internal/device_kinds.h"
#include "tain/tensor/tensor_access.h"

namespace tain {

/// The object behind Tensor. The DLTensor follows the header, as the binary contract says; extents
/// and strides follow the object in the same block.
class TAIN_DLL TensorObj : public Object, public DLTensor {
 public:
  TainTensorTail tail{};

  TensorObj() noexcept : DLTensor{} {}
  TensorObj(const TensorObj&) = delete;
  TensorObj& operator=(const TensorObj&) = delete;
  ~TensorObj();

  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Tensor", kTainTensor, true);
};
static_assert(sizeof(TensorObj) == sizeof(TainObject) + sizeof(DLTensor) + sizeof(TainTensorTail));

namespace internal {

/// Makes a TensorObj with room for the extents and strides of `ndim` dimensions, which are not
/// initialized. Throws std::bad_alloc, and ValueError for too many dimensions.
TAIN_DLL ObjectPtr<TensorObj> NewTensor(int32_t ndim);
/// Makes a Tensor with the metadata of `prototype`, whose strides may be null. Takes over `owner`
/// unless it throws. Throws ValueError for a layout that no memory can have.
TAIN_DLL ObjectPtr<TensorObj> MakeTensor(const DLTensor& prototype, const TainTensorTail& tail);
/// Makes a tensor in new memory. Throws std::bad_alloc, and ValueError for a device without an
/// allocator.
TAIN_DLL ObjectPtr<TensorObj> AllocateTensor(ShapeView shape, DLDataType dtype, DLDevice device);
/// Makes a view of the elements start, start + step ... of one dimension. Throws IndexError.
TAIN_DLL ObjectPtr<TensorObj> SliceTensor(TensorObj* tensor, int32_t dimension, int64_t start,
                                          int64_t count, int64_t step);
/// Makes a view without a dimension: the elements at `index` of it. Throws IndexError.
TAIN_DLL ObjectPtr<TensorObj> SelectTensor(TensorObj* tensor, int32_t dimension, int64_t index);
/// Makes a view with other extents and strides, which stay within the memory of the tensor. Throws
/// ValueError.
TAIN_DLL ObjectPtr<TensorObj> RestrideTensor(TensorObj* tensor, ShapeView shape, ShapeView strides,
                                             int64_t offset);
/// Copies elements between tensors of one shape and type in the processor's memory. Throws
/// ValueError.
TAIN_DLL void CopyElements(const DLTensor& from, const DLTensor& to);

inline const DLTensor* DLTensorOf(const TainObject* tensor) noexcept {
  return reinterpret_cast<const DLTensor*>(tensor + 1);  // it follows the header
}
/// Returns the private part of a tensor that tain made; null for others.
inline const TainTensorTail* TensorTailOf(const TainObject* tensor) noexcept {
  if ((TainObjectWordOf(tensor) & kTainHeaderHasPrefix) == 0) return nullptr;
  return reinterpret_cast<const TainTensorTail*>(DLTensorOf(tensor) + 1);
}
inline bool IsReadOnly(const TainObject* tensor) noexcept {
  const TainTensorTail* tail = TensorTailOf(tensor);
  return tail != nullptr && (tail->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
}

/// Returns the DLTensor of a value that is a tensor, or null.
inline const DLTensor* TensorIn(const TainAny& a) noexcept {
  if (TAIN_LIKELY(a.type_index == kTainTensor)) return DLTensorOf(a.v_obj);
  return a.type_index == kTainDLTensorPtr ? static_cast<const DLTensor*>(a.v_ptr) : nullptr;
}
inline bool IsReadOnlyIn(const TainAny& a) noexcept {
  return a.type_index == kTainTensor && IsReadOnly(a.v_obj);
}

}  // namespace internal

/// A reference-counted tensor. A default-constructed Tensor is null; parameters are never null.
class Tensor : public ObjectRef, public TensorAccess<Tensor> {
 public:
  using ContainerType = TensorObj;
  static constexpr bool _type_is_nullable = false;

  Tensor() noexcept : ObjectRef(UnsafeInit{}) {}
  explicit Tensor(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  explicit Tensor(ObjectPtr<TensorObj> object) noexcept : ObjectRef(std::move(object)) {}

  /// Makes a row-major tensor whose elements are not initialized. For a device other than the
  /// processor it calls the allocator that TainEnvSetDLPackManagedTensorAllocator has set. Throws
  /// ValueError for a layout that no memory can have or a device without an allocator, and
  /// std::bad_alloc.
  static Tensor Empty(ShapeView shape, DLDataType dtype, DLDevice device = {kDLCPU, 0}) {
    return Tensor(internal::AllocateTensor(shape, dtype, device));
  }
  static Tensor Empty(std::initializer_list<int64_t> shape, DLDataType dtype,
                      DLDevice device = {kDLCPU, 0}) {
    return Empty(ShapeView(shape.begin(), shape.size()), dtype, device);
  }
  static Tensor Empty(const Shape& shape, DLDataType dtype, DLDevice device = {kDLCPU, 0}) {
    return Empty(ShapeView(shape.data(), shape.size()), dtype, device);
  }
  /// Makes a tensor by an allocator of the author's own: `AllocData(DLTensor*)` sets the data of a
  /// tensor whose other members are set, `FreeData(DLTensor*)` frees it later, on any thread.
  /// Arguments after the device are passed on to AllocData.
  template <class Alloc, class... Extra>
  static Tensor FromNDAlloc(Alloc alloc, ShapeView shape, DLDataType dtype, DLDevice device,
                            Extra&&... extra);
  template <class Alloc, class... Extra>
  static Tensor FromNDAlloc(Alloc alloc, std::initializer_list<int64_t> shape, DLDataType dtype,
                            DLDevice device, Extra&&... extra) {
    return FromNDAlloc(std::move(alloc), ShapeView(shape.begin(), shape.size()), dtype, device,
                       std::forward<Extra>(extra)...);
  }
  /// Makes a tensor of memory that `owner` keeps alive: a Ref, `this` of an object of tain, a smart
  /// pointer, a container that is moved in, any value; nullptr for memory that always lives. It is
  /// destroyed with the tensor, on any thread. With `const T*` the tensor
  /// is read-only. Strides count elements; without them the tensor is row-major. Throws ValueError.
  /// The memory must stay where it is: a vector that grows moves its memory, and frees what the
  /// tensor views. FromVector takes a vector over.
  ///
  ///   return tain::Tensor::View(data(), {rows, columns}, this);
  template <class T, class Owner>
  static Tensor View(T* data, ShapeView shape, ShapeView strides, Owner&& owner);
  template <class T, class Owner>
  static Tensor View(T* data, ShapeView shape, Owner&& owner) {
    return View(data, shape, ShapeView(), std::forward<Owner>(owner));
  }
  template <class T, class Owner>
  static Tensor View(T* data, std::initializer_list<int64_t> shape, Owner&& owner) {
    return View(data, ShapeView(shape.begin(), shape.size()), std::forward<Owner>(owner));
  }
  template <class T, class Owner>
  static Tensor View(T* data, std::initializer_list<int64_t> shape,
                     std::initializer_list<int64_t> strides, Owner&& owner) {
    return View(data, ShapeView(shape.begin(), shape.size()),
                ShapeView(strides.begin(), strides.size()), std::forward<Owner>(owner));
  }
  /// Makes a tensor of a vector, whose memory it takes over: of one dimension, or with a shape of as
  /// many elements. Throws ValueError.
  template <class T>
  static Tensor FromVector(std::vector<T> elements, ShapeView shape = {});
  template <class T>
  static Tensor FromVector(std::vector<T> elements, std::initializer_list<int64_t> shape) {
    return FromVector(std::move(elements), ShapeView(shape.begin(), shape.size()));
  }
  /// Takes over a DLPack tensor. Throws ValueError, and the caller still owns it then.
  static Tensor FromDLPack(DLManagedTensor* from, size_t require_alignment = 0,
                           bool require_contiguous = false) {
    TainObject* made = nullptr;
    internal::ThrowIfFailed(TainTensorFromDLPack(from, static_cast<int32_t>(require_alignment),
                                                 require_contiguous ? 1 : 0, &made));
    return Tensor(internal::RefAccess::Steal<TensorObj>(made));
  }
  /// FromDLPack for the form since DLPack 1.0.
  static Tensor FromDLPackVersioned(DLManagedTensorVersioned* from, size_t require_alignment = 0,
                                    bool require_contiguous = false) {
    TainObject* made = nullptr;
    internal::ThrowIfFailed(TainTensorFromDLPackVersioned(
        from, static_cast<int32_t>(require_alignment), require_contiguous ? 1 : 0, &made));
    return Tensor(internal::RefAccess::Steal<TensorObj>(made));
  }
  /// Returns a DLPack tensor that shares the memory; the caller calls its deleter. Throws
  /// BufferError if the tensor is read-only, which the older form cannot express.
  DLManagedTensor* ToDLPack() const {
    DLManagedTensor* out = nullptr;
    internal::ThrowIfFailed(TainTensorToDLPack(internal::RefAccess::Header(*this), &out));
    return out;
  }
  /// ToDLPack for the form since DLPack 1.0, which can be read-only.
  DLManagedTensorVersioned* ToDLPackVersioned() const {
    DLManagedTensorVersioned* out = nullptr;
    internal::ThrowIfFailed(TainTensorToDLPackVersioned(internal::RefAccess::Header(*this), &out));
    return out;
  }

  /// Returns the object behind the tensor; null for a default-constructed one.
  TensorObj* get() const noexcept {
    return static_cast<TensorObj*>(const_cast<Object*>(ObjectRef::get()));
  }
  /// Accesses the members of the DLTensor.
  TensorObj* operator->() const { return internal::Accessed(get()); }
  /// Returns the DLTensor.
  const DLTensor& dl_tensor() const { return *internal::Accessed(get()); }
  /// Whether the elements must not be written.
  bool read_only() const {
    return internal::IsReadOnly(internal::ObjectAccess::Header(internal::Accessed(get())));
  }
  /// Returns the address of the first element. Throws TypeError if the elements are not T (`void`
  /// means any type), and ValueError if the tensor is read-only and T is not const.
  template <class T = void>
  T* data_ptr() const {
    if constexpr (!std::is_const_v<T>) {
      if (TAIN_UNLIKELY(read_only())) internal::ThrowReadOnly("Tensor.data_ptr");
    }
    return internal::ElementsOf<T>(dl_tensor());
  }
  /// Returns the element at the indices, which are checked. Throws IndexError and TypeError.
  template <class T, class... Index>
  T& at(Index... index) const {
    const int64_t indices[] = {static_cast<int64_t>(index)...};
    return data_ptr<T>()[internal::CheckedOffset(dl_tensor(), indices)];
  }

  /// Returns a view without the first dimension. Throws IndexError.
  Tensor operator[](int64_t index) const { return select(0, index); }
  /// Returns a view of the elements at `index` of a dimension. Throws IndexError.
  Tensor select(int64_t dimension, int64_t index) const {
    return Tensor(
        internal::SelectTensor(operator->(), internal::Dimension(dimension, ndim()), index));
  }
  /// Returns a view of `count` elements of a dimension: start, start + step ... Throws IndexError.
  Tensor slice(int64_t dimension, int64_t start, int64_t count, int64_t step = 1) const {
    return Tensor(internal::SliceTensor(operator->(), internal::Dimension(dimension, ndim()), start,
                                        count, step));
  }
  /// Returns a view with other extents and strides, `offset` elements after the first element of
  /// this. Throws ValueError if it leaves the memory of this tensor.
  Tensor as_strided(ShapeView shape, ShapeView strides, int64_t offset = 0) const {
    return Tensor(internal::RestrideTensor(operator->(), shape, strides, offset));
  }
  Tensor as_strided(std::initializer_list<int64_t> shape, std::initializer_list<int64_t> strides,
                    int64_t offset = 0) const {
    return as_strided(ShapeView(shape.begin(), shape.size()),
                      ShapeView(strides.begin(), strides.size()), offset);
  }
  /// Copies the elements of another tensor of the same shape and type into this one. Both are in
  /// the processor's memory. Throws ValueError.
  void copy_from(const Tensor& other) const {
    if (TAIN_UNLIKELY(read_only())) internal::ThrowReadOnly("Tensor.copy_from");
    internal::CopyElements(other.dl_tensor(), dl_tensor());
  }
};

/// A view of a tensor that only reads it; a parameter takes read-only arrays too.
class ConstTensorView : public TensorAccess<ConstTensorView> {
 public:
  explicit ConstTensorView(const DLTensor* tensor) noexcept : tensor_(*tensor) {}
  ConstTensorView(const Tensor& tensor) : tensor_(tensor.dl_tensor()) {}  // NOLINT: a view of it

  const DLTensor* operator->() const noexcept { return &tensor_; }
  const DLTensor& dl_tensor() const noexcept { return tensor_; }
  /// Returns the address of the first element. Throws TypeError if the elements are not T.
  template <class T = void>
  const T* data_ptr() const {
    return internal::ElementsOf<const T>(tensor_);
  }
  /// Returns the element at the indices, which are checked. Throws IndexError and TypeError.
  template <class T, class... Index>
  const T& at(Index... index) const {
    const int64_t indices[] = {static_cast<int64_t>(index)...};
    return data_ptr<T>()[internal::CheckedOffset(tensor_, indices)];
  }

 protected:
  DLTensor tensor_;
};

/// A view of a tensor that may be written; a parameter refuses read-only arrays.
class TensorView : public TensorAccess<TensorView> {
 public:
  explicit TensorView(const DLTensor* tensor) noexcept : tensor_(*tensor) {}
  TensorView(const Tensor& tensor) : tensor_(tensor.dl_tensor()) {  // NOLINT: a view of it
    if (TAIN_UNLIKELY(tensor.read_only())) internal::ThrowReadOnly("TensorView");
  }
  operator ConstTensorView() const noexcept {  // NOLINT: what may be written may be read
    return ConstTensorView(&tensor_);
  }

  const DLTensor* operator->() const noexcept { return &tensor_; }
  const DLTensor& dl_tensor() const noexcept { return tensor_; }
  /// Returns the address of the first element. Throws TypeError if the elements are not T.
  template <class T = void>
  T* data_ptr() const {
    return internal::ElementsOf<T>(tensor_);
  }
  /// Returns the element at the indices, which are checked. Throws IndexError and TypeError.
  template <class T, class... Index>
  T& at(Index... index) const {
    const int64_t indices[] = {static_cast<int64_t>(index)...};
    return data_ptr<T>()[internal::CheckedOffset(tensor_, indices)];
  }

 private:
  DLTensor tensor_;
};

template <>
struct TypeTraits<Tensor>
    : internal::ReadingTraits<Tensor, internal::HandleTraits<Tensor, TensorObj, false>> {
  static bool ReadInto(const TainAny* a, Tensor* out) {
    const TainAny view = internal::Referred(*a);
    if (view.type_index == kTainTensor) {
      *out = internal::TakeHandle<Tensor>(*a);
      return true;
    }
    Any made;
    return internal::FromHost(view, kTainHostTensor, &made) && ReadInto(&made.data(), out);
  }
  static std::string TypeStr() { return "Tensor"; }
  static Mismatch ExplainMismatch(const TainAny* a);
};

namespace internal {

/// The rules by which a parameter that views a tensor accepts one.
struct TensorRules {
  bool writable;
  DLDataType dtype;                      ///< bits 0: any type
  int32_t ndim;                          ///< -1: any number
  bool host_memory;                      ///< whether the processor must be able to read the memory
  int32_t device_type;                   ///< 0: any device
  int32_t order;                         ///< 'C' or 'F': dense in that order
  int32_t num_extents;                   ///< the length of `extents`
  const int64_t* extents;                ///< -1: any extent
  bool converts = false;                 ///< other arrays and lists are converted; see Convert
  const StructLayout* layout = nullptr;  ///< of the elements, if they are structs

  /// Whether the host may make another tensor than the one that was given.
  constexpr bool makes() const noexcept { return converts || layout != nullptr; }
};

/// Whether the processor can read the memory of a device.
constexpr bool IsHostMemory(DLDevice device) noexcept {
  return HasMemory<DeviceMemory::kHost>(device);
}
/// Whether a value is a tensor that follows the rules. The address is checked too: elements lie at
/// multiples of their size, up to 16 bytes.
TAIN_DLL bool FollowsRules(const TainAny* a, const TensorRules& rules) noexcept;
/// Asks the host for a tensor that follows the rules, made of an array or a list. Returns false if
/// there is none. Throws what the host raises.
TAIN_DLL bool MakeFollowRules(const TainAny& a, const TensorRules& rules, Any* out);
/// The type expression of a parameter with these rules: `Tensor[float32, ndim=2]`, or `ArrayLike[...]`
/// if it converts.
TAIN_DLL std::string RulesText(const TensorRules& rules);
/// Makes a tensor of memory of others, whose strides may be empty. Throws ValueError for a layout
/// that no memory can have, and for null with elements.
TAIN_DLL ObjectPtr<TensorObj> MemoryTensor(void* data, ShapeView shape, ShapeView strides,
                                           DLDataType dtype, bool read_only);
/// The mismatch of a value that does not follow the rules: it says what the tensor must be.
TAIN_DLL Mismatch TensorMismatch(const TainAny* a, const TensorRules& rules);

/// A tensor that the host has made for a parameter.
struct MadeTensor {
  Tensor tensor;
};

/// The traits of views: parameters only. `Rules` is a type, because nvcc cannot write down a
/// reference to rules as the argument of a template.
template <class T, class Rules>
struct TensorViewTraits : TypeTraitsBase {
  static constexpr bool kStorable = false;
  static void CopyToAnyView(const T& v, TainAny* out) noexcept {
    static_assert(
        Rules::kRules.writable,
        "a view of const elements cannot be passed on, because whoever gets it could write "
        "them. Take a tain::Tensor, which knows whether it is read-only");
    *out = TainAny{};
    out->type_index = kTainDLTensorPtr;
    out->v_ptr = const_cast<DLTensor*>(&v.dl_tensor());  // C's struct has no const form
  }
  template <class V>
  static void MoveToAny(V, TainAny*) {
    static_assert(!std::is_same_v<V, T>,
                  "a view of a tensor cannot be a result: it does not keep the memory alive. "
                  "Return a tain::Tensor");
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    // A struct is checked by the host, which knows the fields of its array.
    if constexpr (Rules::kRules.layout != nullptr) return false;
    return FollowsRules(a, Rules::kRules);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept { return T(TensorIn(*a)); }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) noexcept(!Rules::kRules.makes()) {
    const TainAny view = Referred(*a);
    if (CheckAnyStrict(&view)) return T(TensorIn(view));
    if constexpr (Rules::kRules.makes()) {
      if (Any made; MakeFollowRules(view, Rules::kRules, &made)) {
        return T(MadeTensor{CastOrThrow<Tensor>(made.data())});
      }
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return RulesText(Rules::kRules); }
  static Mismatch ExplainMismatch(const TainAny* a) { return TensorMismatch(a, Rules::kRules); }
};

/// No rules but that of a view which only reads, or one which writes.
template <bool kWrites>
struct ViewRules {
  static constexpr TensorRules kRules{kWrites, {}, -1, false, 0, 0, 0, nullptr};
};
inline constexpr const TensorRules& kReadRules = ViewRules<false>::kRules;
inline constexpr const TensorRules& kWriteRules = ViewRules<true>::kRules;

}  // namespace internal

inline Mismatch TypeTraits<Tensor>::ExplainMismatch(const TainAny* a) {
  return internal::TensorMismatch(a, internal::kReadRules);
}
template <>
struct TypeTraits<ConstTensorView>
    : internal::TensorViewTraits<ConstTensorView, internal::ViewRules<false>> {};
template <>
struct TypeTraits<TensorView> : internal::TensorViewTraits<TensorView, internal::ViewRules<true>> {
};

/// A DLTensor by address, as compiled kernels take it; not checked, null is refused.
template <>
struct TypeTraits<DLTensor*> : internal::ReadingTraits<DLTensor*> {
  static constexpr bool kStorable = false;
  static void CopyToAnyView(DLTensor* const& v, TainAny* out) noexcept {
    *out = TainAny{};
    if (v == nullptr) return;
    out->type_index = kTainDLTensorPtr;
    out->v_ptr = v;
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return internal::FollowsRules(a, internal::kWriteRules);
  }
  static DLTensor* CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    return const_cast<DLTensor*>(internal::TensorIn(*a));  // C's struct has no const form
  }
  static bool ReadInto(const TainAny* a, DLTensor** out) noexcept {
    const TainAny view = internal::Referred(*a);
    if (!CheckAnyStrict(&view)) return false;
    *out = CopyFromAnyViewAfterCheck(&view);
    return true;
  }
  static std::string TypeStr() { return "Tensor"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return internal::TensorMismatch(a, internal::kWriteRules);
  }
};

namespace internal {

/// The object that keeps the memory of Tensor::FromNDAlloc alive.
template <class Alloc>
struct AllocatedMemory {
  Alloc alloc;
  DLTensor tensor;  ///< its extents stay in the TensorObj, which calls Free
  static void Free(TainTensorTail* tail) {
    auto* memory = static_cast<AllocatedMemory*>(tail->owner);
    memory->alloc.FreeData(&memory->tensor);
    delete memory;
  }
};

/// A value that keeps the memory of a tensor alive.
template <class Owner>
struct MemoryOwner {
  Owner owner;
  static void Free(TainTensorTail* tail) { delete static_cast<MemoryOwner*>(tail->owner); }
};
/// Throws ValueError: the vector has not as many elements as the shape.
[[noreturn]] TAIN_DLL void ThrowVectorSize(size_t size, ShapeView shape);

}  // namespace internal

template <class T, class Owner>
Tensor Tensor::View(T* data, ShapeView shape, ShapeView strides, Owner&& owner) {
  using Given = std::decay_t<Owner>;
  if constexpr (std::is_pointer_v<Given>) {
    constexpr bool kObject = std::is_base_of_v<Object, std::remove_pointer_t<Given>>;
    static_assert(
        kObject,
        "Tensor::View: a pointer keeps nothing alive: pass the owner itself (a smart "
        "pointer, a container that is moved in), or nullptr for memory that always lives");
    if constexpr (kObject) {
      using Bare = std::remove_const_t<std::remove_pointer_t<Given>>;
      return View(data, shape, strides, GetObjectPtr(const_cast<Bare*>(owner)));
    }
  } else {
    using Kept = internal::MemoryOwner<Given>;
    using Element = std::remove_const_t<T>;
    ObjectPtr<TensorObj> made = internal::MemoryTensor(const_cast<Element*>(data), shape, strides,
                                                       DTypeOf<Element>::value, std::is_const_v<T>);
    made->tail.owner = new Kept{std::forward<Owner>(owner)};
    made->tail.release = &Kept::Free;
    return Tensor(std::move(made));
  }
}

template <class T>
Tensor Tensor::FromVector(std::vector<T> elements, ShapeView shape) {
  static_assert(!std::is_same_v<T, bool>,
                "Tensor::FromVector: std::vector<bool> has no bools in memory: use uint8_t");
  const int64_t size[] = {static_cast<int64_t>(elements.size())};
  if (shape.data() == nullptr) shape = size;
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) count = -1;
    if (count < 0) break;
  }
  if (count != size[0]) internal::ThrowVectorSize(elements.size(), shape);
  T* data = elements.data();
  return View(data, shape, std::move(elements));
}

template <class Alloc, class... Extra>
Tensor Tensor::FromNDAlloc(Alloc alloc, ShapeView shape, DLDataType dtype, DLDevice device,
                           Extra&&... extra) {
  DLTensor prototype{};
  prototype.device = device;
  prototype.dtype = dtype;
  prototype.ndim = static_cast<int32_t>(shape.size());
  prototype.shape = const_cast<int64_t*>(shape.data());  // only read
  ObjectPtr<TensorObj> made = internal::MakeTensor(prototype, {});
  struct Owner {
    internal::AllocatedMemory<Alloc>* memory;
    ~Owner() { delete memory; }
  };
  Owner owner{new internal::AllocatedMemory<Alloc>{std::move(alloc), *made}};
  internal::AllocatedMemory<Alloc>& memory = *owner.memory;
  memory.alloc.AllocData(&memory.tensor, std::forward<Extra>(extra)...);
  made->data = memory.tensor.data;
  made->byte_offset = memory.tensor.byte_offset;
  made->tail.owner = std::exchange(owner.memory, nullptr);
  made->tail.release = &internal::AllocatedMemory<Alloc>::Free;
  return Tensor(std::move(made));
}

}  // namespace tain
