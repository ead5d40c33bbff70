// Bytes as a regular file that lies in memory, for readers that take a path.
#pragma once

#include <string>
#include <string_view>

namespace detent::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace detent::fuzz
