// Kernels of one's own in op graph files: "kernel": "mine.c:my_op", a detent_kernel_fn in a C file beside the graph.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "models/core/dtypes.hpp"
#include "models/core/model.hpp"
#include "models/files/graph_sources.hpp"

namespace detent::models {

inline constexpr std::size_t kMaxGraphParams = 256;

/// A kernel as an op gives it, and where messages about it belong.
struct GraphKernel {
  std::string name;            ///< "mine.c:my_op"
  const Dtype* dtype;          ///< of the elements of its ranges
  std::vector<double> params;  ///< its config
  bool is_sized;               ///< it says how large its first output is
  JsonValue place;
};

/// Collects what ops say, then makes the sources of the model: the C files, what they include, and operators.c, which
/// gives their functions to the runtime.
class GraphKernels {
 public:
  GraphKernels(Model& model, const std::string& graph_file) : model_(model), sources_(graph_file) {}

  /// `"sources"`: further C files that are compiled with those of the kernels.
  void read_sources(const JsonValue& list);
  /// The keys of an op whose kernel is a function of a C file; none where it is another or has none.
  /// @throws InputError  no FILE.c:FUNCTION, a file outside of the folder, a link, no regular file, a function that
  /// another file defines, too
  std::optional<GraphKernel> read(JsonObject& op);
  /// Make `op`, whose ranges have been read, execute it.
  /// @throws InputError  a range that holds no whole number of elements or begins within one; a sized op whose last
  ///                     write is no buffer for an extent
  void apply(const GraphKernel& wanted, Op& op) const;
  /// After all ops. A file that is not there is told by missing_code (models/core/thunks.hpp).
  void finish();

 private:
  void make_extent(const GraphKernel& wanted, Op& op) const;
  void add_file(const std::string& file, const std::string& why, const JsonValue& place);
  [[nodiscard]] std::string thunks() const;

  Model& model_;
  GraphSources sources_;
  std::map<std::string, std::string> files_;                ///< by function
  std::map<std::string, std::set<std::string>> functions_;  ///< by file; of further files none
  std::string missing_{};                                   ///< the first file that is not there, and for what
};

/// `, "kernel": "mine.c:my_op", ...` for the op's line in a file; "" where it has no kernel of a C file.
std::string kernel_text(const Model& model, const Op& op);
/// `,\n "sources": [...]`: C files without a kernel; "" where there are none.
std::string sources_text(const Model& model);

}  // namespace detent::models
