// Desc and values -> ValueFlowReport. Per block of columns: closure both ways, and writers of wanted bytes as bits.
#include "verify/static/value_flow.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/graph/guards.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/predecessors.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/conflict_block.hpp"
#include "verify/static/sharing_block.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/names.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify {
namespace {

using Bits = std::vector<Word>;

/// How a writer stands to its reader.
enum class Standing : std::uint8_t { kBefore, kAfter, kUnordered };

/// A violation before its bytes and its schedule are known.
struct Found {
  std::uint32_t reader, name, in_the_way;
  std::uint32_t writer;
  std::uint32_t want;  ///< DETENT_NONE: kUndecided
  FlowFault fault;
  bool always;

  [[nodiscard]] auto key() const { return std::tuple(reader, name, in_the_way); }
};

/// Keeps the first of a stream that may be billions long.
class FoundList {
 public:
  explicit FoundList(std::uint64_t max_listed) : max_listed_(std::max<std::uint64_t>(1, max_listed)) {}

  [[nodiscard]] bool wants(std::uint32_t reader) const { return reader <= last_reader_; }
  void add(const Found& found) {
    kept_.push_back(found);
    if (kept_.size() >= 4 * max_listed_) prune();
  }
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  std::vector<Found> finish() {
    prune();
    return std::move(kept_);
  }

 private:
  void prune() {
    std::ranges::sort(kept_, [](const Found& x, const Found& y) {
      return x.key() != y.key() ? x.key() < y.key() : x.always && !y.always;
    });
    const auto repeated = std::ranges::unique(kept_, [](const Found& x, const Found& y) { return x.key() == y.key(); });
    kept_.erase(repeated.begin(), repeated.end());
    if (kept_.size() <= max_listed_) return;
    kept_.resize(max_listed_);
    is_whole_ = false;
    last_reader_ = kept_.back().reader;
  }

  std::uint64_t max_listed_;
  std::uint32_t last_reader_ = DETENT_NONE;
  bool is_whole_ = true;
  std::vector<Found> kept_;
};

std::vector<std::vector<ByteSet>> bytes_of_all(const Wants& wants) {
  std::vector<std::vector<ByteSet>> rows;
  rows.reserve(wants.all.size());
  for (const Want& want : wants.all) rows.push_back(want.bytes);
  return rows;
}

class FlowFinder {
 public:
  FlowFinder(const detent_desc& desc, const ValueTables* tables, const ValueFlowOptions& options)
      : desc_(desc),
        tables_(tables),
        order_(desc),
        wants_(find_wants(desc, order_, tables)),
        guards_(tables, desc.op_count),
        width_(options.block_columns != 0 ? options.block_columns : block_width(order_.op_count())),
        found_(options.max_listed) {
    for (Bits* bits : {&bits_, &other_}) bits->resize(width_ / 64);
  }

  ValueFlowReport find() {
    count_subjects();
    relate();
    for (std::uint32_t i = 0; i < wants_.all.size(); ++i) judge_order(i);
    judge_decisions();
    judge_clashes();
    if (!wants_.all.empty()) judge_writers();
    const std::vector<Found> listed = found_.finish();
    report_.is_whole = found_.is_whole();
    add_schedules_to_ = 0;
    for (const Found& found : listed) report_.listed.push_back(violation_of(found));
    return std::move(report_);
  }

 private:
  void count_subjects() {
    report_.reads = wants_.all.size();
    for (const Want& want : wants_.all) report_.outputs += want.reader == kApplication ? 1U : 0U;
    for (OpId op = 0; op < desc_.op_count; ++op) {
      const detent_slice& inputs = desc_.ops[op].inputs;
      for (std::uint32_t k = 0; k < inputs.count; ++k) {
        const std::uint32_t tensor = desc_.tensor_refs[inputs.first + k];
        const bool is_range = (desc_.tensors[tensor].flags & DETENT_TENSOR_RANGE) != 0;
        const bool is_named =
            tables_ != nullptr && tensor < tables_->tensor_values.size() && !tables_->tensor_values[tensor].empty();
        if (is_range && !is_named) ++report_.unnamed;
      }
      const bool has_guards = tables_ != nullptr && op < tables_->guards.size() && !tables_->guards[op].empty();
      if (has_guards) ++report_.guarded_ops;
    }
  }

  // ---- Is the value there before the reader is?

  void relate() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    const auto add = [&](std::uint32_t writer, std::uint32_t reader) {
      if (writer != reader && writer != kApplication && reader != kApplication) pairs.emplace_back(writer, reader);
    };
    for_each_pair(add);
    const std::vector<Relation> relations = pairs.empty() ? std::vector<Relation>{} : relate_pairs(order_, pairs);
    std::size_t next = 0;
    for_each_pair([&](std::uint32_t writer, std::uint32_t reader) {
      if (writer == kApplication || reader == kApplication) {
        standings_.push_back(Standing::kBefore);
      } else if (writer == reader) {
        standings_.push_back(Standing::kAfter);  // it reads before it writes
      } else {
        const Relation relation = relations[next++];
        standings_.push_back(relation == Relation::kBefore  ? Standing::kBefore
                             : relation == Relation::kAfter ? Standing::kAfter
                                                            : Standing::kUnordered);
      }
    });
  }

  /// Writers of all wants with their readers, then decisions with the ops that they guard; always in this order.
  template <typename Visit>
  void for_each_pair(Visit visit) {
    std::uint32_t count = 0;
    first_standing_.clear();
    for (const Want& want : wants_.all) {
      first_standing_.push_back(count);
      for (const Wanted& value : want.values) visit(value.writer, want.reader);
      count += static_cast<std::uint32_t>(want.values.size());
    }
    first_standing_.push_back(count);
    if (tables_ == nullptr) return;
    for (OpId op = 0; op < desc_.op_count && op < tables_->guards.size(); ++op) {
      for (const Guard& guard : tables_->guards[op]) visit(tables_->decisions[guard.decision].op, op);
    }
  }

  [[nodiscard]] Standing standing(std::uint32_t want, std::size_t value) const {
    return standings_[first_standing_[want] + value];
  }

  /// Can the two never be in one run?
  [[nodiscard]] bool never_meet(std::initializer_list<std::uint32_t> ops) const {
    return guards_.contradict({ops.begin(), ops.size()});
  }

  void judge_order(std::uint32_t i) {
    const Want& want = wants_.all[i];
    if (guards_.never_runs(want.reader)) return;
    if (want.values.size() > 1) return judge_order_of_several(i);
    const std::uint32_t writer = want.values.front().writer;
    const Standing how = standing(i, 0);
    if (never_meet({want.reader, writer})) return add(i, 0, DETENT_NONE, FlowFault::kAbsent, true);
    const bool in_any_order = !want.is_declared && commute(want.reader, writer);
    if (how != Standing::kBefore && !in_any_order) {
      return add(i, 0, DETENT_NONE, FlowFault::kTooEarly, how == Standing::kAfter);
    }
    if (!guards_.imply_one_of(std::array{want.reader}, std::array{writer})) {
      add(i, 0, DETENT_NONE, FlowFault::kAbsent, false);
    }
  }

  /// In each run, one of those that surely come before the reader must run.
  void judge_order_of_several(std::uint32_t i) {
    const Want& want = wants_.all[i];
    std::vector<std::uint32_t> before;
    std::size_t first_late = want.values.size();
    bool always = true;
    for (std::size_t k = 0; k < want.values.size(); ++k) {
      const std::uint32_t writer = want.values[k].writer;
      const bool meets = !never_meet({want.reader, writer});
      if (meets && standing(i, k) == Standing::kBefore) before.push_back(writer);
      if (meets && standing(i, k) != Standing::kBefore) first_late = std::min(first_late, k);
      always = always && (!meets || standing(i, k) == Standing::kAfter);
    }
    if (!before.empty() && guards_.imply_one_of(std::array{want.reader}, before)) return;
    const bool is_late = first_late < want.values.size();
    add(i, is_late ? first_late : 0, DETENT_NONE, is_late ? FlowFault::kTooEarly : FlowFault::kAbsent, always);
  }

  void judge_decisions() {
    if (tables_ == nullptr) return;
    std::size_t next = first_standing_.back();
    const auto first_name = static_cast<std::uint32_t>(wants_.names.size());
    for (const Decision& decision : tables_->decisions) wants_.names.push_back(decision.name);
    for (OpId op = 0; op < desc_.op_count && op < tables_->guards.size(); ++op) {
      for (const Guard& guard : tables_->guards[op]) {
        const Standing how = standings_[next++];
        if (how == Standing::kBefore) continue;
        const bool always = how == Standing::kAfter;
        put({op, first_name + guard.decision, DETENT_NONE, tables_->decisions[guard.decision].op, DETENT_NONE,
             FlowFault::kUndecided, always});
      }
    }
  }

  /// Readers of the values that one op writes over each other.
  void judge_clashes() {
    for (std::uint32_t i = 0; i < wants_.all.size() && !wants_.clashes.empty(); ++i) {
      const Want& want = wants_.all[i];
      if (!want.is_declared) continue;
      for (std::size_t k = 0; k < want.values.size(); ++k) {
        const Wanted& value = want.values[k];
        const auto clash = std::ranges::find_if(wants_.clashes, [&](const Clash& one) {
          return one.op == value.writer && (one.name_a == value.name || one.name_b == value.name) &&
                 std::ranges::any_of(want.bytes, [&](const ByteSet& bytes) {
                   return first_shared_bytes(bytes, one.bytes).has_value();
                 });
        });
        if (clash != wants_.clashes.end() && !never_meet({want.reader, value.writer})) {
          add(i, k, value.writer, FlowFault::kClash, true);
        }
      }
    }
  }

  // ---- Who else writes there?

  void judge_writers() {
    const AccessTable table(desc_, order_, bytes_of_all(wants_));
    const Memberships groups = commute_groups_by_position(desc_, order_);
    ReachBlock reach(order_, width_);
    PrecededBlock preceded(order_, width_);
    ConflictBlock conflicts(table, width_);
    SharingBlock commutes(groups, width_);
    reach_ = &reach;
    preceded_ = &preceded;
    commutes_ = &commutes;
    for (std::uint32_t first = 0; first < order_.op_count(); first += width_) {
      reach.compute(first);
      preceded.compute(first);
      conflicts.load(first, reach.column_count());
      commutes.load(first, reach.column_count());
      for (std::uint32_t i = 0; i < wants_.all.size(); ++i) {
        std::fill(bits_.begin(), bits_.end(), Word{0});
        for (const Access& access : table.wanted(i)) conflicts.add_writers(access, bits_.data());
        if (std::ranges::any_of(bits_, [](Word word) { return word != 0; })) judge_want(i);
      }
    }
  }

  void judge_want(std::uint32_t i) {
    const Want& want = wants_.all[i];
    if (guards_.never_runs(want.reader)) return;
    drop(want.reader);
    for (const Wanted& value : want.values) drop(value.writer);
    drop_row(row_after(want.reader));
    if (want.values.size() > 1) return judge_several(i);
    const std::uint32_t writer = want.values.front().writer;
    drop_row(row_before(writer));
    if (!want.is_declared) drop_commuting(want.reader, writer);
    if (guards_.any()) drop_strangers(want.reader, writer);
    mark_always(want.reader, writer, standing(i, 0) == Standing::kAfter);
    for (const Word word : bits_) report_.count += static_cast<std::uint64_t>(std::popcount(word));
    for (const Word word : other_) report_.always += static_cast<std::uint64_t>(std::popcount(word));
    if (!found_.wants(want.reader)) return;
    for_each_column([&](std::uint32_t column) {
      found_.add({want.reader, want.values.front().name, op_of(column), writer, i, FlowFault::kOverwritten,
                  has_bit(other_.data(), column)});
    });
  }

  /// Bits of other_: between writer and reader by the edges alone.
  void mark_always(std::uint32_t reader, std::uint32_t writer, bool is_backwards) {
    other_ = bits_;
    if (is_backwards) return;
    if (writer != kApplication) keep_row(row_after(writer), other_);
    if (reader != kApplication) keep_row(row_before(reader), other_);
  }

  /// An op is in the way when in some run one of the values is written and nothing that surely comes after the op and
  /// before the reader writes one of them again.
  void judge_several(std::uint32_t i) {
    const Want& want = wants_.all[i];
    for_each_column([&](std::uint32_t column) {
      const std::uint32_t op = op_of(column);
      std::vector<std::uint32_t> again;
      for (std::size_t k = 0; k < want.values.size(); ++k) {
        const Word* const before = row_before(want.values[k].writer);
        const bool is_after = before != nullptr && has_bit(before, column);
        if (is_after && standing(i, k) == Standing::kBefore) again.push_back(want.values[k].writer);
      }
      for (std::size_t k = 0; k < want.values.size(); ++k) {
        const std::uint32_t writer = want.values[k].writer;
        if (never_meet({want.reader, op, writer})) continue;
        if (guards_.imply_one_of(std::array{want.reader, op, writer}, again)) continue;
        return add(i, k, op, FlowFault::kOverwritten, is_between(i, k, column));
      }
    });
  }

  [[nodiscard]] bool is_between(std::uint32_t i, std::size_t k, std::uint32_t column) const {
    if (standing(i, k) == Standing::kAfter) return true;
    const Want& want = wants_.all[i];
    const std::uint32_t writer = want.values[k].writer;
    const Word* const after = row_after(writer);
    const Word* const before = row_before(want.reader);
    return (writer == kApplication || (after != nullptr && has_bit(after, column))) &&
           (want.reader == kApplication || (before != nullptr && has_bit(before, column)));
  }

  /// Columns that the op precedes; null: none. Nothing succeeds the application after the run.
  [[nodiscard]] const Word* row_after(std::uint32_t op) const {
    if (op == kApplication) return nullptr;
    const std::uint32_t position = order_.position_of(op);
    return position < reach_->first() + reach_->column_count() ? reach_->row(position) : nullptr;
  }

  /// Columns that precede the op; null: none. Nothing precedes the application before the run.
  [[nodiscard]] const Word* row_before(std::uint32_t op) const {
    if (op == kApplication) return nullptr;
    const std::uint32_t position = order_.position_of(op);
    return position >= reach_->first() ? preceded_->row(position) : nullptr;
  }

  void drop(std::uint32_t op) {
    if (op == kApplication) return;
    const std::uint32_t position = order_.position_of(op);
    if (position < reach_->first() || position >= reach_->first() + reach_->column_count()) return;
    const std::uint32_t column = position - reach_->first();
    bits_[column / 64] &= ~(Word{1} << (column % 64));
  }

  void drop_row(const Word* row) {
    if (row == nullptr) return;
    for (std::uint32_t w = 0; w < bits_.size(); ++w) bits_[w] &= ~row[w];
  }

  static void keep_row(const Word* row, Bits& bits) {
    for (std::uint32_t w = 0; w < bits.size(); ++w) bits[w] &= row == nullptr ? Word{0} : row[w];
  }

  /// The order within a commute group is declared irrelevant.
  void drop_commuting(std::uint32_t reader, std::uint32_t writer) {
    for (const std::uint32_t op : {reader, writer}) {
      if (op == kApplication || desc_.ops[op].commute_group == DETENT_NONE) continue;
      std::fill(other_.begin(), other_.end(), Word{0});
      commutes_->add_sharers(order_.position_of(op), other_.data());
      drop_row(other_.data());
    }
  }

  /// Ops that are never in one run with both.
  void drop_strangers(std::uint32_t reader, std::uint32_t writer) {
    for_each_column([&](std::uint32_t column) {
      if (never_meet({reader, writer, op_of(column)})) bits_[column / 64] &= ~(Word{1} << (column % 64));
    });
  }

  static bool has_bit(const Word* bits, std::uint32_t column) { return (bits[column / 64] >> (column % 64) & 1U) != 0; }
  [[nodiscard]] std::uint32_t op_of(std::uint32_t column) const { return order_.op_at(reach_->first() + column); }

  template <typename Visit>
  void for_each_column(Visit visit) {
    for (std::uint32_t w = 0; w < bits_.size(); ++w) {
      for (Word rest = bits_[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  }

  // ---- What is listed.

  void add(std::uint32_t i, std::size_t k, std::uint32_t in_the_way, FlowFault fault, bool always) {
    const Want& want = wants_.all[i];
    put({want.reader, want.values[k].name, in_the_way, want.values[k].writer, i, fault, always});
  }

  [[nodiscard]] bool commute(std::uint32_t a, std::uint32_t b) const {
    return a != kApplication && b != kApplication && desc_.ops[a].commute_group != DETENT_NONE &&
           desc_.ops[a].commute_group == desc_.ops[b].commute_group;
  }

  void put(const Found& found) {
    ++report_.count;
    if (found.always) ++report_.always;
    if (found_.wants(found.reader)) found_.add(found);
  }

  ValueViolation violation_of(const Found& found) {
    ValueViolation violation;
    violation.fault = found.fault;
    violation.reader = found.reader;
    violation.writer = found.writer;
    violation.in_the_way = found.in_the_way;
    violation.value = wants_.names[found.name];
    violation.always = found.always;
    if (found.want != DETENT_NONE) add_bytes(wants_.all[found.want].bytes, found, violation);
    add_schedules_to_ += desc_.op_count;
    if (add_schedules_to_ <= kScheduledOps || report_.listed.empty()) violation.schedule = schedule_of(found);
    return violation;
  }

  void add_bytes(const std::vector<ByteSet>& wanted, const Found& found, ValueViolation& violation) const {
    ByteRange first{UINT64_MAX, UINT64_MAX};
    const auto take = [&](const ByteRange& bytes) {
      if (bytes.begin < first.begin) first = bytes;
    };
    for (const ByteSet& bytes : wanted) {
      if (found.fault == FlowFault::kClash) {
        for (const Clash& clash : wants_.clashes) {
          if (clash.op != found.writer || (clash.name_a != found.name && clash.name_b != found.name)) continue;
          if (const auto shared = first_shared_bytes(bytes, clash.bytes)) take(*shared);
        }
      } else if (found.in_the_way == DETENT_NONE) {
        take({bytes.begin, bytes.begin + bytes.block_bytes});
      } else {
        for (const detent_slice* slice : {&desc_.ops[found.in_the_way].outputs, &desc_.ops[found.in_the_way].scratch}) {
          for (std::uint32_t k = 0; k < slice->count; ++k) {
            const detent_tensor& tensor = desc_.tensors[desc_.tensor_refs[slice->first + k]];
            ByteSet written = bytes_of(tensor);
            written.begin += kRegionSpacing * tensor.region;
            if (const auto shared = first_shared_bytes(bytes, written)) take(*shared);
          }
        }
      }
    }
    violation.region = static_cast<std::uint32_t>(first.begin / kRegionSpacing);
    violation.offset_bytes = first.begin % kRegionSpacing;
    violation.size_bytes = first.end - first.begin;
  }

  [[nodiscard]] std::vector<std::uint32_t> schedule_of(const Found& found) const {
    std::vector<std::uint32_t> stops;
    const bool is_overwritten = found.fault == FlowFault::kOverwritten;
    const bool is_backwards = is_overwritten && standing_of(found) == Standing::kAfter;
    if (is_overwritten && found.writer != kApplication && !is_backwards) stops.push_back(found.writer);
    if (is_overwritten) stops.push_back(found.in_the_way);
    const bool reads = found.reader != kApplication && found.fault != FlowFault::kAbsent;
    if (reads && found.fault != FlowFault::kClash) stops.push_back(found.reader);
    std::vector<std::uint32_t> schedule = make_schedule_through(order_, stops);
    std::erase_if(schedule, [&](std::uint32_t op) { return (desc_.ops[op].flags & DETENT_OP_DELAY) != 0; });
    return schedule;
  }

  [[nodiscard]] Standing standing_of(const Found& found) const {
    const Want& want = wants_.all[found.want];
    for (std::size_t k = 0; k < want.values.size(); ++k) {
      if (want.values[k].name == found.name && want.values[k].writer == found.writer) return standing(found.want, k);
    }
    return Standing::kBefore;
  }

  const detent_desc& desc_;
  const ValueTables* const tables_;
  const Order order_;
  Wants wants_;
  const Guards guards_;
  const std::uint32_t width_;
  const ReachBlock* reach_ = nullptr;
  const PrecededBlock* preceded_ = nullptr;
  const SharingBlock* commutes_ = nullptr;
  std::vector<std::uint32_t> first_standing_;  ///< by want: into standings_; then the end of them
  std::vector<Standing> standings_;            ///< of the values of all wants, then of all guards
  Bits bits_;                                  ///< columns that write wanted bytes and are not excused
  Bits other_;
  std::uint64_t add_schedules_to_ = 0;
  FoundList found_;
  ValueFlowReport report_;
};

std::string subject_of(const detent_desc& desc, const ValueViolation& violation) {
  std::string text = violation.reader == DETENT_NONE ? "output " + violation.value
                                                     : op_name(desc, violation.reader) + " reads " + violation.value;
  text += violation.writer == DETENT_NONE ? " (an input)" : " (of " + op_name(desc, violation.writer) + ")";
  if (violation.region == DETENT_NONE) return text;
  return text + " in " + byte_range_name(desc, violation.region, violation.offset_bytes, violation.size_bytes);
}

}  // namespace

ValueFlowReport find_value_violations(const detent_desc& desc, const ValueTables* tables,
                                      const ValueFlowOptions& options) {
  return FlowFinder(desc, tables, options).find();
}

std::string describe_violation(const detent_desc& desc, const ValueViolation& violation) {
  const std::string how = violation.always ? "on every schedule " : "on some schedule ";
  switch (violation.fault) {
    case FlowFault::kOverwritten:
      return subject_of(desc, violation) + ", where " + how + op_name(desc, violation.in_the_way) +
             (violation.reader == DETENT_NONE ? " writes after it" : " writes in between");
    case FlowFault::kTooEarly:
      return subject_of(desc, violation) + ", " + how + "before it is written";
    case FlowFault::kAbsent:
      return subject_of(desc, violation) + ", " + (violation.always ? "never" : "not always") +
             " written in a run of it";
    case FlowFault::kUndecided:
      return op_name(desc, violation.reader) + " is guarded by " + violation.value + " and starts " + how + "before " +
             op_name(desc, violation.writer) + " decides";
    case FlowFault::kClash:
      return subject_of(desc, violation) + ", where the same op writes another value, too";
  }
  return "";
}

Verdict judge_value_flow(const detent_desc& desc, const ValueFlowReport& report) {
  constexpr std::size_t kListedViolations = 100;
  Verdict verdict{Property::kValueFlow, Outcome::kHolds, "", {}};
  std::string& text = verdict.summary;
  if (report.reads == 0) {
    text = std::string(kNothingToCheck) + "no read names its value, so whether reads find what they want is not judged";
  } else {
    text =
        counted(report.reads - report.outputs, "read") + " and " + counted(report.outputs, "output") + " of a value: ";
    text += report.count > 0 ? counted(report.count, "op") + " in the way or too late"
                             : "each finds it in every byte on every schedule";
    if (report.unnamed > 0) text += "; " + counted(report.unnamed, "further read") + " of bytes without a value";
  }
  if (report.guarded_ops > 0) {
    text += "; " + counted(report.guarded_ops, "guarded op");
    if (report.count == 0) text += ", each after its decision";
  }
  if (report.count == 0) return verdict;
  verdict.outcome = Outcome::kViolated;
  verdict.total = report.count;
  if (report.always > 0) text += "; " + std::to_string(report.always) + " on every schedule";
  for (const ValueViolation& violation : report.listed) {
    if (verdict.witnesses.size() >= kListedViolations) break;
    Witness witness{describe_violation(desc, violation), {}, violation.schedule};
    for (const std::uint32_t op : {violation.in_the_way, violation.reader, violation.writer}) {
      const bool is_new = std::ranges::find(witness.ops, op) == witness.ops.end();
      if (op != DETENT_NONE && is_new) witness.ops.push_back(op);
    }
    verdict.witnesses.push_back(std::move(witness));
  }
  return verdict;
}

Verdict check_value_flow(const detent_desc& desc, const ValueTables* tables) {
  try {
    return judge_value_flow(desc, find_value_violations(desc, tables));
  } catch (const std::invalid_argument& refusal) {
    return {Property::kValueFlow, Outcome::kUnknown, std::string("not checked: ") + refusal.what(), {}};
  }
}

}  // namespace detent::verify
