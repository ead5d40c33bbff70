// Times of a chip with fewer cores than the workers that were asked for: bound, synthesize, plan --pareto and tasks
// once took the cores that there are without a word, and their times were then of another configuration than
// simulate's.
#include <gtest/gtest.h>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

TEST(WorkersBeyondTheCores, AreRefusedByEveryCommandThatTellsTimes) {
  const std::string directory = scratch("workers_beyond_cores"), tasks = directory + "/tasks.toml";
  write_file(tasks, "schema = \"detent.task_set/1\"\n[[tasks]]\nname = \"a\"\nmodel = \"wide:9\"\nperiod = \"1ms\"\n");
  const std::string where = " --platform imx93 --workers ";
  for (const std::string command : {"bound wide:9", "synthesize wide:9", "plan wide:9 --pareto", "partition wide:9",
                                    "simulate wide:9", "check wide:9 --out X/report", "tasks X/tasks.toml"}) {
    std::string words = command;
    if (const std::size_t at = words.find('X'); at != std::string::npos) words.replace(at, 1, directory);
    const Answer three = run_detent(words + where + "3");
    EXPECT_EQ(three.exit_code, 2) << command << three.output;
    EXPECT_EQ(three.error, "detent: workers: 3 on platform 'imx93', which has 2 CPU cores; ask for at most that many\n")
        << command;
    EXPECT_NE(run_detent(words + where + "2").exit_code, 2) << command;
  }
}

}  // namespace
}  // namespace detent::e2e
