// OpFailure -> gates, story, line, file, JSON, text.
#include "cli/failure_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/model/order_file.hpp"
#include "app/replay/failure_file.hpp"
#include "cli/failure_story.hpp"
#include "harness/run.hpp"
#include "reports/text/failure_print.hpp"
#include "verify/explore/ops/oriented.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/names.hpp"

namespace detent::cli {
namespace {

namespace explore = verify::explore;

constexpr std::size_t kLineShown = 400;  ///< bytes of a replay line that a terminal shows

std::string constraint_text(const detent_desc& desc, const explore::Constraint& c) {
  return verify::op_name(desc, c.first) + " before " + verify::op_name(desc, c.then);
}

/// The constraints of the line, and gates for what they leave open among the ops that take part.
std::vector<explore::Constraint> gates_of(const explore::OpSpace& space, const app::ReplayLine& line) {
  std::vector<explore::Constraint> gates = constraints_of(line, space.desc());
  if (!line.ops.empty() && line.ops.back() >= space.desc().op_count) {
    throw std::invalid_argument(
        fmt::format("replay line: ops={}: the model has {} ops", app::format_ranges(line.ops), space.desc().op_count));
  }
  std::vector<std::uint32_t> ops = line.ops;
  for (std::uint32_t op = 0; ops.size() < space.desc().op_count && line.ops.empty(); ++op) ops.push_back(op);
  const std::vector<explore::Constraint> open = explore::open_decisions(space, order_of(line, space), gates, ops);
  std::vector<explore::Constraint> all = gates;
  all.insert(all.end(), open.begin(), open.end());
  const std::uint32_t workers = explore::workers_for_gates(space.desc(), all);
  return workers == 0 || workers > DETENT_MAX_WORKERS ? gates : all;
}

}  // namespace

explore::GateReplay run_behind_gates(const explore::OpSpace& space, const app::LoadedModel& loaded,
                                     const app::ReplayLine& line, std::uint64_t runs, std::uint64_t watchdog_ms) {
  const std::vector<explore::Constraint> gates = gates_of(space, line);
  explore::GateReplayOptions options;
  options.workers = line.workers;
  if (gates.size() != line.before.size()) {
    options.workers = std::max(line.workers, explore::workers_for_gates(space.desc(), gates));
  }
  options.runs = runs;
  options.watchdog_ms = watchdog_ms;
  options.runner.input_seed = line.input_seed;
  options.runner.backends = loaded.backends;
  if (!line.ops.empty()) {  // only what the failure takes: no other race disturbs it
    options.runner.skipped.assign(space.desc().op_count, true);
    for (const std::uint32_t op : line.ops) options.runner.skipped[op] = false;
  }
  return explore::replay_with_gates(space, gates, options);
}

FailureAnswer answer_failure(const app::ReplayLine& line, const app::LoadedModel& loaded, const explore::OpSpace& space,
                             const explore::OpFailure& failure, const FailureOptions& options) {
  FailureAnswer answer;
  answer.line = failure_line(line, space, failure);
  const app::ReplayLine whole = whole_failure_line(line, space, failure);
  if (failure.workers != 0 && failure.workers <= DETENT_MAX_WORKERS) {
    app::ReplayLine gated = whole;
    if (failure.ops.size() != space.desc().op_count) gated.ops = failure.ops;
    answer.native = run_behind_gates(space, loaded, gated, options.gate_runs, explore::GateReplayOptions{}.watchdog_ms);
  }
  answer.story = make_failure_story(loaded, space, failure,
                                    {.input_seed = line.input_seed, .replay = app::format_replay_line(answer.line)});
  if (!options.file.empty()) app::write_failure_file(options.file, app::make_failure_record(loaded, failure, whole));
  return answer;
}

Json failure_json(const detent_desc& desc, const explore::OpFailure& failure, const FailureAnswer& answer) {
  const verify::Race& race = failure.pair.bytes;
  Json constraints = Json::array();
  for (const explore::Constraint& c : failure.constraints) {
    constraints.push_back({{"before", c.first}, {"after", c.then}, {"text", constraint_text(desc, c)}});
  }
  Json json;
  json["constraints"] = std::move(constraints);
  json["pair"] = {failure.pair.op_a, failure.pair.op_b};
  json["names"] = {app::op_name(desc, failure.pair.op_a), app::op_name(desc, failure.pair.op_b)};
  json["kind"] = verify::hazard_name(race.kind);
  json["region"] = desc.regions[race.region].name;
  json["bytes"] = {{"offset", race.offset_bytes}, {"size", race.size_bytes}};
  json["tensors"] = {desc.tensors[race.tensor_a].name, desc.tensors[race.tensor_b].name};
  json["shown"] = failure.shown;
  json["ops"] = failure.ops;
  json["schedule"] = failure.schedule;
  json["workers"] = failure.workers;
  json["digest"] = harness::format_digest(failure.digest);
  json["serial_digest"] = harness::format_digest(failure.serial_digest);
  json["executions"] = failure.executions;
  json["native"] = {{"runs", answer.native.runs}, {"reproduced", answer.native.reproduced}};
  json["table"] = reports::story_tables_json(answer.story);
  json["note"] = answer.story.note;
  json["replay"] = app::format_replay_line(answer.line);
  return json;
}

void print_replay(const Common& common, const std::string& line, const std::string& file) {
  const bool is_short = line.size() <= kLineShown;
  if (is_short || file.empty()) {
    say(common, "  replay    detent replay '" +
                    (is_short ? line : std::string("...' (--json or --failure has the line")) + (is_short ? "'" : ")"));
  }
  if (!file.empty()) say(common, "  replay    detent replay " + file);
}

void print_failure(const Common& common, const detent_desc& desc, const explore::OpFailure& failure,
                   const FailureAnswer& answer) {
  say(common, "");
  say(common, "  " + answer.story.title);
  for (const explore::Constraint& c : failure.constraints) say(common, "  fails when " + constraint_text(desc, c));
  say(common, fmt::format("  then {}; digest {} instead of {}", failure.shown, answer.story.digest,
                          answer.story.serial_digest));
  say(common,
      fmt::format("  takes {} of {} ops and {} workers; native runs that reproduced it: {} of {}", failure.ops.size(),
                  desc.op_count, failure.workers, answer.native.reproduced, answer.native.runs));
  say(common, "");
  std::string tables = reports::story_tables_text(answer.story);
  if (!tables.empty()) tables.pop_back();  // say() ends the line
  say(common, tables);
  say(common, "");
}

}  // namespace detent::cli
