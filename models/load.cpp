#include "models/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "models/graph_file.hpp"
#include "models/input_error.hpp"
#include "models/io.hpp"
#include "models/package.hpp"

namespace detent::models {
namespace {

bool has_plan(const Model& model) {
  return std::all_of(model.tensors.begin(), model.tensors.end(),
                     [](const Tensor& t) { return t.region != kNone || t.alias_of != kNone; });
}

std::string zoo_names() {
  std::string names;
  for (const ZooEntry& entry : zoo()) names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

bool looks_like_json(const std::string& bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && (bytes[first] == '{' || bytes[first] == '[');
}

}  // namespace

Model load_model_file(const std::string& path) {
  std::string bytes = read_regular_file(path, kMaxPackageBytes);
  if (bytes.empty()) throw InputError(path, "", "the file is empty; a package or an op graph is needed");
  if (is_package(bytes)) return decode_package(bytes, path);
  if (looks_like_json(bytes)) return parse_graph(std::move(bytes), path);
  throw InputError(path, "", "neither a package (of `detent import`) nor an op graph (detent.graph/1)");
}

Model load_model(const std::string& name_or_path, const ZooOptions& options) {
  if (find_zoo_entry(name_or_path) != nullptr) return make_zoo_model(name_or_path, options);
  if (::access(name_or_path.c_str(), F_OK) != 0) {
    throw InputError(name_or_path, "", "no file and no model of the zoo has this name; the zoo has " + zoo_names());
  }
  Model model = load_model_file(name_or_path);
  if (!has_plan(model)) prepare_model(model, options);
  return model;
}

}  // namespace detent::models
