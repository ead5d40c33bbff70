// What the device of a run has done, as the answers of the commands that take --device tell it.
#pragma once

#include "app/answer/answer.hpp"
#include "harness/device/device.hpp"

namespace detent::app {

/// {name, class, slots, model_ops, ops, read_bytes, written_bytes, scratchpad_bytes}, and of a device that was opened
/// with a prepared form "prepared" {token, bytes, origin}. model_ops: ops of the model that are the device's; ops and
/// bytes: of all runs that executed kernels.
/// @param reproducible  without "most_commands", the longest that its queue was, and without the origin of the form
Json device_json(const harness::Device& device, bool reproducible);

/// The same as "device" of the answer, and its lines (device_lines). Nothing where there is no device: null.
void add_device(const harness::Device* device, bool reproducible, Json& answer, Lines& lines);

}  // namespace detent::app
