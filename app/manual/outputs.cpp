#include "app/manual/outputs.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/catalogue/catalogue.hpp"
#include "base/words/file_kind.hpp"

namespace detent::app {
namespace {

using NamedFile = std::pair<std::string, std::string>;  ///< option, spelling of its file

/// Names of options that name what is read.
constexpr std::array<std::string_view, 21> kInputs = {
    "MODEL",      "FILE",    "PATH",       "FILES",     "FILE_OR_LINE", "--input", "--order",
    "--costs",    "--set",   "--schedule", "--diff",    "--platform",   "--merge", "--layers",
    "--baseline", "--hosts", "--source",   "--include", "--problem",    "--lists", "--requirements"};

/// Names of options that name what is written.
constexpr std::array<std::string_view, 14> kOutputs = {
    "--json",      "--out",   "--output", "--log",     "--campaign", "--failure", "--smt2",
    "--smt2-plan", "--sarif", "--junit",  "--witness", "--bundle",   "--html",    "--prepared"};

/// One spelling per file, whether or not it is there.
std::string spelling_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : whole.string();
}

/// The file in a word: all of it but for NAME=FILE.
std::string file_of(std::string_view option, const std::string& word) {
  const std::size_t equals = word.find('=');
  const bool is_named = (option == "--input" || option == "--output") && word.find('/') > equals;
  return is_named && equals != std::string::npos ? word.substr(equals + 1) : word;
}

const GivenOption* find_option(const std::vector<GivenOption>& given, std::string_view name) {
  const auto found = std::ranges::find(given, name, &GivenOption::name);
  return found == given.end() ? nullptr : &*found;
}

/// Files that are read; names of the zoo and of platforms are none.
std::vector<NamedFile> inputs_of(const std::vector<GivenOption>& given) {
  std::vector<NamedFile> inputs;
  for (const std::string_view name : kInputs) {
    const GivenOption* const option = find_option(given, name);
    if (option == nullptr) continue;
    for (const std::string& word : option->words) {
      std::error_code error;
      const std::string file = file_of(name, word);
      if (std::filesystem::is_regular_file(file, error)) inputs.emplace_back(name, spelling_of(file));
    }
  }
  return inputs;
}

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
    case FileKind::kSchedule:
    case FileKind::kPlanCase:
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
    case FileKind::kLists:
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

void require_graph_place(const std::string& path) {
  const FileKind kind = kind_at(path);
  if (kind == FileKind::kGraph || kind == FileKind::kJson || !is_own_work(kind)) return;
  refuse_output("--out", path, std::string("is ") + kind_text(kind) + ", which would be lost; choose another name");
}

bool names_files(std::string_view option) {
  return std::ranges::count(kInputs, option) + std::ranges::count(kOutputs, option) > 0;
}

bool names_output(std::string_view option) { return std::ranges::count(kOutputs, option) > 0; }

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
  if (!is_folder && name != "--out" && name != "--witness" && is_own_work(kind_at(text))) {
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

void check_files(const std::vector<GivenOption>& given) {
  std::vector<NamedFile> taken = inputs_of(given);
  const GivenOption* const model = find_option(given, "MODEL");
  for (const std::string_view name : kOutputs) {
    const GivenOption* const option = find_option(given, name);
    if (option == nullptr) continue;
    for (const std::string& word : option->words) {
      const std::string file = file_of(name, word);
      if (file.empty()) continue;  // as without the option
      if (model != nullptr && !model->words.empty()) refuse_swapped(option->name, file, model->words.front());
      const std::string spelling = file == "-" ? file : spelling_of(file);
      const auto other = std::ranges::find(taken, spelling, &NamedFile::second);
      const bool is_in_place = name == "--output" && other != taken.end() && other->first == "--input" &&
                               find_option(given, "--in-place") != nullptr;
      if (other != taken.end() && !is_in_place) {
        refuse_output(option->name, file, "is also the file of " + other->first + "; choose another one");
      }
      if (file != "-") require_writable(option->name, file, option->is_folder);
      taken.emplace_back(name, spelling);
    }
  }
}

}  // namespace detent::app
