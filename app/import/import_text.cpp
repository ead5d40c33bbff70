// An import for people.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/import/import_tvm.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "harness/run.hpp"
#include "models/lower/lower.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;

constexpr std::size_t kRacesShown = 5;
constexpr std::size_t kOpinionsShown = 5;

/// The first races of calls that are ordered by the names of their tensors alone, in the words of detent verify.
void add_races(const ImportedTvm& it, Lines& lines) {
  if (it.import.hazards.racing_pairs == 0) return;
  const models::Model by_names = tvm::imported_model(it.import, {.hazard_edges = false});
  const models::LoweredModel lowered = models::lower(by_names, {.weights = false});
  const verify::RaceReport found = verify::find_races(lowered.desc(), {.max_listed = kRacesShown});
  std::set<std::pair<std::uint32_t, std::uint32_t>> shown;
  for (const verify::Race& race : found.races.listed) {
    lines.push_back("    " + verify::describe_race(lowered.desc(), race));
    shown.insert({race.op_a, race.op_b});
  }
  if (it.import.hazards.racing_pairs > shown.size()) {
    lines.push_back(fmt::format("    and {} more; --json FILE lists them",
                                counted(it.import.hazards.racing_pairs - shown.size(), "racing pair")));
  }
}

void add_parallelism(const ImportedTvm& it, Lines& lines) {
  const Json all = import_parallelism(it);
  for (const char* key : {"names", "hazards", "replanned"}) {
    if (!all.contains(key)) continue;
    const Json& p = all[key];
    const double work = p["work"].get<double>();
    const double path = std::max(1.0, p["critical_path"].get<double>());
    lines.push_back(fmt::format("parallelism          {:<10} width {}, depth {}, work / critical path {:.2f} (by {}){}",
                                key, p["width"].get<std::uint64_t>(), p["depth"].get<std::uint64_t>(), work / path,
                                it.costs.empty() ? "flops" : "measured times",
                                std::string(key) == "names" && it.import.hazards.racing_pairs > 0 ? "  RACY" : ""));
  }
}

std::string against_tvm(const ImportedTvm& it, std::uint64_t bytes) {
  const auto tvm_bytes = static_cast<double>(std::max<std::uint64_t>(it.replan->tvm_arena_bytes, 1));
  return fmt::format("{} ({:+.1f} %)", format_bytes(bytes), 100.0 * (static_cast<double>(bytes) / tvm_bytes - 1.0));
}

void add_replan(const ImportedTvm& it, Lines& lines) {
  lines.push_back(fmt::format("arena                TVM {}, re-planned {}, lower bound of all plans {}",
                              format_bytes(it.replan->tvm_arena_bytes), against_tvm(it, it.replan->plan().arena_bytes),
                              format_bytes(it.replan->lower_bound_bytes)));
  lines.push_back(fmt::format("    {} local (at most {} on a stack), {} moved; ops in place: {}",
                              counted(it.replan->local_buffers, "scratch buffer"), format_bytes(it.replan->stack_bytes),
                              it.replan->moved_buffers, it.replan->shared_in_place));
  for (std::size_t i = 0; i < it.replan->plans.size(); ++i) {
    const tvm::ReplanFigures& plan = it.replan->plans[i];
    const tvm::Parallelism& p = plan.parallelism;
    const double path = static_cast<double>(std::max<std::uint64_t>(p.critical_path, 1));
    lines.push_back(fmt::format("  {} {:<36} {}, work / critical path {:.2f} (by flops), {} at once; scratch {}",
                                i == it.replan->taken ? "*" : " ", plan.name, against_tvm(it, plan.arena_bytes),
                                static_cast<double>(p.work) / path, counted(p.unordered_pairs, "pair"),
                                tvm::scratch_place_name(plan.strategy)));
  }
  const bool may_be_smaller = it.replan->plan().arena_bytes > it.replan->tvm_arena_bytes;
  if (may_be_smaller) lines.push_back("    --arena-limit tvm takes the best plan that is no larger than TVM's");
}

void add_audited(const char* name, const verify::Verdict& verdict, Lines& lines) {
  lines.push_back(fmt::format("audit: {:<14}{:<10}{}", name, verify::outcome_name(verdict.outcome), verdict.summary));
  for (const verify::Witness& witness : verdict.witnesses) lines.push_back("    " + witness.text);
}

/// One run stands for all where no address or branch depends on data.
void add_opinions(const ImportedTvm& it, Lines& lines) {
  if (it.audit->kernels.opinions.empty()) return;  // interrupted before
  lines.push_back(
      fmt::format("audit: inputs        {} of {} touch the same bytes for all inputs: no address or branch depends on "
                  "data (LLVM IR)",
                  it.audit->kernels.all_inputs_ops(), counted(it.audit->kernels.opinions.size(), "op")));
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const OpOpinion& one : it.audit->kernels.opinions) {
    if (one.holds_for_all_inputs() && !one.disagrees()) continue;
    if (shown == kOpinionsShown) {
      ++left;
      continue;
    }
    ++shown;
    if (!one.holds_for_all_inputs()) {
      lines.push_back(fmt::format("    op {} ({}): for this input only: {}", one.op, one.function, one.reason()));
    }
    if (one.disagrees()) {
      lines.push_back(fmt::format("    op {} ({}): text analysis says {}, LLVM IR {}", one.op, one.function,
                                  footprint_name(one.text), ir_opinion_name(one.ir.kind)));
    }
  }
  if (left > 0) lines.push_back(fmt::format("    and {} more; --json FILE lists them", left));
}

void add_audit(const ImportedTvm& it, Lines& lines) {
  add_audited("text analysis", it.audit->text, lines);
  add_audited("accesses", it.audit->kernels.accesses.verdict, lines);
  add_opinions(it, lines);
  if (it.audit->runs.runs.empty()) return add_audited("results", it.audit->runs.verdict, lines);
  const std::string serial = harness::format_digest(it.audit->runs.serial_digest);
  lines.push_back(fmt::format("audit: results       {:<10}digest {} in {}; main of the artifact: {}",
                              verify::outcome_name(it.audit->results()), serial,
                              counted(it.audit->runs.runs.size() + 1, "run"),
                              it.audit->reference_digest ? harness::format_digest(*it.audit->reference_digest)
                              : it.audit->is_interrupted ? "not executed"
                                                         : "not executable"));
}

void add_measured(const ImportTvmOptions& options, const ImportedTvm& it, Lines& lines) {
  if (it.measured.empty() || options.request.reproducible) return;
  std::string text = "measured            ";
  for (const auto& [workers, ps] : it.measured)
    text += fmt::format(" {} {}", counted(workers, "worker"), format_time(ps));
  lines.push_back(text);
  text = "list schedule       ";
  for (const auto& [cores, ps] : it.simulated) {
    text += fmt::format(
        " {} {} ({:.2f}x)", counted(cores, "core"), format_time(ps),
        static_cast<double>(it.simulated.front().second) / static_cast<double>(std::max<std::uint64_t>(ps, 1)));
  }
  lines.push_back(text);
}

}  // namespace

Lines import_lines(const ImportTvmOptions& options, const ImportedTvm& it) {
  Lines lines;
  const tvm::HazardReport& hazards = it.import.hazards;
  lines.push_back(fmt::format("{}: {}, {}{}", options.request.model,
                              counted(it.import.program.calls.size(), "operator call"),
                              counted(it.import.program.buffers.size(), "tensor"),
                              it.import.artifact.tvm_version.empty() ? "" : ", TVM " + it.import.artifact.tvm_version));
  lines.push_back(fmt::format("edges by names       {} (read after write)", hazards.name_edges.size()));
  lines.push_back(fmt::format("conflicting pairs    {} (RAW {}, WAR {}, WAW {})", hazards.conflicts.size(), hazards.raw,
                              hazards.war, hazards.waw));
  lines.push_back(fmt::format("racing pairs         {} of {} that the names leave unordered", hazards.racing_pairs,
                              hazards.unordered_pairs));
  add_races(it, lines);
  add_parallelism(it, lines);
  if (it.replan) add_replan(it, lines);
  if (it.audit) add_audit(it, lines);
  add_measured(options, it, lines);
  if (!it.settings.empty()) lines.push_back("settings             " + it.settings);
  for (const std::string& note : it.import.notes) lines.push_back("note: " + note);
  if (!it.import.missing.empty()) lines.push_back("not executable: " + it.import.missing.text());
  lines.push_back(it.is_interrupted ? "package              not written: interrupted"
                                    : fmt::format("package              {} ({})", options.package,
                                                  counted(it.model().edges.size(), "edge")));
  return lines;
}

}  // namespace detent::app
