// Own writes: bytes that a call has certainly written itself before it reads them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/import/tvm/footprint/sets/access_set.hpp"
#include "models/import/tvm/footprint/walk/walker.hpp"

namespace detent::models::tvm::footprint {

/// What a read finds of its own call's writes in an earlier statement: of the same body, of one trip of a loop around
/// both, or of the function. A write counts if it happens whenever the read does and touches the same bytes on every
/// trip of the loops around both.
class OwnWrites {
 public:
  OwnWrites(Terms& terms, const Walker& walker, SetBuilder& builder);
  /// Bytes that the read does not get from before the call. @param bytes  that it touches
  [[nodiscard]] ByteSet of_read(const Access& read, const ByteSet& bytes);

 private:
  /// The loops around both; false: the write does not come before the read.
  [[nodiscard]] bool comes_before(const Access& write, const Access& read, std::set<VarId>& around) const;
  [[nodiscard]] bool depends_on(NodeId id, const std::set<VarId>& variables) const;

  const Terms& terms_;
  const Walker& walker_;
  SetBuilder& builder_;
  std::map<ObjectId, std::vector<const Access*>> writes_;
  std::uint64_t pairs_left_ = 100'000;  ///< beyond, reads count as reads of what was there before
};

}  // namespace detent::models::tvm::footprint
