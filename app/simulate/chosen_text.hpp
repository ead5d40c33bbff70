// Chosen op times and ties of a simulated run as text and back: what a replay line says of a run that a search found.
#pragma once

#include <string>
#include <vector>

#include "sim/types/chosen_run.hpp"
#include "sim/types/op_times.hpp"

namespace detent::app {

/// "worst,3-5:best,7:1500": every op takes its worst time, but ops 3 to 5 their best and op 7 1500 ps. Ids ascend.
/// @param ranges  by op, what its best and worst are
std::string chosen_times_text(const sim::ChosenRun& run, const std::vector<sim::OpTime>& ranges);
/// "7,3": the ops whose ends come first at one instant, in this order; "": none.
std::string chosen_ties_text(const sim::ChosenRun& run);

/// The run of both texts. Whether the ops can take the times is for the simulation to say.
/// @throws std::invalid_argument  names the word that is wrong and what may stand there
sim::ChosenRun parse_chosen(const std::string& times, const std::string& ties, std::uint64_t seed,
                            const std::vector<sim::OpTime>& ranges);

}  // namespace detent::app
