#include "app/bundle/this_tool.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "app/bundle/folder.hpp"
#include "app/bundle/tool_chain.hpp"
#include "app/engine_hash.hpp"
#include "app/version.hpp"
#include "sim/systemc/library.hpp"

namespace detent::app {
namespace {

std::string standard_library() {
#ifdef __GLIBCXX__
  return fmt::format("libstdc++ {}", __GLIBCXX__);
#elif defined(_LIBCPP_VERSION)
  return fmt::format("libc++ {}", _LIBCPP_VERSION);
#else
  return "unknown";
#endif
}

std::string c_library() {
#ifdef __GLIBC__
  return fmt::format("glibc {}.{}", __GLIBC__, __GLIBC_MINOR__);
#else
  return "unknown";
#endif
}

}  // namespace

BundleTool this_tool(const std::string& kernel_compiler) {
  return {.version = kVersion,
          .engine_sha256 = kEngineSha256,
          .program_sha256 = sha256_of_file("/proc/self/exe"),
          .simulator_sha256 = sha256_of_file(sim::sc_library_path()),
          .compiler = kCompiler,
          .language = fmt::format("C++ {}", __cplusplus),
          .standard_library = standard_library(),
          .c_library = c_library(),
          .systemc = kSystemcVersion,
          .build_type = kBuildType,
          .built_for = kBuiltFor,
          .kernel_compiler = kernel_compiler};
}

}  // namespace detent::app
