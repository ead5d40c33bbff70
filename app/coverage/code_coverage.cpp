// Counted runs -> figures and one verdict.
#include "app/coverage/code_coverage.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "app/answer/answer.hpp"
#include "base/counted.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;
using verify::Outcome;

const std::string kRefused = "refused: ";  ///< before why the kernels do not compile with counters

Json outcome_json(const std::optional<Outcome>& outcome) {
  return outcome ? Json(verify::outcome_name(*outcome)) : Json(nullptr);
}

std::optional<Outcome> outcome_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  for (const Outcome one : {Outcome::kHolds, Outcome::kViolated, Outcome::kUnknown}) {
    if (json == verify::outcome_name(one)) return one;
  }
  throw std::invalid_argument("results of runs: no such outcome");
}

std::string op_text(const LoadedModel& loaded, std::uint32_t op) {
  if (op >= loaded.desc().op_count) return "a kernel";
  return fmt::format("op {} ({})", op, loaded.model.ops.size() > op ? loaded.model.ops[op].kernel : "");
}

/// How the runs ended without results.
std::string end_text(const LoadedModel& loaded, const IsolatedEnd& end) {
  if (end.failed) return "the runs with counters failed: " + end.answer;
  if (end.signal != 0) {
    const char* const name = ::sigabbrev_np(end.signal);
    return fmt::format("{} ended the process of the runs with counters by SIG{}", op_text(loaded, end.op),
                       name != nullptr ? name : "?");
  }
  return fmt::format("a kernel ended the process of the runs with counters by exit({})", end.exit_code);
}

std::string how_many(const RunResults& runs) {
  return counted(runs.native_runs, "native run") + " and " + counted(runs.schedules, "order") + " of ops";
}

void add_difference(const char* what, const std::string& with, const std::string& without, verify::Verdict& verdict) {
  if (with == without) return;
  verdict.outcome = Outcome::kViolated;
  verdict.witnesses.push_back({fmt::format("{} {} with counters and -O0, {} without", what, with, without), {}, {}});
}

const char* name_of(const std::optional<Outcome>& outcome) {
  return outcome ? verify::outcome_name(*outcome) : "is not known";
}

/// What was not measured, and why.
std::string note_of(const LoadedModel& loaded, const CodeMeasurement& measured) {
  if (!measured.runs) return end_text(loaded, measured.end) + ": counted until then";
  return measured.runs->is_stopped ? "stopped before all runs were made: counted until then" : "";
}

}  // namespace

std::string encode_results(const RunResults& results) {
  return Json{{"serial_digest", results.serial_digest},
              {"determinism", outcome_json(results.determinism)},
              {"op_schedules", outcome_json(results.op_schedules)},
              {"native_runs", results.native_runs},
              {"schedules", results.schedules},
              {"is_stopped", results.is_stopped}}
      .dump();
}

RunResults decode_results(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    return {.serial_digest = json.at("serial_digest"),
            .determinism = outcome_from(json.at("determinism")),
            .op_schedules = outcome_from(json.at("op_schedules")),
            .native_runs = json.at("native_runs"),
            .schedules = json.at("schedules"),
            .is_stopped = json.at("is_stopped")};
  } catch (const Json::exception& error) {
    throw std::invalid_argument(fmt::format("results of runs: {}", error.what()));
  }
}

void require_coverable(const std::string& name, const LoadedModel& loaded) {
  if (own_sources(loaded.model).empty()) {
    throw std::invalid_argument(
        name +
        ": --coverage: has no C of its own, only built-in kernels; leave it out, or import C: detent import tvm DIR -o "
        "PACKAGE");
  }
  if (!loaded.missing_code.empty()) refuse_missing_code(name, loaded.missing_code);
  require_executable(loaded);
}

CodeMeasurement measure_code(const std::string& name, const LoadedModel& loaded, const CoverageTools& tools,
                             const std::function<RunResults(CountedKernels&)>& runs) {
  const TempDirectory scratch;
  const fs::path code = scratch.path() / "code";
  fs::create_directory(code);
  CodeMeasurement measured;
  // Of the other process alone: unloading the kernels would write counters, too.
  std::optional<CountedKernels> kernels;
  const auto work = [&] {
    // Else the counters of the kernels would follow those of a caller that is being measured itself.
    ::unsetenv("GCOV_PREFIX");
    ::unsetenv("GCOV_PREFIX_STRIP");
    try {
      kernels.emplace(loaded.model, tools.compiler, code.string());
    } catch (const std::invalid_argument& error) {
      return kRefused + error.what();
    }
    return encode_results(runs(*kernels));
  };
  const auto save = [&] {
    if (kernels) kernels->save();
  };
  measured.end = run_isolated(work, save, scratch.path());
  if (measured.end.answer.starts_with(kRefused)) {
    throw std::invalid_argument("--coverage: " + measured.end.answer.substr(kRefused.size()));
  }
  if (measured.end.returned) measured.runs = decode_results(measured.end.answer);
  measured.pages = coverage_pages(tools, code, own_sources(loaded.model), "Kernels of " + name);
  reports::CodeCoverage& figures = measured.pages.figures;
  if (measured.runs) figures.native_runs = measured.runs->native_runs, figures.schedules = measured.runs->schedules;
  figures.note = note_of(loaded, measured);
  return measured;
}

verify::Verdict judge_coverage_runs(const LoadedModel& loaded, const CodeMeasurement& measured,
                                    const std::optional<RunResults>& plain) {
  verify::Verdict verdict{verify::Property::kCoverageRuns, Outcome::kHolds, "", {}};
  if (!measured.runs) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary = end_text(loaded, measured.end);
    std::vector<std::uint32_t> ops;
    if (measured.end.op < loaded.desc().op_count) ops.push_back(measured.end.op);
    verdict.witnesses.push_back({verdict.summary, ops, {}});
    return verdict;
  }
  const RunResults& with = *measured.runs;
  verdict.summary = how_many(with) + " counted";
  if (with.is_stopped || (plain && plain->is_stopped) || !plain) {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary += plain ? "; stopped before all were made" : "; not compared: the check executes no kernel";
    return verdict;
  }
  add_difference("serial digest", with.serial_digest, plain->serial_digest, verdict);
  add_difference("determinism", name_of(with.determinism), name_of(plain->determinism), verdict);
  add_difference("op_schedules", name_of(with.op_schedules), name_of(plain->op_schedules), verdict);
  verdict.summary += verdict.outcome == Outcome::kHolds ? "; digest and verdicts as without counters"
                                                        : "; results differ from those without counters";
  return verdict;
}

}  // namespace detent::app
