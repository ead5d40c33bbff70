// A violation that was found -> the one that is told: with the first bytes that show it, and a schedule.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "verify/flow/found_list.hpp"
#include "verify/flow/standings.hpp"
#include "verify/flow/violation.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// What violations are told with. All of it outlives the teller.
class ViolationTeller {
 public:
  /// @param wants  whose names are those of all that was found
  ViolationTeller(const detent_desc& desc, const Order& order, const Wants& wants, const Standings& standings)
      : desc_(desc), order_(order), wants_(wants), standings_(standings) {}

  /// In their order; the first few, with one at least, have a schedule.
  [[nodiscard]] std::vector<ValueViolation> tell(const std::vector<Found>& found) const;

 private:
  [[nodiscard]] ValueViolation violation_of(const Found& found) const;
  [[nodiscard]] ByteRange bytes_of_clash(const ByteSet& wanted, const Found& found) const;
  [[nodiscard]] ByteRange bytes_of_writer(const ByteSet& wanted, OpId op) const;
  void add_bytes(const Found& found, ValueViolation& violation) const;
  [[nodiscard]] std::vector<std::uint32_t> schedule_of(const Found& found) const;
  [[nodiscard]] Standing standing_of(const Found& found) const;

  const detent_desc& desc_;
  const Order& order_;
  const Wants& wants_;
  const Standings& standings_;
};

}  // namespace detent::verify
