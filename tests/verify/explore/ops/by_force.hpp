// Op-level traces counted by force: every linear extension, grouped by the orders of its conflicting pairs. Reads the
// spec byte by byte; shares no code with verify/.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {

/// Bytes of region r stand from r * 1000.
inline std::set<std::uint64_t> bytes_by_force(const std::vector<Range>& ranges) {
  std::set<std::uint64_t> bytes;
  for (const Range& range : ranges) {
    for (std::uint32_t block = 0; block < range.count; ++block) {
      for (std::uint64_t i = 0; i < range.size; ++i) {
        bytes.insert(range.region * std::uint64_t{1000} + range.offset + block * range.stride + i);
      }
    }
  }
  return bytes;
}

class TracesByForce {
 public:
  /// @param with_commuting  ops of one group that share a mutex are dependent, too
  explicit TracesByForce(const GraphSpec& spec, bool with_commuting = false) : spec_(spec) {
    for (std::uint32_t a = 0; a < spec.ops.size(); ++a) {
      for (std::uint32_t b = a + 1; b < spec.ops.size(); ++b) {
        if (conflict(a, b) && (with_commuting || !commute(a, b))) pairs_.emplace_back(a, b);
      }
    }
    std::vector<std::uint32_t> schedule;
    std::vector<bool> taken(spec.ops.size(), false);
    extend(schedule, taken);
  }
  [[nodiscard]] std::uint64_t traces() const { return orders_.size(); }
  [[nodiscard]] std::uint64_t extensions() const { return extensions_; }

 private:
  [[nodiscard]] bool conflict(std::uint32_t a, std::uint32_t b) const {
    const auto written = [&](std::uint32_t op) {
      std::vector<Range> all = spec_.ops[op].writes;
      all.insert(all.end(), spec_.ops[op].scratch_ranges.begin(), spec_.ops[op].scratch_ranges.end());
      return bytes_by_force(all);
    };
    const auto touched = [&](std::uint32_t op) {
      std::set<std::uint64_t> all = written(op);
      all.merge(bytes_by_force(spec_.ops[op].reads));
      return all;
    };
    const auto meet = [](const std::set<std::uint64_t>& x, const std::set<std::uint64_t>& y) {
      for (const std::uint64_t byte : x) {
        if (y.count(byte) != 0) return true;
      }
      return false;
    };
    return meet(written(a), touched(b)) || meet(touched(a), written(b));
  }
  [[nodiscard]] bool commute(std::uint32_t a, std::uint32_t b) const {
    const OpSpec& x = spec_.ops[a];
    const OpSpec& y = spec_.ops[b];
    bool share = false;
    for (const std::uint32_t mutex : x.mutexes) {
      for (const std::uint32_t other : y.mutexes) share = share || mutex == other;
    }
    return share && x.commute_group != DETENT_NONE && x.commute_group == y.commute_group;
  }

  void extend(std::vector<std::uint32_t>& schedule, std::vector<bool>& taken) {
    if (schedule.size() == spec_.ops.size()) {
      ++extensions_;
      std::vector<std::uint32_t> place(schedule.size());
      for (std::uint32_t i = 0; i < schedule.size(); ++i) place[schedule[i]] = i;
      std::vector<bool> order;
      for (const auto& [a, b] : pairs_) order.push_back(place[a] < place[b]);
      orders_.insert(order);
      return;
    }
    for (std::uint32_t op = 0; op < spec_.ops.size(); ++op) {
      bool ready = !taken[op];
      for (const support::Edge& edge : spec_.edges) ready = ready && (edge.to != op || taken[edge.from]);
      if (!ready) continue;
      taken[op] = true;
      schedule.push_back(op);
      extend(schedule, taken);
      schedule.pop_back();
      taken[op] = false;
    }
  }

  const GraphSpec& spec_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::set<std::vector<bool>> orders_;
  std::uint64_t extensions_ = 0;
};

}  // namespace detent::verify::testing
