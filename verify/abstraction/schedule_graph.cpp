// The graph of states, breadth first by the number of ops that have begun and may wait.
#include "verify/abstraction/schedule_graph.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "verify/abstraction/competition.hpp"
#include "verify/abstraction/dispatch.hpp"
#include "verify/abstraction/state.hpp"
#include "verify/timing/list_rule.hpp"
#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

struct OpSetHash {
  std::size_t operator()(const OpSet& ops) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : ops) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32U;
    }
    return static_cast<std::size_t>(hash);
  }
};

struct Reached {
  BegunOps begun{};
  StateSet states{};
};

/// All sets of ops that have begun of which equally many may wait, in the order in which they were reached.
struct Layer {
  std::unordered_map<OpSet, Reached, OpSetHash> reached{};
  std::vector<std::pair<const OpSet, Reached>*> in_order{};
};

class ScheduleGraph {
 public:
  ScheduleGraph(const TimingProblem& problem, const AbstractionOptions& options, AbstractTimes& found)
      : problem_(problem),
        options_(options),
        found_(found),
        competition_(problem, options.order),
        dispatch_(problem, competition_),
        is_awaited_(problem.ops.size(), false) {
    for (OpId op = 0; op < problem.ops.size(); ++op) found.responses.push_back({op, kUnknownPs, 0});
  }

  /// @return  false: the limit was reached
  bool run() {
    found_.best_ps = kUnknownPs;
    for (Layer layer = first_layer(); !layer.in_order.empty();) {
      Layer next;
      kept_ = 0;
      for (const auto* each : layer.in_order) {
        if (look_at(each->first, each->second, next)) continue;
        leave(layer);
        return false;
      }
      layer = std::move(next);
    }
    found_.worst_ps = 0;
    for (const Response& response : found_.responses) found_.worst_ps = std::max(found_.worst_ps, response.max_ps);
    return true;
  }

 private:
  Layer first_layer() {
    OpSet begun((problem_.ops.size() + 63) / 64, 0);
    BegunOps before;
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      if (competition_.before(op).empty()) before.candidates.push_back(op);
    }
    const std::vector<OpId> at_once = add_at_once(before.candidates, begun);
    dispatch_.take_up(dispatch_.start(), before);
    dispatch_.begin_at_once(at_once);
    record(at_once);
    Layer layer;
    Reached& reached = find(std::move(begun), before, at_once, layer);
    reached.states.add(dispatch_.made(reached.begun.awaited), options_.width);
    return layer;
  }

  [[nodiscard]] bool may_begin(OpId op, const OpSet& begun) const {
    return !holds_op(begun, op) &&
           std::ranges::all_of(competition_.before(op), [&](OpId p) { return holds_op(begun, p); });
  }

  /// Adds those of `ops` that never wait and whose predecessors have all begun, and what they let begin in turn.
  /// @return  them, in an order that the DAG allows
  std::vector<OpId> add_at_once(std::vector<OpId> ops, OpSet& begun) const {
    std::vector<OpId> added;
    while (!ops.empty()) {
      const OpId op = ops.back();
      ops.pop_back();
      if (!competition_.never_waits(op) || !may_begin(op, begun)) continue;
      add_op(begun, op);
      added.push_back(op);
      for (const OpId next : behind(op)) ops.push_back(next);
    }
    return added;
  }

  [[nodiscard]] std::span<const std::uint32_t> behind(OpId op) const {
    return std::span(problem_.targets).subspan(problem_.first[op], problem_.first[op + 1] - problem_.first[op]);
  }

  /// @param before  of the set without `added`
  Reached& find(OpSet begun, const BegunOps& before, const std::vector<OpId>& added, Layer& layer) {
    const auto [place, is_new] = layer.reached.try_emplace(std::move(begun));
    if (!is_new) return place->second;
    layer.in_order.push_back(&*place);
    place->second.begun = begun_behind(place->first, before, added);
    return place->second;
  }

  BegunOps begun_behind(const OpSet& begun, const BegunOps& before, const std::vector<OpId>& added) {
    BegunOps made;
    const auto add_candidate = [&](OpId op) {
      if (may_begin(op, begun) && std::ranges::find(made.candidates, op) == made.candidates.end()) {
        made.candidates.push_back(op);
      }
    };
    for (const OpId op : before.candidates) add_candidate(op);
    std::vector<OpId> awaited = before.awaited;
    for (const OpId op : added) {
      for (const OpId next : behind(op)) add_candidate(next);
      awaited.push_back(op);
    }
    std::ranges::sort(awaited, std::ranges::greater(), [&](OpId op) { return competition_.place(op); });
    for (const OpId op : awaited) {
      is_awaited_[op] = std::ranges::any_of(behind(op), [&](OpId next) {
        return !holds_op(begun, next) || (competition_.never_waits(next) && is_awaited_[next]);
      });
      if (is_awaited_[op]) made.awaited.push_back(op);
    }
    for (const OpId op : awaited) is_awaited_[op] = false;
    std::ranges::reverse(made.awaited);
    return made;
  }

  /// One op of a set begins.
  struct Successor {
    Reached* reached = nullptr;  ///< null: not looked at yet
    std::vector<OpId> at_once{};
  };

  /// Every begin that can be the next one, of every state. @return  false: the limit was reached
  bool look_at(const OpSet& begun, const Reached& reached, Layer& next) {
    const std::vector<OpId>& candidates = reached.begun.candidates;
    std::vector<Successor> successors(candidates.size());
    std::vector<BeginInterval> begins(candidates.size());
    for (const AbstractState& state : reached.states.states()) {
      if (++found_.states > options_.max_states || kept_ > options_.max_states) return false;
      if (candidates.empty()) found_.best_ps = std::min(found_.best_ps, static_cast<std::uint64_t>(state.ends_ps));
      dispatch_.look_at(state, reached.begun);
      for (std::size_t i = 0; i < candidates.size(); ++i) begins[i] = dispatch_.begin_of(candidates[i]);
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (begins[i].earliest_ps > begins[i].latest_ps) continue;
        Successor& successor = successors[i];
        if (successor.reached == nullptr) {
          OpSet after = begun;
          add_op(after, candidates[i]);
          successor.at_once = add_at_once({behind(candidates[i]).begin(), behind(candidates[i]).end()}, after);
          std::vector<OpId> added = successor.at_once;
          added.push_back(candidates[i]);
          successor.reached = &find(std::move(after), reached.begun, added, next);
        }
        dispatch_.take_up(state, reached.begun);
        dispatch_.begin(candidates[i], begins[i], successor.at_once);
        record({candidates[i]});
        record(successor.at_once);
        StateSet& states = successor.reached->states;
        const std::size_t before = states.states().size();
        states.add(dispatch_.made(successor.reached->begun.awaited), options_.width);
        kept_ = kept_ + states.states().size() - before;
      }
    }
    return true;
  }

  void record(const std::vector<OpId>& ops) {
    for (const OpId op : ops) {
      const EndInterval& end = dispatch_.ends(op);
      Response& response = found_.responses[op];
      response.min_ps = std::min(response.min_ps, static_cast<std::uint64_t>(end.earliest_ps));
      response.max_ps = std::max(response.max_ps, static_cast<std::uint64_t>(end.latest_ps));
    }
  }

  /// Every run is in a state of this layer, behind which nothing was looked at, or not everything.
  void leave(const Layer& layer) {
    found_.best_ps = 0;
    found_.worst_ps = 0;
    std::vector<bool> has_begun(problem_.ops.size(), true);
    for (const auto* each : layer.in_order) {
      for (const AbstractState& state : each->second.states.states()) {
        dispatch_.take_up(state, each->second.begun);
        found_.worst_ps = std::max(found_.worst_ps, bound_from(each->first, each->second.begun));
      }
      for (OpId op = 0; op < problem_.ops.size(); ++op) has_begun[op] = has_begun[op] && holds_op(each->first, op);
    }
    for (Response& response : found_.responses) {
      if (!has_begun[response.op]) response = {response.op, 0, kUnknownPs};
    }
  }

  /// Of the state that was taken up: from its earliest now on its ops need no longer than until their latest ends, and
  /// the others their worst times. What runs then is a work-conserving schedule of the rest.
  [[nodiscard]] std::uint64_t bound_from(const OpSet& begun, const BegunOps& at) const {
    TimingProblem rest = problem_;
    rest.fixed_ps = 0;
    const auto now_ps = static_cast<std::uint64_t>(dispatch_.now_ps());
    const auto shorten = [&](OpId op, std::uint64_t end_ps) {
      const std::uint64_t left_ps = end_ps > now_ps ? end_ps - now_ps : 0;
      rest.ops[op].worst_ps = std::min(rest.ops[op].worst_ps, left_ps);
      rest.ops[op].best_ps = 0;
    };
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      if (holds_op(begun, op)) shorten(op, found_.responses[op].max_ps);
    }
    for (const OpId op : at.awaited) shorten(op, static_cast<std::uint64_t>(dispatch_.ends(op).latest_ps));
    std::uint64_t least_ps = kUnknownPs;
    for (Bound (*const upper)(const TimingProblem&) : upper_bounds()) {
      least_ps = std::min(least_ps, upper(rest).bound_ps);
    }
    return least_ps == kUnknownPs ? kUnknownPs : now_ps + least_ps;
  }

  const TimingProblem& problem_;
  const AbstractionOptions& options_;
  AbstractTimes& found_;
  Competition competition_;
  Dispatch dispatch_;
  std::vector<bool> is_awaited_;  // by op, while begun_behind works
  std::uint64_t kept_ = 0;        // states of the next layer
};

}  // namespace

AbstractTimes abstract_times(const TimingProblem& problem, const AbstractionOptions& options) {
  require_sound(problem);
  require_order(options.order.rank, problem.ops.size());
  if (options.width == 0) throw std::invalid_argument("schedule abstraction: one state at least of each set of ops");
  static_cast<void>(sort_topologically(problem));
  AbstractTimes found;
  found.reason = outside_execution(problem);
  if (!found.reason.empty()) return found;
  found.applies = true;
  found.is_complete = ScheduleGraph(problem, options, found).run();
  if (!found.is_complete) found.reason = "more than " + std::to_string(options.max_states) + " states";
  if (found.worst_ps != kUnknownPs) found.worst_ps += problem.fixed_ps;
  for (Response& response : found.responses) {
    if (response.max_ps != kUnknownPs) response.max_ps += problem.fixed_ps;
  }
  return found;
}

}  // namespace detent::verify
