// Code of a vendor beside an artifact: with it the bytes are exact, without it what is missing is said.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "models/core/thunks.hpp"
#include "models/import/tvm/model/import.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {
namespace {

struct VendorCase {
  std::string name, include, source;
  std::size_t exact;  ///< accesses of all calls that are
  std::size_t others;
  std::string edges;
  std::size_t conflicts, racing;
  std::string missing;  ///< beginning of what is said without the vendor's code
};

const std::string kVendors = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/vendor/";
const std::string kRemedy =
    "; give a vendor's headers with --include DIR and its C files, or your own in their place, with --source FILE";

/// Counted by hand.
const std::vector<VendorCase>& vendor_cases() {
  static const std::vector<VendorCase> cases = {
      {"cmsis_nn", "lib/Include", "lib/Source", 13, 0, "0-2 1-3 2-4 3-4", 5, 1,
       "no definition of arm_convolve_wrapper_s8 (op 2, 3); no header arm_nnfunctions.h"},
      {"microkernel", "lib", "", 6, 0, "0-1", 1, 0, ""},
      {"muriscv_nn", "lib/Include", "lib/Source", 9, 0, "0-1 1-3 2-3", 3, 0,
       "tvmgen_default_muriscv_nn_main_0 (op 1, 2) does not compile: line 7: use of undeclared identifier"},
      {"esp_nn", "lib/include", "lib/src", 5, 6, "0-1 1-3 2-3", 4, 1,
       "no definition of esp_nn_add_elementwise_s8 (op 3), esp_nn_set_depthwise_conv_scratch_buf (op 1, 2); "
       "tvmgen_default_esp_main_0 (op 1, 2) does not compile"},
      {"c_source", "lib", "", 9, 0, "0-1 0-2", 2, 0, ""}};
  return cases;
}

ReadOptions with(const VendorCase& vendor) {
  ReadOptions options;
  options.includes.push_back(kVendors + vendor.name + "/" + vendor.include);
  if (!vendor.source.empty()) options.sources.push_back(kVendors + vendor.name + "/" + vendor.source);
  return options;
}

std::string spelled_edges(const std::vector<CallEdge>& edges) {
  std::string text;
  for (const auto& [from, to] : edges) {
    text += (text.empty() ? "" : " ") + std::to_string(from) + "-" + std::to_string(to);
  }
  return text;
}

TEST(Vendor, BodiesThatAreGivenTellTheBytes) {
  for (const VendorCase& vendor : vendor_cases()) {
    const Import import = import_artifact(kVendors + vendor.name + "/ops.c", with(vendor));
    EXPECT_TRUE(import.missing.empty()) << vendor.name << ": " << import.missing.text();
    std::size_t exact = 0, others = 0;
    for (const auto& accesses : import.accesses) {
      for (const CallAccess& access : accesses) ++(access.exact ? exact : others);
    }
    EXPECT_EQ(exact, vendor.exact) << vendor.name;
    EXPECT_EQ(others, vendor.others) << vendor.name;
    EXPECT_EQ(spelled_edges(import.hazards.name_edges), vendor.edges) << vendor.name;
    EXPECT_EQ(import.hazards.conflicts.size(), vendor.conflicts) << vendor.name;
    EXPECT_EQ(import.hazards.racing_pairs, vendor.racing) << vendor.name;
    EXPECT_EQ(missing_code(imported_model(import)), "") << vendor.name;
    EXPECT_EQ(missing_code(replan_parallel(import).model), "") << vendor.name;
    EXPECT_FALSE(reference_model(import).ops.empty()) << vendor.name;
  }
}

TEST(Vendor, MissingCodeIsNamedAndTheNameStaysInThePackage) {
  for (const VendorCase& vendor : vendor_cases()) {
    if (vendor.missing.empty()) continue;
    const Import import = import_artifact(kVendors + vendor.name + "/ops.c");
    const std::string text = import.missing.text();
    EXPECT_TRUE(text.starts_with(vendor.missing)) << text;
    EXPECT_TRUE(text.ends_with(kRemedy)) << text;
    EXPECT_EQ(missing_code(imported_model(import)), text);
    EXPECT_EQ(missing_code(replan_parallel(import).model), text);
  }
}

/// Macros of a header make the functions: without it not even they are there.
TEST(Vendor, AFileThatDoesNotParseNamesTheHeadersThatItLacks) {
  EXPECT_EQ(artifact_error(kVendors + "c_source/ops.c"),
            kVendors +
                "c_source/ops.c: defines no function; a C file written by TVM is needed; it includes "
                "csource_ops.h, which is not here: give its directory with --include DIR");
}

TEST(Vendor, StateOfAVendorIsOrdered) {
  const VendorCase& esp = vendor_cases()[3];
  const Import import = import_artifact(kVendors + esp.name + "/ops.c", with(esp));
  ASSERT_EQ(import.hazards.racing_pairs, 1U);
  const auto& pairs = import.hazards.conflicts;
  const auto race = std::find_if(pairs.begin(), pairs.end(), [](const Conflict& pair) { return !pair.is_ordered; });
  EXPECT_EQ(race->a, 1U);
  EXPECT_EQ(race->b, 2U);
  EXPECT_EQ(race->overlaps.front().what_a, "hidden state");
}

/// Inputs of 8 and 64 bytes: what a seed gives them does not depend on the plan.
TEST(Vendor, InputsLieAtTheSamePlacesInEveryPlan) {
  const VendorCase& kernel = vendor_cases()[1];
  const Import import = import_artifact(kVendors + kernel.name + "/ops.c", with(kernel));
  const Model here = imported_model(import), planned = replan_parallel(import).model;
  for (const Model& model : {here, planned}) {
    std::vector<RegionId> regions;
    for (RegionId region = 0; region < model.regions.size(); ++region) {
      if (model.regions[region].kind == DETENT_REGION_INPUT) regions.push_back(region);
    }
    ASSERT_EQ(regions.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(model.tensors[model.inputs[i]].region, regions[i]);
      EXPECT_EQ(model.tensors[model.inputs[i]].offset_bytes, 0U);
    }
  }
}

/// What an import with these options says when it refuses; "" when it does not.
std::string refusal(const ReadOptions& options) {
  try {
    import_artifact(kVendors + "cmsis_nn/ops.c", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Vendor, NamesThatCannotBeReadAreRefusedWithARemedy) {
  const Scratch scratch;
  const std::string root = scratch.root().string();
  fs::create_symlink("loop", root + "/loop");
  fs::create_directory(root + "/empty");
  ::mkfifo((root + "/fifo.c").c_str(), 0600);
  write_text(root + "/binary.c", std::string("int f(void) { return 0; }\0\1\2", 28));
  write_text(root + "/open.c", "#include <arm_nnfunctions.h>\n#if 1\nint f(void) { return 0; }\n");
  const auto include = [](const std::string& name) { return refusal({.includes = {name}}); };
  const auto source = [](const std::string& name) { return refusal({.sources = {name}}); };
  EXPECT_EQ(include(root + "/none"), root +
                                         "/none: cannot be opened as a directory of headers: No such file or "
                                         "directory; --include takes a directory, --source a C file");
  EXPECT_NE(include(root + "/loop").find("Too many levels of symbolic links"), std::string::npos);
  EXPECT_NE(include(root + "/binary.c").find("Not a directory"), std::string::npos);
  EXPECT_NE(include("").find("a directory is needed"), std::string::npos);
  EXPECT_EQ(include("a\nb"), "--include: a name must not contain control characters; rename the directory");
  EXPECT_EQ(source("a\x1b.c"), "--source: a name must not contain control characters; rename the file");
  EXPECT_NE(source(root + "/none.c").find("No such file"), std::string::npos);
  EXPECT_NE(source(root + "/fifo.c").find("is a FIFO"), std::string::npos);
  EXPECT_NE(source(root + "/loop").find(root + "/loop: "), std::string::npos);
  EXPECT_NE(source(root + "/empty").find("a directory without C files"), std::string::npos);
  EXPECT_EQ(source(root + "/binary.c"), root + "/binary.c:1: NUL byte; this is not C source");
  EXPECT_EQ(source(root + "/open.c"), root + "/open.c:2: #if without #endif; the file is cut off or damaged");
}

TEST(Vendor, HeadersThatAreLinksOrHugeOrOutsideAreNotRead) {
  const Scratch scratch;
  const std::string root = scratch.root().string();
  fs::create_directory(root + "/inc");
  fs::create_symlink("/etc/passwd", root + "/inc/arm_nnfunctions.h");
  EXPECT_EQ(refusal({.includes = {root + "/inc"}}),
            root +
                "/inc/arm_nnfunctions.h: a link; links below --include are not followed, give the directory that it "
                "leads to");
  fs::remove(root + "/inc/arm_nnfunctions.h");
  write_text(root + "/inc/arm_nnfunctions.h", "x");
  fs::resize_file(root + "/inc/arm_nnfunctions.h", std::uint64_t{1} << 40U);
  EXPECT_NE(refusal({.includes = {root + "/inc"}}).find("a header has at most 64 MiB"), std::string::npos);
  fs::remove(root + "/inc/arm_nnfunctions.h");
  write_text(root + "/secret.h", "int secret;\n");
  write_text(root + "/inc/arm_nnfunctions.h", "#include \"../secret.h\"\n#include \"" + root + "/secret.h\"\n");
  const Import import = import_artifact(kVendors + "cmsis_nn/ops.c", {.includes = {root + "/inc"}});
  EXPECT_EQ(import.artifact.operators.text.find("secret;"), std::string::npos);
  ASSERT_EQ(import.missing.headers.size(), 2U);
  EXPECT_EQ(import.missing.headers[0].name, "../secret.h");
  EXPECT_EQ(import.missing.headers[0].file, root + "/inc/arm_nnfunctions.h");
  EXPECT_EQ(import.missing.headers[0].line, 1U);
}

TEST(Vendor, SourcesWithoutACallAreOmittedWithANote) {
  const Scratch scratch;
  const std::string file = (scratch.root() / "other.c").string();
  write_text(file, "int vendor_other(void) { return 1; }\n");
  const VendorCase& cmsis = vendor_cases()[0];
  ReadOptions options = with(cmsis);
  options.sources.push_back(file);
  const Artifact artifact = read_artifact(kVendors + "cmsis_nn/ops.c", options);
  EXPECT_EQ(artifact.externals.size(), 2U);
  EXPECT_TRUE(has_note(artifact, file + ": defines nothing that is called here; left out"));
}

/// Two files with a static function and a static variable of one name.
TEST(Vendor, NamesThatAreStaticToAFileStayApart) {
  const Scratch scratch;
  const std::string root = scratch.root().string();
  write_text(root + "/ops.c",
             "#include \"v.h\"\nstatic int step(void) { return 1; }\n"
             "int32_t tvmgen_default_f(float* p0, float* T_out) {\n  const int n = vendor_count();\n  for (int32_t i = "
             "0; i < n; "
             "++i) {\n    T_out[i] = p0[i * step()];\n  }\n  return 0;\n}\n"
             "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
             "  if (tvmgen_default_f(x_buffer_var, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n");
  write_text(root + "/v.h", "#pragma once\nint vendor_count(void);\n");
  write_text(root + "/v.c",
             "#include \"v.h\"\nstatic int step(void) { return 4; }\nint vendor_count(void) { return 2 * "
             "step(); }\n");
  const Import import = import_artifact(root + "/ops.c", {.includes = {root}, .sources = {root + "/v.c"}});
  ASSERT_TRUE(import.footprints.at("tvmgen_default_f").understood) << import.footprints.at("tvmgen_default_f").why;
  EXPECT_EQ(import.footprints.at("tvmgen_default_f").params[0].reads, ByteSet({0, 32}));
}

/// The prelude's types give way to those of the file, whose layout counts.
TEST(Vendor, TypesOfTheFileCountBeforeThePreludes) {
  const Scratch scratch;
  const std::string file = (scratch.root() / "ops.c").string();
  write_text(file,
             "typedef short q7_t;\ntypedef struct { int size; float* buf; } cmsis_nn_context;\n"
             "int32_t tvmgen_default_f(q7_t* p0, float* T_out) {\n  cmsis_nn_context c = {8, T_out};\n"
             "  for (int32_t i = 0; i < c.size; ++i) {\n    c.buf[i] = (float)p0[i];\n  }\n  return 0;\n}\n"
             "int32_t tvmgen_default___tvm_main__(q7_t* x_buffer_var, float* output_buffer_var) {\n"
             "  if (tvmgen_default_f(x_buffer_var, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n");
  const Import import = import_artifact(file);
  const FunctionFootprint& f = import.footprints.at("tvmgen_default_f");
  ASSERT_TRUE(f.understood) << f.why;
  EXPECT_EQ(f.params[0].reads, ByteSet({0, 16}));
  EXPECT_EQ(f.params[1].writes, ByteSet({0, 32}));
}

/// A record that is changed behind a read of it is not what its initialiser says.
TEST(Vendor, RecordsThatChangeAreOpaque) {
  const Scratch scratch;
  const std::string file = (scratch.root() / "ops.c").string();
  write_text(file,
             "typedef struct { int size; int step; } shape;\n"
             "static void next(shape* s) { s->size = 16; }\n"
             "static int size_of(const shape* s) { return s->size; }\n"
             "int32_t tvmgen_default_f(float* p0, float* T_out) {\n  shape s = {2, 1};\n"
             "  for (int32_t k = 0; k < 3; ++k) {\n    for (int32_t i = 0; i < size_of(&s); ++i) {\n"
             "      T_out[i] = p0[i];\n    }\n    next(&s);\n  }\n  return 0;\n}\n"
             "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
             "  if (tvmgen_default_f(x_buffer_var, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n");
  const FunctionFootprint f = import_artifact(file).footprints.at("tvmgen_default_f");
  EXPECT_FALSE(f.understood);
  EXPECT_NE(f.why.find("a record that"), std::string::npos) << f.why;
}

}  // namespace
}  // namespace detent::models::tvm
