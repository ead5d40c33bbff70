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
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/units.hpp"
#include "models/files/package.hpp"
#include "models/plan/reuse.hpp"
#include "models/prepare/load.hpp"
#include "reports/data/memory_front.hpp"

namespace detent::app {
namespace {

struct Point {
  std::uint64_t capacity_bytes = 0;
  models::ReusePlan plan{};
  PlanTime time{};
  CheckedPlan checked{};
  std::optional<Dominated> dominated{};
  bool is_known = true;  ///< that it is on the front, or that it is not
  std::string file{};
};

/// Where the tensors of a model lie is what the front is about.
void require_unplaced(const std::string& name, const models::Model& model) {
  if (models::has_plan(model)) {
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
    require_unsplit_schedules(wanted_.request.model, model, wanted_.model.split);
    models::PlanOptions quick;  // only for the times of ops: the plans that count are made below
    quick.rounds = 0;
    ModelOptions options = wanted_.model;
    options.accelerator = wanted_.no_npu ? "" : accelerator_of(platform_);
    settings_ = prepare_chosen(options, quick, model).settings;
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

  void write_picture() const {
    if (!wanted_.html.empty()) write_file_atomically(wanted_.html, reports::front_html(picture()));
  }

  [[nodiscard]] Answer answer() const { return {json(), lines(), outcome()}; }

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
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i].dominated = found[i];
      points_[i].is_known = found[i] ? !found[i]->is_by_bound : is_front_known(costs, i);
    }
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
    if (!wanted_.html.empty()) answer["html"] = wanted_.html;
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
                 {"by_bound", !point.is_known},
                 {"memory_plan", verify::outcome_name(point.checked.memory)},
                 {"edges", std::move(edges)}};
    if (!point.checked.fault.empty()) json["fault"] = point.checked.fault;
    if (!point.file.empty()) json["file"] = point.file;
    json["offsets"] = offsets_json(point.plan.model, point.plan.plan);
    return json;
  }

  [[nodiscard]] static reports::FrontPlan plan_of(const Point& point) {
    using reports::Standing;
    reports::FrontPlan plan{.bytes = point.plan.plan.arena_bytes,
                            .is_exact = point.time.is_exact,
                            .method = point.time.method,
                            .edges = point.plan.edges.size()};
    if (point.time.ps != verify::kUnknownPs) plan.time_ps = point.time.ps;
    if (point.dominated) plan.dominated_by = point.dominated->by;
    plan.standing = point.dominated ? (point.is_known ? Standing::kOff : Standing::kOffByBound)
                                    : (point.is_known ? Standing::kOn : Standing::kOnByBound);
    return plan;
  }

  [[nodiscard]] reports::MemoryFront picture() const {
    reports::MemoryFront made{.model = wanted_.request.model,
                              .platform = platform_.name,
                              .policy = wanted_.exact.policy,
                              .version = kVersion,
                              .lower_bound_bytes = lower_bound_bytes_,
                              .unshared_bytes = unshared_bytes_};
    for (const Point& point : points_) made.plans.push_back(plan_of(point));
    if (!is_exact()) made.why_not_exact = first_bounded().time.assumptions;
    return made;
  }

  /// "3 on the front", and how many may be.
  [[nodiscard]] std::string counts() const {
    std::size_t known = 0, open = 0;
    for (const Point& point : points_) {
      known += !point.dominated && point.is_known ? 1 : 0;
      open += point.is_known ? 0 : 1;
    }
    std::string text = fmt::format("{} on the front between memory and time", known);
    if (open > 0) text += fmt::format(", {} by bounds or unknown", open);
    return text;
  }

  [[nodiscard]] Lines lines() const {
    Lines lines{fmt::format("{} on {}: {}, {}; policy {}", wanted_.request.model, platform_.name,
                            counted(points_.size(), "plan"), counts(), wanted_.exact.policy)};
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
                                  point.plan.edges.size(), reports::standing_text(plan_of(point))));
      if (!point.checked.fault.empty())
        lines.push_back("FAULT: plan " + std::to_string(i) + ": " + point.checked.fault);
    }
    lines.push_back(
        "no: that plan takes no more bytes and no longer" +
        std::string(is_exact() ? ""
                               : "; unknown: so by a bound alone, the worst case may be shorter; by bound: no plan is "
                                 "known to, but some times are bounds"));
    if (!is_exact()) lines.push_back(not_exact_line());
    if (!wanted_.directory.empty()) lines.push_back("packages of the plans: " + points_.front().file + " and so on");
    if (!wanted_.html.empty()) lines.push_back("picture of the front: " + wanted_.html);
    return lines;
  }

  [[nodiscard]] std::string not_exact_line() const {
    return fmt::format("times not marked exact are upper bounds, so which plan is faster is not known of those: {}",
                       first_bounded().time.assumptions);
  }

  /// Of plans that are not all exact.
  [[nodiscard]] const Point& first_bounded() const {
    return *std::ranges::find_if(points_, [](const Point& point) { return !point.time.is_exact; });
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
  maker.write_picture();
  return maker.answer();
}

}  // namespace detent::app
