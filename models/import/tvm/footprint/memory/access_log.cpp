#include "models/import/tvm/footprint/memory/access_log.hpp"

#include <algorithm>
#include <utility>

namespace detent::models::tvm::footprint {
namespace {

constexpr std::size_t kMostAccesses = 30'000;

}  // namespace

std::uint32_t AccessLog::enter_loop(NodeId counter) {
  const std::uint32_t outer = loop_;
  const bool is_counted = counter != kNone && terms_.node(counter).op == Op::kVariable;
  counters_.push_back(is_counted ? static_cast<VarId>(terms_.node(counter).value) : kNone);
  loop_ = static_cast<std::uint32_t>(counters_.size());
  return outer;
}

std::uint32_t AccessLog::enter_call() {
  const std::uint32_t outer = enter_loop(kNone);
  calls_.insert(loop_);
  return outer;
}

bool AccessLog::add(Access access) {
  if (accesses_.size() >= kMostAccesses) return false;
  access.guards = guards_now();
  access.path = path_now();
  accesses_.insert(access);
  if (access.is_write && !access.whole_record) {
    stored_.push_back({access.object, access.offset, access.width, guard_lists_[access.guards], access.path});
  }
  return true;
}

std::uint32_t AccessLog::guards_now() {
  std::vector<NodeId> list = guards_;
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  const auto found = guard_ids_.find(list);
  if (found != guard_ids_.end()) return found->second;
  const auto id = static_cast<std::uint32_t>(guard_lists_.size());
  guard_lists_.push_back(list);
  guard_ids_.emplace(std::move(list), id);
  return id;
}

std::uint32_t AccessLog::path_now() {
  const auto [known, is_new] = path_ids_.try_emplace(path_, static_cast<std::uint32_t>(paths_.size()));
  if (is_new) paths_.push_back(path_);
  return known->second;
}

/// What was walked earlier happens earlier, but for calls of one statement: they happen in either order, and so do a
/// call and what else stands in its statement.
bool AccessLog::comes_before_now(const std::vector<PathStep>& path) const {
  for (std::size_t i = 0; i < std::min(path.size(), path_.size()); ++i) {
    if (path[i].loop != path_[i].loop) return false;
    if (path[i].statement != path_[i].statement) return true;
  }
  return path.size() == path_.size();
}

/// Loop variables in the offset and in the guards stand for one trip, so equal terms are equal bytes, written before by
/// the order of the walk.
bool AccessLog::is_own(ObjectId object, NodeId offset, std::int64_t width) const {
  return std::any_of(stored_.rbegin(), stored_.rend(), [&](const Stored& stored) {
    return stored.object == object && stored.offset == offset && stored.width >= width &&
           comes_before_now(paths_[stored.path]) &&
           std::all_of(stored.guards.begin(), stored.guards.end(),
                       [&](NodeId guard) { return std::find(guards_.begin(), guards_.end(), guard) != guards_.end(); });
  });
}

}  // namespace detent::models::tvm::footprint
