// From one access - an address term and the conditions under which it happens - to the bytes it touches.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/import/tvm/footprint/sets/byte_set.hpp"
#include "models/import/tvm/footprint/sets/byte_sum.hpp"
#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {

struct AccessShape {
  NodeId offset = kNone;  ///< bytes from the base
  std::int64_t width = 1;
  std::vector<NodeId> guards;  ///< all of them hold when the access happens
  auto operator<=>(const AccessShape&) const = default;
};

struct TouchedBytes {
  ByteSet bytes;
  bool exact = true;       ///< false: a superset
  bool unbounded = false;  ///< the index is a value from memory without useful limits; `bytes` is empty
};

/// Variables that occur together in a condition or under one division are enumerated together; all others are
/// progressions. The parts are then added as sets.
///
/// Work is limited: beyond max_points for one access, or twice as many evaluation steps for one builder, parts are
/// replaced by the progression that spans them, a superset.
class SetBuilder {
 public:
  SetBuilder(Terms& terms, std::uint64_t max_points);
  TouchedBytes build(const AccessShape& access);

 private:
  using Moduli = std::map<VarId, std::vector<std::int64_t>>;
  struct Group {
    std::vector<VarId> vars;
    std::vector<Summand> summands;
    std::vector<NodeId> guards;
  };
  /// One access while it is rewritten.
  struct Work {
    NodeId offset = kNone;
    std::vector<NodeId> guards;
    std::map<VarId, Range> domains;  ///< of variables that were narrowed
    bool exact = true;
    bool empty = false;
  };
  TouchedBytes build_relative(const AccessShape& access);
  [[nodiscard]] Range domain(const Work& work, VarId variable) const;
  [[nodiscard]] Range summand_range(const Work& work, const Summand& summand) const;
  void flatten(NodeId guard, std::set<NodeId>& seen, std::vector<NodeId>& into) const;
  void narrow(Work& work) const;
  bool narrow_by(Work& work, NodeId guard) const;
  void limit(Work& work, VarId variable, const Range& to) const;
  bool split_into_digits(Work& work);
  void collect_moduli(NodeId id, std::set<NodeId>& seen, Moduli& moduli) const;
  void drop_data_guards(Work& work) const;
  [[nodiscard]] bool is_unbounded(const Work& work) const;
  [[nodiscard]] std::vector<Group> groups_of(const Work& work) const;
  /// False: no combination of values satisfies the conditions.
  bool add_group(Work& work, const Group& group, Summands& into);
  void add_span(Work& work, const Group& group, Summands& into) const;

  Terms& terms_;
  std::uint64_t max_points_;
  std::uint64_t steps_left_;
  std::uint64_t intervals_left_;
  std::map<AccessShape, TouchedBytes> known_;
};

}  // namespace detent::models::tvm::footprint
