// GraphSources: C files below the folder of an op graph file, and what they include from there -> sources of a Model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Limits, checked by the reader.
inline constexpr std::uint64_t kMaxGraphSourceBytes = std::uint64_t{16} << 20U;   ///< of one file
inline constexpr std::uint64_t kMaxGraphSourcesBytes = std::uint64_t{64} << 20U;  ///< of all together
inline constexpr std::size_t kMaxGraphSources = 1000;

/// What is wrong with the name of a C file or a header of a graph, or null: a plain relative path that a package, a
/// module and a firmware can have.
const char* graph_source_fault(std::string_view name);

/// Each file is read once, without following links, so that nothing outside of the folder is read (B62, B64).
class GraphSources {
 public:
  /// @param graph_file  path of the graph: files are looked for in its folder
  explicit GraphSources(const std::string& graph_file);
  ~GraphSources();
  GraphSources(const GraphSources&) = delete;
  GraphSources& operator=(const GraphSources&) = delete;

  /// A C file and the files that its `#include` lines name, as far as they stand beside it or in the folder.
  /// @param name  without graph_source_fault
  /// @return  false: there is no such file
  /// @throws InputError  a link, not a regular file, too large; an included file that cannot be taken along
  bool add_unit(const std::string& name);
  /// By name.
  [[nodiscard]] std::vector<SourceFile> files() const;

 private:
  bool add(const std::string& name);
  void add_includes(const std::string& name);
  void add_included(const std::string& from, const std::string& included, bool is_quoted);
  [[nodiscard]] std::string shown(const std::string& name) const;

  std::string folder_;  ///< "" or ending in '/'
  int descriptor_ = -1;
  std::map<std::string, std::string> texts_;
  std::vector<std::string> waiting_;  ///< whose includes have not been looked at
  std::uint64_t bytes_ = 0;
};

}  // namespace detent::models
