#include "models/import/tvm/footprint/own.hpp"

#include <algorithm>

namespace detent::models::tvm::footprint {

OwnWrites::OwnWrites(Terms& terms, const Walker& walker, SetBuilder& builder)
    : terms_(terms), walker_(walker), builder_(builder) {
  for (const Access& access : walker.log().accesses()) {
    if (access.is_write && !access.whole_record) writes_[access.object].push_back(&access);
  }
}

bool OwnWrites::comes_before(const Access& write, const Access& read, std::set<VarId>& around) const {
  const auto& first = walker_.log().path(write.path);
  const auto& second = walker_.log().path(read.path);
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (first[i].loop != second[i].loop) return false;
    const VarId counter = walker_.log().counter_of(first[i].loop);
    if (counter != kNone) around.insert(counter);
    if (first[i].statement != second[i].statement) return first[i].statement < second[i].statement;
  }
  return false;
}

bool OwnWrites::depends_on(NodeId id, const std::set<VarId>& variables) const {
  const std::vector<VarId>& vars = terms_.node(id).vars;
  return std::any_of(vars.begin(), vars.end(), [&](VarId variable) { return variables.contains(variable); });
}

ByteSet OwnWrites::of_read(const Access& read, const ByteSet& bytes) {
  ByteSet own;
  const auto writes = writes_.find(read.object);
  if (writes == writes_.end()) return own;
  const std::vector<NodeId>& holds = walker_.log().guard_list(read.guards);
  for (const Access* write : writes->second) {
    if (pairs_left_ == 0) return own;
    --pairs_left_;
    std::set<VarId> around;
    if (!comes_before(*write, read, around)) continue;
    AccessShape shape = {write->offset, write->width, {}};
    for (const NodeId guard : walker_.log().guard_list(write->guards)) {
      if (std::find(holds.begin(), holds.end(), guard) == holds.end()) shape.guards.push_back(guard);
    }
    const auto varies = [&](NodeId id) { return terms_.node(id).data || depends_on(id, around); };
    if (varies(shape.offset) || std::any_of(shape.guards.begin(), shape.guards.end(), varies)) continue;
    const TouchedBytes touched = builder_.build(shape);
    if (touched.exact && !touched.unbounded) own.unite(touched.bytes.intersection(bytes));
  }
  return own;
}

}  // namespace detent::models::tvm::footprint
