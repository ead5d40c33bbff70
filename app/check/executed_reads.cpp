#include "app/check/executed_reads.hpp"

#include <vector>

#include "base/counted.hpp"
#include "verify/runs/trace_rules.hpp"
#include "verify/verdict/findings.hpp"

namespace detent::app {
namespace {

/// A trace that breaks a rule is judged by that rule.
void follow_trace(const detent_desc& desc, const harness::Run& run, verify::ReadCheck& check, verify::ReadRuns& reads) {
  const verify::Verdict rules = verify::check_trace(desc, run.trace, DETENT_MAX_WORKERS + 1, run.makespan_ps);
  if (rules.outcome != verify::Outcome::kHolds) return;
  ++reads.runs;
  const std::optional<verify::MissedRead> missed = verify::check_reads(desc, check, run.trace);
  if (!missed) return;
  ++reads.missing;
  if (!reads.first) reads.first = missed;
}

}  // namespace

void add_executed_reads(const LoadedModel& loaded, const CheckResult& result, const verify::ReadRuns& explored,
                        verify::Verdict& value_flow) {
  const detent_desc& desc = loaded.desc();
  verify::ReadCheck check(desc, &loaded.values);
  if (check.reads() == 0) return;
  verify::ReadRuns simulated, native;
  if (result.simulated && !result.simulated->failure) {
    follow_trace(desc, result.simulated->worst, check, simulated);
    follow_trace(desc, result.simulated->typical, check, simulated);
  }
  // Where reads may miss their value, native runs do so now and then: equal inputs would not give equal answers.
  const bool is_proved = value_flow.outcome == verify::Outcome::kHolds;
  if (result.native && is_proved) follow_trace(desc, *result.native, check, native);
  verify::ReadRuns all = explored;
  all.reads = check.reads();
  for (const verify::ReadRuns* part : {&simulated, &native}) {
    all.runs += part->runs;
    all.missing += part->missing;
    if (!all.first) all.first = part->first;
  }
  if (all.runs == 0) return;
  value_flow.summary += "; followed in " + std::to_string(explored.runs) + " explored, " +
                        std::to_string(simulated.runs) + " simulated and " + counted(native.runs, "native run");
  if (all.missing == 0) return;
  value_flow.summary += ", in " + std::to_string(all.missing) + " of which a read finds other bytes";
  if (!is_proved) return;
  const verify::Verdict executed = verify::judge_read_runs(desc, all);
  value_flow.total = verify::finding_count(value_flow) + verify::finding_count(executed);
  value_flow.outcome = verify::Outcome::kViolated;
  value_flow.witnesses.insert(value_flow.witnesses.end(), executed.witnesses.begin(), executed.witnesses.end());
}

}  // namespace detent::app
