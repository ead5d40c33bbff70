#include "app/bundle/again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/bundle/command.hpp"
#include "app/bundle/this_tool.hpp"
#include "app/bundle/working_directory.hpp"
#include "base/interrupt.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> obstacles_of(const BundleFile& bundle) {
  // The compiler of kernels is known once they are compiled: a difference shows in bundle.json.
  std::vector<std::string> obstacles = tool_differences(bundle.tool, this_tool(bundle.tool.kernel_compiler));
  for (const BundledVariable& here : bundle_environment(bundle.options)) {
    for (const BundledVariable& there : bundle.environment) {
      if (there.name != here.name || there.value == here.value) continue;
      obstacles.push_back(fmt::format("{} counts as {} there and as {} here; set {}={}", here.name, there.value,
                                      here.value, here.name, there.value));
    }
  }
  return obstacles;
}

void copy_inputs(const std::string& directory, const BundleFile& bundle, const fs::path& to) {
  for (const BundledFile& file : bundle.files) {
    if (!file.path.starts_with(std::string(kBundleInputs) + "/")) continue;
    fs::create_directories((to / file.path).parent_path());
    fs::copy_file(fs::path(directory) / file.path, to / file.path);
  }
}

std::vector<std::string> differences(const std::string& directory, const std::string& again) {
  std::set<std::string> paths;
  for (const std::string* const place : {&directory, &again}) {
    for (const std::string& path : list_folder(*place).files) paths.insert(path);
  }
  std::vector<std::string> differing;
  for (const std::string& path : paths) {
    const std::string first = directory + "/" + path, second = again + "/" + path;
    const bool are_there = fs::exists(first) && fs::exists(second);
    if (!are_there || sha256_of_file(first) != sha256_of_file(second)) differing.push_back(path);
  }
  return differing;
}

}  // namespace

MadeAgain make_again(const std::string& directory, const BundleFile& bundle, const RunLine& run_line) {
  std::vector<std::string> words = words_again(bundle, directory + "/" + kBundleFile);
  MadeAgain made{.obstacles = obstacles_of(bundle)};
  if (!made.obstacles.empty()) return made;
  const std::string whole = fs::canonical(directory).string();
  const TempDirectory place;
  copy_inputs(whole, bundle, place.path());
  const std::string again = (place.path() / "again").string();
  words.insert(words.end(), {"--quiet", "--bundle=" + again});
  try {
    const WorkingDirectory inside(place.path().string());
    run_line(words);
  } catch (const std::exception& error) {
    made.obstacles.push_back(std::string("the check ended with: ") + error.what());
    return made;
  }
  if (fs::exists(again)) {
    made.differing = differences(whole, again);
  } else {
    made.obstacles.emplace_back("the check was interrupted");
  }
  return made;
}

}  // namespace detent::app
