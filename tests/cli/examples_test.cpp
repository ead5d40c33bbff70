// The examples of the help pages, run: what a page shows works, with the exit code that it stands for.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "cli/program.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

/// Those that do not end with 0, and why.
const std::map<std::string, int>& exit_codes() {
  static const std::map<std::string, int> kCodes = {
      {"detent explore bad_reuse_war", 1},  // it has a race
      {"detent verify bad_reuse_war", 1},
      {"detent explore diamond --level threads --budget 200", 3},  // more schedules than the budget
  };
  return kCodes;
}

/// Those that need what no test has, and why.
const std::set<std::string>& not_run() {
  static const std::set<std::string> kNotRun = {
      "detent import tvm kws.tar --include CMSIS-NN/Include --source CMSIS-NN/Source -o kws.pkg",  // the vendor's code
      "detent calibrate --validate --max-error 20 resnet18",                                       // measures this host
      "detent replay failure.txt --model model.pkg",  // a failure of a package of one's own
      "detent help --man | man -l -",                 // there may be no man
      "detent campaign explore model.json --budget 1e7 --engine parallel --hosts hosts --shards 40 --out traces",  // hosts
      "detent campaign simulate diamond --runs 1e8 --engine slurm --shards 200 --time 00:10:00 --out night",       // a
                                                                                                              // cluster
      "detent campaign --resume --out night",
  };
  return kNotRun;
}

int run_in(const std::string& directory, const std::string& example, std::string& said) {
  const std::string output = directory + ".out";
  write_file(directory + ".sh", "unset COLUMNS NO_COLOR; export TVMRT_NUM_WORKERS=3; cd '" + directory +
                                    "'; detent() { '" + program_under_test() + "' \"$@\"; }; " + example + "\n");
  const int status = std::system(("bash '" + directory + ".sh' >'" + output + "' 2>&1 </dev/null").c_str());
  said = read_file(output);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A directory with the files that examples begin with.
std::string example_directory() {
  std::string directory = scratch("examples");
  const fs::path tests = fs::path(DETENT_SOURCE_DIR) / "tests";
  fs::copy_file(tests / "cli/transcripts/inputs/small.json", directory + "/graph.json");
  fs::copy_file(tests / "cli/transcripts/inputs/plan_case.json", directory + "/case.json");
  fs::copy_file(tests / "cli/transcripts/inputs/buffers.csv", directory + "/buffers.csv");
  fs::copy_file(tests / "cli/transcripts/inputs/buffers.json", directory + "/buffers.json");
  fs::copy_file(tests / "models/import/tvm/entities/sources/safe.c", directory + "/network.c");
  write_file(directory + "/transfers.toml",
             "schema = \"detent.set/1\"\n[[transfers]]\nfrom = \"*\"\nto = \"*\"\ntime = \"30us\"\n");
  write_file(directory + "/x.bin", std::string(124 * 2, '\0'));  // 13 rows of 10 halves, the last one of 4
  write_file(directory + "/a.bin", std::string(4096 * 4, '\0'));
  write_file(directory + "/b.bin", std::string(1024 * 4, '\0'));
  write_file(directory + "/tasks.toml",
             "schema = \"detent.task_set/1\"\n[[tasks]]\nname = \"a\"\nmodel = \"graph.json\"\nperiod = \"2us\"\n");
  fs::create_directory(directory + "/include");
  const std::string artifact = (tests / "models/import/tvm/fixtures/usmp").string();
  EXPECT_EQ(std::system(("tar -cf '" + directory + "/model.tar' -C '" + artifact + "' .").c_str()), 0);
  std::string said;
  EXPECT_EQ(run_in(directory, "detent import tvm model.tar -o model.pkg", said), 0) << said;
  EXPECT_EQ(run_in(directory, "detent explore bad_reuse_war --failure failure.txt", said), 1) << said;
  EXPECT_EQ(run_in(directory, "detent synthesize diamond --cores 2 -o lists.json", said), 0) << said;
  return directory;
}

TEST(Examples, EachRunsAsItsPageSays) {
  const std::string directory = example_directory();
  std::set<std::string> done;  // some stand on two pages
  for (const app::ManualPage& page : cli::manual_pages()) {
    for (const std::string& example : page.examples) {
      if (not_run().contains(example) || !done.insert(example).second) continue;
      const auto known = exit_codes().find(example);
      std::string said;
      EXPECT_EQ(run_in(directory, example, said), known == exit_codes().end() ? 0 : known->second) << example << "\n"
                                                                                                   << said;
      if (page.name == "campaign") continue;  // says on standard error what it plans
      EXPECT_EQ(said.find("detent: "), std::string::npos) << example << "\n" << said;
    }
  }
  EXPECT_GE(done.size(), 40U);
  for (const char* file :
       {"build/demo/report.html", "resnet18.costs.toml", "host.toml", "diamond.smt2", "firmware/Makefile"}) {
    EXPECT_TRUE(fs::exists(directory + "/" + file)) << file;
  }
}

}  // namespace
}  // namespace detent::e2e
