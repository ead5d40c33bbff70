#include "base/files/below.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/input_error.hpp"

namespace detent {
namespace {

std::string read_bytes_of(int descriptor, std::uint64_t bytes, const std::string& shown) {
  std::string text(bytes, '\0');
  std::uint64_t filled = 0;
  while (filled < bytes) {
    const ssize_t count = ::read(descriptor, text.data() + filled, bytes - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<std::uint64_t>(count);
  }
  if (filled != bytes) throw InputError(shown, "", "changed while it was read");
  return text;
}

/// Directory by directory. @return  -1: there is none
int open_below(const FileBelow& wanted) {
  int parent = wanted.directory;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(wanted.name.find('/', at), wanted.name.size());
    const bool is_last = end == wanted.name.size();
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (is_last ? 0 : O_DIRECTORY);
    const int next = ::openat(parent, wanted.name.substr(at, end - at).c_str(), flags);
    const int error = errno;
    if (parent != wanted.directory) ::close(parent);
    if (next < 0 && error == ELOOP && is_last)
      throw InputError(wanted.shown, "", std::string("a link; ") + wanted.link);
    if (next < 0 && error != ENOENT && error != ENOTDIR && error != ELOOP)
      throw InputError(wanted.shown, "", std::string("cannot be read: ") + std::strerror(error));
    if (next < 0 || is_last) return next;
    parent = next;
    at = end + 1;
  }
}

}  // namespace

std::optional<std::string> name_below(const std::string& name) {
  std::vector<std::string> parts;
  if (name.empty() || name[0] == '/' || name.find('\0') != std::string::npos) return std::nullopt;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    std::string part = name.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && parts.empty()) return std::nullopt;
    if (part == "..") {
      parts.pop_back();
    } else {
      parts.push_back(std::move(part));
    }
  }
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : "/") + part;
  return result.empty() ? std::nullopt : std::optional(result);
}

std::string folder_part(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

std::optional<std::string> read_file_below(const FileBelow& wanted) {
  const int descriptor = open_below(wanted);
  if (descriptor < 0) return std::nullopt;
  try {
    struct stat info {};
    const bool is_known = ::fstat(descriptor, &info) == 0;
    std::optional<std::string> text;
    if (!is_known || !S_ISDIR(info.st_mode)) {
      if (!is_known || !S_ISREG(info.st_mode)) throw InputError(wanted.shown, "", "is not a regular file");
      const auto bytes = static_cast<std::uint64_t>(info.st_size);
      if (bytes > wanted.max_bytes)
        throw InputError(wanted.shown, "", std::to_string(bytes) + " bytes; " + wanted.too_large);
      text = read_bytes_of(descriptor, bytes, wanted.shown);
    }
    ::close(descriptor);
    return text;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

}  // namespace detent
