// Artifacts for tests: those of fixtures/, and copies of them to edit.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/artifact.hpp"

namespace detent::models::tvm {

namespace fs = std::filesystem;

inline const std::string kFixtures = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/fixtures/";
inline const std::string kSources = "codegen/host/src/";

inline std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// A directory that disappears with the test.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "detent_artifact_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(root_); }
  /// A copy of a fixture to edit.
  fs::path copy(const std::string& fixture) const {
    fs::copy(kFixtures + fixture, root_ / fixture, fs::copy_options::recursive);
    return root_ / fixture;
  }
  [[nodiscard]] const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

/// What read_artifact throws; "" when it reads.
inline std::string artifact_error(const fs::path& path) {
  try {
    read_artifact(path.string());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline bool has_note(const Artifact& artifact, const std::string& part) {
  for (const std::string& note : artifact.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

inline const PoolInfo& pool(const Artifact& artifact, const std::string& name) {
  for (const PoolInfo& found : artifact.pools) {
    if (found.name == name) return found;
  }
  throw std::runtime_error("no pool " + name);
}

}  // namespace detent::models::tvm
