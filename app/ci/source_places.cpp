// Graph text -> lines; thunks and C texts -> definitions.
#include "app/ci/source_places.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/words/file_kind.hpp"
#include "models/core/thunks.hpp"
#include "models/files/graph_lines.hpp"
#include "models/files/op_table.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kMaxScannedBytes = std::uint64_t{1} << 31U;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Index behind the parenthesis that closes the one at `open`; npos: none does.
std::size_t behind_parentheses(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// Where `function` is defined: its name, its parameters and a brace. @return  the line, from 1
std::optional<std::uint32_t> line_of_definition(std::string_view text, const std::string& function) {
  for (std::size_t at = text.find(function); at != std::string_view::npos; at = text.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    if ((at > 0 && is_word(text[at - 1])) || end >= text.size() || text[end] != '(') continue;
    std::size_t brace = behind_parentheses(text, end);
    while (brace < text.size() && std::isspace(static_cast<unsigned char>(text[brace])) != 0) ++brace;
    if (brace >= text.size() || text[brace] != '{') continue;
    return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, at), '\n'));
  }
  return std::nullopt;
}

class PlaceFinder {
 public:
  PlaceFinder(const std::string& name, const LoadedModel& loaded) : loaded_(loaded) { places_.files = {name}; }

  reports::SourcePlaces find() {
    find_in_graph();
    if (places_.ops.empty() && !loaded_.model.sources.empty()) find_in_sources();
    return std::move(places_);
  }

 private:
  void find_in_graph() {
    if (models::find_zoo_entry(places_.files.front()) != nullptr) return;
    std::string text;
    try {
      text = read_regular_file(places_.files.front(), kMaxScannedBytes);
    } catch (const InputError&) {
      return;
    }
    if (models::is_package(text)) return;
    const bool is_table = kind_of_file(places_.files.front(), text) == FileKind::kCsv;
    for (const std::uint32_t line :
         is_table ? models::op_table_lines(text) : models::graph_op_lines(text, loaded_.model.ops.size())) {
      places_.ops.push_back({0, std::max<std::uint32_t>(1, line)});
    }
  }

  void find_in_sources() {
    const std::map<std::string, models::ThunkCall> calls = models::thunk_calls(loaded_.model);
    for (const models::SourceFile& source : loaded_.model.sources) places_.files.push_back(source.name);
    std::map<std::string, reports::SourcePlace> known;
    for (const models::Op& op : loaded_.model.ops) {
      const auto call = calls.find(op.kernel);
      const std::string function = call == calls.end() ? "" : call->second.function;
      const auto [entry, is_new] = known.try_emplace(function);
      if (is_new && !function.empty()) entry->second = place_of(function);
      places_.ops.push_back(entry->second);
    }
  }

  [[nodiscard]] reports::SourcePlace place_of(const std::string& function) const {
    for (std::uint32_t i = 0; i < loaded_.model.sources.size(); ++i) {
      const auto line = line_of_definition(loaded_.model.sources[i].text, function);
      if (line) return {i + 1, *line};
    }
    return {};
  }

  const LoadedModel& loaded_;
  reports::SourcePlaces places_;
};

}  // namespace

reports::SourcePlaces source_places(const std::string& name, const LoadedModel& loaded) {
  return PlaceFinder(name, loaded).find();
}

}  // namespace detent::app
