#include "cli/output.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/interrupt.hpp"
#include "tests/support/terminal.hpp"

namespace detent::cli {
namespace {

/// While it lives, the variable has this value; null: it is not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_{};
};

Progress::Clock::time_point seconds_ago(int seconds) { return Progress::Clock::now() - std::chrono::seconds(seconds); }

TEST(Output, ProgressOfLongWorkIsPrinted) {
  const Progress::Clock::time_point begin{};
  const auto after = [&](int ms) { return begin + std::chrono::milliseconds(ms); };
  Progress progress({}, "runs\n", begin);
  EXPECT_EQ(progress.line_at(100, 1000, after(0)), std::nullopt);
  EXPECT_EQ(progress.line_at(100, 1000, after(1999)), std::nullopt);
  EXPECT_EQ(progress.line_at(100, 1000, after(2000)), "runs\\x0a 100/1000 (0 per second, 0 s left)");
  EXPECT_EQ(progress.line_at(200, 1000, after(2199)), std::nullopt);
  EXPECT_EQ(progress.line_at(210, 1000, after(2200)), "runs\\x0a 210/1000 (50 per second, 16 s left)");
  EXPECT_EQ(progress.line_at(300, 1000, after(2399)), std::nullopt);
  EXPECT_EQ(progress.line_at(500, 1000, after(4000)), "runs\\x0a 500/1000 (100 per second, 5 s left)");
  EXPECT_EQ(progress.line_at(1000, 1000, after(9000)), "runs\\x0a 1000/1000 (100 per second, 0 s left)");
}

TEST(Output, AProgressLineIsWrittenOverAndGoneAtTheEnd) {
  support::OnTerminal terminal;
  {
    Progress progress({}, "runs", seconds_ago(3));
    progress.update(5, 10);
    EXPECT_EQ(terminal.read(), "\r\x1b[Kruns 5/10 (0 per second, 0 s left)");
  }
  EXPECT_EQ(terminal.read(), "\r\x1b[K");
}

TEST(Output, AProgressLineEndsBeforeTheLastColumn) {
  const Variable columns("COLUMNS", nullptr);
  const std::string line = "runs 5/10 (0 per second, 0 s left)";
  const auto shown = [](std::size_t width) {
    support::OnTerminal terminal(static_cast<unsigned short>(width));
    Progress progress({}, "runs", seconds_ago(3));
    progress.update(5, 10);
    return terminal.read();
  };
  EXPECT_EQ(shown(line.size() + 1), "\r\x1b[K" + line);
  EXPECT_EQ(shown(line.size()), "\r\x1b[K" + line.substr(0, line.size() - 4) + "...");
}

TEST(Output, NoProgressUnderQuietAndWithoutATerminal) {
  Common quiet;
  quiet.quiet = true;
  support::OnTerminal terminal;
  Progress(quiet, "runs", seconds_ago(3)).update(5, 10);
  EXPECT_EQ(terminal.read(), "");
  testing::internal::CaptureStderr();
  Progress({}, "runs", seconds_ago(3)).update(5, 10);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Output, AFunctionOfProgressBeginsWithItsFirstCall) {
  const Common common;
  support::OnTerminal terminal;
  {
    const app::OnProgress progress = progress_of(common, "runs");
    progress(1, 10);
    progress(2, 10);
  }
  EXPECT_EQ(terminal.read(), "") << "nothing in the first two seconds";
}

TEST(Output, AHeartbeatTellsOnATerminalThatWorkGoesOn) {
  support::OnTerminal terminal;
  std::string seen;
  {
    const Heartbeat heartbeat("detent check");
    const Heartbeat another("detent twice");  // one at a time
    seen = terminal.read_until("detent check: 2 s");
  }
  seen += terminal.read();
  EXPECT_NE(seen.find("\r\x1b[Kdetent check: 2 s"), std::string::npos) << seen;
  EXPECT_TRUE(seen.ends_with("\r\x1b[K")) << seen;
  EXPECT_EQ(seen.find("twice"), std::string::npos) << seen;
}

TEST(Output, AHeartbeatNamesTheStep) {
  support::OnTerminal terminal;
  const Heartbeat heartbeat("detent import");
  show_step("compiles the operators");
  const std::string seen = terminal.read_until("s the operators: 2 s");
  EXPECT_NE(seen.find("\r\x1b[Kdetent import: compiles the operators: 2 s"), std::string::npos) << seen;
}

TEST(Output, WhatIsSaidEndsTheHeartbeat) {
  const Variable columns("COLUMNS", "80");
  support::OnTerminal terminal;
  const Heartbeat heartbeat("detent check");
  say({}, std::string("done"));
  EXPECT_EQ(terminal.read(), "done\r\n");
}

TEST(Output, TheScreenIsAsWideAsColumnsSaysElseTheTerminalElseEighty) {
  {
    const Variable columns("COLUMNS", "133");
    EXPECT_EQ(screen_width(), 133U);
  }
  {
    const Variable columns("COLUMNS", "3");
    EXPECT_EQ(screen_width(), 20U);
  }
  const Variable columns("COLUMNS", "wide");
  {
    support::OnTerminal terminal(97);
    EXPECT_EQ(screen_width(), 97U);
  }
  testing::internal::CaptureStdout();
  EXPECT_EQ(screen_width(), 80U);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Output, LinesAreBrokenAtTheWidthOfTheTerminal) {
  const Variable columns("COLUMNS", nullptr);
  support::OnTerminal terminal(20);
  say({}, app::Lines{"one two three four five six", "seven"});
  EXPECT_EQ(terminal.read(), "one two three four\r\n  five six\r\nseven\r\n");
}

TEST(Output, VerdictsAreColouredOnTerminalsUnlessNobodyWantsIt) {
  const Variable columns("COLUMNS", "80");
  const Variable unset("NO_COLOR", nullptr);
  Common common;
  const auto said = [&common] {
    support::OnTerminal terminal;
    say(common, std::string("races  holds"));
    return terminal.read();
  };
  const std::string plain = "races  holds\r\n";
  const std::string green = "races  \x1b[32mholds\x1b[0m\r\n";
  EXPECT_EQ(said(), green);
  common.color = "never";
  EXPECT_EQ(said(), plain);
  common.color = "auto";
  {
    const Variable empty("NO_COLOR", "");
    EXPECT_EQ(said(), green);
  }
  const Variable set("NO_COLOR", "1");
  EXPECT_EQ(said(), plain);
  common.color = "always";
  EXPECT_EQ(said(), green);
  testing::internal::CaptureStdout();
  say(common, std::string("races  holds"));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "races  \x1b[32mholds\x1b[0m\n");
  common.color = "auto";
  testing::internal::CaptureStdout();
  say(common, std::string("races  holds"));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "races  holds\n");
}

TEST(Output, NothingIsSaidUnderQuietOrBesideJson) {
  Common common;
  testing::internal::CaptureStdout();
  common.quiet = true;
  say(common, std::string("x"));
  common = {};
  common.json = "-";
  say(common, std::string("x"));
  write_json(common, {{"a", 1}});
  common.json = "";
  write_json(common, {{"a", 2}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "{\n  \"a\": 1\n}\n");
}

TEST(Output, AnAnswerThatCannotBeWrittenIsAnError) {
  Common common;
  common.json = "/nowhere/at/all.json";
  EXPECT_THROW(write_json(common, {{"a", 1}}), std::exception);
}

TEST(Output, ErrorsAreIndentedAndBrokenOnTerminalsOnly) {
  testing::internal::CaptureStderr();
  print_error("one\ntwo\x1b");
  print_warning("three");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "detent: one\n  two\\x1b\ndetent: warning: three\n");
  const Variable columns("COLUMNS", "20");
  support::OnTerminal terminal;
  print_error("one two three four five");
  EXPECT_EQ(terminal.read(), "detent: one two\r\n  three four five\r\n");
}

TEST(Output, AnAnswerThatNobodyInterruptedIsWhole) {
  const Common common;
  Json json = {{"a", 1}};
  EXPECT_FALSE(mark_partial(common, json));
  EXPECT_FALSE(json.contains("partial"));
  testing::internal::CaptureStdout();
  EXPECT_EQ(show(common, {{{"a", 1}}, {"line"}, verify::Outcome::kViolated}), kViolated);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "line\n");
}

// The flag of an interrupt stays: each in a process of its own.

void show_interrupted(verify::Outcome outcome, const char* json) {
  request_stop();
  Common common;
  common.json = json;
  std::cout.rdbuf(std::cerr.rdbuf());  // what the test looks at
  std::exit(show(common, {{{"a", 1}}, {"what is known"}, outcome}));
}

TEST(OutputDeathTest, AnInterruptedAnswerSaysSoAndIsUnknown) {
  EXPECT_EXIT(show_interrupted(verify::Outcome::kHolds, ""), testing::ExitedWithCode(kUnknown),
              "^PARTIAL: interrupted; this is what was known by then\nwhat is known\n");
  EXPECT_EXIT(show_interrupted(verify::Outcome::kHolds, "-"), testing::ExitedWithCode(kUnknown), "\"partial\": true");
}

TEST(OutputDeathTest, AViolationThatWasFoundBeforeAnInterruptStays) {
  EXPECT_EXIT(show_interrupted(verify::Outcome::kViolated, ""), testing::ExitedWithCode(kViolated), "PARTIAL");
}

TEST(Output, APartialAnswerIsNeverGood) {
  EXPECT_EQ(partial_code(kHolds), kUnknown);
  EXPECT_EQ(partial_code(kViolated), kViolated);
  EXPECT_EQ(partial_code(kBadInput), kBadInput);
  EXPECT_EQ(partial_code(kUnknown), kUnknown);
}

}  // namespace
}  // namespace detent::cli
