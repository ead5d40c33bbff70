// Answers as text, JSON and files.
#include "cli/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "base/interrupt.hpp"
#include "base/io.hpp"
#include "base/words/quantity.hpp"
#include "reports/text/colour.hpp"
#include "reports/text/text.hpp"
#include "reports/text/wrap.hpp"

namespace detent::cli {
namespace {

constexpr std::size_t kUsualColumns = 80;
constexpr const char* kEraseLine = "\r\033[K";

constexpr std::size_t kFewestColumns = 20;

/// COLUMNS where it is a number, else what the terminal behind `descriptor` has, else 80.
std::size_t columns_of_terminal(int descriptor) {
  std::size_t columns = 0;
  if (const char* const set = std::getenv("COLUMNS")) columns = read_count(set).value_or(0);
  struct winsize size {};
  if (columns == 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  return columns == 0 ? kUsualColumns : std::max(columns, kFewestColumns);
}

/// The one line of progress of the terminal, and the thread that writes it while nobody counts.
struct ProgressLine {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_over = true;
  bool is_shown = false;
  std::chrono::steady_clock::time_point counted;  ///< when a Progress wrote last
  std::string step;                               ///< of the work; may be empty
  std::thread writer;

  void show(const std::string& text) {
    is_shown = true;
    // One column less: a cursor behind the last one would begin a new line, which is not erased.
    std::cerr << kEraseLine << reports::first_columns(text, columns_of_terminal(STDERR_FILENO) - 1) << std::flush;
  }
  void erase() {
    if (is_shown) std::cerr << kEraseLine << std::flush;
    is_shown = false;
  }
};

ProgressLine& progress_line() {
  static ProgressLine line;
  return line;
}

void beat(const std::string& what) {
  using namespace std::chrono;
  ProgressLine& line = progress_line();
  const auto begin = steady_clock::now();
  std::unique_lock lock(line.mutex);
  while (!line.changed.wait_for(lock, seconds(1), [&] { return line.is_over; })) {
    const auto now = steady_clock::now();
    if (now - begin < seconds(2) || now - line.counted < seconds(2)) continue;
    line.show(what + (line.step.empty() ? "" : ": " + line.step) + ": " +
              std::to_string(duration_cast<seconds>(now - begin).count()) + " s");
  }
  line.erase();
}

void end_heartbeat() {
  ProgressLine& line = progress_line();
  {
    const std::lock_guard lock(line.mutex);
    line.is_over = true;
    line.step.clear();
  }
  line.changed.notify_all();
  if (line.writer.joinable()) line.writer.join();
}

bool is_coloured(const Common& common) {
  if (common.color != "auto") return common.color == "always";
  const char* const refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace

std::size_t screen_width() { return columns_of_terminal(STDOUT_FILENO); }

void write_json(const Common& common, const Json& answer) {
  if (common.json.empty()) return;
  const std::string text = reports::file_json(answer);
  if (common.json == "-") {
    end_heartbeat();
    std::cout << text << std::flush;
    return;
  }
  write_file_atomically(common.json, text);
}

void say(const Common& common, const std::string& line) {
  if (common.quiet || common.json == "-") return;
  end_heartbeat();
  const std::string text = reports::wrap(reports::printable_text(line), screen_width());
  std::cout << (is_coloured(common) ? reports::coloured(text) : text) << "\n";
}

void say(const Common& common, const app::Lines& lines) {
  for (const std::string& line : lines) say(common, line);
}

int show(const Common& common, const app::Answer& answer) {
  Json json = answer.json;
  const bool is_partial = mark_partial(common, json);
  write_json(common, json);
  say(common, answer.lines);
  return is_partial ? partial_code(exit_code(answer.outcome)) : exit_code(answer.outcome);
}

bool mark_partial(const Common& common, Json& answer) {
  if (!stop_requested()) return false;
  answer["partial"] = true;
  say(common, std::string("PARTIAL: interrupted; this is what was known by then"));
  return true;
}

int partial_code(int code) { return code == kHolds ? int{kUnknown} : code; }

void print_error(const std::string& text) {
  end_heartbeat();
  std::string lines = "detent: ";
  for (const char c : reports::printable_text(text)) lines += c == '\n' ? "\n  " : std::string(1, c);
  if (::isatty(STDERR_FILENO) != 0) lines = reports::wrap(lines, screen_width());
  std::cerr << lines << "\n";
}

void print_note(const std::string& text) { print_error(text); }

void print_warning(const std::string& text) { print_error("warning: " + text); }

Progress::Progress(const Common& common, std::string what, Clock::time_point begin)
    : what_(reports::printable_line(what)),
      enabled_(!common.quiet && ::isatty(STDERR_FILENO) != 0),
      begin_(begin),
      last_(begin) {}

Progress::~Progress() {
  const std::lock_guard lock(progress_line().mutex);
  if (shown_) progress_line().erase();
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (!enabled_) return;
  const std::optional<std::string> line = line_at(done, total, Clock::now());
  if (!line) return;
  const std::lock_guard lock(progress_line().mutex);
  shown_ = true;
  progress_line().counted = Clock::now();
  progress_line().show(*line);
}

Heartbeat::Heartbeat(const std::string& what) {
  ProgressLine& line = progress_line();
  if (::isatty(STDERR_FILENO) == 0 || line.writer.joinable()) return;
  line.is_over = false;
  line.writer = std::thread(beat, what);
}

Heartbeat::~Heartbeat() { end_heartbeat(); }

void show_step(const std::string& step) {
  const std::lock_guard lock(progress_line().mutex);
  progress_line().step = step;
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
