// detent synthesize: static lists of a model with the shortest makespan.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct SynthesizeRequest {
  Request request{};
  ModelOptions model{};
  std::string platform{}, cores{};  ///< as SimulationOptions
  /// makespan or worst-case: of static lists both are the longest path with all ops at their worst times.
  std::string objective = "makespan";
  double seconds = 0;           ///< 0: max_nodes alone ends the search
  std::uint64_t max_nodes = 0;  ///< 0: 2,000,000, or any number where there are seconds
  std::string jitter = "uniform:0.1";
  std::uint32_t workers = 0;  ///< 0: one per CPU core
  bool no_npu = false;
  std::string out{};  ///< detent.lists/1; empty: none
};

/// @return  `detent.synthesize/1`; unknown where a limit ended the search before the lists were proven optimal
/// @throws std::invalid_argument  no such model or platform, a time that is not known, guards, a mutex whose ops no
///         edges order, ops that are for some workers only, a file that cannot be written
Answer synthesize_model(const SynthesizeRequest& wanted);

}  // namespace detent::app
