// What the analysis of LLVM's IR says of the operators of whole artifacts.
#include <gtest/gtest.h>

#include <map>

#include "models/import/tvm/model/import.hpp"
#include "models/import/tvm/module/api_text.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/ir/text.hpp"

namespace detent::models::tvm {
namespace {

/// Of every function that main calls and that has a definition which compiles.
std::map<std::string, std::string> verdicts(const std::string& path) {
  const Import import = import_artifact(path);
  const Model model = imported_model(import);
  std::vector<harness::CSource> sources;
  for (const SourceFile& file : model.sources) {
    if (!is_api_source(file.name)) sources.push_back({file.name, file.text});
  }
  std::set<std::string> functions;
  for (const Call& call : import.program.calls) functions.insert(call.function);
  const IrModule module(harness::compile_to_bitcode(sources, {}), {functions.begin(), functions.end()},
                        {"TVMBackendAllocWorkspace", "TVMBackendFreeWorkspace"});
  std::map<std::string, std::string> result;
  for (const std::string& name : functions) {
    if (const auto function = module.function(name)) {
      result[name] = verdict_text(analyse_ir(*function, {.packed = import.program.packed}));
    }
  }
  return result;
}

class IrArtifacts : public testing::TestWithParam<const char*> {};

TEST_P(IrArtifacts, OperatorsOtherThanTakeAreIndependent) {
  const auto said = verdicts(kFixtures + GetParam());
  EXPECT_GE(said.size(), 2U);
  for (const auto& [function, verdict] : said) {
    const bool takes = function.find("_take") != std::string::npos;
    EXPECT_EQ(verdict.substr(0, takes ? 7 : 11), takes ? "depends" : "independent") << function << ": " << verdict;
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, IrArtifacts,
                         testing::Values("usmp", "no_usmp", "packed_usmp", "packed_no_usmp", "v08", "const_struct_int8",
                                         "gather", "vectorised", "byoc_c_source", "byoc_cmsis", "in_place_scratch"));

}  // namespace
}  // namespace detent::models::tvm
