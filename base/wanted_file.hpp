// Files that are read as one kind: what is of another kind is answered with what it is and the command that takes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words/file_kind.hpp"

namespace detent {

/// What a reader wants.
struct WantedFile {
  std::string text{};             ///< "a platform"
  std::vector<FileKind> kinds{};  ///< those of which the reader itself says best what is wrong with them
  std::string advice{};           ///< where such files come from: "give a .toml file or one of am62a, ..."
};

/// @throws InputError  "graph.json: is an op graph, not a platform; detent check graph.json --out DIR takes it. Give
/// ..."
[[noreturn]] void refuse_kind(const std::string& path, FileKind kind, const WantedFile& wanted);

/// @param bytes  of the file, or its first 4096
/// @throws InputError  as above, where its kind is none of those wanted
void require_kind(const std::string& path, std::string_view bytes, const WantedFile& wanted);

/// The same of what is there, also a folder; what is not there is left to its reader.
void require_kind_at(const std::string& path, const WantedFile& wanted);

/// Read a regular file as a whole (base/io.hpp) when it is of a kind that is wanted.
/// @throws InputError  as above, of folders too; what read_regular_file refuses
std::string read_wanted_file(const std::string& path, std::uint64_t max_bytes, const WantedFile& wanted);

}  // namespace detent
