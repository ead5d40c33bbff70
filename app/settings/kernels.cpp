#include "app/settings/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/ids.hpp"
#include "base/io.hpp"
#include "base/toml.hpp"
#include "base/words/near.hpp"
#include "base/words/pattern.hpp"
#include "models/builder/winograd.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kDirect = "conv2d_f32";
constexpr std::string_view kWinograd = "conv2d_winograd_f32";
constexpr std::string_view kCpu = "cpu";  // an NPU convolves by itself

/// Below, transformed weights are read more often than they are used: 14 tiles are as many as a register tile is wide.
constexpr std::uint64_t kLeastTiles = 14;

/// What the rows say of one op, and whether by its own name.
struct Choice {
  const KernelRule* rule = nullptr;
  bool is_own = false;
};

class Chooser {
 public:
  Chooser(const std::vector<KernelRule>& rules, const std::string& path, bool by_default, const models::Model& model)
      : rules_(rules),
        path_(path),
        by_default_(by_default),
        model_(model),
        matched_(rules.size(), false),
        chosen_(rules.size(), false) {}

  std::vector<OpId> choose() {
    std::vector<OpId> ops;
    for (OpId id = 0; id < model_.ops.size(); ++id) {
      if (takes(model_.ops[id])) ops.push_back(id);
    }
    refuse_idle_rows();
    return ops;
  }

 private:
  [[nodiscard]] static bool is_pattern(const KernelRule& rule) {
    return rule.pattern.find_first_of("*?") != std::string::npos;
  }

  Choice choice_of(const models::Op& op) {
    Choice choice;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const KernelRule& rule = rules_[i];
      const bool is_own = rule.pattern == op.name;
      if (!is_own && (!is_pattern(rule) || !matches(rule.pattern, op.name))) continue;
      matched_[i] = true;
      if (choice.is_own) continue;
      if (!is_own && choice.rule != nullptr && choice.rule->kernel != rule.kernel) {
        throw std::invalid_argument(
            fmt::format("{}: op '{}' has kernel {} by '{}' and {} by '{}'; give it a row of its own name", path_,
                        op.name, choice.rule->kernel, choice.rule->pattern, rule.kernel, rule.pattern));
      }
      choice = {&rule, is_own};
    }
    return choice;
  }

  bool takes(const models::Op& op) {
    const Choice choice = choice_of(op);
    if (choice.rule == nullptr) return by_default_ && models::winograd_fault(model_, op) == nullptr && pays(op);
    const std::size_t row = static_cast<std::size_t>(choice.rule - rules_.data());
    if (choice.rule->kernel == kDirect) {
      if (choice.is_own && op.kernel != kDirect) refuse(op, *choice.rule, "is no conv2d_f32");
      chosen_[row] = true;
      return false;
    }
    if (const char* const fault = models::winograd_fault(model_, op)) {
      if (choice.is_own) refuse(op, *choice.rule, fault);
      return false;
    }
    if (!choice.is_own && !pays(op)) return false;
    chosen_[row] = true;
    return true;
  }

  /// @pre  no winograd_fault
  static bool pays(const models::Op& op) { return op.core_class == kCpu && models::winograd_tiles(op) >= kLeastTiles; }

  [[noreturn]] void refuse(const models::Op& op, const KernelRule& rule, const char* fault) const {
    throw std::invalid_argument(
        fmt::format("{}: op '{}' {}; {} is for 3x3 convolutions of C16 images without stride, dilation or groups",
                    path_, op.name, fault, rule.kernel));
  }

  void refuse_idle_rows() const {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (!matched_[i]) {
        std::vector<std::string> names;
        for (const models::Op& op : model_.ops) names.push_back(op.name);
        const std::string near = did_you_mean(rules_[i].pattern, names);
        throw std::invalid_argument(fmt::format("{}: '{}' is no op of {}{}", path_, rules_[i].pattern, model_.name,
                                                near.empty() ? "; detent graph MODEL -o FILE lists its ops" : near));
      }
      if (!chosen_[i] && rules_[i].kernel == kWinograd) {
        throw std::invalid_argument(fmt::format(
            "{}: '{}' matches no op that {} is for: 3x3 convolutions of C16 images without stride, dilation "
            "or groups, of class cpu and {} tiles of 4x4 pixels or more",
            path_, rules_[i].pattern, kWinograd, kLeastTiles));
      }
    }
  }

  const std::vector<KernelRule>& rules_;
  const std::string& path_;
  const bool by_default_;
  const models::Model& model_;
  std::vector<bool> matched_, chosen_;  // by row
};

}  // namespace

std::vector<KernelRule> read_kernels(const TomlReader& top) {
  std::vector<KernelRule> rules;
  const TomlReader table = top.table("kernels");
  for (const auto& [key, node] : table.raw()) {
    KernelRule rule{.pattern = std::string(key.str()), .kernel = table.text(key.str())};
    if (const char* const fault = name_fault(rule.pattern)) table.fail(&node, fault);
    if (rule.kernel != kWinograd && rule.kernel != kDirect) {
      table.fail(&node, "'" + table.full(rule.pattern) +
                            "' must be conv2d_winograd_f32, or conv2d_f32 for what a pattern shall leave as it is");
    }
    rules.push_back(std::move(rule));
  }
  if (rules.empty()) top.fail_at("kernels", "'kernels' is empty; give a row such as \"*\" = \"conv2d_winograd_f32\"");
  return rules;
}

std::size_t apply_kernels(const std::vector<KernelRule>& rules, const std::string& path, bool by_default,
                          models::Model& model) {
  if (!model.schedules.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: {} carries static schedules, made for the kernels that it has; leave them as they are", path, model.name));
  }
  const std::vector<OpId> ops = Chooser(rules, path, by_default, model).choose();
  if (ops.empty()) return 0;
  const bool is_planned = models::has_plan(model);
  models::use_winograd(model, ops);
  if (is_planned) models::plan_memory(model);
  return ops.size();
}

}  // namespace detent::app
