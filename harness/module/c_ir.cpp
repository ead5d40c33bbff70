// Two steps: preprocess as the module is compiled, then translate.
#include "harness/module/c_ir.hpp"

#include <stdexcept>

#include "base/temp_directory.hpp"
#include "harness/module/c_module.hpp"
#include "harness/module/module_cache.hpp"

namespace detent::harness {
namespace {

/// Types that clang calls otherwise, and an attribute (malloc with its deallocator) that it does not take.
constexpr const char* kGccNames[] = {"-D_Float128=__float128",  "-D_Float32=float",
                                     "-D_Float64=double",       "-D_Float32x=double",
                                     "-D_Float64x=long double", "-D__malloc__(...)=__malloc__"};

std::vector<std::string> translate_command(const std::string& text, const std::string& bitcode, const CCompiler& clang,
                                           const CCompileOptions& options, bool is_from_clang) {
  std::vector<std::string> command = clang.command;
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  for (const char* const flag :
       {"-O0", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-builtin", "-fPIC", "-fvisibility=hidden",
        "-Wno-everything", "-g", "-std=gnu11", "-ftrivial-auto-var-init=pattern", "-Werror=return-type",
        "-fdiagnostics-color=never", "-undef", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c"}) {
    command.emplace_back(flag);
  }
  if (!is_from_clang) command.insert(command.end(), std::begin(kGccNames), std::end(kGccNames));
  command.insert(command.end(), {text, "-o", bitcode});
  return command;
}

CCompiler find_clang() {
  try {
    return find_compiler("clang-19");
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("clang-19 is not on PATH; install the package clang-19");
  }
}

}  // namespace

std::vector<std::string> compile_to_bitcode(const std::vector<CSource>& sources, const CCompileOptions& options) {
  const std::vector<CSource> all = module_files(sources);
  require_safe_sources(all, options);
  const CCompiler clang = find_clang();
  const CCompiler compiler = find_compiler(options.compiler);
  const TempDirectory temporary;
  const std::vector<std::string> texts =
      preprocess_sources(all, module_prelude_name(), compiler, options, temporary.path());
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> outputs;
  for (const std::string& text : texts) {
    outputs.push_back(text + ".bc");
    commands.push_back(translate_command(text, outputs.back(), clang, options, compiler.is_clang));
  }
  run_compilers(commands, texts, clang, options, temporary.path());
  std::vector<std::string> result;
  for (const std::string& output : outputs) {
    const auto bitcode = read_file((temporary.path() / output).string());
    if (!bitcode) throw std::invalid_argument("clang-19 made no bitcode; is it a compiler of C?");
    result.push_back(*bitcode);
  }
  return result;
}

}  // namespace detent::harness
