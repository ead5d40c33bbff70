#include "app/answer/answer.hpp"

#include <iterator>

#include "app/version.hpp"
#include "base/json.hpp"

namespace detent::app {

void append(Lines& lines, Lines more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Json json_header(const std::string& command, const Request& request) {
  Json answer;
  answer["schema"] = "detent." + command + "/1";
  answer["detent_version"] = kVersion;
  answer["model"] = request.model;
  answer["seed"] = request.seeds.schedule;
  return answer;
}

Json parse_answer(const std::string& file, std::string_view text) {
  constexpr std::uint32_t kMaxValues = 1U << 24U;
  static_cast<void>(JsonDocument::parse(
      text, file, {.max_bytes = kMaxAnswerBytes, .max_nodes = kMaxValues, .max_string_bytes = kMaxLongStringBytes}));
  return Json::parse(text);
}

std::optional<std::string> replay_line_of(const std::string& file, std::string_view text) {
  const auto answer =
      JsonDocument::parse(text, file, {.max_bytes = kMaxAnswerBytes, .max_string_bytes = kMaxLongStringBytes});
  if (answer.root().kind() != JsonKind::kObject) return std::nullopt;
  for (const JsonValue member : answer.root().members()) {
    if (member.key() == "replay" && member.kind() == JsonKind::kString) return std::string(member.as_string());
  }
  return std::nullopt;
}

}  // namespace detent::app
