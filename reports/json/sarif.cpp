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

constexpr std::size_t kMaxMessageBytes = 8192;

Json text_json(const std::string& text) { return {{"text", short_name(text, kMaxMessageBytes)}}; }

/// "memory_plan" -> "MemoryPlan"
std::string rule_name(std::string_view property) {
  std::string name;
  bool begins = true;
  for (const char c : property) {
    if (c != '_') name += begins ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return name;
}

Json rule_json(const verify::PropertyText& property) {
  return {{"id", property.name},
          {"name", rule_name(property.name)},
          {"shortDescription", text_json(property.claim)},
          {"defaultConfiguration", {{"level", "error"}}}};
}

/// At the index that its number says.
Json rules_json() {
  Json rules = Json::array();
  for (const verify::PropertyText& property : verify::all_properties()) rules.push_back(rule_json(property));
  return rules;
}

Json logical_location(const ReportData& data, OpId op) {
  const std::string name = short_name(op_name(data.desc, op));
  return {{"name", name},
          {"fullyQualifiedName", short_name(data.model) + "/op" + std::to_string(op) + "/" + name},
          {"kind", "function"}};
}

Json location_json(const ReportData& data, const std::vector<std::uint32_t>& ops) {
  Json logical = Json::array();
  for (const OpId op : ops) logical.push_back(logical_location(data, op));
  const std::string model = short_name(data.model);
  if (ops.empty()) logical.push_back({{"name", model}, {"fullyQualifiedName", model}, {"kind", "module"}});
  return {{"logicalLocations", logical}};
}

Json flow_step(const ReportData& data, OpId op, std::uint64_t order, const char* importance) {
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
  for (const OpId op : view.prefix) {
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
};

Json result_json(const ResultSite& site, const std::string& text, const std::vector<std::uint32_t>& ops) {
  const bool is_violated = site.verdict.outcome == verify::Outcome::kViolated;
  return {{"ruleId", verify::property_name(site.verdict.property)},
          {"ruleIndex", static_cast<std::size_t>(site.verdict.property)},
          {"level", is_violated ? "error" : "warning"},
          {"message", text_json(text)},
          {"locations", Json::array({location_json(site.data, ops)})}};
}

void add_results(const ResultSite& site, Json& results) {
  const std::vector<verify::Witness>& witnesses = site.verdict.witnesses;
  if (witnesses.empty()) results.push_back(result_json(site, site.verdict.summary, {}));
  const bool may_race = site.verdict.property == verify::Property::kBufferRaces;
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
    results.push_back(
        result_json(site, rest + " of " + verify::property_name(site.verdict.property) + " in report.json", {}));
  }
}

}  // namespace

std::string sarif_findings(const ReportData& data) {
  Json results = Json::array();
  for (const verify::Verdict& verdict : data.verdicts) {
    if (verdict.outcome == verify::Outcome::kHolds) continue;
    add_results({data, verdict}, results);
  }
  const Json driver = {{"name", "detent"}, {"version", data.version}, {"rules", rules_json()}};
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
