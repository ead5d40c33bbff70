// Random chips: a case -> the text of a platform file. Cores, queues of NPUs and GPUs, overheads, loads, shared DRAM.
#pragma once

#include <string>

#include "properties/graph_case.hpp"
#include "sim/platform/platform.hpp"

namespace detent::laws {

/// A platform file (detent.platform/1): one to eight CPU cores, at least as many as the case has workers, one to three
/// NPUs or GPUs whose queues take one to three commands, overheads from none to above the ops, up to two loads,
/// hardware threads, and a DRAM that is shared or not. Costs are of the size of ops of up to some thousand picoseconds.
std::string random_chip_text(const GraphCase& g);
sim::Platform random_chip(const GraphCase& g);
/// Do workers migrate in the case's runs on its chip?
bool migrates(const GraphCase& g);
/// Do those runs follow the order of the case's schedule (policy `given`) instead of its policy?
bool follows_order(const GraphCase& g);

/// `detent check` on the case's chip. Files of the chip, and of the order where there is one, are written beside the
/// graph's.
std::string random_chip_command(const GraphCase& g, const std::string& file);

}  // namespace detent::laws
