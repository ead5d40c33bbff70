// What the C kernels of a package are seen to touch, against what its ops declare; and for which of them one run stands
// for every input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "base/ids.hpp"
#include "harness/access/report.hpp"
#include "models/import/tvm/ir/taint.hpp"
#include "verify/runs/access_audit.hpp"

namespace detent::app {

/// "declared", "exact", "inexact", "opaque"
const char* footprint_name(models::Footprint footprint);
/// "independent", "depends", "unknown"
const char* ir_opinion_name(models::tvm::IrVerdict::Kind kind);

/// Of one op.
struct OpOpinion {
  OpId op = 0;
  std::string function;
  models::tvm::IrVerdict ir;
  models::Footprint text = models::Footprint::kOpaque;
  bool is_observed = false;  ///< completely, and it touched nothing but what is declared
  bool is_equal = false;     ///< and all of that

  /// The accesses that were observed are those of every input.
  [[nodiscard]] bool holds_for_all_inputs() const {
    return is_observed && ir.kind == models::tvm::IrVerdict::Kind::kIndependent;
  }
  /// The analysis of the text says the same bytes for every input, LLVM's representation that data chooses them. Where
  /// memory lies is no data: the analysis takes it that buffers begin at multiples of 16.
  [[nodiscard]] bool disagrees() const {
    return text == models::Footprint::kExact && ir.kind == models::tvm::IrVerdict::Kind::kDepends && !ir.by_place;
  }
  /// Why not for all inputs; "" otherwise.
  [[nodiscard]] std::string reason() const;
};

struct KernelAudit {
  harness::AccessReport report;
  verify::AccessAudit accesses;
  std::vector<OpOpinion> opinions;  ///< by op

  [[nodiscard]] std::size_t all_inputs_ops() const;
  /// Property "access_audit". Violated: an op touches what it does not declare. Unknown: not everything was seen, or
  /// an op whose text analysis claims every input is said by LLVM's representation to depend on data. Assumes of ops
  /// that were judged for one input only that no other makes them touch more.
  [[nodiscard]] verify::Verdict verdict() const;
};

/// Compile the kernels anew, with each access recorded, and run all ops once, serially.
/// @param loaded    has C sources and can be executed
/// @param compiler  "": as load
/// @throws std::invalid_argument  they do not compile
KernelAudit audit_kernels(const LoadedModel& loaded, const std::string& compiler, std::uint64_t input_seed);

/// Are there kernels of C that can be executed here?
bool has_kernels_to_audit(const LoadedModel& loaded);

/// Before kernels of C are executed for a command: audit_kernels, once for each package, input seed and compiler (kept
/// beside the compiled modules). Unknown, and why, where the kernels do not compile.
verify::Verdict kept_audit(const LoadedModel& loaded, std::uint64_t input_seed);

/// What the footprints of a package rest on, as verdicts about races say it: "footprints by text analysis"; "" for
/// models without C kernels.
/// @param audit  null: none was made
std::string footprint_ground(const LoadedModel& loaded, const verify::Verdict* audit);
/// What verdicts about races and outputs hold under where C functions that an op graph names compute ops: that they
/// touch no bytes but those that the graph lists, of all of them or of those that the audit judged for one input only.
/// "" where nothing is assumed, or where no such function computes anything.
/// @param audit  null: none was made
std::string assumed_of_functions(const LoadedModel& loaded, const verify::Verdict* audit);
/// Do C functions that an op graph names compute ops? Nothing but an audit knows what they do.
bool has_c_functions(const models::Model& model);

}  // namespace detent::app
