// SPDX-License-Identifier: Apache-2.0
// TainAnyRepr: the repr of a value as Python would write it.
//
// `...` replaces values below 100 levels or at the end of the C stack, a value inside itself, and
// all text after a megabyte. So the C stack and the memory are bounded for any graph. A shared object
// is asked once, and its text is repeated, if it has no `...` that stands there for its place. A repr may
// run inside another one on the same thread, through a type's own `__ffi_repr__` or a Python object
// that holds a tain object. The inner one continues to count levels and knows the values that are
// being written. Errors are raised, as in the repr of a list.
//
// If the host has a class of its own for an object, such as a Python subclass, the host writes it.
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/stack_bound.h"
#include "base/text_repr.h"
#include "base/thread_end.h"
#include "registry/box_target.h"
#include "registry/type_column.h"
#include "tain/big_int.h"
#include "tain/c_api_host.h"
#include "tain/container/shape.h"
#include "tain/internal/box.h"
#include "tain/internal/container_api.h"
#include "tain/internal/container_declared.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/field_target.h"
#include "tain/internal/host_repr.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

constexpr size_t kMaxDepth = 100;
constexpr size_t kMaxSize = size_t{1} << 20;
constexpr size_t kMaxBigIntWords = 224;  // 4300 digits, the same limit as in Python

constinit TypeColumn repr_column{"__ffi_repr__"};
/// The functions that SetHostRepr installed; null without a host.
constinit std::atomic<const HostRepr*> repr_host{nullptr};

/// Objects that are being written on this thread, outermost first.
struct InProgress : std::vector<const TainObject*> {};
/// How often `...` replaced a value on this thread, which depends on where the value stands.
thread_local uint64_t cuts = 0;

/// An object is being written. Coroutines that move the C stack may end their levels in any order.
class ReprLevel : NotCopied {
 public:
  explicit ReprLevel(const TainObject* object) : object_(object) {
    ThreadOwn<InProgress>::Get().push_back(object);
  }
  ~ReprLevel() {
    InProgress& in_progress = ThreadOwn<InProgress>::Get();
    in_progress.erase(std::find(in_progress.rbegin(), in_progress.rend(), object_).base() - 1);
  }

 private:
  const TainObject* object_;
};

int CallRepr(void*, const TainAny* args, int32_t num_args, TainAny* result) {
  return Guard([&] {
    if (num_args != 1) TAIN_THROW(TypeError) << "repr: expected 1 argument, got " << num_args;
    return TainAnyRepr(args, result);
  });
}

class Printer {
 public:
  std::string Run(const TainAny& value) {
    Value(value);
    return std::move(out_);
  }
  /// Writes an object by its type, with another name than the key if `name` is not empty.
  std::string RunObject(TainObject* object, std::string_view name) {
    name_ = name;
    const TainAny value = ViewOfObject(object);
    if (IsTooDeep(object)) return "...";
    ByType(value);
    return std::move(out_);
  }

 private:
  void Put(std::string_view text) {
    if (full_) return;
    if (out_.size() + text.size() > kMaxSize) {
      out_.append(Utf8Prefix(text, kMaxSize - out_.size())).append("...");
      full_ = true;
      return;
    }
    out_.append(text);
  }

  void Value(const TainAny& value) {
    std::string text;
    std::string_view view;
    if (TextOf(&value, &view)) {
      AppendStrRepr(Utf8Prefix(view, kMaxSize), &text);
    } else if (BytesOf(&value, &view)) {
      AppendBytesRepr(view.substr(0, kMaxSize), &text);
    } else if (value.type_index >= kTainStaticObjectBegin) {
      return Nested(value);
    } else if (value.type_index == kTainRValueRef) {
      return Value(Referred(value));
    } else {
      text = Plain(value);
    }
    Put(text);
  }

  static std::string Plain(const TainAny& value) {
    std::string text;
    switch (value.type_index) {
      case kTainNone: return "None";
      case kTainInt: return std::to_string(value.v_int64);
      case kTainBool: return value.v_int64 != 0 ? "True" : "False";
      case kTainFloat: AppendFloatRepr(value.v_float64, &text); return text;
      case kTainDataType: {
        TainAny name{};
        ThrowIfFailed(TainDataTypeToString(&value.v_dtype, &name));
        return "dtype('" + Any::Steal(name).cast<std::string>() + "')";
      }
      case kTainDevice: {
        const char* name = TainDeviceTypeName(value.v_device.device_type);
        text = name != nullptr ? name : std::to_string(value.v_device.device_type);
        return "device('" + text + ":" + std::to_string(value.v_device.device_id) + "')";
      }
      default: {
        char address[32];
        std::snprintf(address, sizeof(address), " 0x%" PRIx64 ">", value.v_uint64);
        return "<" + TypeNameOf(value) + address;
      }
    }
  }

  /// Whether an object is being written already, or nested too deeply.
  static bool IsTooDeep(const TainObject* object) {
    const InProgress& in_progress = ThreadOwn<InProgress>::Get();
    return std::find(in_progress.begin(), in_progress.end(), object) != in_progress.end() ||
           in_progress.size() >= kMaxDepth || StackIsLow();
  }

  void Nested(const TainAny& value) {
    if (full_) return;
    if (value.v_obj == nullptr) return Put("None");
    if (IsTooDeep(value.v_obj)) {
      ++cuts;
      return Put("...");
    }
    const uint64_t count = std::atomic_ref(value.v_obj->combined_ref_count).load() & kStrongMask;
    if (count <= 2) return Write(value);  // that of its owner, and that of this repr
    const auto known = shared_.find(value.v_obj);
    if (known != shared_.end()) {
      const SharedText& text = known->second;
      return Put(std::string_view(out_).substr(text.begin, text.size));
    }
    const uint64_t cuts_before = cuts;
    const size_t begin = out_.size();
    Write(value);
    if (cuts != cuts_before || full_) return;
    shared_[value.v_obj] = {Any(AnyView(value)), begin, out_.size() - begin};
  }
  void Write(const TainAny& value) {
    if (!ByHost(value.v_obj)) ByType(value);
  }

  /// Lets the host write an object for which it has a class of its own.
  bool ByHost(TainObject* object) {
    const HostRepr* host = GetHostRepr();
    if (host == nullptr) return false;
    TainAny text{};
    ThrowIfFailed(host->object(object, &text));
    if (text.type_index == kTainNone) return false;
    TextResult(text);
    return true;
  }

  void ByType(const TainAny& value) {
    const ReprLevel level(value.v_obj);
    if (IsBoxType(value.type_index) && Gone(value.v_obj)) return;
    if (!Custom(value)) ObjectText(value);
  }

  void ObjectText(const TainAny& value) {
    switch (value.type_index) {
      case kTainArray:
      case kTainList: return Sequence(value.v_obj);
      case kTainMap:
      case kTainDict: return Entries(value.v_obj);
      case kTainShape: return Extents(value.v_obj);
      case kTainBigInt: return BigInteger(value);
      case kTainFunction: return FunctionText(value.v_obj);
      case kTainError: return ErrorText(value.v_obj);
      case kTainOpaquePyObject: return Opaque(value.v_obj);
      case kTainTensor:
      case kTainModule: return Put("<" + TypeNameOf(value) + ">");
      default: return Fields(value.v_obj);
    }
  }

  void Sequence(const TainObject* seq) {
    Put("[");
    // The repr of an element may change the list, so the size is read again each time. If the list
    // grows, only elements up to the first size are written.
    const int64_t size = SeqSize(seq);
    for (int64_t i = 0; i < size && i < SeqSize(seq) && !full_; ++i) {
      const Any element{AnyView(SeqData(seq)[i])};
      if (i > 0) Put(", ");
      Element(seq, ElementRole::kItem, element.data());
    }
    Put("]");
  }

  void Entries(const TainObject* map) {
    Put("{");
    bool first = true;
    uint64_t left = MapSize(map);  // the loop ends even if a repr replaces keys
    for (uint64_t at = MapFirst(map); at != kMapEnd && !full_; at = MapNext(map, at)) {
      const MapItem* item = MapItemAt(map, at);
      if (left-- == 0) break;
      const Any key{AnyView(item->key)};
      const Any value{AnyView(item->value)};
      if (!first) Put(", ");
      first = false;
      Element(map, ElementRole::kKey, key.data());
      Put(": ");
      Element(map, ElementRole::kValue, value.data());
    }
    Put("}");
  }

  /// Writes an element of a container, which may remember its declared type.
  void Element(const TainObject* container, ElementRole role, const TainAny& element) {
    const HostRepr* host = DeclaredNumberOf(container) == 0 ? nullptr : GetHostRepr();
    Declared(host, host == nullptr ? nullptr : host->element_type(container, role), element);
  }

  /// Writes a value of a declared type, which is null if the value says all.
  void Declared(const HostRepr* host, const void* type, const TainAny& value) {
    if (type == nullptr) return Value(value);
    const DeclaredForm form = host->form(type, value);
    switch (form.kind) {
      case DeclaredForm::Kind::kText: return TextResult(form.text);
      case DeclaredForm::Kind::kTuple: return Tuple(host, form.tuple, value.v_obj);
      case DeclaredForm::Kind::kMember:
        if (AppendEnumMember(View(form.enum_key), value, &out_)) return;
        [[fallthrough]];
      default: return Value(value);
    }
  }

  void Tuple(const HostRepr* host, const void* tuple, TainObject* array) {
    if (IsTooDeep(array)) {
      ++cuts;
      return Put("...");
    }
    const ReprLevel level(array);
    const int64_t size = SeqSize(array);
    Put("(");
    for (int64_t i = 0; i < size && !full_; ++i) {
      if (i > 0) Put(", ");
      Declared(host, host->tuple_part(tuple, static_cast<size_t>(i)), SeqData(array)[i]);
    }
    Put(size == 1 ? ",)" : ")");
  }

  void Extents(const TainObject* shape) {
    const auto* cell = reinterpret_cast<const TainShapeCell*>(shape + 1);
    Put("(");
    for (size_t i = 0; i < cell->size && !full_; ++i) {
      if (i > 0) Put(", ");
      Put(std::to_string(cell->data[i]));
    }
    Put(cell->size == 1 ? ",)" : ")");
  }

  void BigInteger(const TainAny& value) {
    int64_t room = 0;
    size_t count = 0;
    BigIntWords(value, &room, &count);
    if (count > kMaxBigIntWords) return Put("<int of " + std::to_string(64 * count) + " bits>");
    Put(BigIntToText(value));
  }

  void FunctionText(TainObject* function) {
    if (const HostRepr* host = GetHostRepr()) {
      TainAny text{};
      ThrowIfFailed(host->callable(function, &text));
      Put("<Function ");
      TextResult(text);
      return Put(">");
    }
    const TainFunctionInfo* info = TainFunctionGetInfo(function);
    if (info == nullptr || info->name.size == 0) return Put("<Function>");
    Put("<Function ");
    Put(View(info->name));
    Put(">");
  }

  void ErrorText(const TainObject* error) {
    const auto* cell = reinterpret_cast<const TainErrorCell*>(error + 1);
    std::string message;
    AppendStrRepr(View(cell->message), &message);
    Put(View(cell->kind));
    Put("(");
    Put(message);
    Put(")");
  }

  void Opaque(TainObject* object) {
    const TainHost* host = TainGetHost();
    TainAny text{};
    if (host == nullptr || host->repr_opaque == nullptr) return Put("<object>");
    ThrowIfFailed(host->repr_opaque(object, &text));
    TextResult(text);
  }

  /// Writes a text that another function returned.
  void TextResult(const TainAny& owned) {
    const Any keeper = Any::Steal(owned);
    std::string_view text;
    Put(TextOf(&keeper.data(), &text) ? text : std::string_view("<?>"));
  }

  /// Calls the type's `__ffi_repr__(self, repr)`, or `__ffi_repr__(self)` if it takes one argument.
  bool Custom(const TainAny& value) {
    const TainAny* found = repr_column.Find(value.type_index);
    if (found == nullptr || found->type_index != kTainFunction) return false;
    const TainAny& attribute = *found;
    const TainFunctionInfo* info = TainFunctionGetInfo(attribute.v_obj);
    int32_t num_args = 2;
    if (info != nullptr && (info->flags & kTainCallPacked) == 0) {
      num_args = info->num_args + ((info->flags & kTainCallMethod) != 0 ? 1 : 0);
    }
    TainObject* repr = nullptr;
    ThrowIfFailed(TainFunctionCreate(nullptr, &CallRepr, nullptr, &repr));
    TainFunctionSetReleasesGil(repr, 0);
    TainAny args[2] = {value, TainAny{}};
    args[1].type_index = kTainFunction;
    args[1].v_obj = repr;
    const Any keeper = Any::Steal(args[1]);
    TainAny text{};
    ThrowIfFailed(TainFunctionCall(attribute.v_obj, args, std::clamp(num_args, 1, 2), &text));
    TextResult(text);
    return true;
  }

  /// Writes a box that has no object any more: `<geometry.Circle: given away>`.
  bool Gone(TainObject* object) {
    const auto* box = static_cast<const BoxObj*>(ObjectAccess::FromHeader(object));
    if (box->target != nullptr) return false;
    const std::string_view key = View(TainGetTypeInfo(object->type_index)->type_key);
    Put("<");
    Put(name_.empty() ? key : std::exchange(name_, {}));
    Put(": ");
    Put(WhyNoTarget(box).brief);
    Put(">");
    return true;
  }

  void Fields(TainObject* object) {
    const TainTypeInfo* info = TainGetTypeInfo(object->type_index);
    if (info == nullptr) return Put("<object of unknown type>");
    // Only the outermost object has another name.
    Put(name_.empty() ? View(info->type_key) : std::exchange(name_, {}));
    Put("(");
    bool first = true;
    for (int32_t depth = 0; depth <= info->type_depth && !full_; ++depth) {
      const TainTypeInfo* type = depth == info->type_depth ? info : info->type_ancestors[depth];
      const TainTypeRecord* record = TainGetTypeRecord(type->type_index);
      for (int32_t i = 0; i < type->num_fields && !full_; ++i) {
        const TainFieldDef* def =
            record != nullptr && i < record->num_fields ? record->fields[i] : nullptr;
        Field(object, def != nullptr ? def->info : type->fields[i], def, &first);
      }
    }
    Put(")");
  }

  void Field(TainObject* object, const TainFieldInfo& field, const TainFieldDef* def, bool* first) {
    if ((field.flags & kTainFieldNoRepr) != 0) return;
    if (!*first) Put(", ");
    *first = false;
    Put(View(field.name));
    Put("=");
    TainAny raw{};
    if (field.getter == nullptr) return Put("<?>");
    const bool placed = def != nullptr && (def->access & kTainFieldPlaced) != 0;
    ThrowIfFailed(field.getter(FieldTarget(object, field.offset, placed).get(), &raw));
    const Any value = Any::Steal(raw);
    if (def != nullptr && def->is_enum != 0 &&
        AppendEnumMember(View(def->type), value.data(), &out_)) {
      return;
    }
    const HostRepr* host =
        def != nullptr && MayDeclareMore(View(def->type)) ? GetHostRepr() : nullptr;
    Declared(host, host == nullptr ? nullptr : host->declared_type(def->type), value.data());
  }

  /// Whether a type may say more than its values do: it has parts or alternatives, or is an array.
  static bool MayDeclareMore(std::string_view type) {
    return type.find_first_of("[|") != type.npos || type == "numpy.ndarray";
  }

  struct SharedText {
    Any object;  ///< so that no other one gets its address
    size_t begin = 0, size = 0;
  };
  std::unordered_map<const TainObject*, SharedText> shared_;
  std::string out_;
  std::string_view name_;  ///< of the object that is written first; empty for its key
  bool full_ = false;
};

}  // namespace

void SetHostRepr(const HostRepr* host) noexcept {
  repr_host.store(host, std::memory_order_release);
}

const HostRepr* GetHostRepr() noexcept { return repr_host.load(std::memory_order_acquire); }

std::string ReprOfObject(TainObject* object, std::string_view name) {
  return Printer().RunObject(object, name);
}

}  // namespace tain::internal

extern "C" int TainAnyRepr(const TainAny* value, TainAny* out) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const TainAny& checked = NotNull(value, "TainAnyRepr", "a value");
    TainAny& result = NotNull(out, "TainAnyRepr", "a place for the result");
    const std::string text = Printer().Run(checked);
    TextToAny(text, &result);
  });
}
