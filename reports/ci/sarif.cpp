// findings.sarif: verdicts that do not hold -> SARIF 2.1.0, the witness schedule as a code flow.
#include <algorithm>
#include <array>

#include "reports/ci/findings.hpp"
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
          {"shortDescription", text_json(property.title)},
          {"fullDescription", text_json(property.claim)},
          {"help", text_json(property.help)},
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

/// A path as a URI reference: what RFC 3986 reserves is percent-encoded; absolute ones are file URIs.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&()*+,;=@";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          kPlain.find(c) != std::string_view::npos;
    if (is_plain) {
      uri += c;
    } else {
      uri += '%';
      uri += "0123456789ABCDEF"[byte >> 4U];
      uri += "0123456789ABCDEF"[byte & 15U];
    }
  }
  return uri;
}

/// Hosts refuse a file with a result that stands nowhere, so what has no line of its own stands in line 1.
Json physical_location(const ReportData& data, const std::vector<std::uint32_t>& ops) {
  SourcePlace place;
  if (!ops.empty() && ops.front() < data.places.ops.size()) place = data.places.ops[ops.front()];
  std::string file = data.model.empty() ? "model" : data.model;
  if (place.file < data.places.files.size()) file = data.places.files[place.file];
  return {{"artifactLocation", {{"uri", uri_of(file)}}}, {"region", {{"startLine", place.line}}}};
}

Json location_json(const ReportData& data, const std::vector<std::uint32_t>& ops) {
  Json logical = Json::array();
  for (const OpId op : ops) logical.push_back(logical_location(data, op));
  const std::string model = short_name(data.model);
  if (ops.empty()) logical.push_back({{"name", model}, {"fullyQualifiedName", model}, {"kind", "module"}});
  return {{"physicalLocation", physical_location(data, ops)}, {"logicalLocations", logical}};
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

/// Of the ops beside the first one.
Json related_locations(const ReportData& data, const std::vector<std::uint32_t>& ops) {
  Json related = Json::array();
  for (std::size_t i = 1; i < ops.size(); ++i) {
    Json location = location_json(data, {ops[i]});
    location["message"] = text_json("op " + std::to_string(ops[i]) + " " + short_name(op_name(data.desc, ops[i])));
    related.push_back(std::move(location));
  }
  return related;
}

Json result_json(const ReportData& data, const Finding& finding) {
  const std::vector<std::uint32_t> ops =
      finding.witness == nullptr ? std::vector<std::uint32_t>{} : finding.witness->ops;
  Json result = {{"ruleId", verify::property_name(finding.property)},
                 {"ruleIndex", static_cast<std::size_t>(finding.property)},
                 {"level", finding.outcome == verify::Outcome::kViolated ? "error" : "warning"},
                 {"message", text_json(finding.text)},
                 {"locations", Json::array({location_json(data, ops)})},
                 {"partialFingerprints", {{"detentFinding/v1", finding.fingerprint}}}};
  if (ops.size() > 1) result["relatedLocations"] = related_locations(data, ops);
  if (data.known) result["baselineState"] = data.known->contains(finding.fingerprint) ? "unchanged" : "new";
  return result;
}

void add_results(const ReportData& data, const std::vector<Finding>& findings, Json& results) {
  std::size_t of_verdict = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (i != 0 && findings[i - 1].property != finding.property) of_verdict = 0;
    if (finding.witness != nullptr && ++of_verdict > kMaxResultsPerVerdict) continue;
    Json result = result_json(data, finding);
    const bool has_schedule = finding.witness != nullptr && !finding.witness->schedule.empty();
    const bool may_race = finding.property == verify::Property::kBufferRaces;
    if (has_schedule && of_verdict <= kMaxFlowsPerVerdict) {
      result["codeFlows"] = Json::array({code_flow(data, *finding.witness, may_race)});
    }
    results.push_back(std::move(result));
  }
}

}  // namespace

std::string sarif_findings(const ReportData& data) {
  Json results = Json::array();
  add_results(data, findings_of(data.verdicts), results);
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
