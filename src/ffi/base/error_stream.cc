// SPDX-License-Identifier: Apache-2.0
// MessageStream and ErrorThrower: what TAIN_THROW and the TAIN_CHECK family are made of.
#include <new>
#include <ostream>
#include <streambuf>
#include <string>

#include "base/error_object.h"
#include "base/text_repr.h"
#include "tain/error.h"

namespace tain::internal {

namespace {

/// Appends to a string, and records if memory ran out, because std::ostream swallows the exception.
class TextBuffer final : public std::streambuf {
 public:
  std::string Text() const {
    if (out_of_memory_) throw std::bad_alloc();
    return text_;
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    try {
      text_.append(text, static_cast<size_t>(size));
    } catch (...) {
      out_of_memory_ = true;
      throw;
    }
    return size;
  }
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    xsputn(&one, 1);
    return c;
  }

 private:
  std::string text_;
  bool out_of_memory_ = false;
};

class TextStream final : public std::ostream {
 public:
  TextStream() : std::ostream(nullptr) { rdbuf(&buffer_); }
  std::string Text() const { return buffer_.Text(); }

 private:
  TextBuffer buffer_;
};

}  // namespace

MessageStream::MessageStream() : stream_(new TextStream()) {}
MessageStream::~MessageStream() { delete stream_; }

std::ostream& MessageStream::Stream() { return *stream_; }

std::string MessageStream::str() const { return static_cast<const TextStream*>(stream_)->Text(); }

MessageStream& MessageStream::operator<<(const char* text) {
  return *this << std::string_view(text == nullptr ? "(null)" : text);
}
MessageStream& MessageStream::operator<<(std::string_view text) {
  *stream_ << text;
  return *this;
}
MessageStream& MessageStream::operator<<(bool value) { return *this << (value ? "true" : "false"); }
MessageStream& MessageStream::operator<<(long long value) {
  *stream_ << value;
  return *this;
}
MessageStream& MessageStream::operator<<(unsigned long long value) {
  *stream_ << value;
  return *this;
}
MessageStream& MessageStream::operator<<(double value) {
  std::string text;
  AppendFloatRepr(value, &text);
  return *this << std::string_view(text);
}
MessageStream& MessageStream::operator<<(const void* value) {
  *stream_ << value;
  return *this;
}
MessageStream& MessageStream::operator<<(std::ostream& (*manipulator)(std::ostream&)) {
  manipulator(*stream_);
  return *this;
}

Error ErrorThrownBy(const ErrorThrower& thrower, const MessageStream& stream, TainObject* handled) {
  const TainByteArray* backtrace = TainBacktrace(thrower.file, thrower.line, thrower.function, 0);
  // The constructor expects the most recent call last, but a single line has no order.
  const std::string message = stream.str();
  TainObject* error = nullptr;
  const TainByteArray kind_text = Bytes(thrower.kind);
  const TainByteArray text{message.data(), message.size()};
  if (TainErrorCreate(&kind_text, &text, backtrace, &error) != 0) return Error::MoveFromRaised();
  AddContext(error, handled);
  return RefAccess::Make<Error>(RefAccess::Steal<Object>(error));
}

}  // namespace tain::internal
