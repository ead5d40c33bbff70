// CModule: C sources -> a shared object that the system's C compiler makes -> kernels that a back end opens.
//
// The kernels are plain functions over the arguments of runtime/include/detent/kernel.h, so they run under every port.
// The sources define one function beside them,
//     const detent_kernel_table *detent_module_kernels(void);
// which the module exports (a prelude that is included first declares it visible). They may include every header of
// runtime/, which is written beside them, and the C library. Loading a module runs its code: constructors at once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <detent/backend.h>

#include "harness/module/c_compiler.hpp"

namespace detent::harness {

class ModuleCache;

struct CModuleOptions {
  CCompileOptions compile{};
  bool use_cache = true;
  std::string cache_directory{};  ///< "": $XDG_CACHE_HOME/detent, else ~/.cache/detent
  bool private_image = false;     ///< load a copy of its own: static variables are not shared with an equal module
  /// Compile and load there, and leave every file, those that the compiler writes for other tools among them; nothing
  /// is cached then. Empty and the caller's; "": a temporary one, which is gone.
  std::string build_directory{};
};

/// All files of a module: `sources`, the runtime's headers, and the prelude that is included first.
std::vector<CSource> module_files(const std::vector<CSource>& sources);
const char* module_prelude_name();

/// A loaded module. Owns it: kernels and back ends taken from it die with it.
///
/// Cached under the XXH3-128 of all texts, flags and the compiler's version; headers of the C library are not part of
/// the key. Whatever happens, a temporary directory is gone when the constructor has returned or thrown.
class CModule {
 public:
  /// @throws std::invalid_argument  an unsafe name, no compiler, an error in the sources ("file:line: text; remedy"),
  ///                                no detent_module_kernels or a table that cannot be used
  explicit CModule(const std::vector<CSource>& sources, const CModuleOptions& options = {});
  ~CModule();
  CModule(const CModule&) = delete;
  CModule& operator=(const CModule&) = delete;

  /// Lives as long as the module. Names are unique, functions not null.
  [[nodiscard]] const detent_kernel_table* kernels() const { return table_; }
  /// Back end over kernels() for InstanceOptions::backends. `class_name` outlives it; "*" serves every class.
  [[nodiscard]] detent_backend backend(const char* class_name = "*") const;
  /// Address of an exported symbol; null when there is none.
  [[nodiscard]] void* symbol(const char* name) const;
  /// True when nothing had to be compiled.
  [[nodiscard]] bool from_cache() const { return from_cache_; }
  /// First line of what the compiler says about itself.
  [[nodiscard]] const std::string& compiler() const { return compiler_; }
  /// Functions that the module takes from outside itself, sorted: "expf", "memcpy".
  [[nodiscard]] const std::vector<std::string>& imports() const { return imports_; }

 private:
  void open(const std::string& path);
  bool open_cached(const ModuleCache& cache, const std::string& key, const std::filesystem::path& temporary,
                   bool private_image);
  void* handle_ = nullptr;
  const detent_kernel_table* table_ = nullptr;
  bool from_cache_ = false;
  std::string compiler_;
  std::vector<std::string> imports_;
};

}  // namespace detent::harness
