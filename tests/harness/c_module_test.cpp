// CModule: what compiles runs; what does not is one named error with nothing left behind.
#include "harness/module/c_module.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>

#include "harness/module/module_cache.hpp"
#include "tests/harness/module_fixture.hpp"

namespace detent::harness {
namespace {

namespace fs = std::filesystem;
using testing::good_sources;
using testing::kernel_table;
using testing::module_error;

using CModuleTest = testing::ModuleTest;

/// Run add_one of a module over four bytes.
std::vector<std::uint8_t> run_add_one(const CModule& module) {
  std::vector<std::uint8_t> input{1, 2, 3, 255};
  std::vector<std::uint8_t> output(4, 0);
  detent_tensor tensor{};
  tensor.size_bytes = 4;
  const detent_buffer in{input.data(), &tensor};
  const detent_buffer out{output.data(), &tensor};
  detent_kernel_args args{};
  args.inputs = &in;
  args.outputs = &out;
  args.input_count = args.output_count = 1;
  EXPECT_EQ(module.kernels()->kernels[0].run(&args), 0);
  return output;
}

void write_script(const fs::path& path, const std::string& text) {
  std::ofstream(path) << "#!/bin/sh\n" << text;
  fs::permissions(path, fs::perms::owner_all);
}

std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) files.push_back(entry.path());
  return files;
}

TEST_F(CModuleTest, CompilesLoadsAndRuns) {
  const CModule module(good_sources());
  ASSERT_EQ(module.kernels()->count, 1U);
  EXPECT_STREQ(module.kernels()->kernels[0].name, "add_one");
  EXPECT_EQ(run_add_one(module), (std::vector<std::uint8_t>{2, 3, 4, 0}));
  EXPECT_FALSE(module.from_cache());
  EXPECT_FALSE(module.compiler().empty());
  EXPECT_TRUE(temporary_is_empty());
}

TEST_F(CModuleTest, EveryCompilerOfTheSystemWorks) {
  for (const char* const compiler : {"gcc", "clang"}) {
    CModuleOptions options;
    options.compile.compiler = compiler;
    const CModule module(good_sources(), options);
    EXPECT_EQ(run_add_one(module)[0], 2) << compiler;
  }
}

TEST_F(CModuleTest, BackendResolvesItsKernelsOnly) {
  const CModule module(good_sources());
  const detent_backend backend = module.backend();
  detent_entity entity{};
  EXPECT_STREQ(backend.class_name, "*");
  EXPECT_EQ(backend.resolve(backend.self, "add_one", &entity), DETENT_OK);
  EXPECT_EQ(backend.resolve(backend.self, "other", &entity), DETENT_UNKNOWN_KERNEL);
}

TEST_F(CModuleTest, SeveralUnitsAndHeadersAreOneModule) {
  std::vector<CSource> sources = good_sources();
  sources.push_back({"lib/two.h", "int two(void);\n"});
  sources.push_back(
      {"lib/two.c", "#include \"lib/two.h\"\n#include <math.h>\nint two(void) { return (int)exp2f(1); }\n"});
  const CModule module(sources);
  EXPECT_EQ(run_add_one(module)[0], 2);
  EXPECT_EQ(module.symbol("two"), nullptr) << "hidden";
  EXPECT_NE(module.symbol("detent_module_kernels"), nullptr);
}

TEST_F(CModuleTest, SecondUseComesFromTheCache) {
  EXPECT_FALSE(CModule(good_sources()).from_cache());
  const CModule again(good_sources());
  EXPECT_TRUE(again.from_cache());
  EXPECT_EQ(run_add_one(again)[3], 0);
  EXPECT_EQ(files_in(cache()).size(), 1U);
  EXPECT_EQ(fs::status(cache()).permissions(), fs::perms::owner_all);
}

TEST_F(CModuleTest, OtherFlagsAndOtherTextAreOtherEntries) {
  const CModule first(good_sources());
  CModuleOptions options;
  options.compile.flags = {"-O1"};
  EXPECT_FALSE(CModule(good_sources(), options).from_cache());
  std::vector<CSource> sources = good_sources();
  sources[0].text += "/* */";
  EXPECT_FALSE(CModule(sources).from_cache());
  EXPECT_EQ(files_in(cache()).size(), 3U);
}

TEST_F(CModuleTest, WithoutACacheNoFilesRemain) {
  CModuleOptions options;
  options.use_cache = false;
  EXPECT_FALSE(CModule(good_sources(), options).from_cache());
  EXPECT_FALSE(CModule(good_sources(), options).from_cache());
  EXPECT_FALSE(fs::exists(cache()));
  EXPECT_TRUE(temporary_is_empty());
}

TEST_F(CModuleTest, ABuildDirectoryKeepsAllFilesAndNothingIsCached) {
  CModuleOptions options;
  options.build_directory = directory() / "build";
  fs::create_directory(options.build_directory);
  set("GCOV_PREFIX", "");  // that of a run that is measured itself
  options.compile.instrument_flags = {"--coverage"};
  options.compile.link_flags = {"--coverage"};
  {
    const CModule module(good_sources(), options);
    EXPECT_FALSE(module.from_cache());
    EXPECT_EQ(module.kernels()->count, 1U);
    EXPECT_TRUE(fs::exists(fs::path(options.build_directory) / ".unit0.gcno")) << "notes for gcov";
  }
  EXPECT_TRUE(fs::exists(fs::path(options.build_directory) / ".unit0.gcda")) << "counters, where it was unloaded";
  EXPECT_FALSE(fs::exists(cache()));
  EXPECT_TRUE(temporary_is_empty());
}

/// Truncated anywhere, a flipped byte, empty, trailing bytes: built again, and sound afterwards.
TEST_F(CModuleTest, DamagedEntriesAreBuiltAgain) {
  { const CModule first(good_sources()); }
  const fs::path entry = files_in(cache())[0];
  const std::string sound = *read_file(entry);
  std::vector<std::string> damaged{"", sound.substr(0, 100), sound.substr(0, sound.size() - 1), sound + "x", "text"};
  damaged.push_back(sound);
  damaged.back()[sound.size() / 2] ^= 1;
  for (const std::string& bytes : damaged) {
    std::ofstream(entry, std::ios::binary | std::ios::trunc) << bytes;
    const CModule again(good_sources());
    EXPECT_FALSE(again.from_cache()) << bytes.size();
    EXPECT_EQ(run_add_one(again)[1], 3);
  }
  EXPECT_TRUE(CModule(good_sources()).from_cache());
}

TEST_F(CModuleTest, SealedEntryThatDoesNotLoadIsBuiltAgain) {
  { const CModule first(good_sources()); }
  const fs::path entry = files_in(cache())[0];
  const fs::path other = directory() / "no_object";
  std::ofstream(other) << "not an object";
  ASSERT_TRUE(ModuleCache("").store(entry.stem().string(), other));
  EXPECT_FALSE(CModule(good_sources()).from_cache());
  EXPECT_TRUE(CModule(good_sources()).from_cache());
}

TEST_F(CModuleTest, CacheThatCannotBeCreatedIsNotUsed) {
  std::ofstream(directory() / "file") << "x";
  set("XDG_CACHE_HOME", (directory() / "file").string());
  EXPECT_EQ(run_add_one(CModule(good_sources()))[0], 2);
}

TEST_F(CModuleTest, CacheThatOthersCanWriteToIsRefused) {
  const fs::path open = directory() / "open";
  fs::create_directory(open);
  ::chmod(open.c_str(), 0777);
  CModuleOptions options;
  options.cache_directory = open.string();
  EXPECT_EQ(module_error(good_sources(), options),
            open.string() + ": others can write to the cache of compiled modules; chmod 700, or turn it off");
}

/// Closed on one thread: the thread sanitizer does not see the lock under which the loader frees its own tables.
TEST_F(CModuleTest, CacheIsSharedByThreadsThatRace) {
  std::vector<std::unique_ptr<CModule>> modules(4);
  std::vector<std::thread> threads;
  for (std::unique_ptr<CModule>& module : modules) {
    threads.emplace_back([&module] { module = std::make_unique<CModule>(good_sources()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::unique_ptr<CModule>& module : modules) EXPECT_EQ(run_add_one(*module)[2], 4);
  EXPECT_EQ(files_in(cache()).size(), 1U) << "no draft is left";
  EXPECT_TRUE(CModule(good_sources()).from_cache());
}

TEST_F(CModuleTest, PrivateImagesDoNotShareVariables) {
  std::vector<CSource> sources = good_sources();
  sources[0].text += "__attribute__((visibility(\"default\"))) int count = 1;\n";
  CModuleOptions options;
  const CModule shared_a(sources, options);
  const CModule shared_b(sources, options);
  EXPECT_EQ(shared_a.symbol("count"), shared_b.symbol("count"));
  options.private_image = true;
  const CModule private_a(sources, options);
  const CModule private_b(sources, options);
  EXPECT_NE(private_a.symbol("count"), private_b.symbol("count"));
  EXPECT_NE(private_a.symbol("count"), shared_a.symbol("count"));
  EXPECT_TRUE(private_a.from_cache());
}

TEST_F(CModuleTest, ImportsAreListed) {
  std::vector<CSource> sources = good_sources();
  sources[0].text += "float expf(float);\nfloat f(float x) { return expf(x); }\n";
  const CModule module(sources);
  EXPECT_NE(std::ranges::find(module.imports(), "expf"), module.imports().end());
}

TEST_F(CModuleTest, ErrorNamesFileAndLineOfTheFirst) {
  std::vector<CSource> sources = good_sources();
  sources.push_back({"lib/broken.c", "int a;\nint b = ;\nint c = ;\n"});
  for (const char* const compiler : {"gcc", "clang"}) {
    CModuleOptions options;
    options.compile.compiler = compiler;
    const std::string error = module_error(sources, options);
    EXPECT_TRUE(error.starts_with("lib/broken.c:2: ")) << error;
    EXPECT_NE(error.find("repair the source"), std::string::npos) << error;
  }
  EXPECT_TRUE(temporary_is_empty());
}

TEST_F(CModuleTest, ErrorOfTheFirstFileIsReportedWhateverTheTiming) {
  std::vector<CSource> sources = good_sources();
  for (const char* const name : {"b.c", "c.c", "d.c"}) sources.push_back({name, "int x = ;\n"});
  CModuleOptions options;
  options.compile.jobs = 4;
  EXPECT_TRUE(module_error(sources, options).starts_with("b.c:1: "));
}

TEST_F(CModuleTest, MissingHeaderIsNamed) {
  const std::string error = module_error({{"a.c", "#include <vendor/chip.h>\n"}});
  EXPECT_TRUE(error.starts_with("a.c:1: vendor/chip.h")) << error;
  EXPECT_NE(error.find("give that file"), std::string::npos);
}

TEST_F(CModuleTest, UndefinedFunctionIsNamed) {
  std::vector<CSource> sources = good_sources();
  sources[0].text += "int arm_convolve(void);\nint f(void) { return arm_convolve(); }\n";
  for (const char* const compiler : {"gcc", "clang"}) {
    CModuleOptions options;
    options.compile.compiler = compiler;
    EXPECT_NE(module_error(sources, options).find("undefined reference to `arm_convolve'"), std::string::npos);
  }
}

TEST_F(CModuleTest, MissingEntryIsNamed) {
  EXPECT_EQ(module_error({{"a.c", "int x;\n"}}),
            "module: no function detent_module_kernels; define it in one of the sources");
}

TEST_F(CModuleTest, TablesThatCannotBeUsedAreRefused) {
  const std::string begin =
      "#include <detent/backend.h>\nstatic int32_t f(const detent_kernel_args *a) { return 0; }\n";
  const auto error = [&begin](const std::string& kernels, const std::string& table) {
    return module_error({{"a.c", begin + "static const detent_kernel k[] = {" + kernels +
                                     "};\nstatic const detent_kernel_table t = " + table +
                                     ";\nconst detent_kernel_table *detent_module_kernels(void) { return &t; }\n"}});
  };
  EXPECT_EQ(error("{\"f\", f}", "{k, 1}"), "");
  EXPECT_EQ(error("{\"f\", f}", "{k, 4294967295u}"),
            "detent_module_kernels: has 4294967295 kernels; at most 4000000 are possible; repair the module's table");
  EXPECT_EQ(error("{\"f\", f}", "{0, 1}"),
            "detent_module_kernels: has a count but no kernels; repair the module's table");
  EXPECT_EQ(error("{0, f}", "{k, 1}"), "detent_module_kernels: kernel 0 has no name; repair the module's table");
  EXPECT_EQ(error("{\"f\", 0}", "{k, 1}"),
            "detent_module_kernels: kernel 0 (f) has no function; repair the module's table");
  EXPECT_EQ(error("{\"f\", f}, {\"f\", f}", "{k, 2}"),
            "detent_module_kernels: kernel 1: duplicate name 'f'; repair the module's table");
  const std::string null = begin + "const detent_kernel_table *detent_module_kernels(void) { return 0; }\n";
  EXPECT_EQ(module_error({{"a.c", null}}), "detent_module_kernels: returned null; repair the module's table");
}

TEST_F(CModuleTest, B62_HostileNamesAreRefused) {
  for (const char* const name :
       {"", "/etc/a.c", "../a.c", "a/../b.c", "a//b.c", "a/", "./a.c", ".hidden.c", "-o.c", "a b.c", "a;rm.c",
        "a$(x).c", "a\nb.c", "a`x`.c", "~/a.c", "a\\b.c", "runtime/include/detent/kernel.h"}) {
    std::vector<CSource> sources = good_sources();
    sources.push_back({name, "int x;\n"});
    const std::string error = module_error(sources);
    EXPECT_TRUE(error.starts_with("source \"")) << name << ": " << error;
  }
  std::vector<CSource> sources = good_sources();
  sources.push_back({std::string(300, 'a') + ".c", ""});
  EXPECT_NE(module_error(sources), "");
  sources.back().name = std::string("a\0b.c", 5);
  EXPECT_NE(module_error(sources), "");
}

TEST_F(CModuleTest, FileAndDirectoryOfOneNameAreRefused) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"a.c", "a.c/b.c"}, {"a.c/b.c", "a.c"}}) {
    std::vector<CSource> sources = good_sources();
    for (const std::string& name : names) sources.push_back({name, "int x;\n"});
    EXPECT_NE(module_error(sources).find("file and a directory"), std::string::npos);
  }
}

TEST_F(CModuleTest, MissingUnitAndInvalidFlagsAreRefused) {
  EXPECT_EQ(module_error({}), "sources: no file ends in .c; nothing to compile");
  EXPECT_EQ(module_error({{"a.h", ""}}), "sources: no file ends in .c; nothing to compile");
  CModuleOptions options;
  options.compile.flags = {"-O2", "/etc/passwd"};
  EXPECT_EQ(module_error(good_sources(), options),
            "compiler flag \"/etc/passwd\": does not begin with -; give options only");
}

TEST_F(CModuleTest, FlagsNeverReachAShell) {
  CModuleOptions options;
  const fs::path proof = directory() / "proof";
  options.compile.flags = {"-DX=$(touch " + proof.string() + ")", "-DY=;touch " + proof.string()};
  EXPECT_EQ(module_error(good_sources(), options), "");
  EXPECT_FALSE(fs::exists(proof));
}

TEST_F(CModuleTest, MissingCompilerIsRefusedWithThePackageToInstall) {
  CModuleOptions options;
  options.compile.compiler = "no-such-compiler";
  EXPECT_EQ(module_error(good_sources(), options),
            "compiler: \"no-such-compiler\" (as given) is not an executable program; install one (Debian: apt install "
            "gcc libc6-dev) or name it");
  set("CC", "no-such-cc -m32");
  EXPECT_EQ(module_error(good_sources()),
            "compiler: \"no-such-cc -m32\" (from CC) is not an executable program; install one (Debian: apt install "
            "gcc libc6-dev) or name it");
  ::unsetenv("CC");
  set("PATH", directory().string());
  EXPECT_EQ(
      module_error(good_sources()),
      "compiler: none of cc, gcc and clang is on PATH; install one (Debian: apt install gcc libc6-dev) or name it");
}

TEST_F(CModuleTest, CompilerComesFromTheEnvironmentWithArguments) {
  set("CC", "gcc -DFROM_CC");
  std::vector<CSource> sources = good_sources();
  sources[0].text += "#ifndef FROM_CC\n#error not given\n#endif\n";
  EXPECT_EQ(module_error(sources), "");
}

TEST_F(CModuleTest, ProgramsThatAreNotCompilersAreRefused) {
  CModuleOptions options;
  for (const char* const name : {"/bin/false", "/", "/etc/passwd"}) {
    options.compile.compiler = name;
    EXPECT_NE(module_error(good_sources(), options).find("compiler: "), std::string::npos) << name;
  }
  const fs::path liar = directory() / "says nothing";
  write_script(liar, "echo version 1\nexit 0\n");
  options.compile.compiler = liar.string();
  EXPECT_EQ(module_error(good_sources(), options),
            "link: " + liar.string() + " made no file; is it a C compiler that links?");
  write_script(liar, "[ \"$1\" = --version ] && echo version 1 && exit 0\nkill -SEGV $$\n");
  EXPECT_EQ(module_error(good_sources(), options),
            "ops/add.c: " + liar.string() + " was ended by signal 11; is there enough memory?");
  EXPECT_TRUE(temporary_is_empty());
}

TEST_F(CModuleTest, CompilerThatHangsIsKilledWithItsChildren) {
  const fs::path slow = directory() / "slow";
  write_script(slow, "[ \"$1\" = --version ] && echo version 1 && exit 0\nsleep 1000 &\nexec >&- 2>&-\nwait\n");
  CModuleOptions options;
  options.compile.compiler = slow.string();
  options.compile.time_limit_ms = 50;
  EXPECT_EQ(module_error(good_sources(), options),
            "ops/add.c: " + slow.string() + " took longer than 50 ms; raise the limit or lower -O");
  EXPECT_TRUE(temporary_is_empty());
}

TEST_F(CModuleTest, ManyConstantsCompile) {
  std::string text = "const float table[] = {";
  for (int i = 0; i < 200'000; ++i) text += "0x1.8p-4f, ";
  std::vector<CSource> sources = good_sources();
  sources.push_back({"constants.c", text + "};\n"});
  EXPECT_EQ(module_error(sources), "");
}

TEST(FirstError, UnderstandsCompilersAndLinkers) {
  EXPECT_EQ(first_error("In file included from a.c:1:\nb.h:3:9: error: unknown type\n"), "b.h:3: unknown type");
  EXPECT_EQ(first_error("a.c:3:7: fatal error: x.h: No such file\ncompilation terminated.\n"),
            "a.c:3: x.h: No such file");
  EXPECT_EQ(first_error("cc1: error: bad option\n"), "cc1: bad option");
  EXPECT_EQ(
      first_error("ld: a.o: in function `f':\na.c:(.text+0x5): undefined reference to `g'\ncollect2: error: ld\n"),
      "a.c:(.text+0x5): undefined reference to `g'");
  EXPECT_EQ(first_error("odd\x01line\n"), "odd?line");
  EXPECT_EQ(first_error(""), "");
}

TEST(FirstError, FirstLineWithAPlaceOrACauseIsTaken) {
  EXPECT_EQ(first_error("a.c:3:7: error: one\nb.c:4:8: error: two\n"), "a.c:3: one");
  EXPECT_EQ(first_error("a.c:3: error: without a column"), "a.c:3: without a column");
  EXPECT_EQ(first_error("a:b.c:3:7: error: colons"), "a:b.c:3: colons");
  EXPECT_EQ(first_error("x:3: error: y"), "x:3: y");
  EXPECT_EQ(first_error(": error: y"), ": y");
  EXPECT_EQ(first_error("a.c:3:x: error: y"), "a.c:3: y");
  EXPECT_EQ(first_error("a.c:3:: error: y"), "a.c:3:: y");
  EXPECT_EQ(first_error("a.c:3:7: error:y"), "a.c:3:7: error:y");
  EXPECT_EQ(first_error("warning\nld: multiple definition of x\nld: undefined symbol: y\n"),
            "ld: multiple definition of x");
  EXPECT_EQ(first_error("warning\nld: undefined symbol: y\n"), "ld: undefined symbol: y");
  EXPECT_EQ(first_error("warning\nld: cannot find -lx\n"), "ld: cannot find -lx");
  EXPECT_EQ(first_error("clang: error: linker command failed with exit code 1\nsecond\n"), "second");
  EXPECT_EQ(first_error("collect2: error: ld returned 1\n"), "");
  EXPECT_EQ(first_error("\nfirst\nsecond"), "first");
  EXPECT_EQ(first_error(std::string(400, 'x')), std::string(400, 'x'));
  EXPECT_EQ(first_error(std::string(401, 'x')), std::string(400, 'x') + "...");
  EXPECT_EQ(first_error("a\x1f\x20\x7e\x7f"), "a? ~?");
}

TEST(SafeSources, NamesAndFlags) {
  const auto said = [](const std::vector<CSource>& sources, const CCompileOptions& options = {}) -> std::string {
    try {
      require_safe_sources(sources, options);
    } catch (const std::invalid_argument& bad) {
      return bad.what();
    }
    return "";
  };
  const std::string unsafe = ": not a safe relative name; use letters, digits and ._+- below the directory";
  for (const char* name : {"a.c", "a/b.c", "a/b/c.c", "A-Z_0+9.c", "a..c"}) EXPECT_EQ(said({{name, ""}}), "") << name;
  for (const char* name :
       {"", "/a.c", "a//b.c", "a/", "../a.c", "a/../b.c", ".a.c", "-a.c", "a/-b.c", "a b.c", "a;b.c"})
    EXPECT_EQ(said({{name, ""}}), "source \"" + std::string(name) + "\"" + unsafe) << name;
  EXPECT_EQ(said({{std::string(198, 'a') + ".c", ""}}), "");
  EXPECT_EQ(said({{std::string(199, 'a') + ".c", ""}}), "source \"" + std::string(199, 'a') + ".c\"" + unsafe);
  EXPECT_EQ(said({{"a.c", ""}, {"b.h", ""}, {"a.c", ""}}), "source \"a.c\": duplicate name; rename one");
  EXPECT_EQ(said({{"a.h", ""}}), "sources: no file ends in .c; nothing to compile");
  EXPECT_EQ(said({{"a.c", "", true}}), "sources: no file ends in .c; nothing to compile");
  EXPECT_EQ(said({{"a.c", "", true}, {"b.c", ""}}), "");
  CCompileOptions options;
  for (auto* flags : {&options.flags, &options.instrument_flags, &options.link_flags}) {
    const std::vector<std::string> before = *flags;
    *flags = {"-O"};
    EXPECT_EQ(said({{"a.c", ""}}, options), "");
    for (const std::string& flag : {std::string("-"), std::string("O2"), std::string("")}) {
      *flags = {flag};
      EXPECT_EQ(said({{"a.c", ""}}, options),
                "compiler flag \"" + flag + "\": does not begin with -; give options only");
    }
    *flags = before;
  }
}

}  // namespace
}  // namespace detent::harness
