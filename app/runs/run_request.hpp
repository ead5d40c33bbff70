// What is asked of a native run, and how it is refused.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/replay/fault_options.hpp"

namespace detent::app {

struct RunRequest {
  Request request{};
  ModelOptions model{};
  ScheduleOptions schedule{};  ///< workers are engine threads; 0: serial
  FaultOptions faults{};
  bool no_audit = false;  ///< kernels of imported C are executed without one
  std::vector<std::string> inputs{},
      outputs{};                           ///< as app/runs/tensor_files.hpp; empty: seeded data, nothing is written
  std::string log_file{};                  ///< log file of the run; empty: none
  std::uint32_t repeat = 1;                ///< measured runs
  std::uint32_t warmup = 1;                ///< runs before them that do not count
  bool keep_memory = false;                ///< between repeated runs only inputs are written anew
  bool sweep = false;                      ///< every number of workers up to that of `schedule`, modes and policies
  std::string trace_directory{};           ///< trace files of the longest measured run
  std::vector<std::string> others{};       ///< models that share the workers with request.model, at the same time
  std::vector<std::int32_t> priorities{};  ///< of all models together, lower first; empty: all 0
};

/// The runtime refused the model or the options.
class RunRefused : public std::invalid_argument {
 public:
  RunRefused(Json answer, const std::string& text) : std::invalid_argument(text), answer_(std::move(answer)) {}
  /// `detent.run/1` with "error".
  [[nodiscard]] const Json& answer() const { return answer_; }

 private:
  Json answer_;
};

}  // namespace detent::app
