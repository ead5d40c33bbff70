// What is asked of an exploration of orders, whole or in shards.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/explore/failure_answer.hpp"
#include "app/simulate/campaign.hpp"
#include "verify/explore/ops/exploration.hpp"

namespace detent::app {

struct OpExploreRequest {
  Request request{};
  std::string strategy = "dfs";  ///< of op_strategies()
  bool count_only = false;       ///< execute nothing
  std::uint64_t budget = 0;      ///< executions at most; 0: by the work of one run
  std::uint32_t workers = 3;     ///< whose reachable traces are told apart
  std::uint32_t split = 1;       ///< of the model, for the replay line
  bool winograd = false;         ///< likewise
  std::string set{};             ///< likewise
  std::string outcomes{};        ///< likewise
  std::string device{};          ///< likewise
  std::uint64_t max_states = verify::explore::CountLimits{}.max_states;
  std::uint64_t max_leaves = verify::explore::CountLimits{}.max_leaves;
  std::uint32_t simulate = 2;  ///< schedules that are executed in simulated time, too
  FailureOptions failure{};
  CampaignOptions campaign{};     ///< file, shard, merge and resume
  std::string identity{};         ///< of the command, where files are involved
  bool mutex_orders = false;      ///< orders of ops that only share a mutex count, too
  bool commuting_orders = false;  ///< orders declared irrelevant count, too
};

}  // namespace detent::app
