// Z3's verdicts, the comparison with L0, and SMT-LIB files.
#include "app/static/smt_checks.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "app/version.hpp"
#include "base/io.hpp"
#include "verify/smt/agreement.hpp"
#include "verify/smt/flow_proof.hpp"
#include "verify/smt/plan/query.hpp"
#include "verify/smt/race_query.hpp"
#include "verify/smt/solver/smtlib.hpp"

namespace detent::app {
namespace {

namespace smt = verify::smt;

constexpr std::size_t kMaxRaces = 10'000;

Json proved_races_json(const detent_desc& desc, const std::vector<smt::ProvedRace>& races) {
  Json list = Json::array();
  for (const smt::ProvedRace& race : races) {
    list.push_back({{"op_a", race.op_a},
                    {"op_b", race.op_b},
                    {"kind", smt::race_kind_name(race.kind)},
                    {"region", desc.regions[race.region].name},
                    {"byte", race.byte},
                    {"name_a", op_name(desc, race.op_a)},
                    {"name_b", op_name(desc, race.op_b)}});
  }
  return list;
}

Json proved_violations_json(const std::vector<smt::ProvedViolation>& violations) {
  const auto id = [](std::uint32_t op) { return op == DETENT_NONE ? Json(-1) : Json(op); };
  Json list = Json::array();
  for (const smt::ProvedViolation& violation : violations) {
    list.push_back(
        {{"reader", id(violation.reader)}, {"values", violation.values}, {"in_the_way", id(violation.in_the_way)}});
  }
  return list;
}

std::size_t count_pairs(const std::vector<smt::ProvedRace>& races) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const smt::ProvedRace& race : races) pairs.emplace(race.op_a, race.op_b);
  return pairs.size();
}

Json cost_json(const smt::ProofCost& cost, bool complete) {
  return {{"complete", complete}, {"questions", cost.questions}, {"steps", cost.steps}};
}

smt::Status status_of(verify::Outcome outcome) {
  switch (outcome) {
    case verify::Outcome::kHolds:
      return smt::Status::kUnsat;
    case verify::Outcome::kViolated:
      return smt::Status::kSat;
    case verify::Outcome::kUnknown:
      break;
  }
  return smt::Status::kUnknown;
}

std::vector<std::string> source_lines(const Request& request, const std::string& claim) {
  return {fmt::format("detent {}, model {}", kVersion, request.model), claim,
          "unsat proves that it never does; a model is a counterexample"};
}

}  // namespace

SmtAnswer prove_by_smt(const detent_desc& desc, const ValueTables* values, const StaticAnswer& known,
                       const SmtOptions& options, const OnProgress& on_progress) {
  smt::Limits limits;
  limits.seconds = options.limit_seconds;
  limits.steps = options.limit_steps;
  SmtAnswer answer;
  const smt::PlanProof plan = smt::prove_memory_plan(desc, limits);
  answer.seconds = plan.cost.seconds;
  answer.verdicts.push_back(smt::judge_plan_proof(desc, plan));
  answer.json = {{"solver", smt::Solver::version()}, {"memory_plan", cost_json(plan.cost, plan.complete)}};
  const auto spend = [&](const smt::ProofCost& cost) {
    limits.spent_seconds += cost.seconds;
    limits.spent_steps += cost.steps;
  };
  std::optional<smt::RaceProof> races;
  spend(plan.cost);
  if (known.races) {
    races = smt::prove_races(desc, values, {.limits = limits, .max_races = kMaxRaces, .progress = on_progress});
    answer.seconds += races->cost.seconds;
    answer.verdicts.push_back(smt::judge_race_proof(desc, *races));
    answer.json["buffer_races"] = cost_json(races->cost, races->complete);
    answer.json["races"] = proved_races_json(desc, races->races);
    answer.json["racing_pairs"] = count_pairs(races->races);
    spend(races->cost);
  }
  std::optional<smt::FlowProof> flow;
  if (known.flow) {
    flow = smt::prove_value_flow(desc, values, {.limits = limits, .progress = on_progress});
    answer.seconds += flow->cost.seconds;
    answer.verdicts.push_back(smt::judge_flow_proof(*flow));
    answer.json["value_flow"] = cost_json(flow->cost, flow->complete);
    answer.json["value_violations"] = proved_violations_json(flow->violations);
  }
  answer.verdicts.push_back(smt::compare_checkers(desc, known.verdicts.at(1), plan,
                                                  {.races = known.races ? &*known.races : nullptr,
                                                   .race_proof = races ? &*races : nullptr,
                                                   .flow = known.flow ? &*known.flow : nullptr,
                                                   .flow_proof = flow ? &*flow : nullptr}));
  answer.json["agrees"] = answer.verdicts.back().outcome != verify::Outcome::kViolated;
  return answer;
}

Lines write_smt_files(const detent_desc& desc, const ValueTables* values, const StaticAnswer& known,
                      const SmtOptions& options, const Request& request) {
  Lines lines;
  if (!options.plan_file.empty()) {
    const smt::PlanQuery query = smt::encode_plan(desc);
    const auto source = source_lines(request, "claim: the memory plan breaks a law");
    write_file_atomically(options.plan_file, smt::format_smtlib(query.script, query.claim,
                                                                status_of(known.verdicts.at(1).outcome), source));
    lines.push_back("memory plan as SMT-LIB: " + options.plan_file);
  }
  if (options.races_file.empty()) return lines;
  if (!known.races) {
    lines.push_back(options.races_file + ": not written, the structure or the memory plan is violated");
    return lines;
  }
  const smt::RaceQuery query = smt::encode_races(desc, values);
  const auto source =
      source_lines(request, "claim: a schedule lets two ops touch a byte at once that one of them writes");
  write_file_atomically(options.races_file,
                        smt::format_smtlib(query.script, query.claim, status_of(known.verdicts.at(2).outcome), source));
  lines.push_back("buffer races as SMT-LIB: " + options.races_file);
  return lines;
}

}  // namespace detent::app
