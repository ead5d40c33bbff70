// Schedule files: what is accepted has layers of equally many lists, one per worker, of ids and names.
#include <detent/limits.h>

#include "app/settings/schedule_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void schedule_target(std::string_view input) {
  app::ScheduleFile file;
  if (!accepts([&] { file = app::parse_schedule(input, kInputName); })) return;
  require(!file.layers.empty(), "some layer");
  require(file.has_barriers || file.layers.size() == 1, "lists are one layer");
  require(file.workers() >= 1 && file.workers() <= DETENT_MAX_WORKERS, "1 to 64 workers");
  for (const app::OpLists& layer : file.layers) {
    require(layer.size() == file.workers(), "one list per worker");
    for (const auto& list : layer) {
      for (const app::ListedOp& listed : list) {
        const auto* const id = std::get_if<std::uint32_t>(&listed.op);
        require(id != nullptr ? *id < DETENT_MAX_OPS : !std::get<std::string>(listed.op).empty(), "an id or a name");
        require(listed.line > 0, "ops have lines");
      }
    }
  }
}

}  // namespace detent::fuzz
