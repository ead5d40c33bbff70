// What Slurm's states and reasons mean, in words; lists of array indices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::app {

/// "PENDING", "Resources" -> "waiting for a free core". Reasons that are not known stand in brackets as they are.
std::string slurm_words(const std::string& state, const std::string& reason);

/// Lines of sacct (JobID|State|ExitCode|NodeList) -> a text for each task that did not end well.
std::vector<std::string> failed_tasks(const std::string& accounting);

/// {0, 1, 2, 5} -> "0-2,5", as --array takes it.
std::string index_list(const std::vector<std::uint32_t>& indices);

}  // namespace detent::app
