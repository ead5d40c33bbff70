#include "models/partition/plan_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/json.hpp"
#include "models/partition/op_values.hpp"

namespace detent::models::partition {
namespace {

constexpr std::size_t kMaxOperands = 100'000, kMaxOps = 100'000, kMaxDevices = 64, kMaxRuns = 100'000;
constexpr std::uint64_t kMaxCaseBytes = std::uint64_t{1} << 28U;
constexpr std::uint32_t kMaxIterations = 1'000'000'000;

template <class Read>
auto read_list(JsonValue value, std::size_t most, Read&& read) {
  std::vector<decltype(read(value))> out;
  if (value.size() > most) value.fail(fmt::format("has {} entries; at most {} are read", value.size(), most));
  for (const JsonValue element : value.elements()) out.push_back(read(element));
  return out;
}

std::vector<std::uint32_t> read_indices(JsonValue value) {
  return read_list(value, kMaxOperands, [](JsonValue v) { return static_cast<std::uint32_t>(v.as_u64(UINT32_MAX)); });
}

/// A number, or a truth value as 1 or 0.
double read_scalar(JsonValue value) {
  return value.kind() == JsonKind::kBool ? (value.as_bool() ? 1 : 0) : value.as_number();
}

Life read_life(JsonValue value) {
  const std::string_view word = value.as_string();
  if (word == "in") return Life::kInput;
  if (word == "out") return Life::kOutput;
  if (word == "tmp") return Life::kTemporary;
  if (word == "const") return Life::kConstant;
  value.fail(fmt::format("'{}' is no life of an operand; give in, out, tmp or const", word));
}

PlanOperand read_operand(JsonValue value) {
  JsonObject object(value);
  PlanOperand out{.type = std::string(object.require("type").as_name()), .life = read_life(object.require("life"))};
  if (const auto known = object.find("known")) out.is_size_known = known->as_bool();
  const auto constant = object.find("val");
  if (constant) out.value = read_scalar(*constant);
  if (constant.has_value() != (out.life == Life::kConstant)) {
    value.fail(out.life == Life::kConstant ? "is a constant without 'val'" : "has 'val' and is no constant");
  }
  object.finish();
  return out;
}

PlanModel read_model(JsonValue value);

PlanOp read_op(JsonValue value) {
  JsonObject object(value);
  const JsonValue type = object.require("type");
  PlanOp out{.type = std::string(type.as_name()),
             .inputs = read_indices(object.require("ins")),
             .outputs = read_indices(object.require("outs"))};
  const auto models = object.find("refs");
  if (models) out.models = read_list(*models, 2, read_model);
  if (out.is_control_flow() != models.has_value() || (models && out.models.size() != 2)) {
    value.fail("IF and WHILE have two models in 'refs', and no other op has any");
  }
  if (!out.is_control_flow() && !is_op_type(out.type)) {
    type.fail(fmt::format("'{}' is no type of op; give {}", out.type, kOpTypes));
  }
  object.finish();
  return out;
}

PlanModel read_model(JsonValue value) {
  JsonObject object(value);
  PlanModel out{.operands = read_list(object.require("operands"), kMaxOperands, read_operand),
                .inputs = read_indices(object.require("inputs")),
                .outputs = read_indices(object.require("outputs")),
                .ops = read_list(object.require("ops"), kMaxOps, read_op)};
  object.finish();
  return out;
}

double read_performance(JsonValue value) {
  const double performance = value.as_number();
  if (!(performance >= 0)) value.fail("must not be negative");
  return performance;
}

std::set<std::string, std::less<>> read_types(JsonValue value, bool& does_most) {
  std::set<std::string, std::less<>> out;
  for (const JsonValue type : value.elements()) {
    const std::string_view word = type.as_string();
    if (word == "*") {
      does_most = true;
    } else if (word == "IF" || word == "WHILE" || is_op_type(word)) {
      out.emplace(word);
    } else {
      type.fail(fmt::format("'{}' is no type of op; give {}, IF, WHILE or *", word, kOpTypes));
    }
  }
  return out;
}

PlanDevice read_device(JsonValue value) {
  JsonObject object(value);
  PlanDevice out{.name = std::string(object.require("name").as_name())};
  const JsonValue performance = object.require("perf");
  if (performance.kind() == JsonKind::kObject) {
    for (const JsonValue type : performance.members()) {
      out.type_performance.emplace(type.key(), read_performance(type));
    }
  } else {
    out.performance = read_performance(performance);
  }
  out.ops = read_types(object.require("ops"), out.does_most);
  bool all_control = false;
  if (const auto control = object.find("ctrl")) out.control = read_types(*control, all_control);
  if (all_control) out.control.insert({"IF", "WHILE", "LESS", "EQUAL"});
  object.finish();
  return out;
}

void check_names(JsonValue value, const std::vector<PlanDevice>& devices) {
  std::set<std::string_view> names{kCpuDevice, kPartialFallback, kFullFallback};
  for (const PlanDevice& device : devices) {
    if (!names.insert(device.name).second) {
      value.fail(
          fmt::format("'{}' is the name of two devices; cpu, the last one, is there without being named, and "
                      "cpu-partial and cpu-full are its fallbacks",
                      device.name));
    }
  }
}

PlanRun read_run(JsonValue value, const std::vector<PlanDevice>& devices) {
  JsonObject object(value);
  PlanRun out{.arguments = read_list(object.require("args"), kMaxOperands, read_scalar)};
  if (const auto fails = object.find("fail")) {
    for (const JsonValue failure : fails->elements()) {
      if (failure.kind() != JsonKind::kArray || failure.size() != 2) failure.fail("must be [device, attempt from 1]");
      auto at = failure.elements().begin();
      const std::string_view name = (*at).as_string();
      const bool is_known = name == kPartialFallback || name == kFullFallback ||
                            std::ranges::any_of(devices, [&](const PlanDevice& device) { return device.name == name; });
      if (!is_known) (*at).fail(fmt::format("'{}' is no device; give one, cpu-partial or cpu-full", name));
      ++at;
      const auto attempt = static_cast<std::uint32_t>((*at).as_u64(UINT32_MAX));
      if (attempt == 0) (*at).fail("attempts are counted from 1");
      out.fails.emplace(name, attempt);
    }
  }
  if (const auto fenced = object.find("fenced")) out.is_fenced = fenced->as_bool();
  object.finish();
  return out;
}

/// What is wrong with a model by itself, the models of its ops being right.
class Rules {
 public:
  explicit Rules(const PlanModel& model) : model_(model) {}

  [[nodiscard]] std::string fault() const {
    if (model_.operands.empty()) return "a model has no operands";
    if (model_.ops.empty()) return "a model has no ops";
    for (const auto& [name, list, life] :
         {std::tuple{"inputs", &model_.inputs, Life::kInput}, std::tuple{"outputs", &model_.outputs, Life::kOutput}}) {
      if (const std::string fault = fault_of_list(name, *list, life); !fault.empty()) return fault;
    }
    for (std::size_t op = 0; op < model_.ops.size(); ++op) {
      const std::string fault = fault_of_op(model_.ops[op]);
      if (!fault.empty()) return fmt::format("op {} ({}): {}", op, model_.ops[op].type, fault);
    }
    return fault_of_writers();
  }

 private:
  [[nodiscard]] std::string fault_of_list(const char* name, const std::vector<std::uint32_t>& list, Life life) const {
    std::set<std::uint32_t> seen;
    for (const std::uint32_t operand : list) {
      if (operand >= model_.operands.size()) return fmt::format("{}: operand {} does not exist", name, operand);
      if (!seen.insert(operand).second) return fmt::format("{}: operand {} is there twice", name, operand);
      if (model_.operands[operand].life != life) return fmt::format("{}: operand {} has another life", name, operand);
    }
    for (std::uint32_t operand = 0; operand < model_.operands.size(); ++operand) {
      if (model_.operands[operand].life == life && !seen.contains(operand)) {
        return fmt::format("{}: operand {} is missing", name, operand);
      }
    }
    return "";
  }

  [[nodiscard]] std::string fault_of_op(const PlanOp& op) const {
    for (const std::vector<std::uint32_t>* list : {&op.inputs, &op.outputs}) {
      for (const std::uint32_t operand : *list) {
        if (operand >= model_.operands.size()) return fmt::format("operand {} does not exist", operand);
      }
    }
    if (op.is_if()) return fault_of_if(op);
    if (op.is_while()) return fault_of_while(op);
    if (op.outputs.empty()) return "has no output";
    const std::optional<std::size_t> wanted = input_count(op.type);
    if (wanted && op.inputs.size() != *wanted) return fmt::format("has {} inputs, not {}", op.inputs.size(), *wanted);
    return "";
  }

  [[nodiscard]] const std::string& type_of(std::uint32_t operand) const { return model_.operands[operand].type; }

  /// Types of `count` operands of this model from place `from` of a list against a list of a referenced model.
  [[nodiscard]] bool fits(const std::vector<std::uint32_t>& outer, std::size_t from, const PlanModel& inner,
                          const std::vector<std::uint32_t>& list, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (type_of(outer[from + i]) != inner.operands[list[i]].type) return false;
    }
    return true;
  }

  [[nodiscard]] std::string fault_of_if(const PlanOp& op) const {
    if (op.inputs.empty() || op.outputs.empty()) return "needs a condition and an output";
    if (type_of(op.inputs[0]) != "bool") return "its condition is not bool";
    for (const PlanModel& branch : op.models) {
      if (branch.inputs.size() + 1 != op.inputs.size() || branch.outputs.size() != op.outputs.size()) {
        return "a branch has other numbers of inputs or outputs";
      }
      if (!fits(op.inputs, 1, branch, branch.inputs, branch.inputs.size()) ||
          !fits(op.outputs, 0, branch, branch.outputs, branch.outputs.size())) {
        return "a branch has inputs or outputs of other types";
      }
    }
    return "";
  }

  [[nodiscard]] std::string fault_of_while(const PlanOp& op) const {
    const PlanModel &condition = op.models[0], &body = op.models[1];
    const std::size_t all = op.inputs.size(), carried = body.outputs.size();
    if (op.outputs.empty()) return "needs an output";
    if (condition.inputs.size() != all || body.inputs.size() != all) return "condition and body need its inputs";
    if (condition.outputs.size() != 1 || condition.operands[condition.outputs[0]].type != "bool") {
      return "its condition has not one output of type bool";
    }
    if (carried < op.outputs.size() || carried > all) return "its body has too few or too many outputs";
    if (!fits(op.inputs, 0, condition, condition.inputs, all) || !fits(op.inputs, 0, body, body.inputs, all) ||
        !fits(op.inputs, 0, body, body.outputs, carried) ||
        !fits(op.outputs, 0, body, body.outputs, op.outputs.size())) {
      return "condition or body has values of other types";
    }
    return "";
  }

  [[nodiscard]] std::string fault_of_writers() const {
    std::vector<bool> written(model_.operands.size());
    for (std::size_t operand = 0; operand < written.size(); ++operand) {
      const Life life = model_.operands[operand].life;
      written[operand] = life == Life::kInput || life == Life::kConstant;
    }
    for (const PlanOp& op : model_.ops) {
      for (const std::uint32_t operand : op.outputs) {
        if (written[operand]) return fmt::format("operand {} is written twice, or is an input or a constant", operand);
        written[operand] = true;
      }
    }
    const auto missing = std::ranges::find(written, false);
    return missing == written.end() ? "" : fmt::format("operand {} is never written", missing - written.begin());
  }

  const PlanModel& model_;
};

}  // namespace

std::string_view result_name(ResultCode code) {
  switch (code) {
    case ResultCode::kNoError:
      return "NO_ERROR";
    case ResultCode::kBadData:
      return "BAD_DATA";
    case ResultCode::kOpFailed:
      return "OP_FAILED";
    case ResultCode::kMissedDeadline:
      return "MISSED_DEADLINE";
  }
  return "";
}

PlanCase parse_plan_case(std::string_view text, const std::string& file) {
  const JsonDocument document = JsonDocument::parse(text, file, {.max_bytes = kMaxCaseBytes});
  JsonObject object(document.root());
  const JsonValue schema = object.require("schema");
  if (schema.as_string() != "detent.plan_case/1") schema.fail("must be \"detent.plan_case/1\"");
  PlanCase out;
  if (const auto mode = object.find("partitioning")) out.partitioning = Partitioning(mode->as_u64(2));
  const JsonValue devices = object.require("devices");
  out.devices = read_list(devices, kMaxDevices, read_device);
  check_names(devices, out.devices);
  out.devices.push_back({.name = std::string(kCpuDevice), .does_all = true});
  out.model = read_model(object.require("model"));
  if (const auto runs = object.find("runs")) {
    out.runs = read_list(*runs, kMaxRuns, [&](JsonValue run) { return read_run(run, out.devices); });
  }
  if (const auto most = object.find("max_iterations")) {
    out.max_iterations = static_cast<std::uint32_t>(most->as_u64(kMaxIterations));
  }
  object.finish();
  return out;
}

std::string finish_model(PlanModel& model) {
  for (PlanOp& op : model.ops) {
    for (PlanModel& inner : op.models) {
      if (std::string fault = finish_model(inner); !fault.empty()) return "in a model of " + op.type + ": " + fault;
    }
  }
  if (std::string fault = Rules(model).fault(); !fault.empty()) return fault;
  // Readers of each operand that an op writes; an op that reads one twice waits twice.
  std::vector<std::vector<std::uint32_t>> readers(model.operands.size());
  std::vector<std::size_t> waits(model.ops.size(), 0);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    for (const std::uint32_t operand : model.ops[op].inputs) {
      const Life life = model.operands[operand].life;
      if (life == Life::kInput || life == Life::kConstant) continue;
      readers[operand].push_back(op);
      ++waits[op];
    }
    if (waits[op] == 0) ready.push_back(op);
    model.ops[op].place = op;
  }
  std::vector<PlanOp> order;
  while (!ready.empty()) {
    const std::uint32_t op = ready.back();
    ready.pop_back();
    for (const std::uint32_t operand : model.ops[op].outputs) {
      for (const std::uint32_t reader : readers[operand]) {
        if (--waits[reader] == 0) ready.push_back(reader);
      }
    }
    order.push_back(model.ops[op]);
  }
  if (order.size() != model.ops.size()) return "ops wait for each other in a circle";
  model.ops = std::move(order);
  return "";
}

}  // namespace detent::models::partition
