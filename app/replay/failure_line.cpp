// Failures to replay lines and back.
#include "app/replay/failure_line.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <numeric>
#include <stdexcept>

#include "app/model/schedule_options.hpp"
#include "harness/run.hpp"
#include "harness/run_native.hpp"
#include "verify/explore/ops/oriented.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

constexpr std::size_t kLineShown = 400;  ///< bytes of a replay line that a terminal shows

/// Do the constraints alone decide the bytes of a run of all ops?
bool decide_alone(const explore::OpSpace& space, const explore::OpFailure& failure) {
  std::vector<std::uint32_t> all(space.desc().op_count);
  std::iota(all.begin(), all.end(), 0U);
  return space.complete() && explore::open_decisions(space, failure.schedule, failure.constraints, all).empty();
}

}  // namespace

ReplayLine whole_failure_line(ReplayLine line, const explore::OpSpace& space, const explore::OpFailure& failure) {
  line.on = "native";
  line.engine.workers = failure.workers;
  line.engine.mode = harness::native_mode(line.engine);
  line.digest = harness::format_digest(failure.digest);
  for (const explore::Constraint& c : failure.constraints) line.before.emplace_back(c.first, c.then);
  if (failure.workers != 0 && decide_alone(space, failure)) return line;
  line.engine.policy = "given";
  line.engine.order = failure.schedule;
  if (failure.ops.size() != space.desc().op_count) line.ops = failure.ops;
  return line;
}

ReplayLine failure_line(ReplayLine line, const explore::OpSpace& space, const explore::OpFailure& failure) {
  line = whole_failure_line(std::move(line), space, failure);
  if (line.engine.order.size() <= kOrderInReplay || failure.workers == 0) return line;
  line.engine.policy = "id";
  line.engine.order.clear();
  line.digest.clear();
  return line;
}

explore::ThreadOptions thread_options_of(const ReplayLine& line, const LoadedModel& loaded) {
  const ThreadReplaySpec& threads = line.threads;
  explore::ThreadOptions options;
  options.engine = line.engine;
  options.backends = loaded.backends;
  options.seeds = line.seeds;
  options.runs = threads.runs;
  options.op_deadline_ps = threads.op_deadline_ps;
  options.whole_life = threads.whole_life;
  options.memory = explore::memory_of(threads.memory).value();
  options.spurious_wakeups = threads.spurious;
  options.failing_starts = threads.failing_starts;
  options.early_timeouts = threads.early_timeouts;
  options.async_answers = threads.async_answers;
  options.duplicate_answers = threads.duplicate_answers;
  options.failing_ops = threads.failing_ops;
  options.cancel = threads.cancel;
  return options;
}

std::string hash_listing(const std::string& listing) {
  return fmt::format("{:016x}", XXH3_64bits(listing.data(), listing.size()));
}

std::vector<explore::Constraint> constraints_of(const ReplayLine& line, const detent_desc& desc) {
  std::vector<explore::Constraint> constraints;
  for (const auto& [first, then] : line.before) {
    if (first >= desc.op_count || then >= desc.op_count || first == then) {
      throw std::invalid_argument(fmt::format("replay line: before={}<{}: name two different ops; the model has {}",
                                              first, then, desc.op_count));
    }
    constraints.push_back({first, then});
  }
  return constraints;
}

std::vector<std::uint32_t> order_of(const ReplayLine& line, const explore::OpSpace& space) {
  if (line.engine.order.empty() && line.before.empty()) {
    throw std::invalid_argument(
        "replay line: it has no order=, before= or choices=, so there is no schedule to repeat under the explorer or "
        "behind gates; lines of detent explore have one");
  }
  const std::vector<explore::Constraint> constraints = constraints_of(line, space.desc());
  if (line.engine.order.empty()) {
    std::vector<std::uint32_t> order = explore::order_under(space, constraints);
    if (order.empty()) {
      throw std::invalid_argument("replay line: before=: with the edges of the graph the constraints close a cycle");
    }
    return order;
  }
  if (!verify::is_linear_extension(space.desc(), line.engine.order)) {
    throw std::invalid_argument(
        "replay line: order=: does not hold every op once with every edge pointing forward; it belongs to another "
        "model");
  }
  return line.engine.order;
}

Lines replay_lines(const std::string& line, const std::string& file) {
  Lines lines;
  const bool is_short = line.size() <= kLineShown;
  if (is_short || file.empty()) {
    lines.push_back("  replay    detent replay '" +
                    (is_short ? line + "'" : "...' (--json or --failure has the line)"));
  }
  if (!file.empty()) lines.push_back("  replay    detent replay " + file);
  return lines;
}

}  // namespace detent::app
