// RaceCollector: keeps the first races of a stream that may be billions long, and fills in their bytes and tensors.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/static/race.hpp"

namespace detent::verify {

class RaceCollector {
 public:
  explicit RaceCollector(std::uint64_t max_listed) : max_listed_(max_listed) {}

  /// Races whose op_a is greater than this can no longer be among the first. DETENT_NONE: all may be.
  [[nodiscard]] std::uint32_t last_wanted_op() const { return last_wanted_; }
  /// Two ops in any order; `x_writes` and `y_writes` say what each does; at least one is true.
  void add(std::uint32_t x, bool x_writes, std::uint32_t y, bool y_writes, RegionId region);
  /// The kept races in order, with bytes and tensors taken from the Desc.
  [[nodiscard]] std::vector<Race> finish(const detent_desc& desc);

 private:
  void prune();

  std::uint64_t max_listed_;
  std::uint32_t last_wanted_ = DETENT_NONE;
  std::vector<Race> kept_;
};

}  // namespace detent::verify
