// Guarded ops -> decisions, guards, tensors that last.
#include "models/core/decisions.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace detent::models {
namespace {

bool is_guarded(const Op& op) { return op.guarded != Guarded::kNo && !op.inputs.empty(); }

/// Names of decisions stand in texts such as "a=then,b=else".
std::string name_of_decision(const Model& model, std::uint32_t tensor, std::uint32_t op, std::set<std::string>& taken) {
  std::string name = op < model.ops.size() ? model.ops[op].name : model.tensors[tensor].name;
  const bool is_plain = !name.empty() && name.find_first_of("=,") == std::string::npos;
  if (!is_plain || taken.contains(name)) name = "tensor" + std::to_string(tensor);
  while (!taken.insert(name).second) name += "'";
  return name;
}

}  // namespace

bool is_condition(const Tensor& tensor) {
  return tensor.dtype == DETENT_BOOL && tensor.size_bytes == 1 && tensor.alias_of == kNone &&
         tensor.role != TensorRole::kRange;
}

bool has_computed_decisions(const Model& model) { return std::ranges::any_of(model.ops, is_guarded); }

void derive_decisions(Model& model) {
  if (!has_computed_decisions(model)) return;
  std::erase_if(model.decisions, [](const Decision& decision) { return decision.tensor != kNone; });
  const auto given = static_cast<std::uint32_t>(model.decisions.size());
  std::vector<std::uint32_t> writers(model.tensors.size(), kNone);
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    for (const std::uint32_t tensor : model.ops[op].outputs) writers[tensor] = op;
  }
  std::set<std::string> taken;
  for (const Decision& decision : model.decisions) taken.insert(decision.name);
  std::vector<std::uint32_t> ids(model.tensors.size(), kNone);
  for (Op& op : model.ops) {
    std::erase_if(op.guards, [&](const Guard& guard) { return guard.decision >= given; });
    if (!is_guarded(op)) continue;
    const std::uint32_t tensor = op.inputs.back();
    if (ids[tensor] == kNone) {
      ids[tensor] = static_cast<std::uint32_t>(model.decisions.size());
      const std::uint32_t writer = writers[tensor];
      const bool may_fail = writer != kNone && model.ops[writer].is_fallible;
      model.decisions.push_back(
          {name_of_decision(model, tensor, writer, taken), writer,
           may_fail ? std::vector<std::string>{"works", "fails"} : std::vector<std::string>{"else", "then"}, tensor});
    }
    op.guards.push_back({ids[tensor], op.guarded == Guarded::kIfTrue ? 1U : 0U});
  }
}

std::uint32_t decided_tensor(const Model& model, const Op& op) {
  const bool decides = op.is_fallible ? !op.outputs.empty() : op.outputs.size() == 1;
  return decides && is_condition(model.tensors[op.outputs.back()]) ? op.outputs.back() : kNone;
}

std::vector<bool> lasting_tensors(const Model& model) {
  std::vector<bool> lasts(model.tensors.size(), false);
  for (const Op& op : model.ops) {
    const std::uint32_t tensor = is_guarded(op) ? decided_tensor(model, op) : kNone;
    if (tensor != kNone) lasts[tensor] = true;
  }
  return lasts;
}

}  // namespace detent::models
