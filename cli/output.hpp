// Where answers go: human lines to standard output, JSON to a file or to standard output, progress to a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/answer/verdicts.hpp"
#include "base/units.hpp"
#include "cli/command.hpp"

namespace detent::cli {

using app::Json;

/// Columns of the screen: COLUMNS where it is a number, else those of the terminal, else 80; 20 at least.
std::size_t screen_width();

/// Write the answer where --json says. @throws std::invalid_argument  the file cannot be written
void write_json(const Common& common, const Json& answer);

/// One human line or several, no wider than the screen; nothing under --quiet or when JSON goes to standard output.
/// Shown as printable_text of reports/text/text.hpp, so that nothing that came from outside reaches a terminal raw.
void say(const Common& common, const std::string& line);
void say(const Common& common, const app::Lines& lines);

/// Write and say a whole answer. @return  the exit code that it stands for
int show(const Common& common, const app::Answer& answer);

/// "detent: TEXT" on standard error, printable; further lines of the text are indented.
void print_error(const std::string& text);
/// The same for what is known while the work goes on.
void print_note(const std::string& text);
/// "detent: warning: TEXT", likewise.
void print_warning(const std::string& text);

/// Whether Ctrl-C has stopped the work: then "PARTIAL: ..." is said and the answer has "partial": true.
bool mark_partial(const Common& common, Json& answer);
/// The exit code of a partial answer: what is violated stays so, all else is unknown.
int partial_code(int code);

/// While it lives and no count is shown, "detent check: 12 s" stands on standard error from the third second on, if
/// that is a terminal; "detent import: STEP: 12 s" behind show_step. What is said, by whomever, ends it. One at a time.
class Heartbeat {
 public:
  explicit Heartbeat(const std::string& what);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
};

/// What the work does now, for the heartbeat's line.
void show_step(const std::string& step);

/// A progress line on standard error, only on a terminal and only after two seconds of work.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  Progress(const Common& common, std::string what, Clock::time_point begin = Clock::now());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void update(std::uint64_t done, std::uint64_t total);
  /// "WHAT 5/10 (2 per second, 3 s left)"; none in the first two seconds and within 200 ms of the line before.
  std::optional<std::string> line_at(std::uint64_t done, std::uint64_t total, Clock::time_point now);

 private:
  std::string what_;
  bool enabled_;
  bool shown_ = false;
  std::optional<std::uint64_t> first_done_{};
  Clock::time_point begin_, last_;
};

/// A Progress as functions of app/ call one: it begins with the first call, and its line is gone when the last copy of
/// the function is; so it is not kept while an answer is shown.
app::OnProgress progress_of(const Common& common, const std::string& what);

/// A command that asks one function of app/ and shows its answer. @return  its options, to be declared
template <typename Request>
Question<Request>& ask(CLI::App& command, Action& action, app::Answer (*answer)(const Request& wanted)) {
  const auto question = std::make_shared<Question<Request>>();
  set_action(command, action, [question, answer] {
    question->wanted.request = question->common;
    return show(question->common, answer(question->wanted));
  });
  return *question;
}

}  // namespace detent::cli
