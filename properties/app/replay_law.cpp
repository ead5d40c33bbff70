// Laws of replay lines: text and back is the identity, and a line repeats the run that it came from, field by field.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/explore/threads.hpp"
#include "app/replay/replay_line.hpp"
#include "app/replay/replay_worlds.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "properties/law.hpp"

namespace detent::laws {
namespace {

using app::ReplayLine;
using Ids = std::vector<std::uint32_t>;

/// Half of the draws leave a field as it is in a new line.
template <typename Value>
void maybe(Value& field, const rc::Gen<Value>& gen) {
  if (*rc::gen::arbitrary<bool>()) field = *gen;
}
template <typename Value>
void maybe(Value& field) {
  maybe(field, rc::gen::arbitrary<Value>());
}

rc::Gen<std::string> texts() { return rc::gen::nonEmpty(rc::gen::string<std::string>()); }
rc::Gen<std::uint32_t> op_ids() { return rc::gen::inRange<std::uint32_t>(0, 1000); }

rc::Gen<Ids> ascending_ids() {
  return rc::gen::map(rc::gen::container<std::set<std::uint32_t>>(op_ids()),
                      [](const std::set<std::uint32_t>& ids) { return Ids(ids.begin(), ids.end()); });
}

std::string one_of(const std::vector<std::string>& words) { return *rc::gen::elementOf(words); }

void draw_chip(ReplayLine& line) {
  maybe(line.platform, texts());
  maybe(line.jitter, texts());
  maybe(line.costs, texts());
  maybe(line.npu);
  maybe(line.overheads);
  maybe(line.contention);
  maybe(line.private_ports);
  maybe(line.migrating);
  maybe(line.makespan_ps);
}

void draw_engine(harness::EngineSpec& engine) {
  maybe(engine.workers);
  engine.mode = *rc::gen::element(DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC);
  engine.scheduler = *rc::gen::element(DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD);
  engine.policy = one_of(harness::policy_names());
  maybe(engine.order, rc::gen::container<Ids>(op_ids()));
  if (*rc::gen::arbitrary<bool>()) engine.spin_limit = *rc::gen::arbitrary<std::uint32_t>();
}

void draw_program(app::ThreadReplaySpec& engine) {
  engine.choices = *texts();
  maybe(engine.law, texts());
  maybe(engine.listing, texts());
  engine.memory = one_of({"sc", "c11"});
  maybe(engine.spurious);
  maybe(engine.cancel);
  maybe(engine.runs);
  maybe(engine.op_deadline_ps);
  maybe(engine.whole_life);
  maybe(engine.failing_starts);
  maybe(engine.early_timeouts);
  maybe(engine.duplicate_answers);
  maybe(engine.async_answers);
  maybe(engine.failing_ops, ascending_ids());
}

rc::Gen<harness::Calls> calls() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(0U, 5U), rc::gen::arbitrary<bool>()), [](const auto& drawn) {
    return harness::Calls{.first = drawn.first, .onward = drawn.first != 0 && drawn.second};
  });
}

rc::Gen<std::string> device_names() {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(plain)));
}

void draw_device_faults(harness::Faults& faults) {
  const std::string device = *device_names();
  if (*rc::gen::arbitrary<bool>()) {
    faults.failing_devices = {{.device = device, .calls = *calls(), .code = *rc::gen::inRange(-99, -1)}};
  }
  if (*rc::gen::arbitrary<bool>()) {
    const std::uint64_t delay_ps = *rc::gen::inRange(1ULL, 1ULL << 40U);
    faults.late_devices = {{.device = device, .calls = *calls(), .delay_ps = delay_ps}};
  }
  if (*rc::gen::arbitrary<bool>()) faults.late_devices.push_back({.device = device, .calls = {.first = 5}});
}

void draw_faults(ReplayLine& line) {
  const std::uint32_t op = *op_ids();
  line.faults.failing_ops = {{.op = op, .calls = *calls(), .code = *rc::gen::inRange(1, 99)}};
  if (*rc::gen::arbitrary<bool>())
    line.faults.late_ops = {{.op = op, .delay_ps = *rc::gen::inRange(1ULL, 1ULL << 40U)}};
  if (*rc::gen::arbitrary<bool>()) line.faults.late_ops.push_back({.op = op + 1});
  draw_device_faults(line.faults);
  maybe(line.faults.answered_twice, ascending_ids());
  maybe(line.faults.op_deadline_ps);
  maybe(line.faults.failing_start, rc::gen::inRange(0U, 9U));
  const auto moment = *rc::gen::element(harness::CancelAt::Moment::kOpBegin, harness::CancelAt::Moment::kOpEnd);
  if (*rc::gen::arbitrary<bool>()) line.faults.cancel_at = {.moment = moment, .op = op};
  maybe(line.ended.status, texts());
  maybe(line.ended.op, op_ids());
  maybe(line.ended.code);
  maybe(line.ended.began, ascending_ids());
  maybe(line.ended.in_flight, ascending_ids());
}

/// Any line that commands could write: what belongs to another world is as in a new line.
rc::Gen<ReplayLine> lines() {
  return rc::gen::exec([] {
    ReplayLine line;
    line.model = *texts();
    line.on = one_of({"native", "sim", "explore"});
    maybe(line.seeds.schedule);
    draw_engine(line.engine);
    maybe(line.split);
    maybe(line.winograd);
    maybe(line.set, texts());
    maybe(line.schedule, texts());
    maybe(line.device, texts());
    maybe(line.outcomes, texts());
    maybe(line.seeds.input);
    maybe(line.digest, texts());
    if (line.on == "sim") draw_chip(line);
    if (line.on == "explore" && *rc::gen::arbitrary<bool>()) {
      draw_program(line.threads);
      return line;
    }
    if (line.on != "explore" && *rc::gen::arbitrary<bool>()) {
      draw_faults(line);
      return line;
    }
    maybe(line.before,
          rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(rc::gen::pair(op_ids(), op_ids())));
    maybe(line.ops, ascending_ids());
    if (line.on == "sim" && line.before.empty()) {
      maybe(line.times, texts());
      maybe(line.ties, texts());
    }
    return line;
  });
}

RC_GTEST_PROP(ReplayLineLaw, TextAndBackIsTheIdentity, ()) {
  law_of_values(lines(), [](const ReplayLine& line) {
    const std::string text = app::format_replay_line(line);
    RC_LOG() << text;
    const ReplayLine back = app::parse_replay_line(text);
    RC_ASSERT(back == line);
    RC_ASSERT(app::format_replay_line(back) == text);
  });
}

TEST(ReplayLineLaw, EveryKeyIsDrawn) {
  std::set<std::string> missing;
  for (const std::string& key : app::replay_keys()) missing.insert(key);
  const rc::Gen<ReplayLine> gen = lines();
  for (std::uint64_t draw = 0; draw < 500 && !missing.empty(); ++draw) {
    const std::string text = app::format_replay_line(gen(rc::Random(draw), 20).value());
    std::erase_if(missing, [&](const std::string& key) { return text.find(" " + key + "=") != std::string::npos; });
  }
  EXPECT_EQ(missing.size(), 0U) << *missing.begin();
}

/// What came of a run, of which its hash says nothing.
const std::set<std::string>& expectations() {
  static const std::set<std::string> kKeys = {"law",   "listing",   "status", "error_op",   "error_code",
                                              "began", "in_flight", "digest", "makespan_ps"};
  return kKeys;
}

/// The words of a line by their keys.
std::map<std::string, std::string> words_of(const ReplayLine& line) {
  std::istringstream stream(app::format_replay_line(line));
  std::map<std::string, std::string> words;
  std::string word;
  stream >> word;  // what a line begins with
  while (stream >> word) words[word.substr(0, word.find('='))] = word;
  return words;
}

/// The line with this field as `other` has it; none where no line can be so, or nothing changes.
std::optional<ReplayLine> with_field_of(const ReplayLine& line, const ReplayLine& other, const std::string& key) {
  std::map<std::string, std::string> words = words_of(line);
  const std::map<std::string, std::string> others = words_of(other);
  words.erase(key);
  if (const auto word = others.find(key); word != others.end()) words.insert(*word);
  std::string text = "detent-replay/1";
  for (const auto& [name, word] : words) text += " " + word;
  try {
    const ReplayLine changed = app::parse_replay_line(text);
    return words_of(changed) == words_of(line) ? std::nullopt : std::optional(changed);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // faults beside constraints, choices outside of the explorer
  }
}

RC_GTEST_PROP(RunHashLaw, EqualLinesHaveOneHash, ()) {
  law_of_values(lines(), [](const ReplayLine& line) {
    RC_ASSERT(app::run_hash(app::parse_replay_line(app::format_replay_line(line))) == app::run_hash(line));
  });
}

/// Each field alone, and what else a line writes with it in another world.
RC_GTEST_PROP(RunHashLaw, AFieldThatDecidesTheRunChangesTheHashAndNoOtherDoes, ()) {
  law_of_values(rc::gen::pair(lines(), lines()), [](const std::pair<ReplayLine, ReplayLine>& drawn) {
    for (const std::string& key : app::replay_keys()) {
      const std::optional<ReplayLine> changed = with_field_of(drawn.first, drawn.second, key);
      if (!changed) continue;
      RC_LOG() << key << ": " << app::format_replay_line(*changed) << "\n";
      RC_ASSERT((app::run_hash(*changed) == app::run_hash(drawn.first)) == expectations().contains(key));
    }
  });
}

TEST(RunHashLaw, EveryFieldIsChanged) {
  std::set<std::string> missing;
  for (const std::string& key : app::replay_keys()) missing.insert(key);
  missing.erase("level");  // says whether there are choices
  const rc::Gen<ReplayLine> gen = lines();
  for (std::uint64_t draw = 0; draw < 2000 && !missing.empty(); ++draw) {
    const ReplayLine one = gen(rc::Random(draw), 20).value(), other = gen(rc::Random(draw + 5000), 20).value();
    std::erase_if(missing, [&](const std::string& key) { return with_field_of(one, other, key).has_value(); });
  }
  EXPECT_EQ(missing.size(), 0U) << *missing.begin();
}

/// Models whose outputs no schedule changes, small enough to run often.
std::string small_model() {
  return one_of({"diamond", "chain:3", "wide:5", "random:3:6", "erdos:2:7", "series_parallel:4:6"});
}

/// The line of an answer, replayed in its world. Nothing differs.
ReplayLine assert_repeats(const app::Answer& answer) {
  const std::string text = answer.json.at("replay").get<std::string>();
  RC_LOG() << text;
  const ReplayLine line = app::parse_replay_line(text);
  const sim::Platform platform = line.on == "sim" ? app::platform_of(line) : sim::Platform{};
  const app::LoadedModel loaded = app::load_for(line, platform);
  const std::string difference = app::difference_to(line, app::replay_in_world(line, loaded, platform, {}));
  RC_ASSERT(difference == std::string());
  return line;
}

void draw_schedule(app::ScheduleOptions& schedule) {
  draw_engine(schedule.engine);
  schedule.engine.policy = one_of({"id", "priority", "critical-path", "random"});
  schedule.engine.order.clear();
  schedule.engine.spin_limit.reset();
}

RC_GTEST_PROP(ReplayRunLaw, ANativeRunIsRepeatedByItsLine, ()) {
  law_of_values([] {
    app::RunRequest wanted;
    wanted.request.model = small_model();
    wanted.request.seeds.schedule = *rc::gen::arbitrary<std::uint64_t>();
    wanted.model.split = *rc::gen::inRange(1U, 4U);
    if (*rc::gen::arbitrary<bool>()) wanted.model.device.module = "software";
    draw_schedule(wanted.schedule);
    wanted.schedule.engine.workers = *rc::gen::inRange(0U, 4U);
    wanted.request.seeds.input = *rc::gen::arbitrary<std::uint64_t>();
    const ReplayLine line = assert_repeats(app::run_once(wanted));
    RC_ASSERT(line.on == "native" && line.model == wanted.request.model && line.seeds == wanted.request.seeds);
    RC_ASSERT(line.split == wanted.model.split && line.engine == wanted.schedule.engine);
    RC_ASSERT(line.device == wanted.model.device.module);
    RC_ASSERT(!line.digest.empty());
  });
}

RC_GTEST_PROP(ReplayRunLaw, ASimulatedRunIsRepeatedByItsLine, ()) {
  law_of_values([] {
    app::SimulateRequest wanted;
    wanted.request.model = small_model();
    wanted.request.seeds.schedule = *rc::gen::arbitrary<std::uint64_t>();
    wanted.model.split = *rc::gen::inRange(1U, 4U);
    draw_schedule(wanted.schedule);
    app::SimulationOptions& simulation = wanted.simulation;
    const std::string platform = one_of({"quad_npu", "am62a", "cores:cpu=2,npu=1"});
    const bool is_bare = platform.starts_with("cores:");
    (is_bare ? simulation.cores : simulation.platform) = is_bare ? platform.substr(6) : platform;
    simulation.jitter = one_of({"uniform:0.3", "pareto:0.5:1.5", "worst", "lognormal:0.2:0.5;corr=core:0.5"});
    simulation.runs = *rc::gen::inRange<std::uint64_t>(1, 4);
    wanted.schedule.engine.workers = *rc::gen::inRange(0U, 3U);
    wanted.request.seeds.input = *rc::gen::arbitrary<std::uint64_t>();
    simulation.timing_only = *rc::gen::arbitrary<bool>();
    simulation.no_npu = *rc::gen::arbitrary<bool>();
    simulation.no_overheads = *rc::gen::arbitrary<bool>();
    simulation.no_contention = *rc::gen::arbitrary<bool>();
    simulation.private_ports = *rc::gen::arbitrary<bool>();
    simulation.migrating = *rc::gen::arbitrary<bool>();
    const sim::Platform chip = app::simulated_platform(simulation);
    wanted.model.accelerator = app::accelerator_of(simulation, chip);
    wanted.model.weights = !simulation.timing_only;
    const app::LoadedModel loaded = app::load(wanted.request.model, wanted.model);
    app::CampaignPart part(wanted.campaign, simulation.runs, loaded.desc().op_count, "");
    const ReplayLine line = assert_repeats(app::simulate(wanted, loaded, chip, &part, {}));
    RC_ASSERT(line.platform == platform && line.jitter == simulation.jitter);
    RC_ASSERT(line.npu != simulation.no_npu && line.overheads != simulation.no_overheads);
    RC_ASSERT(line.contention != simulation.no_contention && line.private_ports == simulation.private_ports);
    RC_ASSERT(line.migrating == simulation.migrating && line.makespan_ps != 0);
    RC_ASSERT(line.digest.empty() == simulation.timing_only);
  });
}

RC_GTEST_PROP(ReplayRunLaw, AScheduleOfTheThreadsIsRepeatedByItsLine, ()) {
  law_of_values([] {
    app::ThreadExploreRequest wanted;
    ReplayLine& program = wanted.line;
    program.model = one_of({"diamond", "chain:3", "erdos:1:3"});
    program.seeds.schedule = *rc::gen::arbitrary<std::uint64_t>();
    program.engine.workers = *rc::gen::inRange(1U, 4U);
    program.engine.mode = *rc::gen::element(DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC);
    program.engine.scheduler = *rc::gen::element(DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD);
    program.engine.policy = one_of({"id", "priority", "critical-path"});
    program.split = *rc::gen::inRange(1U, 3U);
    program.seeds.input = *rc::gen::arbitrary<std::uint64_t>();
    program.threads.memory = one_of({"sc", "c11"});
    program.threads.runs = *rc::gen::inRange(1U, 3U);
    program.engine.spin_limit = *rc::gen::inRange(0U, 3U);
    program.threads.spurious = *rc::gen::inRange(0U, 2U);
    program.threads.cancel = *rc::gen::arbitrary<bool>();
    program.threads.choices = "t1:#0";
    const app::LoadedModel loaded = app::load(program.model, {.split = program.split});
    const ReplayLine line = assert_repeats(app::explore_threads(wanted, loaded));
    ReplayLine expected = wanted.program();
    expected.threads.law = line.threads.law;
    expected.threads.listing = line.threads.listing;
    RC_ASSERT(line == expected);
    RC_ASSERT(!line.threads.listing.empty());
  });
}

}  // namespace
}  // namespace detent::laws
