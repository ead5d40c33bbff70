// Archives by libarchive, read into memory; nothing is ever unpacked to disk.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/files/artifact_files.hpp"
#include "models/import/tvm/files/libarchive.hpp"

namespace detent::models::tvm {
namespace {

struct CloseArchive {
  void operator()(archive* reader) const { libarchive().read_free(reader); }
};

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
    size_ = static_cast<std::uint64_t>(info.st_size);
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
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
  std::string magic_;
};

/// Members of one archive, from its first to its last.
class ArchiveReader {
 public:
  ArchiveReader(const std::string& path, std::uint64_t archive_bytes, const FileLimits& limits, ArtifactFiles& out)
      : path_(path),
        limits_(limits),
        max_unpacked_(
            std::min(limits.max_total_bytes, limits.archive_slack_bytes + limits.archive_ratio * archive_bytes)),
        handle_(libarchive().read_new()),
        out_(out) {}

  void read(int descriptor);

 private:
  void open(int descriptor);
  archive_entry* next_member();
  void member(archive_entry* entry);
  std::string unpack(archive_entry* entry, const std::string& name, bool wanted);
  void check_declared_size(archive_entry* entry, const std::string& name, bool wanted) const;
  void count(const std::string& name, std::uint64_t bytes);
  void put(std::string name, std::string text);
  void note(std::uint32_t& count, const std::string& text);
  void note_rest(std::uint32_t count, const char* what);
  [[nodiscard]] std::string clean_name(const char* given) const;
  [[noreturn]] void fail_damaged(const std::string& member) const;
  [[noreturn]] void fail_size(const std::string& member) const;
  [[noreturn]] void fail_member_size(const std::string& member) const;

  const std::string& path_;
  const FileLimits& limits_;
  std::uint64_t max_unpacked_;
  std::unique_ptr<archive, CloseArchive> handle_;
  ArtifactFiles& out_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::uint64_t unpacked_ = 0;
  std::uint32_t duplicates_ = 0, links_ = 0;
  std::string chunk_ = std::string(std::size_t{1} << 16, '\0');
};

void ArchiveReader::fail_damaged(const std::string& member) const {
  const char* reason = libarchive().error_string(handle_.get());
  throw InputError(
      path_, member,
      std::string("the archive is damaged or cut off: ") + (reason != nullptr ? reason : "no reason given"));
}

void ArchiveReader::fail_size(const std::string& member) const {
  throw InputError(path_, member,
                   "with this member the archive unpacks to more than " + std::to_string(max_unpacked_) +
                       " bytes, the limit for its size; unpack it yourself and name the directory");
}

void ArchiveReader::fail_member_size(const std::string& member) const {
  throw InputError(path_, member,
                   "more than " + std::to_string(limits_.max_file_bytes) + " bytes, the limit of one file");
}

/// A member's name without "./"; refused when it points outside.
std::string ArchiveReader::clean_name(const char* given) const {
  std::string name = given != nullptr ? given : "";
  name.erase(0, [&] {
    std::size_t begin = 0;
    while (name.compare(begin, 2, "./") == 0) begin += 2;
    return begin;
  }());
  const std::string framed = "/" + name + "/";
  if (name.starts_with("/") || framed.find("/../") != std::string::npos)
    throw InputError(path_, name, "a member that points outside of the archive; it is refused");
  return name;
}

void ArchiveReader::count(const std::string& name, std::uint64_t bytes) {
  unpacked_ += bytes;
  if (unpacked_ > max_unpacked_) fail_size(name);
}

/// Before any of it is unpacked. What a header does not tell, or tells wrong, is counted while it is unpacked.
void ArchiveReader::check_declared_size(archive_entry* entry, const std::string& name, bool wanted) const {
  if (libarchive().entry_size_is_set(entry) == 0) return;
  const la_int64_t declared = libarchive().entry_size(entry);
  const std::uint64_t bytes = declared > 0 ? static_cast<std::uint64_t>(declared) : 0;
  if (wanted && bytes > limits_.max_file_bytes) fail_member_size(name);
  if (bytes > max_unpacked_ - unpacked_) fail_size(name);
}

/// Unpack the current member; the text is kept when it is wanted.
std::string ArchiveReader::unpack(archive_entry* entry, const std::string& name, bool wanted) {
  check_declared_size(entry, name, wanted);
  std::string text;
  if (wanted && libarchive().entry_size(entry) > 0)
    text.reserve(static_cast<std::size_t>(libarchive().entry_size(entry)));
  for (;;) {
    const la_ssize_t size = libarchive().read_data(handle_.get(), chunk_.data(), chunk_.size());
    if (size == 0) return text;
    if (size < 0) fail_damaged(name);
    const auto bytes = static_cast<std::uint64_t>(size);
    count(name, bytes);
    if (!wanted) continue;
    if (text.size() + bytes > limits_.max_file_bytes) fail_member_size(name);
    text.append(chunk_, 0, bytes);
  }
}

void ArchiveReader::note(std::uint32_t& count, const std::string& text) {
  if (++count <= limits_.max_notes) out_.notes.push_back(text);
}

void ArchiveReader::note_rest(std::uint32_t count, const char* what) {
  if (count <= limits_.max_notes) return;
  out_.notes.push_back(std::to_string(count - limits_.max_notes) + " further members " + what);
}

void ArchiveReader::put(std::string name, std::string text) {
  const auto [place, is_new] = by_name_.try_emplace(name, out_.files.size());
  if (is_new) {
    out_.files.push_back({.name = std::move(name), .text = std::move(text)});
    return;
  }
  note(duplicates_, name + ": duplicate in the archive; the later one counts");
  out_.files[place->second].text = std::move(text);
}

void ArchiveReader::open(int descriptor) {
  archive* const reader = handle_.get();
  // Named one by one: "all" would start helper programs for formats without a library.
  libarchive().read_support_filter_gzip(reader);
  libarchive().read_support_filter_bzip2(reader);
  libarchive().read_support_filter_xz(reader);
  libarchive().read_support_filter_zstd(reader);
  libarchive().read_support_format_tar(reader);
  if (libarchive().read_open_fd(reader, descriptor, std::size_t{1} << 16) != ARCHIVE_OK) fail_damaged("");
}

/// Null at the end.
archive_entry* ArchiveReader::next_member() {
  archive_entry* entry = nullptr;
  const int status = libarchive().read_next_header(handle_.get(), &entry);
  if (status == ARCHIVE_EOF) return nullptr;
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN) fail_damaged("");
  return entry;
}

void ArchiveReader::member(archive_entry* entry) {
  constexpr std::uint64_t kHeaderBytes = 512;
  const std::string name = clean_name(libarchive().entry_pathname(entry));
  count(name, kHeaderBytes + name.size());
  const bool is_link = libarchive().entry_hardlink(entry) != nullptr || libarchive().entry_symlink(entry) != nullptr;
  const bool is_file = libarchive().entry_filetype(entry) == AE_IFREG && !is_link;
  const bool wanted = is_wanted(name);
  if (wanted && !is_file) note(links_, name + ": a link or no regular file; passed over");
  if (!is_file) return;
  std::string text = unpack(entry, name, wanted);
  if (wanted) put(name, std::move(text));
}

void ArchiveReader::read(int descriptor) {
  open(descriptor);
  std::uint32_t members = 0;
  while (archive_entry* const entry = next_member()) {
    if (++members > limits_.max_entries)
      throw InputError(path_, "",
                       "more than " + std::to_string(limits_.max_entries) +
                           " members; an artifact has hundreds, unpack it yourself and name its directory");
    member(entry);
  }
  note_rest(duplicates_, "are duplicates in the archive; the later ones count");
  note_rest(links_, "are links or not regular files; skipped");
}

}  // namespace

bool load_archive(const std::string& path, const FileLimits& limits, ArtifactFiles& out) {
  const OpenFile file(path);
  if (!is_archive(file.magic())) return false;
  ArchiveReader(path, file.size(), limits, out).read(file.descriptor());
  return true;
}

}  // namespace detent::models::tvm
