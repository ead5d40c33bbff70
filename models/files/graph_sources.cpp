#include "models/files/graph_sources.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "base/files/below.hpp"
#include "base/input_error.hpp"
#include "models/core/model_tables.hpp"
#include "models/core/thunks.hpp"

namespace detent::models {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// The name and the kind of `#include "x"` or <x>; none for other lines.
std::optional<std::pair<std::string, bool>> included_in(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(std::string_view("include").size());
  skip_blanks();
  const bool is_quoted = line.starts_with('"');
  if (!is_quoted && !line.starts_with('<')) return std::nullopt;
  const std::size_t end = line.find(is_quoted ? '"' : '>', 1);
  if (end == line.npos) return std::nullopt;
  return std::pair(std::string(line.substr(1, end - 1)), is_quoted);
}

}  // namespace

const char* graph_source_fault(std::string_view name) {
  constexpr std::size_t kMaxLength = 200;  // of a module
  if (const char* const fault = source_name_fault(name)) return fault;
  if (name.size() > kMaxLength) return "the name of a source has at most 200 characters";
  if (name.starts_with('.') || name.find("/.") != name.npos) return "no part of the name of a source begins with a dot";
  if (name.starts_with("runtime/") || name.starts_with("detent_") || name == kThunkFile)
    return "Detent has files called runtime/..., detent_... and operators.c beside it; rename it";
  return nullptr;
}

GraphSources::GraphSources(const std::string& graph_file) : folder_(folder_part(graph_file)) {
  descriptor_ = ::open(folder_.empty() ? "." : folder_.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
}

GraphSources::~GraphSources() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool GraphSources::add_unit(const std::string& name) {
  if (!add(name)) return false;
  while (!waiting_.empty()) {
    const std::string next = std::move(waiting_.back());
    waiting_.pop_back();
    add_includes(next);
  }
  return true;
}

bool GraphSources::add(const std::string& name) {
  if (texts_.contains(name)) return true;
  if (descriptor_ < 0) return false;
  std::optional<std::string> text = read_file_below({.directory = descriptor_,
                                                     .name = name,
                                                     .shown = shown(name),
                                                     .max_bytes = kMaxGraphSourceBytes,
                                                     .too_large = "a source has at most 16 MiB",
                                                     .link = "links are not followed, write the file itself there"});
  if (!text) return false;
  bytes_ += text->size();
  if (bytes_ > kMaxGraphSourcesBytes)
    throw InputError(shown(name), "", "with this one the sources of the graph have more than 64 MiB");
  if (texts_.size() == kMaxGraphSources)
    throw InputError(shown(name), "", "the graph has more than 1000 sources with what they include");
  texts_.emplace(name, *std::move(text));
  waiting_.push_back(name);
  return true;
}

void GraphSources::add_includes(const std::string& name) {
  const std::string text = texts_.at(name);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const auto wanted = included_in(std::string_view(text).substr(at, end - at)))
      add_included(name, wanted->first, wanted->second);
    at = end + 1;
  }
}

/// As a compiler looks that has -I for the folder. What is not found belongs to the runtime or to a C library.
void GraphSources::add_included(const std::string& from, const std::string& included, bool is_quoted) {
  for (const std::string& path : {folder_part(from) + included, included}) {
    if (path != included && !is_quoted) continue;
    const std::optional<std::string> name = name_below(path);
    if (!name || name->starts_with("runtime/") || !add(*name)) continue;
    const std::string what = "includes \"" + included + "\", and ";
    if (const char* const fault = graph_source_fault(*name)) throw InputError(shown(from), "", what + fault);
    if (name->ends_with(".c"))
      throw InputError(shown(from), "", what + "every .c file is compiled by itself; rename it to .h");
    return;
  }
}

std::vector<SourceFile> GraphSources::files() const {
  std::vector<SourceFile> files;
  for (const auto& [name, text] : texts_) files.push_back({name, text});
  return files;
}

std::string GraphSources::shown(const std::string& name) const { return folder_ + name; }

}  // namespace detent::models
