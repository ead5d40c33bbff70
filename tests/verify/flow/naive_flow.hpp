// Value flow by force: every order of the ops, every outcome of the decisions, every byte. Shares no code with verify/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/model.hpp"
#include "verify/flow/value_flow.hpp"

namespace detent::verify::testing {

/// (reader, value, op in the way, always), sorted, each once. Reads of one of several values have the name "*".
using FlowSet = std::vector<std::tuple<std::uint32_t, std::string, std::uint32_t, bool>>;

/// A read as executions show it.
struct ReadTruth {
  std::uint32_t reader = 0;
  std::string values;
  bool some = false;  ///< some execution finds another byte
  bool all = false;   ///< every execution in which the reader runs does
  auto operator<=>(const ReadTruth&) const = default;
};

/// Every order of the ops that the edges allow. @param model  of at most 8 ops
std::vector<std::vector<std::uint32_t>> all_orders(const models::Model& model);
/// @param model  an op graph of at most 8 ops, regions of at most 64 bytes
FlowSet find_flow_naively(const models::Model& model);
/// By executing it: each op reads all its bytes, then writes all its bytes.
std::vector<ReadTruth> execute_all(const models::Model& model);
/// The same out of a report.
FlowSet flow_set(const models::Model& model, const ValueFlowReport& report);

/// detent.graph/2 of up to `most_ops` ops.
std::string random_flow_graph(std::uint64_t seed, std::uint32_t most_ops, bool guards);

}  // namespace detent::verify::testing
