#include "app/bundle/make_bundle.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/bundle/assumed.hpp"
#include "app/bundle/bundle_file.hpp"
#include "app/bundle/command.hpp"
#include "app/bundle/inputs.hpp"
#include "app/bundle/requirements.hpp"
#include "app/bundle/risks.hpp"
#include "app/bundle/this_tool.hpp"
#include "app/bundle/working_directory.hpp"
#include "app/check/check_summary.hpp"
#include "app/manual/outputs.hpp"
#include "app/simulate/trace_files.hpp"
#include "base/counted.hpp"
#include "base/hash/sha256.hpp"
#include "base/input_error.hpp"
#include "base/interrupt.hpp"
#include "base/io.hpp"
#include "models/files/package.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxReportFileBytes = std::uint64_t{1} << 32U;

std::string absolute_path(const std::string& path) {
  if (path.empty()) return path;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path));
  return (whole.has_filename() ? whole : whole.parent_path()).string();
}

[[noreturn]] void refuse_place(const std::string& directory, const std::string& what) {
  throw std::invalid_argument("--bundle " + directory + ": " + what + "; choose another directory, or remove it");
}

/// Nothing, an empty folder, or a bundle in which nobody has put anything else.
void require_bundle_place(const std::string& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return;
  const FolderListing there = list_folder(directory);
  const bool is_empty = there.files.empty() && there.folders.empty() && there.others.empty();
  if (is_empty) return;
  const std::string file = directory + "/" + kBundleFile;
  if (!std::ranges::binary_search(there.files, kBundleFile)) refuse_place(directory, "is no bundle and not empty");
  BundleFile bundle;
  try {
    bundle = parse_bundle(read_regular_file(file, kMaxBundleBytes), file);
  } catch (const InputError&) {
    refuse_place(directory, "has a bundle.json that is none of detent check");
  }
  const auto is_own = [&](const std::string& path) {
    return path == kBundleFile || std::ranges::binary_search(bundle.files, path, {}, &BundledFile::path);
  };
  const auto foreign = std::ranges::find_if_not(there.files, is_own);
  const std::string found = foreign != there.files.end() ? *foreign
                            : !there.others.empty()      ? there.others.front()
                            : !there.folders.empty()     ? there.folders.front()
                                                         : "";
  if (!found.empty()) refuse_place(directory, "is a bundle in which " + found + " is, which is not of it");
}

/// What is written beside the bundle would be an extra file inside it, or be gone with the one that is replaced.
void require_outputs_outside(const std::string& place, const std::vector<GivenOption>& given) {
  for (const GivenOption& option : given) {
    if (option.name == "--bundle" || !names_output(option.name)) continue;
    for (const std::string& word : option.words) {
      if (!(absolute_path(word) + "/").starts_with(place + "/")) continue;
      throw std::invalid_argument(option.name + " " + word + ": lies in the bundle; choose another place");
    }
  }
}

/// The screen of the check. Inputs stand in the report as they lie in the bundle, so its replay line counts there.
std::string summary_of(const Json& answer, const std::string& directory, bool has_files, std::size_t width) {
  std::string text = format_summary(answer, directory, width);
  const std::string line = "detent replay " + directory + "/report.json\n";
  const std::size_t at = text.find(line);
  if (has_files && at != std::string::npos) {
    text.replace(at, line.size(), "cd " + directory + " && detent replay report.json\n");
  }
  return text;
}

/// A folder beside the place of the bundle; gone with the object, unless it has become the bundle.
class StagedFolder {
 public:
  explicit StagedFolder(std::string place)
      : place_(std::move(place)), path_(place_ + ".part" + std::to_string(::getpid())) {
    fs::create_directories(fs::path(path_).parent_path());
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// In one step: the new folder at the place, what was there at path_.
  void rename() const {
    std::error_code error;
    const unsigned how = fs::exists(place_, error) ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.c_str(), how) == 0) return;
    refuse_place(place_, std::string("cannot be written: ") + std::strerror(errno));
  }

 private:
  std::string place_, path_;
};

BundleFile describe(const BundleRequest& wanted, const std::vector<InputCopy>& copies, const CheckStart& start,
                    std::vector<BundledRequirement> requirements, const Json& report, const std::string& directory) {
  BundleFile bundle;
  bundle.command = bundle_command(wanted.given, copies);
  bundle.options = bundle_options(wanted.given, copies);
  bundle.environment = bundle_environment(bundle.options);
  bundle.tool = this_tool(start.loaded.module ? start.loaded.module->compiler() : "");
  bundle.model_sha256 = sha256_of(models::encode_package(start.loaded.model));
  bundle.verdicts = bundled_verdicts(report);
  bundle.outcome = summary_outcome(report);
  bundle.assumed = assumed_values(start.check, start.loaded, start.platform, report);
  bundle.assumptions = bundled_assumptions(report);
  bundle.risks = residual_risks(report, bundle);
  for (BundledRequirement& requirement : requirements) {
    requirement.state = state_of(requirement.properties, bundle.verdicts);
  }
  bundle.requirements = std::move(requirements);
  bundle.files = hash_folder(directory, kBundleFile);
  bundle.inputs = describe_inputs(wanted.check, copies, bundle.files, bundle.model_sha256);
  return bundle;
}

/// The report's files once more, where --out says.
void copy_report(const std::string& from, const std::vector<BundledFile>& files, const std::string& to) {
  make_output_directory(to);
  for (const BundledFile& file : files) {
    if (file.path.starts_with(std::string(kBundleInputs) + "/")) continue;
    write_file_atomically(to + "/" + file.path, read_regular_file(from + "/" + file.path, kMaxReportFileBytes));
  }
}

Lines bundle_lines(const std::string& directory, const BundleFile& bundle, const std::string& root) {
  Lines lines{
      fmt::format("  bundle    {}: {}, {}, {}", directory, counted(bundle.files.size() + 1, "file"),
                  counted(bundle.assumed.size(), "assumed value"), counted(bundle.risks.size(), "residual risk")),
      "  root      " + root};
  for (const BundledRequirement& requirement : bundle.requirements) {
    lines.push_back(fmt::format("  requirement {} {}", requirement.id, requirement.state));
  }
  return lines;
}

Json bundle_answer(const std::string& directory, const BundleFile& bundle, const std::string& root) {
  Json requirements = Json::array();
  for (const BundledRequirement& requirement : bundle.requirements) {
    requirements.push_back({{"id", requirement.id}, {"state", requirement.state}});
  }
  return {{"directory", directory},
          {"root_sha256", root},
          {"files", bundle.files.size() + 1},
          {"residual_risks", bundle.risks.size()},
          {"requirements", std::move(requirements)}};
}

}  // namespace

Answer make_bundle(const BundleRequest& wanted, std::size_t width, const OnProgress& on_progress) {
  const std::string place = absolute_path(wanted.directory);
  require_bundle_place(place);
  require_outputs_outside(place, wanted.given);
  std::vector<BundledRequirement> requirements;
  if (!wanted.requirements.empty()) requirements = read_requirements(wanted.requirements);
  CheckRequest request = wanted.check;
  request.check.request.reproducible = true;
  request.directory.clear();
  static_cast<void>(start_check(request));  // so that what is wrong with an input is said of the file that was typed
  const std::vector<InputCopy> copies = inputs_of(request, wanted.requirements);
  const StagedFolder staged(place);
  write_inputs(staged.path(), request, copies);
  request = with_copies(request, copies);
  request.ci.junit = absolute_path(request.ci.junit);
  request.directory = staged.path();
  const std::string report_place = absolute_path(wanted.check.directory);
  Answer answer;
  BundleFile bundle;
  {
    const WorkingDirectory inside(staged.path());
    const CheckStart start = start_check(request);
    answer = report_check(request, start, width, on_progress);
    if (!stop_requested()) {
      const std::string report = read_regular_file(staged.path() + "/report.json", kMaxAnswerBytes);
      bundle = describe(wanted, copies, start, std::move(requirements), Json::parse(report), staged.path());
    }
  }
  const std::string& shown = wanted.directory;
  answer.lines.front() = summary_of(answer.json, shown, !copies.empty(), width);
  if (stop_requested()) {
    answer.lines.push_back("  bundle    none: the check was interrupted");
    return answer;
  }
  const std::string text = bundle_text(bundle);
  write_file_atomically(staged.path() + "/" + kBundleFile, text);
  if (!report_place.empty()) copy_report(staged.path(), bundle.files, report_place);
  staged.rename();
  const std::string root = root_of(text);
  append(answer.lines, bundle_lines(shown, bundle, root));
  answer.json["bundle"] = bundle_answer(shown, bundle, root);
  return answer;
}

}  // namespace detent::app
