// Campaign files, as they are and with checksums made to fit: the good part is what the writer would have written.
#include <xxhash.h>

#include <cstring>

#include "sim/campaign/campaign_file.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

constexpr std::size_t kFixedHeaderBytes = 40, kFixedBlockBytes = 24, kChecksumBytes = 8;

template <typename T>
T get(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put_sum(std::string& bytes, std::size_t begin, std::size_t end, std::uint64_t seed) {
  const std::uint64_t sum = XXH3_64bits_withSeed(bytes.data() + begin, end - begin, seed);
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
}

/// The checksums of header and blocks made to fit, as far as their sizes lie inside the file.
std::string repaired(std::string_view input) {
  std::string bytes(input);
  if (bytes.size() < kFixedHeaderBytes) return bytes;
  std::size_t end = kFixedHeaderBytes + std::size_t{get<std::uint32_t>(bytes, 32)};
  if (end > bytes.size() || bytes.size() - end < kChecksumBytes) return bytes;
  put_sum(bytes, 0, end, 0);
  const auto seed = get<std::uint64_t>(bytes, end);
  for (std::size_t at = end + kChecksumBytes; bytes.size() - at >= kFixedBlockBytes; at = end + kChecksumBytes) {
    const std::size_t words = std::size_t{get<std::uint32_t>(bytes, at + 4)} + get<std::uint32_t>(bytes, at + 16);
    end = at + kFixedBlockBytes + 8 * words;
    if (end > bytes.size() || bytes.size() - end < kChecksumBytes) break;
    put_sum(bytes, at, end, seed);
  }
  return bytes;
}

void read(const std::string& bytes) {
  const MemoryFile file(bytes);
  sim::CampaignContent content;
  if (!accepts([&] { content = sim::read_campaign(file.path()); }, file.path())) return;
  const std::string header = sim::encode_campaign_header(content.header);
  require(bytes.starts_with(header), "the header is what the writer writes");
  require(content.good_bytes >= header.size() && content.good_bytes <= bytes.size(), "the good part lies in the file");
  require(content.runs.makespans_ps.size() <= content.header.part.count, "no more runs than the part has");
  require(content.good_bytes >= header.size() + 8 * content.runs.makespans_ps.size(), "each run stands in the file");
  require(sim::read_campaign_header(file.path()) == content.header, "the header alone reads alike");
}

}  // namespace

void campaign_target(std::string_view input) {
  read(std::string(input));
  read(repaired(input));
}

}  // namespace detent::fuzz
