// Coverage of code as JSON.
#include "reports/json/code_json.hpp"

namespace detent::reports {
namespace {

Json count_json(const CoveredCount& count) { return {{"covered", count.covered}, {"total", count.total}}; }

void add_counts(const FileCoverage& file, Json& out) {
  out["lines"] = count_json(file.lines);
  out["branches"] = count_json(file.branches);
  out["functions"] = count_json(file.functions);
}

Json file_json_of(const FileCoverage& file) {
  Json out = {{"name", file.name}};
  add_counts(file, out);
  out["uncovered"] = Json::array();
  for (const UncoveredFunction& function : file.uncovered) {
    out["uncovered"].push_back({{"function", function.name}, {"line", function.line}});
  }
  return out;
}

}  // namespace

Json code_json(const CodeCoverage& code) {
  Json out = Json::object();
  add_counts(code.total(), out);
  out["files"] = Json::array();
  for (const FileCoverage& file : code.files) out["files"].push_back(file_json_of(file));
  out["native_runs"] = code.native_runs;
  out["schedules"] = code.schedules;
  out["note"] = code.note;
  return out;
}

}  // namespace detent::reports
