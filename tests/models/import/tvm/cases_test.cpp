// Texts of cases/ -> what each of them becomes, against golden files. A case begins with a line "=== what it shows".
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/values.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/entities/import.hpp"
#include "tests/golden.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/import_dump.hpp"
#include "tests/models/import/tvm/import_text.hpp"
#include "tests/models/model_text.hpp"

namespace detent::models::tvm {
namespace {

/// Every case of a file by `result_of`; an InputError is a result, too.
void expect_cases(const std::string& name, const std::function<std::string(const std::string&)>& result_of) {
  std::istringstream in(read_text(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/cases/" + name + ".txt"));
  std::string line, title, body, results;
  const auto finish = [&] {
    if (title.empty()) return;
    results += title + "\n";
    try {
      results += result_of(body);
    } catch (const InputError& error) {
      results += std::string("refused: ") + error.what() + "\n";
    }
  };
  while (std::getline(in, line)) {
    if (!line.starts_with("=== ")) {
      body += line + "\n";
      continue;
    }
    finish();
    title = line;
    body.clear();
  }
  finish();
  ASSERT_NE(results, "") << name;
  expect_golden(results, "models/import/tvm/golden/cases_" + name + ".txt");
}

/// A body without a function of its own stands in one that has pointers of several types.
std::string footprint_case(const std::string& body, bool packed) {
  const bool is_whole = body.find(" f(") != std::string::npos;
  const CUnit unit =
      parse_c(is_whole ? body
                       : "int32_t f(float* p0, float* out, int8_t* b, int32_t* idx, uint8_t* pool, int32_t n) {\n" +
                             body + "  return 0;\n}\n",
              "op.c");
  std::string text;
  for (const Diagnostic& error : unit.errors) text += "error " + std::to_string(error.line) + ": " + error.text + "\n";
  return text + footprint_text(analyse_function(unit, unit.functions.back(), {.packed = packed}));
}

TEST(Cases, FootprintsOfExpressions) {
  expect_cases("expressions", [](const std::string& body) { return footprint_case(body, false); });
}

TEST(Cases, FootprintsOfStatements) {
  expect_cases("statements", [](const std::string& body) { return footprint_case(body, false); });
}

TEST(Cases, FootprintsOfCallsAndMemory) {
  expect_cases("calls", [](const std::string& body) { return footprint_case(body, false); });
}

TEST(Cases, FootprintsOfPackedFunctions) {
  expect_cases("packed", [](const std::string& body) { return footprint_case(body, true); });
}

/// Statements of a main over x, output and a pool, or a whole text. "CALL f(...);" is a call as TVM writes it.
std::string main_text(std::string body) {
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

std::string or_refusal(const std::function<std::string()>& text) {
  try {
    return text();
  } catch (const InputError& error) {
    return std::string("refused: ") + error.what() + "\n";
  }
}

TEST(Cases, Mains) {
  expect_cases("mains", [](const std::string& body) {
    const std::string text = main_text(body);
    Artifact artifact = artifact_of(text);
    artifact.packed = text.find("void* args") != std::string::npos;
    const Import import = import_of(std::move(artifact));
    return program_text(import.program, import.footprints) + hazards_text(import) +
           or_refusal([&] { return "== as it is\n" + model_text(imported_model(import, {.hazard_edges = false})); }) +
           or_refusal([&] { return "== main\n" + model_text(reference_model(import)); }) +
           or_refusal([&] { return "== anew\n" + model_text(replan_parallel(import).model); }) + or_refusal([&] {
             return "== anew, little stack\n" +
                    model_text(replan_parallel(import, {.model = {}, .stack_limit_bytes = 32, .workers = 2}).model);
           });
  });
}

/// A refusal says where: golden files hold none without its line, but of a file that has no main at all.
TEST(Cases, RefusalsOfMainsNameTheirLine) {
  std::istringstream in(read_text(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/golden/cases_mains.txt"));
  std::string line;
  std::size_t refusals = 0;
  while (std::getline(in, line)) {
    if (!line.starts_with("refused: ") || line.find("defines no main") != std::string::npos) continue;
    ++refusals;
    const std::size_t digits = line.find_first_not_of("0123456789", std::string("refused: ops.c:").size());
    EXPECT_TRUE(line.starts_with("refused: ops.c:") && digits > 15 && line[digits] == ':') << line;
  }
  EXPECT_GT(refusals, 80U);
}

TEST(Cases, Sources) {
  // The names of types without a name say where they stand behind the declarations of TVM.
  static const std::regex kPlace(" at unit\\.c:[0-9]+:[0-9]+");
  expect_cases("sources", [](const std::string& body) {
    return std::regex_replace(unit_text(parse_c(body, "unit.c")), kPlace, "");
  });
}

/// "KERNELS", then a table of these; "ROWS rows", then what stands before a table of these rows that a function runs.
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

TEST(Cases, Entities) {
  expect_cases("entities", [](const std::string& body) {
    const entities::EntityImport import = entities::import_entities_text(entities_source(body), "net.c");
    std::string text = "table " + import.table + " of " + import.record + "\n";
    for (const entities::EntityNote& note : import.entities) {
      text += "entity " + std::to_string(note.op) + " " + note.function + " line " + std::to_string(note.line) +
              (note.is_superset ? " superset" : "") + (note.why.empty() ? "" : ": " + note.why) + "\n";
    }
    for (const std::string& note : import.notes) text += "note " + note + "\n";
    return text + model_text(import.model);
  });
}

/// "float4[2][3]": the scalar, its bytes, the extents.
CType named_type(const std::string& name) {
  CType type;
  const std::size_t digits = name.find_first_of("0123456789"), open = name.find('[');
  const std::string scalar = name.substr(0, digits);
  type.scalar = scalar == "float"  ? CType::Scalar::kFloat
                : scalar == "int"  ? CType::Scalar::kInt
                : scalar == "uint" ? CType::Scalar::kUInt
                : scalar == "bool" ? CType::Scalar::kBool
                : scalar == "void" ? CType::Scalar::kVoid
                                   : CType::Scalar::kInt;
  type.pointers = scalar == "pointer" ? 1 : 0;
  type.scalar_bytes = static_cast<std::uint32_t>(std::stoul(name.substr(digits)));
  for (std::size_t at = open; at != std::string::npos; at = name.find('[', at + 1))
    type.extents.push_back(std::stoull(name.substr(at + 1)));
  if (open == std::string::npos) type.extents = {0};
  type.spelling = name;
  return type;
}

std::string value_line(const std::string& line) {
  const std::size_t colon = line.find(": ");
  CUnit unit;
  unit.file = "values.c";
  unit.text = line.substr(colon + 2);
  std::string bytes;
  read_initialiser(unit, {0, unit.text.size()}, named_type(line.substr(0, colon)), bytes);
  if (bytes.size() > 1000) return std::to_string(bytes.size()) + " bytes";
  std::string text;
  for (const char c : bytes) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += two;
  }
  return text;
}

TEST(Cases, Values) {
  expect_cases("values", [](const std::string& body) {
    std::istringstream in(body);
    std::string line, text;
    while (std::getline(in, line)) text += line + " -> " + or_refusal([&] { return value_line(line) + "\n"; });
    return text;
  });
}

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  std::string part;
  while (std::getline(in, part, at)) parts.push_back(part);
  return parts;
}

void replace_all(std::string& text, const std::string& old, const std::string& with) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

/// "fixture NAME", then edits of a copy of it: remove PATH, write PATH|TEXT, append PATH|FILE, replace PATH|OLD|NEW,
/// strip PATH|END|BEGIN (what stands between BEGIN and END goes, "  .name = {" becomes "{").
std::string edited_artifact(const std::string& body) {
  const Scratch scratch;
  fs::path path;
  for (const std::string& line : cut(body, '\n')) {
    const std::size_t space = line.find(' ');
    const std::string what = line.substr(0, space);
    std::string rest = line.substr(space + 1);
    replace_all(rest, "\\n", "\n");
    const std::vector<std::string> words = cut(rest, '|');
    if (what == "fixture") path = scratch.copy(rest);
    if (what == "remove") {
      EXPECT_NE(fs::remove_all(path / rest), 0U) << line;
    }
    if (what == "write") write_text(path / words[0], rest.substr(words[0].size() + 1) + "\n");
    if (what == "append") write_text(path / words[0], read_text(path / words[0]) + read_text(path / words[1]));
    if (what == "replace") {
      std::string text = read_text(path / words[0]);
      EXPECT_NE(text.find(words[1]), std::string::npos) << line;
      replace_all(text, words[1], words[2]);
      write_text(path / words[0], text);
    }
    if (what == "strip") {
      std::string text = read_text(path / words[0]);
      for (std::size_t at = text.find(words[2]); at != std::string::npos; at = text.find(words[2], at + 1)) {
        const std::size_t end = text.find(words[1], at);
        if (end != std::string::npos) text.replace(at, end + words[1].size() - at, "{\n");
      }
      write_text(path / words[0], text);
    }
  }
  std::string text = or_refusal([&] {
    const Artifact artifact = read_artifact(path.string());
    return artifact_text(artifact) + or_refusal([&] {
             const Footprints footprints = analyse_functions(artifact);
             const Program program = read_program(artifact, footprints);
             std::string notes;
             for (const std::string& note : program.notes) notes += "note " + note + "\n";
             return program_text(program, footprints) + notes;
           });
  });
  replace_all(text, path.string(), "ARTIFACT");
  return text;
}

class EditedArtifact : public testing::TestWithParam<const char*> {};

TEST_P(EditedArtifact, IsReadAsTheGoldenFileSays) { expect_cases(GetParam(), edited_artifact); }

INSTANTIATE_TEST_SUITE_P(Cases, EditedArtifact,
                         testing::Values("edits_1", "edits_2", "edits_3", "edits_4", "edits_5", "edits_6", "edits_7",
                                         "edits_8"));

}  // namespace
}  // namespace detent::models::tvm
