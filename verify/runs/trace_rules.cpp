// Trace -> Verdict "trace_rules". Reads the Desc's own edges; knows nothing of the engine.
#include "verify/runs/trace_rules.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

using harness::Span;

std::string when(const Span& span) {
  return "[" + std::to_string(span.begin_ps) + ", " + std::to_string(span.end_ps) + "] ps";
}

class TraceChecker {
 public:
  TraceChecker(const detent_desc& desc, const harness::Trace& trace, std::uint32_t slot_count,
               std::uint64_t makespan_ps)
      : desc_(desc), trace_(trace), slot_count_(slot_count), makespan_ps_(makespan_ps) {}

  Verdict check() {
    collect_spans();
    check_edges();
    check_slots();
    check_mutexes();
    Verdict verdict{Property::kTraceRules, Outcome::kHolds, "", std::move(witnesses_), total_};
    verdict.summary = counted(trace_.spans.size(), "span") + " of " + counted(desc_.op_count, "op") + ": ";
    if (total_ > 0) {
      verdict.outcome = Outcome::kViolated;
      verdict.summary += counted(total_, "rule") + " broken";
    } else if (trace_.dropped > 0) {
      verdict.outcome = Outcome::kUnknown;
      verdict.summary += "incomplete, " + counted(trace_.dropped, "log record") +
                         (trace_.dropped == 1 ? " was" : " were") + " dropped";
    } else {
      verdict.summary += "each op once, after its predecessors, alone on its slot";
    }
    return verdict;
  }

 private:
  void fail(const std::string& text, std::vector<std::uint32_t> ops) {
    ++total_;
    if (witnesses_.size() < kListedWitnesses) witnesses_.push_back({text, std::move(ops), {}});
  }

  void collect_spans() {
    span_of_.assign(desc_.op_count, nullptr);
    for (const Span& span : trace_.spans) {
      if (span.op >= desc_.op_count) {
        fail("a span of " + op_name(desc_, span.op) + ", which does not exist", {});
        continue;
      }
      if (span_of_[span.op] != nullptr) fail(op_name(desc_, span.op) + " ran more than once", {span.op});
      span_of_[span.op] = &span;
      if (span.end_ps < span.begin_ps || span.end_ps > makespan_ps_) {
        fail(op_name(desc_, span.op) + " ran in " + when(span) + ", outside the run of " +
                 std::to_string(makespan_ps_) + " ps",
             {span.op});
      }
    }
    if (trace_.dropped > 0) return;
    for (OpId op = 0; op < desc_.op_count; ++op) {
      if (span_of_[op] == nullptr) fail(op_name(desc_, op) + " did not run", {op});
    }
  }

  void check_edges() {
    for (OpId op = 0; op < desc_.op_count; ++op) {
      const detent_slice& slice = desc_.ops[op].successors;
      for (std::uint32_t k = 0; k < slice.count; ++k) {
        const std::uint32_t next = desc_.successors[slice.first + k];
        if (span_of_[op] == nullptr || span_of_[next] == nullptr) continue;
        if (span_of_[next]->begin_ps >= span_of_[op]->end_ps) continue;
        fail(op_name(desc_, next) + " began at " + std::to_string(span_of_[next]->begin_ps) +
                 " ps, before its predecessor " + op_name(desc_, op) + " ended at " +
                 std::to_string(span_of_[op]->end_ps) + " ps",
             {op, next});
      }
    }
  }

  [[nodiscard]] bool runs_on_a_slot(const Span& span) const {
    const std::uint32_t core_class = desc_.ops[span.op].core_class;
    return core_class >= desc_.class_count || desc_.classes[core_class].kind != DETENT_CLASS_ASYNC;
  }

  void check_slots() {
    std::vector<std::vector<const Span*>> by_slot(slot_count_);
    for (const Span& span : trace_.spans) {
      if (span.op >= desc_.op_count || !runs_on_a_slot(span)) continue;
      if (span.slot < slot_count_) {
        by_slot[span.slot].push_back(&span);
      } else {
        fail(op_name(desc_, span.op) + " ran on slot " + std::to_string(span.slot) + " of " +
                 std::to_string(slot_count_),
             {span.op});
      }
    }
    for (SlotId slot = 0; slot < slot_count_; ++slot) {
      check_disjoint(by_slot[slot], "slot " + std::to_string(slot));
    }
  }

  void check_mutexes() {
    std::vector<std::vector<const Span*>> holders(desc_.mutex_count);
    for (OpId op = 0; op < desc_.op_count; ++op) {
      const detent_slice& slice = desc_.ops[op].mutexes;
      for (std::uint32_t k = 0; k < slice.count && span_of_[op] != nullptr; ++k) {
        holders[desc_.mutex_refs[slice.first + k]].push_back(span_of_[op]);
      }
    }
    for (std::uint32_t mutex = 0; mutex < desc_.mutex_count; ++mutex) {
      const char* name = desc_.mutex_names != nullptr ? desc_.mutex_names[mutex] : nullptr;
      check_disjoint(holders[mutex], "mutex " + (name != nullptr ? std::string(name) : std::to_string(mutex)));
    }
  }

  /// Neighbours by begin overlap if any two do. Zero-length spans overlap nothing but a span around them.
  void check_disjoint(std::vector<const Span*>& spans, const std::string& place) {
    std::sort(spans.begin(), spans.end(), [](const Span* x, const Span* y) {
      return x->begin_ps != y->begin_ps ? x->begin_ps < y->begin_ps : x->end_ps < y->end_ps;
    });
    const Span* latest = nullptr;
    for (const Span* span : spans) {
      if (span == latest) continue;  // an op may list a mutex twice
      if (latest != nullptr && span->begin_ps < latest->end_ps) {
        fail(op_name(desc_, latest->op) + " in " + when(*latest) + " and " + op_name(desc_, span->op) + " in " +
                 when(*span) + " overlap on " + place,
             {latest->op, span->op});
      }
      if (latest == nullptr || span->end_ps > latest->end_ps) latest = span;
    }
  }

  const detent_desc& desc_;
  const harness::Trace& trace_;
  const std::uint32_t slot_count_;
  const std::uint64_t makespan_ps_;
  std::vector<const Span*> span_of_;
  std::vector<Witness> witnesses_;
  std::uint64_t total_ = 0;
};

}  // namespace

Verdict check_trace(const detent_desc& desc, const harness::Trace& trace, std::uint32_t slot_count,
                    std::uint64_t makespan_ps) {
  return TraceChecker(desc, trace, slot_count, makespan_ps).check();
}

}  // namespace detent::verify
