#include "app/bound/bound_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "app/bound/abstract_bound.hpp"
#include "app/bound/bounds.hpp"
#include "app/bound/budget.hpp"
#include "app/bound/counted_bound.hpp"
#include "app/bound/guarded_bounds.hpp"
#include "app/bound/list_bound.hpp"
#include "app/bound/sensitivity.hpp"
#include "app/bound/smt_bound.hpp"
#include "app/deadline/deadline.hpp"
#include "app/deadline/period_use.hpp"
#include "app/explore/combinations.hpp"
#include "app/simulate/auto_split.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "app/simulate/time_grounds.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/units.hpp"
#include "reports/json/budget_json.hpp"
#include "reports/json/deadline_json.hpp"
#include "reports/json/op_times_json.hpp"
#include "reports/text/report_text.hpp"

namespace detent::app {
namespace {

/// Symbolic states of the closed loop, at most, where only lists were asked for.
constexpr std::uint64_t kComparedStates = 100'000;

void add_proof(const BoundRequest& options, const sim::Platform& platform, const BoundSpec& spec,
               const PlatformProblems& problems, const ExactBound& exact, ModelBounds& made) {
  const auto begin = std::chrono::steady_clock::now();
  ProvedBound proved = smt_bound(problems, platform, spec, {.seconds = options.smt_seconds, .steps = options.smt_steps},
                                 options.exact.policy, exact);
  made.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  made.bounds.push_back(std::move(proved.bound));
  made.proof = proved.summary;
  made.fault = std::move(proved.fault);
}

void add_exact(const BoundRequest& options, const sim::Platform& platform, const BoundSpec& spec,
               const PlatformProblems& problems, const LoadedModel& loaded, ModelBounds& made) {
  const auto begin = std::chrono::steady_clock::now();
  ExactBound exact = exact_bound(loaded.desc(), problems, platform, spec, options.exact);
  made.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  made.bounds.push_back(exact.bound);
  made.exact = exact.summary;
  if (options.method == "smt") add_proof(options, platform, spec, problems, exact, made);
  if (!exact.responses.empty()) made.responses = std::move(exact.responses);
  if (exact.budget) made.exact_budget = {exact.bound.bound_ps, std::move(*exact.budget), loaded.outcomes};
  if (!exact.witness) return;
  made.witness = run_witness(loaded, *exact.witness, {platform, spec.workers, std::move(exact.order)});
}

BoundSpec closed_loop_spec(const BoundRequest& options, const LoadedModel& loaded) {
  return {.jitter = parse_jitter(options.jitter),
          .workers = options.workers != 0 ? options.workers : loaded.given_cpu_workers,
          .costs = loaded.costs.get()};
}

/// Beside lists: what the closed loop needs at most on the same cores.
ClosedLoop closed_loop(const BoundRequest& options, const sim::Platform& platform, const LoadedModel& loaded) {
  ExactQuestion question = options.exact;
  question.max_states = std::min(question.max_states, kComparedStates);
  const BoundSpec spec = closed_loop_spec(options, loaded);
  ExactBound exact =
      exact_bound(loaded.desc(), timing_problems(loaded.desc(), platform, spec), platform, spec, question);
  return {std::move(exact.bound), exact.summary};
}

void add_lists(const BoundRequest& options, const sim::Platform& platform, const PlatformProblems& problems,
               const LoadedModel& loaded, ModelBounds& made) {
  const auto begin = std::chrono::steady_clock::now();
  ListBound lists = list_bound(carried_lists(loaded.desc(), loaded.given_workers), problems, platform);
  made.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  made.bounds.push_back(std::move(lists.bound));
  made.best_of_lists_ps = lists.best_ps;
  if (!lists.responses.empty()) made.responses = std::move(lists.responses);
  if (options.method == "lists") made.closed_loop = closed_loop(options, platform, loaded);
}

/// Beside the analytic bounds it shall cost little: so many states of a model of as many ops.
std::uint64_t short_states(std::size_t ops) { return std::min<std::uint64_t>(20'000, 2'000'000 / (ops + 1)); }

void add_abstraction(const BoundRequest& options, const sim::Platform& platform, const BoundSpec& spec,
                     const PlatformProblems& problems, const LoadedModel& loaded, bool has_open_outcomes,
                     ModelBounds& made) {
  const auto begin = std::chrono::steady_clock::now();
  AbstractQuestion question{options.exact.policy, options.exact.max_states, options.sag_width};
  if (options.method == "all") {
    question.max_states = std::min(question.max_states, short_states(loaded.desc().op_count));
  }
  AbstractBound found = has_open_outcomes
                            ? no_abstract_bound()
                            : abstract_bound(loaded.desc(), problems, platform, spec, question, made.responses);
  made.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (found.bound.bound_ps != verify::kUnknownPs) made.abstraction = found.summary;
  made.bounds.push_back(std::move(found.bound));
  if (options.method == "sag" && !found.responses.empty()) made.responses = std::move(found.responses);
}

Json closed_loop_json(const ClosedLoop& found, const std::string& policy) {
  const bool is_known = found.bound.bound_ps != verify::kUnknownPs;
  Json json = {{"policy", policy},
               {"bound_ps", is_known ? Json(found.bound.bound_ps) : Json(nullptr)},
               {"exact", found.bound.exact},
               {"assumptions", found.bound.assumptions}};
  if (found.summary.is_complete) json["best_ps"] = found.summary.best_ps;
  return json;
}

std::string closed_loop_line(const ClosedLoop& found) {
  const bool is_known = found.bound.bound_ps != verify::kUnknownPs;
  return fmt::format("{:<14} {:>12}  beside the lists: the closed loop on the same cores, {}: {}", "closed loop",
                     is_known ? format_time_up(found.bound.bound_ps) : "unknown",
                     found.bound.exact ? "exact worst case" : "at most", found.bound.assumptions);
}

/// Of lists, where the model has any.
BoundSpec spec_of(const BoundRequest& options, const sim::Platform& platform, const LoadedModel& loaded) {
  BoundSpec spec{.jitter = parse_jitter(options.jitter), .workers = options.workers, .costs = loaded.costs.get()};
  if (loaded.given_workers != 0) {
    const harness::EngineSpec lists{.workers = options.workers != 0 ? options.workers : loaded.given_cpu_workers,
                                    .mode = DETENT_MODE_STATIC};
    require_simulated_schedule(loaded, platform, lists);
    spec.workers = lists.workers;
    spec.engine = {std::nullopt, false};
    spec.is_work_conserving = false;
  }
  return spec;
}

/// @param has_open_outcomes  decisions of the model say which of its ops run
ModelBounds compute_bounds(const BoundRequest& options, const sim::Platform& platform, const LoadedModel& loaded,
                           bool has_open_outcomes) {
  const BoundSpec spec = spec_of(options, platform, loaded);
  const PlatformProblems problems = timing_problems(loaded.desc(), platform, spec);
  using Compute = std::function<verify::Bound()>;
  std::vector<Compute> all = {[&] { return verify::critical_path(problems.bare); },
                              [&] { return verify::work_per_core(problems.bare); }};
  const std::vector<std::pair<std::string, BoundFunction>> uppers = {{"serial", verify::serial_bound},
                                                                     {"graham", verify::graham_bound},
                                                                     {"typed", verify::typed_bound},
                                                                     {"he2022", verify::long_paths_bound}};
  for (const auto& [name, function] : uppers) {
    if (options.method != "all" && name != options.method) continue;
    all.emplace_back([&, chosen = function] { return upper_bound(chosen, problems, platform, spec); });
  }
  ModelBounds made;
  for (const Compute& compute : all) {
    const auto begin = std::chrono::steady_clock::now();
    made.bounds.push_back(compute());
    made.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  made.responses = platform_responses(problems, platform, spec);
  const bool has_lists = loaded.given_workers != 0;
  if (options.method == "sag" || (options.method == "all" && !has_lists)) {
    add_abstraction(options, platform, spec, problems, loaded, has_open_outcomes, made);
  }
  if (options.method == "lists" || (options.method == "all" && has_lists)) {
    add_lists(options, platform, problems, loaded, made);
  }
  if (options.method == "exact" || options.method == "smt") add_exact(options, platform, spec, problems, loaded, made);
  return made;
}

Json methods_json(const ModelBounds& found, bool reproducible) {
  Json list = Json::array();
  for (std::size_t i = 0; i < found.bounds.size(); ++i) {
    const verify::Bound& bound = found.bounds[i];
    const bool is_known = bound.bound_ps != verify::kUnknownPs;
    Json entry = {{"name", bound.name},
                  {"bound_ps", is_known ? Json(bound.bound_ps) : Json(nullptr)},
                  {"exact", bound.exact},
                  {"is_upper", bound.is_upper},
                  {"assumptions", bound.assumptions}};
    if (bound.name == "exact") entry["states"] = found.exact->states;
    if (bound.name == "sag" && found.abstraction) {
      entry["states"] = found.abstraction->states;
      entry["complete"] = found.abstraction->is_complete;
      entry["best_ps"] = found.abstraction->best_ps;
    }
    if (bound.name == "smt") entry["questions"] = found.proof->questions;
    if (bound.name == "smt") entry["steps"] = found.proof->steps;
    if (!reproducible) entry["seconds"] = found.seconds[i];
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
      {"he2022",
       "as Graham's, and of the work beside the longest chain that of further long chains taken off (He et al.)"},
      {"typed", "Graham's bound with a class of cores (a type) for each op"},
      {"exact", "of one policy"},
      {"smt", "of one policy, by Z3"},
      {"sag", "of one policy, by schedule abstraction"},
      {"lists", "of these lists"}};
  for (const auto& [known, gloss] : kGlosses) {
    if (name == known) return gloss;
  }
  return name;
}

Json outcomes_json(const Combinations& combinations, const std::vector<OutcomeBound>& bounds) {
  Json list = Json::array();
  for (const OutcomeBound& bound : bounds) {
    list.push_back({{"outcomes", bound.outcomes}, {"method", bound.method}, {"bound_ps", bound.bound_ps}});
  }
  Json json = {
      {"combinations", combinations.texts.size()}, {"all", combinations.is_whole}, {"bounds", std::move(list)}};
  if (combinations.most_failures) json["most_failures"] = *combinations.most_failures;
  return json;
}

/// How long each way through branches and fallbacks can take, the longest first.
Lines outcome_lines(std::vector<OutcomeBound> bounds) {
  constexpr std::size_t kShown = 8;
  std::ranges::stable_sort(bounds, std::ranges::greater(), &OutcomeBound::bound_ps);
  Lines lines;
  for (std::size_t i = 0; i < std::min(kShown, bounds.size()); ++i) {
    lines.push_back(fmt::format("{:>12}  at most where {}", format_time_up(bounds[i].bound_ps), bounds[i].shown));
  }
  if (bounds.size() > kShown) {
    lines.push_back(fmt::format("and {} that take no longer; --json FILE lists all",
                                counted(bounds.size() - kShown, "combination")));
  }
  return lines;
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

/// `witness` and `best_witness`, and the graph file where one is wanted.
void add_witness(const std::string& file, const RunWitness& witness, Json& answer) {
  answer["witness"] = witness.worst;
  answer["best_witness"] = witness.best;
  if (file.empty()) return;
  if (!witness.no_graph.empty()) throw std::invalid_argument("--witness " + file + ": " + witness.no_graph);
  write_file_atomically(file, witness.graph);
  answer["witness"]["file"] = file;
}

/// How to simulate the graph of the worst run.
std::string remedy_of(const BoundRequest& options, const RunWitness& witness) {
  return fmt::format("detent simulate {} {} --policy {} --runs 1", options.witness,
                     options.cores.empty() ? "--platform " + options.platform : "--cores " + options.cores,
                     witness.worst["policy"].get<std::string>());
}

/// What the lowest bound counts, and what moves it. @return  "", or a fault of ours
std::string add_budget(const BoundRequest& options, const sim::Platform& platform, const LoadedModel& loaded,
                       const Combinations& combinations, const ModelBounds& found, const reports::TimeGrounds& times,
                       Json& answer, Lines& lines) {
  SensitivityLimits limits;
  if (options.budget) limits = {.states = options.exact.max_states, .visits = 10 * limits.visits};
  const auto [budget, sensitivity] =
      count_lowest_bound({.name = options.request.model,
                          .model = options.model,
                          .whole = loaded,
                          .combinations = combinations,
                          .platform = platform,
                          .spec_of = [&](const LoadedModel& model) { return spec_of(options, platform, model); },
                          .found = found,
                          .times = times,
                          .exact = options.exact,
                          .limits = limits});
  answer["budget"] = reports::budget_json(budget);
  reports::add_sensitivity(sensitivity, answer);
  if (options.budget && budget) append(lines, budget_lines(*budget));
  append(lines, measure_first_lines(sensitivity, options.budget));
  return budget ? budget->fault : "";
}

void require_method(const std::string& name) {
  for (const char* known : {"graham", "he2022", "typed", "serial", "exact", "smt", "sag", "lists", "all"}) {
    if (name == known) return;
  }
  throw std::invalid_argument("--method " + name +
                              ": choose graham, he2022, typed, serial, exact, smt, sag, lists or all");
}

/// Lists are executed by static mode, and by no other.
void require_lists(const BoundRequest& options) {
  const bool has_lists = !options.model.schedule.empty();
  if (options.method == "lists" && !has_lists) throw std::invalid_argument("--method lists: add --lists FILE");
  if (options.mode == "static" && !has_lists) throw std::invalid_argument("--mode static: add --lists FILE");
  if (options.mode == "closed-loop" && has_lists) {
    throw std::invalid_argument("--mode closed-loop: static mode alone follows lists; leave one of them out");
  }
}

/// What bounds a method has no meaning where it is not asked.
void require_asked(const BoundRequest& options) {
  static const BoundRequest kDefaults;
  const bool is_limited = options.smt_seconds != kDefaults.smt_seconds || options.smt_steps != kDefaults.smt_steps;
  if (is_limited && options.method != "smt") {
    throw std::invalid_argument("--smt-limit and --smt-steps: only --method smt asks Z3; add it or leave them out");
  }
  const bool has_abstraction = options.method == "sag" || options.method == "all";
  if (options.sag_width != kDefaults.sag_width && !has_abstraction) {
    throw std::invalid_argument("--sag-width: only --method sag and all have such states; add one or leave it out");
  }
  if (options.sag_width == 0) throw std::invalid_argument("--sag-width 0: must be at least 1");
}

/// Decisions choose the ops of a run, so that of such models no single sum is the work of a period.
std::vector<reports::ClassUse> uses_of(const BoundRequest& options, const sim::Platform& platform,
                                       const LoadedModel& loaded, const Combinations& combinations) {
  if (combinations.has_guards || !loaded.model.demands.period_ps) return {};
  const PlatformProblems problems = timing_problems(loaded.desc(), platform, spec_of(options, platform, loaded));
  return network_uses(loaded.model.demands, loaded.desc(), problems.bare);
}

}  // namespace

Answer bound_model(const BoundRequest& wanted) {
  BoundRequest options = wanted;
  require_method(options.method);
  require_lists(options);
  require_asked(options);
  static_cast<void>(wanted_deadline(options.deadline, {}, ""));
  sim::Platform platform = choose_platform(platform_word(options.platform, options.cores), options.no_overheads);
  simplify_chip(platform, options.no_contention, options.private_ports);
  if (!options.no_npu) options.model.accelerator = accelerator_of(platform);
  options.model.weights = false;
  settle_split(options.request.model, platform, options.workers, options.model);
  const Combinations combinations = combinations_of(options.request.model, options.model);
  options.model.guards = ModelOptions::Guards::kKept;
  const LoadedModel loaded = load(options.request.model, options.model);
  const auto bounds_of = [&](const LoadedModel& model) {
    return compute_bounds(options, platform, model, combinations.has_guards && &model == &loaded);
  };
  const ModelBounds found = combinations.has_guards ? bounds_of_combinations(options.request.model, options.model,
                                                                             loaded, combinations, bounds_of)
                                                    : bounds_of(loaded);
  Json answer = json_header("bound", options.request);
  answer["platform"] = platform.name;
  answer["ops"] = loaded.desc().op_count;
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  if (combinations.has_guards) {
    answer["outcomes"] = outcomes_json(combinations, found.by_outcome);
  }
  answer["methods"] = methods_json(found, options.request.reproducible);
  const bool is_exact_known = found.exact && found.exact->is_complete;
  const bool is_proved = found.proof && found.proof->is_complete;
  const std::uint64_t best_ps = is_exact_known ? found.exact->best_ps : is_proved ? found.proof->best_ps : 0;
  if (is_exact_known || is_proved) answer["best_ps"] = best_ps;
  reports::TimeGrounds times = time_grounds(loaded, platform, options.jitter, options.request.model);
  times.assumed_failures = describe_most_failures(combinations);
  if (found.witness) add_witness(options.witness, *found.witness, answer);
  if (!found.witness && !options.witness.empty()) {
    throw std::invalid_argument("--witness " + options.witness +
                                ": there is no exact worst case to write a run of; it needs " +
                                (found.exact ? "an analysis that ends and is exact" : "--method exact"));
  }
  if (found.best_of_lists_ps) answer["best_ps"] = *found.best_of_lists_ps;
  if (found.closed_loop) answer["closed_loop"] = closed_loop_json(*found.closed_loop, options.exact.policy);
  answer["op_times"] = reports::op_times_json(times);
  answer["response_ps"] = responses_json(found.responses);
  Lines lines;
  bool has_upper = false;
  for (const verify::Bound& bound : found.bounds) {
    const bool is_known = bound.bound_ps != verify::kUnknownPs;
    has_upper = has_upper || (is_known && bound.is_upper);
    const std::string time = !is_known        ? "unknown"
                             : bound.is_upper ? format_time_up(bound.bound_ps)
                                              : format_time(bound.bound_ps);
    lines.push_back(fmt::format("{:<14} {:>12}  {}", bound.name, time,
                                bound.exact       ? "exact worst case: " + bound.assumptions
                                : !bound.is_upper ? "lower bound on the worst case: " + gloss_of(bound.name)
                                : is_known        ? "upper bound: " + gloss_of(bound.name) + "; " + bound.assumptions
                                                  : bound.assumptions));
  }
  if (is_exact_known || is_proved) {
    lines.push_back(fmt::format("{:<14} {:>12}  the shortest run that there is", "best", format_time(best_ps)));
  }
  if (found.best_of_lists_ps) {
    lines.push_back(
        fmt::format("{:<14} {:>12}  all ops at their best times", "best", format_time(*found.best_of_lists_ps)));
  }
  if (found.closed_loop) lines.push_back(closed_loop_line(*found.closed_loop));
  if (combinations.has_guards) lines.push_back("guards: " + describe_guarded_bounds(combinations));
  append(lines, outcome_lines(found.by_outcome));
  if (!loaded.settings.empty()) lines.push_back(loaded.settings);
  append(lines, ground_lines(times));
  const std::string budget_fault = add_budget(options, platform, loaded, combinations, found, times, answer, lines);
  append(lines, response_lines(loaded.desc(), found.responses));
  if (found.witness) append(lines, found.witness->lines);
  if (!options.witness.empty())
    lines.push_back("graph of the worst run: " + options.witness + "; " + remedy_of(options, *found.witness));
  const bool is_answered = has_upper && (found.proof ? is_proved : !found.exact || is_exact_known);
  verify::Outcome outcome = is_answered ? verify::Outcome::kHolds : verify::Outcome::kUnknown;
  if (const auto wants = wanted_deadline(options.deadline, loaded.model.demands, options.request.model)) {
    const JudgedDeadline judged = judge_deadline(*wants, {.bounds = found.bounds,
                                                          .are_times_assumed = times.are_assumed(),
                                                          .policy = options.exact.policy,
                                                          .has_outcomes = combinations.has_guards,
                                                          .condition = reports::short_condition(times),
                                                          .uses = uses_of(options, platform, loaded, combinations)});
    Lines first = deadline_lines(judged);
    append(first, std::move(lines));
    lines = std::move(first);
    answer["verdicts"] = verdicts_json({judged.verdict});
    answer["deadline"] = reports::deadline_json(judged.figures);
    answer["verdicts"][0].update(answer["deadline"]);
    answer["margin_ps"] = answer["deadline"]["margin_ps"];
    outcome = judged.verdict.outcome;
  }
  if (const std::string fault = found.fault + budget_fault + (found.witness ? found.witness->fault : "");
      !fault.empty()) {
    answer["fault"] = fault;
    lines.push_back("FAULT: " + fault);
    return {std::move(answer), std::move(lines), verify::Outcome::kViolated};
  }
  return {std::move(answer), std::move(lines), outcome};
}

}  // namespace detent::app
