// SPDX-License-Identifier: Apache-2.0
// The handler of fork(); see fork.h.
#include "base/fork.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>

#include <iterator>

namespace tain::internal {
namespace {

// The outermost lock first: code that holds a lock may take the following ones.
constexpr const ForkSteps* kSteps[] = {
    &upgrades_fork,        &modules_fork,    &library_load_fork, &context_symbols_fork,
    &program_symbols_fork, &imports_fork,    &box_kept_fork,     &box_places_fork,
    &registry_fork,        &field_init_fork, &handle_once_fork,  &loans_fork,
    &foreign_object_fork,  &live_count_fork};

void Prepare() {
  for (const ForkSteps* steps : kSteps) steps->prepare();
}
void Parent() {
  for (auto at = std::rbegin(kSteps); at != std::rend(kSteps); ++at) (*at)->parent();
}
void Child() {
  for (auto at = std::rbegin(kSteps); at != std::rend(kSteps); ++at) (*at)->child();
}

[[maybe_unused]] const int registered = pthread_atfork(&Prepare, &Parent, &Child);

}  // namespace
}  // namespace tain::internal
#endif
