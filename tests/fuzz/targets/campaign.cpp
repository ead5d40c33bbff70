// Campaign files, as they are and with checksums made to fit: the good part is what the writer would have written.
#include "sim/campaign/campaign_file.hpp"
#include "tests/fuzz/checksums.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

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
  read(repaired_campaign(input));
}

}  // namespace detent::fuzz
