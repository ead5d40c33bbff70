// Desc and values -> ValueFlowReport: the order of writers and readers, decisions and clashes, then who else writes
// there.
#include "verify/flow/value_flow.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/flow/found_list.hpp"
#include "verify/flow/pairwise_writers.hpp"
#include "verify/flow/serial_flow.hpp"
#include "verify/flow/standings.hpp"
#include "verify/flow/violation_teller.hpp"
#include "verify/flow/writer_columns.hpp"
#include "verify/graph/guards.hpp"
#include "verify/graph/order.hpp"
#include "verify/static/conflict_pairs.hpp"
#include "verify/verdict/names.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify {
namespace {

class FlowFinder {
 public:
  FlowFinder(const detent_desc& desc, const ValueTables* tables, const ValueFlowOptions& options)
      : desc_(desc),
        tables_(tables),
        order_(desc),
        wants_(find_wants(desc, order_, tables)),
        guards_(tables, desc.op_count),
        standings_(desc, tables, order_, wants_),
        max_closed_ops_(options.max_closed_ops),
        max_decided_pairs_(options.max_decided_pairs.value_or(most_decided_pairs(desc.op_count))),
        are_conflicts_ordered_(options.are_conflicts_ordered),
        width_(options.block_columns != 0 ? options.block_columns : block_width(order_.op_count())),
        found_(options.max_listed) {}

  ValueFlowReport find() {
    ValueFlowReport report = count_subjects();
    for (std::uint32_t i = 0; i < wants_.all.size(); ++i) judge_order(i);
    judge_decisions();
    judge_clashes();
    judge_failures();
    if (!wants_.all.empty() && !hold_as_in_serial_order()) judge_writers();
    report.listed = ViolationTeller(desc_, order_, wants_, standings_).tell(found_.finish());
    report.is_whole = found_.is_whole();
    report.count = found_.all();
    report.always = found_.always();
    return report;
  }

 private:
  [[nodiscard]] ValueFlowReport count_subjects() const {
    ValueFlowReport report;
    report.reads = wants_.all.size();
    for (const Want& want : wants_.all) report.outputs += want.reader == kApplication ? 1U : 0U;
    for (OpId op = 0; op < desc_.op_count; ++op) {
      const detent_slice& inputs = desc_.ops[op].inputs;
      for (std::uint32_t k = 0; k < inputs.count; ++k) {
        const std::uint32_t tensor = desc_.tensor_refs[inputs.first + k];
        const bool is_range = (desc_.tensors[tensor].flags & DETENT_TENSOR_RANGE) != 0;
        const bool is_named =
            tables_ != nullptr && tensor < tables_->tensor_values.size() && !tables_->tensor_values[tensor].empty();
        if (is_range && !is_named) ++report.unnamed;
      }
      const bool has_guards = tables_ != nullptr && op < tables_->guards.size() && !tables_->guards[op].empty();
      if (has_guards) ++report.guarded_ops;
    }
    return report;
  }

  /// Can the ops never be in one run?
  [[nodiscard]] bool never_meet(std::initializer_list<std::uint32_t> ops) const {
    return guards_.contradict({ops.begin(), ops.size()});
  }

  // ---- Is the value there before the reader is?

  void judge_order(std::uint32_t i) {
    const Want& want = wants_.all[i];
    if (guards_.never_runs(want.reader)) return;
    if (want.values.size() > 1) return want.is_declared ? judge_order_of_several(i) : judge_order_of_versions(i);
    const std::uint32_t writer = want.values.front().writer;
    const Standing how = standings_.of(i, 0);
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
      if (meets && standings_.of(i, k) == Standing::kBefore) before.push_back(writer);
      if (meets && standings_.of(i, k) != Standing::kBefore) first_late = std::min(first_late, k);
      always = always && (!meets || standings_.of(i, k) == Standing::kAfter);
    }
    if (!before.empty() && guards_.imply_one_of(std::array{want.reader}, before)) return;
    const bool is_late = first_late < want.values.size();
    add(i, is_late ? first_late : 0, DETENT_NONE, is_late ? FlowFault::kTooEarly : FlowFault::kAbsent, always);
  }

  /// In each run the last version that runs must come before the reader, and one of them must run.
  void judge_order_of_versions(std::uint32_t i) {
    const Want& want = wants_.all[i];
    std::vector<std::uint32_t> later;
    for (std::size_t k = want.values.size(); k-- > 0;) {
      const std::uint32_t writer = want.values[k].writer;
      const bool is_there = standings_.of(i, k) == Standing::kBefore || commute(want.reader, writer);
      if (!is_there && !never_meet({want.reader, writer}) &&
          !guards_.imply_one_of(std::array{want.reader, writer}, later)) {
        return add(i, k, DETENT_NONE, FlowFault::kTooEarly, false);
      }
      later.push_back(writer);
    }
    if (!guards_.imply_one_of(std::array{want.reader}, later)) add(i, 0, DETENT_NONE, FlowFault::kAbsent, false);
  }

  void judge_decisions() {
    if (tables_ == nullptr) return;
    std::size_t next = 0;
    const auto first_name = static_cast<std::uint32_t>(wants_.names.size());
    for (const Decision& decision : tables_->decisions) wants_.names.push_back(decision.name);
    for (OpId op = 0; op < desc_.op_count && op < tables_->guards.size(); ++op) {
      for (const Guard& guard : tables_->guards[op]) {
        const Standing how = standings_.of_guards()[next++];
        if (how == Standing::kBefore) continue;
        const bool always = how == Standing::kAfter;
        found_.add({op, first_name + guard.decision, DETENT_NONE, tables_->decisions[guard.decision].op, DETENT_NONE,
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

  /// Readers of what fallible ops write beside their failure.
  void judge_failures() {
    std::vector<std::uint32_t> decisions(desc_.op_count, DETENT_NONE);  // by op: its failure
    for (std::uint32_t id = 0; tables_ != nullptr && id < tables_->decisions.size(); ++id) {
      const Decision& decision = tables_->decisions[id];
      if (decision.op >= desc_.op_count) continue;
      const detent_slice& outputs = desc_.ops[decision.op].outputs;
      const bool is_last = outputs.count > 0 && decision.tensor == desc_.tensor_refs[outputs.first + outputs.count - 1];
      if (is_last) decisions[decision.op] = id;
    }
    for (std::uint32_t i = 0; i < wants_.all.size(); ++i) {
      for (std::size_t k = 0; k < wants_.all[i].values.size(); ++k) {
        const std::uint32_t writer = wants_.all[i].values[k].writer;
        if (writer != kApplication && wants_spoiled_bytes(wants_.all[i], writer)) {
          judge_failure(i, k, decisions[writer]);
        }
      }
    }
  }

  /// Does it want bytes that the op leaves in any state when it fails?
  [[nodiscard]] bool wants_spoiled_bytes(const Want& want, OpId writer) const {
    const detent_op& op = desc_.ops[writer];
    if ((op.flags & DETENT_OP_FALLIBLE) == 0) return false;
    for (std::uint32_t k = 0; k + 1 < op.outputs.count; ++k) {
      const detent_tensor& tensor = desc_.tensors[desc_.tensor_refs[op.outputs.first + k]];
      ByteSet written = bytes_of(tensor);
      written.begin += kRegionSpacing * tensor.region;
      const auto shares = [&](const ByteSet& bytes) { return first_shared_bytes(bytes, written).has_value(); };
      if (std::ranges::any_of(want.bytes, shares)) return true;
    }
    return false;
  }

  /// In each run in which the writer fails and the reader runs, a later version must run.
  void judge_failure(std::uint32_t i, std::size_t k, std::uint32_t decision) {
    const Want& want = wants_.all[i];
    const std::uint32_t writer = want.values[k].writer;
    std::vector<std::uint32_t> later;
    for (std::size_t n = k + 1; n < want.values.size() && !want.is_declared; ++n) {
      later.push_back(want.values[n].writer);
    }
    std::optional<Guard> fails;
    if (decision != DETENT_NONE) fails = Guard{decision, 1};
    const std::array both = {want.reader, writer};
    if (never_meet({want.reader, writer}) || guards_.imply_one_of(both, later, fails)) return;
    if (failures_.emplace(want.reader, want.values[k].name, writer).second) {
      add(i, k, writer, FlowFault::kFailed, false);
    }
  }

  // ---- Who else writes there?

  /// Paths order all conflicting pairs, so on each byte every schedule goes as the serial order does; and there each
  /// read finds the one value that it wants. False also where that is not asked.
  [[nodiscard]] bool hold_as_in_serial_order() const {
    return desc_.op_count > max_closed_ops_ && !guards_.any() &&
           is_serial_flow(desc_, order_, wants_, are_conflicts_ordered_);
  }

  void judge_writers() {
    if (judge_writers_by_paths()) return;
    WriterColumns columns(desc_, order_, wants_, width_);
    for (std::uint32_t first = 0; first < order_.op_count(); first += width_) {
      columns.compute(first);
      for (std::uint32_t i = 0; i < wants_.all.size(); ++i) {
        if (columns.load(i)) judge_want(i, columns);
      }
    }
  }

  /// The same where there are very many ops, each read wants one value, and few ops write its bytes.
  /// @return  false: not so, and nothing was judged
  bool judge_writers_by_paths() {
    const bool has_several = std::ranges::any_of(wants_.all, [](const Want& want) { return want.values.size() > 1; });
    if (desc_.op_count <= max_closed_ops_ || has_several) return false;
    return for_each_other_writer(desc_, order_, wants_, standings_, max_decided_pairs_, [&](const OtherWriter& other) {
      const Want& want = wants_.all[other.want];
      const std::uint32_t writer = want.values.front().writer;
      if (guards_.never_runs(want.reader)) return;
      if (!want.is_declared && (commute(other.op, want.reader) || commute(other.op, writer))) return;
      if (guards_.any() && never_meet({want.reader, writer, other.op})) return;
      add(other.want, 0, other.op, FlowFault::kOverwritten, other.always);
    });
  }

  void judge_want(std::uint32_t i, WriterColumns& columns) {
    const Want& want = wants_.all[i];
    if (guards_.never_runs(want.reader)) return;
    columns.excuse(want.reader);
    // Of versions of a tensor the last one that runs is wanted: one before it may be in its way.
    const bool has_versions = !want.is_declared && want.values.size() > 1;
    for (const Wanted& value : want.values) {
      if (!has_versions) columns.excuse(value.writer);
    }
    columns.excuse_after(want.reader);
    if (want.values.size() > 1) return judge_several(i, columns);
    const std::uint32_t writer = want.values.front().writer;
    columns.excuse_before(writer);
    if (!want.is_declared) {
      columns.excuse_commuting_with(want.reader);
      columns.excuse_commuting_with(writer);
    }
    if (guards_.any()) columns.excuse_if([&](std::uint32_t op) { return never_meet({want.reader, writer, op}); });
    columns.mark_always(want.reader, writer, standings_.of(i, 0) == Standing::kAfter);
    found_.count(columns.count(), columns.count_always());
    if (!found_.wants(want.reader)) return;
    columns.for_each([&](std::uint32_t column) {
      found_.keep({want.reader, want.values.front().name, columns.op_of(column), writer, i, FlowFault::kOverwritten,
                   columns.is_always(column)});
    });
  }

  /// An op is in the way when in some run one of the values is written and nothing that surely comes after the op and
  /// before the reader writes one of them again.
  void judge_several(std::uint32_t i, const WriterColumns& columns) {
    const Want& want = wants_.all[i];
    columns.for_each([&](std::uint32_t column) {
      const std::uint32_t op = columns.op_of(column);
      if (failures_.contains({want.reader, want.values.front().name, op})) return;  // told already
      const auto own = std::ranges::find(want.values, op, &Wanted::writer);
      const auto first = own == want.values.end() ? 0 : static_cast<std::size_t>(own - want.values.begin()) + 1;
      std::vector<std::uint32_t> again;
      for (std::size_t k = 0; k < want.values.size(); ++k) {
        const std::uint32_t writer = want.values[k].writer;
        if (columns.is_before(writer, column) && standings_.of(i, k) == Standing::kBefore) again.push_back(writer);
      }
      for (std::size_t k = first; k < want.values.size(); ++k) {
        const std::uint32_t writer = want.values[k].writer;
        if (never_meet({want.reader, op, writer})) continue;
        if (!want.is_declared && columns.is_before(writer, column)) continue;  // never after it
        if (!want.is_declared && (commute(op, want.reader) || commute(op, writer))) continue;
        if (guards_.imply_one_of(std::array{want.reader, op, writer}, again)) continue;
        const bool is_backwards = standings_.of(i, k) == Standing::kAfter;
        return add(i, k, op, FlowFault::kOverwritten, is_backwards || columns.is_between(writer, want.reader, column));
      }
    });
  }

  void add(std::uint32_t i, std::size_t k, std::uint32_t in_the_way, FlowFault fault, bool always) {
    const Want& want = wants_.all[i];
    found_.add({want.reader, want.values[k].name, in_the_way, want.values[k].writer, i, fault, always});
  }

  [[nodiscard]] bool commute(std::uint32_t a, std::uint32_t b) const {
    return a != kApplication && b != kApplication && desc_.ops[a].commute_group != DETENT_NONE &&
           desc_.ops[a].commute_group == desc_.ops[b].commute_group;
  }

  const detent_desc& desc_;
  const ValueTables* const tables_;
  const Order order_;
  Wants wants_;
  const Guards guards_;
  const Standings standings_;
  const std::uint32_t max_closed_ops_;
  const std::uint64_t max_decided_pairs_;
  const bool are_conflicts_ordered_;
  const std::uint32_t width_;
  FoundList found_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> failures_;  ///< reader, name, writer
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
    case FlowFault::kFailed:
      return subject_of(desc, violation) + ", also in a run in which that op fails";
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
