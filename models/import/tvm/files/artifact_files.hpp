// The files of an artifact in memory: from a directory, an archive, or one file. Only C sources, headers, metadata.json
// and *.params are kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::models::tvm {

struct ArtifactFile {
  std::string name;  ///< relative, "codegen/host/src/default_lib1.c"
  std::string text;
};

struct FileLimits {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
  std::uint64_t max_total_bytes = std::uint64_t{3} << 30;  ///< kept or only unpacked
  std::uint32_t max_entries = 100'000;
  /// An archive may unpack to `archive_slack_bytes` plus `archive_ratio` times its own size: names, headers and all
  /// members, kept or passed over. C text with weights packs 2 to 40 times smaller, a bomb 1000 times.
  std::uint64_t archive_slack_bytes = std::uint64_t{64} << 20;
  std::uint64_t archive_ratio = 50;
  std::uint32_t max_notes = 100;  ///< of one kind; further ones are counted
  std::uint32_t max_depth = 16;   ///< of directories
};

struct ArtifactFiles {
  std::vector<ArtifactFile> files;  ///< by name
  std::vector<std::string> notes;   ///< links and special files that were passed over
  bool single = false;              ///< PATH is one C file
};

/// Links in a directory are never followed: one that stays inside leads to a file that is read anyway.
/// @throws InputError  PATH cannot be read; an archive is damaged, or has members that are absolute or contain ".."
ArtifactFiles load_artifact_files(const std::string& path, const FileLimits& limits = {});

/// Read a tar, plain or compressed (gzip, bzip2, xz, zstd); false when `path` begins like neither. A member whose
/// header says that it passes a limit is refused before any of it is unpacked; time is linear in what is unpacked.
/// @throws InputError  damaged, a limit passed, a member outside of the archive: "FILE:MEMBER: what; remedy"
bool load_archive(const std::string& path, const FileLimits& limits, ArtifactFiles& out);

/// Is this file of use? By its name alone.
bool is_wanted(const std::string& name);

}  // namespace detent::models::tvm
