// Failures to stories: two simulated runs of the same model, the open pairs ordered one way and the other.
#include "app/explore/failure_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/replay/failure_line.hpp"
#include "app/replay/oriented_run.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "harness/run.hpp"
#include "sim/cost/cost.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/names.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

constexpr std::uint64_t kUnitPs = 1'000'000;  ///< of ops without a time
constexpr std::uint32_t kMostColumns = 6;     ///< workers beyond them make no table that people read
constexpr std::uint32_t kAllOps = 12;         ///< models of at most so many ops are shown whole

/// A Desc whose ops all take time, so that the rows of a table differ.
class TimedDesc {
 public:
  TimedDesc(const detent_desc& desc, const sim::Platform& platform) : costs_(desc.op_count), desc_(desc) {
    if (desc.costs != nullptr) costs_.assign(desc.costs, desc.costs + desc.op_count);
    const sim::Jitter worst{.kind = sim::Jitter::Kind::kWorst};
    const std::vector<sim::OpTime> times = sim::op_times(desc, platform, worst);
    for (OpId op = 0; op < desc.op_count; ++op) {
      const bool is_delay = (desc.ops[op].flags & DETENT_OP_DELAY) != 0;
      const bool has_time = is_delay || times[op].worst_ps != 0;
      costs_[op].best_ps = costs_[op].worst_ps = has_time ? times[op].worst_ps : kUnitPs;
      lacks_times_ = lacks_times_ || !has_time;
    }
    desc_.costs = costs_.data();
  }
  TimedDesc(const TimedDesc&) = delete;
  TimedDesc& operator=(const TimedDesc&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return desc_; }
  [[nodiscard]] bool lacks_times() const { return lacks_times_; }

 private:
  std::vector<detent_op_cost> costs_;
  detent_desc desc_;
  bool lacks_times_ = false;
};

sim::Platform bare_cores(const detent_desc& desc, std::uint32_t workers) {
  std::vector<std::pair<std::string, std::uint32_t>> cores;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    const bool runs = c == 0 || desc.classes[c].kind == DETENT_CLASS_WORKERS;
    if (runs) cores.emplace_back(desc.classes[c].name, c == 0 ? workers : 1U);
  }
  return sim::plain_platform(cores);
}

std::vector<reports::StoryMark> marks_of(const detent_desc& desc, const explore::OpFailure& failure) {
  const verify::Race& race = failure.pair.bytes;
  const std::string bytes = fmt::format("[{}, {}) of {}", race.offset_bytes, race.offset_bytes + race.size_bytes,
                                        verify::region_name(desc, race.region));
  const char* const does_a = race.kind == verify::HazardKind::kWar ? "reads " : "writes ";
  const char* const does_b = race.kind == verify::HazardKind::kRaw ? "reads " : "writes ";
  std::vector<reports::StoryMark> marks{{race.op_a, does_a + bytes}, {race.op_b, does_b + bytes}};
  for (const explore::Constraint& c : failure.constraints) {
    for (const OpId op : {c.first, c.then}) {
      const bool known = std::ranges::any_of(marks, [&](const reports::StoryMark& mark) { return mark.op == op; });
      if (!known) marks.push_back({op, ""});
    }
  }
  return marks;
}

std::string before_text(const detent_desc& desc, std::uint32_t first, std::uint32_t then) {
  return verify::op_name(desc, first) + " before " + verify::op_name(desc, then);
}

/// When each op that a constraint holds could have begun, and when it did.
std::vector<reports::StoryHold> holds_of(const detent_desc& desc, const explore::OpFailure& failure,
                                         const harness::Trace& trace) {
  std::vector<const harness::Span*> span_of(desc.op_count, nullptr);
  for (const harness::Span& span : trace.spans) span_of[span.op] = &span;
  std::vector<std::uint64_t> ready_ps(desc.op_count, 0);
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < slice.count && span_of[op] != nullptr; ++k) {
      std::uint64_t& ready = ready_ps[desc.successors[slice.first + k]];
      ready = std::max(ready, span_of[op]->end_ps);
    }
  }
  std::vector<reports::StoryHold> holds;
  for (const explore::Constraint& c : failure.constraints) {
    const bool known = std::ranges::any_of(holds, [&](const reports::StoryHold& hold) { return hold.op == c.then; });
    if (known || span_of[c.then] == nullptr || span_of[c.then]->begin_ps <= ready_ps[c.then]) continue;
    holds.push_back({c.then, ready_ps[c.then], span_of[c.then]->begin_ps});
  }
  return holds;
}

/// What the two tables of a failure share.
struct Stage {
  const LoadedModel& loaded;
  const explore::OpFailure& failure;
  const TimedDesc& timed;
  const sim::Platform& platform;
  std::uint32_t workers;
  std::uint64_t input_seed;
  bool executes;
};

/// One table, the failing one with what its constraints hold; nothing, and a note, where the run is not what it should
/// show.
void add_table(const Stage& stage, std::string title, const std::vector<explore::Constraint>& decisions,
               std::uint64_t digest, bool fails, reports::FailureStory& story) {
  sim::SimOptions options;
  options.engine.workers = stage.workers;
  options.seeds.input = stage.input_seed;
  options.jitter.kind = sim::Jitter::Kind::kWorst;
  options.backends = stage.loaded.backends;
  options.timing_only = !stage.executes || !is_executable(stage.loaded);
  std::string why;
  const auto run = simulate_oriented(stage.timed.desc(), stage.platform, options, decisions, why);
  if (run && !run->digests.empty() && run->digests.front() != digest) why = "it gives another digest";
  if (!why.empty() || !run) {
    story.note += fmt::format("{}The run \"{}\" could not be simulated with {}: {}.", story.note.empty() ? "" : " ",
                              title, counted(stage.workers, "worker"), why);
    return;
  }
  harness::Trace trace = run->worst.trace;
  const std::vector<std::uint32_t>& takes = stage.failure.ops;
  if (stage.loaded.desc().op_count > kAllOps) {
    std::erase_if(trace.spans, [&](const harness::Span& span) { return !std::ranges::binary_search(takes, span.op); });
  }
  const detent_desc& desc = stage.loaded.desc();
  const std::vector<reports::StoryHold> holds =
      fails ? holds_of(desc, stage.failure, run->worst.trace) : std::vector<reports::StoryHold>{};
  reports::StoryTable table =
      reports::make_story_table(desc, trace, run->slot_names, marks_of(desc, stage.failure), holds);
  table.title = std::move(title);
  if (!run->digests.empty()) table.digest = harness::format_digest(digest);
  story.tables.push_back(std::move(table));
}

/// The name of a pair's wrong order, and of the right one.
std::string title_of(const detent_desc& desc, const explore::OpFailure& failure, bool fails) {
  if (failure.constraints.size() != 1) return fails ? "fails: under the constraints" : "right: as in the serial run";
  const explore::Constraint& c = failure.constraints.front();
  return fails ? "fails: " + before_text(desc, c.first, c.then) : "right: " + before_text(desc, c.then, c.first);
}

std::string how_simulated(const Stage& stage) {
  std::string note =
      fmt::format("Simulated on {} without overheads, every open pair in the order of the schedule shown",
                  counted(stage.workers, "bare core"));
  if (stage.timed.lacks_times()) note += "; ops without a time take 1 \xC2\xB5s";
  if (stage.loaded.desc().op_count > kAllOps && stage.failure.ops.size() < stage.loaded.desc().op_count) {
    note += fmt::format("; the {} ops that it takes are shown, of {}", stage.failure.ops.size(),
                        stage.loaded.desc().op_count);
  }
  return note + ".";
}

}  // namespace

reports::FailureStory make_failure_story(const LoadedModel& loaded, const explore::OpSpace& space,
                                         const explore::OpFailure& failure, const StoryOptions& options) {
  const detent_desc& desc = loaded.desc();
  reports::FailureStory story;
  story.level = "ops";
  story.law = "op_schedules";
  story.title = verify::describe_race(desc, failure.pair.bytes);
  for (const explore::Constraint& c : failure.constraints) {
    story.constraints.push_back(before_text(desc, c.first, c.then));
  }
  story.shown = failure.shown;
  if (options.executes) story.digest = harness::format_digest(failure.digest);
  if (options.executes) story.serial_digest = harness::format_digest(failure.serial_digest);
  story.workers = failure.workers;
  story.replay = options.replay;
  const std::uint32_t workers = std::clamp(failure.workers, 2U, kMostColumns);
  try {
    const sim::Platform platform = bare_cores(desc, workers);
    const TimedDesc timed(desc, platform);
    const Stage stage{loaded, failure, timed, platform, workers, options.input_seed, options.executes};
    add_table(stage, title_of(desc, failure, true), explore::decisions_of(space, failure.schedule), failure.digest,
              true, story);
    add_table(stage, title_of(desc, failure, false), explore::decisions_of(space, explore::order_under(space, {})),
              failure.serial_digest, false, story);
    if (!story.tables.empty()) story.note += (story.note.empty() ? "" : " ") + how_simulated(stage);
  } catch (const std::invalid_argument& refused) {  // a class of cores that bare cores cannot stand for
    story.note = std::string("Not simulated: ") + refused.what();
  }
  return story;
}

reports::FailureStory make_thread_story(const explore::ThreadFailure& failure, const explore::ThreadReplay& replayed,
                                        std::uint32_t workers, const std::string& replay) {
  reports::FailureStory story;
  story.level = "threads";
  story.law = failure.law;
  story.title = failure.law + ": " + failure.text;
  story.constraints = failure.constraints;
  story.workers = workers;
  story.listing = replayed.listing;
  story.replay = replay;
  std::vector<reports::StoryStep> steps;
  for (const explore::ThreadStep& step : replayed.steps) {
    steps.push_back({step.number, step.thread, step.does, step.preempts});
  }
  if (steps.empty()) return story;
  story.tables.push_back(reports::make_step_table(steps));
  story.tables.back().title = "fails: " + failure.law;
  return story;
}

reports::FailureStory make_engine_story(const ReplayLine& program, const LoadedModel& loaded, bool execute,
                                        const explore::EngineSample& sample) {
  const explore::ThreadFailure& failure = *sample.schedule;
  std::string replay;
  if (execute && !sample.failed_on_fork) {
    const ReplayLine line = thread_line(program, failure.choices, failure.law, sample.replay.listing);
    const explore::ThreadReplay again =
        explore::replay_threads(loaded.desc(), thread_options_of(line, loaded), failure.choices);
    const std::string law = again.failure ? again.failure->law : "";
    if (law == failure.law && again.listing == sample.replay.listing) replay = format_replay_line(line);
  }
  reports::FailureStory story = make_thread_story(failure, sample.replay, program.engine.workers, replay);
  if (sample.failed_on_fork) {
    story.note = "Found on a fork of ops, which stands for no model: the same check finds it again.";
  } else if (replay.empty()) {
    story.note = "Found on the graph of the model without its kernels: the same check finds it again.";
  }
  return story;
}

}  // namespace detent::app
