// TempDirectory: a private directory that is gone, with all that is in it, when its owner is.
#pragma once

#include <filesystem>

namespace detent {

class TempDirectory {
 public:
  /// Mode 0700, under TMPDIR or /tmp.
  /// @throws std::runtime_error  it cannot be made
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace detent
