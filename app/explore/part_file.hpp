// Part file: the outcome of one shard of an exploration, whole or not there. Bit by bit in docs/FORMATS.md.
#pragma once

#include <string>

#include "verify/explore/ops/part.hpp"

namespace detent::app {

/// What the file of one shard holds.
struct ExplorePartFile {
  std::string identity{};  ///< exploration_identity of the command; at most 1 MiB
  verify::explore::OpPart part{};
};

/// The bytes of a file.
std::string encode_explore_part(const ExplorePartFile& file);
/// @param path  named in errors only
/// @throws std::invalid_argument  "PATH: byte 8: ...": of another kind or version, cut, changed, contradicting itself
ExplorePartFile decode_explore_part(std::string_view bytes, const std::string& path);

/// @throws InputError  the file cannot be written
void write_explore_part(const std::string& path, const ExplorePartFile& file);
/// @throws std::invalid_argument  as decode_explore_part; InputError  no regular file
ExplorePartFile read_explore_part(const std::string& path);
/// Whether the file begins as part files do; false also where there is none.
bool is_explore_part(const std::string& path);

}  // namespace detent::app
