// Emit: puts together tables, weights, the runtime's sources and the templates of models/emit_c/.
#include "models/emit_c/emit_c.hpp"

#include <algorithm>
#include <map>

#include "base/input_error.hpp"
#include "models/core/model_tables.hpp"
#include "runtime/sources_text.h"

/// Generated: the files of models/emit_c/.
extern "C" const detent_source_file* detent_emit_templates(std::uint32_t* count);

namespace detent::models {
namespace {

using Values = std::map<std::string, std::string>;

std::string template_text(const std::string& name) {
  std::uint32_t count = 0;
  const detent_source_file* files = detent_emit_templates(&count);
  const auto* file = std::find_if(files, files + count, [&](const auto& f) { return name + ".in" == f.path; });
  if (file == files + count) throw InputError(name, "", "no such template in this program");
  return {file->text, file->size};
}

/// The template with each @KEY@ replaced, in one pass: what a value holds is not looked at again.
std::string filled(const std::string& name, const Values& values) {
  const std::string text = template_text(name);
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t mark = std::min(text.find('@', at), text.size());
    const std::size_t end = text.find('@', mark + 1);
    out.append(text, at, mark - at);
    const auto value = end == text.npos ? values.end() : values.find(text.substr(mark + 1, end - mark - 1));
    if (value != values.end()) {
      out += value->second;
      at = end + 1;
    } else {
      out.append(text, mark, 1);
      at = mark + 1;
    }
  }
  return out;
}

// ---- Which sources of the runtime go along.

/// Their configs are part of the runtime's interface, which goes along with or without them.
bool is_kernel_file(std::string_view path) { return path.starts_with("runtime/kernels/"); }
bool is_isa_file(std::string_view path) { return path.starts_with("runtime/kernels/isa/"); }
bool is_port_file(std::string_view path) { return path.starts_with("runtime/ports/"); }

std::vector<EmittedFile> runtime_files(bool kernels) {
  std::uint32_t count = 0;
  const detent_source_file* files = detent_runtime_sources(&count);
  std::vector<EmittedFile> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (kernels || !is_kernel_file(files[i].path))
      out.push_back({files[i].path, std::string(files[i].text, files[i].size)});
  }
  return out;
}

// ---- Makefile.

/// A list of files for a variable: one a line, without the last continuation.
std::string file_list(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "  " : " \\\n  ") + path;
  return out;
}

template <typename Wanted>
std::string sources_where(const std::vector<EmittedFile>& files, const Wanted& wanted) {
  std::vector<std::string> paths;
  for (const EmittedFile& file : files) {
    if (file.path.ends_with(".cpp") && wanted(file.path)) paths.push_back(file.path);
  }
  return file_list(paths);
}

/// One word of a recipe: quoted for the shell, then for make.
std::string make_word(const std::string& flag) {
  if (flag.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=+,./:-") == flag.npos) {
    return flag;
  }
  std::string out = "'";
  for (const char c : flag) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      throw InputError("compile_flags", "\"" + c_escaped(flag) + "\"", "a Makefile cannot hold control characters");
    }
    if (c == '\'')
      out += "'\\''";
    else if (c == '$')
      out += "$$";
    else if (c == '#')
      out += "\\#";
    else
      out += c;
  }
  return out + "'";
}

std::string operator_flags(const EmitOptions& options) {
  std::string out;
  for (const std::string& flag : options.compile_flags) out += (out.empty() ? "" : " ") + make_word(flag);
  return out;
}

std::string operator_sources(const EmitOptions& options) {
  std::vector<std::string> paths;
  for (const SourceFile& source : options.sources) {
    if (source.name.ends_with(".c")) paths.push_back("operators/" + source.name);
  }
  return file_list(paths);
}

std::string weights_path(RegionId region) { return "weights/region_" + std::to_string(region) + ".c"; }

std::string weight_sources(const detent_desc& desc) {
  std::vector<std::string> paths;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == DETENT_REGION_WEIGHTS) paths.push_back(weights_path(r));
  }
  return file_list(paths);
}

std::string makefile(const detent_desc& desc, const EmitOptions& options, const std::vector<EmittedFile>& runtime) {
  const auto is_core = [](std::string_view path) { return !is_kernel_file(path) && !is_port_file(path); };
  const auto is_plain_kernel = [](std::string_view path) { return is_kernel_file(path) && !is_isa_file(path); };
  return filled("Makefile", {{"RUNTIME_SOURCES", sources_where(runtime, is_core)},
                             {"KERNEL_SOURCES", sources_where(runtime, is_plain_kernel)},
                             {"ISA_SOURCES", sources_where(runtime, is_isa_file)},
                             {"OPERATOR_SOURCES", operator_sources(options)},
                             {"OPERATOR_FLAGS", operator_flags(options)},
                             {"WEIGHT_SOURCES", weight_sources(desc)}});
}

// ---- desc.h, model.c, README.md.

std::string desc_header(const detent_desc& desc, const EmitOptions& options) {
  std::string weights;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind != DETENT_REGION_WEIGHTS) continue;
    weights += "extern const uint8_t detent_weights_" + std::to_string(r) + "[" +
               std::to_string(desc.regions[r].size_bytes) + "];\n";
  }
  return filled("desc.h", {{"NAME", c_comment(desc.name)},
                           {"WEIGHTS", weights},
                           {"ARENA_BYTES", std::to_string(options.arena_bytes)},
                           {"ARENA_WORKERS", std::to_string(options.arena_workers)},
                           {"PORT_BYTES", std::to_string(options.port_bytes)}});
}

std::string model_source(const EmitOptions& options) {
  const auto backend = [](const std::string& kernels) {
    return "  backends[count++] = detent_cpu_backend(\"*\", " + kernels + "());\n";
  };
  std::string declaration;
  std::string backends;
  if (!options.sources.empty()) {
    declaration =
        "/* Kernels of the network's own, in operators/. */\nconst detent_kernel_table "
        "*detent_module_kernels(void);\n\n";
    backends += backend("detent_module_kernels");
  }
  if (options.builtin_kernels) backends += backend("detent_builtin_kernels");
  return filled("model.c", {{"MODULE_KERNELS", declaration}, {"BACKENDS", backends}});
}

std::uint64_t bytes_of(const detent_desc& desc, detent_region_kind kind) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == kind) sum += desc.regions[r].size_bytes;
  }
  return sum;
}

std::string readme(const detent_desc& desc, const EmitOptions& options) {
  std::string figures;
  const auto row = [&](const std::string& what, std::uint64_t value) {
    figures += (figures.empty() ? "" : "\n") + ("| " + what + " | " + std::to_string(value) + " |");
  };
  row("ops", desc.op_count);
  row("edges", desc.successor_count);
  row("tensors", desc.tensor_count);
  row("workspace, bytes", bytes_of(desc, DETENT_REGION_WORKSPACE));
  row("inputs, bytes", bytes_of(desc, DETENT_REGION_INPUT));
  row("outputs, bytes", bytes_of(desc, DETENT_REGION_OUTPUT));
  row("weights, bytes", bytes_of(desc, DETENT_REGION_WEIGHTS));
  row("static schedules", desc.schedule_count);
  const std::string operators = options.sources.empty() ? "" : "| `operators/` | the network's own kernels |\n";
  return filled("README.md", {{"NAME", c_comment(desc.name)},
                              {"FIGURES", figures},
                              {"OPERATORS_ROW", operators},
                              {"ARENA", std::to_string(options.arena_bytes)},
                              {"WORKERS", std::to_string(options.arena_workers)}});
}

std::vector<EmittedFile> operator_files(const EmitOptions& options) {
  std::vector<EmittedFile> out;
  for (const SourceFile& source : options.sources) {
    if (const char* fault = source_name_fault(source.name)) {
      throw InputError("sources", "\"" + c_escaped(source.name) + "\"", fault);
    }
    out.push_back({"operators/" + source.name, source.text});
  }
  return out;
}

}  // namespace

std::vector<EmittedFile> emit_c(const detent_desc& desc, const EmitOptions& options) {
  std::vector<EmittedFile> files = operator_files(options);
  std::vector<EmittedFile> runtime = runtime_files(options.builtin_kernels);
  files.push_back({"Makefile", makefile(desc, options, runtime)});
  files.push_back({"README.md", readme(desc, options)});
  files.push_back({"desc.c", emit_desc_tables(desc)});
  files.push_back({"desc.h", desc_header(desc, options)});
  files.push_back({"model.c", model_source(options)});
  for (const char* name : {"model.h", "main.c", "fill.c", "fill.h", "digest.c", "digest.h"}) {
    files.push_back({name, filled(name, {})});
  }
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == DETENT_REGION_WEIGHTS) files.push_back({weights_path(r), emit_weights(desc, r)});
  }
  std::ranges::move(runtime, std::back_inserter(files));
  std::ranges::sort(files, {}, &EmittedFile::path);
  return files;
}

}  // namespace detent::models
