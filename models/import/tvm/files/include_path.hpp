// Where #include finds a header: beside the file that asks, in directories that are given, in the artifact.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/files/artifact_files.hpp"

namespace detent::models::tvm {

/// A file that was found, or the file that asks.
struct SourcePlace {
  std::size_t base = SIZE_MAX;  ///< where its name begins; SIZE_MAX: nowhere, only directories are searched
  std::string name;             ///< relative to that, "Include/arm_nn_types.h"
  [[nodiscard]] std::string key() const { return std::to_string(base) + ":" + name; }
};

struct IncludedText {
  SourcePlace place;
  std::string text;
};

/// Directories are opened one by one and no link below them is followed, so that nothing outside is read (B62).
class IncludePath {
 public:
  /// @param directories  in the order in which they are searched. @throws InputError  one cannot be opened
  explicit IncludePath(const std::vector<std::string>& directories);
  ~IncludePath();
  IncludePath(const IncludePath&) = delete;
  IncludePath& operator=(const IncludePath&) = delete;

  /// Headers of an artifact, found beside the files that ask for them, then anywhere in it if one has the name.
  /// Those that TVM writes for applications (tvmgen_*.h) do not count. Returns its base.
  std::size_t add_artifact(const ArtifactFiles& files);
  /// A further directory for what stands in it; SIZE_MAX when it cannot be opened.
  std::size_t add_beside(const std::string& directory);

  /// @param quoted  "name" and not <name>. @throws InputError  the file is there, but too large or no regular file
  [[nodiscard]] std::optional<IncludedText> find(const std::string& name, bool quoted, const SourcePlace& from) const;
  [[nodiscard]] bool has_directories() const { return searched_ > 0; }
  /// A place as messages name it, "DIR/name".
  [[nodiscard]] std::string shown(const SourcePlace& place) const;

 private:
  struct Base {
    std::string directory;  ///< "" of the artifact
    int descriptor = -1;
    std::map<std::string, const std::string*> texts;
  };
  [[nodiscard]] std::optional<std::string> read(const Base& base, const std::string& name) const;

  std::vector<Base> bases_;
  std::size_t searched_ = 0;  ///< the first bases are searched for every name
  std::size_t artifact_ = SIZE_MAX;
};

}  // namespace detent::models::tvm
