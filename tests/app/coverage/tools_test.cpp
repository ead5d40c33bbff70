// Which gcov goes with which compiler, among programs that are made for this.
#include "app/coverage/tools.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

/// A PATH with nothing but what a test puts there.
class CoverageToolsOf : public ::testing::Test {
 protected:
  CoverageToolsOf() : path_(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "") {
    fs::create_directories(place_.file("bin"));
    fs::create_directories(place_.file("cc"));
    ::setenv("PATH", place_.file("bin").c_str(), 1);
  }
  ~CoverageToolsOf() override { ::setenv("PATH", path_.c_str(), 1); }

  /// A program that prints one text for --version, another for every other question; fails without text.
  void program(const std::string& name, const std::string& version, const std::string& other = "") const {
    const std::string text = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '" + version + "'; else echo '" + other +
                             "'; fi\n" + (version.empty() ? "exit 1\n" : "");
    fs::permissions(place_.write(name, text), fs::perms::owner_all);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return fs::canonical(place_.file(name)).string(); }

  TemporaryDirectory place_;
  std::string path_;
};

using Words = std::vector<std::string>;

TEST_F(CoverageToolsOf, GccTakesGcovOfItsVersion) {
  program("bin/gcovr", "gcovr 5.2");
  program("cc/gcc", "gcc (Debian 12.2.0-14) 12.2.0", "12");
  program("bin/gcov", "gcov (GCC) 13.1.0");
  program("bin/gcov-12", "gcov (Debian 12.2.0-14) 12.2.0");
  const CoverageTools tools = find_coverage_tools(place_.file("cc/gcc"));
  EXPECT_EQ(tools.gcov, Words{file("bin/gcov-12")});
  EXPECT_EQ(tools.gcovr, place_.file("bin/gcovr"));
  EXPECT_EQ(tools.compiler, place_.file("cc/gcc"));
  program("cc/gcov", "gcov (GCC) 12.2.0");
  EXPECT_EQ(find_coverage_tools(place_.file("cc/gcc")).gcov, Words{file("bin/gcov-12")}) << "the name says the version";
  program("cc/gcov-12", "gcov (GCC) 12.2.0");
  EXPECT_EQ(find_coverage_tools(place_.file("cc/gcc")).gcov, Words{file("cc/gcov-12")}) << "beside the compiler";
}

TEST_F(CoverageToolsOf, ClangTakesLlvmCov) {
  program("bin/gcovr", "gcovr 5.2");
  program("cc/clang", "Debian clang version 14.0.6", "14.0.6");
  program("bin/llvm-cov", "LLVM (http://llvm.org/):\n  Debian LLVM version 14.0.6");
  EXPECT_EQ(find_coverage_tools(place_.file("cc/clang")).gcov, (Words{file("bin/llvm-cov"), "gcov"}));
}

TEST_F(CoverageToolsOf, AnotherVersionIsRefusedWithARemedy) {
  program("bin/gcovr", "gcovr 5.2");
  program("cc/gcc", "gcc 12.2.0", "12");
  program("bin/gcov", "gcov (GCC) 112.1.0");
  EXPECT_EQ(refusal_of([&] { return find_coverage_tools(place_.file("cc/gcc")); }),
            "--coverage: no gcov 12 for " + place_.file("cc/gcc") +
                ": it reads the counters of its own version alone; install it (Debian: apt install gcc-12) or set CC "
                "to another compiler");
  program("cc/clang", "clang version 15.0.1", "15.0.1");
  const std::string refusal = refusal_of([&] { return find_coverage_tools(place_.file("cc/clang")); });
  EXPECT_NE(refusal.find("no llvm-cov 15"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("apt install llvm-15"), std::string::npos) << refusal;
}

TEST_F(CoverageToolsOf, WithoutGcovrNothingBegins) {
  program("cc/gcc", "gcc 12.2.0", "12");
  const auto refusal = [&] { return refusal_of([&] { return find_coverage_tools(place_.file("cc/gcc")); }); };
  EXPECT_EQ(refusal(),
            "--coverage: gcovr, which writes the pages, is not on PATH; install it (Debian: apt install gcovr)");
  program("bin/gcovr", "");
  EXPECT_EQ(refusal(),
            "--coverage: gcovr, which writes the pages, does not run; install it (Debian: apt install gcovr)");
}

TEST_F(CoverageToolsOf, ACompilerWithoutAVersionIsRefused) {
  program("bin/gcovr", "gcovr 5.2");
  program("cc/tcc", "tcc", "unknown option");
  const std::string refusal = refusal_of([&] { return find_coverage_tools(place_.file("cc/tcc")); });
  EXPECT_NE(refusal.find("does not answer -dumpversion"), std::string::npos) << refusal;
}

}  // namespace
}  // namespace detent::app
