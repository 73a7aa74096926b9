// SPDX-License-Identifier: Apache-2.0
// Makes errors of exceptions: kind, message, fields, and the exception itself inside.
#include "base/error.h"
#include "base/error_class.h"
#include "base/error_kinds.h"
#include "base/opaque.h"
#include "tain/error.h"

namespace tain::bindings {

TainObject* ErrorOf(PyObject* exception, bool fields) noexcept {
  return GuardedInBase([&]() -> TainObject* {
    const std::string kind = KindOf(exception);
    nb::object text = nb::steal(PyObject_Str(exception));
    if (!text.is_valid()) {
      PyErr_Clear();
      text = nb::str("<the exception's str() failed>");
    }
    const std::string message = Utf8Of(text);
    TainObject* context = MakeOpaque(exception);
    if (context == nullptr) return nullptr;
    const TainByteArray kind_bytes = BytesOf(kind);
    const TainByteArray message_bytes = BytesOf(message);
    const TainByteArray none{nullptr, 0};
    TainObject* error = nullptr;
    const int code = TainErrorCreateWithCauseAndExtraContext(&kind_bytes, &message_bytes, &none,
                                                             nullptr, context, &error);
    TainObjectDecRef(context);
    if (code != 0) {
      static_cast<void>(Error::MoveFromRaised());
      PyErr_NoMemory();
      return nullptr;
    }
    ObjectPtr<Object> owned = internal::RefAccess::Steal<Object>(error);
    if (fields) CopyExceptionFields(exception, kind, error);
    return internal::RefAccess::Release(owned);
  });
}

}  // namespace tain::bindings
