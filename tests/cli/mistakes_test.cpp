// What every answer to a mistake on the command line keeps to, whole as transcripts/mistakes.txt and wrong_kinds.txt
// hold it; and that screens are no wider than the terminal. What is printed is compared to those files by
// transcript_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/text/wrap.hpp"
#include "tests/cli/screen_rules.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

struct Session {
  std::string command;
  std::vector<std::string> lines;  ///< what it printed
  std::string end;                 ///< "exit 2"; "" for 0
};

std::vector<Session> sessions_of(const std::string& name) {
  const auto file = std::filesystem::path(DETENT_SOURCE_DIR) / "tests/cli/transcripts" / name;
  std::istringstream text(read_file(file.string()));
  std::vector<Session> sessions;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("$ ", 0) == 0) {
      sessions.push_back({line.substr(2), {}, ""});
    } else if (line.rfind("exit ", 0) == 0) {
      sessions.back().end = line;
    } else {
      sessions.back().lines.push_back(line);
    }
  }
  return sessions;
}

TEST(Mistakes, AreAnsweredInOurWordsWithinThreeLines) {
  std::size_t answered = 0;
  std::vector<Session> sessions = sessions_of("mistakes.txt");
  for (Session& session : sessions_of("wrong_kinds.txt")) sessions.push_back(std::move(session));
  for (const Session& session : sessions) {
    if (session.command.rfind("detent", 0) != 0 || session.command.find(';') != std::string::npos)
      continue;  // makes files
    ++answered;
    EXPECT_EQ(session.end, "exit 2") << session.command;
    ASSERT_FALSE(session.lines.empty()) << session.command;
    EXPECT_LE(session.lines.size(), 3U) << session.command;
    EXPECT_EQ(session.lines.front().rfind("detent: ", 0), 0U) << session.command;
    std::size_t rows = 0;  // of a terminal
    for (const std::string& line : session.lines) {
      const std::string wrapped = reports::wrap(line, 80);
      rows += 1 + static_cast<std::size_t>(std::ranges::count(wrapped, '\n'));
    }
    EXPECT_LE(rows, 3U) << session.command << ": " << session.lines.front();
    const std::string& said = session.lines.front();
    for (const char* foreign :
         {"Run with --help", "not expected:", "is required", "Could not convert", "requires", "not in range",
          "not in {", "excludes", "Value ", "subcommand", "INI was", "NUL byte"}) {
      EXPECT_EQ(said.find(foreign), std::string::npos) << session.command << ": " << said;
    }
    EXPECT_NE(said.find_first_of(";,?(", 8), std::string::npos) << "no remedy: " << said;
  }
  EXPECT_GE(answered, 220U);
}

void expect_screens(const std::string& name, std::size_t width) {
  for (const Session& session : sessions_of(name)) expect_screen(session.lines, width, session.command);
}

TEST(WrittenScreens, FitTerminalsOf80Columns) { expect_screens("screens_80.txt", 80); }
TEST(WrittenScreens, FitTerminalsOf120Columns) { expect_screens("screens_120.txt", 120); }
TEST(WrittenScreens, HelpFitsTerminalsOf80Columns) { expect_screens("help.txt", 80); }

}  // namespace
}  // namespace detent::e2e
