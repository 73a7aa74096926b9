// SPDX-License-Identifier: Apache-2.0
// Error objects, the thread's raised error, and the C functions for both.
#include "tain/error.h"

#include <memory>
#include <utility>

#include "base/defined_errors.h"
#include "base/error_object.h"
#include "base/guard.h"
#include "base/shared_file.h"
#include "base/text_repr.h"
#include "base/thread_end.h"
#include "tain/internal/error_key.h"

namespace tain::internal {
namespace {

TainByteArray BytesView(const std::string& text) noexcept { return {text.data(), text.size()}; }

void UpdateStoredBacktrace(TainObject* self, const TainByteArray* backtrace, int32_t mode) {
  if (self == nullptr || backtrace == nullptr) return;
  if (backtrace->data == nullptr && backtrace->size != 0) return;
  GuardVoid([&] {
    static_cast<ErrorStore*>(ObjectAccess::FromHeader(self))
        ->UpdateBacktrace({backtrace->data, backtrace->size}, mode);
  });
}

void IgnoreBacktrace(TainObject*, const TainByteArray*, int32_t) {}
void NeverDelete(void*, int) {}

/// The error that is raised when there is no memory. It is static, so raising it allocates nothing.
/// It has no prefix, and it holds a reference to itself that is never dropped.
struct StaticError {
  TainObject header;
  TainErrorCell cell;
};
constinit StaticError memory_error{
    {kBothOne, kTainError, 0, &NeverDelete},
    {{"MemoryError", 11}, {"out of memory", 13}, {"", 0}, &IgnoreBacktrace, nullptr, nullptr}};

/// This thread's raised error, which is dropped when the thread ends.
struct RaisedError {
  TainObject* error = nullptr;
  ThreadEnd end;

  void Set(TainObject* owned) noexcept {
    if (owned != nullptr) AtThreadEnd(&end);
    if (TainObject* old = std::exchange(error, owned)) DecRef(old);
  }
};
void DropRaised() noexcept;
constinit thread_local RaisedError raised{nullptr, {&DropRaised}};
void DropRaised() noexcept { raised.Set(nullptr); }

const TainErrorCell* CellOf(const Error& error) noexcept {
  TainObject* header = RefAccess::Header(error);
  return header == nullptr ? nullptr : ErrorCellOf(header);
}

/// An error that libtain made; null for those of other libraries, and where there is none.
ErrorStore* StoreOf(TainObject* error) noexcept {
  if (error == nullptr || ErrorCellOf(error)->update_backtrace != &UpdateStoredBacktrace) {
    return nullptr;
  }
  return static_cast<ErrorStore*>(ObjectAccess::FromHeader(error));
}

Map<String, Any> MapOf(const Any& fields) {
  return fields.try_cast<Map<String, Any>>().value_or(Map<String, Any>());
}

ObjectPtr<ErrorStore> MakeError(const TainByteArray* kind, const TainByteArray* message,
                                const TainByteArray* backtrace) {
  static constexpr TainByteArray kNothing{"", 0};
  if (backtrace == nullptr) backtrace = &kNothing;
  return make_object<ErrorStore>(TextOf(kind, "TainErrorCreate", "a kind"),
                                 TextOf(message, "TainErrorCreate", "a message"),
                                 TextOf(backtrace, "TainErrorCreate", "a backtrace"));
}

/// Returns a copy of what an error says, with other texts.
ObjectPtr<ErrorStore> CopyOf(const ErrorStore& store, std::string_view message,
                             std::string_view backtrace) {
  const TainErrorCell& cell = store.cell;
  auto made = make_object<ErrorStore>(View(cell.kind), message, backtrace);
  if ((made->cell.cause_chain = cell.cause_chain) != nullptr) IncRef(cell.cause_chain);
  if ((made->cell.extra_context = cell.extra_context) != nullptr) IncRef(cell.extra_context);
  made->fields = store.fields;
  made->changed_fields = store.changed_fields;
  return made;
}

}  // namespace

ErrorStore::ErrorStore(std::string_view kind, std::string_view message, std::string_view backtrace)
    : kind_(kind), message_(message), backtrace_(backtrace) {
  cell = {
      BytesView(kind_), BytesView(message_), BytesView(backtrace_), &UpdateStoredBacktrace, nullptr,
      nullptr};
}

ErrorStore::~ErrorStore() {
  if (TainObject* cause = std::exchange(cell.cause_chain, nullptr)) DecRef(cause);
  if (TainObject* extra = std::exchange(cell.extra_context, nullptr)) DecRef(extra);
}

void ErrorStore::UpdateBacktrace(std::string_view text, int32_t mode) {
  if (mode == kTainBacktraceAppend) {
    if (!backtrace_.empty() && backtrace_.back() != '\n') backtrace_ += '\n';
    backtrace_.append(text);
  } else {
    backtrace_.assign(text);
  }
  cell.backtrace = BytesView(backtrace_);
}

void AddContext(TainObject* error, TainObject* handled) noexcept {
  if (handled == nullptr || error == nullptr || handled == error) return;
  TainErrorCell* cell = ErrorCellOf(error);
  if (cell->cause_chain != nullptr) return;
  IncRef(handled);
  IncRef(handled);
  cell->cause_chain = handled;
  cell->extra_context = handled;
}

std::string ReverseFrames(std::string_view backtrace) {
  std::string reversed;
  reversed.reserve(backtrace.size() + 1);
  while (!backtrace.empty()) {
    // A frame begins at its `  File` line; the source lines after it belong to it.
    const size_t last = backtrace.rfind("\n  File ");
    const size_t start = last == std::string_view::npos ? 0 : last + 1;
    reversed.append(backtrace.substr(start));
    if (reversed.back() != '\n') reversed += '\n';
    backtrace = backtrace.substr(0, start == 0 ? 0 : start - 1);
  }
  return reversed;
}

void SetRaisedMemoryError() noexcept {
  IncRef(&memory_error.header);
  raised.Set(&memory_error.header);
}

void SetRaisedText(std::string_view kind, std::string_view message,
                   std::string_view backtrace) noexcept {
  try {
    auto error = make_object<ErrorStore>(kind, message, backtrace);
    raised.Set(RefAccess::Release(error));
  } catch (...) {
    SetRaisedMemoryError();
  }
}

ObjectPtr<Object> MakeErrorObject(std::string_view kind, std::string_view message,
                                  std::string_view backtrace, TainObject* handled) {
  auto store = make_object<ErrorStore>(kind, message, ReverseFrames(backtrace));
  AddContext(RefAccess::Header(store), handled);
  return ObjectPtr<Object>(std::move(store));
}

void NameRaisedFunction(const TainFunctionInfo* info, std::string_view function) noexcept {
  const bool no_memory = raised.error == &memory_error.header;
  ErrorStore* store = no_memory ? nullptr : StoreOf(raised.error);
  if (!no_memory && store == nullptr) return;
  const bool inside = store != nullptr && store->thrown_inside;
  if (inside && store->refusal.kind != Refusal::Kind::kNone && store->refusal.info == info) return;
  if (!inside && store != nullptr && (store->cell.backtrace.size != 0 || !store->unique())) return;
  try {
    std::string frame = "  File \"<C++>\", line 0, in ";
    frame.append(function).append("\n");
    if (inside) {  // others may hold the error, such as the exception that is being handled
      const std::string frames = std::string(View(store->cell.backtrace)) + frame;
      auto named = CopyOf(*store, View(store->cell.message), frames);
      named->refusal = store->refusal;
      named->missing_key = store->missing_key;
      if (store->system) named->system = std::make_unique<const SystemError>(*store->system);
      raised.Set(RefAccess::Release(named));
      return;
    }
    if (store != nullptr) return store->UpdateBacktrace(frame, kTainBacktraceReplace);
    SetRaisedText("MemoryError", "out of memory", frame);  // there may be enough for this
  } catch (...) {
    // The error itself matters more.
  }
}

void SetRaisedSystemError(SystemError system) noexcept {
  try {
    std::string message = "[Errno " + std::to_string(system.number) + "] " + system.reason;
    const auto add = [&](const char* before, const std::string& file) {
      if (file.empty()) return;
      message += before;
      AppendStrRepr(file, &message);
    };
    add(": ", system.file);
    add(" -> ", system.file2);
    auto error = make_object<ErrorStore>("OSError", message, "");
    error->system = std::make_unique<const SystemError>(std::move(system));
    raised.Set(RefAccess::Release(error));
  } catch (...) {
    SetRaisedMemoryError();
  }
}

const Any* MissingKeyOf(const TainObject* error) noexcept {
  const ErrorStore* store = StoreOf(const_cast<TainObject*>(error));
  return store == nullptr || !store->missing_key ? nullptr : &*store->missing_key;
}

void SetMissingKey(const Error& error, Any key) noexcept {
  if (ErrorStore* store = StoreOf(RefAccess::Header(error))) store->missing_key = std::move(key);
}

const Refusal* RefusalOf(const Error& error) noexcept {
  const ErrorStore* store = StoreOf(RefAccess::Header(error));
  return store == nullptr ? nullptr : &store->refusal;
}

const Refusal* RaisedRefusal() noexcept {
  const ErrorStore* store = StoreOf(raised.error);
  return store == nullptr ? nullptr : &store->refusal;
}

void ThrowError(const char* kind, const std::string& message, const Refusal& refusal) {
  const TainByteArray* backtrace = TainBacktrace(nullptr, 0, nullptr, 0);
  auto store =
      make_object<ErrorStore>(kind, message, std::string_view(backtrace->data, backtrace->size));
  store->refusal = refusal;
  store->thrown_inside = true;
  AddContext(RefAccess::Header(store), HandledError());
  throw RefAccess::Make<Error>(ObjectPtr<Object>(std::move(store)));
}

void ThrowReworded(const Error& error, const std::string& message, const Refusal& refusal) {
  const ErrorStore* store = StoreOf(RefAccess::Header(error));
  if (store == nullptr) throw Error(error.kind(), message, error.backtrace());
  auto made = CopyOf(*store, message, View(store->cell.backtrace));
  made->thrown_inside = store->thrown_inside;
  made->refusal = refusal;
  TainObject* handled = HandledError();
  if (handled != RefAccess::Header(error)) AddContext(RefAccess::Header(made), handled);
  const auto reworded = RefAccess::Make<Error>(ObjectPtr<Object>(std::move(made)));
  ThrowDefined(reworded, nullptr);
  throw reworded;
}

Error ErrorThrownInside(const ErrorThrower& thrower, const MessageStream& message,
                        TainObject* handled) {
  // Where tain found a mistake of its user says nothing to the user; a mistake of tain's own does.
  const bool is_mine = std::string_view(thrower.kind) == "InternalError";
  const bool is_wanted = is_mine || WholeStackWanted();
  const ErrorThrower nowhere{thrower.kind, nullptr, 0, nullptr};
  Error error = ErrorThrownBy(is_wanted ? thrower : nowhere, message, handled);
  if (ErrorStore* store = StoreOf(RefAccess::Header(error))) store->thrown_inside = true;
  return error;
}

void ThrowNullRef(const char* type_key) {
  TAIN_THROW(ValueError) << type_key << ": expected an object, got an empty handle";
}

}  // namespace tain::internal

namespace tain {

using namespace internal;  // NOLINT: the implementation of what error.h declares

Error::~Error() = default;

std::string Error::kind() const {
  const TainErrorCell* cell = CellOf(*this);
  return cell == nullptr ? std::string("Error") : std::string(View(cell->kind));
}

std::string Error::message() const {
  const TainErrorCell* cell = CellOf(*this);
  return cell == nullptr ? std::string() : std::string(View(cell->message));
}

std::string Error::backtrace() const {
  const TainErrorCell* cell = CellOf(*this);
  return cell == nullptr ? std::string()
                         : ReverseFrames({cell->backtrace.data, cell->backtrace.size});
}

std::optional<Error> Error::cause() const {
  const TainErrorCell* cell = CellOf(*this);
  if (cell == nullptr || cell->cause_chain == nullptr) return std::nullopt;
  return RefAccess::Make<Error>(RefAccess::Share<Object>(cell->cause_chain));
}

const char* Error::what() const noexcept {
  const TainErrorCell* cell = CellOf(*this);
  return cell == nullptr || cell->message.data == nullptr ? "" : cell->message.data;
}

Error Error::MoveFromRaised() {
  const void* caller = TAIN_CALLER();
  Error error = TakeRaisedError();
  ThrowDefined(error, caller);
  return error;
}

}  // namespace tain

namespace tain::internal {

Error TakeRaisedError() {
  TainObject* error = std::exchange(raised.error, nullptr);
  if (ErrorStore* store = StoreOf(error)) store->refusal.args = nullptr;  // that call is over
  if (error == nullptr) {
    return Error("InternalError", "a call failed but left no error behind");
  }
  return RefAccess::Make<Error>(RefAccess::Steal<Object>(error));
}

Map<String, Any> ErrorFieldsOf(const Error& error) {
  const ErrorStore* store = StoreOf(RefAccess::Header(error));
  return store == nullptr ? Map<String, Any>() : MapOf(store->fields);
}

void SetErrorFields(const Error& error, const Map<String, Any>& fields) {
  if (ErrorStore* store = StoreOf(RefAccess::Header(error))) store->fields = fields;
}

Map<String, Any> ChangedErrorFields(const Error& error) {
  const ErrorStore* store = StoreOf(RefAccess::Header(error));
  return store == nullptr ? Map<String, Any>() : MapOf(store->changed_fields);
}

Error WithChangedFields(const Error& error, const Map<String, Any>& changes) {
  const ErrorStore* store = StoreOf(RefAccess::Header(error));
  if (store == nullptr) return error;
  const TainErrorCell& cell = store->cell;
  auto made = CopyOf(*store, View(cell.message), View(cell.backtrace));
  Map<String, Any> fields = ErrorFieldsOf(error);
  Map<String, Any> changed = ChangedErrorFields(error);
  for (const auto& [name, value] : changes) {
    fields.Set(name, value);
    changed.Set(name, value);
  }
  made->fields = std::move(fields);
  made->changed_fields = std::move(changed);
  return RefAccess::Make<Error>(ObjectPtr<Object>(std::move(made)));
}

}  // namespace tain::internal

using namespace tain;            // NOLINT: the C functions are a face of the namespace
using namespace tain::internal;  // NOLINT

extern "C" int TainErrorCreate(const TainByteArray* kind, const TainByteArray* message,
                               const TainByteArray* backtrace, TainObject** out) noexcept {
  return TainErrorCreateWithCauseAndExtraContext(kind, message, backtrace, nullptr, nullptr, out);
}

extern "C" int TainErrorCreateWithCauseAndExtraContext(
    const TainByteArray* kind, const TainByteArray* message, const TainByteArray* backtrace,
    TainObject* cause_chain, TainObject* extra_context, TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainErrorCreate", "a place for the result");
    if (cause_chain != nullptr && !IndexIsInstance<ErrorObj>(cause_chain->type_index)) {
      TAIN_THROW(TypeError) << "TainErrorCreate: expected an Error as cause";
    }
    auto error = MakeError(kind, message, backtrace);
    if (cause_chain != nullptr) IncRef(cause_chain);
    if (extra_context != nullptr) IncRef(extra_context);
    error->cell.cause_chain = cause_chain;
    error->cell.extra_context = extra_context;
    result = RefAccess::Release(error);
  });
}

extern "C" void TainErrorSetRaised(TainObject* error) noexcept {
  if (error != nullptr && !IndexIsInstance<ErrorObj>(error->type_index)) {
    return SetRaisedText("TypeError", "TainErrorSetRaised: expected an Error");
  }
  if (error != nullptr) IncRef(error);
  raised.Set(error);
}

extern "C" void TainErrorSetRaisedFromCStr(const char* kind, const char* message) noexcept {
  TainErrorSetRaisedFromCStrParts(kind, &message, 1);
}

extern "C" void TainErrorSetRaisedFromCStrParts(const char* kind, const char* const* message_parts,
                                                int32_t num_parts) noexcept {
  try {
    std::string message;
    for (int32_t i = 0; message_parts != nullptr && i < num_parts; ++i) {
      if (message_parts[i] != nullptr) message += message_parts[i];
    }
    const TainByteArray* backtrace = TainBacktrace(nullptr, 0, nullptr, 0);
    SetRaisedText(kind == nullptr ? "RuntimeError" : kind, message,
                  {backtrace->data, backtrace->size});
  } catch (...) {
    SetRaisedMemoryError();
  }
}

extern "C" void TainErrorMoveFromRaised(TainObject** out) noexcept {
  if (out != nullptr) *out = std::exchange(raised.error, nullptr);
}

extern "C" int TainErrorGetSystemError(TainObject* error, TainSystemError* out) noexcept {
  const ErrorStore* store = StoreOf(error);
  if (store == nullptr || store->system == nullptr || out == nullptr) return 0;
  const SystemError& system = *store->system;
  *out = {system.number, BytesView(system.reason), BytesView(system.file), BytesView(system.file2)};
  return 1;
}
