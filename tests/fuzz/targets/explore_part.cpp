// Files of one shard of an exploration, as they are and with a checksum made to fit.
#include "app/explore/part_file.hpp"
#include "tests/fuzz/checksums.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

void read(const std::string& bytes) {
  app::ExplorePartFile file;
  if (!accepts([&] { file = app::decode_explore_part(bytes, kInputName); })) return;
  require(file.part.finished(), "a shard is in a file when it is done");
  require(file.part.traces.size() <= file.part.count, "no more executions than the shard has");
  require(app::encode_explore_part(file) == bytes, "what was read is written to the same bytes");
}

}  // namespace

void explore_part_target(std::string_view input) {
  read(std::string(input));
  read(repaired_part(input));
}

}  // namespace detent::fuzz
