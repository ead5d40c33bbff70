// Wants -> cells of bytes; begins and ends of ops -> the last writer of each cell.
#include "verify/runs/read_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/byte_ranges.hpp"
#include "base/counted.hpp"
#include "verify/graph/order.hpp"
#include "verify/static/access_table.hpp"
#include "verify/verdict/names.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify {
namespace {

/// Blocks of all accesses, and cells that one run looks at.
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 22;

void append_set(const ByteSet& set, std::vector<ByteRange>& ranges) {
  for (std::uint64_t k = 0; k < set.count; ++k) {
    const std::uint64_t begin = set.begin + k * set.stride_bytes;
    ranges.push_back({begin, begin + set.block_bytes});
  }
}

std::vector<ByteRange> bytes_wanted(const Want& want) {
  std::vector<ByteRange> ranges;
  for (const ByteSet& set : want.bytes) append_set(set, ranges);
  return make_ranges(std::move(ranges));
}

std::vector<ByteRange> bytes_written(const detent_desc& desc, OpId op) {
  std::vector<ByteRange> ranges;
  for (const detent_slice* slice : {&desc.ops[op].outputs, &desc.ops[op].scratch}) {
    for (std::uint32_t k = 0; k < slice->count; ++k) {
      const detent_tensor& tensor = desc.tensors[desc.tensor_refs[slice->first + k]];
      append_blocks(tensor, kRegionSpacing * tensor.region, ranges);
    }
  }
  return make_ranges(std::move(ranges));
}

std::uint64_t block_count(const detent_desc& desc, const Wants& wants) {
  std::uint64_t blocks = 0;
  for (const Want& want : wants.all) {
    for (const ByteSet& set : want.bytes) blocks += set.count;
  }
  for (std::uint32_t k = 0; k < desc.tensor_ref_count; ++k) blocks += desc.tensors[desc.tensor_refs[k]].block_count;
  return blocks;
}

}  // namespace

ReadCheck::ReadCheck(const detent_desc& desc, const ValueTables* tables) : desc_(desc) {
  try {
    wants_ = find_wants(desc, Order(desc), tables);
    if (block_count(desc, wants_) > kMostCells) throw std::invalid_argument("too many blocks to follow each");
    cut();
  } catch (const std::invalid_argument& refusal) {
    refused_ = refusal.what();
    wants_.all.clear();
  }
  wants_of_.resize(desc.op_count + std::size_t{1});
  written_.resize(desc.op_count);
  for (std::uint32_t i = 0; i < wants_.all.size(); ++i) {
    const std::uint32_t reader = wants_.all[i].reader;
    wants_of_[reader == kApplication ? desc.op_count : reader].push_back(i);
  }
  arm();
}

void ReadCheck::cut() {
  std::vector<std::vector<ByteRange>> wanted, written;
  for (const Want& want : wants_.all) wanted.push_back(bytes_wanted(want));
  for (OpId op = 0; op < desc_.op_count; ++op) written.push_back(bytes_written(desc_, op));
  for (const auto* rows : {&wanted, &written}) {
    for (const auto& row : *rows) {
      for (const ByteRange& range : row) cuts_.insert(cuts_.end(), {range.begin, range.end});
    }
  }
  for (const Clash& clash : wants_.clashes) cuts_.insert(cuts_.end(), {clash.bytes.begin, clash.bytes.end()});
  std::ranges::sort(cuts_);
  cuts_.erase(std::ranges::unique(cuts_).begin(), cuts_.end());
  for (const Clash& clash : wants_.clashes) {
    clashes_.push_back(cells_of({{clash.bytes.begin, clash.bytes.end()}}).front());
  }
  std::uint64_t cells = 0;
  for (const auto& [rows, to] : {std::pair{&wanted, &wanted_}, std::pair{&written, &written_}}) {
    for (const auto& row : *rows) {
      to->push_back(cells_of(row));
      for (const Cells& run : to->back()) cells += run.last - run.first;
      if (cells > kMostCells) throw std::invalid_argument("too many pieces of bytes to follow each");
    }
  }
}

/// The last writer of the cell gave it to two values, one of which is wanted.
bool ReadCheck::is_clashed(std::uint32_t i, std::uint32_t cell) const {
  const Want& want = wants_.all[i];
  for (std::size_t k = 0; k < clashes_.size() && want.is_declared; ++k) {
    const Clash& clash = wants_.clashes[k];
    const bool is_here = clash.op == writer_[cell] && clashes_[k].first <= cell && cell < clashes_[k].last;
    const bool is_wanted = std::ranges::any_of(
        want.values, [&](const Wanted& value) { return value.name == clash.name_a || value.name == clash.name_b; });
    if (is_here && is_wanted) return true;
  }
  return false;
}

std::vector<ReadCheck::Cells> ReadCheck::cells_of(const std::vector<ByteRange>& ranges) const {
  const auto cell_at = [&](std::uint64_t byte) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(cuts_, byte) - cuts_.begin());
  };
  std::vector<Cells> cells;
  for (const ByteRange& range : ranges) cells.push_back({cell_at(range.begin), cell_at(range.end)});
  return cells;
}

void ReadCheck::arm() {
  writer_.assign(cuts_.size(), kApplication);
  has_ended_.assign(desc_.op_count, false);
  is_missed_.assign(wants_.all.size(), false);
  missed_.clear();
}

bool ReadCheck::commute(std::uint32_t a, std::uint32_t b) const {
  if (a == kApplication || b == kApplication || desc_.ops[a].commute_group == DETENT_NONE) return false;
  return desc_.ops[a].commute_group == desc_.ops[b].commute_group;
}

bool ReadCheck::is_fine(const Want& want, std::uint32_t found) const {
  for (const Wanted& value : want.values) {
    const bool is_there = value.writer == kApplication || has_ended_[value.writer];
    if (found == value.writer && is_there) return true;
    if (want.is_declared) continue;
    if (!is_there && commute(want.reader, value.writer)) return true;
    if (is_there && (commute(want.reader, found) || commute(value.writer, found))) return true;
  }
  return false;
}

void ReadCheck::check(std::uint32_t i) {
  const Want& want = wants_.all[i];
  for (const Cells& run : wanted_[i]) {
    for (std::uint32_t cell = run.first; cell < run.last && !is_missed_[i]; ++cell) {
      const std::uint32_t found = writer_[cell];
      const bool is_own = found == want.reader && found != kApplication;  // it reads before it writes
      if (is_own || (is_fine(want, found) && !is_clashed(i, cell))) continue;
      std::uint32_t last = cell + 1;
      while (last < run.last && writer_[last] == found) ++last;
      is_missed_[i] = true;
      missed_.push_back({want.reader, wants_.names[want.values.front().name], found,
                         static_cast<std::uint32_t>(cuts_[cell] / kRegionSpacing), cuts_[cell] % kRegionSpacing,
                         cuts_[last] - cuts_[cell]});
    }
  }
}

void ReadCheck::begin(OpId op) {
  for (const std::uint32_t want : wants_of_[op]) check(want);
  for (const Cells& run : written_[op]) {
    std::fill(writer_.begin() + run.first, writer_.begin() + run.last, op);
  }
}

void ReadCheck::end(OpId op) {
  for (const std::uint32_t want : wants_of_[op]) check(want);
  has_ended_[op] = true;
}

std::optional<MissedRead> ReadCheck::finish() {
  for (const std::uint32_t want : wants_of_[desc_.op_count]) check(want);
  return missed_.empty() ? std::nullopt : std::optional(missed_.front());
}

std::optional<MissedRead> check_reads(const detent_desc& desc, ReadCheck& check, const harness::Trace& trace) {
  const Order order(desc);
  // Time, 0 an end or 1 a begin, place in the serial order, length: ops that take no time follow their predecessors.
  std::vector<std::tuple<std::uint64_t, int, Position, bool>> steps;
  for (const harness::Span& span : trace.spans) {
    const bool takes_time = span.end_ps > span.begin_ps;
    steps.emplace_back(span.begin_ps, 1, order.position_of(span.op), takes_time);
    if (takes_time) steps.emplace_back(span.end_ps, 0, order.position_of(span.op), true);
  }
  std::ranges::sort(steps);
  check.arm();
  for (const auto& [time, is_begin, position, takes_time] : steps) {
    const OpId op = order.op_at(position);
    if (is_begin == 1) check.begin(op);
    if (is_begin == 0 || !takes_time) check.end(op);
  }
  return check.finish();
}

std::string describe_missed(const detent_desc& desc, const MissedRead& missed) {
  const std::string who = missed.reader == DETENT_NONE ? "output " : op_name(desc, missed.reader) + " reads ";
  const std::string whose =
      missed.found == DETENT_NONE ? "what was there before the run" : "what " + op_name(desc, missed.found) + " wrote";
  return who + missed.value + " and finds " + whose + " in " +
         byte_range_name(desc, missed.region, missed.offset_bytes, missed.size_bytes);
}

Verdict judge_read_runs(const detent_desc& desc, const ReadRuns& runs) {
  Verdict verdict{Property::kValueFlow, Outcome::kHolds, "", {}};
  if (!runs.refused.empty() || runs.runs == 0) {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary = "not executed" + (runs.refused.empty() ? "" : ": " + runs.refused);
    return verdict;
  }
  if (runs.reads == 0) {
    verdict.summary = std::string(kNothingToCheck) + "no read names its value";
    return verdict;
  }
  verdict.summary = counted(runs.reads, "read") + " of a value followed in " + counted(runs.runs, "run") + ": ";
  if (runs.missing == 0) {
    verdict.summary += "each found what the op that writes it had written";
    return verdict;
  }
  verdict.outcome = Outcome::kViolated;
  verdict.summary += "other bytes were found in " + std::to_string(runs.missing) + " of them";
  if (!runs.first) return verdict;
  Witness witness{describe_missed(desc, *runs.first), {}, runs.schedule};
  for (const std::uint32_t op : {runs.first->found, runs.first->reader}) {
    if (op != DETENT_NONE) witness.ops.push_back(op);
  }
  verdict.witnesses.push_back(std::move(witness));
  return verdict;
}

}  // namespace detent::verify
