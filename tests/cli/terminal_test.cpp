// The program where a person sits: progress, Ctrl-C, colours and the width of the terminal.
#include "tests/support/terminal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "reports/text/wrap.hpp"
#include "tests/build.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

using support::TerminalProgram;

/// The program with these arguments, in an empty directory.
std::string command_of(const std::string& name, const std::string& arguments) {
  return "unset COLUMNS NO_COLOR; export TVMRT_NUM_WORKERS=3; cd '" + scratch("terminal_" + name) + "' && exec '" +
         program_under_test() + "' " + arguments;
}

struct LongWork {
  std::string name;
  std::string arguments;
  std::string progress;  ///< on the screen after two seconds
};

class Interrupted : public testing::TestWithParam<LongWork> {};

TEST_P(Interrupted, CtrlCGivesWhatIsKnownSoFar) {
  TerminalProgram program(command_of(GetParam().name, GetParam().arguments));
  ASSERT_TRUE(program.wait_for(GetParam().progress)) << program.screen();
  program.type("\x03");
  EXPECT_EQ(program.finish(), 3) << program.screen();
  const std::string& screen = program.screen();
  const std::size_t partial = screen.find("PARTIAL");
  ASSERT_NE(partial, std::string::npos) << screen;
  EXPECT_NE(screen.find("interrupted; this is what was known by then"), std::string::npos) << screen;
  EXPECT_GT(screen.size(), screen.find('\n', partial) + 40) << "no answer behind it: " << screen;
  EXPECT_EQ(screen.find("\x1b[K", partial), std::string::npos) << "progress beside the answer: " << screen;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Interrupted,
    testing::Values(LongWork{"simulate", "simulate branchnet --timing-only --runs 1e7", "simulated runs "},
                    LongWork{"check", "check branchnet --timing-only --runs 1e7 --out o", "simulated runs "},
                    LongWork{"explore", "explore erdos:3:60 --strategy random --budget 1e9", "schedules "},
                    LongWork{"explore_threads", "explore wide:8 --level threads --budget 1e9", "detent explore: 2 s"}),
    [](const auto& work) { return work.param.name; });

TEST(Terminal, AnAnswerToCtrlCIsInTheFilesToo) {
  const std::string command = command_of("partial_json", "simulate branchnet --timing-only --runs 1e7 --json a.json");
  TerminalProgram program(command);
  ASSERT_TRUE(program.wait_for("simulated runs ")) << program.screen();
  program.type("\x03");
  EXPECT_EQ(program.finish(), 3) << program.screen();
  const std::string text = read_file(std::string(kBuildFolder) + "/scratch/terminal_partial_json/a.json");
  const nlohmann::json answer = nlohmann::json::parse(text);
  EXPECT_EQ(answer.at("partial"), true);
  EXPECT_GT(answer.at("runs"), 0);
  EXPECT_LT(answer.at("runs"), 10'000'000);
}

/// An import with a compiler that is slow, and fails in the end.
std::string slow_import(const std::string& name) {
  const std::string directory = scratch("terminal_" + name);
  write_file(directory + ".cc", "#!/bin/sh\ncase \"$*\" in *--version*) echo cc 1;; *) sleep 5; exit 1;; esac\n");
  std::filesystem::permissions(directory + ".cc", std::filesystem::perms::owner_all);
  return command_of(name, "import tvm '" + std::string(DETENT_SOURCE_DIR) +
                              "/tests/models/import/tvm/fixtures/usmp' --audit --cc '" + directory +
                              ".cc' -o m.pkg --json a.json");
}

TEST(Terminal, AnImportSaysWhatItDoesAndCtrlCGivesWhatIsKnownWithoutAPackage) {
  TerminalProgram program(slow_import("slow_import"));
  ASSERT_TRUE(program.wait_for("detent import: compiles the operators: 2 s")) << program.screen();
  program.type("\x03");
  EXPECT_EQ(program.finish(), 3) << program.screen();
  for (const char* text : {"interrupted; this is what was known by then", "operator calls",
                           "package              not written: interrupted"}) {
    EXPECT_NE(program.screen().find(text), std::string::npos) << text << ": " << program.screen();
  }
  const std::string directory = std::string(kBuildFolder) + "/scratch/terminal_slow_import";
  EXPECT_FALSE(std::filesystem::exists(directory + "/m.pkg"));
  const nlohmann::json answer = nlohmann::json::parse(read_file(directory + "/a.json"));
  EXPECT_EQ(answer.at("partial"), true);
  EXPECT_TRUE(answer.at("package").is_null());
}

TEST(Terminal, CtrlCWhereNothingIsKnownEndsTheProgram) {
  TerminalProgram program(command_of("no_partial", "verify - --json -"));  // waits for standard input, or refuses it
  program.type("\x03");
  EXPECT_NE(program.finish(), 0);
}

TEST(Terminal, QuietWorkShowsNoProgress) {
  TerminalProgram program(command_of("quiet", "explore diamond --level threads --budget 20000 --quiet"));
  program.finish();
  EXPECT_EQ(program.screen(), "");
}

TEST(Terminal, ProgressIsCutToANarrowTerminal) {
  constexpr unsigned short kColumns = 30;
  TerminalProgram program(command_of("narrow", "simulate branchnet --timing-only --runs 1e7"), kColumns);
  ASSERT_TRUE(program.wait_for("simulated runs ")) << program.screen();
  ASSERT_TRUE(program.wait_for("...\r")) << program.screen();  // the next line of progress begins behind it
  program.type("\x03");
  EXPECT_EQ(program.finish(), 3) << program.screen();
  const std::string progress = program.screen().substr(0, program.screen().find("PARTIAL"));
  std::istringstream stream(progress);
  for (std::string line; std::getline(stream, line, '\r');) {
    const std::size_t begin = line.starts_with("\x1b[K") ? 3 : 0;
    const std::string shown = line.substr(begin, line.find("^C") - begin);  // without the echo of what was typed
    EXPECT_LT(reports::columns_of(shown), kColumns) << line;
  }
}

/// Without colours and line ends.
std::vector<std::string> lines_of(const std::string& screen) {
  std::vector<std::string> lines;
  std::string plain;
  for (std::size_t at = 0; at < screen.size(); ++at) {
    if (screen[at] == '\x1b') {
      at = std::min(screen.find_first_of("mK", at), screen.size());
    } else if (screen[at] != '\r') {
      plain += screen[at];
    }
  }
  std::istringstream stream(plain);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Terminal, LinesAreAsWideAsTheTerminalAndVerdictsColoured) {
  std::size_t longest = 0;
  for (const unsigned short columns : std::vector<unsigned short>{72, 80, 120, 200}) {
    const std::string arguments = "check bad_reuse_war --runs 5 --schedules 4 --out o --reproducible";
    TerminalProgram program(command_of("width", arguments), columns);
    EXPECT_EQ(program.finish(), 1) << program.screen();
    std::size_t widest = 0;
    for (const std::string& line : lines_of(program.screen())) widest = std::max(widest, reports::columns_of(line));
    EXPECT_LE(widest, columns) << program.screen();
    EXPECT_GT(widest, longest) << "the screen does not use the terminal: " << program.screen();
    longest = widest;
    EXPECT_NE(program.screen().find("\x1b[31mYES\x1b[0m"), std::string::npos) << program.screen();
    EXPECT_NE(program.screen().find("determinism \x1b[31mviolated\x1b[0m"), std::string::npos) << program.screen();
  }
}

TEST(Terminal, AssumedTimesAreNotGreen) {
  TerminalProgram program(command_of("assumed", "check branchnet --runs 5 --schedules 4 --out o"));
  EXPECT_EQ(program.finish(), 0) << program.screen();
  const std::string& screen = program.screen();
  const std::size_t time = screen.find("\x1b[33mat most ");
  ASSERT_NE(time, std::string::npos) << screen;
  EXPECT_EQ(screen.find("(ASSUMED times)\x1b[0m"), screen.find("(ASSUMED times)", time)) << screen;
  EXPECT_NE(screen.find("\x1b[32mYES\x1b[0m"), std::string::npos) << screen;
}

}  // namespace
}  // namespace detent::e2e
