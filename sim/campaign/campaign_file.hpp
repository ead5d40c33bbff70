// Campaign file: the makespans of a part of a campaign, appended block by block, so that a process that is killed at
// any moment loses at most the block it was filling. Bit by bit in docs/FORMATS.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/types/options.hpp"

namespace detent::sim {

/// What stands at the beginning of a campaign file and never changes.
struct CampaignHeader {
  std::string identity;          ///< what decides the runs, as the caller writes it; at most 1 MiB
  RunRange part{};               ///< runs that the file is for; count > 0
  std::uint32_t block_runs = 1;  ///< runs per block; the last block may have fewer. At most 65,536
  bool operator==(const CampaignHeader& other) const {
    return identity == other.identity && part.first == other.part.first && part.count == other.part.count &&
           block_runs == other.block_runs;
  }
};

/// Runs per block so that one holds about a second of simulation, from the number of ops: the same for every process
/// that continues the file.
std::uint32_t campaign_block_runs(std::uint32_t op_count);

/// What a file holds up to its end or to the first byte that is not as it should be.
struct CampaignContent {
  CampaignHeader header;
  KnownRuns runs;
  std::uint64_t good_bytes = 0;       ///< length of the header and all whole blocks
  std::optional<std::string> damage;  ///< "byte 4182: ...": why the rest was not taken; a cut block is damage, too
  [[nodiscard]] bool complete() const { return !damage && runs.makespans_ps.size() == header.part.count; }
};

/// Read a campaign file; memory stays below twice its size. The header must be whole.
/// @throws std::invalid_argument  B01 to B13 in the header: "FILE: byte 8: ..."; no regular file, unreadable
CampaignContent read_campaign(const std::string& path);
/// The header alone.
CampaignHeader read_campaign_header(const std::string& path);

/// Appends runs. One process at a time: the file is locked.
class CampaignWriter {
 public:
  /// A new file, which appears with its whole header or not at all.
  /// @throws std::invalid_argument  it exists, or cannot be created
  static std::unique_ptr<CampaignWriter> create(const std::string& path, const CampaignHeader& header);

  /// Go on with a file: what follows its good blocks is cut off. Runs that it holds are left in `runs`.
  /// @param header  that the file must have
  /// @throws std::invalid_argument  no such file, another header, in use by another process
  struct Resumed {
    std::unique_ptr<CampaignWriter> writer;
    KnownRuns runs;
    std::optional<std::string> damage;  ///< what was cut off, if anything
  };
  static Resumed resume(const std::string& path, const CampaignHeader& header);

  ~CampaignWriter();
  CampaignWriter(const CampaignWriter&) = delete;
  CampaignWriter& operator=(const CampaignWriter&) = delete;

  /// The next run of the part; a block is written when it is full or the part is done.
  /// @throws std::runtime_error  the disk refuses
  void add(const RunOutcome& run);

 private:
  CampaignWriter(std::string path, CampaignHeader header, int descriptor, std::uint64_t done);

  std::string path_;
  CampaignHeader header_;
  int descriptor_;
  std::uint64_t done_;  // runs in the file
  KnownRuns block_;     // runs after them
};

/// The bytes of a header and of one block, as they stand in the file. A block's checksum takes in the header's, so a
/// block of another file is none of this one.
std::string encode_campaign_header(const CampaignHeader& header);
std::string encode_campaign_block(const CampaignHeader& header, std::uint64_t first_run, const KnownRuns& runs);

}  // namespace detent::sim
