#include "base/io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "base/input_error.hpp"
#include "base/words/file_kind.hpp"

namespace detent {
namespace {

/// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

[[noreturn]] void fail_errno(const std::string& path, const char* what) {
  const int error = errno;
  std::string remedy = error == ENOENT ? near_file(path) : "";
  if (error == ENOENT && remedy.empty()) remedy = "; check the path";
  if (error == EACCES) remedy = "; its owner gives the right by chmod";
  throw InputError(path, "", std::string(what) + ": " + std::strerror(error) + remedy);
}

const char* file_type(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

void check_path(const std::string& path) {
  if (path.empty()) throw InputError("(empty path)", "", "a file name is needed");
  if (path.find('\0') != std::string::npos) throw InputError(path.c_str(), "", "the path contains a NUL byte");
}

std::uint64_t regular_size(const Descriptor& file, const std::string& path, std::uint64_t max_bytes) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail_errno(path, "cannot be examined");
  if (!S_ISREG(info.st_mode)) {
    throw InputError(path, "", std::string("is ") + file_type(info.st_mode) + "; a regular file is needed");
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > max_bytes) {
    throw InputError(path, "", std::to_string(size) + " bytes; at most " + std::to_string(max_bytes) + " are read");
  }
  return size;
}

/// A name beside `path` that no other process uses, nor another of the files that are written together.
std::string temporary_name(const std::string& path, std::size_t number) {
  return path + ".part" + std::to_string(::getpid()) + (number == 0 ? "" : "." + std::to_string(number));
}

void write_all(const Descriptor& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// What will be `path`; gone with the object unless it was renamed.
class TemporaryFile {
 public:
  /// @throws InputError  `path` cannot be written
  TemporaryFile(const std::string& path, std::size_t number) : path_(path) {
    check_path(path);
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
      throw InputError(path, "", std::string("is ") + file_type(info.st_mode) + " and is not overwritten");
    }
    name_ = temporary_name(path, number);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (exists_) ::unlink(name_.c_str());
  }

  void write(std::string_view bytes) {
    Descriptor file(::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (file.get() < 0) fail_errno(path_, "cannot be created");
    exists_ = true;
    write_all(file, path_, bytes);
    if (!file.close()) fail_errno(path_, "cannot be written");
  }
  void rename() {
    if (::rename(name_.c_str(), path_.c_str()) != 0) fail_errno(path_, "cannot be created");
    exists_ = false;
  }

 private:
  std::string path_, name_{};
  bool exists_ = false;
};

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  const unsigned second = byte(1);
  if (lead < 0x80U) return 1;
  if (lead < 0xC2U || lead > 0xF4U || !continues(1)) return 0;
  if (lead < 0xE0U) return 2;
  if (lead < 0xF0U) {
    const bool overlong = lead == 0xE0U && second < 0xA0U;
    const bool surrogate = lead == 0xEDU && second > 0x9FU;
    return overlong || surrogate || !continues(2) ? 0 : 3;
  }
  const bool overlong = lead == 0xF0U && second < 0x90U;
  const bool too_large = lead == 0xF4U && second > 0x8FU;
  return overlong || too_large || !continues(2) || !continues(3) ? 0 : 4;
}

}  // namespace

std::string read_regular_file(const std::string& path, std::uint64_t max_bytes) {
  check_path(path);
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0) fail_errno(path, "cannot be opened");
  std::string text(regular_size(file, path, max_bytes), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path, "cannot be read");
    if (count == 0) throw InputError(path, "", "became shorter while it was read");
    done += static_cast<std::size_t>(count);
  }
  return text;
}

void write_files_atomically(const std::vector<FileBytes>& files) {
  std::deque<TemporaryFile> written;
  for (const FileBytes& file : files) written.emplace_back(file.path, written.size()).write(file.bytes);
  for (TemporaryFile& file : written) file.rename();
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_files_atomically({{.path = path, .bytes = bytes}});
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

const char* name_fault(std::string_view name) {
  if (name.empty()) return "a name must not be empty";
  if (name.size() > kMaxNameBytes) return "a name may have at most 4096 bytes";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool c1 = c == 0xC2U && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xA0U;
    if (c < 0x20U || c == 0x7FU || c1) return "a name must not contain control characters";
  }
  return is_utf8(name) ? nullptr : "a name must be UTF-8";
}

}  // namespace detent
