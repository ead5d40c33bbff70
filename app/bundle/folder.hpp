// A folder as a bundle has it: regular files below it with their sizes and hashes, and what else is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::app {

/// A file of a bundle. `path` is relative, with / between its parts.
struct BundledFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// Streamed: a file of any size takes little memory.
/// @throws InputError  it cannot be read
std::string sha256_of_file(const std::string& path);

/// May a bundle have a file of this path: relative, no part of it empty, "." or "..", a name (base/io.hpp)?
bool is_bundle_path(const std::string& path);

/// What stands below a folder, each list sorted.
struct FolderListing {
  std::vector<std::string> files{};    ///< regular ones
  std::vector<std::string> folders{};  ///< those in which no file is
  std::vector<std::string> others{};   ///< symbolic links, which are not followed, sockets, devices
};

/// Most entries of a folder that is listed.
inline constexpr std::size_t kMostEntries = 100'000;

/// @throws InputError  it cannot be listed, or has more than kMostEntries entries
FolderListing list_folder(const std::string& directory);

/// Size and hash of every regular file below `directory` but `left_out`, by path.
/// @throws InputError  as above
std::vector<BundledFile> hash_folder(const std::string& directory, const std::string& left_out);

}  // namespace detent::app
