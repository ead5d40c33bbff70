// detent simulate A B: several networks at once on one simulated chip.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/simulate/simulation.hpp"

namespace detent::app {

/// What responses of several networks rest on besides the times of ops.
inline constexpr const char* kTogetherAssumes =
    "that the threads which call the networks run on none of these cores, and that choosing a network costs nothing";

struct TogetherRequest {
  Request request{};
  std::vector<std::string> models{};       ///< two or more
  std::vector<std::int32_t> priorities{};  ///< of the models, lower first; empty: all 0
  std::vector<std::string> periods{};      ///< of the models, "5ms", 0: back to back; one: of all; empty: all 0
  ModelOptions model{};
  ScheduleOptions schedule{};
  SimulationOptions simulation{};
};

/// Simulate all models on the workers of one pool, and each of them alone on the same chip.
/// @return  `detent.simulate/1` with "networks"; violated where a run fails or an output differs from the one alone
/// @throws InputError, std::invalid_argument  models, options that mean nothing
Answer simulate_models_together(const TogetherRequest& options, const OnProgress& on_progress);

}  // namespace detent::app
