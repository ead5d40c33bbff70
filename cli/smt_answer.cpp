// Z3's verdicts, the comparison with L0, and SMT-LIB files.
#include "cli/smt_answer.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>
#include <utility>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "app/version.hpp"
#include "base/io.hpp"
#include "verify/smt/agreement.hpp"
#include "verify/smt/plan_query.hpp"
#include "verify/smt/race_query.hpp"
#include "verify/smt/smtlib.hpp"

namespace detent::cli {
namespace {

namespace smt = verify::smt;

constexpr double kMaxLimitSeconds = 1e6;

Json proved_races_json(const detent_desc& desc, const std::vector<smt::ProvedRace>& races) {
  Json list = Json::array();
  for (const smt::ProvedRace& race : races) {
    list.push_back({{"op_a", race.op_a},
                    {"op_b", race.op_b},
                    {"kind", smt::race_kind_name(race.kind)},
                    {"region", desc.regions[race.region].name},
                    {"byte", race.byte},
                    {"name_a", app::op_name(desc, race.op_a)},
                    {"name_b", app::op_name(desc, race.op_b)}});
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

smt::RaceProof prove_races_with_progress(const detent_desc& desc, const smt::Limits& limits, const Common& common) {
  Progress progress(common, "accesses proved");
  return smt::prove_races(
      desc, {.limits = limits, .max_races = 10'000, .progress = [&](std::uint64_t done, std::uint64_t total) {
               progress.update(done, total);
             }});
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

std::vector<std::string> source_lines(const Common& common, const std::string& claim) {
  return {fmt::format("detent {}, model {}", app::kVersion, common.model), claim,
          "unsat proves that it never does; a model is a counterexample"};
}

}  // namespace

void add_smt_options(CLI::App& command, SmtOptions& options) {
  command.add_flag("--smt", options.smt, "Prove races and memory plan by Z3 too, and compare");
  command.add_option("--smt-limit", options.limit_seconds, "Seconds that the proofs may take in all; then: unknown")
      ->check(CLI::Range(0.001, kMaxLimitSeconds))
      ->capture_default_str();
  command.add_option("--smt-steps", options.limit_steps,
                     "Terms and solver steps that the proofs may take: the same answer on any machine");
  command.add_option("--smt2", options.races_file, "Write the claim of a race as SMT-LIB 2.6 for another solver");
  command.add_option("--smt2-plan", options.plan_file, "Write the claim of a broken memory plan as SMT-LIB 2.6");
}

SmtAnswer prove_by_smt(const detent_desc& desc, const StaticAnswer& known, const SmtOptions& options,
                       const Common& common) {
  smt::Limits limits;
  limits.seconds = options.limit_seconds;
  limits.steps = options.limit_steps;
  SmtAnswer answer;
  const smt::PlanProof plan = smt::prove_memory_plan(desc, limits);
  answer.seconds = plan.cost.seconds;
  answer.verdicts.push_back(smt::judge_plan_proof(desc, plan));
  answer.json = {{"solver", smt::Solver::version()}, {"memory_plan", cost_json(plan.cost, plan.complete)}};
  std::optional<smt::RaceProof> races;
  if (known.races) {
    limits.spent_seconds = plan.cost.seconds;
    limits.spent_steps = plan.cost.steps;
    races = prove_races_with_progress(desc, limits, common);
    answer.seconds += races->cost.seconds;
    answer.verdicts.push_back(smt::judge_race_proof(desc, *races));
    answer.json["buffer_races"] = cost_json(races->cost, races->complete);
    answer.json["races"] = proved_races_json(desc, races->races);
    answer.json["racing_pairs"] = count_pairs(races->races);
  }
  answer.verdicts.push_back(smt::compare_checkers(desc, known.verdicts.at(1), plan,
                                                  known.races ? &*known.races : nullptr, races ? &*races : nullptr));
  answer.json["agrees"] = answer.verdicts.back().outcome != verify::Outcome::kViolated;
  return answer;
}

void write_smt_files(const detent_desc& desc, const StaticAnswer& known, const SmtOptions& options,
                     const Common& common) {
  if (!options.plan_file.empty()) {
    const smt::PlanQuery query = smt::encode_plan(desc);
    const auto source = source_lines(common, "claim: the memory plan breaks a law");
    write_file_atomically(options.plan_file, smt::format_smtlib(query.script, query.claim,
                                                                status_of(known.verdicts.at(1).outcome), source));
    say(common, "memory plan as SMT-LIB: " + options.plan_file);
  }
  if (options.races_file.empty()) return;
  if (!known.races) {
    say(common, options.races_file + ": not written, the structure or the memory plan is violated");
    return;
  }
  const smt::RaceQuery query = smt::encode_races(desc);
  const auto source =
      source_lines(common, "claim: a schedule lets two ops touch a byte at once that one of them writes");
  write_file_atomically(options.races_file,
                        smt::format_smtlib(query.script, query.claim, status_of(known.verdicts.at(2).outcome), source));
  say(common, "buffer races as SMT-LIB: " + options.races_file);
}

}  // namespace detent::cli
