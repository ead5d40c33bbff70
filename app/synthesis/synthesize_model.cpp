#include "app/synthesis/synthesize_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "app/bound/bounds.hpp"
#include "app/settings/schedule_file.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "app/simulate/time_grounds.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/units.hpp"
#include "reports/json/op_times_json.hpp"
#include "verify/synthesis/synthesize.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kDefaultNodes = 2'000'000;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

verify::SynthesisOptions search_options(const SynthesizeRequest& options, Clock::time_point begin) {
  const std::uint64_t by_default = options.seconds > 0 ? UINT64_MAX : kDefaultNodes;
  verify::SynthesisOptions made{.seed = options.request.seeds.schedule,
                                .max_nodes = options.max_nodes != 0 ? options.max_nodes : by_default};
  if (options.seconds > 0) {
    made.must_stop = [begin, most = options.seconds] { return seconds_since(begin) > most; };
  }
  return made;
}

/// With the empty lists of the further commands that an accelerator queues, as workers of simulated runs are.
std::vector<NamedList> named(const verify::Synthesis& found, const detent_desc& desc,
                             const std::vector<std::uint32_t>& depths) {
  std::vector<NamedList> lists;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    std::size_t cores = 0;
    for (const verify::CoreList& list : found.lists) {
      if (list.core_class != c) continue;
      lists.push_back({desc.classes[c].name, {list.ops.begin(), list.ops.end()}});
      ++cores;
    }
    for (std::uint32_t entry = 1; entry < depths[c]; ++entry) {
      lists.resize(lists.size() + cores, {desc.classes[c].name, {}});
    }
  }
  return lists;
}

Json lists_json(const std::vector<NamedList>& lists) {
  Json json = Json::array();
  for (const NamedList& list : lists) json.push_back({{"core", list.core}, {"ops", list.ops}});
  return json;
}

const char* ended_by(const verify::Synthesis& found) {
  return found.is_optimal ? "proof" : found.is_stopped ? "seconds" : "nodes";
}

Lines lines_of(const verify::Synthesis& found, const std::vector<NamedList>& lists, const SynthesizeRequest& options) {
  Lines lines;
  const std::string makespan = format_time_up(found.makespan_ps);
  if (found.is_optimal) {
    lines.push_back(fmt::format("makespan {}, all ops at their worst times: optimal, proven", makespan));
  } else {
    lines.push_back(
        fmt::format("makespan {}, all ops at their worst times; no lists are below {}: optimal or not is unknown, {}",
                    makespan, format_time(found.lower_bound_ps),
                    found.is_stopped ? "--seconds ended the search (another run may end elsewhere)"
                                     : "the search has looked at all the nodes that it may; --max-nodes, --seconds"));
  }
  std::size_t of_core = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    of_core = i > 0 && lists[i].core == lists[i - 1].core ? of_core + 1 : 0;
    lines.push_back(
        fmt::format("  {:<8} {}", lists[i].core + std::to_string(of_core), counted(lists[i].ops.size(), "op")));
  }
  if (!options.out.empty()) {
    lines.push_back(
        fmt::format("lists: {}; run, simulate, check, bound and emit follow them with --lists", options.out));
  }
  return lines;
}

}  // namespace

Answer synthesize_model(const SynthesizeRequest& wanted) {
  SynthesizeRequest options = wanted;
  const Clock::time_point begin = Clock::now();
  if (options.objective != "makespan" && options.objective != "worst-case") {
    throw std::invalid_argument("--objective " + options.objective + ": choose makespan or worst-case");
  }
  const sim::Platform platform = choose_platform(platform_word(options.platform, options.cores), true);
  if (!options.no_npu) options.model.accelerator = accelerator_of(platform);
  options.model.weights = false;
  const LoadedModel loaded = load(options.request.model, options.model);
  const detent_desc& desc = loaded.desc();
  require_unguarded(options.request.model, desc, "lists are shortest for one set of ops");
  const PlatformProblems problems = timing_problems(
      desc, platform,
      {.jitter = parse_jitter(options.jitter), .workers = options.workers, .costs = loaded.costs.get()});
  if (problems.has_affinity) {
    throw std::invalid_argument(
        "synthesize: ops that are for some workers only cannot be placed freely; leave `workers` out, of the file "
        "and of --set");
  }
  const verify::Synthesis found = verify::synthesize(problems.bare, search_options(options, begin));
  const std::vector<NamedList> lists = named(found, desc, problems.bare.queue_depth);
  if (!options.out.empty()) write_file_atomically(options.out, format_lists(lists));

  Json answer = json_header("synthesize", options.request);
  answer["platform"] = platform.name;
  answer["ops"] = desc.op_count;
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  answer["objective"] = options.objective;
  answer["makespan_ps"] = found.makespan_ps;
  answer["lower_bound_ps"] = found.lower_bound_ps;
  answer["optimal"] = found.is_optimal;
  answer["ended_by"] = ended_by(found);
  answer["nodes"] = found.nodes;
  answer["lists"] = lists_json(lists);
  if (!options.out.empty()) answer["file"] = options.out;
  const reports::TimeGrounds times = time_grounds(loaded, platform, options.jitter, options.request.model);
  answer["op_times"] = reports::op_times_json(times);
  if (!options.request.reproducible) answer["host"] = {{"seconds", seconds_since(begin)}};
  Lines lines = lines_of(found, lists, options);
  if (!loaded.settings.empty()) lines.push_back(loaded.settings);
  append(lines, ground_lines(times));
  return {std::move(answer), std::move(lines), found.is_optimal ? verify::Outcome::kHolds : verify::Outcome::kUnknown};
}

}  // namespace detent::app
