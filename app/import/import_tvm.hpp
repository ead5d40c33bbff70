// detent import tvm: a TVM ahead-of-time artifact -> a package, with its hazards told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/import/tvm_runs.hpp"
#include "models/import/tvm/model/import.hpp"

namespace detent::app {

struct ImportTvmOptions {
  Request request;  ///< model: path of the artifact
  std::string package;
  std::string set{};              ///< file of priorities, classes and workers that the package keeps; empty: none
  std::string schedule{};         ///< likewise of a static schedule
  std::string edges = "hazards";  ///< hazards, names
  std::string replan = "none";    ///< none, parallel
  std::uint64_t scratch_limit = 16384;
  std::uint32_t workers = 3;
  std::uint64_t arena_limit_bytes = UINT64_MAX;
  bool stays_within_tvm = false;
  std::string compiler;
  std::string flags = "-O2";
  std::string target;  ///< triple of a compiler that the package shall be right for, too; "": this host alone
  std::vector<std::string> includes, sources;  ///< a vendor's headers and C files
  bool audit = false;
  bool no_audit = false;  ///< measure without an audit
  bool measure = false;
};

/// "tvm": within TVM's own arena; a size: within so many bytes.
/// @throws std::invalid_argument  neither
void set_arena_limit(ImportTvmOptions& options, const std::string& text);

/// What was read, what was made of it, what was executed.
struct ImportedTvm {
  models::tvm::ModelOptions model_options{};
  models::tvm::Import import{};
  bool is_foreign = false;                      ///< the package cannot be executed on this host
  models::Model planned_by_tvm{};               ///< without a new plan
  std::optional<models::tvm::Replan> replan{};  ///< with --replan
  std::optional<ImportAudit> audit{};
  std::string settings{};              ///< of ImportTvmOptions::set and ::schedule
  bool is_interrupted = false;         ///< while it was executed: the package was not written
  std::vector<std::uint64_t> costs{};  ///< measured, ps by op
  std::vector<std::pair<std::uint32_t, std::uint64_t>> measured{}, simulated{};  ///< workers or cores, ps

  /// Of the package.
  [[nodiscard]] const models::Model& model() const { return replan ? replan->model : planned_by_tvm; }
  models::Model& changing_model() { return replan ? replan->model : planned_by_tvm; }
  /// Of the audit; holds without one.
  [[nodiscard]] verify::Outcome outcome() const;
};

/// Read the artifact, analyse it, execute it where that is asked for, and write the package. Where stop_requested()
/// (base/interrupt.hpp) ends what is executed, what was known by then, and no package.
/// @throws InputError, std::invalid_argument  the artifact or an option cannot be taken; nothing is written
ImportedTvm import_tvm(const ImportTvmOptions& options, const OnStep& on_step);

/// `detent.import/1`.
Json import_answer(const ImportTvmOptions& options, const ImportedTvm& imported);
/// Its part `parallelism`: by names, by hazards, as planned anew.
Json import_parallelism(const ImportedTvm& imported);
/// The same for people.
Lines import_lines(const ImportTvmOptions& options, const ImportedTvm& imported);

}  // namespace detent::app
