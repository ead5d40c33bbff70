#include "tests/models/import/tvm/case_answers.hpp"

#include <regex>
#include <sstream>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/entities/import.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/import_dump.hpp"
#include "tests/models/import/tvm/import_text.hpp"
#include "tests/models/model_text.hpp"

namespace detent::models::tvm {

std::string or_refusal(const std::function<std::string()>& text) {
  try {
    return text();
  } catch (const InputError& error) {
    return std::string("refused: ") + error.what() + "\n";
  }
}

std::vector<NamedCase> read_cases(const std::string& name) {
  std::istringstream in(read_text(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/cases/" + name + ".txt"));
  std::vector<NamedCase> cases;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=== ")) {
      cases.push_back({line, ""});
    } else if (!cases.empty()) {
      cases.back().body += line + "\n";
    }
  }
  return cases;
}

std::string footprint_source(const std::string& body) {
  if (body.find(" f(") != std::string::npos) return body;
  return "int32_t f(float* p0, float* out, int8_t* b, int32_t* idx, uint8_t* pool, int32_t n) {\n" + body +
         "  return 0;\n}\n";
}

std::string footprint_answer(const std::string& source, bool packed) {
  const CUnit unit = parse_c(source, "op.c");
  std::string text;
  for (const Diagnostic& error : unit.errors) text += "error " + std::to_string(error.line) + ": " + error.text + "\n";
  if (unit.functions.empty()) return text + "no function\n";
  return text + footprint_text(analyse_function(unit, unit.functions.back(), {.packed = packed}));
}

std::string main_source(std::string body) {
  for (std::size_t at = body.find("CALL "); at != std::string::npos; at = body.find("CALL ", at)) {
    const std::size_t end = body.find(';', at);
    body.replace(at, end + 1 - at, "if (" + body.substr(at + 5, end - at - 5) + " != 0) return -1;");
  }
  if (body.find("int32_t tvmgen_default_") != std::string::npos || body.find("__tvm_main__") != std::string::npos)
    return body;
  return "int32_t f(float* p0, float* T_out, uint8_t* pool) { for (int32_t i = 0; i < 4; ++i) { T_out[i] = p0[i]; } "
         "return 0; }\nint32_t n;\n"
         "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, uint8_t* "
         "global_workspace_1_var) {\n" +
         body + "  return 0;\n}\n";
}

std::string main_answer(const std::string& source) {
  Artifact artifact = artifact_of(source);
  artifact.packed = source.find("void* args") != std::string::npos;
  const Import import = import_of(std::move(artifact));
  return program_text(import.program, import.footprints) + hazards_text(import) +
         or_refusal([&] { return "== as it is\n" + model_text(imported_model(import, {.hazard_edges = false})); }) +
         or_refusal([&] { return "== main\n" + model_text(reference_model(import)); }) +
         or_refusal([&] { return "== anew\n" + model_text(replan_parallel(import).model); }) + or_refusal([&] {
           return "== anew, little stack\n" +
                  model_text(replan_parallel(import, {.model = {}, .stack_limit_bytes = 32, .workers = 2}).model);
         });
}

std::string unit_answer(const std::string& source) {
  // The names of types without a name say where they stand behind the declarations of TVM.
  static const std::regex kPlace(" at unit\\.c:[0-9]+:[0-9]+");
  return std::regex_replace(unit_text(parse_c(source, "unit.c")), kPlace, "");
}

std::string entities_source(const std::string& body) {
  static const std::string kKernels =
      "#include <stdint.h>\n"
      "static float a[16], b[16], c[16];\n"
      "struct args { const float *in; float *out; int n; };\n"
      "static int copy(void *p) { struct args *s = p;\n"
      "  for (int i = 0; i < s->n; ++i) s->out[i] = s->in[i];\n  return 0; }\n"
      "static struct args ab = {a, b, 16}, bc = {b, c, 8}, ac = {a, c + 8, 8};\n";
  const std::size_t end = body.find('\n');
  const std::string first = body.substr(0, end), rest = body.substr(end + 1);
  if (first == "KERNELS") return kKernels + rest;
  if (!first.starts_with("ROWS ")) return body;
  return kKernels +
         "typedef struct { int (*run)(void *); void *args; const int *next; int next_count; int indegree; } node;\n"
         "static const int one[] = {1}, two[] = {2}, both[] = {1, 2};\n" +
         rest + "static node nodes[] = {\n" + first.substr(5) +
         "\n};\nint go(void) { for (int i = 0; i < 3; ++i) nodes[i].run(nodes[i].args); return 0; }\n";
}

std::string entities_answer(const std::string& source) {
  const entities::EntityImport import = entities::import_entities_text(source, "net.c");
  std::string text = "table " + import.table + " of " + import.record + "\n";
  for (const entities::EntityNote& note : import.entities) {
    text += "entity " + std::to_string(note.op) + " " + note.function + " line " + std::to_string(note.line) +
            (note.is_superset ? " superset" : "") + (note.why.empty() ? "" : ": " + note.why) + "\n";
  }
  for (const std::string& note : import.notes) text += "note " + note + "\n";
  return text + model_text(import.model);
}

}  // namespace detent::models::tvm
