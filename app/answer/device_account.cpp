#include "app/answer/device_account.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::app {
namespace {

std::string said_of(const std::string& origin) {
  if (origin == harness::prepared_origin_name(harness::PreparedOrigin::kCompiled)) return ": compiled now";
  if (origin == harness::prepared_origin_name(harness::PreparedOrigin::kReused)) return ": reused";
  return ": compiled anew, since the one in the folder was damaged or made of something else";
}

}  // namespace

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

Lines device_lines(const Json& device) {
  const auto number = [&](const char* key) { return device.at(key).get<std::uint64_t>(); };
  const auto name = device.at("name").get<std::string>();
  if (number("model_ops") == 0) {
    return {fmt::format("device {}: no op here is of class {}", name, device.at("class").get<std::string>())};
  }
  Lines lines{fmt::format("device {}: {} executed, {} read, {} written; an op takes up to {} of its memory", name,
                          counted(number("ops"), "op"), format_bytes(number("read_bytes")),
                          format_bytes(number("written_bytes")), format_bytes(number("scratchpad_bytes")))};
  if (!device.contains("prepared")) return lines;
  const Json& prepared = device.at("prepared");
  lines.push_back(fmt::format("prepared form {}, {}{}", prepared.at("token").get<std::string>().substr(0, 16),
                              format_bytes(prepared.at("bytes").get<std::uint64_t>()),
                              prepared.contains("origin") ? said_of(prepared.at("origin").get<std::string>()) : ""));
  return lines;
}

void add_device(const harness::Device* device, bool reproducible, Json& answer, Lines& lines) {
  if (device == nullptr) return;
  answer["device"] = device_json(*device, reproducible);
  append(lines, device_lines(answer["device"]));
}

}  // namespace detent::app
