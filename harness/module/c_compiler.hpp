// CCompiler: C texts -> object files -> one shared object, by the compiler of this system. No shell is involved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace detent::harness {

/// One file of a module. Files whose name ends in ".c" are compiled; the others are there to be included.
struct CSource {
  std::string name;         ///< safe relative path: letters, digits, "._+-", '/' between parts; no part begins with '.'
  std::string text;         ///< any size
  bool is_support = false;  ///< compiled without CCompileOptions::instrument_flags
};

struct CCompileOptions {
  std::string compiler{};  ///< name or path, also "ccache gcc"; "": $CC, else the first of cc, gcc, clang on PATH
  std::vector<std::string> flags{"-O2"};        ///< for compiling and linking; each begins with '-'
  std::vector<std::string> instrument_flags{};  ///< for compiling only, and not for support files
  std::vector<std::string> link_flags{};        ///< for linking only
  std::uint32_t jobs = 0;                       ///< files compiled at a time; 0 = number of cores
  std::uint64_t time_limit_ms = 600'000;        ///< for compiling and linking together
};

/// A compiler that exists and answers.
struct CCompiler {
  std::vector<std::string> command;  ///< absolute path, then its fixed arguments
  std::string version;               ///< all that it prints for --version
  bool is_clang = false;
};

/// @throws std::invalid_argument  there is none, or it does not run; says what to install
CCompiler find_compiler(const std::string& option);

/// @throws std::invalid_argument  an unsafe or doubled name, or a flag that does not begin with '-'
void require_safe_sources(const std::vector<CSource>& sources, const CCompileOptions& options);

/// Write `sources` below `directory`, compile and link them there.
///
/// Always given, after the options' flags: -ffp-contract=off -fno-strict-aliasing -fPIC -fvisibility=hidden -w
/// -std=gnu11; linked with -shared -Wl,-Bsymbolic -Wl,-z,defs -lm. `include_first` is a source that every file includes
/// before its own text.
/// @param directory  empty; removed by the caller
/// @return  path of the shared object, below `directory`
/// @throws std::invalid_argument  it does not compile or link, with file and line of the first error; or time is up
std::filesystem::path compile_shared_object(const std::vector<CSource>& sources, const std::string& include_first,
                                            const CCompiler& compiler, const CCompileOptions& options,
                                            const std::filesystem::path& directory);

/// Write `sources` below `directory` and preprocess every file that is neither support nor there to be included, with
/// the same flags and macros as compile_shared_object.
/// @return  paths of the texts below `directory`, relative to it, by file; line markers name the originals
/// @throws std::invalid_argument  as compile_shared_object
std::vector<std::string> preprocess_sources(const std::vector<CSource>& sources, const std::string& include_first,
                                            const CCompiler& compiler, const CCompileOptions& options,
                                            const std::filesystem::path& directory);

/// Run one command for each file, side by side, in `directory`.
/// @throws std::invalid_argument  one of them fails: file and line of its first error; or time is up
void run_compilers(const std::vector<std::vector<std::string>>& commands, const std::vector<std::string>& names,
                   const CCompiler& compiler, const CCompileOptions& options, const std::filesystem::path& directory);

/// "file:line: text" of the first error in a compiler's or linker's output; the first line when none looks like one.
std::string first_error(const std::string& output);

}  // namespace detent::harness
