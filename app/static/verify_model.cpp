#include "app/static/verify_model.hpp"

#include <optional>
#include <stdexcept>

#include "app/model/kernel_audit.hpp"
#include "app/static/static_checks.hpp"
#include "verify/runs/determinism.hpp"

namespace detent::app {
namespace {

void require_whole_fix(const RepairOptions& fix) {
  if ((fix.kind == RepairKind::kNone) == fix.file.empty()) return;
  throw std::invalid_argument(fix.file.empty() ? "--fix: where does the mended model go? add -o FILE"
                                               : "-o: what is to be written? add --fix edges or --fix places");
}

}  // namespace

Answer verify_model(VerifyRequest options, const OnProgress& on_progress, const OnStep& on_step) {
  require_whole_fix(options.fix);
  Lines lines;
  options.model.weights = false;
  options.model.guards = ModelOptions::Guards::kKept;
  const std::optional<Fingerprints> baseline = baseline_of(options.ci);
  begin_step(on_step, "makes the model");
  const LoadedModel loaded = load(options.request.model, options.model);
  StaticAnswer result = check_static_laws(loaded.desc(), &loaded.values, on_step);
  if (result.races) result.verdicts.push_back(verify::judge_determinism(loaded.desc(), *result.races));

  lines = write_smt_files(loaded.desc(), &loaded.values, result, options.smt, options.request);
  std::optional<SmtAnswer> proved;
  if (options.smt.smt) {
    proved = prove_by_smt(loaded.desc(), &loaded.values, result, options.smt, on_progress);
    result.verdicts.insert(result.verdicts.end(), proved->verdicts.begin(), proved->verdicts.end());
  }

  add_ground(result.verdicts, footprint_ground(loaded, nullptr), nullptr);
  if (has_c_functions(loaded.model)) add_unaudited_functions(result.verdicts, "detent check audits them");
  add_unknown_footprints(result.verdicts, loaded.model);
  add_assumed_bytes(result.verdicts, assumed_of_functions(loaded, nullptr));
  Json answer = json_header("verify", options.request);
  answer["ops"] = loaded.desc().op_count;
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  answer["verdicts"] = verdicts_json(result.verdicts);
  answer["races"] = Json::array();
  if (result.races) {
    answer["races"] = races_json(loaded.desc(), result.races->races.listed);
    answer["race_count"] = result.races->races.count;
    answer["racing_pairs"] = result.races->races.pairs;
    answer["order_dependent"] = races_json(loaded.desc(), result.races->order_dependent.listed);
    answer["unordered_pairs"] = count_json(result.races->unordered_pairs);
    answer["conflicting_pairs"] = count_json(result.races->conflicting_pairs);
    if (!result.races->unordered_pairs) answer["not_counted"] = verify::describe_counts(*result.races);
  }
  answer["value_violations"] = Json::array();
  if (result.flow) {
    answer["value_violations"] = violations_json(loaded.desc(), result.flow->listed);
    answer["value_violation_count"] = result.flow->count;
  }
  if (proved) {
    answer["smt"] = proved->json;
    if (!options.request.reproducible) answer["host"] = {{"smt_seconds", proved->seconds}};
  }
  append(lines, verdict_lines(result.verdicts));
  if (!loaded.settings.empty()) lines.push_back(loaded.settings);
  Answer all{std::move(answer), std::move(lines), outcome_of(result.verdicts)};
  if (options.fix.kind == RepairKind::kNone) {
    const Remedy remedy = find_remedy(loaded, result, options.request, options.model);
    if (!remedy.json.is_null()) all.json["remedy"] = remedy.json;
    append(all.lines, remedy.lines);
    add_ci_outputs(options.ci, baseline, options.request, loaded, result.verdicts, all);
  } else {
    RepairAnswer repaired = repair_model(loaded, options.fix, options.request);
    all.json["fix"] = std::move(repaired.json);
    append(all.lines, std::move(repaired.lines));
    add_ci_outputs(options.ci, baseline, options.request, loaded, result.verdicts, all);
    all.outcome = repaired.is_written ? verify::Outcome::kHolds : verify::Outcome::kViolated;
    if (repaired.is_written && has_unknown_footprint(loaded.model)) {
      all.outcome = verify::Outcome::kUnknown;
      all.lines.push_back("  of ops that may touch other bytes than the graph lists nothing is proved");
    }
  }
  return all;
}

}  // namespace detent::app
