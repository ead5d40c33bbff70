// What a kernel needs is read from the runtime's own texts: where it is defined, and what that file includes.
#include "models/emit_c/kernel_files.hpp"

#include <set>
#include <string>
#include <string_view>

#include "runtime/sources_text.h"

namespace detent::models {
namespace {

constexpr std::string_view kFolder = "runtime/kernels/";
constexpr std::string_view kList = "runtime/kernels/list.h";

std::string_view text_of(const detent_source_file& file) { return {file.text, file.size}; }

const detent_source_file* find_file(std::string_view path) {
  std::uint32_t count = 0;
  const detent_source_file* files = detent_runtime_sources(&count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (path == files[i].path) return &files[i];
  }
  return nullptr;
}

/// The source below runtime/kernels/ with a line that begins with `definition`.
/// Null: there is none.
const detent_source_file* defining(const std::string& definition) {
  std::uint32_t count = 0;
  const detent_source_file* files = detent_runtime_sources(&count);
  const detent_source_file* found = nullptr;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view path = files[i].path;
    if (!path.starts_with(kFolder) || !path.ends_with(".cpp")) continue;
    if (text_of(files[i]).find("\n" + definition) != std::string_view::npos) found = &files[i];
  }
  return found;
}

/// Files below runtime/kernels/, closed under what each of them includes there and under the source of each header.
class Closure {
 public:
  void add(std::string path) {
    const detent_source_file* file = find_file(path);
    if (file == nullptr || !paths_.insert(path).second) return;
    if (path.ends_with(".h")) add(path.substr(0, path.size() - 1) + "cpp");
    constexpr std::string_view kInclude = "#include \"";
    const std::string_view text = text_of(*file);
    for (std::size_t at = text.find(kInclude); at != text.npos; at = text.find(kInclude, at)) {
      at += kInclude.size();
      const std::string_view included = text.substr(at, text.find('"', at) - at);
      if (included.starts_with(kFolder)) add(std::string(included));
    }
  }
  [[nodiscard]] const std::set<std::string>& paths() const { return paths_; }

 private:
  std::set<std::string> paths_;
};

std::string list_macro(const char* name, const std::set<std::string>& kernels) {
  std::string out = std::string("#define ") + name + "(X)";
  for (const std::string& kernel : kernels) out += " \\\n  X(" + kernel + ")";
  return out + "\n";
}

/// Does the kernel of this source multiply bytes, which more instruction sets do than vectors of floats?
bool multiplies_bytes(const detent_source_file& source) {
  return text_of(source).find("#include \"runtime/kernels/isa/int8/products_i8.h\"") != std::string_view::npos;
}

struct KernelNames {
  std::set<std::string> plain, vector, product_i8;
};

std::string list_header(const KernelNames& names) {
  return "/* The built-in kernels that this network uses. Written by `detent emit c`. */\n"
         "#ifndef DETENT_RUNTIME_OPS_LIST_H_\n#define DETENT_RUNTIME_OPS_LIST_H_\n\n"
         "/** Kernels whose code does not depend on the instruction set. */\n" +
         list_macro("DETENT_PLAIN_KERNEL_LIST", names.plain) +
         "\n/** Kernels compiled once per instruction set, with equal bits from each. */\n" +
         list_macro("DETENT_VECTOR_KERNEL_LIST", names.vector) +
         "\n/** The same, and compiled once more where AVX-512 comes with VNNI, which adds products of bytes. */\n" +
         list_macro("DETENT_PRODUCT_I8_KERNEL_LIST", names.product_i8) + "\n#endif\n";
}

}  // namespace

bool is_isa_file(std::string_view path) { return path.starts_with("runtime/kernels/isa/"); }

std::vector<EmittedFile> kernel_files(const detent_desc& desc) {
  Closure closure;
  KernelNames names;
  for (std::uint32_t i = 0; i < desc.kernel_count; ++i) {
    const std::string name = desc.kernels[i];
    const detent_source_file* source = defining("int32_t run_" + name + "(");
    const detent_source_file* check = defining("detent_status check_" + name + "(");
    if (source == nullptr || check == nullptr) continue;
    (multiplies_bytes(*source)   ? names.product_i8
     : is_isa_file(source->path) ? names.vector
                                 : names.plain)
        .insert(name);
    closure.add(source->path);
    closure.add(check->path);
  }
  if (closure.paths().empty()) return {};
  closure.add("runtime/kernels/builtin.cpp");
  closure.add("runtime/kernels/isa/table.cpp");
  std::vector<EmittedFile> out;
  for (const std::string& path : closure.paths()) {
    out.push_back({path, path == kList ? list_header(names) : std::string(text_of(*find_file(path)))});
  }
  return out;
}

}  // namespace detent::models
