// Task sets: what is accepted has tasks with names of their own, and chains of tasks that are there.
#include <set>

#include "app/tasks/task_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void task_set_target(std::string_view input) {
  app::TaskSet set;
  if (!accepts([&] { set = app::parse_task_set(input, kInputName); })) return;
  require(!set.tasks.empty(), "some task");
  std::set<std::string> names;
  for (const app::TaskRow& task : set.tasks) {
    require(names.insert(task.name).second, "names that tell tasks apart");
    require(task.contexts != 0 && !task.model.empty(), "a context and a model");
    require(task.period_ps.value_or(1) != 0 && task.deadline_ps.value_or(1) != 0, "times above 0");
  }
  for (const app::ChainRow& chain : set.chains) {
    require(!chain.tasks.empty(), "a chain of some task");
    for (const std::size_t task : chain.tasks) require(task < set.tasks.size(), "tasks that are there");
  }
}

}  // namespace detent::fuzz
