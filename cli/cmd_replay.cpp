// detent replay: repeat a run from its line, from the JSON answer that carries the line, or from a failure file; twice,
// and compare.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/replay/failure_file.hpp"
#include "app/replay/failure_identity.hpp"
#include "app/replay/replay_line.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/failure_line.hpp"
#include "cli/replay_worlds.hpp"
#include "reports/text/text.hpp"

namespace detent::cli {
namespace {

constexpr std::string_view kLineFamily = "detent-replay/";
constexpr std::string_view kFileFamily = "detent-failure/";

struct ReplayOptions {
  Common common;
  std::string source;
  std::string on;
  std::string model;  ///< instead of the one that the source names
  ReplayWorld world;
  bool force = false;
};

/// Where a line came from.
struct Source {
  app::ReplayLine line;
  std::optional<app::FailureRecord> record{};
};

/// The line itself, a failure file, or the value of "replay" in a JSON answer.
Source read_source(const std::string& source) {
  if (source.starts_with(kLineFamily)) return {app::parse_replay_line(source)};
  const std::string text = read_regular_file(source, kMaxAnswerBytes);
  if (text.starts_with(kLineFamily)) return {app::parse_replay_line(text)};
  if (text.empty() || text.starts_with(kFileFamily)) {
    app::FailureRecord record = app::parse_failure(source, text);
    app::ReplayLine line = app::runnable_line(record);
    return {std::move(line), std::move(record)};
  }
  const std::optional<std::string> line = replay_line_of(source, text);
  if (!line) {
    throw std::invalid_argument(source +
                                ": is no detent-failure/1 file, and has no \"replay\" line; answers of run, simulate, "
                                "check and explore have one");
  }
  return {app::parse_replay_line(*line)};
}

/// Another model is refused: its ids mean other ops. Another engine is what a fix looks like, so it is only said.
std::vector<std::string> compare_identity(const ReplayOptions& options, const app::FailureRecord& record,
                                          const app::LoadedModel& loaded) {
  std::vector<std::string> warnings;
  const std::string model = app::desc_hash(loaded.desc());
  if (model != record.model_hash) {
    const std::string what = fmt::format("{}: was recorded with model_hash {}, and {} has {}", options.source,
                                         record.model_hash, options.common.model, model);
    if (!options.force) {
      throw std::invalid_argument(what + "; give the same model (--model), or --force to try it with this one");
    }
    warnings.push_back(what);
  }
  if (app::engine_hash() != record.engine_hash) {
    warnings.push_back(
        fmt::format("{}: was recorded with engine {} (detent {}), and this program has {}; a "
                    "difference may be the engine's",
                    options.source, record.engine_hash, record.program_version, app::engine_hash()));
  }
  return warnings;
}

Json answer_of(const ReplayOptions& options, const app::ReplayLine& line, const Outcome& outcome) {
  Json answer = json_header("replay", options.common);
  answer["seed"] = line.seed;
  answer["replay"] = app::format_replay_line(line);
  answer["on"] = line.on;
  answer["level"] = app::is_of_threads(line) ? "threads" : "ops";
  answer["status"] = outcome.status;
  if (app::is_of_threads(line)) {
    answer["law"] = outcome.law.empty() ? Json(nullptr) : Json(outcome.law);
    answer["text"] = outcome.text;
    answer["listing"] = outcome.listing;
  } else {
    answer["digest"] = outcome.digest;
  }
  if (!outcome.ended.status.empty()) {
    const app::RunEnd& ended = outcome.ended;
    answer["ended"] = {{"status", ended.status},
                       {"error_op", ended.op == DETENT_NONE ? Json(nullptr) : Json(ended.op)},
                       {"error_code", ended.code},
                       {"began", ended.began},
                       {"in_flight", ended.in_flight}};
  }
  if (line.on == "sim") answer["makespan_ps"] = outcome.makespan_ps;
  if (line.on == "native") {
    answer["gates"] = outcome.gated;
    answer["runs"] = outcome.runs;
    answer["reproduced"] = outcome.reproduced;
  }
  if (!outcome.note.empty()) answer["note"] = outcome.note;
  return answer;
}

void print_outcome(const Common& common, const app::ReplayLine& line, const Outcome& outcome) {
  if (app::is_of_threads(line)) {
    say(common, outcome.listing);
    say(common, fmt::format("replayed {} twice under the explorer: {}", reports::printable_line(line.model),
                            outcome.law.empty() ? "no law is broken" : outcome.law + ": " + outcome.text));
    return;
  }
  const app::RunEnd& ended = outcome.ended;
  const std::string end = ended.status.empty() ? "" : "faults answered with " + ended.status + ", then ";
  say(common, fmt::format("replayed {} twice on {}: {}{}", reports::printable_line(line.model), line.on, end,
                          outcome.digest.empty() ? outcome.status : "digest " + outcome.digest));
  if (line.on == "native" && (outcome.gated || outcome.runs > 1)) {
    say(common, fmt::format("reproduced {} of {} runs{}", outcome.reproduced, outcome.runs,
                            outcome.gated ? ", each constraint held by a gate at op begin" : ""));
  }
  if (line.on == "sim") say(common, "makespan " + format_time(outcome.makespan_ps));
  if (!outcome.note.empty()) say(common, outcome.note);
}

/// The line for the world that was asked for.
app::ReplayLine choose_world(app::ReplayLine line, const ReplayOptions& options,
                             const std::optional<app::FailureRecord>& record) {
  if (!options.model.empty()) line.model = options.model;
  if (options.on.empty()) return line;
  if (app::is_of_threads(line) && options.on != "explore") {
    throw std::invalid_argument("--on " + options.on +
                                ": choices are steps of the engine's own threads, which only the explorer orders; "
                                "leave --on out");
  }
  line.on = options.on;
  if (line.on == "explore" && line.order.empty() && record) line.order = record->schedule;
  return line;
}

int replay_command(ReplayOptions options) {
  const Source source = read_source(options.source);
  const app::ReplayLine line = choose_world(source.line, options, source.record);
  options.common.model = line.model;
  const sim::Platform platform = line.on == "sim" ? platform_of(line) : sim::Platform{};
  const app::LoadedModel loaded = load_for(line, platform);
  std::vector<std::string> warnings;
  if (source.record) warnings = compare_identity(options, *source.record, loaded);
  const Outcome first = replay_in_world(line, loaded, platform, options.world);
  const Outcome second = replay_in_world(line, loaded, platform, options.world);
  std::string finding = difference_to(line, first);
  if (finding.empty() && first != second) finding = "two replays differ: the run does not depend on its line alone";

  Json answer = answer_of(options, line, first);
  answer["same"] = finding.empty();
  if (!finding.empty()) answer["difference"] = finding;
  if (!warnings.empty()) answer["warnings"] = warnings;
  write_json(options.common, answer);
  for (const std::string& warning : warnings) print_warning(warning);
  print_outcome(options.common, line, first);
  if (finding.empty()) return kHolds;
  say(options.common, "VIOLATED: " + finding);
  return kViolated;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Repeat a run or a failing schedule, twice: exit 0 when it is what was recorded, 1 when not");
  add_common(*command, options->common, false);
  command
      ->add_option(
          "FILE_OR_LINE", options->source,
          "A detent-replay/1 line, a JSON answer that has one, or a detent-failure/1 file of explore --failure")
      ->required();
  command
      ->add_option("--on", options->on,
                   "native: threads, each constraint (before=) a gate at op begin; sim: simulated time, the order of "
                   "open pairs held on several cores; explore: op by op, or the engine's threads step by step "
                   "(choices=). Default: as recorded")
      ->check(CLI::IsMember({"native", "sim", "explore"}));
  command->add_option("--model", options->model, "The model where it lies now, instead of the name recorded")
      ->type_name("MODEL");
  command->add_option("--runs", options->world.runs, "Native runs of each of the two replays")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->capture_default_str();
  command
      ->add_option("--watchdog-ms", options->world.watchdog_ms,
                   "A gate that is held for longer opens, and the run counts as not reproduced")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{600'000}))
      ->capture_default_str();
  command->add_flag("--force", options->force, "Go on although the failure file belongs to another model");
  command->callback([options, &action] { action = [options] { return replay_command(*options); }; });
}

}  // namespace detent::cli
