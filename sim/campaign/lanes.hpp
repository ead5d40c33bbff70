// Lanes of a trace: on which row of a timeline a span stands, where that is not the slot that recorded it, and how busy
// each row was.
#pragma once

#include <vector>

#include "harness/run.hpp"
#include "sim/chip/chip.hpp"
#include "sim/chip/cores.hpp"
#include "sim/platform/platform.hpp"
#include "sim/types/result.hpp"

namespace detent::sim {

/// Asynchronous ops occupy no core, whichever slot recorded them: they get the lane after the last slot.
void move_delays(const detent_desc& desc, const CoreMap& cores, harness::Trace& trace);
/// A command goes to the NPU with the shortest queue, whichever worker brings it: its span gets a lane of that NPU, of
/// which there are as many as commands can be in the queue.
void move_queued_ops(const Platform& platform, const CoreMap& cores, const Chip& chip, harness::Trace& trace);
/// From what the chip recorded; where it did not, from the spans. The second and later commands of an NPU's queue have
/// slots of their own, which only wait: they are no cores.
std::vector<CoreUse> measure_use(const Platform& platform, const CoreMap& cores, const Chip& chip,
                                 const harness::Run& run);

}  // namespace detent::sim
