// Answers as text, JSON and files.
#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "app/version.hpp"
#include "base/io.hpp"
#include "base/json.hpp"
#include "reports/text/text.hpp"

namespace detent::cli {

Json json_header(const std::string& command, const Common& common) {
  Json answer;
  answer["schema"] = "detent." + command + "/1";
  answer["detent_version"] = app::kVersion;
  answer["model"] = common.model;
  answer["seed"] = common.seed;
  return answer;
}

void write_json(const Common& common, const Json& answer) {
  if (common.json.empty()) return;
  const std::string text = reports::file_json(answer);
  if (common.json == "-") {
    std::cout << text << std::flush;
    return;
  }
  write_file_atomically(common.json, text);
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

void say(const Common& common, const std::string& line) {
  if (common.quiet || common.json == "-") return;
  std::cout << reports::printable_text(line) << "\n";
}

void print_error(const std::string& text) {
  std::string lines;
  for (const char c : reports::printable_text(text)) lines += c == '\n' ? "\n  " : std::string(1, c);
  std::cerr << "detent: " << lines << "\n";
}

void print_warning(const std::string& text) { print_error("warning: " + text); }

Progress::Progress(const Common& common, std::string what, Clock::time_point begin)
    : what_(reports::printable_line(what)),
      enabled_(!common.quiet && ::isatty(STDERR_FILENO) != 0),
      begin_(begin),
      last_(begin) {}

Progress::~Progress() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (!enabled_) return;
  const std::optional<std::string> line = line_at(done, total, Clock::now());
  if (!line) return;
  shown_ = true;
  std::cerr << "\r\033[K" << *line << std::flush;
}

std::optional<std::string> Progress::line_at(std::uint64_t done, std::uint64_t total, Clock::time_point now) {
  if (!first_done_) first_done_ = done;  // what a campaign that goes on has already says nothing about the speed
  if (now - begin_ < std::chrono::seconds(2) || now - last_ < std::chrono::milliseconds(200)) return std::nullopt;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double rate = static_cast<double>(done - *first_done_) / seconds;
  const double rest = done == *first_done_ ? 0 : static_cast<double>(total - done) / rate;
  return fmt::format("{} {}/{} ({:.0f} per second, {:.0f} s left)", what_, done, total, rate, rest);
}

}  // namespace detent::cli
