#include "app/answer/device_account.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::app {

void add_device(const harness::Device* opened, bool reproducible, Json& answer, Lines& lines) {
  if (opened == nullptr) return;
  const harness::Device& device = *opened;
  const detent_device_module& module = device.module().table();
  const detent_device_needs& needs = device.needs();
  const detent_device_counters done = device.counters();
  answer["device"] = {{"name", module.name},
                      {"class", module.class_name},
                      {"slots", module.slots},
                      {"model_ops", needs.op_count},
                      {"ops", done.ops},
                      {"read_bytes", done.read_bytes},
                      {"written_bytes", done.written_bytes},
                      {"scratchpad_bytes", needs.scratchpad_bytes}};
  if (!reproducible) answer["device"]["most_commands"] = done.most_commands;
  if (needs.op_count == 0) {
    lines.push_back(fmt::format("device {}: no op here is of class {}", module.name, module.class_name));
    return;
  }
  lines.push_back(fmt::format("device {}: {} executed, {} read, {} written; an op takes up to {} of its memory",
                              module.name, counted(done.ops, "op"), format_bytes(done.read_bytes),
                              format_bytes(done.written_bytes), format_bytes(needs.scratchpad_bytes)));
}

}  // namespace detent::app
