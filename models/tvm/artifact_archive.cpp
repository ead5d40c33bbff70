// Archives by libarchive, read into memory; nothing is ever unpacked to disk.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "models/input_error.hpp"
#include "models/tvm/artifact_files.hpp"
#include "models/tvm/libarchive.hpp"

namespace detent::models::tvm {
namespace {

struct CloseArchive {
  void operator()(archive* reader) const { libarchive().read_free(reader); }
};

[[noreturn]] void fail(const std::string& path, const std::string& member, archive* reader) {
  const char* reason = libarchive().error_string(reader);
  throw InputError(
      path, member,
      std::string("the archive is damaged or cut off: ") + (reason != nullptr ? reason : "no reason given"));
}

/// A member's name without "./"; refused when it points outside.
std::string clean_name(const std::string& path, const char* given) {
  std::string name = given != nullptr ? given : "";
  while (name.starts_with("./")) name.erase(0, 2);
  const std::string framed = "/" + name + "/";
  if (name.starts_with("/") || framed.find("/../") != std::string::npos)
    throw InputError(path, name, "a member that points outside of the archive; it is refused");
  return name;
}

/// Unpack the current member; the text is kept when it is wanted.
std::string unpack(archive* reader, const std::string& path, const std::string& name, bool wanted, std::uint64_t& total,
                   const FileLimits& limits) {
  std::string text, chunk(std::size_t{1} << 16, '\0');
  for (;;) {
    const la_ssize_t count = libarchive().read_data(reader, chunk.data(), chunk.size());
    if (count == 0) return text;
    if (count < 0) fail(path, name, reader);
    const auto bytes = static_cast<std::uint64_t>(count);
    check_size(path + "/" + name, bytes, total, limits);
    if (!wanted) continue;
    if (text.size() + bytes > limits.max_file_bytes)
      throw InputError(path, name, "more than " + std::to_string(limits.max_file_bytes) + " bytes");
    text.append(chunk, 0, bytes);
  }
}

void put(ArtifactFile file, ArtifactFiles& out) {
  const auto same = std::find_if(out.files.begin(), out.files.end(),
                                 [&](const ArtifactFile& other) { return other.name == file.name; });
  if (same == out.files.end()) {
    out.files.push_back(std::move(file));
    return;
  }
  out.notes.push_back(file.name + ": twice in the archive; the later one counts");
  *same = std::move(file);
}

bool is_archive(const std::string& magic) {
  const std::string compressed[] = {"\x1f\x8b", "BZh",
                                    std::string("\xfd"
                                                "7zXZ\0",
                                                6),
                                    "\x28\xb5\x2f\xfd"};
  const bool is_compressed = std::any_of(std::begin(compressed), std::end(compressed),
                                         [&](const std::string& start) { return magic.starts_with(start); });
  return is_compressed || (magic.size() > 262 && magic.compare(257, 5, "ustar") == 0);
}

/// A regular file and its first bytes; the descriptor stays open, so that what was looked at is what is read.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) return;
    magic_.resize(512);
    const ssize_t count = ::pread(descriptor_, magic_.data(), magic_.size(), 0);
    magic_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& magic() const { return magic_; }

 private:
  int descriptor_;
  std::string magic_;
};

}  // namespace

bool load_archive(const std::string& path, const FileLimits& limits, ArtifactFiles& out) {
  const OpenFile file(path);
  if (!is_archive(file.magic())) return false;
  const std::unique_ptr<archive, CloseArchive> handle(libarchive().read_new());
  archive* const reader = handle.get();
  // Named one by one: "all" would start helper programs for formats without a library.
  libarchive().read_support_filter_gzip(reader);
  libarchive().read_support_filter_bzip2(reader);
  libarchive().read_support_filter_xz(reader);
  libarchive().read_support_filter_zstd(reader);
  libarchive().read_support_format_tar(reader);
  if (libarchive().read_open_fd(reader, file.descriptor(), std::size_t{1} << 16) != ARCHIVE_OK) fail(path, "", reader);
  std::uint64_t total = 0;
  for (std::uint32_t count = 0;; ++count) {
    archive_entry* entry = nullptr;
    const int status = libarchive().read_next_header(reader, &entry);
    if (status == ARCHIVE_EOF) return true;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) fail(path, "", reader);
    if (count >= limits.max_entries)
      throw InputError(path, "", "more than " + std::to_string(limits.max_entries) + " members");
    const std::string name = clean_name(path, libarchive().entry_pathname(entry));
    const bool is_link = libarchive().entry_hardlink(entry) != nullptr || libarchive().entry_symlink(entry) != nullptr;
    const bool is_file = libarchive().entry_filetype(entry) == AE_IFREG && !is_link;
    const bool wanted = is_wanted(name);
    if (wanted && !is_file) out.notes.push_back(name + ": a link or no regular file; passed over");
    if (!is_file) continue;
    std::string text = unpack(reader, path, name, wanted, total, limits);
    if (wanted) put({.name = name, .text = std::move(text)}, out);
  }
}

}  // namespace detent::models::tvm
