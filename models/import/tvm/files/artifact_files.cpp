// Directories and single files. A directory is walked with descriptors relative to it, so that nothing outside can be
// reached, not even when somebody exchanges a directory for a link meanwhile (B62, B64).
#include "models/import/tvm/files/artifact_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/wanted_file.hpp"

namespace detent::models::tvm {
namespace {

/// Count `bytes` more of the file at `path`.
/// @throws InputError  a limit is passed
void check_size(const std::string& path, std::uint64_t bytes, std::uint64_t& total, const FileLimits& limits) {
  if (bytes > limits.max_file_bytes)
    throw InputError(path, "",
                     std::to_string(bytes) + " bytes; at most " + std::to_string(limits.max_file_bytes) + " are read");
  total += bytes;
  if (total > limits.max_total_bytes)
    throw InputError(path, "",
                     "with this file the artifact has more than " + std::to_string(limits.max_total_bytes) + " bytes");
}

const WantedFile& wanted_artifact() {
  static const WantedFile kArtifact = {
      "a TVM artifact", {FileKind::kC, FileKind::kText}, "give the folder or tar that TVM exported, or its C file"};
  return kArtifact;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

class Walk {
 public:
  Walk(const std::string& path, const FileLimits& limits, ArtifactFiles& out)
      : path_(path), limits_(limits), out_(out) {}
  void directory(int descriptor, const std::string& prefix, std::uint32_t depth);

 private:
  void entry(int parent, const std::string& leaf, const std::string& name, std::uint32_t depth);
  void file(int descriptor, const std::string& name, std::uint64_t bytes);

  const std::string& path_;
  const FileLimits& limits_;
  ArtifactFiles& out_;
  std::uint64_t total_ = 0;
  std::uint32_t entries_ = 0;
};

void Walk::directory(int descriptor, const std::string& prefix, std::uint32_t depth) {
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(descriptor));
  if (!stream) {
    ::close(descriptor);
    throw InputError(path_ + "/" + prefix, "", std::string("cannot be listed: ") + std::strerror(errno));
  }
  std::vector<std::string> leaves;
  while (const dirent* found = ::readdir(stream.get())) {
    const std::string leaf = found->d_name;
    if (leaf == "." || leaf == "..") continue;
    if (++entries_ > limits_.max_entries)
      throw InputError(
          path_, "",
          "more than " + std::to_string(limits_.max_entries) + " files; name the directory of the artifact itself");
    leaves.push_back(leaf);
  }
  std::sort(leaves.begin(), leaves.end());
  for (const std::string& leaf : leaves) entry(::dirfd(stream.get()), leaf, prefix + leaf, depth);
}

void Walk::entry(int parent, const std::string& leaf, const std::string& name, std::uint32_t depth) {
  struct stat info {};
  if (::fstatat(parent, leaf.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISLNK(info.st_mode)) {
    if (is_wanted(leaf)) out_.notes.push_back(name + ": a link; links are not followed");
    return;
  }
  const bool is_directory = S_ISDIR(info.st_mode);
  if (is_directory && (depth >= limits_.max_depth || leaf.starts_with("."))) return;
  if (!is_directory && !is_wanted(leaf)) return;
  if (!is_directory && !S_ISREG(info.st_mode)) {
    out_.notes.push_back(name + ": no regular file; passed over");
    return;
  }
  const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (is_directory ? O_DIRECTORY : 0);
  const int descriptor = ::openat(parent, leaf.c_str(), flags);
  if (descriptor < 0) {
    out_.notes.push_back(name + ": cannot be read: " + std::strerror(errno));
    return;
  }
  if (is_directory) return directory(descriptor, name + "/", depth + 1);
  const bool regular = ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  if (regular) {
    file(descriptor, name, static_cast<std::uint64_t>(info.st_size));
  } else {
    ::close(descriptor);
  }
}

void Walk::file(int descriptor, const std::string& name, std::uint64_t bytes) {
  ArtifactFile out{.name = name, .text = {}};
  try {
    check_size(path_ + "/" + name, bytes, total_, limits_);
    out.text.resize(bytes);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  std::uint64_t filled = 0;
  while (filled < bytes) {
    const ssize_t count = ::read(descriptor, out.text.data() + filled, bytes - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<std::uint64_t>(count);
  }
  ::close(descriptor);
  if (filled != bytes) throw InputError(path_ + "/" + name, "", "changed while it was read");
  out_.files.push_back(std::move(out));
}

}  // namespace

bool is_wanted(const std::string& name) {
  const std::string leaf = name.substr(name.rfind('/') + 1);
  return leaf.ends_with(".c") || leaf.ends_with(".h") || leaf.ends_with(".params") || leaf == "metadata.json";
}

ArtifactFiles load_artifact_files(const std::string& path, const FileLimits& limits) {
  if (path.empty()) throw InputError("(empty path)", "", "a file name is needed");
  if (path.find('\0') != std::string::npos) throw InputError(path.c_str(), "", "the path contains a NUL byte");
  ArtifactFiles out;
  const int directory = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  const FileKind kind = directory >= 0 ? kind_at(path) : FileKind::kEmpty;
  if (kind == FileKind::kCheckFolder || kind == FileKind::kCampaignFolder) {
    ::close(directory);
    refuse_kind(path, kind, wanted_artifact());
  }
  if (directory >= 0) {
    Walk(path, limits, out).directory(directory, "", 0);
    return out;
  }
  if (load_archive(path, limits, out)) {
    std::stable_sort(out.files.begin(), out.files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
  }
  std::string text = read_wanted_file(path, limits.max_file_bytes, wanted_artifact());
  out.single = true;
  out.files.push_back({.name = path.substr(path.rfind('/') + 1), .text = std::move(text)});
  return out;
}

}  // namespace detent::models::tvm
