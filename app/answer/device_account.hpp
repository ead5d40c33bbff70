// What the device of a run has done, as the answers of `detent run` and `simulate` tell it.
#pragma once

#include "app/answer/answer.hpp"
#include "harness/device/device.hpp"

namespace detent::app {

/// Add "device" {name, class, slots, model_ops, ops, read_bytes, written_bytes, scratchpad_bytes} and a line, and of a
/// device that was opened with a prepared form "prepared" {token, bytes, origin} in it and another line. Nothing where
/// there is no device: null. model_ops: ops of the model that are the device's; ops and bytes: of all runs that
/// executed kernels.
/// @param reproducible  without "most_commands", the longest that its queue was, and without the origin of the form
void add_device(const harness::Device* opened, bool reproducible, Json& answer, Lines& lines);

}  // namespace detent::app
