// Desc -> reads and writes by topological position, merged and ranked.
#include "verify/static/access_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

void require_sound_slice(const detent_desc& desc, const detent_op& op, const detent_slice& slice) {
  if (slice.first > desc.tensor_ref_count || slice.count > desc.tensor_ref_count - slice.first) {
    throw std::invalid_argument(op_name(desc, op.id) + ": a tensor list lies outside its table; repair the tables");
  }
  for (std::uint32_t k = 0; k < slice.count; ++k) {
    const std::uint32_t id = desc.tensor_refs[slice.first + k];
    if (id >= desc.tensor_count || desc.tensors[id].region >= desc.region_count ||
        desc.region_count > DETENT_MAX_REGIONS || !has_sound_bytes(desc.tensors[id])) {
      throw std::invalid_argument(op_name(desc, op.id) + ": " + tensor_name(desc, id) +
                                  " does not describe bytes of a region; repair its offset, size or blocks");
    }
  }
}

std::vector<bool> find_written_regions(const detent_desc& desc) {
  std::vector<bool> written(desc.region_count, false);
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    for (const detent_slice* slice : {&desc.ops[i].outputs, &desc.ops[i].scratch}) {
      for (std::uint32_t k = 0; k < slice->count; ++k) {
        written[desc.tensors[desc.tensor_refs[slice->first + k]].region] = true;
      }
    }
  }
  return written;
}

}  // namespace

void require_sound_accesses(const detent_desc& desc) {
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    const detent_op& op = desc.ops[i];
    for (const detent_slice* slice : {&op.inputs, &op.outputs, &op.weights, &op.scratch}) {
      require_sound_slice(desc, op, *slice);
    }
  }
}

AccessTable::AccessTable(const detent_desc& desc, const Order& order, const std::vector<std::vector<ByteSet>>& wanted,
                         Ranks ranks) {
  require_sound_accesses(desc);
  const std::vector<bool> written = find_written_regions(desc);
  for (const std::vector<ByteSet>& row : wanted) {
    for (const ByteSet& bytes : row) add_bytes(bytes, wanted_);
    merge_open_row(wanted_);
  }
  for (const std::uint32_t id : order.ops()) {
    const detent_op& op = desc.ops[id];
    add(desc, op.inputs, written, reads_);
    add(desc, op.weights, written, reads_);
    merge_open_row(reads_);
    add(desc, op.outputs, written, writes_);
    add(desc, op.scratch, written, writes_);
    merge_open_row(writes_);
  }
  if (ranks == Ranks::kGiven) rank_addresses();
}

void AccessTable::add(const detent_desc& desc, const detent_slice& slice, const std::vector<bool>& wanted_regions,
                      Rows& rows) {
  for (std::uint32_t k = 0; k < slice.count; ++k) {
    const detent_tensor& tensor = desc.tensors[desc.tensor_refs[slice.first + k]];
    if (!wanted_regions[tensor.region]) continue;
    ByteSet bytes = bytes_of(tensor);
    bytes.begin += kRegionSpacing * tensor.region;
    add_bytes(bytes, rows);
  }
}

void AccessTable::add_bytes(const ByteSet& bytes, Rows& rows) {
  Access access;
  access.begin = bytes.begin;
  access.end = bytes.end();
  if (!bytes.dense()) {
    access.strided = static_cast<std::uint32_t>(strided_sets_.size());
    strided_sets_.push_back(bytes);
  }
  rows.entries.push_back(access);
}

void AccessTable::merge_open_row(Rows& rows) {
  const auto begin = rows.entries.begin() + rows.first.back();
  std::sort(begin, rows.entries.end(), [](const Access& x, const Access& y) {
    const bool x_dense = x.strided == DETENT_NONE;
    const bool y_dense = y.strided == DETENT_NONE;
    return x_dense != y_dense ? x_dense : x.begin != y.begin ? x.begin < y.begin : x.end < y.end;
  });
  auto kept = begin;
  for (auto it = begin; it != rows.entries.end(); ++it) {
    const bool joins = kept != begin && it->strided == DETENT_NONE && it->begin <= (kept - 1)->end;
    if (joins) {
      (kept - 1)->end = std::max((kept - 1)->end, it->end);
    } else {
      *kept++ = *it;
    }
  }
  rows.entries.erase(kept, rows.entries.end());
  rows.close_row();
}

void AccessTable::rank_addresses() {
  std::vector<std::uint64_t> addresses;
  addresses.reserve(2 * (reads_.entries.size() + writes_.entries.size() + wanted_.entries.size()));
  for (const Rows* rows : {&reads_, &writes_, &wanted_}) {
    for (const Access& access : rows->entries) {
      addresses.push_back(access.begin);
      addresses.push_back(access.end);
    }
  }
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  rank_count_ = static_cast<std::uint32_t>(addresses.size());
  const auto rank = [&](std::uint64_t address) {
    return static_cast<std::uint32_t>(std::lower_bound(addresses.begin(), addresses.end(), address) -
                                      addresses.begin());
  };
  for (Rows* rows : {&reads_, &writes_, &wanted_}) {
    for (Access& access : rows->entries) {
      access.begin_rank = rank(access.begin);
      access.end_rank = rank(access.end);
    }
  }
}

ByteSet AccessTable::bytes_of_access(const Access& access) const {
  if (access.strided != DETENT_NONE) return strided_sets_[access.strided];
  return {access.begin, access.end - access.begin, 0, 1};
}

bool AccessTable::share_a_byte(const Access& a, const Access& b) const {
  return first_shared_bytes(bytes_of_access(a), bytes_of_access(b)).has_value();
}

}  // namespace detent::verify
