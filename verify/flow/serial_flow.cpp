// Desc and wants -> one pass over the accesses in serial order.
#include "verify/flow/serial_flow.hpp"

#include <algorithm>
#include <vector>

#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/conflict_pairs.hpp"

namespace detent::verify {
namespace {

/// Wants by the position of their reader; after the last op those of the application.
class WantsOfReaders {
 public:
  WantsOfReaders(const Order& order, const Wants& wants) : first_(std::size_t{order.op_count()} + 2, 0) {
    const auto row_of = [&](const Want& want) {
      return want.reader == kApplication ? order.op_count() : order.position_of(want.reader);
    };
    for (const Want& want : wants.all) ++first_[row_of(want) + 1];
    for (std::size_t row = 1; row < first_.size(); ++row) first_[row] += first_[row - 1];
    wants_.resize(wants.all.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const Want& want : wants.all) wants_[next[row_of(want)]++] = &want;
  }
  [[nodiscard]] std::span<const Want* const> of(std::uint32_t row) const {
    return std::span(wants_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<const Want*> wants_;
};

bool finds_its_value(const Want& want, const Order& order, const ByteHistory& history) {
  const std::uint32_t writer = want.values.front().writer;
  const std::uint32_t position = writer == kApplication ? DETENT_NONE : order.position_of(writer);
  return std::ranges::all_of(want.bytes, [&](const ByteSet& bytes) {
    for (std::uint64_t k = 0; k < bytes.count; ++k) {
      const std::uint64_t begin = bytes.begin + k * bytes.stride_bytes;
      if (!history.is_last_writer(begin, begin + bytes.block_bytes, position)) return false;
    }
    return true;
  });
}

}  // namespace

bool is_serial_flow(const detent_desc& desc, const Order& order, const Wants& wants) {
  if (std::ranges::any_of(wants.all, [](const Want& want) { return want.values.size() != 1; })) return false;
  const AccessTable table(desc, order, {}, AccessTable::Ranks::kLeftOut);
  const WantsOfReaders wants_of(order, wants);
  bool found = true;
  const auto adjacent =
      find_adjacent_conflicts(table, order.op_count(), [&](std::uint32_t row, const ByteHistory& history) {
        for (const Want* const want : wants_of.of(row)) found = found && finds_its_value(*want, order, history);
        return found;
      });
  return adjacent && have_paths(order, *adjacent);
}

}  // namespace detent::verify
