#include "app/front/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/front/checked_plan.hpp"
#include "app/front/dominance.hpp"
#include "app/front/timed_plan.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/plan.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "app/simulate/trace_files.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "models/files/package.hpp"
#include "models/plan/reuse.hpp"
#include "models/prepare/load.hpp"

namespace detent::app {
namespace {

struct Point {
  std::uint64_t capacity_bytes = 0;
  models::ReusePlan plan{};
  PlanTime time{};
  CheckedPlan checked{};
  std::optional<Dominated> dominated{};
  std::string file{};
};

/// Where the tensors of a model lie is what the front is about.
void require_unplaced(const std::string& name, const models::Model& model) {
  if (is_placed(model)) {
    throw std::invalid_argument(
        name +
        ": came with the places of its tensors, so there is one plan and no front; give a model without places, "
        "or an op graph with \"buffers\"");
  }
  if (!model.schedules.empty()) {
    throw std::invalid_argument(name + ": carries static schedules, which reuse edges may contradict; remove them");
  }
}

class FrontMaker {
 public:
  FrontMaker(const FrontRequest& wanted, const OnProgress& on_progress)
      : wanted_(wanted),
        on_progress_(on_progress),
        platform_(choose_platform(platform_word(wanted.platform, wanted.cores), false)),
        spec_{.jitter = parse_jitter(wanted.jitter), .workers = wanted.workers} {}

  void make() {
    models::Model model = models::load_model(wanted_.request.model);
    require_unplaced(wanted_.request.model, model);
    require_unsplit_schedules(wanted_.request.model, model, wanted_.split);
    models::PlanOptions quick;  // only for the times of ops: the plans that count are made below
    quick.rounds = 0;
    const std::string npu = wanted_.no_npu ? "" : accelerator_of(platform_);
    settings_ = prepare(model, {.split = wanted_.split, .accelerator = npu, .weight_seed = 0, .plan = quick});
    const models::ReusePlanner planner(model, op_times(model), {});
    lower_bound_bytes_ = planner.serial().plan.lower_bound_bytes;
    unshared_bytes_ = planner.serial().plan.unshared_bytes;
    add_plans(planner);
    if (points_.empty()) refuse_capacity(planner);
    time_points();
    find_front();
  }

  void write_packages() {
    if (wanted_.directory.empty()) return;
    make_output_directory(wanted_.directory);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i].file = (std::filesystem::path(wanted_.directory) / fmt::format("plan_{}.pkg", i)).string();
      models::write_package(points_[i].plan.model, points_[i].file);
    }
  }

  [[nodiscard]] Answer answer() const {
    Answer made{json(), lines(), outcome()};
    return made;
  }

 private:
  std::vector<std::uint64_t> op_times(const models::Model& model) const {
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    require_unguarded(wanted_.request.model, lowered.desc(), "plans are compared for one set of ops");
    const PlatformProblems problems = timing_problems(lowered.desc(), platform_, spec_);
    std::vector<std::uint64_t> times;
    for (std::size_t op = 0; op < model.ops.size(); ++op) times.push_back(problems.by_op.ops[op].worst_ps);
    return times;
  }

  void add_plans(const models::ReusePlanner& planner) {
    const std::uint64_t least = planner.serial().plan.arena_bytes, most = planner.parallel().plan.arena_bytes;
    add(least, planner.serial());
    const std::uint64_t between = most > least ? wanted_.capacities : 0;
    total_ = 2 * (between + 2);
    for (std::uint64_t i = 1; i <= between; ++i) {
      const std::uint64_t capacity = least + (most - least) / (between + 1) * i;
      if (auto plan = planner.within(capacity)) add(capacity, std::move(*plan));
      progress();
    }
    add(most, planner.parallel());
    std::ranges::stable_sort(points_, {}, [](const Point& point) { return point.plan.plan.arena_bytes; });
  }

  /// Each plan once.
  void add(std::uint64_t capacity_bytes, models::ReusePlan plan) {
    if (wanted_.capacity_bytes != 0 && plan.plan.arena_bytes > wanted_.capacity_bytes) return;
    const bool is_known = std::ranges::any_of(points_, [&](const Point& point) {
      return point.plan.plan.arena_bytes == plan.plan.arena_bytes && point.plan.edges == plan.edges;
    });
    if (is_known) return;
    points_.push_back({.capacity_bytes = capacity_bytes, .plan = std::move(plan)});
  }

  [[noreturn]] void refuse_capacity(const models::ReusePlanner& planner) const {
    throw std::invalid_argument(
        fmt::format("{}: the smallest plan, of one order, takes {} bytes, more than the {} of "
                    "--capacity; a larger capacity has plans",
                    wanted_.request.model, planner.serial().plan.arena_bytes, wanted_.capacity_bytes));
  }

  void time_points() {
    total_ = done_ + points_.size();
    for (Point& point : points_) {
      const models::LoweredModel lowered = models::lower(point.plan.model, {.weights = false});
      point.checked = check_plan(point.plan.model, lowered.desc());
      point.time = time_plan(lowered.desc(), platform_, spec_, wanted_.exact);
      progress();
    }
  }

  void find_front() {
    std::vector<PlanCost> costs;
    for (const Point& point : points_)
      costs.push_back({point.plan.plan.arena_bytes, point.time.ps, point.time.is_exact});
    const std::vector<std::optional<Dominated>> found = find_dominated(costs);
    for (std::size_t i = 0; i < points_.size(); ++i) points_[i].dominated = found[i];
  }

  void progress() {
    ++done_;
    if (on_progress_) on_progress_(std::min(done_, total_), total_);
  }

  [[nodiscard]] bool is_exact() const {
    return std::ranges::all_of(points_, [](const Point& point) { return point.time.is_exact; });
  }

  [[nodiscard]] verify::Outcome outcome() const {
    const auto is_faulty = [](const Point& point) { return !point.checked.fault.empty(); };
    if (std::ranges::any_of(points_, is_faulty)) return verify::Outcome::kViolated;
    return is_exact() ? verify::Outcome::kHolds : verify::Outcome::kUnknown;
  }

  [[nodiscard]] Json json() const {
    Json answer = json_header("plan", wanted_.request);
    answer["platform"] = platform_.name;
    answer["policy"] = wanted_.exact.policy;
    if (!settings_.empty()) answer["settings"] = settings_;
    answer["lower_bound_bytes"] = lower_bound_bytes_;
    answer["unshared_bytes"] = unshared_bytes_;
    answer["exact"] = is_exact();
    answer["points"] = Json::array();
    for (const Point& point : points_) answer["points"].push_back(point_json(point));
    return answer;
  }

  [[nodiscard]] static Json point_json(const Point& point) {
    const bool is_known = point.time.ps != verify::kUnknownPs;
    Json edges = Json::array();
    for (const models::Edge& edge : point.plan.edges) edges.push_back({edge.from, edge.to});
    Json json = {{"arena_bytes", point.plan.plan.arena_bytes},
                 {"capacity_bytes", point.capacity_bytes},
                 {"time_ps", is_known ? Json(point.time.ps) : Json(nullptr)},
                 {"method", point.time.method},
                 {"exact", point.time.is_exact},
                 {"assumptions", point.time.assumptions},
                 {"states", point.time.states},
                 {"front", !point.dominated.has_value()},
                 {"dominated_by", point.dominated ? Json(point.dominated->by) : Json(nullptr)},
                 {"by_bound", point.dominated && point.dominated->is_by_bound},
                 {"memory_plan", verify::outcome_name(point.checked.memory)},
                 {"edges", std::move(edges)}};
    if (!point.checked.fault.empty()) json["fault"] = point.checked.fault;
    if (!point.file.empty()) json["file"] = point.file;
    json["offsets"] = offsets_json(point.plan.model, point.plan.plan);
    return json;
  }

  [[nodiscard]] static std::string standing(const Point& point) {
    if (!point.dominated) return "yes";
    return fmt::format("{}: plan {}", point.dominated->is_by_bound ? "unknown" : "no", point.dominated->by);
  }

  [[nodiscard]] Lines lines() const {
    const auto front = std::ranges::count_if(points_, [](const Point& point) { return !point.dominated; });
    Lines lines{fmt::format("{} on {}: {}, {} on the front between memory and time; policy {}", wanted_.request.model,
                            platform_.name, counted(points_.size(), "plan"), front, wanted_.exact.policy)};
    lines.push_back(
        fmt::format("workspace lower bound {}, without sharing {}; each plan is valid for every schedule of "
                    "the edges that it adds",
                    format_bytes(lower_bound_bytes_), format_bytes(unshared_bytes_)));
    if (!settings_.empty()) lines.push_back(settings_);
    lines.push_back(fmt::format("{:>4}{:>12}{:>11}{:>13}  {:<7}{:>6}  {}", "plan", "bytes", "", "worst case", "by",
                                "edges", "front"));
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      const std::uint64_t bytes = point.plan.plan.arena_bytes;
      const bool is_known = point.time.ps != verify::kUnknownPs;
      lines.push_back(fmt::format("{:>4}{:>12}{:>11}{:>13}  {:<7}{:>6}  {}", i, bytes, format_bytes(bytes),
                                  is_known ? format_time_up(point.time.ps) : "unknown",
                                  point.time.is_exact            ? "exact"
                                  : point.time.method == "exact" ? "bound"
                                                                 : point.time.method,
                                  point.plan.edges.size(), standing(point)));
      if (!point.checked.fault.empty())
        lines.push_back("FAULT: plan " + std::to_string(i) + ": " + point.checked.fault);
    }
    lines.push_back("no: that plan takes no more bytes and no longer" +
                    std::string(is_exact() ? "" : "; unknown: so by a bound alone, the worst case may be shorter"));
    if (!is_exact()) lines.push_back(not_exact_line());
    if (!wanted_.directory.empty()) lines.push_back("packages of the plans: " + points_.front().file + " and so on");
    return lines;
  }

  [[nodiscard]] std::string not_exact_line() const {
    const auto first = std::ranges::find_if(points_, [](const Point& point) { return !point.time.is_exact; });
    return fmt::format("times not marked exact are upper bounds, so which plan is faster is not known of those: {}",
                       first->time.assumptions);
  }

  const FrontRequest& wanted_;
  const OnProgress& on_progress_;
  sim::Platform platform_;
  BoundSpec spec_;
  std::string settings_{};
  std::uint64_t lower_bound_bytes_ = 0, unshared_bytes_ = 0;
  std::vector<Point> points_{};
  std::uint64_t done_ = 0, total_ = 0;
};

}  // namespace

Answer plan_front(const FrontRequest& wanted, const OnProgress& on_progress) {
  FrontMaker maker(wanted, on_progress);
  maker.make();
  maker.write_packages();
  return maker.answer();
}

}  // namespace detent::app
