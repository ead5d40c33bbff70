// Emit: puts together tables, weights, the runtime's sources and the templates of models/emit_c/.
#include "models/emit_c/emit_c.hpp"

#include <algorithm>
#include <map>

#include "base/input_error.hpp"
#include "models/core/model_tables.hpp"
#include "models/emit_c/kernel_files.hpp"
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

bool is_kernel_file(std::string_view path) { return path.starts_with("runtime/kernels/"); }
bool is_port_file(std::string_view path) { return path.starts_with("runtime/ports/"); }

/// The runtime and, where asked for, the kernels that the network uses. The configs of all kernels are part of the
/// runtime's interface, which goes along with or without them.
std::vector<EmittedFile> runtime_files(const detent_desc& desc, bool kernels) {
  std::uint32_t count = 0;
  const detent_source_file* files = detent_runtime_sources(&count);
  std::vector<EmittedFile> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_kernel_file(files[i].path)) out.push_back({files[i].path, std::string(files[i].text, files[i].size)});
  }
  if (kernels) std::ranges::move(kernel_files(desc), std::back_inserter(out));
  return out;
}

// ---- Makefile and CMakeLists.txt.

using Paths = std::vector<std::string>;

/// What ends a line of a list that goes on.
constexpr const char* kMakeLineEnd = " \\\n";
constexpr const char* kCmakeLineEnd = "\n";

/// A list of files for a variable: one a line, without the last end of line.
std::string file_list(const Paths& paths, const char* line_end) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : line_end) + ("  " + path);
  return out;
}

template <typename Wanted>
Paths sources_where(const std::vector<EmittedFile>& files, const Wanted& wanted) {
  Paths paths;
  for (const EmittedFile& file : files) {
    if (file.path.ends_with(".cpp") && wanted(file.path)) paths.push_back(file.path);
  }
  return paths;
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

/// One element of a list of CMake inside double quotes; `$<` would begin an expression.
std::string cmake_element(const std::string& flag) {
  std::string out;
  for (std::size_t i = 0; i < flag.size(); ++i) {
    const char c = flag[i];
    if (c == '$') {
      out += i + 1 < flag.size() && flag[i + 1] == '<' ? "$<1:\\$>" : "\\$";
    } else if (c == ';') {
      out += "\\\\;";
    } else {
      if (c == '\\' || c == '"') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string operator_cmake_flags(const EmitOptions& options) {
  std::string out;
  for (const std::string& flag : options.compile_flags) out += cmake_element(flag) + ";";
  return out;
}

/// A list cannot hold an element that ends in a backslash: it would take the next one in.
std::string refused_cmake_flags(const EmitOptions& options) {
  const bool refused = std::ranges::any_of(options.compile_flags, [](const auto& f) { return f.ends_with('\\'); });
  return refused ? "message(FATAL_ERROR \"a flag of the operators ends in a backslash, which CMake cannot pass on; "
                   "use the Makefile\")\n"
                 : "";
}

std::string operator_flags(const EmitOptions& options) {
  std::string out;
  for (const std::string& flag : options.compile_flags) out += (out.empty() ? "" : " ") + make_word(flag);
  return out;
}

Paths operator_sources(const EmitOptions& options) {
  Paths paths;
  for (const SourceFile& source : options.sources) {
    if (source.name.ends_with(".c")) paths.push_back("operators/" + source.name);
  }
  return paths;
}

std::string weights_path(RegionId region) { return "weights/region_" + std::to_string(region) + ".c"; }

Paths weight_sources(const detent_desc& desc) {
  Paths paths;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == DETENT_REGION_WEIGHTS) paths.push_back(weights_path(r));
  }
  return paths;
}

struct SourceLists {
  Paths runtime, kernels, per_isa, operators, weights;
};

SourceLists source_lists(const detent_desc& desc, const EmitOptions& options, const std::vector<EmittedFile>& runtime) {
  const auto is_core = [](std::string_view path) { return !is_kernel_file(path) && !is_port_file(path); };
  const auto is_plain_kernel = [](std::string_view path) { return is_kernel_file(path) && !is_isa_file(path); };
  return {.runtime = sources_where(runtime, is_core),
          .kernels = sources_where(runtime, is_plain_kernel),
          .per_isa = sources_where(runtime, is_isa_file),
          .operators = operator_sources(options),
          .weights = weight_sources(desc)};
}

Values list_values(const SourceLists& lists, const char* line_end) {
  return {{"RUNTIME_SOURCES", file_list(lists.runtime, line_end)},
          {"KERNEL_SOURCES", file_list(lists.kernels, line_end)},
          {"ISA_SOURCES", file_list(lists.per_isa, line_end)},
          {"OPERATOR_SOURCES", file_list(lists.operators, line_end)},
          {"WEIGHT_SOURCES", file_list(lists.weights, line_end)}};
}

std::string makefile(const SourceLists& lists, const EmitOptions& options) {
  Values values = list_values(lists, kMakeLineEnd);
  values["OPERATOR_FLAGS"] = operator_flags(options);
  return filled("Makefile", values);
}

std::string cmake_lists(const SourceLists& lists, const EmitOptions& options) {
  Values values = list_values(lists, kCmakeLineEnd);
  values["HAS_VECTOR_KERNELS"] = lists.per_isa.size() > 1 ? "ON" : "OFF";  // more than the table of kernels
  values["OPERATOR_CMAKE_FLAGS"] = operator_cmake_flags(options);
  values["REFUSED_CMAKE_FLAGS"] = refused_cmake_flags(options);
  return filled("CMakeLists.txt", values);
}

// ---- desc.h, model.c, README.md.

std::string default_workers_text(const EmitOptions& options) {
  return options.default_workers ? std::to_string(*options.default_workers)
                                 : "as many as cores that the process may run on, at most 3";
}

std::string default_workers_sentence(const EmitOptions& options) {
  if (!options.default_workers) return "as many workers run as cores that the process may run on, at most 3";
  if (*options.default_workers == 0) return "it runs serially";
  return std::to_string(*options.default_workers) + (*options.default_workers == 1 ? " worker runs" : " workers run");
}

std::string default_workers_define(const EmitOptions& options) {
  if (!options.default_workers) return "";
  return "/** Workers of the port `posix` where TVMRT_NUM_WORKERS says nothing; 0: serial. */\n"
         "#ifndef DETENT_MODEL_WORKERS\n#define DETENT_MODEL_WORKERS " +
         std::to_string(*options.default_workers) + "u\n#endif\n";
}

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
                           {"LOG_RECORDS", std::to_string(options.log_records)},
                           {"LOG_BYTES", std::to_string(options.log_bytes)},
                           {"WORKERS", default_workers_define(options)},
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
  const std::string bare_operators =
      options.sources.empty() ? "" : "`operators/` needs the headers and functions of a C library besides.\n";
  return filled("README.md", {{"NAME", c_comment(desc.name)},
                              {"FIGURES", figures},
                              {"OPERATORS_ROW", operators},
                              {"BARE_OPERATORS", bare_operators},
                              {"DEFAULT_WORKERS", default_workers_sentence(options)},
                              {"LOG_BYTES", std::to_string(options.log_bytes)},
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
  std::vector<EmittedFile> runtime = runtime_files(desc, options.builtin_kernels);
  const SourceLists lists = source_lists(desc, options, runtime);
  files.push_back({"CMakeLists.txt", cmake_lists(lists, options)});
  files.push_back({"Makefile", makefile(lists, options)});
  files.push_back({"README.md", readme(desc, options)});
  files.push_back({"desc.c", emit_desc_tables(desc)});
  files.push_back({"desc.h", desc_header(desc, options)});
  files.push_back({"model.c", model_source(options)});
  files.push_back({"model.h", filled("model.h", {{"DEFAULT_WORKERS", default_workers_text(options)}})});
  for (const char* name : {"main.c", "fill.c", "fill.h", "digest.c", "digest.h", "log.c", "log.h"}) {
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
