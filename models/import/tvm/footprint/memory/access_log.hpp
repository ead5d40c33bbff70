// AccessLog: the accesses of a function to memory, under which conditions they happen and where they stand.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/import/tvm/footprint/memory/value.hpp"
#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {

struct Access {
  ObjectId object = kNone;
  bool is_write = false;
  NodeId offset = kNone;
  std::int64_t width = 0;
  std::uint32_t guards = 0;     ///< of AccessLog::guard_list
  std::uint32_t path = 0;       ///< of AccessLog::path
  bool whole_record = false;    ///< a member of it; which bytes is not known
  bool ends_statement = false;  ///< the statement is this assignment: all else in it comes before
  auto operator<=>(const Access&) const = default;
};

/// The n-th statement, from 0, in the body of a loop (0: of none) or of a function that a statement calls.
struct PathStep {
  std::uint32_t loop = 0, statement = 0;
  auto operator<=>(const PathStep&) const = default;
};

class AccessLog {
 public:
  explicit AccessLog(const Terms& terms) : terms_(terms) {}

  [[nodiscard]] const std::set<Access>& accesses() const { return accesses_; }
  [[nodiscard]] const std::vector<NodeId>& guard_list(std::uint32_t id) const { return guard_lists_[id]; }
  /// Where an access stands: the statement of the function's body, the one in that, ...
  [[nodiscard]] const std::vector<PathStep>& path(std::uint32_t id) const { return paths_[id]; }
  /// The variable that counts a loop's trips; kNone: of no loop, or not a counted one
  [[nodiscard]] VarId counter_of(std::uint32_t loop) const { return loop == 0 ? kNone : counters_[loop - 1]; }
  /// Is it a loop, which may run its body several times?
  [[nodiscard]] bool repeats(std::uint32_t loop) const { return loop != 0 && !calls_.contains(loop); }

  // The conditions under which the code that is walked now executes.
  void push_guard(NodeId condition) { guards_.push_back(condition); }
  [[nodiscard]] std::size_t guard_count() const { return guards_.size(); }
  /// All but the first `count` end here.
  void drop_guards(std::size_t count) { guards_.resize(count); }

  // The position of that code.
  /// @return  the loop around, for leave_loop
  std::uint32_t enter_loop(NodeId counter);
  /// Two calls in one statement may happen in either order: the statements of each stand apart.
  std::uint32_t enter_call();
  void leave_loop(std::uint32_t outer) { loop_ = outer; }
  void enter_block() { path_.push_back({loop_, 0}); }
  void next_statement() { ++path_.back().statement; }
  void leave_block() { path_.pop_back(); }

  /// Adds an access, with the conditions and the position of now as its guards and path. False: there are too many.
  [[nodiscard]] bool add(Access access);
  /// Have these bytes been written by this call whenever they are read here?
  [[nodiscard]] bool is_own(ObjectId object, NodeId offset, std::int64_t width) const;

 private:
  /// A write that has happened whenever its guards hold.
  struct Stored {
    ObjectId object = kNone;
    NodeId offset = kNone;
    std::int64_t width = 0;
    std::vector<NodeId> guards;  ///< ascending
    std::uint32_t path = 0;
  };
  std::uint32_t guards_now();
  std::uint32_t path_now();
  [[nodiscard]] bool comes_before_now(const std::vector<PathStep>& path) const;

  const Terms& terms_;
  std::set<Access> accesses_;
  std::vector<Stored> stored_;  // in the order of the walk
  std::vector<NodeId> guards_;
  std::vector<std::vector<NodeId>> guard_lists_;
  std::map<std::vector<NodeId>, std::uint32_t> guard_ids_;
  std::vector<PathStep> path_;
  std::vector<std::vector<PathStep>> paths_;
  std::map<std::vector<PathStep>, std::uint32_t> path_ids_;
  std::uint32_t loop_ = 0;  // whose body is walked
  std::vector<VarId> counters_;
  std::set<std::uint32_t> calls_;  // of the numbers of loops, those that stand for a call
};

}  // namespace detent::models::tvm::footprint
