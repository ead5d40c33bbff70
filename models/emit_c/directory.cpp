// A directory, written beside its place and moved there.
#include "models/emit_c/directory.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/input_error.hpp"
#include "base/io.hpp"

namespace detent::models {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what, const std::error_code& error = {}) {
  throw InputError(path.string(), "", error ? what + ": " + error.message() : what);
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail(path, "cannot be created", error);
}

void move_to(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail(to, "cannot be created", error);
}

/// The directory beside the wanted one; gone at the end, whatever happens.
class Stage {
 public:
  explicit Stage(const fs::path& target) {
    for (int number = 0; number < 100; ++number) {
      path_ = target;
      path_ += ".new." + std::to_string(::getpid()) + "." + std::to_string(number);
      std::error_code error;
      if (fs::create_directory(path_, error)) return;
      if (error) fail(path_, "cannot be created", error);
    }
    fail(target, "the names for a temporary directory beside it are all taken");
  }
  ~Stage() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void check_inside(const EmittedFile& file) {
  const fs::path path(file.path);
  bool leaves = file.path.empty() || path.is_absolute();
  for (const fs::path& part : path) leaves = leaves || part == ".." || part == "." || part.empty();
  if (leaves) fail(path, "lies outside the directory it is written to (B74)");
}

/// A path whose parents are or will be real directories below `directory`, and that is no directory itself.
void check_place(const fs::path& directory, const fs::path& relative) {
  fs::path at = directory;
  for (auto part = relative.begin(); part != relative.end(); ++part) {
    at /= *part;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(at, error).type();
    if (type == fs::file_type::not_found) return;
    const bool is_last = std::next(part) == relative.end();
    if (type == fs::file_type::symlink) fail(at, "is a symbolic link and is not written through (B74); remove it");
    if (is_last == (type == fs::file_type::directory)) {
      fail(at, is_last ? "is a directory where a file must be written; remove it"
                       : "is not a directory, but files must be written below it; remove it");
    }
  }
}

/// Is there something in the way? False when `directory` is absent or empty.
bool is_occupied(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return false;
  if (!fs::is_directory(directory, error)) fail(directory, "exists and is not a directory; name another one");
  const bool empty = fs::is_empty(directory, error);
  if (error) fail(directory, "cannot be read", error);
  return !empty;
}

void write_files(const fs::path& directory, const std::vector<EmittedFile>& files) {
  for (const EmittedFile& file : files) {
    const fs::path path = directory / file.path;
    make_directories(path.parent_path());
    write_file_atomically(path.string(), file.text);
  }
}

void move_files(const fs::path& from, const fs::path& to, const std::vector<EmittedFile>& files) {
  for (const EmittedFile& file : files) check_place(to, file.path);
  for (const EmittedFile& file : files) {
    make_directories((to / file.path).parent_path());
    move_to(from / file.path, to / file.path);
  }
}

/// Absolute, without symbolic links and trailing slash; the last part need not exist.
fs::path resolved(const std::string& directory) {
  if (directory.empty()) throw InputError("output directory", "", "is empty; give a path");
  std::error_code error;
  fs::path path = fs::absolute(directory, error).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  const fs::path canonical = fs::weakly_canonical(path, error);
  if (error) fail(directory, "cannot be resolved", error);
  return canonical;
}

}  // namespace

void write_directory(const std::string& directory, const std::vector<EmittedFile>& files, bool force) {
  for (const EmittedFile& file : files) check_inside(file);
  const fs::path target = resolved(directory);
  const bool occupied = is_occupied(target);
  if (occupied && !force) fail(target, "is not empty; --force replaces files of the same names");
  make_directories(target.parent_path());
  const Stage stage(target);
  write_files(stage.path(), files);
  if (occupied) {
    move_files(stage.path(), target, files);
  } else {
    move_to(stage.path(), target);
  }
}

}  // namespace detent::models
