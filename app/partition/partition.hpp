// detent partition MODEL: which device executes which ops. Of a plan case also what its runs do when devices fail; of a
// network on a platform what each way to choose comes to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct PartitionRequest {
  Request request{};  ///< model: a plan case, or a network
  // Of a network only.
  ModelOptions model{};                  ///< set: classes of ops that stay, and transfers; costs
  std::string platform{};                ///< empty: quad_npu
  std::string devices{};                 ///< "cpu,npu": classes that may be used; empty: all
  std::vector<std::string> abilities{};  ///< "npu=conv2d_f32,gemm*": kernels of a class
  std::string by = "makespan";           ///< nnapi, makespan or bound: what `out` has
  std::string policy = "id";             ///< of the engine
  std::string jitter = "uniform:0.1";
  std::uint32_t workers = 0;     ///< 0: one per CPU core
  std::uint64_t max_trials = 0;  ///< placements to try; 0: 2,000,000 ops in all, but 100 to 5,000 placements
  std::string out{};             ///< detent.set/1; empty: none
};

/// @return  `detent.partition/1`; unknown where a run of a plan case takes too much work. A plan case that cannot be
///          compiled is an answer.
/// @throws InputError  no such file; std::invalid_argument  options that do not fit, no device for an op, guards
Answer partition_model(const PartitionRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
