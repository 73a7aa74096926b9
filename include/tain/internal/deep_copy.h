// SPDX-License-Identifier: Apache-2.0
// Deep copies in which a host takes part: the interface between libtain and the bridge.
#pragma once

#include <optional>
#include <unordered_map>

#include "tain/any.h"

namespace tain::internal {

/// Returns a copy of an object by the copy constructor of its type, or by what its library provides
/// instead; of a container with the same elements. Throws TypeError if the type has no copies.
TAIN_DLL TainObject* CopyInCpp(const TainObject* source);

/// Objects and their copies. The objects are held, so that no other object gets their addresses.
struct CopiedObject {
  Any source;
  Any copy;
};
using CopyMemo = std::unordered_map<const TainObject*, CopiedObject>;

/// Decides about objects that a host knows. Its functions may throw.
class DeepCopyHost {
 public:
  enum class Answer : uint8_t {
    kCopy,   ///< the core copies the object
    kKnown,  ///< this is the copy
    kStop    ///< the host must copy the whole graph
  };
  /// Asks about an object that has a wrapper, or whose type the core does not copy.
  virtual Answer Meet(const TainAny& object, Any* copy) = 0;
  /// Asks about objects of a type that have no wrapper. The answer is not kKnown.
  virtual Answer MeetType(int32_t type_index) = 0;

 protected:
  ~DeepCopyHost() = default;
};

/// Returns a deep copy; nothing if the host says kStop. `memo` holds earlier copies, which are used
/// again, and receives the new ones. `host` may be null.
TAIN_DLL std::optional<Any> DeepCopyWith(const Any& value, CopyMemo* memo, DeepCopyHost* host);

}  // namespace tain::internal
