// Programs run by the shell that every POSIX system has: order, ends, output, surroundings.
#include "base/subprocess.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/temp_directory.hpp"

namespace detent {
namespace {

namespace fs = std::filesystem;

std::vector<ProcessResult> run_scripts(const std::vector<std::string>& scripts, const ProcessOptions& options = {}) {
  std::vector<std::vector<std::string>> commands;
  for (const std::string& script : scripts) commands.push_back({"/bin/sh", "-c", script});
  return run_processes(commands, options);
}

TEST(Subprocess, OutputAndErrorAreOneText) {
  const auto results = run_scripts({"echo one; echo two >&2; echo three", "exit 0"});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].output, "one\ntwo\nthree\n");
  EXPECT_EQ(results[0].end, ProcessEnd::kExited);
  EXPECT_TRUE(results[0].succeeded());
  EXPECT_EQ(results[1].output, "");
  EXPECT_TRUE(results[1].succeeded());
  EXPECT_TRUE(run_processes({}, {}).empty());
}

TEST(Subprocess, NothingIsStartedAfterAFailure) {
  const auto results = run_scripts({"echo a", "echo b; exit 7", "echo c"}, {.jobs = 1});
  EXPECT_EQ(results[0].output, "a\n");
  EXPECT_EQ(results[1].end, ProcessEnd::kExited);
  EXPECT_EQ(results[1].code, 7);
  EXPECT_FALSE(results[1].succeeded());
  EXPECT_EQ(results[2].end, ProcessEnd::kNotStarted);
  EXPECT_EQ(results[2].output, "");
  EXPECT_FALSE(results[2].succeeded());
  const auto wide = run_scripts({"exit 1", "echo b"}, {.jobs = 0});  // one at a time, too
  EXPECT_EQ(wide[1].end, ProcessEnd::kNotStarted);
}

TEST(Subprocess, AsManyAtATimeAsAsked) {
  const TempDirectory place;
  // Each waits for what the other one makes: they only end when both run.
  const auto results = run_scripts(
      {"touch a; until test -e b; do :; done; echo first", "touch b; until test -e a; do :; done; echo second"},
      {.directory = place.path().string(), .jobs = 2});
  EXPECT_EQ(results[0].output, "first\n");
  EXPECT_EQ(results[1].output, "second\n");
}

TEST(Subprocess, SignalsAndProgramsThatDoNotStart) {
  const auto killed = run_scripts({"echo dying; kill -9 $$"});
  EXPECT_EQ(killed[0].end, ProcessEnd::kSignalled);
  EXPECT_EQ(killed[0].code, SIGKILL);
  EXPECT_EQ(killed[0].output, "dying\n");
  EXPECT_FALSE(killed[0].succeeded());
  const auto missing = run_processes({{"/nowhere/at/all"}, {"/bin/sh", "-c", "echo no"}}, {});
  EXPECT_EQ(missing[0].end, ProcessEnd::kSpawnFailed);
  EXPECT_EQ(missing[0].code, ENOENT);
  EXPECT_EQ(missing[1].end, ProcessEnd::kNotStarted);
}

TEST(Subprocess, TimeEndsEveryoneAndTheirChildren) {
  const auto results = run_scripts({"echo begun; sleep 1000 & sleep 1000", "sleep 1000", "echo never"},
                                   {.jobs = 2, .time_limit_ms = 100});
  EXPECT_EQ(results[0].end, ProcessEnd::kTimedOut);
  EXPECT_EQ(results[0].code, 0);
  EXPECT_EQ(results[1].end, ProcessEnd::kTimedOut);
  EXPECT_EQ(results[2].end, ProcessEnd::kNotStarted);
  EXPECT_FALSE(results[0].succeeded());
}

/// The first open file that is not there, so that a limit can be set to it.
rlim_t first_closed() {
  const int next = ::dup(STDIN_FILENO);
  ::close(next);
  return static_cast<rlim_t>(next);
}

TEST(Subprocess, WithoutAPipeForOneEveryoneEnds) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit scarce{first_closed() + 2, before.rlim_max};  // one pipe, not two
  ::setrlimit(RLIMIT_NOFILE, &scarce);
  EXPECT_THROW(run_scripts({"sleep 60", "true"}, {.jobs = 2}), std::runtime_error);
  ::setrlimit(RLIMIT_NOFILE, &before);
  const pid_t left = ::waitpid(-1, nullptr, WNOHANG);
  EXPECT_EQ(left, -1) << "no child is left";
}

TEST(Subprocess, TheBeginningOfLongOutputIsKept) {
  const auto results = run_scripts({"i=0; while [ $i -lt 70 ]; do printf '%01024d' $i; i=$((i+1)); done"});
  EXPECT_TRUE(results[0].succeeded());
  EXPECT_EQ(results[0].output.size(), 64U * 1024);
  EXPECT_EQ(results[0].output.substr(1020, 8), "0000" + std::string(4, '0'));
  EXPECT_EQ(results[0].output.substr(64 * 1024 - 4), "0063");
}

TEST(Subprocess, SurroundingsAreThoseOfTheOptions) {
  const TempDirectory place;
  const std::string directory = place.path().string();
  ::setenv("LANGUAGE", "de", 1);
  ::setenv("DETENT_SUBPROCESS_TEST", "kept", 1);
  const auto results = run_scripts({"pwd; echo $LC_ALL $TMPDIR ${LANGUAGE-none} $DETENT_SUBPROCESS_TEST; cat"},
                                   {.directory = directory});
  ::unsetenv("LANGUAGE");
  ::unsetenv("DETENT_SUBPROCESS_TEST");
  EXPECT_EQ(results[0].output, fs::canonical(directory).string() + "\nC " + directory + " none kept\n");
}

TEST(Subprocess, ProgramsAreFoundOnThePath) {
  const TempDirectory place;
  const fs::path program = place.path() / "tool", plain = place.path() / "plain";
  std::ofstream(program) << "#!/bin/sh\n";
  std::ofstream(plain) << "no program\n";
  fs::create_directory(place.path() / "folder");
  ::chmod(program.c_str(), 0700);
  ::chmod(plain.c_str(), 0600);
  const std::string before = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  const std::string here = place.path().string();
  const auto found = [&](const std::string& path, const std::string& name) {
    ::setenv("PATH", path.c_str(), 1);
    const std::string at = find_program(name);
    ::setenv("PATH", before.c_str(), 1);
    return at;
  };
  EXPECT_EQ(found("/nowhere:" + here, "tool"), program.string());
  EXPECT_EQ(found(here + ":/nowhere", "tool"), program.string());
  EXPECT_EQ(found(here, "plain"), "");
  EXPECT_EQ(found(here, "folder"), "");
  EXPECT_EQ(found("/nowhere", "tool"), "");
  EXPECT_EQ(found("", "tool"), "");
  EXPECT_EQ(found(":" + here, "tool"), program.string());
  EXPECT_EQ(found(here, ""), "");
  EXPECT_EQ(found("/nowhere", program.string()), program.string());
  EXPECT_EQ(found(here, plain.string()), "");
  EXPECT_EQ(found(".:relative", "tool"), "");
}

}  // namespace
}  // namespace detent
