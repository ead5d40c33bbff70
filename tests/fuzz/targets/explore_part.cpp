// Files of one shard of an exploration, as they are and with a checksum made to fit.
#include <xxhash.h>

#include <cstring>

#include "app/explore/part_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

constexpr std::size_t kChecksumBytes = 8;

/// The last eight bytes replaced by the checksum of all before them.
std::string repaired(std::string_view input) {
  std::string bytes(input);
  if (bytes.size() < kChecksumBytes) return bytes;
  const std::size_t end = bytes.size() - kChecksumBytes;
  const std::uint64_t sum = XXH3_64bits(bytes.data(), end);
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
  return bytes;
}

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
  read(repaired(input));
}

}  // namespace detent::fuzz
