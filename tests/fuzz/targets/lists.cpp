// Lists files: what is accepted has a list per worker, CPUs first, of ids.
#include <detent/limits.h>

#include "app/settings/schedule_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void lists_target(std::string_view input) {
  app::ScheduleFile file;
  if (!accepts([&] { file = app::parse_lists(input, kInputName); })) return;
  require(file.layers.size() == 1 && !file.has_barriers, "one layer");
  require(file.workers() >= 1 && file.workers() <= DETENT_MAX_WORKERS, "1 to 64 workers");
  require(file.cores.size() == file.workers(), "a class for each");
  require(file.cores.front() == "cpu", "CPUs first");
  for (const auto& list : file.layers.front()) {
    for (const app::ListedOp& listed : list) {
      require(std::get<std::uint32_t>(listed.op) < DETENT_MAX_OPS, "ids");
    }
  }
}

}  // namespace detent::fuzz
