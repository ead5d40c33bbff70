// detent log: a log file of a run or a target -> records as text, and traces for other tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

struct LogRequest {
  Request request{};                   ///< model: path of the log file
  std::optional<std::uint32_t> run{};  ///< its number in the log; none: the last one
  std::string of_model{};              ///< the model that was run, for when bytes became free; empty: not said
  std::string directory{};             ///< for trace.pftrace, trace.btf and trace.vcd; empty: none are written
};

/// Read the file and tell its records. @return  `detent.log/1`; unknown where records of the run are missing
/// @throws InputError  no log file, no model; std::invalid_argument  a run that is not in it, a model of other ops
Answer answer_log(const LogRequest& options);

}  // namespace detent::app
