#include "app/answer/device_lines.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::app {
namespace {

std::string said_of(const std::string& origin) {
  if (origin == "compiled") return ": compiled now";
  if (origin == "reused") return ": reused";
  return ": compiled anew, since the one in the folder was damaged or made of something else";
}

}  // namespace

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

}  // namespace detent::app
