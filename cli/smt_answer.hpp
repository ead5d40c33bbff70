// The second opinion of `verify --smt`: Z3 beside L0, and files for other solvers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/checker.hpp"
#include "cli/output.hpp"
#include "verify/smt/race_proof.hpp"

namespace CLI {
class App;
}

namespace detent::cli {

struct SmtOptions {
  bool smt = false;
  double limit_seconds = 60;
  std::uint64_t limit_steps = 0;  ///< 0: none
  std::string races_file{};       ///< SMT-LIB 2.6, empty: none
  std::string plan_file{};
};

void add_smt_options(CLI::App& command, SmtOptions& options);

struct SmtAnswer {
  std::vector<verify::Verdict> verdicts;  ///< memory_plan_smt, buffer_races_smt, checkers_agree
  Json json;                              ///< what goes under "smt"
  double seconds = 0;                     ///< on this host
};

/// Prove what `known` found out by other means, and compare. The limits hold for plan and races together.
SmtAnswer prove_by_smt(const detent_desc& desc, const StaticAnswer& known, const SmtOptions& options,
                       const Common& common);

/// Write the files that were asked for, each whole or not at all; says where a model has nothing to write.
void write_smt_files(const detent_desc& desc, const StaticAnswer& known, const SmtOptions& options,
                     const Common& common);

}  // namespace detent::cli
