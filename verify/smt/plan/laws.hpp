// PlanLaws: laws about one region, one tensor, or one op and its tensors: B09, B32, B40, B41, B43 to B49.
#pragma once

#include <cstdint>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/smt/plan/writer.hpp"
#include "verify/smt/solver/byte_terms.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

class PlanLaws {
 public:
  /// All must outlive it.
  PlanLaws(Script& script, const detent_desc& desc, PlanWriter& writer, ByteTerms& bytes)
      : script_(script), desc_(desc), writer_(writer), bytes_(bytes) {}

  void add_region(std::uint32_t id);
  void add_tensor(std::uint32_t id);
  void add_op(std::uint32_t id);

 private:
  Term is_no_power_of_two(std::uint32_t value);
  void add_extent(std::uint32_t id, const detent_tensor& tensor);
  Term spans(const detent_tensor& tensor);
  void add_alignment(std::uint32_t id, const detent_tensor& tensor, const detent_region& region);
  void add_view(std::uint32_t id, const detent_tensor& view);
  void add_lifetime(std::uint32_t id, const detent_tensor& tensor);
  void add_write(OpId op, TensorId tensor);
  [[nodiscard]] bool is_placed_value(TensorId tensor) const;
  void add_not_in_place(OpId op, std::uint32_t in, std::uint32_t out);

  Script& script_;
  const detent_desc& desc_;
  PlanWriter& writer_;
  ByteTerms& bytes_;
};

}  // namespace detent::verify::smt
