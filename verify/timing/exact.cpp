// Zones: symbolic states of the definition of execution, breadth first by the number of ops that have ended.
#include "verify/timing/exact.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "verify/timing/list_rule.hpp"
#include "verify/timing/problem_dag.hpp"
#include "verify/timing/segments.hpp"
#include "verify/timing/zones/zone.hpp"
#include "verify/timing/zones/zone_set.hpp"

namespace detent::verify {
namespace {

/// Which ops have ended, which run, ascending, and by arrival which wait, in their order.
struct Configuration {
  OpSet ended{};
  std::vector<OpId> running{};
  std::vector<OpId> waiting{};

  bool operator==(const Configuration&) const = default;
};

struct ConfigurationHash {
  std::size_t operator()(const Configuration& at) const {
    std::uint64_t hash = 0;
    const auto mix = [&](std::uint64_t word) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32U;
    };
    for (const std::uint64_t word : at.ended) mix(word);
    for (const OpId op : at.running) mix(op + 1U);
    for (const OpId op : at.waiting) mix(op + 1U);
    return static_cast<std::size_t>(hash);
  }
};

/// What is known of one configuration.
struct Reached {
  std::vector<OpId> ready;  ///< may begin, but for cores and mutexes; in their order
  ZoneSet zones;
};

/// All configurations in which equally many ops have ended, in the order in which they were reached.
struct Layer {
  std::unordered_map<Configuration, Reached, ConfigurationHash> reached{};
  std::vector<std::pair<const Configuration, Reached>*> in_order{};

  /// @param make  what is known of `at` where it is new
  template <typename Make>
  std::pair<const Configuration, Reached>& find(Configuration at, Make make) {
    if (const auto known = reached.find(at); known != reached.end()) return *known;
    Reached made = make(at.running);
    in_order.push_back(&*reached.emplace(std::move(at), std::move(made)).first);
    return *in_order.back();
  }
};

class ZoneSearch {
 public:
  ZoneSearch(const TimingProblem& problem, const ExactOptions& options, ExactTimes& found)
      : problem_(problem), options_(options), found_(found), rule_(problem, options.order) {
    for (OpId op = 0; op < problem.ops.size(); ++op) found.responses.push_back({op, kUnknownPs, 0});
    if (options.prune) segments_ = free_segments(problem);
  }

  /// @return  false: the limit was reached
  bool run() {
    found_.best_ps = problem_.ops.empty() ? 0 : kUnknownPs;
    if (problem_.ops.empty()) return true;
    for (Layer layer = first_layer(); !layer.in_order.empty();) {
      Layer next;
      kept_ = 0;
      for (const auto* each : layer.in_order) {
        if (!look_at(each->first, each->second, next)) return false;
      }
      layer = std::move(next);
    }
    found_.worst_order = order_of(worst_step_);
    found_.best_order = order_of(best_step_);
    return true;
  }

 private:
  Layer first_layer() {
    Configuration start{rule_.no_ops(), {}, {}};
    std::vector<OpId> ready = rule_.first_ready();
    rule_.start(start.running, ready);
    if (options_.order.by_arrival) start.waiting = ready;
    Layer layer;
    const std::size_t variables = ZoneView::kFirstOp + start.running.size();
    std::vector<std::int64_t> bounds(variables * variables, 0);
    find(layer, std::move(start), std::move(ready)).second.zones.keep(bounds, {kForLatest | kForEarliest, {}});
    return layer;
  }

  /// @param ready  of the ops that are ready, those that wait
  std::pair<const Configuration, Reached>& find(Layer& layer, Configuration at, std::vector<OpId> ready) const {
    return layer.find(std::move(at), [&](const std::vector<OpId>& running) {
      ZoneSet none(times_of(running, &TimedOp::best_ps), times_of(running, &TimedOp::worst_ps), options_.prune);
      return Reached{std::move(ready), std::move(none)};
    });
  }

  /// One op of a configuration ends.
  struct Successor {
    std::pair<const Configuration, Reached>* reached = nullptr;  ///< null: all have ended, or not looked at yet
    std::vector<std::size_t> from{};                             ///< as ZoneEnd::make
    bool is_known = false;
  };

  void find_successor(const Configuration& at, const Reached& reached, std::size_t i, Layer& next,
                      Successor& made) const {
    const OpId op = at.running[i];
    made.is_known = true;
    Configuration after = at;
    add_op(after.ended, op);
    after.running.erase(after.running.begin() + static_cast<std::ptrdiff_t>(i));
    std::vector<OpId> ready = rule_.ready_behind(op, after.ended, reached.ready);
    rule_.start(after.running, ready);
    if (after.running.empty()) return;
    if (options_.order.by_arrival) after.waiting = ready;
    for (const OpId running : after.running) {
      const auto old = std::ranges::lower_bound(at.running, running);
      const bool is_old = old != at.running.end() && *old == running;
      made.from.push_back(is_old ? ZoneView::kFirstOp + static_cast<std::size_t>(old - at.running.begin())
                                 : ZoneEnd::kBegins);
    }
    made.reached = &find(next, std::move(after), std::move(ready));
  }

  /// A free segment that begins with the end of the only op that runs; null: none does.
  [[nodiscard]] const FreeSegment* segment_behind(const Configuration& at) const {
    if (at.running.size() != 1) return nullptr;
    const auto found = std::ranges::lower_bound(segments_, at.running[0], {}, &FreeSegment::from);
    return found != segments_.end() && found->from == at.running[0] ? &*found : nullptr;
  }

  /// When each op of a free segment ends, and `to` begins, after the end of `from`, where ops take `time` each.
  [[nodiscard]] std::vector<std::int64_t> ends_of(const FreeSegment& segment, std::uint64_t TimedOp::*time) const {
    std::vector<std::int64_t> ends;
    std::unordered_map<std::uint32_t, std::int64_t> begins;
    for (const OpId op : segment.between) {
      ends.push_back(begins[op] + static_cast<std::int64_t>(problem_.ops[op].*time));
      for (std::uint32_t k = problem_.first[op]; k < problem_.first[op + 1]; ++k) {
        std::int64_t& next = begins[problem_.targets[k]];
        next = std::max(next, ends.back());
      }
    }
    ends.push_back(begins[segment.to]);
    return ends;
  }

  /// Passes over a free segment: its ops end later only where they take longer, and earlier only where they take less.
  /// `at` is the only configuration in which so many ops have ended, since `from` is a join op, and so is the next one.
  void skip(const Configuration& at, const Reached& reached, const FreeSegment& segment, Layer& next) {
    Configuration after{at.ended, {segment.to}, {}};
    add_op(after.ended, segment.from);
    for (const OpId op : segment.between) add_op(after.ended, op);
    ZoneSet& zones = find(next, std::move(after), {}).second.zones;
    const std::vector<std::int64_t> earliest = ends_of(segment, &TimedOp::best_ps);
    const std::vector<std::int64_t> latest = ends_of(segment, &TimedOp::worst_ps);
    for (std::size_t z = 0; z < reached.zones.entries().size(); ++z) {
      const ZoneSet::Entry& entry = reached.zones.entries()[z];
      ZoneEnd end(reached.zones.zone(z));
      if (entry.uses == 0 || !end.end(0, reached.zones.best_ps()[0])) continue;
      record(segment.from, end.earliest_ps(), end.latest_ps(), entry.uses);
      for (std::size_t i = 0; i < segment.between.size(); ++i) {
        record(segment.between[i], end.earliest_ps() + earliest[i], end.latest_ps() + latest[i], entry.uses);
      }
      const std::int64_t least = end.earliest_ps() + earliest.back(), most = end.latest_ps() + latest.back();
      for (const ZoneUse use : {kForLatest, kForEarliest}) {
        if ((entry.uses & use) == 0) continue;
        made_ = {0, -least, -least, most, 0, 0, most, 0, 0};
        const Step last = step_over(segment, use == kForLatest ? latest : earliest, entry.step);
        zones.keep(made_, {static_cast<std::uint8_t>(use), last});
      }
    }
  }

  /// The steps in which the ops of a free segment end. @param ends  by op of it
  Step step_over(const FreeSegment& segment, const std::vector<std::int64_t>& ends, Step before) {
    std::vector<std::size_t> in_order(segment.between.size());
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    std::ranges::stable_sort(in_order, {}, [&](std::size_t i) { return ends[i]; });
    const auto add = [&](OpId op) {
      steps_.push_back(before);
      before = {static_cast<std::uint32_t>(steps_.size() - 1), op};
    };
    add(segment.from);
    for (const std::size_t i : in_order) add(segment.between[i]);
    return before;
  }

  /// Every end that can be the next one, of every zone. @return  false: the limit was reached
  bool look_at(const Configuration& at, const Reached& reached, Layer& next) {
    if (const FreeSegment* const segment = segment_behind(at)) {
      found_.zones += reached.zones.size();
      skip(at, reached, *segment, next);
      return found_.zones <= options_.max_zones;
    }
    std::vector<Successor> successors(at.running.size());
    for (std::size_t z = 0; z < reached.zones.entries().size(); ++z) {
      if (reached.zones.entries()[z].uses == 0) continue;
      if (++found_.zones > options_.max_zones) return false;
      const auto step = static_cast<std::uint32_t>(steps_.size());
      steps_.push_back(reached.zones.entries()[z].step);
      ZoneEnd end(reached.zones.zone(z));
      for (std::size_t i = 0; i < at.running.size(); ++i) {
        if (!end.end(i, reached.zones.best_ps()[i])) continue;
        const ZoneSet::Entry entry{reached.zones.entries()[z].uses, {step, at.running[i]}};
        record(at.running[i], end.earliest_ps(), end.latest_ps(), entry.uses);
        Successor& successor = successors[i];
        if (!successor.is_known) find_successor(at, reached, i, next, successor);
        if (successor.reached == nullptr) {
          record_end(end, entry);
          continue;
        }
        end.make(successor.from, made_);
        ZoneSet& zones = successor.reached->second.zones;
        const std::size_t before = zones.size();
        zones.keep(made_, entry);
        kept_ = kept_ + zones.size() - before;
      }
      if (kept_ > options_.max_zones) return false;
    }
    return true;
  }

  void record(OpId op, std::int64_t earliest, std::int64_t latest, std::uint8_t uses) {
    Response& response = found_.responses[op];
    if ((uses & kForEarliest) != 0) {
      response.min_ps = std::min(response.min_ps, static_cast<std::uint64_t>(earliest));
    }
    if ((uses & kForLatest) != 0) response.max_ps = std::max(response.max_ps, static_cast<std::uint64_t>(latest));
  }

  void record_end(const ZoneEnd& end, const ZoneSet::Entry& entry) {
    const auto earliest = static_cast<std::uint64_t>(end.earliest_ps());
    const auto latest = static_cast<std::uint64_t>(end.latest_ps());
    if ((entry.uses & kForEarliest) != 0 && earliest < found_.best_ps) {
      found_.best_ps = earliest;
      best_step_ = entry.step;
    }
    if ((entry.uses & kForLatest) != 0 && (latest > found_.worst_ps || worst_step_.before == Step::kNone)) {
      found_.worst_ps = latest;
      worst_step_ = entry.step;
    }
  }

  [[nodiscard]] std::vector<OpId> order_of(Step step) const {
    std::vector<OpId> order;
    for (; step.before != Step::kNone; step = steps_[step.before]) order.push_back(step.ended);
    std::ranges::reverse(order);
    return order;
  }

  [[nodiscard]] std::vector<std::int64_t> times_of(const std::vector<OpId>& ops, std::uint64_t TimedOp::*time) const {
    std::vector<std::int64_t> times;
    for (const OpId op : ops) times.push_back(static_cast<std::int64_t>(problem_.ops[op].*time));
    return times;
  }

  const TimingProblem& problem_;
  const ExactOptions& options_;
  ExactTimes& found_;
  ListRule rule_;
  std::vector<FreeSegment> segments_;
  std::vector<Step> steps_;  // of all zones that were looked at
  Step worst_step_{}, best_step_{};
  std::uint64_t kept_ = 0;  // zones of the next layer
  std::vector<std::int64_t> made_;
};

}  // namespace

ExactTimes exact_times(const TimingProblem& problem, const ExactOptions& options) {
  require_sound(problem);
  require_order(options.order.rank, problem.ops.size());
  static_cast<void>(sort_topologically(problem));
  ExactTimes found;
  found.reason = outside_execution(problem);
  if (!found.reason.empty()) return found;
  found.is_complete = ZoneSearch(problem, options, found).run();
  if (!found.is_complete) {
    found.reason = "more than " + std::to_string(options.max_zones) + " symbolic states";
    found.responses.clear();
    return found;
  }
  found.worst_ps += problem.fixed_ps;
  for (Response& response : found.responses) response.max_ps += problem.fixed_ps;
  return found;
}

}  // namespace detent::verify
