// What a chip adds to the tasks that share it.
#include "app/tasks/task_problems.hpp"

#include <gtest/gtest.h>

#include "sim/cost/overhead.hpp"
#include "sim/platform/platform.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

TEST(TaskProblems, StepsThatNoRunPaysForAreOfEveryWindow) {
  TemporaryDirectory place;
  static_cast<void>(place.write("one.json", R"({"schema": "detent.graph/1", "ops": [{"id": 0, "time_ps": "4us"}]})"));
  const std::string file =
      place.write("set.toml",
                  "schema = \"detent.task_set/1\"\n"
                  "[[tasks]]\nname = \"a\"\nmodel = \"one.json\"\nperiod = \"20us\"\n"
                  "[[tasks]]\nname = \"b\"\nmodel = \"one.json\"\nperiod = \"30us\"\npriority = 1\n");
  const LoadedTasks tasks = load_tasks(file, read_task_set(file), {});
  sim::Platform platform = sim::plain_platform({{"cpu", 2}});
  platform.overheads.wake_ps = 1'000;
  const TaskProblems made = task_problems(tasks, platform, {.policy = "id"});
  const sim::PoolOverhead alone = sim::pool_overhead(tasks.tasks[0].loaded.desc(), platform, {2, 0, 0, 0});
  EXPECT_EQ(made.around.once_ps, alone.window_ps);
  EXPECT_EQ(made.around.once_ps, (2 + 2) * 1'000U) << "two workers may hold the role, and two wake-ups";
  EXPECT_EQ(made.by_op[1].serial_ps, alone.run_ps);
  EXPECT_EQ(made.bare[0].serial_ps, 0U);
}

}  // namespace
}  // namespace detent::app
