#include "models/import/tvm/files/vendor_sources.hpp"

#include <filesystem>
#include <utility>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "models/import/tvm/files/artifact_files.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kMostSourceBytes = std::uint64_t{256} << 20U;

void check_name(const std::string& name) {
  if (name.empty()) throw InputError("--source", "", "an empty name; a C file, or a directory with C files, is needed");
  if (const char* const fault = name_fault(name))
    throw InputError("--source", "", std::string(fault) + "; rename the file");
}

void add_directory(const std::string& name, IncludePath& path, std::vector<VendorSource>& out) {
  ArtifactFiles files = load_artifact_files(name);
  const std::size_t base = path.add_beside(name);
  const std::string prefix = name + (name.ends_with('/') ? "" : "/");
  bool has_source = false;
  for (ArtifactFile& file : files.files) {
    if (!file.name.ends_with(".c") || name_fault(file.name) != nullptr) continue;
    has_source = true;
    out.push_back({.shown = prefix + file.name,
                   .text = std::move(file.text),
                   .place = {.base = base, .name = file.name},
                   .is_named = false});
  }
  if (!has_source) throw InputError(name, "", "a directory without C files; --source takes C files, --include headers");
}

}  // namespace

std::vector<VendorSource> load_vendor_sources(const std::vector<std::string>& names, IncludePath& path) {
  std::vector<VendorSource> out;
  for (const std::string& name : names) {
    check_name(name);
    std::error_code error;
    if (std::filesystem::is_directory(name, error)) {
      add_directory(name, path, out);
      continue;
    }
    const std::size_t slash = name.rfind('/');
    const std::string directory = slash == std::string::npos ? "." : slash == 0 ? "/" : name.substr(0, slash);
    std::string text = read_regular_file(name, kMostSourceBytes);
    out.push_back({.shown = name,
                   .text = std::move(text),
                   .place = {.base = path.add_beside(directory),
                             .name = slash == std::string::npos ? name : name.substr(slash + 1)},
                   .is_named = true});
  }
  return out;
}

}  // namespace detent::models::tvm
