// Answers as text, JSON and files.
#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "base/io.hpp"
#include "reports/text/text.hpp"

namespace detent::cli {

void write_json(const Common& common, const Json& answer) {
  if (common.json.empty()) return;
  const std::string text = reports::file_json(answer);
  if (common.json == "-") {
    std::cout << text << std::flush;
    return;
  }
  write_file_atomically(common.json, text);
}

void say(const Common& common, const std::string& line) {
  if (common.quiet || common.json == "-") return;
  std::cout << reports::printable_text(line) << "\n";
}

void say(const Common& common, const app::Lines& lines) {
  for (const std::string& line : lines) say(common, line);
}

int show(const Common& common, const app::Answer& answer) {
  write_json(common, answer.json);
  say(common, answer.lines);
  return exit_code(answer.outcome);
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

app::OnProgress progress_of(const Common& common, const std::string& what) {
  return [&common, what, shown = std::shared_ptr<Progress>()](std::uint64_t done, std::uint64_t total) mutable {
    if (!shown) shown = std::make_shared<Progress>(common, what);
    shown->update(done, total);
  };
}

}  // namespace detent::cli
