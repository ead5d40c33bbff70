// What others on the chip add to a makespan, at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "sim/platform/platform.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {

/// What one client adds, of all that the others do.
struct InterferenceChannel {
  std::string client;  ///< "dram:npu": requests of that class of cores; "hardware thread"; "rounding" of speeds
  std::vector<std::uint64_t> per_op_ps;
  std::uint64_t per_run_ps = 0;
};

/// Upper bounds on what the others on the chip add: other clients of the DRAM, the other hardware thread of a core.
/// The bounds of verify/timing hold over worst times + per_op_ps, plus per_run_ps. Loads are apart: loads_ps.
struct Interference {
  std::vector<std::uint64_t> per_op_ps;
  std::uint64_t per_run_ps = 0;
  std::vector<InterferenceChannel> channels{};  ///< they add up to per_op_ps and per_run_ps; none: nothing is added
  std::optional<std::string> unknown{};         ///< why there is no bound; the numbers are 0 then
};
/// DRAM by op: each request of it waits for one of every other client.
Interference interference_by_op(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work);
/// DRAM by the run: all waiting is at most the time that the DRAM needs for all bytes of the model.
Interference interference_by_total(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work);
/// Upper bound on the time that all loads together take within a makespan that is bound_ps without them; the sum is
/// the bound with them. UINT64_MAX: they may take everything, no bound.
std::uint64_t loads_ps(const Platform& platform, std::uint64_t bound_ps);

/// The same, load by load, in the order of the platform. @pre  loads_ps is not UINT64_MAX
std::vector<std::uint64_t> loads_one_by_one_ps(const Platform& platform, std::uint64_t bound_ps);

}  // namespace detent::sim
