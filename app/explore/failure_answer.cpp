// OpFailure -> gates, story, line, file, JSON, text.
#include "app/explore/failure_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/explore/failure_story.hpp"
#include "app/model/order_file.hpp"
#include "app/replay/failure_file.hpp"
#include "app/replay/failure_line.hpp"
#include "app/replay/gated_run.hpp"
#include "base/counted.hpp"
#include "harness/run.hpp"
#include "reports/text/failure_print.hpp"
#include "verify/explore/ops/oriented.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/names.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

std::string constraint_text(const detent_desc& desc, const explore::Constraint& c) {
  return verify::op_name(desc, c.first) + " before " + verify::op_name(desc, c.then);
}

}  // namespace

FailureAnswer answer_failure(const ReplayLine& line, const LoadedModel& loaded, const explore::OpSpace& space,
                             const explore::OpFailure& failure, const FailureOptions& options) {
  FailureAnswer answer;
  answer.line = failure_line(line, space, failure);
  const ReplayLine whole = whole_failure_line(line, space, failure);
  if (failure.workers != 0 && failure.workers <= DETENT_MAX_WORKERS) {
    ReplayLine gated = whole;
    if (failure.ops.size() != space.desc().op_count) gated.ops = failure.ops;
    answer.native = run_behind_gates(space, loaded, gated, options.gate_runs, explore::GateReplayOptions{}.watchdog_ms);
  }
  answer.story = make_failure_story(loaded, space, failure,
                                    {.input_seed = line.seeds.input, .replay = format_replay_line(answer.line)});
  if (!options.file.empty()) write_failure_file(options.file, make_failure_record(loaded, failure, whole));
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
  json["names"] = {op_name(desc, failure.pair.op_a), op_name(desc, failure.pair.op_b)};
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
  json["replay"] = format_replay_line(answer.line);
  return json;
}

Lines failure_lines(const detent_desc& desc, const explore::OpFailure& failure, const FailureAnswer& answer) {
  Lines lines{"", "  " + answer.story.title};
  for (const explore::Constraint& c : failure.constraints) lines.push_back("  fails when " + constraint_text(desc, c));
  lines.push_back(fmt::format("  then {}; digest {} instead of {}", failure.shown, answer.story.digest,
                              answer.story.serial_digest));
  lines.push_back(fmt::format("  takes {} of {} and {}; native runs that reproduced it: {} of {}", failure.ops.size(),
                              counted(desc.op_count, "op"), counted(failure.workers, "worker"),
                              answer.native.reproduced, answer.native.runs));
  lines.emplace_back();
  std::string tables = reports::story_tables_text(answer.story);
  if (!tables.empty()) tables.pop_back();  // the line's end follows
  lines.push_back(std::move(tables));
  lines.emplace_back();
  return lines;
}

}  // namespace detent::app
