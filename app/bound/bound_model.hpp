// detent bound: analytic bounds on the makespan and on every op's completion.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/bound/exact_bound.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct BoundRequest {
  Request request{};
  ModelOptions model{};
  std::string platform{}, cores{};  ///< as SimulationOptions
  std::string method = "all";  ///< graham, he2022, typed, serial, exact, smt, sag, lists or all (which leaves exact and
                               ///< smt out, and keeps sag short)
  std::string mode{};          ///< static, which needs lists; closed-loop; empty: by whether there are lists
  ExactQuestion exact{};       ///< of methods exact, smt and sag, and of the closed loop beside lists
  std::uint32_t sag_width = 1;  ///< of method sag: states of one set of ops that has begun
  double smt_seconds = 60;      ///< of method smt, at most
  std::uint64_t smt_steps = 0;  ///< likewise, the same on any machine; 0: no limit
  std::string deadline{};       ///< as wanted_deadline takes it
  std::string witness{};        ///< file for a graph of the exact worst run; empty: none
  bool budget = false;          ///< show the budget of the lowest bound; it stands in the JSON anyway
  std::string jitter = "uniform:0.1";
  std::uint32_t workers = 0;  ///< 0: one per CPU core
  bool no_npu = false;
  bool no_overheads = false;
  bool no_contention = false;
  bool private_ports = false;
};

/// @return  `detent.bound/1`; with a deadline the outcome is whether it is kept. Else unknown where no upper bound has
/// the assumptions that it needs, or the exact analysis or the proof has
///          reached its limit; violated where the exact analysis and the run that shall attain it disagree, or it and
///          Z3
/// @throws std::invalid_argument  no such model or platform; a graph of the worst run is wanted and there is none
/// @throws InputError  it cannot be written
Answer bound_model(const BoundRequest& wanted);

}  // namespace detent::app
