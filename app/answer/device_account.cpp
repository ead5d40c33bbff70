#include "app/answer/device_account.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::app {
namespace {

const char* said_of(harness::PreparedOrigin origin) {
  switch (origin) {
    case harness::PreparedOrigin::kCompiled:
      return ": compiled now";
    case harness::PreparedOrigin::kReused:
      return ": reused";
    case harness::PreparedOrigin::kRecompiled:
      break;
  }
  return ": compiled anew, since the one in the folder was damaged or made of something else";
}

}  // namespace

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
  const harness::PreparedForm* const prepared = device.prepared();
  if (prepared != nullptr) {
    answer["device"]["prepared"] = {{"token", prepared->token()}, {"bytes", prepared->bytes()}};
    if (!reproducible) answer["device"]["prepared"]["origin"] = prepared_origin_name(prepared->origin());
  }
  if (needs.op_count == 0) {
    lines.push_back(fmt::format("device {}: no op here is of class {}", module.name, module.class_name));
    return;
  }
  lines.push_back(fmt::format("device {}: {} executed, {} read, {} written; an op takes up to {} of its memory",
                              module.name, counted(done.ops, "op"), format_bytes(done.read_bytes),
                              format_bytes(done.written_bytes), format_bytes(needs.scratchpad_bytes)));
  if (prepared == nullptr) return;
  lines.push_back(fmt::format("prepared form {}, {}{}", prepared->token().substr(0, 16),
                              format_bytes(prepared->bytes()), reproducible ? "" : said_of(prepared->origin())));
}

}  // namespace detent::app
