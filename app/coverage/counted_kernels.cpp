// Sources + a function that saves counters -> instrumented module.
#include "app/coverage/counted_kernels.hpp"

#include <algorithm>

#include "app/coverage/isolated.hpp"
#include "app/model/loaded_model.hpp"
#include "models/core/thunks.hpp"
#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/module/api_text.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;

constexpr const char* kSaveFile = "detent_coverage_save.c";
constexpr const char* kSaveFunction = "detent_coverage_save";
constexpr const char* kSaveText =
    "void __gcov_dump(void);\n"
    "void __gcov_reset(void);\n"
    "__attribute__((visibility(\"default\"))) void detent_coverage_save(void) {\n"
    "  __gcov_dump();\n"
    "  __gcov_reset();\n"
    "}\n";
/// What the compiler takes for the place of the thunks; it must be there, because gcov opens it.
constexpr const char* kThunkCopy = "detent_thunks.h";
constexpr const char* kThunkLine = "#line 1 \"detent_thunks.h\"\n";

std::vector<harness::CSource> counted_sources(const models::Model& model) {
  std::vector<harness::CSource> sources = module_sources(model);
  std::string copy;
  for (harness::CSource& source : sources) {
    const std::size_t thunks =
        source.name == models::kThunkFile ? source.text.rfind(models::kThunksBegin) : std::string::npos;
    if (thunks == std::string::npos) continue;
    copy = source.text.substr(thunks);
    source.text.insert(thunks, kThunkLine);
  }
  sources.push_back({.name = kThunkCopy, .text = copy});
  sources.push_back({.name = kSaveFile, .text = kSaveText, .is_support = true});
  return sources;
}

harness::CModuleOptions counting(const models::Model& model, const std::string& compiler,
                                 const std::string& directory) {
  harness::CModuleOptions options = module_options(model, compiler);
  options.compile.flags.emplace_back("-fno-lto");
  options.compile.instrument_flags = {"--coverage", "-fprofile-update=atomic", "-O0"};
  options.compile.link_flags = {"--coverage"};
  options.build_directory = directory;
  return options;
}

}  // namespace

CountedKernels::CountedKernels(const models::Model& model, const std::string& compiler, const std::string& directory)
    : module_(counted_sources(model), counting(model, compiler, directory)),
      plain_(module_.backend()),
      noting_(noting_backend(plain_)),
      save_(reinterpret_cast<void (*)()>(module_.symbol(kSaveFunction))) {}

std::vector<std::string> own_sources(const models::Model& model) {
  const std::vector<models::SourceFile> support = tvm::support_headers(true);
  std::vector<std::string> names;
  for (const models::SourceFile& source : model.sources) {
    const bool is_support = std::ranges::any_of(support, [&](const auto& one) { return one.name == source.name; });
    if (!is_support && !tvm::is_api_source(source.name)) names.push_back(source.name);
  }
  return names;
}

}  // namespace detent::app
