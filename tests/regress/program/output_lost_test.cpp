// An answer that standard output does not take is not exit code 0, whatever the command and however much it says.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"

namespace detent {
namespace {

/// Exit code of a shell's text in which PROGRAM is the program; standard error in `error`.
int shell(const std::string& text, std::string& error) {
  const std::string file = e2e::scratch("output_lost") + "/error";
  std::string command = text;
  for (std::size_t at = command.find("PROGRAM"); at != std::string::npos; at = command.find("PROGRAM", at)) {
    command.replace(at, 7, e2e::program_under_test());
  }
  const int status = std::system(("bash -c '" + command + "' 2>" + file + " </dev/null").c_str());
  error = e2e::read_file(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<std::string> commands_that_answer() {
  const std::string directory = e2e::scratch("output_lost_files");
  const std::string report = directory + "/report", line = directory + "/line.txt", campaign = directory + "/a.dcf";
  e2e::run_detent("check diamond --platform quad_npu --runs 2 --out " + report);
  e2e::run_detent("simulate diamond --cores 2 --runs 3 --campaign " + campaign);
  e2e::write_file(line, "detent-replay/1 model=diamond on=native workers=0");
  return {"list models",
          "list platforms --markdown",
          "run diamond --workers 0",
          "simulate diamond --cores 2 --runs 2",
          "merge " + campaign,
          "verify diamond",
          "verify bad_reuse_war",
          "explore diamond --count",
          "bound diamond --cores 2",
          "npu --gemm 8,8,8 --array 4,4 --dataflow ws",
          "plan diamond",
          "graph diamond",
          "replay " + line,
          "report " + report,
          "verify diamond --json -",
          "check diamond --platform quad_npu --runs 2 --out " + report,
          "--help",
          "--version",
          "check --help"};
}

TEST(Regress, AFullStandardOutputIsExitTwo) {
  std::string error;
  for (const std::string& command : commands_that_answer()) {
    EXPECT_EQ(shell("PROGRAM " + command + " >/dev/full", error), 2) << command;
    EXPECT_EQ(
        error,
        "detent: standard output: cannot be written: No space left on device; the answer did not arrive as a whole\n");
  }
}

TEST(Regress, AClosedStandardOutputIsExitTwo) {
  std::string error;
  EXPECT_EQ(shell("PROGRAM list models >&-", error), 2);
  EXPECT_EQ(error,
            "detent: standard output: cannot be written: Bad file descriptor; the answer did not arrive as a whole\n");
  EXPECT_EQ(shell("PROGRAM verify diamond --quiet >&-", error), 0) << "nothing was to be said: " << error;
}

/// The descriptor of a closed standard output must not be taken by a file that is written.
TEST(Regress, AClosedStandardOutputDoesNotEndInAFile) {
  std::string error;
  const std::string file = e2e::scratch("output_closed") + "/a.dcf";
  EXPECT_EQ(shell("PROGRAM simulate diamond --cores 2 --runs 3 --campaign " + file + " >&- <&-", error), 2);
  EXPECT_EQ(e2e::read_file(file).find("diamond on"), std::string::npos);
  EXPECT_EQ(e2e::run_detent("merge " + file).exit_code, 0);
}

/// `detent ... | head`: the reader is gone before the first write, and the files are written all the same.
TEST(Regress, AReaderThatGoesAwayIsExitTwoAndFilesAreWritten) {
  std::string error;
  const std::string file = e2e::scratch("output_pipe") + "/answer.json";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(shell("PROGRAM verify diamond --json " + file + " >&" + std::to_string(ends[1]), error), 2);
  ::close(ends[1]);
  EXPECT_EQ(error, "detent: standard output: cannot be written: Broken pipe; the answer did not arrive as a whole\n");
  EXPECT_NE(e2e::read_file(file).find("detent.verify/1"), std::string::npos);
}

TEST(Regress, AnAnswerFileThatCannotBeWrittenIsExitTwo) {
  const std::string directory = e2e::scratch("output_files");
  for (const char* option :
       {"run diamond --workers 0 --json ", "verify diamond --smt2 ", "graph diamond --out ",
        "explore bad_reuse_war --failure ", "run diamond --workers 0 --output ",
        "simulate diamond --cores 2 --runs 2 --campaign ", "import graph ", "verify diamond --json "}) {
    const std::string arguments = std::string(option) == "import graph "
                                      ? "import graph " + directory + "/g.json -o " + directory + "/none/f"
                                      : std::string(option) + directory + "/none/f";
    if (arguments.starts_with("import")) e2e::run_detent("graph diamond --out " + directory + "/g.json");
    const e2e::Answer answer = e2e::run_detent(arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments << answer.output << answer.error;
    EXPECT_NE(answer.error.find(directory + "/none/f"), std::string::npos) << answer.error;
  }
}

}  // namespace
}  // namespace detent
