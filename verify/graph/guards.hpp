// Guards: which ops never run in one run, because a decision has one outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/value_tables.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// All that must have come out how: an op's own guards, and those of the ops that take its decisions, and so on.
using Condition = std::vector<Guard>;  ///< by decision, each once

class Guards {
 public:
  /// @param tables  null: no op has guards
  /// @throws std::invalid_argument  a guard lies outside its tables, or decisions are nested too deep
  Guards(const ValueTables* tables, std::uint32_t op_count);

  [[nodiscard]] bool any() const { return !conditions_.empty(); }
  /// Empty: the op always runs. DETENT_NONE stands for the application, which always does.
  [[nodiscard]] const Condition& of(std::uint32_t op) const;
  /// Its own guards contradict those of the op that takes one of its decisions.
  [[nodiscard]] bool never_runs(std::uint32_t op) const { return any() && op < never_.size() && never_[op]; }
  /// Is there no run in which all of these ops run?
  [[nodiscard]] bool contradict(std::span<const std::uint32_t> ops) const;
  /// In every run in which all `ops` run, and `given` has come out so, one of `others` does, too.
  /// @throws std::invalid_argument  too many cases to look at
  [[nodiscard]] bool imply_one_of(std::span<const std::uint32_t> ops, std::span<const std::uint32_t> others,
                                  const std::optional<Guard>& given = {}) const;

 private:
  void close(const ValueTables& tables, OpId op);
  /// One condition that holds where all those of `ops` do. @return false: there is none
  bool join(std::span<const std::uint32_t> ops, Condition& joined) const;
  bool covered(const std::vector<Condition>& cases, std::uint32_t& budget) const;

  std::vector<Condition> conditions_;  ///< by op; empty where nobody has guards
  std::vector<bool> never_;
  std::vector<std::uint32_t> outcome_counts_;  ///< by decision
};

/// Which ops of a column block cannot run in the same run as a given op, as a bit set.
class ExclusionBlock {
 public:
  ExclusionBlock(const Guards& guards, const Order& order) : guards_(guards), order_(order) {}

  void load(std::uint32_t first, std::uint32_t count);
  void add_excluded(Position row, Word* bits) const;

 private:
  struct Entry {
    std::uint32_t decision, column, outcome;
  };
  const Guards& guards_;
  const Order& order_;
  std::vector<Entry> entries_;                ///< by decision, column
  std::vector<std::uint32_t> never_columns_;  ///< of ops that never run
  std::uint32_t column_count_ = 0;
};

}  // namespace detent::verify
