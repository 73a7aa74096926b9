// SPDX-License-Identifier: Apache-2.0
// A kind of modules written in C++: its one function multiplies.
#include "tain/module.h"

#include <string>

#include "tain/reflection/global_def.h"
#include "tain/reflection/object_def.h"

namespace tain_testing {

class ScalerObj : public tain::ModuleObj {
 public:
  explicit ScalerObj(int64_t factor) : factor_(factor) {}

  tain::String kind_impl() const override { return "testing.scaler"; }
  tain::Function get_function_impl(const tain::String& name) override {
    if (name != "scale" && name != "main") return nullptr;
    return tain::Function([factor = factor_](int64_t x) { return x * factor; });
  }
  tain::Array<tain::String> get_function_list_impl() const override { return {"scale", "main"}; }
  int64_t get_property_mask_impl() const override { return kBinarySerializable | kRunnable; }
  tain::Bytes save_to_bytes_impl() const override {
    const std::string text = std::to_string(factor_);
    return tain::Bytes(text.data(), text.size());
  }
  tain::String get_source_impl(const tain::String&) const override {
    return "x * " + std::to_string(factor_);
  }
  TAIN_OBJECT("testing.Scaler", ScalerObj, tain::ModuleObj);

 private:
  int64_t factor_;
};

tain::Module MakeScaler(int64_t factor) {
  return tain::Module(tain::ObjectPtr<tain::ModuleObj>(tain::make_object<ScalerObj>(factor)));
}

TAIN_REGISTER {
  tain::reflection::ObjectDef<ScalerObj>("A module whose function multiplies.")
      .def_init<int64_t>(tain::arg("factor") = 2);
  tain::reflection::GlobalDef()
      .def("testing.make_scaler", &MakeScaler, tain::arg("factor"), tain::thread_safe())
      .def("ffi.Module.load_from_bytes.testing.scaler", [](const tain::Bytes& bytes) {
        return MakeScaler(std::stoll(std::string(std::string_view(bytes))));
      });
}

}  // namespace tain_testing
