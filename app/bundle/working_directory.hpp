// The working directory, changed for a while.
#pragma once

#include <filesystem>
#include <string>

namespace detent::app {

class WorkingDirectory {
 public:
  /// @throws std::filesystem::filesystem_error  there is no such folder
  explicit WorkingDirectory(const std::string& directory) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(directory);
  }
  ~WorkingDirectory() {
    std::error_code ignored;  // a destructor has nobody to tell
    std::filesystem::current_path(before_, ignored);
  }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  std::filesystem::path before_;
};

}  // namespace detent::app
