// detent calibrate: what ops, and this machine itself, cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct CalibrateRequest {
  Request request{};  ///< only inputs are random here: seeds.schedule is theirs
  ModelOptions model{};
  std::vector<std::string> models{};
  std::vector<std::string> fit{};
  std::vector<std::uint32_t> workers{};
  std::string out{};
  std::string platform{};
  std::uint32_t runs = 0;       ///< 0: as many as suit the kind of measurement
  std::uint32_t cold_runs = 0;  ///< 0: a fifth of them
  double max_error = 0;         ///< percent; 0: any
  bool use_cold = false;
  bool host = false;      ///< the machine itself
  bool validate = false;  ///< predictions against measurements
};

/// Measure, write `out`, and answer. @return  `detent.calibrate/1`
/// @throws std::invalid_argument  options that do not go together; no model; a file that cannot be written
Answer calibrate(CalibrateRequest wanted, const OnProgress& on_progress);

}  // namespace detent::app
