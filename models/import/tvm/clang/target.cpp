#include "models/import/tvm/clang/target.hpp"

#include <algorithm>
#include <array>

namespace detent::models::tvm {
namespace {

#if defined(__x86_64__)
constexpr const char* kHostTriple = "x86_64-unknown-none-elf";
#elif defined(__aarch64__)
constexpr const char* kHostTriple = "aarch64-unknown-none-elf";
#elif defined(__riscv) && __riscv_xlen == 64
constexpr const char* kHostTriple = "riscv64-unknown-none-elf";
#else
#error "say here which target of clang has the types of this machine"
#endif

}  // namespace

CTarget host_target() { return {.triple = kHostTriple, .flags = {}}; }

std::vector<std::string> meaning_flags(const std::vector<std::string>& compile_flags) {
  static constexpr std::array kExact = {"-funsigned-char",
                                        "-fsigned-char",
                                        "-fno-unsigned-char",
                                        "-fno-signed-char",
                                        "-fshort-enums",
                                        "-fno-short-enums",
                                        "-fshort-wchar",
                                        "-fpack-struct",
                                        "-mlong-double-64",
                                        "-mlong-double-80",
                                        "-mlong-double-128",
                                        "-m32",
                                        "-m64",
                                        "-mx32",
                                        "-malign-double"};
  std::vector<std::string> flags;
  for (const std::string& flag : compile_flags) {
    const bool is_listed = std::any_of(kExact.begin(), kExact.end(), [&](const char* one) { return flag == one; });
    const bool is_macro = (flag.starts_with("-D") || flag.starts_with("-U")) && flag.size() > 2;
    if (is_listed || is_macro || flag.starts_with("-fpack-struct=")) flags.push_back(flag);
  }
  return flags;
}

std::string CTarget::name() const {
  std::string name = triple;
  for (const std::string& flag : flags) name += " " + flag;
  return name;
}

}  // namespace detent::models::tvm
