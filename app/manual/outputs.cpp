#include "app/manual/outputs.hpp"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "base/words/file_kind.hpp"

namespace detent::app {
namespace {

[[noreturn]] void refuse_output(const std::string& name, const std::string& path, const std::string& why) {
  throw std::invalid_argument(name + " " + path + ": " + why);
}

std::string file_for_folder(FileKind kind) {
  const bool is_model = kind == FileKind::kGraph || kind == FileKind::kPackage;
  return std::string("is ") + (kind == FileKind::kEmpty ? "a file" : kind_text(kind)) + ", not a folder; " +
         (is_model ? "a model is given as MODEL, without an option before it" : "choose another name");
}

/// What people or other tools made, as opposed to answers, which are written again and again.
bool is_own_work(FileKind kind) {
  switch (kind) {
    case FileKind::kPackage:
    case FileKind::kGraph:
    case FileKind::kPlatform:
    case FileKind::kSettings:
    case FileKind::kArchive:
    case FileKind::kZip:
    case FileKind::kC:
    case FileKind::kOnnx:
    case FileKind::kTflite:
    case FileKind::kPicture:
    case FileKind::kProgram:
    case FileKind::kPdf:
      return true;
    case FileKind::kEmpty:
    case FileKind::kFolder:
    case FileKind::kCheckFolder:
    case FileKind::kCampaignFolder:
    case FileKind::kTvmFolder:
    case FileKind::kCheckAnswer:
    case FileKind::kAnswer:
    case FileKind::kSarif:
    case FileKind::kJson:
    case FileKind::kCosts:
    case FileKind::kToml:
    case FileKind::kReplay:
    case FileKind::kLog:
    case FileKind::kCampaignRuns:
    case FileKind::kCampaignSchedules:
    case FileKind::kTrace:
    case FileKind::kHtml:
    case FileKind::kCsv:
    case FileKind::kArray:
    case FileKind::kText:
    case FileKind::kBinary:
      break;
  }
  return false;
}

}  // namespace

void require_package_place(const std::string& path) {
  const FileKind kind = kind_at(path);
  if (kind == FileKind::kEmpty || kind == FileKind::kPackage || is_folder_kind(kind)) return;
  refuse_output("--out", path, std::string("is ") + kind_text(kind) + ", which would be lost; choose another name");
}

void require_writable(const std::string& name, const std::string& text, bool is_folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path(text);
  if (is_folder && fs::exists(path, error) && !fs::is_directory(path, error)) {
    refuse_output(name, text, file_for_folder(kind_at(text)));
  }
  if (!is_folder && fs::is_directory(path, error)) {
    const std::string file = (path / (name == "--json" ? "answer.json" : "NAME")).string();
    refuse_output(name, text, "is a folder; give a file, such as " + file);
  }
  if (!is_folder && name != "--out" && is_own_work(kind_at(text))) {
    refuse_output(name, text,
                  std::string("is ") + kind_text(kind_at(text)) + ", which would be lost; choose another name");
  }
  fs::path parent = is_folder && fs::exists(path, error) ? path : path.parent_path();
  while (is_folder && !parent.empty() && !fs::exists(parent, error)) parent = parent.parent_path();
  if (parent.empty()) parent = ".";
  if (fs::is_regular_file(parent, error)) {
    refuse_output(name, text, parent.string() + " is a file, not a folder; choose another name");
  }
  if (!fs::is_directory(parent, error)) {
    refuse_output(name, text, "there is no folder " + parent.string() + "; make it first: mkdir -p " + parent.string());
  }
  if (::access(parent.c_str(), W_OK | X_OK) != 0) {
    refuse_output(name, text, "the folder " + parent.string() + " cannot be written; choose another one");
  }
}

}  // namespace detent::app
