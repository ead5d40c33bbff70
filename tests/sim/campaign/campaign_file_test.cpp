// Campaign files: kept whatever happens to the process; damaged files are refused or taken up to the damage.
#include "sim/campaign/campaign_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/build.hpp"

namespace detent::sim::test {
namespace {

const CampaignHeader kHeader{R"({"jitter": "uniform:0.1"})", {100, 10}, 4};  // blocks of 4, 4 and 2 runs

std::string campaign_path(const std::string& name) {
  const auto directory = std::filesystem::path(kBuildFolder) / "scratch" / "campaign_file";
  std::filesystem::create_directories(directory);
  std::filesystem::remove(directory / name);
  return (directory / name).string();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

RunOutcome outcome(std::uint64_t run) {
  RunOutcome result{run, 1000 + run * run, {}};
  if (run < 103) result.digest = run / 2;
  return result;
}

void add_runs(CampaignWriter& writer, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t run = first; run < first + count; ++run) writer.add(outcome(run));
}

std::string whole_file(const std::string& name) {
  const std::string path = campaign_path(name);
  add_runs(*CampaignWriter::create(path, kHeader), 100, 10);
  return path;
}

/// What must be true of any content: a prefix of the runs that were written.
void expect_prefix(const KnownRuns& runs) {
  ASSERT_LE(runs.makespans_ps.size(), 10U);
  for (std::size_t i = 0; i < runs.makespans_ps.size(); ++i) {
    ASSERT_EQ(runs.makespans_ps[i], outcome(100 + i).makespan_ps);
  }
}

TEST(CampaignFile, RunsReadBackAreThoseAdded) {
  const CampaignContent content = read_campaign(whole_file("whole"));
  EXPECT_EQ(content.header, kHeader);
  EXPECT_TRUE(content.complete());
  EXPECT_EQ(content.runs.makespans_ps.size(), 10U);
  expect_prefix(content.runs);
  EXPECT_EQ(content.runs.digests, (std::vector<std::uint64_t>{50, 51}));
}

TEST(CampaignFile, AKilledProcessLosesAtMostOneBlock) {
  const std::string uninterrupted = bytes_of(whole_file("uninterrupted"));
  for (std::uint64_t runs_before = 0; runs_before <= 10; ++runs_before) {
    const std::string path = campaign_path("killed");
    add_runs(*CampaignWriter::create(path, kHeader), 100, runs_before);  // closed without its last block
    auto resumed = CampaignWriter::resume(path, kHeader);
    const std::uint64_t kept = resumed.runs.makespans_ps.size();
    EXPECT_LT(runs_before - kept, kHeader.block_runs);
    expect_prefix(resumed.runs);
    add_runs(*resumed.writer, 100 + kept, 10 - kept);
    EXPECT_EQ(bytes_of(path), uninterrupted) << runs_before;
  }
}

TEST(CampaignFile, B04_ResumesAfterTruncationAtEveryByte) {
  const std::string whole = bytes_of(whole_file("truncated"));
  const std::size_t header_bytes = encode_campaign_header(kHeader).size();
  const std::string path = campaign_path("truncated_copy");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put_bytes(path, whole.substr(0, size));
    if (size < header_bytes) {
      ASSERT_THROW(read_campaign(path), std::invalid_argument) << size;
      continue;
    }
    const CampaignContent content = read_campaign(path);
    ASSERT_FALSE(content.complete()) << size;
    expect_prefix(content.runs);
    auto resumed = CampaignWriter::resume(path, kHeader);
    const std::uint64_t kept = resumed.runs.makespans_ps.size();
    add_runs(*resumed.writer, 100 + kept, 10 - kept);
    ASSERT_EQ(bytes_of(path), whole) << size;
  }
}

TEST(CampaignFile, B07_EveryFlippedBitIsFound) {
  const std::string whole = bytes_of(whole_file("flipped"));
  const std::size_t header_bytes = encode_campaign_header(kHeader).size();
  const std::string path = campaign_path("flipped_copy");
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    put_bytes(path, bytes);
    if (bit / 8 < header_bytes) {
      ASSERT_THROW(read_campaign(path), std::invalid_argument) << bit;
      continue;
    }
    const CampaignContent content = read_campaign(path);
    ASSERT_FALSE(content.complete()) << bit;
    expect_prefix(content.runs);
  }
}

TEST(CampaignFile, B05_TrailingBytesAreDamageAndResumeCutsThemOff) {
  const std::string path = whole_file("trailing");
  const std::string whole = bytes_of(path);
  put_bytes(path, whole + "x");
  const CampaignContent content = read_campaign(path);
  EXPECT_FALSE(content.complete());
  EXPECT_NE(content.damage->find("after the last block"), std::string::npos);
  EXPECT_TRUE(CampaignWriter::resume(path, kHeader).damage.has_value());
  EXPECT_EQ(bytes_of(path), whole);
}

void expect_header_refused(const std::string& path, const std::string& bytes, const std::string& word) {
  put_bytes(path, bytes);
  try {
    read_campaign(path);
    ADD_FAILURE() << word;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find(path), 0U) << error.what();
  }
}

TEST(CampaignFile, InvalidHeadersAreRefusedByName) {
  const std::string path = whole_file("headers");
  const std::string whole = bytes_of(path);
  const auto with = [&](std::size_t at, std::uint8_t value) {
    std::string bytes = whole;
    for (std::size_t i = 0; i < 8 && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<char>(value);
    return bytes;
  };
  expect_header_refused(path, "", "byte 0: the file is empty");                              // B01
  expect_header_refused(path, "{\"schema\": 1}" + std::string(100, ' '), "not a campaign");  // B02
  expect_header_refused(path, with(8, 9), "version");                                        // B03
  expect_header_refused(path, whole.substr(0, 20), "cut off");                               // B04
  std::string swapped = whole;
  for (std::size_t i = 0; i + 8 <= 40; i += 8) std::reverse(&swapped[i], &swapped[i] + 8);
  expect_header_refused(path, swapped, "swapped");                                           // B08
  expect_header_refused(path, with(16, 0xFF), "first run");                                  // B11
  expect_header_refused(path, with(24, 0xFF), "the number of runs must be from 1 to 2^40");  // B09
  expect_header_refused(path, with(24, 0), "the number of runs must be from 1 to 2^40");     // B09
  expect_header_refused(path, with(32, 0xFF), "identity");                                   // B06
  std::string longer = whole;
  longer[33] = 0x0F;                               // identity of 3840 bytes more than the file has
  expect_header_refused(path, longer, "cut off");  // B06
}

TEST(CampaignFile, AnIdentityHasOneMebibyteAtMost) {
  CampaignHeader header = kHeader;
  header.identity.assign(std::size_t{1} << 20U, ' ');
  header.identity.front() = '{';
  header.identity.back() = '}';
  const std::string path = campaign_path("largest_identity");
  CampaignWriter::create(path, header).reset();
  EXPECT_EQ(read_campaign_header(path), header);
  header.identity += ' ';
  const std::string longer = campaign_path("larger_identity");
  EXPECT_THROW(static_cast<void>(CampaignWriter::create(longer, header)), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(longer));
  put_bytes(longer, encode_campaign_header(header));
  EXPECT_THROW(static_cast<void>(read_campaign_header(longer)), std::invalid_argument);
}

TEST(CampaignFile, BlocksOfAnotherFileAreNotTaken) {
  CampaignHeader other = kHeader;
  other.identity = R"({"jitter": "uniform:0.2"})";
  KnownRuns block{{1, 2, 3, 4}, {}};
  const std::string path = campaign_path("foreign");
  put_bytes(path, encode_campaign_header(kHeader) + encode_campaign_block(other, 100, block));
  EXPECT_EQ(read_campaign(path).runs.makespans_ps.size(), 0U);
  put_bytes(path, encode_campaign_header(kHeader) + encode_campaign_block(kHeader, 100, block));
  EXPECT_EQ(read_campaign(path).runs.makespans_ps, block.makespans_ps);
}

TEST(CampaignFile, OneProcessWritesAtATime) {
  const std::string path = campaign_path("locked");
  const auto writer = CampaignWriter::create(path, kHeader);
  EXPECT_THROW(CampaignWriter::resume(path, kHeader), std::invalid_argument);
}

TEST(CampaignFile, ExistingFilesAreNotOverwrittenAndOtherKindsOfFilesAreRefused) {
  const std::string path = whole_file("existing");
  const std::string before = bytes_of(path);
  EXPECT_THROW(CampaignWriter::create(path, kHeader), std::invalid_argument);
  CampaignHeader other = kHeader;
  other.part.first = 0;
  EXPECT_THROW(CampaignWriter::resume(path, other), std::invalid_argument);
  EXPECT_EQ(bytes_of(path), before);
  const std::string directory = std::filesystem::path(path).parent_path().string();
  EXPECT_THROW(read_campaign(directory), std::invalid_argument);
  EXPECT_THROW(read_campaign(directory + "/none"), std::invalid_argument);
  EXPECT_THROW(CampaignWriter::create(directory + "/none/file", kHeader), std::invalid_argument);
  const std::string fifo = campaign_path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THROW(read_campaign(fifo), std::invalid_argument);  // B62: does not hang
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    EXPECT_EQ(entry.path().string().find(".new"), std::string::npos) << entry.path();
  }
}

TEST(CampaignFile, HeadersAreEqualWhereAllTheirFieldsAre) {
  const std::vector<void (*)(CampaignHeader&)> changes = {
      [](CampaignHeader& header) { header.identity += "x"; },
      [](CampaignHeader& header) { ++header.part.first; },
      [](CampaignHeader& header) { ++header.part.count; },
      [](CampaignHeader& header) { ++header.block_runs; },
  };
  EXPECT_TRUE(kHeader == CampaignHeader(kHeader));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CampaignHeader other = kHeader;
    changes[i](other);
    EXPECT_FALSE(other == kHeader) << "change " << i;
    EXPECT_NE(encode_campaign_header(other), encode_campaign_header(kHeader)) << "change " << i;
  }
}

TEST(CampaignFile, BlocksHoldAboutASecond) {
  EXPECT_EQ(campaign_block_runs(0), 4096U);
  EXPECT_EQ(campaign_block_runs(10), 4096U);
  EXPECT_EQ(campaign_block_runs(1000), 1000U);
  EXPECT_EQ(campaign_block_runs(1'000'000), 1U);
  EXPECT_EQ(campaign_block_runs(UINT32_MAX), 1U);
}

}  // namespace
}  // namespace detent::sim::test
