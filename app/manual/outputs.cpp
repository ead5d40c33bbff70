#include "app/manual/outputs.hpp"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace detent::app {
namespace {

[[noreturn]] void refuse_output(const std::string& name, const std::string& path, const std::string& why) {
  throw std::invalid_argument(name + " " + path + ": " + why);
}

}  // namespace

void require_writable(const std::string& name, const std::string& text, bool is_folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path(text);
  if (is_folder && fs::exists(path, error) && !fs::is_directory(path, error)) {
    refuse_output(name, text, "is a file, not a folder; choose another name");
  }
  if (!is_folder && fs::is_directory(path, error)) {
    refuse_output(name, text, "is a folder; give a file, such as " + (path / "answer.json").string());
  }
  fs::path parent = is_folder && fs::exists(path, error) ? path : path.parent_path();
  while (is_folder && !parent.empty() && !fs::exists(parent, error)) parent = parent.parent_path();
  if (parent.empty()) parent = ".";
  if (!fs::is_directory(parent, error)) {
    refuse_output(name, text, "there is no folder " + parent.string() + "; make it first: mkdir -p " + parent.string());
  }
  if (::access(parent.c_str(), W_OK | X_OK) != 0) {
    refuse_output(name, text, "the folder " + parent.string() + " cannot be written; choose another one");
  }
}

}  // namespace detent::app
