// detent plan --problem: buffers with lifetimes and sizes, from a CSV file, placed within a capacity.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

struct MemoryProblemRequest {
  Request request{};
  std::string file{};
  std::uint64_t capacity_bytes = 0;  ///< 0: as low as the search gets
  std::uint64_t max_nodes = 0;       ///< of the search; 0: about a minute
};

/// Place the buffers and check the placement pair by pair. @return  `detent.plan/1` of a problem; violated: it is not
/// placed within the capacity, whether that is proven or not
/// @throws std::invalid_argument  no such file, no problem
Answer place_problem(const MemoryProblemRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
