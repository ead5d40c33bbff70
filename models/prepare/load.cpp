#include "models/prepare/load.hpp"

#include <unistd.h>

#include <string>
#include <utility>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

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
  throw InputError(path, "", "neither a package (of `detent import`) nor an op graph (detent.graph/1, /2)");
}

Model load_model(const std::string& name_or_path) {
  if (find_zoo_entry(name_or_path) != nullptr) return build_zoo_model(name_or_path);
  if (::access(name_or_path.c_str(), F_OK) != 0) {
    throw InputError(name_or_path, "", "neither a file nor a model of the zoo; the zoo has " + zoo_names());
  }
  return load_model_file(name_or_path);
}

}  // namespace detent::models
