// CModule: key -> cache or compiler -> dlopen -> a checked kernel table.
#include "harness/module/c_module.hpp"

#include <dlfcn.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include <detent/limits.h>

#include "base/temp_directory.hpp"
#include "harness/module/elf_imports.hpp"
#include "harness/module/module_cache.hpp"
#include "runtime/sources_text.h"

namespace detent::harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEntry = "detent_module_kernels";
constexpr const char* kPreludeName = "detent_module_prelude.h";
constexpr const char* kPrelude =
    "struct detent_kernel_table;\n"
    "__attribute__((visibility(\"default\"))) const struct detent_kernel_table *detent_module_kernels(void);\n";
/// Raised when the meaning of a cached object changes.
constexpr const char* kFormat = "detent module 1";

/// -march=native and its like compile for this machine, so its processor is part of the key.
std::string processor_for(const CCompileOptions& options) {
  for (const std::string& flag : options.flags) {
    if (flag.find("native") == std::string::npos) continue;
    const std::string text = read_file("/proc/cpuinfo").value_or("");
    return text.substr(0, text.find("\n\n"));
  }
  return "";
}

std::string make_key(const std::vector<CSource>& sources, const CCompiler& compiler, const CCompileOptions& options) {
  ContentKey key;
  const auto add_list = [&key](const std::vector<std::string>& list) {
    key.add(std::to_string(list.size()));
    for (const std::string& text : list) key.add(text);
  };
  key.add(kFormat);
  add_list(compiler.command);
  key.add(compiler.version);
  key.add(processor_for(options));
  add_list(options.flags);
  add_list(options.instrument_flags);
  add_list(options.link_flags);
  for (const CSource& source : sources) {
    key.add(source.name);
    key.add(source.is_support ? "support" : "");
    key.add(source.text);
  }
  return key.hex();
}

/// A path that no other module of this process has been loaded from: the loader knows objects by path.
fs::path private_copy(const fs::path& object, const fs::path& directory) {
  static std::atomic<std::uint64_t> next{0};
  const fs::path copy = directory / ("module" + std::to_string(next.fetch_add(1)) + ".so");
  fs::copy_file(object, copy);
  return copy;
}

[[noreturn]] void refuse_table(const std::string& what) {
  throw std::invalid_argument(std::string(kEntry) + ": " + what + "; repair the module's table");
}

/// The bind step searches the table by name, so a name must mean one function.
void require_usable(const detent_kernel_table* table) {
  if (table == nullptr) refuse_table("returned null");
  if (table->count > DETENT_MAX_OPS)
    refuse_table("has " + std::to_string(table->count) + " kernels; at most " + std::to_string(DETENT_MAX_OPS) +
                 " are possible");
  if (table->count != 0 && table->kernels == nullptr) refuse_table("has a count but no kernels");
  std::set<std::string_view> names;
  for (std::uint32_t i = 0; i < table->count; ++i) {
    const detent_kernel& kernel = table->kernels[i];
    const std::string place = "kernel " + std::to_string(i);
    if (kernel.name == nullptr || kernel.name[0] == '\0') refuse_table(place + " has no name");
    if (kernel.run == nullptr) refuse_table(place + " (" + kernel.name + ") has no function");
    if (!names.insert(kernel.name).second) refuse_table(place + ": duplicate name '" + kernel.name + "'");
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::vector<CSource> module_files(const std::vector<CSource>& sources) {
  std::vector<CSource> all = sources;
  std::uint32_t count = 0;
  const detent_source_file* const files = detent_runtime_sources(&count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view path = files[i].path;
    if (path.ends_with(".h")) all.push_back({std::string(path), std::string(files[i].text, files[i].size)});
  }
  all.push_back({kPreludeName, kPrelude});
  return all;
}

const char* module_prelude_name() { return kPreludeName; }

CModule::CModule(const std::vector<CSource>& sources, const CModuleOptions& options) {
  const std::vector<CSource> all = module_files(sources);
  require_safe_sources(all, options.compile);
  const CCompiler compiler = find_compiler(options.compile.compiler);
  compiler_ = first_line(compiler.version);
  if (!options.build_directory.empty()) {
    open(compile_shared_object(all, kPreludeName, compiler, options.compile, options.build_directory).string());
    return;
  }
  std::optional<ModuleCache> cache;
  if (options.use_cache) cache.emplace(options.cache_directory);
  const std::string key = cache ? make_key(all, compiler, options.compile) : "";
  const TempDirectory temporary;
  if (cache && open_cached(*cache, key, temporary.path(), options.private_image)) return;
  fs::path path = compile_shared_object(all, kPreludeName, compiler, options.compile, temporary.path());
  const std::optional<fs::path> kept = cache ? cache->store(key, path) : std::nullopt;
  path = kept && !options.private_image ? *kept : private_copy(path, temporary.path());
  open(path.string());
}

/// An entry that cannot be loaded here (made on another system that shares the directory) is as good as none.
bool CModule::open_cached(const ModuleCache& cache, const std::string& key, const fs::path& temporary,
                          bool private_image) {
  const std::optional<fs::path> entry = cache.find(key);
  if (!entry) return false;
  try {
    open((private_image ? private_copy(*entry, temporary) : *entry).string());
  } catch (const std::invalid_argument&) {
    return false;
  }
  from_cache_ = true;
  return true;
}

void CModule::open(const std::string& path) {
  imports_ = elf_imports(read_file(path).value_or(""));
  handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* const reason = ::dlerror();
    throw std::invalid_argument(std::string("module: cannot be loaded: ") + (reason != nullptr ? reason : "?") +
                                "; if the directory is mounted noexec, set TMPDIR");
  }
  try {
    void* const entry = symbol(kEntry);
    if (entry == nullptr) {
      throw std::invalid_argument(std::string("module: no function ") + kEntry + "; define it in one of the sources");
    }
    table_ = reinterpret_cast<const detent_kernel_table* (*)()>(entry)();
    require_usable(table_);
  } catch (...) {
    ::dlclose(handle_);
    throw;
  }
}

CModule::~CModule() { ::dlclose(handle_); }

detent_backend CModule::backend(const char* class_name) const { return detent_cpu_backend(class_name, table_); }

void* CModule::symbol(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace detent::harness
