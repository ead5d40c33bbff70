// The second opinion on an import's operators: for which of them does one observed run stand for every input?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/tvm/import.hpp"
#include "models/tvm/ir_taint.hpp"
#include "verify/access_audit.hpp"

namespace detent::cli {

/// What the analysis of the text says of an operator.
enum class TextOpinion : std::uint8_t { kExact, kInexact, kOpaque };
const char* text_opinion_name(TextOpinion opinion);
/// "independent", "depends", "unknown"
const char* ir_opinion_name(models::tvm::IrVerdict::Kind kind);

/// Of one operator call.
struct OpOpinion {
  std::uint32_t op = 0;
  std::string function;
  models::tvm::IrVerdict ir;
  TextOpinion text = TextOpinion::kOpaque;
  bool is_observed = false;  ///< completely, and it touched nothing but what is declared
  bool is_equal = false;     ///< and all of that

  /// The accesses that were observed are those of every input.
  [[nodiscard]] bool holds_for_all_inputs() const {
    return is_observed && ir.kind == models::tvm::IrVerdict::Kind::kIndependent;
  }
  /// One finds the same bytes for every input and the other does not.
  [[nodiscard]] bool disagrees() const {
    return (ir.kind == models::tvm::IrVerdict::Kind::kIndependent) != (text == TextOpinion::kExact);
  }
  /// Why not for all inputs; "" otherwise.
  [[nodiscard]] std::string reason() const;
};

/// @param model     of `import`, whose sources are compiled
/// @param accesses  what an instrumented run of `model` was found to touch
/// @return  by op; operators that clang-19 cannot translate are unknown, with what it says
std::vector<OpOpinion> second_opinion(const models::tvm::Import& import, const models::Model& model,
                                      const std::string& compiler, const verify::AccessAudit& accesses);

}  // namespace detent::cli
