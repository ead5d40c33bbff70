// Wants and writes by address -> pairs that share a byte -> those that paths do not excuse.
#include "verify/flow/pairwise_writers.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "base/lists/rows.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"

namespace detent::verify {
namespace {

/// Bytes that a want is for, or that the op at a position writes.
struct Extent {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t owner = 0;  ///< want or position
  std::uint32_t entry = 0;  ///< of the want's bytes, or of the op's writes
  bool is_want = false;
};

/// Goes through wants and writes by their first bytes and keeps those that have not ended.
class MeetingSweep {
 public:
  MeetingSweep(const Wants& wants, const AccessTable& table, std::uint32_t op_count) {
    for (std::uint32_t i = 0; i < wants.all.size(); ++i) {
      const std::span<const ByteSet> bytes(wants.all[i].bytes.data(), wants.all[i].bytes.size());
      for (std::uint32_t k = 0; k < bytes.size(); ++k) all_.push_back({bytes[k].begin, bytes[k].end(), i, k, true});
    }
    for (std::uint32_t p = 0; p < op_count; ++p) {
      const std::span<const Access> writes = table.writes(p);
      for (std::uint32_t k = 0; k < writes.size(); ++k) all_.push_back({writes[k].begin, writes[k].end, p, k, false});
    }
    std::ranges::sort(all_, {}, [](const Extent& one) { return std::tuple(one.begin, one.is_want, one.owner); });
  }

  /// @return  false: more than `max_pairs` of a want and a write overlap
  [[nodiscard]] bool are_at_most(std::uint64_t max_pairs) const {
    std::uint64_t count = 0;
    for_each_open([&](const Extent&, const std::vector<Extent>& open) {
      count += open.size();
      return count <= max_pairs;
    });
    return count <= max_pairs;
  }

  /// `visit(want, write)` of each pair that overlaps.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for_each_open([&](const Extent& one, const std::vector<Extent>& open) {
      for (const Extent& other : open) one.is_want ? visit(one, other) : visit(other, one);
      return true;
    });
  }

 private:
  template <typename Visit>
  void for_each_open(const Visit& visit) const {
    std::vector<Extent> wants, writes;
    for (const Extent& one : all_) {
      std::vector<Extent>& others = one.is_want ? writes : wants;
      std::erase_if(others, [&](const Extent& other) { return other.end <= one.begin; });
      if (!visit(one, others)) return;
      (one.is_want ? wants : writes).push_back(one);
    }
  }

  std::vector<Extent> all_;
};

class OtherWriters {
 public:
  OtherWriters(const Order& order, const Wants& wants, const Standings& standings)
      : order_(order), wants_(wants), standings_(standings), paths_(order) {}

  void judge_all(const Rows<std::uint32_t>& writers, const std::function<void(const OtherWriter&)>& visit) {
    constexpr std::size_t kPairsAskedAtOnce = std::size_t{1} << 22;
    for (std::uint32_t want = 0; want < writers.size(); ++want) {
      for (const Position position : writers[want]) ask(want, position);
      if (asked_.size() >= kPairsAskedAtOnce || want + 1 == writers.size()) answer(visit);
    }
  }

 private:
  /// An op and a want, with the questions about them.
  struct Case {
    std::uint32_t want, position;
  };

  /// In a way that does not depend on which of the two comes first.
  void ask_pair(std::uint32_t x, std::uint32_t y) { asked_.push_back({std::min(x, y), std::max(x, y)}); }

  void ask(std::uint32_t index, std::uint32_t position) {
    const Want& want = wants_.all[index];
    cases_.push_back({index, position});
    if (want.reader != kApplication) ask_pair(position, order_.position_of(want.reader));
    if (writer_of(want) != kApplication) ask_pair(position, order_.position_of(writer_of(want)));
  }

  void answer(const std::function<void(const OtherWriter&)>& visit) {
    const std::vector<bool> has_path = paths_.find(asked_);
    std::size_t next = 0;
    for (const Case& one : cases_) {
      const Want& want = wants_.all[one.want];
      const Relation to_reader = relation_of(one.position, want.reader, true, has_path, next);
      const Relation to_writer = relation_of(one.position, writer_of(want), false, has_path, next);
      if (to_reader == Relation::kAfter || to_writer == Relation::kBefore) continue;
      const bool is_between = to_reader == Relation::kBefore && to_writer == Relation::kAfter;
      const bool is_backwards = standings_.of(one.want, 0) == Standing::kAfter;
      visit({one.want, order_.op_at(one.position), is_between || is_backwards});
    }
    cases_.clear();
    asked_.clear();
  }

  /// Of the op at the position to the other one: the application reads after all ops and writes before them.
  Relation relation_of(std::uint32_t position, std::uint32_t other, bool reads, const std::vector<bool>& has_path,
                       std::size_t& next) const {
    if (other == kApplication) return reads ? Relation::kBefore : Relation::kAfter;
    if (!has_path[next++]) return Relation::kUnordered;
    return position < order_.position_of(other) ? Relation::kBefore : Relation::kAfter;
  }

  static std::uint32_t writer_of(const Want& want) { return want.values.front().writer; }

  const Order& order_;
  const Wants& wants_;
  const Standings& standings_;
  PathFinder paths_;
  std::vector<Case> cases_;
  std::vector<PositionPair> asked_;
};

}  // namespace

bool for_each_other_writer(const detent_desc& desc, const Order& order, const Wants& wants, const Standings& standings,
                           std::uint64_t max_pairs, const std::function<void(const OtherWriter&)>& visit) {
  const AccessTable table(desc, order, {}, AccessTable::Ranks::kLeftOut);
  const auto position = [&](std::uint32_t op) { return op == kApplication ? DETENT_NONE : order.position_of(op); };
  Rows<std::uint32_t> writers;
  {
    const MeetingSweep sweep(wants, table, order.op_count());
    if (!sweep.are_at_most(max_pairs)) return false;
    writers = Rows<std::uint32_t>(wants.all.size(), [&](const auto& put) {
      sweep.for_each([&](const Extent& wanted, const Extent& written) {
        const Want& want = wants.all[wanted.owner];
        const bool is_own =
            written.owner == position(want.reader) || written.owner == position(want.values.front().writer);
        if (is_own) return;
        const ByteSet bytes = table.bytes_of_access(table.writes(written.owner)[written.entry]);
        const ByteSet& mine = want.bytes[wanted.entry];
        const bool are_dense = bytes.dense() && mine.dense();
        if (are_dense || first_shared_bytes(mine, bytes)) put(wanted.owner, written.owner);
      });
    });
  }
  writers.keep_each_once();
  OtherWriters(order, wants, standings).judge_all(writers, visit);
  return true;
}

}  // namespace detent::verify
