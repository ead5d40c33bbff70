#include "app/bundle/tool.hpp"

#include <fmt/format.h>

namespace detent::app {

const std::vector<ToolField>& tool_fields() {
  static const std::vector<ToolField> kFields = {{"version", &BundleTool::version, false},
                                                 {"engine_sha256", &BundleTool::engine_sha256, true},
                                                 {"program_sha256", &BundleTool::program_sha256, true},
                                                 {"simulator_sha256", &BundleTool::simulator_sha256, true},
                                                 {"compiler", &BundleTool::compiler, false},
                                                 {"language", &BundleTool::language, false},
                                                 {"standard_library", &BundleTool::standard_library, false},
                                                 {"c_library", &BundleTool::c_library, false},
                                                 {"systemc", &BundleTool::systemc, false},
                                                 {"build_type", &BundleTool::build_type, false},
                                                 {"built_for", &BundleTool::built_for, false},
                                                 {"kernel_compiler", &BundleTool::kernel_compiler, false}};
  return kFields;
}

std::vector<std::string> tool_differences(const BundleTool& there, const BundleTool& here) {
  std::vector<std::string> differences;
  for (const ToolField& field : tool_fields()) {
    if (there.*field.member == here.*field.member) continue;
    differences.push_back(fmt::format("{} is {} there and {} here", field.name, there.*field.member,
                                      (here.*field.member).empty() ? "none" : here.*field.member));
  }
  return differences;
}

}  // namespace detent::app
