#include "app/partition/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/partition/partition_network.hpp"
#include "base/counted.hpp"
#include "base/wanted_file.hpp"
#include "models/partition/plan_run.hpp"

namespace detent::app {
namespace {

using namespace models::partition;

constexpr std::uint64_t kMaxCaseBytes = std::uint64_t{1} << 28U;

PlanCase read_case(const std::string& path) {
  static const WantedFile kPlanCase = {
      "a plan case", {FileKind::kPlanCase, FileKind::kJson}, "give a detent.plan_case/1 file"};
  return parse_plan_case(read_wanted_file(path, kMaxCaseBytes, kPlanCase), path);
}

class Writer {
 public:
  Writer(const PlanCase& plan_case, const Plan& plan) : case_(plan_case), plan_(plan) {}

  [[nodiscard]] Json steps() const {
    Json steps = Json::array();
    if (plan_.kind == PlanKind::kSimple) steps.push_back(device(plan_.device));
    for (const PlanStep& step : plan_.steps) steps.push_back(std::visit([&](const auto& s) { return json(s); }, step));
    return steps;
  }

  [[nodiscard]] Json choices() const {
    Json choices = Json::array();
    for (const DeviceChoice& choice : plan_.choices) {
      Json performance = Json::object();
      for (std::size_t at = 0; at < choice.performance.size(); ++at) {
        const double value = choice.performance[at];
        performance[case_.devices[at].name] = value < 0 ? Json() : Json(value);
      }
      choices.push_back({{"model", choice.model},
                         {"op", choice.op},
                         {"file_op", plan_.models[choice.model]->ops[choice.op].place},
                         {"type", type_of(choice)},
                         {"device", choice_text(choice)},
                         {"unknown_size", choice.is_unknown_size},
                         {"performance", std::move(performance)}});
    }
    return choices;
  }

  [[nodiscard]] Lines lines() const {
    Lines lines;
    if (plan_.kind == PlanKind::kSimple) lines.push_back("  all ops on " + device(plan_.device));
    for (std::size_t at = 0; at < plan_.steps.size(); ++at) {
      lines.push_back(
          fmt::format("  {:>4}  {}", at, std::visit([&](const auto& s) { return text(s); }, plan_.steps[at])));
    }
    if (!plan_.choices.empty()) lines.emplace_back("choices: values of devices, the lowest is taken");
    for (const DeviceChoice& choice : plan_.choices) lines.push_back("  " + reason(choice));
    return lines;
  }

 private:
  [[nodiscard]] const std::string& device(std::uint32_t at) const { return case_.devices[at].name; }
  [[nodiscard]] const std::string& type_of(const DeviceChoice& choice) const {
    return plan_.models[choice.model]->ops[choice.op].type;
  }
  [[nodiscard]] std::string choice_text(const DeviceChoice& choice) const {
    return choice.device == case_.devices.size() ? "interpreter" : device(choice.device);
  }

  [[nodiscard]] std::string reason(const DeviceChoice& choice) const {
    std::string values;
    for (std::size_t at = 0; at < choice.performance.size(); ++at) {
      const double value = choice.performance[at];
      values += fmt::format("{}{} {}", at == 0 ? "" : ", ", case_.devices[at].name,
                            value < 0 ? "cannot" : fmt::format("{:g}", value));
    }
    if (choice.is_unknown_size) values += "; an operand of unknown size keeps it on the CPU";
    const std::uint32_t place = plan_.models[choice.model]->ops[choice.op].place;
    return fmt::format("model {} op {} {:8} on {:12} {}", choice.model, place, type_of(choice), choice_text(choice),
                       values);
  }

  [[nodiscard]] Json json(const ExecStep& step) const {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t op : step.ops) places.push_back(plan_.models[step.model]->ops[op].place);
    return {{"kind", "EXEC"},          {"device", device(step.device)},
            {"model", step.model},     {"ops", step.ops},
            {"file_ops", places},      {"inputs", step.inputs},
            {"outputs", step.outputs}, {"downstream", step.downstream}};
  }
  static Json json(const IfStep& step) { return {{"kind", "IF"}, {"then", step.then_step}, {"else", step.else_step}}; }
  static Json json(const WhileStep& step) {
    return {{"kind", "WHILE"}, {"cond", step.cond_step}, {"body", step.body_step}, {"exit", step.exit_step}};
  }
  static Json json(const GotoStep& step) { return {{"kind", "GOTO"}, {"goto", step.target}}; }

  [[nodiscard]] std::string text(const ExecStep& step) const {
    std::string ops;
    for (const std::uint32_t op : step.ops) ops += " " + plan_.models[step.model]->ops[op].type;
    return fmt::format("{:8} model {}:{}; reads {}; writes {}", device(step.device), step.model, ops,
                       fmt::join(step.inputs, " "), fmt::join(step.outputs, " "));
  }
  static std::string text(const IfStep& step) {
    return fmt::format("if       then {}, else {}", step.then_step, step.else_step);
  }
  static std::string text(const WhileStep& step) {
    return fmt::format("while    condition {}, body {}, exit {}", step.cond_step, step.body_step, step.exit_step);
  }
  static std::string text(const GotoStep& step) { return fmt::format("goto     {}", step.target); }

  const PlanCase& case_;
  const Plan& plan_;
};

const char* kind_name(PlanKind kind) {
  switch (kind) {
    case PlanKind::kSimple:
      return "SIMPLE";
    case PlanKind::kCompound:
      return "COMPOUND";
    case PlanKind::kError:
      break;
  }
  return "ERROR";
}

std::string code_text(ResultCode code) { return fmt::format("code {} {}", int(code), result_name(code)); }

/// Runs until one takes too much work, which `limit` then says.
std::vector<PlanResult> run_all(const PlanCase& plan_case, const Plan& plan, const OnProgress& on_progress,
                                std::string& limit) {
  std::vector<PlanResult> results;
  try {
    for (const PlanRun& run : plan_case.runs) {
      results.push_back(run_plan(plan_case, plan, run));
      if (on_progress) on_progress(results.size(), plan_case.runs.size());
    }
  } catch (const TooMuchWork& stop) {
    limit = fmt::format("run {}: {}", results.size(), stop.what());
  }
  return results;
}

Json run_json(const PlanResult& result) {
  Json outputs = Json::array();
  for (const double value : result.outputs) outputs.push_back(value);  // infinite or no number: null
  return {{"rc", int(result.code)}, {"outputs", std::move(outputs)}, {"trace", result.trace}};
}

std::string run_line(std::size_t at, const PlanResult& result) {
  const std::string outputs =
      result.outputs.empty() ? code_text(result.code) : fmt::format("outputs {:g}", fmt::join(result.outputs, " "));
  return fmt::format("  run {}: {}; {}", at, outputs, fmt::join(result.trace, " "));
}

Answer partition_case(const Request& request, const OnProgress& on_progress) {
  PlanCase plan_case = read_case(request.model);
  const Plan plan = make_plan(plan_case);
  std::string limit;
  const std::vector<PlanResult> results =
      plan.kind == PlanKind::kError ? std::vector<PlanResult>{} : run_all(plan_case, plan, on_progress, limit);
  const Writer writer(plan_case, plan);
  Answer answer;
  answer.json = json_header("partition", request);
  answer.json["compile_rc"] = int(plan.code);
  answer.json["kind"] = kind_name(plan.kind);
  if (!plan.error.empty()) answer.json["reason"] = plan.error;
  answer.json["steps"] = writer.steps();
  answer.json["choices"] = writer.choices();
  answer.json["runs"] = Json::array();
  for (const PlanResult& result : results) answer.json["runs"].push_back(run_json(result));
  std::string head = fmt::format("{}: {}", request.model, kind_name(plan.kind));
  if (plan.code != ResultCode::kNoError) head += ", " + code_text(plan.code);
  if (!plan.steps.empty()) head += ", " + counted(plan.steps.size(), "step");
  if (!plan.error.empty()) head += ": " + plan.error;
  answer.lines.push_back(head);
  append(answer.lines, writer.lines());
  if (!results.empty()) answer.lines.emplace_back("in runs: outputs or code, then what was tried");
  for (std::size_t at = 0; at < results.size(); ++at) answer.lines.push_back(run_line(at, results[at]));
  if (!limit.empty()) {
    answer.json["limit"] = limit;
    answer.lines.push_back(limit);
    answer.outcome = verify::Outcome::kUnknown;
  }
  return answer;
}

/// A case names its devices itself.
void require_case_options(const PartitionRequest& wanted) {
  const ModelOptions& model = wanted.model;
  const std::pair<const char*, bool> given[] = {{"--platform", !wanted.platform.empty()},
                                                {"--devices", !wanted.devices.empty()},
                                                {"--can", !wanted.abilities.empty()},
                                                {"--set", !model.set.empty()},
                                                {"--costs", !model.costs.empty()},
                                                {"--split", model.split > 1},
                                                {"--max-trials", wanted.max_trials != 0},
                                                {"--workers", wanted.workers != 0},
                                                {"--out", !wanted.out.empty()}};
  for (const auto& [option, is_given] : given) {
    if (!is_given) continue;
    throw std::invalid_argument(
        fmt::format("{}: is a plan case, which names its devices itself; leave {} out", wanted.request.model, option));
  }
}

}  // namespace

Answer partition_model(const PartitionRequest& wanted, const OnProgress& on_progress) {
  const FileKind kind = kind_at(wanted.request.model);
  if (kind != FileKind::kPlanCase && kind != FileKind::kJson) return partition_network(wanted, on_progress);
  require_case_options(wanted);
  return partition_case(wanted.request, on_progress);
}

}  // namespace detent::app
