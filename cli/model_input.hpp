// From the MODEL argument to tables that can run: load, assign to core classes, split, plan memory, lower.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "harness/module/c_module.hpp"
#include "models/core/model.hpp"
#include "models/lower/lower.hpp"
#include "sim/cost/cost_table.hpp"

namespace detent::cli {

/// Options that change the model before it is lowered.
struct ModelOptions {
  std::uint32_t split = 1;  ///< row bands per heavy op; 1 = none
  bool use_npu = false;     ///< convolutions and matrix products go to class "npu"
  bool weights = true;      ///< false: zeros and no compiled kernels, for commands that execute none
  std::string costs{};      ///< file of measured op times, instead of those that the model comes with; empty: none
};

/// Add --split to a command.
void add_model_options(CLI::App& command, ModelOptions& options);
/// Add --costs to a command that simulates or bounds.
void add_costs_option(CLI::App& command, ModelOptions& options);

/// A model ready for the runtime and every analysis.
struct LoadedModel {
  models::Model model;
  models::LoweredModel lowered;
  std::shared_ptr<harness::CModule> module;       ///< of an imported model's own sources, when it may be executed
  std::vector<detent_backend> backends;           ///< kernels that are not built in
  std::string missing_code{};                     ///< why it can be analysed, but not executed; "": it can
  std::shared_ptr<const sim::CostTable> costs{};  ///< of ModelOptions::costs, else null

  [[nodiscard]] const detent_desc& desc() const { return lowered.desc(); }
};

/// @throws InputError     no such model, or a file that breaks a rule
/// @throws std::invalid_argument  a cost table that breaks a rule, or names no op of the model
LoadedModel load(const std::string& name, const ModelOptions& options);

/// The C sources of a model's kernels, and how to compile them. @param compiler  "": $CC, else the first one found
std::vector<harness::CSource> module_sources(const models::Model& model);
harness::CModuleOptions module_options(const models::Model& model, const std::string& compiler);

/// Refuse to execute what does not fit this machine's memory. @throws std::invalid_argument  names the size
void require_executable(const LoadedModel& loaded);
/// @throws std::invalid_argument  always: the model `name` lacks code
[[noreturn]] void refuse_missing_code(const std::string& name, const std::string& missing);
/// True when every kernel is there and the regions are small enough to be allocated here.
bool is_executable(const LoadedModel& loaded);

/// A back end that takes every kernel for granted: for binding without executing.
detent_backend any_kernel_backend();

/// Name of an op, or "op 7" where the tables have no names.
std::string op_name(const detent_desc& desc, std::uint32_t op);

/// Op ids from a file: numbers or op names, separated by white space or commas; '#' starts a comment.
/// @throws std::invalid_argument  unreadable, an unknown name, or not every op exactly once
std::vector<std::uint32_t> read_order(const std::string& path, const detent_desc& desc);
/// The same from text; `file` is named in errors. Memory is bounded by the ops, not by the text.
std::vector<std::uint32_t> parse_order(std::string_view text, const std::string& file, const detent_desc& desc);

}  // namespace detent::cli
