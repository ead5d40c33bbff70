// The second opinion of `verify --smt`: Z3 beside L0, and files for other solvers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/static/static_checks.hpp"
#include "verify/smt/race_proof.hpp"

namespace detent::app {

struct SmtOptions {
  bool smt = false;
  double limit_seconds = 60;
  std::uint64_t limit_steps = 0;  ///< 0: none
  std::string races_file{};       ///< SMT-LIB 2.6, empty: none
  std::string plan_file{};
};

struct SmtAnswer {
  std::vector<verify::Verdict> verdicts;  ///< memory_plan_smt, buffer_races_smt, value_flow_smt, checkers_agree
  Json json;                              ///< what goes under "smt"
  double seconds = 0;                     ///< on this host
};

/// Prove what `known` found out by other means, and compare. The limits hold for all proofs together.
/// @param values  as of check_static_laws
SmtAnswer prove_by_smt(const detent_desc& desc, const ValueTables* values, const StaticAnswer& known,
                       const SmtOptions& options, const OnProgress& on_progress);

/// Write the files that were asked for, each whole or not at all. @return  what was written, and where a model has
/// nothing to write. @param values  as of check_static_laws
Lines write_smt_files(const detent_desc& desc, const ValueTables* values, const StaticAnswer& known,
                      const SmtOptions& options, const Request& request);

}  // namespace detent::app
