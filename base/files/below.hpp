// A file below a directory that is open: no link on the way to it is followed, so that nothing outside is read (B62).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace detent {

struct FileBelow {
  int directory = -1;           ///< descriptor; stays open
  std::string name{};           ///< relative, without "." and ".."
  std::string shown{};          ///< as messages name it
  std::uint64_t max_bytes = 0;  ///< of the file
  const char* too_large = "";   ///< behind the number of bytes: "a header has at most 64 MiB"
  const char* link = "";        ///< what a link is told: "give the directory that it leads to"
};

/// "a/./b/../c" -> "a/c": a name as FileBelow takes it.
/// @return  none where it leaves the directory, or is no relative name
std::optional<std::string> name_below(const std::string& name);

/// "a/b.c" -> "a/", "b.c" -> "".
std::string folder_part(const std::string& name);

/// The whole text; none where there is no file of that name, or a directory.
/// @throws InputError  a link, not a regular file, too large, cannot be read, changed while it was read
std::optional<std::string> read_file_below(const FileBelow& wanted);

}  // namespace detent
