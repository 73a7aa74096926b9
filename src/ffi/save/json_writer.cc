// SPDX-License-Identifier: Apache-2.0
// Writes a graph as JSON text: a flat list of nodes, each after the nodes that it refers to.
//
// The texts of the nodes that are open stand one after the other in `text_`. When a node ends, its
// text moves to the result, and the open node before it gets a reference instead. A reference to an
// open node, which is part of a cycle, names its type and a label that the open node states too.
#include <cmath>

#include "base/guard.h"
#include "base/utf8.h"
#include "json/json_text.h"
#include "save/format_version.h"
#include "save/save_walk.h"
#include "tain/big_int.h"
#include "tensors/tensor_text.h"

namespace tain {
namespace internal {
namespace {

class JsonWriter : public SaveWalk<JsonWriter> {
 public:
  JsonWriter(const WriteBytes* write, int indent, const SaveOptions& options)
      : SaveWalk("save_json", write, options), indent_(indent) {}

  std::string Run(const TainAny& root) {
    std::string& out = sink_.buffer();
    out = "{";
    if (indent_ >= 0) NewLine(1, &out);
    out += indent_ < 0 ? "\"tain_graph\":" : "\"tain_graph\": ";
    WriteJsonInt(kFormatVersion, &out);
    out += ',';
    if (indent_ >= 0) NewLine(1, &out);
    out += indent_ < 0 ? "\"nodes\":[" : "\"nodes\": [";
    Walk(root);
    if (indent_ >= 0 && num_nodes_ > 0) NewLine(1, &out);
    out += "],";
    if (indent_ >= 0) NewLine(1, &out);
    out += indent_ < 0 ? "\"root\":" : "\"root\": ";
    out += text_;
    if (indent_ >= 0) NewLine(0, &out);
    out += "}";
    sink_.Flush();
    return std::move(out);
  }

 private:
  friend class SaveWalk<JsonWriter>;

  void Leaf(const TainAny& value) {
    switch (value.type_index) {
      case kTainNone: text_ += "null"; return;
      case kTainBool: text_ += value.v_int64 != 0 ? "true" : "false"; return;
      case kTainInt: return WriteJsonInt(value.v_int64, &text_);
      case kTainFloat: return Float(value.v_float64);
      case kTainSmallStr: return Text({value.v_bytes, value.small_str_len});
      case kTainSmallBytes: return Base64("$bytes", {value.v_bytes, value.small_str_len});
      case kTainRawStr: return Text(value.v_c_str);
      case kTainStr: return Text(View(*reinterpret_cast<const TainByteArray*>(value.v_obj + 1)));
      case kTainBytes:
        return Base64("$bytes", View(*reinterpret_cast<const TainByteArray*>(value.v_obj + 1)));
      case kTainDataType: return Short("$dtype", DTypeText(value.v_dtype));
      case kTainDevice: return Device(value.v_device);
      case kTainShape: return Shape(value.v_obj);
      case kTainBigInt: return Integer(value);
      case kTainOpaquePtr: Refuse("an address cannot be saved");
      default: Refuse("a value of type " + TypeNameOf(value) + " cannot be saved");
    }
  }

  void Begin(const char* name) {
    text_ += "{\"";
    text_ += name;
    text_ += indent_ < 0 ? "\":" : "\": ";
  }

  void Short(const char* name, std::string_view text) {
    Begin(name);
    WriteJsonString(text, &text_);
    text_ += '}';
  }

  void Base64(const char* name, std::string_view bytes) {
    Begin(name);
    text_ += '"';
    WriteBase64(bytes, &text_);
    text_ += "\"}";
  }

  void Float(double value) {
    if (TAIN_LIKELY(std::isfinite(value))) return WriteJsonFloat(value, &text_);
    Short("$float", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  }

  /// Text with lone surrogates is written as bytes.
  void Text(std::string_view text) {
    if (TAIN_LIKELY(IsUtf8(text))) return WriteJsonString(text, &text_);
    CheckText(text);
    Base64("$text", text);
  }

  void Device(DLDevice device) {
    const char* name = TainDeviceTypeName(device.device_type);
    if (name == nullptr) Refuse("a device of an unknown kind cannot be saved");
    Begin("$device");
    text_ += '[';
    WriteJsonString(name, &text_);
    text_ += indent_ < 0 ? "," : ", ";
    WriteJsonInt(device.device_id, &text_);
    text_ += "]}";
  }

  void Extents(const int64_t* data, size_t size) {
    text_ += '[';
    for (size_t i = 0; i < size; ++i) {
      if (i != 0) text_ += indent_ < 0 ? "," : ", ";
      WriteJsonInt(data[i], &text_);
    }
    text_ += ']';
  }

  void Shape(const TainObject* shape) {
    const auto* cell = reinterpret_cast<const TainShapeCell*>(shape + 1);  // after the header
    Begin("$shape");
    Extents(cell->data, cell->size);
    text_ += '}';
  }

  /// An integer of some hundred digits is written as such; a larger one as bytes, because reading
  /// decimal digits takes time that grows with the square of their number.
  void Integer(const TainAny& value) {
    const TainByteArray bytes = TainBigIntGetContentByteArray(&value);
    if (bytes.size > kMaxDecimalBytes) return Base64("$int", View(bytes));
    text_ += BigIntToText(value);
  }

  void Member(const TainEnumInfo& info, const TainAny& value) {
    Begin("$enum");
    WriteJsonString(View(info.key), &text_);
    text_ += indent_ < 0 ? ",\"$value\":" : ", \"$value\": ";
    Leaf(value);
    text_ += '}';
  }

  void Reference(SavedNode* node) {
    if (node->number < 0 && node->label < 0) node->label = num_labels_++;
    if (node->number < 0) {
      Begin("$type");
      WriteJsonString(node->key, &text_);
      text_ += indent_ < 0 ? ",\"$yet\":" : ", \"$yet\": ";
    } else {
      Begin("$node");
    }
    WriteJsonInt(node->number >= 0 ? node->number : node->label, &text_);
    text_ += '}';
  }

  void Open(SaveFrame& frame) {
    frame.text = text_.size();
    text_ += '{';
    Member("$type", true);
    const bool is_container = frame.type == nullptr;
    const std::string_view key = is_container
                                     ? View(TainGetTypeInfo(frame.object()->type_index)->type_key)
                                     : frame.type->key;
    WriteJsonString(key, &text_);
    frame.label = text_.size();
    if (frame.known != nullptr) frame.known->key = key;
    if (is_container) {
      Member("items", false);
      text_ += '[';
      return;
    }
    if (frame.form == SaveForm::kFields && frame.type->version != 1) {
      Member("$version", false);
      WriteJsonInt(frame.type->version, &text_);
    }
    if (frame.form == SaveForm::kData) Member("$value", false);
  }

  /// Writes the name of a member of a node.
  void Member(const char* name, bool is_first) {
    if (!is_first) text_ += ',';
    if (indent_ >= 0) NewLine(3, &text_);
    text_ += '"';
    text_ += name;
    text_ += indent_ < 0 ? "\":" : "\": ";
  }

  void BeforePart(SaveFrame& frame) {
    switch (frame.form) {
      case SaveForm::kFields:
        text_ += ',';
        if (indent_ >= 0) NewLine(3, &text_);
        text_ += frame.type->fields[static_cast<size_t>(frame.next - 1)].json;
        if (indent_ >= 0) text_ += ' ';
        return;
      case SaveForm::kSequence:
        if (frame.next > 1) text_ += ',';
        if (indent_ >= 0) NewLine(4, &text_);
        return;
      case SaveForm::kMap:
        if (frame.next % 2 == 0) {
          text_ += indent_ < 0 ? "," : ", ";
          return;
        }
        if (frame.next > 1) text_ += "],";
        if (indent_ >= 0) NewLine(4, &text_);
        text_ += '[';
        return;
      default: return;
    }
  }

  void Close(SaveFrame& frame) {
    if (frame.form == SaveForm::kMap && frame.next > 0) text_ += ']';
    if (frame.form == SaveForm::kSequence || frame.form == SaveForm::kMap) {
      if (indent_ >= 0 && frame.next > 0) NewLine(3, &text_);
      text_ += ']';
    }
    if (frame.known != nullptr && frame.known->label >= 0) {
      const size_t end = text_.size();
      Member("$yet", false);
      WriteJsonInt(frame.known->label, &text_);
      const std::string label = text_.substr(end);
      text_.resize(end);
      text_.insert(frame.label, label);
    }
    if (indent_ >= 0) NewLine(2, &text_);
    text_ += '}';
    Finish(frame);
  }

  /// Moves the text of a node to the result and leaves a reference.
  void Finish(SaveFrame& frame) {
    std::string& out = sink_.buffer();
    if (num_nodes_ > 0) out += ',';
    if (indent_ >= 0) NewLine(2, &out);
    sink_.Write(std::string_view(text_).substr(frame.text));
    text_.resize(frame.text);
    const auto number = static_cast<int64_t>(num_nodes_++);
    if (frame.known != nullptr) frame.known->number = number;
    SavedNode node{number, -1, {}};
    Reference(&node);
    sink_.FlushIfFull();
  }

  void SaveTensor(SaveFrame& frame) {
    const TainObject* tensor = frame.object();
    std::string room, refusal;
    const std::string_view bytes = TensorBytes(tensor, &room, &refusal);
    if (!refusal.empty()) Refuse(refusal);
    const DLTensor& dl = *reinterpret_cast<const DLTensor*>(tensor + 1);  // after the header
    frame.text = text_.size();
    text_ += '{';
    Member("$type", true);
    text_ += "\"ffi.Tensor\"";
    Member("dtype", false);
    WriteJsonString(DTypeText(dl.dtype), &text_);
    Member("shape", false);
    Extents(dl.shape, static_cast<size_t>(dl.ndim));
    Member("data", false);
    text_ += '"';
    WriteBase64(bytes, &text_);
    text_ += '"';
    if (indent_ >= 0) NewLine(2, &text_);
    text_ += '}';
    Finish(frame);
  }

  void NewLine(int level, std::string* out) const {
    *out += '\n';
    out->append(static_cast<size_t>(level) * static_cast<size_t>(indent_), ' ');
  }

  static constexpr size_t kMaxDecimalBytes = 400;
  int indent_;
  std::string text_;  ///< of the open nodes
  int64_t num_labels_ = 0;
};

}  // namespace
}  // namespace internal

std::string SaveJson(AnyView value, int indent, const SaveOptions& options) {
  return internal::JsonWriter(nullptr, indent, options).Run(value.data());
}
void SaveJson(AnyView value, const WriteBytes& write, int indent, const SaveOptions& options) {
  internal::JsonWriter(&write, indent, options).Run(value.data());
}

}  // namespace tain
