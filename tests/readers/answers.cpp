#include "tests/readers/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>
#include <stdexcept>

#include <detent/desc.h>

#include "app/answer/answer.hpp"
#include "app/bundle/bundle_file.hpp"
#include "app/bundle/requirements.hpp"
#include "app/catalogue/platform_list.hpp"
#include "app/check/check_summary.hpp"
#include "app/explore/part_file.hpp"
#include "app/model/order_file.hpp"
#include "app/model/schedule_options.hpp"
#include "app/replay/failure_file.hpp"
#include "app/replay/replay_line.hpp"
#include "app/settings/op_settings.hpp"
#include "app/settings/schedule_file.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/static/static_checks.hpp"
#include "app/tasks/task_file.hpp"
#include "base/arrays/npy.hpp"
#include "harness/instance.hpp"
#include "harness/log_file.hpp"
#include "harness/run.hpp"
#include "harness/run_native.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/op_table.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/partition/plan_run.hpp"
#include "models/plan/problem/problem.hpp"
#include "models/plan/problem/solve.hpp"
#include "reports/text/text.hpp"
#include "sim/campaign/campaign_file.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/npu/topology.hpp"
#include "sim/platform/platform.hpp"
#include "sim/platform/reader.hpp"
#include "sim/simulate.hpp"
#include "tests/fuzz/checksums.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "verify/explore/ops/space/space.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::readers {
namespace {

const std::string kName = "input";

std::string or_refusal(const std::function<std::string()>& text) {
  try {
    return text();
  } catch (const std::exception& refusal) {
    return std::string("refused: ") + refusal.what() + "\n";
  }
}

std::string number_of(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : "none"; }

std::string graph(const std::string& input) {
  return or_refusal([&] {
    return models::format_graph(input.starts_with('{') ? models::parse_graph(input, kName)
                                                       : models::parse_op_table(input, kName));
  });
}

std::string package(const std::string& input) {
  const auto read = [](const std::string& bytes) {
    return or_refusal([&] { return models::encode_package(models::decode_package(bytes, kName)); });
  };
  return read(input) + read(fuzz::repaired_package(input));
}

/// Two runs on a chip, without kernels.
std::string simulated(const detent_desc& desc) {
  static const sim::Platform platform = sim::find_platform("quad_npu");
  sim::SimOptions options;
  options.runs = 2;
  options.seeds.schedule = 5;
  options.jitter = app::parse_jitter("uniform:0.2");
  options.timing_only = true;
  options.with_traces = false;
  const sim::SimResult result = sim::simulate(desc, platform, options);
  return fmt::format("simulated {} {} {} {}\n", result.min_ps, result.max_ps, result.mean_ps,
                     result.failure.value_or("no failure"));
}

/// How many orders of its ops matter.
std::string counted(const detent_desc& desc) {
  const verify::explore::OpSpace space(desc);
  return fmt::format("space {} {} {} {}\n", space.pairs().size(), space.ignored_pairs().size(), space.complete(),
                     fmt::join(space.open_ops(), ","));
}

/// What a changed model is, which laws it breaks, what the runtime says of it, what one serial run computes, how long
/// runs take on a chip, and how many orders it has.
std::string model(const std::string& input) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 22U;
  return or_refusal([&] {
    const models::Model read = models::decode_package(fuzz::repaired_package(input), kName);
    std::string text = models::encode_package(read);
    for (const models::Region& region : read.regions) {
      if (region.size_bytes > kMostBytes) return text + "large";
    }
    const models::LoweredModel lowered = models::lower(read);
    for (const verify::Verdict& verdict : app::check_static_laws(lowered.desc()).verdicts) {
      text += fmt::format("{} {}\n", verify::outcome_name(verdict.outcome), verdict.summary);
      for (const verify::Witness& witness : verdict.witnesses) text += witness.text + "\n";
    }
    const harness::Run run =
        harness::run_native(lowered.desc(), {.engine = {.workers = 0}, .seeds = {.input = 3}, .trace = false});
    text += harness::describe_error(lowered.desc(), run.result.error) + harness::format_digest(run.digest) + "\n";
    return text + or_refusal([&] { return simulated(lowered.desc()); }) +
           or_refusal([&] { return counted(lowered.desc()); });
  });
}

std::string platform(const std::string& input) {
  return or_refusal([&] { return app::platform_json(sim::parse_platform(input, kName)).dump(); });
}

std::string costs(const std::string& input) {
  return or_refusal([&] { return sim::format_costs(sim::parse_costs(input, kName)); });
}

std::string jitter(const std::string& input) {
  return or_refusal([&] { return app::jitter_name(app::parse_jitter(input)); });
}

std::string replay(const std::string& input) {
  return or_refusal([&] { return app::format_replay_line(app::parse_replay_line(input)); });
}

std::string failure(const std::string& input) {
  const auto read = [](const std::string& text) {
    return or_refusal([&] {
      const app::FailureRecord record = app::parse_failure(kName, text);
      return app::format_failure(record) + app::format_replay_line(app::runnable_line(record));
    });
  };
  return read(input) + read(fuzz::repaired_failure(input));
}

std::string lists_of(const app::ScheduleFile& file) {
  std::string text = fmt::format("{} {}\n", file.has_barriers, fmt::join(file.cores, ","));
  for (const app::OpLists& layer : file.layers) {
    for (const auto& list : layer) {
      for (const app::ListedOp& op : list) {
        const auto* const id = std::get_if<std::uint32_t>(&op.op);
        text +=
            fmt::format("{}:{} ", id != nullptr ? std::to_string(*id) : "'" + std::get<std::string>(op.op), op.line);
      }
      text += "; ";
    }
    text += "\n";
  }
  return text;
}

std::string schedule(const std::string& input) {
  return or_refusal([&] { return lists_of(app::parse_schedule(input, kName)); });
}

std::string lists(const std::string& input) {
  return or_refusal([&] { return lists_of(app::parse_lists(input, kName)); });
}

std::string order(const std::string& input) {
  constexpr std::array<const char*, 4> kNames = {"stem", "left", "7", "join#1"};
  std::array<detent_op, kNames.size()> ops{};
  for (std::size_t i = 0; i < ops.size(); ++i) ops[i].name = kNames[i];
  detent_desc desc{};
  desc.ops = ops.data();
  desc.op_count = static_cast<std::uint32_t>(ops.size());
  return or_refusal([&] { return fmt::format("{}", fmt::join(app::parse_order(input, kName, desc), " ")); });
}

std::string settings(const std::string& input) {
  return or_refusal([&] {
    const app::OpSettings read = app::parse_op_settings(input, kName);
    std::string text = app::format_transfers(read.transfers);
    for (const app::KernelRule& rule : read.kernels) text += fmt::format("kernel {} {}\n", rule.pattern, rule.kernel);
    for (const app::OpSetting& op : read.ops) {
      text += fmt::format("op {} {} {} {}\n", op.pattern, op.priority ? std::to_string(*op.priority) : "",
                          op.core_class.value_or(""), op.workers ? std::to_string(op.workers->bits) : "");
    }
    for (const app::FallbackRule& rule : read.fallbacks)
      text += fmt::format("fallback {} {} {} {} {}\n", rule.from, rule.to, rule.ops, rule.slower, rule.watchdog_ps);
    for (const app::MemoryRule& rule : read.memories)
      text +=
          fmt::format("memory {} {} {} {}\n", rule.core_class, rule.copied_by, rule.capacity_bytes, rule.align_bytes);
    return text;
  });
}

std::string task_set(const std::string& input) {
  return or_refusal([&] {
    const app::TaskSet set = app::parse_task_set(input, kName);
    std::string text;
    for (const app::TaskRow& task : set.tasks) {
      text += fmt::format("{} {} {} {} {} {} {} {} {}\n", task.name, task.model, task.costs, number_of(task.period_ps),
                          number_of(task.deadline_ps), task.priority, task.offset_ps, task.jitter_ps, task.contexts);
    }
    for (const app::ChainRow& chain : set.chains)
      text += fmt::format("{} {} {}\n", chain.name, fmt::join(chain.tasks, ","), number_of(chain.latency_ps));
    return text;
  });
}

std::string memory_problem(const std::string& input) {
  return or_refusal([&] {
    const models::packing::MemoryProblem problem = models::packing::parse_memory_problem(input, kName);
    const models::packing::Solution made = models::packing::solve_memory_problem(problem, {.max_nodes = 50});
    return fmt::format("{} {} {} {} {} {} of {}", made.is_placed, made.is_proven, made.height_bytes,
                       made.lower_bound_bytes, fmt::join(made.offsets_bytes, ","), made.nodes, made.max_nodes);
  });
}

std::string plan_case(const std::string& input) {
  using namespace models::partition;
  return or_refusal([&] {
    PlanCase read = parse_plan_case(input, kName);
    const Plan plan = make_plan(read);
    std::string text = fmt::format("{} {} {} {} steps\n", result_name(plan.code), static_cast<int>(plan.kind),
                                   plan.device, plan.steps.size()) +
                       plan.error;
    for (const DeviceChoice& choice : plan.choices) {
      text += fmt::format("{}.{}: {} {} {}\n", choice.model, choice.op, choice.device, choice.is_unknown_size,
                          fmt::join(choice.performance, ","));
    }
    for (const PlanStep& step : plan.steps) {
      text += fmt::format("step {}", step.index());
      if (const auto* const exec = std::get_if<ExecStep>(&step))
        text += fmt::format(" {} {} {}", exec->device, exec->model, fmt::join(exec->ops, ","));
      text += "\n";
    }
    if (plan.kind == PlanKind::kError) return text;
    for (const PlanRun& run : read.runs) {
      const PlanResult result = run_plan(read, plan, run);
      text += fmt::format("run {} {} {}\n", result_name(result.code), fmt::join(result.outputs, ","),
                          fmt::join(result.trace, " "));
    }
    return text;
  });
}

std::string layers(const std::string& input) {
  return or_refusal([&] {
    std::string text;
    for (const sim::npu::Layer& layer : sim::npu::parse_layers(input, kName)) {
      const sim::npu::Conv& c = layer.conv;
      text += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", layer.name, static_cast<int>(layer.kind),
                          layer.gemm.m, layer.gemm.n, layer.gemm.k, c.in_h, c.in_w, c.filter_h, c.filter_w, c.channels,
                          c.filters, c.stride_h, c.stride_w, layer.groups, layer.elements);
    }
    return text;
  });
}

std::string npy(const std::string& input) {
  return or_refusal([&] { return format_npy(read_npy(input, kName)); });
}

std::string log(const std::string& input) {
  return or_refusal([&] {
    const harness::LogFile file = harness::parse_log(input, kName);
    std::string text =
        fmt::format("{} {} {} {}\n", file.model, file.workers, fmt::join(file.ops, ","), fmt::join(file.classes, ","));
    for (const harness::LogRing& ring : file.rings)
      text += fmt::format("ring {} {} {}\n", ring.number, ring.dropped, ring.records.size());
    std::size_t runs = 0;
    for (const std::uint32_t number : harness::runs_of(file)) {
      if (++runs > 4) break;
      const harness::LoggedRun run = harness::logged_run(file, number);
      text += fmt::format("run {} {} {} {}:", number, run.makespan_ps, run.is_whole, static_cast<int>(run.status));
      for (const harness::Span& span : run.trace.spans)
        text += fmt::format(" {}@{} {}-{}", span.op, span.slot, span.begin_ps, span.end_ps);
      text += "\n";
    }
    return text;
  });
}

std::string campaign(const std::string& input) {
  const auto read = [](const std::string& bytes) {
    const fuzz::MemoryFile file(bytes);
    std::string text = or_refusal([&] {
      const sim::CampaignContent content = sim::read_campaign(file.path());
      return fmt::format("{} {} {} {} {} {} {} {}\n", content.header.identity, content.header.part.first,
                         content.header.part.count, content.header.block_runs,
                         fmt::join(content.runs.makespans_ps, ","), fmt::join(content.runs.digests, ","),
                         content.good_bytes, content.damage.value_or(""));
    });
    for (std::size_t at = text.find(file.path()); at != std::string::npos; at = text.find(file.path()))
      text.replace(at, file.path().size(), "FILE");
    return text;
  };
  return read(input) + read(fuzz::repaired_campaign(input));
}

std::string explore_part(const std::string& input) {
  const auto read = [](const std::string& bytes) {
    return or_refusal([&] { return app::encode_explore_part(app::decode_explore_part(bytes, kName)); });
  };
  return read(input) + read(fuzz::repaired_part(input));
}

std::string identity(const std::string& input) {
  return or_refusal([&] { return fmt::format("{}\n", fmt::join(app::identity_arguments(kName, input), " ")); }) +
         or_refusal([&] {
           return fmt::format("{}", fmt::join(app::identity_differences(kName, input,
                                                                        R"({"schema": "detent.campaign/1", "options":
                                                                         {"--runs": "1", "--seed": "4"}})"),
                                              "\n"));
         });
}

std::string requirements(const std::string& input) {
  return or_refusal([&] {
    std::string text;
    for (const app::BundledRequirement& row : app::parse_requirements(input, kName))
      text += fmt::format("{} {} {} {}\n", row.id, row.text, fmt::join(row.properties, ","), row.state);
    return text;
  });
}

std::string bundle(const std::string& input) {
  return fmt::format("{} ", app::begins_as_bundle(input)) +
         or_refusal([&] { return app::bundle_text(app::parse_bundle(input, kName)); });
}

std::string answer(const std::string& input) {
  return or_refusal([&] { return app::replay_line_of(kName, input).value_or("no line") + "\n"; }) +
         or_refusal([&] { return app::format_summary(app::parse_answer(kName, input), "directory"); });
}

std::string text(const std::string& input) {
  return reports::printable_text(input) + "\n" + reports::printable_line(input) + "\n" +
         reports::short_name(input, 16) + "\n" + reports::escape_html(input);
}

}  // namespace

const std::vector<Reader>& all_readers() {
  static const std::vector<Reader> readers = {
      {"answer", true, answer},
      {"bundle", true, bundle},
      {"campaign", false, campaign},
      {"costs", true, costs},
      {"explore_part", false, explore_part},
      {"failure", true, failure},
      {"graph", true, graph},
      {"identity", true, identity},
      {"jitter", true, jitter},
      {"layers", true, layers},
      {"lists", true, lists},
      {"log", false, log},
      {"memory_problem", true, memory_problem},
      {"model", false, model},
      {"npy", false, npy},
      {"order", true, order},
      {"package", false, package},
      {"plan_case", true, plan_case},
      {"platform", true, platform},
      {"replay", true, replay},
      {"requirements", true, requirements},
      {"schedule", true, schedule},
      {"settings", true, settings},
      {"task_set", true, task_set},
      {"text", true, text},
  };
  return readers;
}

}  // namespace detent::readers
