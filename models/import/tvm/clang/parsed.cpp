#include "models/import/tvm/clang/parsed.hpp"

#include <vector>

#include "base/input_error.hpp"

namespace detent::models::tvm {
namespace {

constexpr unsigned kMaxErrors = 20000;

}  // namespace

ParsedC::ParsedC(const std::string& source, const std::string& file, const CTarget& target)
    : index_(libclang().createIndex(0, 0)) {
  libclang().toggleCrashRecovery(0);
  const std::string error_limit = "-ferror-limit=" + std::to_string(kMaxErrors);
  const std::string triple = "--target=" + target.triple;
  std::vector<const char*> arguments = {"-x",
                                        "c",
                                        "-std=gnu11",
                                        triple.c_str(),
                                        "-nostdinc",
                                        "-fno-builtin",
                                        "-Wno-everything",
                                        "-Wimplicit-function-declaration",
                                        "-fno-spell-checking",
                                        "-fbracket-depth=300",
                                        error_limit.c_str(),
                                        "-Xclang",
                                        "-disable-pragma-debug-crash"};
  for (const std::string& flag : target.flags) arguments.push_back(flag.c_str());
  CXUnsavedFile content{"unit.c", source.data(), static_cast<unsigned long>(source.size())};
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code =
      libclang().parseTranslationUnit2(index_.get(), "unit.c", arguments.data(), static_cast<int>(arguments.size()),
                                       &content, 1, CXTranslationUnit_None, &unit);
  unit_.reset(unit);
  if (code == CXError_Success && unit != nullptr) return;
  const bool is_host = target == host_target();
  throw InputError(file, "",
                   is_host ? "the C parser refused the file"
                           : "the C parser refused it; does clang know the target " + target.name() + "?");
}

}  // namespace detent::models::tvm
