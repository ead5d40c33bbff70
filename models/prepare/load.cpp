#include "models/prepare/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/words/file_kind.hpp"
#include "base/words/near.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

constexpr const char* kWhatModelsAre = "a zoo name (detent list models), a package of detent import, or an op graph";

std::string import_tvm_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).lexically_normal().stem().string();
  const bool is_usable = !name.empty() && name.front() != '.';
  return "of a TVM artifact make a package: detent import tvm " + path + " -o " + (is_usable ? name : "NAME") + ".pkg";
}

[[noreturn]] void refuse_folder(const std::string& path) {
  std::error_code error;
  const bool is_report = std::filesystem::is_regular_file(path + "/report.json", error);
  throw InputError(path, "",
                   is_report ? "is the folder of a finished check, not a model; detent report " + path + " shows it"
                             : "is a folder, not a model; " + import_tvm_of(path));
}

/// A file that is no model: what it is, and the command that takes it.
[[noreturn]] void refuse_file(const std::string& path, FileKind kind) {
  const std::string what = std::string("is ") + kind_text(kind) + ", not a model; ";
  switch (kind) {
    case FileKind::kTar:
    case FileKind::kC:
      throw InputError(path, "", what + import_tvm_of(path));
    case FileKind::kToml:
      throw InputError(path, "", what + "a chip is given by --platform " + path);
    case FileKind::kHtml:
      throw InputError(path, "", what + "detent report DIR shows a finished check");
    case FileKind::kOnnx:
    case FileKind::kTflite:
      throw InputError(path, "", what + "compile it with TVM's ahead-of-time executor and use detent import tvm");
    case FileKind::kEmpty:
    case FileKind::kPackage:
    case FileKind::kJson:
    case FileKind::kPicture:
    case FileKind::kProgram:
    case FileKind::kPdf:
    case FileKind::kText:
    case FileKind::kBinary:
      break;
  }
  throw InputError(path, "", what + "give " + kWhatModelsAre);
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  return names;
}

/// Neither a file nor a name of the zoo.
[[noreturn]] void refuse_name(const std::string& name) {
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
  if (std::filesystem::is_directory(path, error)) refuse_folder(path);
  std::string bytes = read_regular_file(path, kMaxPackageBytes);
  if (is_package(bytes)) return decode_package(bytes, path);
  const FileKind kind = kind_of_file(path, bytes);
  const std::size_t first = std::min(bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), bytes.size());
  if (first < bytes.size() && (bytes[first] == '{' || bytes[first] == '[')) return parse_graph(std::move(bytes), path);
  refuse_file(path, kind);
}

Model load_model(const std::string& name_or_path) {
  if (find_zoo_entry(name_or_path) != nullptr) return build_zoo_model(name_or_path);
  if (::access(name_or_path.c_str(), F_OK) != 0) refuse_name(name_or_path);
  return load_model_file(name_or_path);
}

}  // namespace detent::models
