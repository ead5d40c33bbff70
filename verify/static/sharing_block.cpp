// Memberships -> bit sets of the ops that share a group.
#include "verify/static/sharing_block.hpp"

#include <algorithm>
#include <stdexcept>

namespace detent::verify {

Memberships mutexes_by_position(const detent_desc& desc, const Order& order) {
  Memberships result;
  for (const std::uint32_t id : order.ops()) {
    const detent_slice& slice = desc.ops[id].mutexes;
    if (slice.first > desc.mutex_ref_count || slice.count > desc.mutex_ref_count - slice.first) {
      throw std::invalid_argument("op " + std::to_string(id) +
                                  ": its mutexes lie outside their table; repair the tables");
    }
    for (std::uint32_t k = 0; k < slice.count; ++k) result.groups.push_back(desc.mutex_refs[slice.first + k]);
    result.first.push_back(static_cast<std::uint32_t>(result.groups.size()));
  }
  return result;
}

Memberships commute_groups_by_position(const detent_desc& desc, const Order& order) {
  Memberships result;
  for (const std::uint32_t id : order.ops()) {
    if (desc.ops[id].commute_group != DETENT_NONE) result.groups.push_back(desc.ops[id].commute_group);
    result.first.push_back(static_cast<std::uint32_t>(result.groups.size()));
  }
  return result;
}

SharingBlock::SharingBlock(const Memberships& memberships, std::uint32_t width)
    : memberships_(memberships), words_(width / 64) {}

void SharingBlock::load(std::uint32_t first, std::uint32_t count) {
  members_.clear();
  groups_.clear();
  bits_.clear();
  for (std::uint32_t column = 0; column < count; ++column) {
    for (const std::uint32_t group : memberships_.of(first + column)) members_.emplace_back(group, column);
  }
  std::sort(members_.begin(), members_.end());
  std::uint32_t begin = 0;
  for (std::uint32_t i = 1; i <= members_.size(); ++i) {
    if (i < members_.size() && members_[i].first == members_[begin].first) continue;
    close_group(begin, i);
    begin = i;
  }
}

void SharingBlock::close_group(std::uint32_t first_member, std::uint32_t end_member) {
  Group group{members_[first_member].first, first_member, end_member - first_member, DETENT_NONE};
  if (group.member_count > words_) {
    group.bit_row = static_cast<std::uint32_t>(bits_.size() / words_);
    bits_.resize(bits_.size() + words_, 0);
    Word* const row = bits_.data() + std::size_t{group.bit_row} * words_;
    for (std::uint32_t i = first_member; i < end_member; ++i) {
      row[members_[i].second / 64] |= Word{1} << (members_[i].second % 64);
    }
  }
  groups_.push_back(group);
}

void SharingBlock::add_sharers(std::uint32_t row, Word* bits) const {
  for (const std::uint32_t id : memberships_.of(row)) {
    const auto group = std::lower_bound(groups_.begin(), groups_.end(), id,
                                        [](const Group& g, std::uint32_t value) { return g.id < value; });
    if (group == groups_.end() || group->id != id) continue;
    if (group->bit_row != DETENT_NONE) {
      const Word* const from = bits_.data() + std::size_t{group->bit_row} * words_;
      for (std::uint32_t w = 0; w < words_; ++w) bits[w] |= from[w];
      continue;
    }
    for (std::uint32_t i = group->first_member; i < group->first_member + group->member_count; ++i) {
      bits[members_[i].second / 64] |= Word{1} << (members_[i].second % 64);
    }
  }
}

}  // namespace detent::verify
