#include "app/check/bound_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "app/check/bounds.hpp"
#include "app/explore/combinations.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "app/simulate/time_grounds.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "reports/json/op_times_json.hpp"

namespace detent::app {
namespace {

struct Method {
  verify::Bound bound;
  double seconds = 0;
};

std::vector<Method> compute(const PlatformProblems& problems, const sim::Platform& platform, const BoundSpec& spec,
                            const std::string& wanted) {
  using Compute = std::function<verify::Bound()>;
  std::vector<std::pair<std::string, Compute>> all = {{"all", [&] { return verify::critical_path(problems.bare); }},
                                                      {"all", [&] { return verify::work_per_core(problems.bare); }}};
  const std::vector<std::pair<std::string, BoundFunction>> uppers = {
      {"serial", verify::serial_bound}, {"graham", verify::graham_bound}, {"typed", verify::typed_bound}};
  for (const auto& [name, function] : uppers) {
    if (wanted != "all" && name != wanted) continue;
    all.emplace_back(name, [&, chosen = function] { return upper_bound(chosen, problems, platform, spec); });
  }
  std::vector<Method> methods;
  for (const auto& [name, function] : all) {
    const auto begin = std::chrono::steady_clock::now();
    verify::Bound bound = function();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    methods.push_back({std::move(bound), seconds});
  }
  return methods;
}

/// What is known of a model, or of one combination of outcomes of it.
struct Computed {
  std::vector<Method> methods;
  std::vector<verify::Response> responses;
};

Computed compute_all(const BoundRequest& options, const sim::Platform& platform, const LoadedModel& loaded) {
  const BoundSpec spec{.jitter = parse_jitter(options.jitter), .workers = options.workers, .costs = loaded.costs.get()};
  const PlatformProblems problems = timing_problems(loaded.desc(), platform, spec);
  return {compute(problems, platform, spec, options.method), platform_responses(problems, platform, spec)};
}

/// A run has the outcomes of one combination: what bounds them all bounds it, and the worst case of each is one of
/// theirs. Unknown is the largest of all.
void widen(Computed& all, const Computed& one) {
  for (std::size_t i = 0; i < all.methods.size(); ++i) {
    all.methods[i].seconds += one.methods[i].seconds;
    if (one.methods[i].bound.bound_ps > all.methods[i].bound.bound_ps) all.methods[i].bound = one.methods[i].bound;
  }
  for (const verify::Response& response : one.responses) {
    verify::Response& known = *std::ranges::find(all.responses, response.op, &verify::Response::op);
    known.min_ps = std::min(known.min_ps, response.min_ps);
    known.max_ps = std::max(known.max_ps, response.max_ps);
  }
}

/// Where there are too many combinations to look at each: no bound grows where ops take less time, so upper bounds of
/// the model in which all ops run hold for every run. Its critical path may lead through branches that exclude each
/// other, so lower bounds are those of the combinations looked at; and an op may end at once.
void take_upper_bounds(Computed& all, Computed whole) {
  for (std::size_t i = 0; i < all.methods.size(); ++i) {
    if (whole.methods[i].bound.is_upper) all.methods[i] = std::move(whole.methods[i]);
  }
  all.responses = std::move(whole.responses);
  for (verify::Response& response : all.responses) response.min_ps = 0;
}

Computed compute_guarded(const BoundRequest& options, const sim::Platform& platform, const LoadedModel& whole,
                         const Combinations& combinations) {
  std::optional<Computed> all;
  for (const std::string& outcomes : combinations.texts) {
    ModelOptions of_one = options.model;
    of_one.guards = ModelOptions::Guards::kResolved;
    of_one.outcomes = outcomes;
    Computed one = compute_all(options, platform, load(options.request.model, of_one));
    if (all) {
      widen(*all, one);
    } else {
      all = std::move(one);
    }
  }
  if (!combinations.is_whole) take_upper_bounds(*all, compute_all(options, platform, whole));
  return std::move(*all);
}

std::string describe_branches(const Combinations& combinations) {
  return "guards: " + describe_combinations(combinations) +
         (combinations.is_whole ? "; each bound is the largest of them, so of exclusive branches the longer one counts"
                                : ", so upper bounds count every op as if it ran, and lower bounds are of those only");
}

Json methods_json(const std::vector<Method>& methods, bool reproducible) {
  Json list = Json::array();
  for (const Method& method : methods) {
    const bool is_known = method.bound.bound_ps != verify::kUnknownPs;
    Json entry = {{"name", method.bound.name},
                  {"bound_ps", is_known ? Json(method.bound.bound_ps) : Json(nullptr)},
                  {"exact", method.bound.exact},
                  {"is_upper", method.bound.is_upper},
                  {"assumptions", method.bound.assumptions}};
    if (!reproducible) entry["seconds"] = method.seconds;
    list.push_back(std::move(entry));
  }
  return list;
}

Json responses_json(const std::vector<verify::Response>& responses) {
  Json list = Json::array();
  for (const verify::Response& response : responses) {
    const bool is_known = response.max_ps != verify::kUnknownPs;
    list.push_back(
        {{"op", response.op}, {"min", response.min_ps}, {"max", is_known ? Json(response.max_ps) : Json(nullptr)}});
  }
  return list;
}

/// What a bound computes, in a few words.
std::string gloss_of(const std::string& name) {
  static const std::vector<std::pair<std::string, std::string>> kGlosses = {
      {"critical_path", "the longest chain of ops"},
      {"work_per_core", "the work of a class of cores divided by its cores"},
      {"serial", "all ops one after another"},
      {"graham", "Graham's bound: the longest chain, and the work beside it divided by the cores"},
      {"typed", "Graham's bound with a class of cores (a type) for each op"}};
  for (const auto& [known, gloss] : kGlosses) {
    if (name == known) return gloss;
  }
  return name;
}

/// When each op completes at the earliest and at the latest; the last ones, since they make the makespan.
Lines response_lines(const detent_desc& desc, const std::vector<verify::Response>& responses) {
  constexpr std::size_t kShown = 12;
  Lines lines{fmt::format("{:<28}{:>12}{:>12}   completion since release", "op", "earliest", "latest")};
  const std::size_t first = responses.size() > kShown ? responses.size() - kShown : 0;
  for (std::size_t i = first; i < responses.size(); ++i) {
    const verify::Response& response = responses[i];
    const bool is_known = response.max_ps != verify::kUnknownPs;
    const char* const name = desc.ops[response.op].name;
    lines.push_back(fmt::format("{:<28}{:>12}{:>12}", name != nullptr ? name : fmt::format("op {}", response.op),
                                format_time(response.min_ps), is_known ? format_time_up(response.max_ps) : "unknown"));
  }
  if (first > 0) lines.push_back(fmt::format("and {} before them; --json FILE lists all", counted(first, "op")));
  return lines;
}

void require_method(const std::string& name) {
  for (const char* known : {"graham", "typed", "serial", "all"}) {
    if (name == known) return;
  }
  throw std::invalid_argument("--method " + name + ": choose graham, typed, serial or all");
}

}  // namespace

Answer bound_model(const BoundRequest& wanted) {
  BoundRequest options = wanted;
  require_method(options.method);
  sim::Platform platform = choose_platform(platform_word(options.platform, options.cores), options.no_overheads);
  simplify_chip(platform, options.no_contention, options.private_ports);
  const bool has_npu = std::ranges::any_of(platform.classes, [](const sim::CoreClass& c) { return c.name == "npu"; });
  options.model.use_npu = has_npu && !options.no_npu;
  options.model.weights = false;
  const Combinations combinations = combinations_of(options.request.model, options.model);
  options.model.guards = ModelOptions::Guards::kKept;
  const LoadedModel loaded = load(options.request.model, options.model);
  const auto [methods, responses] = combinations.has_guards ? compute_guarded(options, platform, loaded, combinations)
                                                            : compute_all(options, platform, loaded);
  Json answer = json_header("bound", options.request);
  answer["platform"] = platform.name;
  answer["ops"] = loaded.desc().op_count;
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  if (combinations.has_guards) {
    answer["outcomes"] = {{"combinations", combinations.texts.size()}, {"all", combinations.is_whole}};
  }
  answer["methods"] = methods_json(methods, options.request.reproducible);
  const reports::TimeGrounds times = time_grounds(loaded, platform, options.jitter, options.request.model);
  answer["op_times"] = reports::op_times_json(times);
  answer["response_ps"] = responses_json(responses);
  Lines lines;
  bool has_upper = false;
  for (const Method& method : methods) {
    const bool is_known = method.bound.bound_ps != verify::kUnknownPs;
    has_upper = has_upper || (is_known && method.bound.is_upper);
    const std::string time = !is_known               ? "unknown"
                             : method.bound.is_upper ? format_time_up(method.bound.bound_ps)
                                                     : format_time(method.bound.bound_ps);
    lines.push_back(fmt::format("{:<14} {:>12}  {}", method.bound.name, time,
                                !method.bound.is_upper ? "lower bound on the worst case: " + gloss_of(method.bound.name)
                                : is_known
                                    ? "upper bound: " + gloss_of(method.bound.name) + "; " + method.bound.assumptions
                                    : method.bound.assumptions));
  }
  if (combinations.has_guards) lines.push_back(describe_branches(combinations));
  if (!loaded.settings.empty()) lines.push_back(loaded.settings);
  append(lines, ground_lines(times));
  append(lines, response_lines(loaded.desc(), responses));
  return {std::move(answer), std::move(lines), has_upper ? verify::Outcome::kHolds : verify::Outcome::kUnknown};
}

}  // namespace detent::app
