// Desc and wants -> one pass over the accesses in serial order.
#include "verify/flow/serial_flow.hpp"

#include <algorithm>
#include <vector>

#include "base/lists/rows.hpp"
#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/conflict_pairs.hpp"
#include "verify/static/range_map.hpp"

namespace detent::verify {
namespace {

/// Wants by the position of their reader; after the last op those of the application.
Rows<const Want*> wants_by_reader(const Order& order, const Wants& wants) {
  return {std::size_t{order.op_count()} + 1, [&](const auto& put) {
            for (const Want& want : wants.all) {
              put(want.reader == kApplication ? order.op_count() : order.position_of(want.reader), &want);
            }
          }};
}

/// The last writers alone, in serial order.
class LastWriters {
 public:
  explicit LastWriters(const detent_desc& desc) : desc_(desc) {}

  /// @return  false: too many blocks
  bool take_writes_of(OpId op, Position position) {
    return take_all(desc_.ops[op].outputs, position) && take_all(desc_.ops[op].scratch, position);
  }

  /// Did the op there write all these bytes last? DETENT_NONE: nobody did.
  [[nodiscard]] bool holds(std::uint64_t begin, std::uint64_t end, std::uint32_t position) const {
    return writers_.all_of(begin, end, position == DETENT_NONE,
                           [position](std::uint32_t writer) { return writer == position; });
  }

 private:
  bool take_all(const detent_slice& tensors, Position position) {
    for (std::uint32_t k = 0; k < tensors.count; ++k) {
      const detent_tensor& tensor = desc_.tensors[desc_.tensor_refs[tensors.first + k]];
      ByteSet bytes = bytes_of(tensor);
      bytes.begin += kRegionSpacing * tensor.region;
      if (!bytes.dense()) blocks_ += bytes.count;
      if (blocks_ > kMostStridedBlocks) return false;
      for (std::uint64_t block = 0; block < bytes.count; ++block) {
        const std::uint64_t begin = bytes.begin + block * bytes.stride_bytes;
        take(begin, begin + bytes.block_bytes, position);
      }
    }
    return true;
  }

  void take(std::uint64_t begin, std::uint64_t end, std::uint32_t position) {
    writers_.update(begin, end, [&](std::vector<RangeMap<std::uint32_t>::Range>& known) {
      known.assign(1, {begin, end, position});
    });
  }

  const detent_desc& desc_;
  std::uint64_t blocks_ = 0;
  RangeMap<std::uint32_t> writers_;
};

bool finds_its_value(const Want& want, const Order& order, const LastWriters& last) {
  const std::uint32_t writer = want.values.front().writer;
  const std::uint32_t position = writer == kApplication ? DETENT_NONE : order.position_of(writer);
  return std::ranges::all_of(want.bytes, [&](const ByteSet& bytes) {
    for (std::uint64_t k = 0; k < bytes.count; ++k) {
      const std::uint64_t begin = bytes.begin + k * bytes.stride_bytes;
      if (!last.holds(begin, begin + bytes.block_bytes, position)) return false;
    }
    return true;
  });
}

bool find_their_values(const detent_desc& desc, const Order& order, const Rows<const Want*>& wants_of) {
  LastWriters last(desc);
  for (std::uint32_t p = 0; p <= order.op_count(); ++p) {
    for (const Want* const want : wants_of[p]) {
      if (!finds_its_value(*want, order, last)) return false;
    }
    if (p < order.op_count() && !last.take_writes_of(OpId(order.op_at(p)), Position(p))) return false;
  }
  return true;
}

}  // namespace

bool is_serial_flow(const detent_desc& desc, const Order& order, const Wants& wants, bool are_conflicts_ordered) {
  if (std::ranges::any_of(wants.all, [](const Want& want) { return want.values.size() != 1; })) return false;
  if (!are_conflicts_ordered) {
    const AccessTable table(desc, order, {}, AccessTable::Ranks::kLeftOut);
    const auto adjacent = find_adjacent_conflicts(table, order.op_count());
    if (!adjacent || !have_paths(order, *adjacent)) return false;
  }
  return find_their_values(desc, order, wants_by_reader(order, wants));
}

}  // namespace detent::verify
