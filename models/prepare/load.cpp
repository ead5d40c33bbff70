#include "models/prepare/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/wanted_file.hpp"
#include "base/words/file_kind.hpp"
#include "base/words/near.hpp"
#include "models/core/decisions.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/op_table.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

constexpr const char* kWhatModelsAre = "a zoo name (detent list models), a package of detent import, or an op graph";

const WantedFile& wanted_model() {
  static const WantedFile kModel = {
      "a model", {FileKind::kGraph, FileKind::kJson}, std::string("give ") + kWhatModelsAre};
  return kModel;
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  return names;
}

/// Neither a file nor a name of the zoo.
[[noreturn]] void refuse_name(const std::string& name) {
  if (name.empty()) throw InputError("''", "", std::string("MODEL is empty; give ") + kWhatModelsAre);
  if (name.find("://") != std::string::npos) {
    throw InputError(name, "", "is an address, and nothing is fetched; download the file and give its path");
  }
  const bool is_path = name.find_first_of("/.") != std::string::npos;
  const std::string near_path = is_path ? near_file(name) : "";
  if (is_path) {
    throw InputError(name, "", "there is no such file" + (near_path.empty() ? "; check the path" : near_path));
  }
  const std::string near = did_you_mean(name, zoo_names());
  const std::string as_file = near.empty() ? near_file(name) : "";
  throw InputError(name, "",
                   "is neither a model of the zoo nor a file" + near + as_file +
                       (near.empty() && as_file.empty() ? std::string("; give ") + kWhatModelsAre
                                                        : std::string(" (detent list models)")));
}

}  // namespace

Model load_model_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    const FileKind kind = kind_at(path);
    // Of a folder that says nothing of itself the guess is an export.
    if (kind != FileKind::kFolder) refuse_kind(path, kind, wanted_model());
    throw InputError(path, "", "is a folder, not a model; " + taker_of(FileKind::kArchive, path));
  }
  std::string bytes = read_regular_file(path, kMaxPackageBytes);
  if (is_package(bytes)) return decode_package(bytes, path);
  if (kind_of_file(path, bytes) == FileKind::kCsv) return parse_op_table(bytes, path);
  const std::size_t first = std::min(bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), bytes.size());
  const bool is_list = first < bytes.size() && bytes[first] == '[' && kind_of_file(path, bytes) == FileKind::kText;
  if (!is_list) require_kind(path, bytes, wanted_model());
  return parse_graph(std::move(bytes), path);
}

Model load_model(const std::string& name_or_path) {
  const bool is_of_zoo = find_zoo_entry(name_or_path) != nullptr;
  if (!is_of_zoo && ::access(name_or_path.c_str(), F_OK) != 0) refuse_name(name_or_path);
  Model model = is_of_zoo ? build_zoo_model(name_or_path) : load_model_file(name_or_path);
  derive_decisions(model);
  return model;
}

}  // namespace detent::models
