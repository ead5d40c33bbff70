// findings.sarif: verdicts that do not hold -> SARIF 2.1.0, the witness schedule as a code flow.
#include <algorithm>
#include <array>

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/schedule.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kMaxResultsPerVerdict = 1000;
constexpr std::size_t kMaxFlowsPerVerdict = 20;  // a flow repeats the whole schedule
constexpr std::size_t kMaxFlowSteps = 2000;

struct Rule {
  const char* id;
  const char* name;
  const char* text;
};

/// The properties that verify/ reports, in the order in which SARIF lists them.
constexpr std::array<Rule, 11> kRules = {{
    {"structure", "Structure", "The tables of the network describe one runnable graph."},
    {"memory_plan", "MemoryPlan",
     "Every tensor lies inside its region, and on no schedule do two that live at once share a byte."},
    {"buffer_races", "BufferRaces", "No two unordered ops touch the same bytes when one of them writes."},
    {"access_audit", "AccessAudit", "Kernels touch the bytes that their ops declare, and no others."},
    {"determinism", "Determinism", "The output is the same bits on every schedule."},
    {"trace_rules", "TraceRules", "Every op runs once, after its predecessors, and nothing overlaps on one core."},
    {"bound", "Bound", "No simulated run takes longer than the analytic bound."},
    {"responses", "Responses", "No op ends before its earliest or after its latest completion in a simulated run."},
    {"op_schedules", "OpSchedules", "Every order of conflicting ops gives the same bytes."},
    {"engine_schedules", "EngineSchedules", "The engine keeps its laws on every schedule of its threads."},
    {"cover_goals", "CoverGoals", "Every cover goal that the evidence rests on has happened at least once."},
}};

constexpr std::size_t kMaxMessageBytes = 8192;

Json text_json(const std::string& text) { return {{"text", short_name(text, kMaxMessageBytes)}}; }

Json rule_json(const std::string& id, const std::string& name, const std::string& text) {
  return {{"id", id},
          {"name", name},
          {"shortDescription", text_json(text)},
          {"defaultConfiguration", {{"level", "error"}}}};
}

/// Known properties first; one that the table does not know gets a rule of its own.
Json rules_json(const ReportData& data, std::vector<std::string>& ids) {
  Json rules = Json::array();
  for (const Rule& rule : kRules) {
    rules.push_back(rule_json(rule.id, rule.name, rule.text));
    ids.emplace_back(rule.id);
  }
  for (const verify::Verdict& verdict : data.verdicts) {
    if (std::find(ids.begin(), ids.end(), verdict.property) != ids.end()) continue;
    rules.push_back(rule_json(verdict.property, verdict.property, "Property " + verdict.property + "."));
    ids.push_back(verdict.property);
  }
  return rules;
}

Json logical_location(const ReportData& data, std::uint32_t op) {
  const std::string name = short_name(op_name(data.desc, op));
  return {{"name", name},
          {"fullyQualifiedName", short_name(data.model) + "/op" + std::to_string(op) + "/" + name},
          {"kind", "function"}};
}

Json location_json(const ReportData& data, const std::vector<std::uint32_t>& ops) {
  Json logical = Json::array();
  for (const std::uint32_t op : ops) logical.push_back(logical_location(data, op));
  const std::string model = short_name(data.model);
  if (ops.empty()) logical.push_back({{"name", model}, {"fullyQualifiedName", model}, {"kind", "module"}});
  return {{"logicalLocations", logical}};
}

Json flow_step(const ReportData& data, std::uint32_t op, std::uint64_t order, const char* importance) {
  Json location = location_json(data, {op});
  location["message"] = text_json("op " + std::to_string(op) + " " + short_name(op_name(data.desc, op)));
  return {{"location", location}, {"executionOrder", order}, {"importance", importance}};
}

Json thread_flow(const std::string& id, Json steps) { return {{"id", id}, {"locations", std::move(steps)}}; }

/// A racing pair is two threads whose last steps carry one executionOrder: SARIF's way to say "at the same time".
/// Any other witness is one thread.
Json code_flow(const ReportData& data, const verify::Witness& witness, bool may_race) {
  const ScheduleView view = view_schedule(witness, may_race, kMaxFlowSteps);
  const std::vector<std::uint32_t>& ops = witness.ops;
  Json first = Json::array();
  std::uint64_t order = view.cut + 1;
  for (const std::uint32_t op : view.prefix) {
    const bool is_concerned = std::find(ops.begin(), ops.end(), op) != ops.end();
    first.push_back(flow_step(data, op, order++, is_concerned ? "essential" : "unimportant"));
  }
  Json flows = Json::array();
  if (view.is_race) {
    first.push_back(flow_step(data, ops[0], order, "essential"));
    flows.push_back(thread_flow("worker 0", first));
    flows.push_back(thread_flow("worker 1", Json::array({flow_step(data, ops[1], order, "essential")})));
  } else {
    flows.push_back(thread_flow("schedule", first));
  }
  return {{"message", text_json("A schedule that shows it")}, {"threadFlows", flows}};
}

struct ResultSite {
  const ReportData& data;
  const verify::Verdict& verdict;
  std::size_t rule_index;
};

Json result_json(const ResultSite& site, const std::string& text, const std::vector<std::uint32_t>& ops) {
  const bool is_violated = site.verdict.outcome == verify::Outcome::kViolated;
  return {{"ruleId", site.verdict.property},
          {"ruleIndex", site.rule_index},
          {"level", is_violated ? "error" : "warning"},
          {"message", text_json(text)},
          {"locations", Json::array({location_json(site.data, ops)})}};
}

void add_results(const ResultSite& site, Json& results) {
  const std::vector<verify::Witness>& witnesses = site.verdict.witnesses;
  if (witnesses.empty()) results.push_back(result_json(site, site.verdict.summary, {}));
  const bool may_race = site.verdict.property == "buffer_races";
  const std::size_t shown = std::min(witnesses.size(), kMaxResultsPerVerdict);
  for (std::size_t i = 0; i < shown; ++i) {
    const verify::Witness& witness = witnesses[i];
    Json result = result_json(site, witness.text.empty() ? site.verdict.summary : witness.text, witness.ops);
    if (!witness.schedule.empty() && i < kMaxFlowsPerVerdict)
      result["codeFlows"] = Json::array({code_flow(site.data, witness, may_race)});
    results.push_back(result);
  }
  if (shown < witnesses.size()) {
    const std::string rest = count_of(witnesses.size() - shown, "further witness");
    results.push_back(result_json(site, rest + " of " + site.verdict.property + " in report.json", {}));
  }
}

}  // namespace

std::string sarif_findings(const ReportData& data) {
  std::vector<std::string> rule_ids;
  const Json rules = rules_json(data, rule_ids);
  Json results = Json::array();
  for (const verify::Verdict& verdict : data.verdicts) {
    if (verdict.outcome == verify::Outcome::kHolds) continue;
    const auto at = std::find(rule_ids.begin(), rule_ids.end(), verdict.property);
    add_results({data, verdict, static_cast<std::size_t>(at - rule_ids.begin())}, results);
  }
  const Json driver = {{"name", "detent"}, {"version", data.version}, {"rules", rules}};
  const Json run = {
      {"tool", {{"driver", driver}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", results},
      {"properties",
       {{"model", short_name(data.model)}, {"platform", short_name(data.platform)}, {"seed", data.seed}}}};
  return file_json({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}});
}

}  // namespace detent::reports
