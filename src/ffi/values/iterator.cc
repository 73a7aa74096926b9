// SPDX-License-Identifier: Apache-2.0
// IteratorObj: steps through elements, ends for good, refuses to run twice at once.
#include "tain/iterator.h"

#include <memory>
#include <utility>
#include <vector>

#include "tain/error.h"
#include "tain/internal/box.h"
#include "tain/reflection/object_def.h"

namespace tain {
namespace internal {

IteratorSteps::~IteratorSteps() = default;

struct CopiedSteps::Elements {
  std::vector<Any> all;
  size_t at = 0;
};

CopiedSteps::CopiedSteps() : elements_(new Elements()) {}
CopiedSteps::~CopiedSteps() { delete elements_; }
void CopiedSteps::Add(Any element) { elements_->all.push_back(std::move(element)); }
bool CopiedSteps::Next(Any* out) {
  if (elements_->at == elements_->all.size()) return false;
  *out = std::move(elements_->all[elements_->at++]);
  return true;
}

}  // namespace internal

IteratorObj::IteratorObj(internal::IteratorSteps* steps, ObjectRef owner, std::string element_type)
    : steps_(steps),
      owner_(std::move(owner)),
      element_type_(std::move(element_type)),
      owner_is_box_(owner_.defined() && internal::IsBoxType(owner_.get()->type_index())) {}

IteratorObj::~IteratorObj() { delete steps_; }

void IteratorObj::Finish() noexcept {
  // Both may run foreign code when they die, which must find the iterator at its end.
  const std::unique_ptr<internal::IteratorSteps> steps(std::exchange(steps_, nullptr));
  const ObjectRef owner = std::exchange(owner_, ObjectRef());
}

bool IteratorObj::Next(Any* out) {
  if (running_) TAIN_THROW(ValueError) << "the iterator is running already";
  if (steps_ == nullptr) return false;
  if (owner_is_box_) {
    const auto* box = static_cast<const internal::BoxObj*>(owner_.get());
    if (box->target == nullptr) internal::ThrowNoTarget(box);
  }
  const auto self = GetObjectPtr(this);  // the steps may drop the last reference
  running_ = true;
  bool more = false;
  try {
    more = steps_->Next(out);
  } catch (...) {
    running_ = false;
    Finish();
    throw;
  }
  running_ = false;
  if (!more) Finish();
  return more;
}

struct IteratorRegistration {
  static void Run() {
    // Not thread_safe: a step changes the iterator, and reads a range that others may change.
    reflection::ObjectDef<IteratorObj>("An iterator over elements that C++ makes.")
        .def_ro("owner", &IteratorObj::owner_,
                "The object over whose elements it iterates, if it must be kept alive.")
        .def("__iter__", [](IteratorObj& self) -> IteratorObj& { return self; })
        .def(
            "__next__",
            [](IteratorObj& self) {
              Any element;
              if (!self.Next(&element)) TAIN_THROW(StopIteration) << "";
              return element;
            },
            "Returns the next element. Raises StopIteration at the end.");
  }
};

}  // namespace tain

TAIN_REGISTER { tain::IteratorRegistration::Run(); }
