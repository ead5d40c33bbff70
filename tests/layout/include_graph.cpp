// Reads the include lines of the tree and judges them.
#include "tests/layout/include_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

namespace detent::layout {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& folders() {
  static const std::vector<std::string> names = {"runtime", "base",    "models", "harness", "sim",   "verify",
                                                 "app",     "reports", "cli",    "bench",   "tests", "properties"};
  return names;
}

/// Folders that a folder may include besides itself. bench, tests and properties may include anything.
const std::map<std::string, std::set<std::string>>& arrows() {
  static const std::map<std::string, std::set<std::string>> allowed = {
      {"runtime", {}},
      {"base", {"runtime"}},
      {"models", {"base", "runtime"}},
      {"harness", {"base", "runtime"}},
      {"sim", {"harness", "base", "runtime"}},
      {"verify", {"harness", "base", "runtime"}},
      {"reports", {"verify", "harness", "base", "runtime"}},
      {"app", {"models", "harness", "sim", "verify", "reports", "base", "runtime"}},
      {"cli", {"app", "reports", "base", "runtime"}},
  };
  return allowed;
}

/// What base/, models/ and cli/ may see of runtime/: the contract, not the engine.
bool is_contract(const std::string& include) {
  return include.starts_with("runtime/include/") || include == "runtime/sources_text.h" ||
         include == "runtime/base/ids.h";
}

std::string folder_of(const std::string& path) { return path.substr(0, path.find('/')); }

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".hpp" || extension == ".c" || extension == ".cpp";
}

std::set<std::string> read_includes(const fs::path& path) {
  static const std::regex line_pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::set<std::string> includes;
  std::ifstream file(path);
  std::string line;
  std::smatch match;
  while (std::getline(file, line)) {
    if (line.find("include") != std::string::npos && std::regex_search(line, match, line_pattern)) {
      const std::string name = match[1];  // the public headers are found below runtime/include
      includes.insert(name.starts_with("detent/") ? "runtime/include/" + name : name);
    }
  }
  return includes;
}

}  // namespace

IncludeGraph read_tree(const std::string& root) {
  IncludeGraph graph;
  for (const std::string& folder : folders()) {
    if (!fs::exists(fs::path(root) / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      graph[fs::relative(entry.path(), root).generic_string()] = read_includes(entry.path());
    }
  }
  return graph;
}

std::vector<std::string> check_arrows(const IncludeGraph& graph) {
  std::vector<std::string> findings;
  for (const auto& [file, includes] : graph) {
    const auto allowed = arrows().find(folder_of(file));
    if (allowed == arrows().end()) continue;
    for (const std::string& include : includes) {
      const std::string target = folder_of(include);
      if (target == allowed->first || std::ranges::find(folders(), target) == folders().end()) continue;
      const bool beyond_contract =
          target == "runtime" && (allowed->first == "models" || allowed->first == "base" || allowed->first == "cli") &&
          !is_contract(include);
      if (!allowed->second.contains(target) || beyond_contract) {
        findings.push_back(file + " includes " + include + ": not along an arrow of docs/ARCHITECTURE.md");
      }
    }
  }
  return findings;
}

std::vector<std::string> check_external_headers(const IncludeGraph& graph) {
  static const std::vector<std::pair<std::regex, std::string>> homes = {
      {std::regex("^systemc|^sysc/|^tlm"), "sim/(systemc|bare)/"},
      {std::regex("^z3"), "verify/smt/"},
      {std::regex("^clang-c/"), "models/import/tvm/"},
      {std::regex("^rapidcheck"), "properties/"},
      {std::regex("^CLI/"), "(tests/)?cli/"},
  };
  std::vector<std::string> findings;
  for (const auto& [file, includes] : graph) {
    for (const std::string& include : includes) {
      for (const auto& [pattern, home] : homes) {
        const bool is_bench_peer = file.starts_with("bench/");  // peers are measured as themselves
        if (std::regex_search(include, pattern) && !std::regex_search(file, std::regex("^" + home)) && !is_bench_peer) {
          findings.push_back(file + " includes <" + include + ">: belongs in " + home);
        }
      }
    }
  }
  return findings;
}

std::vector<std::string> check_freestanding(const IncludeGraph& graph, const std::set<std::string>& host_sources) {
  // Headers of the compiler itself. Those of libraries stand in one file, which does without where there are none.
  static const std::set<std::string> everywhere = {"float.h", "stdbool.h", "stddef.h", "stdint.h"};
  static const std::map<std::string, std::set<std::string>> named = {
      {"runtime/base/freestanding.h", {"cstddef", "cstdint", "string.h"}},
      {"runtime/base/compiler.h", {"atomic", "intrin.h"}},  // not for gcc and clang
      {"runtime/base/float_environment.h", {"xmmintrin.h"}},
      {"runtime/kernels/isa/vec_gnu.h", {"immintrin.h"}},
  };
  const auto is_for_hosts = [](const std::string& file) {
    return file.starts_with("runtime/ports/host_") && file.ends_with(".h");
  };
  std::vector<std::string> findings;
  for (const auto& [file, includes] : graph) {
    if (!file.starts_with("runtime/") || host_sources.contains(file) || is_for_hosts(file)) continue;
    const auto own = named.find(file);
    for (const std::string& include : includes) {
      const bool is_ours = include.starts_with("runtime/") && !is_for_hosts(include);
      const bool is_named = own != named.end() && own->second.contains(include);
      if (!is_ours && !is_named && !everywhere.contains(include)) {
        findings.push_back(file + " includes " + include +
                           ": not to be had on bare metal; use runtime/base/freestanding.h, or a source of the host");
      }
    }
  }
  return findings;
}

std::set<std::string> read_host_sources(const std::string& root) {
  std::ifstream file(fs::path(root) / "runtime/sources.cmake");
  std::set<std::string> sources;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "set(detent_runtime_host_sources") {
      inside = true;
    } else if (line == ")") {
      inside = false;
    } else if (inside) {
      sources.insert("runtime/" + line.substr(line.find_first_not_of(' ')));
    }
  }
  return sources;
}

IncludeGraph folder_graph(const IncludeGraph& graph) {
  const auto home = [](const std::string& path) { return path.substr(0, path.rfind('/')); };
  IncludeGraph folders;
  for (const auto& [file, includes] : graph) {
    if (!arrows().contains(folder_of(file))) continue;
    std::set<std::string>& seen = folders[home(file)];
    for (const std::string& include : includes) {
      if (graph.contains(include) && home(include) != home(file)) seen.insert(home(include));
    }
  }
  return folders;
}

std::vector<std::string> check_folder_arrows(const IncludeGraph& folders, const std::string& agreed) {
  IncludeGraph wanted;
  std::istringstream lines(agreed);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream targets(line.substr(line.find(':') + 1));
    std::set<std::string>& row = wanted[line.substr(0, line.find(':'))];
    for (std::string target; targets >> target;) row.insert(target);
  }
  std::vector<std::string> findings;
  const auto compare = [&findings](const IncludeGraph& from, const IncludeGraph& to, const std::string& what) {
    for (const auto& [folder, targets] : from) {
      const auto row = to.find(folder);
      if (row == to.end()) findings.push_back(folder + ": " + what);
      for (const std::string& target : targets) {
        if (row != to.end() && !row->second.contains(target)) {
          findings.push_back(folder + " -> " + target + ": " + what);
        }
      }
    }
  };
  compare(folders, wanted, "not in tests/layout/folders.txt");
  compare(wanted, folders, "in tests/layout/folders.txt, but not in the tree");
  return findings;
}

std::vector<std::string> check_cycles(const IncludeGraph& graph) {
  enum class Mark { kNew, kOpen, kDone };
  std::map<std::string, Mark> marks;
  std::vector<std::string> path;
  std::vector<std::string> findings;
  const std::function<void(const std::string&)> visit = [&](const std::string& file) {
    marks[file] = Mark::kOpen;
    path.push_back(file);
    for (const std::string& include : graph.at(file)) {
      if (!graph.contains(include) || marks[include] == Mark::kDone) continue;
      if (marks[include] == Mark::kOpen) {
        std::string cycle;
        for (auto it = std::ranges::find(path, include); it != path.end(); ++it) cycle += *it + " -> ";
        findings.push_back(cycle + include);
        continue;
      }
      visit(include);
    }
    path.pop_back();
    marks[file] = Mark::kDone;
  };
  for (const auto& [file, includes] : graph) {
    if (marks[file] == Mark::kNew) visit(file);
  }
  return findings;
}

}  // namespace detent::layout
