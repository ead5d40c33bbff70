#include "app/bundle/verify_bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/bundle/again.hpp"
#include "app/bundle/assumed.hpp"
#include "app/bundle/requirements.hpp"
#include "app/check/check_summary.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/hash/sha256.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/units.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportFile = "report.json";

/// What is wrong with one file.
struct BundleFinding {
  std::string file;
  std::string kind;  ///< "changed", "missing", "extra", "inconsistent", "differs"
  std::string text;
};

using Findings = std::vector<BundleFinding>;

std::string read_bundle_text(const std::string& directory) {
  std::error_code error;
  const std::string file = directory + "/" + kBundleFile;
  if (!fs::is_directory(directory, error)) {
    throw InputError(directory, "", "is no folder; give the --bundle directory of detent check");
  }
  if (fs::is_symlink(fs::symlink_status(file, error))) {
    throw InputError(file, "", "is a symbolic link, which no bundle has; copy the file itself");
  }
  if (!fs::exists(file, error)) {
    throw InputError(directory, "", "has no bundle.json; give the --bundle directory of detent check");
  }
  return read_regular_file(file, kMaxBundleBytes);
}

void check_root(const std::string& text, const std::string& file, Findings& findings) {
  if (!begins_as_bundle(text)) {
    throw InputError(file, "", "does not begin as detent.bundle/1 does; give the --bundle directory of detent check");
  }
  if (root_fits(text)) return;
  findings.push_back(
      {kBundleFile, "changed",
       "its root does not fit its bytes, so no hash in it can be relied on: other files are not compared"});
}

void compare_files(const std::string& directory, const BundleFile& bundle, Findings& findings) {
  const FolderListing there = list_folder(directory);
  for (const BundledFile& file : bundle.files) {
    const std::string place = directory + "/" + file.path;
    if (!std::ranges::binary_search(there.files, file.path)) {
      findings.push_back({file.path, "missing", "is not there, or is no regular file"});
      continue;
    }
    const std::uint64_t bytes = fs::file_size(place);
    if (bytes != file.bytes) {
      findings.push_back({file.path, "changed", fmt::format("has {} bytes instead of {}", bytes, file.bytes)});
    } else if (const std::string hash = sha256_of_file(place); hash != file.sha256) {
      findings.push_back({file.path, "changed", fmt::format("has SHA-256 {} instead of {}", hash, file.sha256)});
    }
  }
  const auto is_own = [&](const std::string& path) {
    return path == kBundleFile || std::ranges::binary_search(bundle.files, path, {}, &BundledFile::path);
  };
  for (const std::string& path : there.files) {
    if (!is_own(path)) findings.push_back({path, "extra", "is not of the bundle"});
  }
  for (const std::string& path : there.others) {
    findings.push_back({path, "extra", "is a symbolic link, a socket or a device, which no bundle has"});
  }
  for (const std::string& path : there.folders) {
    const bool has_lost_its_files =
        std::ranges::any_of(bundle.files, [&](const BundledFile& file) { return file.path.starts_with(path + "/"); });
    if (has_lost_its_files) continue;  // these are missing
    findings.push_back({path, "extra", "is a folder without files, which no bundle has"});
  }
}

bool is_same(const BundledVerdict& left, const BundledVerdict& right) {
  return left.property == right.property && left.outcome == right.outcome && left.is_checked == right.is_checked &&
         left.summary == right.summary && left.condition == right.condition &&
         left.has_assumed_times == right.has_assumed_times && left.has_assumed_bytes == right.has_assumed_bytes;
}

/// What bundle.json says twice, and what it says of report.json.
void compare_statements(const std::string& directory, const BundleFile& bundle, Findings& findings) {
  const auto add = [&](const std::string& text) { findings.push_back({kBundleFile, "inconsistent", text}); };
  const auto hash_of_path = [&](const std::string& path) {
    const auto file = std::ranges::find(bundle.files, path, &BundledFile::path);
    return file == bundle.files.end() ? std::string() : file->sha256;
  };
  for (const BundledInput& input : bundle.inputs) {
    const std::string hash = input.path.empty() ? input.sha256 : hash_of_path(input.path);
    if (hash != input.sha256) add(fmt::format("its {} is not the file {}", input.role, input.path));
  }
  for (const BundledRequirement& requirement : bundle.requirements) {
    const std::string state = state_of(requirement.properties, bundle.verdicts);
    if (state == requirement.state) continue;
    add(fmt::format("requirement {} is {} there, and {} by its verdicts", requirement.id, requirement.state, state));
  }
  const std::string place = directory + "/" + kReportFile;
  if (hash_of_path(kReportFile).empty()) return add("has no report.json");
  try {
    const Json report = parse_answer(place, read_regular_file(place, kMaxAnswerBytes));
    const std::vector<BundledVerdict> verdicts = bundled_verdicts(report);
    if (!std::ranges::equal(verdicts, bundle.verdicts, is_same)) add("its verdicts are not those of report.json");
    if (summary_outcome(report) != bundle.outcome) add("its outcome is not that of report.json");
  } catch (const Json::exception&) {
    findings.push_back({kReportFile, "inconsistent", "is no answer of detent check"});
  } catch (const InputError& error) {
    findings.push_back({kReportFile, "inconsistent", error.what()});
  }
}

Json json_of(const Findings& findings) {
  Json list = Json::array();
  for (const BundleFinding& finding : findings) {
    list.push_back({{"file", finding.file}, {"kind", finding.kind}, {"text", finding.text}});
  }
  return list;
}

Lines lines_of(const Findings& findings) {
  constexpr std::size_t kShown = 20;
  Lines lines;
  for (std::size_t i = 0; i < std::min(kShown, findings.size()); ++i) {
    lines.push_back(fmt::format("  {}  {}: {}", findings[i].file, findings[i].kind, findings[i].text));
  }
  if (findings.size() > kShown)
    lines.push_back(fmt::format("  and {} more; --json FILE lists them", findings.size() - kShown));
  return lines;
}

/// What a whole bundle is about.
void describe(const BundleFile& bundle, Answer& answer) {
  Json requirements = Json::array();
  std::string names;
  for (const BundledInput& input : bundle.inputs) names += (names.empty() ? "" : ", ") + input.role + " " + input.name;
  answer.lines.push_back("  of        " + names);
  answer.lines.push_back(std::string("  check     ") + verify::outcome_name(bundle.outcome) + ", " +
                         counted(bundle.risks.size(), "residual risk"));
  for (const BundledRequirement& requirement : bundle.requirements) {
    answer.lines.push_back(fmt::format("  requirement {} {}", requirement.id, requirement.state));
    requirements.push_back({{"id", requirement.id}, {"state", requirement.state}});
  }
  answer.json["check"] = verify::outcome_name(bundle.outcome);
  answer.json["requirements"] = std::move(requirements);
}

void add_again(const std::string& directory, const BundleFile& bundle, const RunLine& run_line, Findings& findings,
               Answer& answer) {
  const MadeAgain made = make_again(directory, bundle, run_line);
  for (const std::string& path : made.differing) {
    findings.push_back({path, "differs", "the check made again has other bytes there"});
  }
  const char* const word = !made.obstacles.empty() ? "not_made" : made.differing.empty() ? "identical" : "differs";
  answer.json["again"] = {{"result", word}, {"obstacles", made.obstacles}};
  if (made.obstacles.empty()) {
    if (made.differing.empty()) answer.lines.emplace_back("  again     every byte is the same");
    return;
  }
  answer.outcome = verify::Outcome::kUnknown;
  answer.lines.emplace_back("  again     not made: by this program or on this machine it can have other bytes");
  for (const std::string& obstacle : made.obstacles) answer.lines.push_back("            " + obstacle);
}

void require_root(const std::string& root) {
  if (root.empty() || is_sha256(root)) return;
  throw std::invalid_argument("--root " + root + ": must be the 64 digits (0-9a-f) that check --bundle printed");
}

}  // namespace

Answer verify_bundle(const VerifyBundleRequest& wanted, const RunLine& run_line) {
  require_root(wanted.root);
  const std::string& directory = wanted.directory;
  const std::string file = directory + "/" + kBundleFile;
  const std::string text = read_bundle_text(directory);
  Findings findings;
  check_root(text, file, findings);
  const bool has_root = findings.empty();
  Answer answer;
  answer.json = {{"schema", "detent.verify_bundle/1"}, {"detent_version", kVersion}, {"bundle", directory}};
  BundleFile bundle;
  if (has_root) {
    bundle = parse_bundle(text, file);
    if (!wanted.root.empty() && wanted.root != bundle.root_sha256) {
      findings.push_back({kBundleFile, "changed",
                          fmt::format("has root {} instead of {}, which was given", bundle.root_sha256, wanted.root)});
    }
    compare_files(directory, bundle, findings);
    const bool files_fit = findings.empty();
    if (files_fit) compare_statements(directory, bundle, findings);
  }
  answer.json["root_sha256"] = has_root ? Json(bundle.root_sha256) : Json(nullptr);
  answer.json["root_given"] = wanted.root.empty() ? Json(nullptr) : Json(wanted.root);
  answer.json["files"] = has_root ? Json(bundle.files.size() + 1) : Json(nullptr);
  if (findings.empty()) describe(bundle, answer);
  answer.json["again"] = nullptr;
  if (wanted.again && findings.empty()) add_again(directory, bundle, run_line, findings, answer);
  const bool is_whole = findings.empty();
  if (!is_whole) answer.outcome = verify::Outcome::kViolated;
  answer.json["whole"] = is_whole;
  answer.json["first"] = is_whole ? Json(nullptr) : Json(findings.front().file);
  answer.json["findings"] = json_of(findings);
  Lines lines{is_whole ? fmt::format("{}: whole, {}", directory, counted(bundle.files.size() + 1, "file"))
                       : fmt::format("{}: NOT as it was written: {}", directory, counted(findings.size(), "finding"))};
  append(lines, lines_of(findings));
  append(lines, std::move(answer.lines));
  if (is_whole) {
    lines.push_back("  root      " + bundle.root_sha256 + (wanted.root.empty() ? "" : ", as given"));
    if (wanted.root.empty()) {
      lines.emplace_back(
          "            hashes find changes and are no signature; keep the root elsewhere and give it as --root");
    }
  }
  answer.lines = std::move(lines);
  return answer;
}

}  // namespace detent::app
