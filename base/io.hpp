// What comes in from outside and goes out: whole files, and names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detent {

/// Longest name of a model, op, tensor, region, kernel, class or mutex, bytes (B14).
inline constexpr std::size_t kMaxNameBytes = 4096;

/// Read a regular file as a whole; symbolic links are followed. It is opened once and its descriptor examined, so
/// nothing can change between check and open (B62, B64).
/// @throws InputError  missing, a directory, FIFO, socket or device; above `max_bytes`; changed while it was read
std::string read_regular_file(const std::string& path, std::uint64_t max_bytes);

/// Write a file so that `path` holds either what it held before or all of `bytes`: a temporary file beside it, renamed.
/// @throws InputError  a directory that does not exist or may not be written; `path` is not a regular file
void write_file_atomically(const std::string& path, std::string_view bytes);

/// A file to be written.
struct FileBytes {
  std::string path{};
  std::string_view bytes{};
};

/// Write several files so that, but for a fault of the system between two renames, all are written or none is.
/// @throws InputError  as above, of the first file that cannot be written
void write_files_atomically(const std::vector<FileBytes>& files);

/// Why a string may not be a name: null when it may. A name is 1 to kMaxNameBytes bytes of UTF-8 without control
/// characters (C0, DEL, C1); commas, '<', quotes and spaces are fine, writers escape them.
const char* name_fault(std::string_view name);

/// Is it well-formed UTF-8: shortest forms, no surrogates, at most U+10FFFF?
bool is_utf8(std::string_view text);

}  // namespace detent
