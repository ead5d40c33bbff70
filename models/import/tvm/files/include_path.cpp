#include "models/import/tvm/files/include_path.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files/below.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

}  // namespace

IncludePath::IncludePath(const std::vector<std::string>& directories) {
  try {
    for (const std::string& directory : directories) {
      if (directory.empty()) throw InputError("--include", "", "an empty name; a directory is needed");
      if (const char* const fault = name_fault(directory))
        throw InputError("--include", "", std::string(fault) + "; rename the directory");
      if (add_beside(directory) == SIZE_MAX)
        throw InputError(directory, "",
                         std::string("cannot be opened as a directory of headers: ") + std::strerror(errno) +
                             "; --include takes a directory, --source a C file");
    }
  } catch (...) {
    for (const Base& base : bases_) ::close(base.descriptor);
    throw;
  }
  searched_ = bases_.size();
}

IncludePath::~IncludePath() {
  for (const Base& base : bases_) {
    if (base.descriptor >= 0) ::close(base.descriptor);
  }
}

std::size_t IncludePath::add_beside(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (descriptor < 0) return SIZE_MAX;
  bases_.push_back({.directory = directory, .descriptor = descriptor, .texts = {}});
  return bases_.size() - 1;
}

std::size_t IncludePath::add_artifact(const ArtifactFiles& files) {
  bases_.emplace_back();
  for (const ArtifactFile& file : files.files) {
    const std::string leaf = file.name.substr(file.name.rfind('/') + 1);
    if (leaf.ends_with(".h") && !leaf.starts_with("tvmgen_")) bases_.back().texts[file.name] = &file.text;
  }
  artifact_ = bases_.size() - 1;
  return artifact_;
}

std::optional<std::string> IncludePath::read(const Base& base, const std::string& name) const {
  if (base.descriptor < 0) {
    const auto found = base.texts.find(name);
    return found == base.texts.end() ? std::nullopt : std::optional(*found->second);
  }
  return read_file_below({.directory = base.descriptor,
                          .name = name,
                          .shown = base.directory + "/" + name,
                          .max_bytes = kMostBytes,
                          .too_large = "a header has at most 64 MiB",
                          .link = "links below --include are not followed, give the directory that it leads to"});
}

std::optional<IncludedText> IncludePath::find(const std::string& name, bool quoted, const SourcePlace& from) const {
  const auto look = [&](std::size_t base, const std::string& path) -> std::optional<IncludedText> {
    const std::optional<std::string> plain = name_below(path);
    if (!plain) return std::nullopt;
    std::optional<std::string> text = read(bases_[base], *plain);
    if (!text) return std::nullopt;
    return IncludedText{.place = {.base = base, .name = *plain}, .text = std::move(*text)};
  };
  if (quoted && from.base != SIZE_MAX) {
    if (auto found = look(from.base, folder_part(from.name) + name)) return found;
  }
  for (std::size_t base = 0; base < searched_; ++base) {
    if (auto found = look(base, name)) return found;
  }
  if (artifact_ == SIZE_MAX) return std::nullopt;
  if (auto found = look(artifact_, name)) return found;
  std::string only;
  for (const auto& [path, text] : bases_[artifact_].texts) {
    if (!path.ends_with("/" + name)) continue;
    if (!only.empty()) return std::nullopt;  // which one is meant, only the options of its own build tell
    only = path;
  }
  return only.empty() ? std::nullopt : look(artifact_, only);
}

std::string IncludePath::shown(const SourcePlace& place) const {
  if (place.base == SIZE_MAX || bases_[place.base].directory.empty()) return place.name;
  const std::string& directory = bases_[place.base].directory;
  return directory + (directory.ends_with('/') ? "" : "/") + place.name;
}

}  // namespace detent::models::tvm
