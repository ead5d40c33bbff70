#include "app/answer/device_account.hpp"

#include "app/answer/device_lines.hpp"

namespace detent::app {

Json device_json(const harness::Device& device, bool reproducible) {
  const detent_device_module& module = device.module().table();
  const detent_device_needs& needs = device.needs();
  const detent_device_counters done = device.counters();
  Json answer = {{"name", module.name},
                 {"class", module.class_name},
                 {"slots", module.slots},
                 {"model_ops", needs.op_count},
                 {"ops", done.ops},
                 {"read_bytes", done.read_bytes},
                 {"written_bytes", done.written_bytes},
                 {"scratchpad_bytes", needs.scratchpad_bytes}};
  if (!reproducible) answer["most_commands"] = done.most_commands;
  const harness::PreparedForm* const prepared = device.prepared();
  if (prepared != nullptr) {
    answer["prepared"] = {{"token", prepared->token()}, {"bytes", prepared->bytes()}};
    if (!reproducible) answer["prepared"]["origin"] = prepared_origin_name(prepared->origin());
  }
  return answer;
}

void add_device(const harness::Device* device, bool reproducible, Json& answer, Lines& lines) {
  if (device == nullptr) return;
  answer["device"] = device_json(*device, reproducible);
  append(lines, device_lines(answer["device"]));
}

}  // namespace detent::app
