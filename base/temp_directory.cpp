// TempDirectory: mkdtemp and remove_all.
#include "base/temp_directory.hpp"

#include <stdlib.h>

#include <stdexcept>
#include <string>

namespace detent {
namespace fs = std::filesystem;

TempDirectory::TempDirectory() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string pattern = ((error ? fs::path("/tmp") : parent) / "detent-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error(pattern + ": the temporary directory cannot be made; set TMPDIR to one that is writable");
  }
  path_ = fs::canonical(pattern, error);
  if (error) path_ = pattern;
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;  // a destructor has nobody to tell
  fs::remove_all(path_, ignored);
}

}  // namespace detent
