#include "sim/campaign/run_search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/cost/jitter.hpp"

namespace detent::sim {
namespace {

constexpr std::uint64_t kMostCornerOps = 10;
constexpr std::uint64_t kShareOfStage = 4;  // stages 2 and 3 take at most a quarter of the budget each
constexpr std::uint64_t kShareOfLast = 10;  // the last one a tenth

bool ran(const SeenTimes& seen, OpId op) { return seen.end_ps[op] != SeenTimes::kNever; }

/// Ops that ended together with others.
std::vector<OpId> tied_ops(const SeenTimes& seen) {
  std::vector<std::pair<std::uint64_t, OpId>> ends;
  for (OpId op = 0; op < seen.end_ps.size(); ++op) {
    if (ran(seen, op)) ends.emplace_back(seen.end_ps[op], op);
  }
  std::ranges::sort(ends);
  std::vector<OpId> tied;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const bool with_last = i > 0 && ends[i - 1].first == ends[i].first;
    const bool with_next = i + 1 < ends.size() && ends[i + 1].first == ends[i].first;
    if (with_last || with_next) tied.push_back(ends[i].second);
  }
  return tied;
}

bool has_ties(const SeenTimes& seen) { return !tied_ops(seen).empty(); }

void put_first(std::vector<OpId>& ties, OpId op) {
  std::erase(ties, op);
  ties.insert(ties.begin(), op);
}

}  // namespace

RunSearch::RunSearch(std::vector<OpTime> ranges, std::uint64_t budget, std::uint64_t seed)
    : ranges_(std::move(ranges)), budget_(budget), seed_(seed), random_(mix_bits(seed)) {
  for (OpId op = 0; op < ranges_.size(); ++op) {
    if (ranges_[op].best_ps < ranges_[op].worst_ps) varying_.push_back(op);
  }
}

ChosenRun RunSearch::all_worst() const {
  ChosenRun run{.seed = seed_};
  for (const OpTime& range : ranges_) run.times_ps.push_back(range.worst_ps);
  return run;
}

/// Of stages that are over.
void RunSearch::enter_next_stage() {
  if (stage_ == Stage::kAlone && (step_ == varying_.size() || step_ >= budget_ / kShareOfStage)) choose_corners();
  if (stage_ == Stage::kCorners) {
    // Corners of one op were stage 2.
    while (step_ >> corner_ops_.size() == 0 && std::popcount(step_) < 2) ++step_;
    if (step_ >> corner_ops_.size() != 0) stage_ = Stage::kLocal;
  }
  if (stage_ != Stage::kLocal || !is_local_over()) return;
  stage_ = Stage::kSimplify;
  step_ = 0;
}

/// Where no op varies and nothing ever ended at one instant, a proposal would be the run itself.
bool RunSearch::is_local_over() const {
  return told_ >= budget_ - budget_ / kShareOfLast || (varying_.empty() && !has_ties(longest_.seen));
}

std::optional<ChosenRun> RunSearch::next() {
  if (told_ == budget_) return std::nullopt;
  enter_next_stage();
  proposed_ = all_worst();
  switch (stage_) {
    case Stage::kAllWorst:
      break;
    case Stage::kAlone:
      proposed_.times_ps[varying_[step_]] = ranges_[varying_[step_]].best_ps;
      break;
    case Stage::kCorners:
      for (std::size_t i = 0; i < corner_ops_.size(); ++i) {
        if ((step_ >> i & 1U) != 0) proposed_.times_ps[corner_ops_[i]] = ranges_[corner_ops_[i]].best_ps;
      }
      break;
    case Stage::kLocal:
      proposed_ = propose();
      break;
    case Stage::kSimplify:
      proposed_ = longest_.run;
      if (!simplify(proposed_)) return std::nullopt;
      break;
  }
  return proposed_;
}

void RunSearch::tell(std::uint64_t makespan_ps, const SeenTimes& seen) {
  const bool is_simpler = stage_ == Stage::kSimplify && makespan_ps == longest_.makespan_ps;
  if (told_ == 0 || is_simpler || makespan_ps > longest_.makespan_ps) longest_ = {proposed_, seen, makespan_ps};
  ++told_;
  ++step_;
  switch (stage_) {
    case Stage::kAllWorst:
      all_worst_ps_ = makespan_ps;
      stage_ = Stage::kAlone;
      step_ = 0;
      break;
    case Stage::kAlone:
      alone_.emplace_back(makespan_ps, varying_[step_ - 1]);
      break;
    case Stage::kCorners:
    case Stage::kSimplify:
      break;
    case Stage::kLocal:
      idle_ = makespan_ps > current_.makespan_ps || restarts_ ? 0 : idle_ + 1;
      if (makespan_ps >= current_.makespan_ps || restarts_) current_ = {proposed_, seen, makespan_ps};
      restarts_ = false;
      break;
  }
}

/// The ops whose best time alone gave the longest runs.
void RunSearch::choose_corners() {
  stage_ = Stage::kCorners;
  step_ = 0;
  std::ranges::stable_sort(alone_, [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto most = static_cast<std::uint64_t>(std::bit_width(std::max<std::uint64_t>(budget_ / kShareOfStage, 1)) - 1);
  for (const auto& [makespan_ps, op] : alone_) {
    if (corner_ops_.size() < std::min(most, kMostCornerOps)) corner_ops_.push_back(op);
  }
}

ChosenRun RunSearch::propose() {
  const std::uint64_t patience = 20 + varying_.size();
  if (climbs_ == 0 || idle_ >= patience) {
    begin_climb();
    if (restarts_) return proposed_;
  }
  ChosenRun run = current_.run;
  const std::uint32_t kind = random_.below(100);
  const bool moved = kind < 50 ? align(run) : kind < 65 ? swap_ties(run) : false;
  if (moved) return run;
  flip_any(run);
  if (kind >= 85) flip_any(run);
  return run;
}

void RunSearch::flip(ChosenRun& run, OpId op) {
  const OpTime& range = ranges_[op];
  std::uint64_t& time_ps = run.times_ps[op];
  const bool to_best = time_ps == range.worst_ps || (time_ps != range.best_ps && random_.below(2) == 0);
  time_ps = to_best ? range.best_ps : range.worst_ps;
}

void RunSearch::flip_any(ChosenRun& run) {
  if (!varying_.empty()) flip(run, varying_[random_.below(static_cast<std::uint32_t>(varying_.size()))]);
}

/// An op ends when another one does: at such an instant the order of starts changes.
bool RunSearch::align(ChosenRun& run) {
  if (varying_.empty()) return false;
  const OpId op = varying_[random_.below(static_cast<std::uint32_t>(varying_.size()))];
  const SeenTimes& seen = current_.seen;
  if (!ran(seen, op)) return false;
  std::vector<OpId> others;
  for (OpId other = 0; other < ranges_.size(); ++other) {
    if (!ran(seen, other) || seen.end_ps[other] < seen.begin_ps[op]) continue;
    const std::uint64_t time_ps = seen.end_ps[other] - seen.begin_ps[op];
    const bool fits = ranges_[op].best_ps <= time_ps && time_ps <= ranges_[op].worst_ps;
    if (fits && time_ps != run.times_ps[op]) others.push_back(other);
  }
  if (others.empty()) return false;
  const OpId other = others[random_.below(static_cast<std::uint32_t>(others.size()))];
  run.times_ps[op] = seen.end_ps[other] - seen.begin_ps[op];
  put_first(run.ties, random_.below(2) == 0 ? op : other);
  return true;
}

bool RunSearch::swap_ties(ChosenRun& run) {
  const std::vector<OpId> tied = tied_ops(current_.seen);
  if (tied.empty()) return false;
  put_first(run.ties, tied[random_.below(static_cast<std::uint32_t>(tied.size()))]);
  return true;
}

/// One thing less: step 0 leaves out all ties, a step each of them, a step each shorter time. False: all were tried.
bool RunSearch::simplify(ChosenRun& run) {
  const std::size_t ops = ranges_.size();
  for (; step_ <= 2 * ops; ++step_) {
    const auto op = static_cast<std::uint32_t>(step_ == 0 ? 0 : (step_ - 1) % ops);
    if (step_ == 0 && !run.ties.empty()) {
      run.ties.clear();
      return true;
    }
    if (step_ != 0 && step_ <= ops && std::erase(run.ties, op) != 0) return true;
    if (step_ > ops && run.times_ps[op] != ranges_[op].worst_ps) {
      run.times_ps[op] = ranges_[op].worst_ps;
      return true;
    }
  }
  return false;
}

/// First from the longest run; then by turns from a run a few flips away from it and from any corner.
void RunSearch::begin_climb() {
  current_ = longest_;
  idle_ = 0;
  restarts_ = climbs_++ != 0;
  if (!restarts_) return;
  proposed_ = longest_.run;
  if (climbs_ % 2 == 0) {
    for (std::uint32_t i = 0; i < 2 + random_.below(3); ++i) flip_any(proposed_);
    return;
  }
  const std::uint32_t one_in = 2 + random_.below(5);
  proposed_ = all_worst();
  for (const OpId op : varying_) {
    if (random_.below(one_in) == 0) proposed_.times_ps[op] = ranges_[op].best_ps;
  }
}

}  // namespace detent::sim
