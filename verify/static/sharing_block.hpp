// SharingBlock: which ops of a column block share a group (a mutex, a commute group) with a given op, as a bit set.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "verify/graph/order.hpp"

namespace detent::verify {

/// Group ids by row: the groups of row p are groups[first[p] .. first[p + 1]).
struct Memberships {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> groups;
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t row) const {
    return {groups.data() + first[row], first[row + 1] - first[row]};
  }
};

/// Mutexes of every op by topological position.
Memberships mutexes_by_position(const detent_desc& desc, const Order& order);
/// Commute group, if any, of every op by topological position.
Memberships commute_groups_by_position(const detent_desc& desc, const Order& order);

class SharingBlock {
 public:
  SharingBlock(const Memberships& memberships, std::uint32_t width);
  void load(std::uint32_t first, std::uint32_t count);
  /// Set the bits of the columns that have one of the row's groups.
  void add_sharers(std::uint32_t row, Word* bits) const;

 private:
  struct Group {
    std::uint32_t id;
    std::uint32_t first_member, member_count;
    std::uint32_t bit_row;  ///< row of bits_ for large groups, else DETENT_NONE
  };
  void close_group(std::uint32_t first_member, std::uint32_t end_member);

  const Memberships& memberships_;
  std::uint32_t words_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members_;  ///< (group, column), ascending
  std::vector<Group> groups_;                                     ///< by id
  std::vector<Word> bits_;
};

}  // namespace detent::verify
