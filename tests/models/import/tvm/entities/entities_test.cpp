// Hand-parallelised C: tables of every form, footprints by argument, and what must not be taken for known.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_directory.hpp"
#include "models/import/tvm/entities/import.hpp"
#include "models/lower/lower.hpp"
#include "tests/support/error_text.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::models::tvm::entities {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

std::string text_of(const std::string& name) {
  std::ifstream in(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/entities/sources/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

EntityImport import_of(const std::string& text) { return import_entities_text(text, "net.c"); }

std::string refusal_of(const std::string& text) {
  return error_text([&] { import_of(text); });
}

Pairs racing(const EntityImport& import) {
  const LoweredModel lowered = lower(import.model, {.weights = false});
  Pairs pairs;
  for (const verify::Race& race : verify::find_races(lowered.desc(), {}).races.listed)
    pairs.insert({race.op_a, race.op_b});
  return pairs;
}

Pairs edges_of(const EntityImport& import) {
  Pairs pairs;
  for (const Edge& edge : import.model.edges) pairs.insert({edge.from, edge.to});
  return pairs;
}

/// "r buf[0,16) w out[16,32)" of an op.
std::string bytes_of(const EntityImport& import, std::uint32_t op) {
  std::string text;
  for (const auto& [letter, list] :
       {std::pair("r ", &import.model.ops[op].inputs), std::pair("w ", &import.model.ops[op].outputs)}) {
    for (const std::uint32_t tensor : *list)
      text += (text.empty() ? "" : " ") + std::string(letter) + import.model.tensors[tensor].name;
  }
  return text;
}

/// Two kernels on buffers a, b, c of 16 floats; what follows is the table.
std::string with_kernels(const std::string& table) {
  return "#include <stdint.h>\n"
         "static float a[16], b[16], c[16];\n"
         "struct args { const float *in; float *out; int n; };\n"
         "static int copy(void *p) { struct args *s = p;\n"
         "  for (int i = 0; i < s->n; ++i) s->out[i] = s->in[i];\n  return 0; }\n"
         "static struct args ab = {a, b, 16}, bc = {b, c, 8}, ac = {a, c + 8, 8};\n" +
         table;
}

/// The same with records of the usual form, `rows` between the braces and a run function.
std::string with_rows(const std::string& rows, const std::string& more = "") {
  return with_kernels(
             "typedef struct { int (*run)(void *); void *args; const int *next; int next_count; int indegree; } node;\n"
             "static const int one[] = {1}, two[] = {2}, both[] = {1, 2};\n" +
             more + "static node nodes[] = {\n" + rows + "\n};\n") +
         "int go(void) { for (int i = 0; i < 3; ++i) nodes[i].run(nodes[i].args); return 0; }\n";
}

TEST(Entities, ASafeSourceOfTwentyHasNoRace) {
  const EntityImport import = import_of(text_of("safe.c"));
  ASSERT_EQ(import.model.ops.size(), 20U);
  EXPECT_EQ(import.table, "entities");
  EXPECT_EQ(import.model.edges.size(), 22U);
  EXPECT_EQ(import.unknown_count(), 0U);
  EXPECT_TRUE(import.notes.empty()) << import.notes.front();
  EXPECT_EQ(import.model.ops[6].name, "lane1.stage1");
  EXPECT_EQ(bytes_of(import, 0), "r input[0,1024) r args_split[20,24) w arena[0,1024)");
  EXPECT_EQ(bytes_of(import, 6), "r arena[1280,1536) r args_1_1[20,24) w arena[2304,2560)");
  EXPECT_EQ(bytes_of(import, 18), "r arena[1536,2048) w half[256,512)");
  EXPECT_TRUE(racing(import).empty());
}

TEST(Entities, ARacySourceOfTwentyHasExactlyItsThreePairs) {
  const EntityImport import = import_of(text_of("racy.c"));
  ASSERT_EQ(import.model.ops.size(), 20U);
  EXPECT_EQ(import.unknown_count(), 0U);
  EXPECT_EQ(racing(import), (Pairs{{6, 10}, {6, 11}, {7, 10}}));
}

TEST(Entities, MembersAreRecognisedByTypeWhateverTheirNames) {
  const std::string kernels = with_kernels("");
  const std::vector<std::string> tables = {
      // designated, another order
      "struct t { int z; void *q; int (*f)(void *); int y; const unsigned char *x; };\n"
      "static const unsigned char s0[] = {1, 2};\n"
      "static const struct t tab[3] = {[0] = {.f = copy, .q = &ab, .x = s0, .y = 2},\n"
      "  [2] = {.z = 1, .f = copy, .q = &ac}, [1] = {.f = copy, .q = &bc, .z = 1}};\n"
      "int go(void) { for (int i = 0; i < 3; ++i) tab[i].f(tab[i].q); return 0; }\n",
      // an array in the record, ended by an index that no entity has
      "struct t { short next[4]; struct args *q; short deg; int (*f)(void *); };\n"
      "static struct t tab[] = {{{1, 2, -1}, &ab, 0, copy}, {{-1}, &bc, 1, &copy}, {{-1}, &ac, 1, copy}};\n",
      // pointers to entities, in compound literals
      "struct t; struct t { int (*f)(void *); void *q; struct t *const *x; unsigned y, z; };\n"
      "extern struct t tab[3];\n"
      "struct t tab[3] = {{copy, &ab, (struct t *const[]){&tab[1], tab + 2}, 2, 0}, {copy, &bc, 0, 0, 1},\n"
      "  {copy, &ac, 0, 0, 1}};\n",
      // single variables that point to each other
      "struct t { int (*f)(void *); void *q; struct t *x[2]; int z; };\n"
      "static struct t one, two, zero = {copy, &ab, {&one, &two}, 0};\n"
      "static struct t one = {copy, &bc, {0}, 1}, two = {copy, &ac, {0}, 1};\n"
      "static struct t *const all[] = {&zero, &one, &two};\n",
      // ranges of one array
      "struct t { int (*f)(void *); void *q; int first, count, indegree; };\n"
      "static const int pool[] = {1, 2};\n"
      "static struct t tab[] = {{copy, &ab, 0, 2, 0}, {copy, &bc, 2, 0, 1}, {copy, &ac, 2, 0, 1}};\n",
      // a record in the record, macros for rows
      "struct t { struct { int (*f)(void *); void *q; } work; const int *succ; int nsucc, npred; };\n"
      "static const int s0[] = {1, 2};\n"
      "#define ROW(f, q, s, n, p) {{f, &q}, s, n, p}\n"
      "static struct t tab[] = {ROW(copy, ab, s0, sizeof(s0) / sizeof(s0[0]), 0), ROW(copy, bc, 0, 0, 1),\n"
      "  ROW(copy, ac, 0, 0, 1)};\n",
      // names that are text in the record
      "struct t { char name[8]; int (*f)(void *); void *q; int next[2]; int count, indegree; };\n"
      "static struct t tab[] = {{\"first\", copy, &ab, {1, 2}, 2, 0}, {\"second\", copy, &bc, {0}, 0, 1},\n"
      "  {.name = {\"third\"}, copy, &ac, {0}, 0, 1}};\n",
  };
  for (const std::string& table : tables) {
    const EntityImport import = import_of(kernels + table);
    ASSERT_EQ(import.model.ops.size(), 3U) << table;
    EXPECT_EQ(edges_of(import), (Pairs{{0, 1}, {0, 2}})) << table;
    EXPECT_EQ(import.unknown_count(), 0U) << table << (import.notes.empty() ? "" : import.notes.front());
    EXPECT_EQ(bytes_of(import, 0), "r a[0,64) w b[0,64)") << table;
    EXPECT_EQ(bytes_of(import, 1), "r b[0,32) w c[0,32)") << table;
    EXPECT_EQ(bytes_of(import, 2), "r a[0,32) w c[32,64)") << table;
  }
}

TEST(Entities, ArgumentsMayBeArraysOfPointersOrTheEntityItself) {
  const std::string buffers = "static float a[16], b[16], c[16];\nstatic const float w[16] = {1};\n";
  const std::vector<std::string> sources = {
      "static int mul(void **p) { float *x = p[0]; const float *k = p[1]; float *y = p[2];\n"
      "  for (int i = 0; i < 16; ++i) y[i] = x[i] * k[i]; return 0; }\n"
      "struct t { int (*f)(void **); void *p[3]; int succ[1], nsucc, indegree; };\n"
      "static struct t tab[] = {{mul, {a, (void *)w, b}, {1}, 1, 0}, {mul, {b, (void *)w, c}, {0}, 0, 1}};\n"
      "void go(struct t *e) { e->f(e->p); }\n",
      "static void *p0[] = {a, (void *)w, b}, *p1[] = {b, (void *)w, c};\n"
      "static int mul(void *const *p, int n) { for (int i = 0; i < n; ++i)\n"
      "  ((float *)p[2])[i] = ((const float *)p[0])[i] * ((const float *)p[1])[i]; return 0; }\n"
      "struct t { int (*f)(void *const *, int); void **p; int n; const int *succ; int nsucc, indegree; };\n"
      "static const int s[] = {1};\n"
      "static struct t tab[] = {{mul, p0, 16, s, 1, 0}, {mul, p1, 16, 0, 0, 1}};\n"
      "void go(int i) { (*tab[i].f)(tab[i].p, tab[i].n); }\n",
      "struct t { int (*f)(struct t *); const float *x; float *y; int n; const int *succ; int nsucc, indegree; };\n"
      "static int mul(struct t *e) { for (int i = 0; i < e->n; ++i) e->y[i] = e->x[i] * w[i]; return 0; }\n"
      "static const int s[] = {1};\n"
      "static struct t tab[] = {{mul, a, b, 16, s, 1, 0}, {mul, b, c, 16, 0, 0, 1}};\n"
      "void go(struct t *e) { e->f(e); --e->indegree; }\n",
      "static void first(float *y, const float *x) { for (int i = 0; i < 16; ++i) y[i] = x[i] * w[i]; }\n"
      "struct t { void (*f)(float *, const float *); float *io[2]; int succ[1], nsucc, indegree; };\n"
      "static struct t tab[2] = {{first, {b, a}, {1}, 1, 0}, {first, {c, b}, {0}, 0, 1}};\n"
      "void go(int i) { struct t *e = tab + i; e->f(e->io[0], e->io[1]); }\n"};
  for (const std::string& source : sources) {
    const EntityImport import = import_of(buffers + source);
    EXPECT_EQ(import.unknown_count(), 0U) << source << (import.notes.empty() ? "" : import.notes.front());
    EXPECT_EQ(bytes_of(import, 0), "r a[0,64) w b[0,64)") << source;
    EXPECT_EQ(bytes_of(import, 1), "r b[0,64) w c[0,64)") << source;
    EXPECT_EQ(edges_of(import), (Pairs{{0, 1}})) << source;
  }
}

/// What an entity is called with is known where all calls of the file agree in every argument.
TEST(Entities, CallsOfOneFileMustGiveTheSameArguments) {
  const auto import_with = [](const std::string& second_call) {
    return import_of(
        "static float a[16], b[16], c[16];\n"
        "static int mul(float *y, float *x, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; return 0; }\n"
        "struct t { int (*f)(float *, float *, int); float *y, *x; const int *succ; int nsucc, indegree; };\n"
        "static const int s[] = {1};\n"
        "static struct t tab[] = {{mul, b, a, s, 1, 0}, {mul, c, b, 0, 0, 1}};\n"
        "void go(int i) { tab[i].f(tab[i].y, tab[i].x, 16); }\n"
        "void again(struct t *e) { " +
        second_call + " }\n");
  };
  const EntityImport agreeing = import_with("e->f(e->y, e->x, 16);");
  EXPECT_EQ(agreeing.unknown_count(), 0U) << (agreeing.notes.empty() ? "" : agreeing.notes.front());
  EXPECT_EQ(bytes_of(agreeing, 0), "r a[0,64) w b[0,64)");
  EXPECT_EQ(bytes_of(agreeing, 1), "r b[0,64) w c[0,64)");
  EXPECT_EQ(import_with("e->f(e->y, e->x, 8);").unknown_count(), 2U) << "how many elements is not known";
  for (const char* other :
       {"e->f(e->x, e->y, 16);", "e->f(e->y, e->y, 16);", "e->f(e->y, &e->x[1], 16);", "e->f(e->y, 0, 16);"}) {
    const EntityImport import = import_with(other);
    EXPECT_EQ(import.unknown_count(), 2U) << other;
    EXPECT_NE(import.entities[0].why.find("calls in lines 6 and 7 give different arguments"), std::string::npos)
        << other << ": " << import.entities[0].why;
  }
}

TEST(Entities, InitialisersAreEvaluatedAsCSays) {
  const std::string kernel =
      "static float a[64], b[64];\nenum { STEP = 4 };\nstatic const int kHalf = 32 / 2;\n"
      "static int f(void **p) { float *x = p[0], *y = p[1]; for (int i = 0; i < 4; ++i) y[i] = x[i]; return 0; }\n"
      "struct t { int (*run)(void **); void *args[2]; int succ[4]; int nsucc, indegree; };\n"
      "void go(struct t *e) { e->run(e->args); }\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{(1 ? a : b) + STEP * 2, &b[kHalf - 1 + 1]}", "r a[32,48) w b[64,80)"},
      {"{&a[(5 << 2) >> 1], b + (64 - 8) % 30}", "r a[40,56) w b[104,120)"},
      {"{4 + a, &a[63 & 0x1c] - (2 | 1)}", "r a[16,32) w a[100,116)"},
      {"{(char *)a + sizeof(float), (void *)(b + (~0 + 9 ^ 1))}", "r a[4,20) w b[36,52)"},
      {"{5 + (char *)a, 2L + b}", "r a[5,21) w b[8,24)"},
      {"{(short)3 + a, (char)1 + (double *)b}", "r a[12,28) w b[8,24)"},
      {"{[1] = b + -(-3), [0] = &*a}", "r a[0,16) w b[12,28)"},
      {"{[0 ... 1] = a + !0}", "r a[4,20) w a[4,20)"}};
  for (const auto& [args, bytes] : cases) {
    const EntityImport import = import_of(kernel + "static struct t tab[] = {{f, " + args +
                                          ", {1}, 1, 0}, {f, {b, b + 60}, .indegree = 1}};\n");
    EXPECT_EQ(bytes_of(import, 0), bytes) << args << (import.notes.empty() ? "" : import.notes.front());
    EXPECT_EQ(import.unknown_count(), 0U) << args;
  }
  for (const std::string args : {"{(void *)64, b}", "{a + 1 / 0, b}", "{a, 0}", "{a}"}) {
    const std::string text = kernel + "static struct t tab[] = {{f, " + args + ", {0}, 0, 0}};\n";
    const std::string refusal = refusal_of(text);
    if (!refusal.empty()) continue;
    EXPECT_EQ(import_of(text).unknown_count(), 1U) << args;
  }
}

TEST(Entities, OperatorsOfInitialisersHaveTheValuesThatCGivesThemOrAreUnknown) {
  const auto imported = [](const std::string& index) {
    return import_of(
        "static float a[64];\n"
        "static int f(void **p) { float *x = p[0]; for (int i = 0; i < 4; ++i) x[i] = 1; return 0; }\n"
        "struct t { int (*run)(void **); void *args[1]; int succ[4]; int nsucc, indegree; };\n"
        "void go(struct t *e) { e->run(e->args); }\n"
        "static struct t tab[] = {{f, {a + (" +
        index + ")}, {1}, 1, 0}, {f, {a + 60}, .indegree = 1}};\n");
  };
  for (const auto& [index, element] : std::vector<std::pair<std::string, int>>{{"7 + 4", 11},
                                                                               {"7 - 4", 3},
                                                                               {"7 * 4", 28},
                                                                               {"17 / 3", 5},
                                                                               {"17 % 3", 2},
                                                                               {"-17 / -3", 5},
                                                                               {"3 << 2", 12},
                                                                               {"13 >> 2", 3},
                                                                               {"13 & 6", 4},
                                                                               {"9 | 6", 15},
                                                                               {"13 ^ 6", 11},
                                                                               {"-(-3)", 3},
                                                                               {"~(-5)", 4},
                                                                               {"!0", 1},
                                                                               {"!7", 0},
                                                                               {"+6", 6},
                                                                               {"1 ? 8 : 9", 8},
                                                                               {"0 ? 8 : 9", 9},
                                                                               {"(unsigned char)258", 2},
                                                                               {"sizeof(double)", 8},
                                                                               {"1LL << 3 >> 1", 4}}) {
    const EntityImport import = imported(index);
    const std::string from = std::to_string(4 * element), to = std::to_string(4 * element + 16);
    EXPECT_EQ(bytes_of(import, 0), "w a[" + from + "," + to + ")") << index;
    EXPECT_EQ(import.unknown_count(), 0U) << index;
  }
  for (const std::string index : {"3 < 4", "4 <= 4", "5 > 4", "4 >= 4", "3 == 3", "3 != 4", "1 && 2", "0 || 2",
                                  "-8 / -1", "9 % -1", "-8 >> 1", "0 << 63"}) {
    const EntityImport import = imported(index);
    EXPECT_EQ(bytes_of(import, 0), "") << index;
    EXPECT_EQ(import.unknown_count(), 1U) << index;
  }
}

TEST(Entities, VariablesThatAreNotPlainDataAreUnknown) {
  const std::string table =
      "static int f(void *p) { (void)p; buffer[0] = 1; return 0; }\n"
      "struct t { int (*run)(void *); void *args; int succ[1], nsucc, indegree; };\n"
      "static struct t tab[] = {{f, 0, {0}, 0, 0}};\n";
  EXPECT_EQ(import_of("static _Thread_local float buffer[4];\n" + table).unknown_count(), 1U);
  EXPECT_EQ(import_of("static volatile float buffer[4];\n" + table).unknown_count(), 1U);
  EXPECT_EQ(import_of("static float *buffer;\n" + table).unknown_count(), 1U);
  const EntityImport open = import_of("extern float buffer[];\n" + table);
  EXPECT_EQ(bytes_of(open, 0), "w buffer[0,4)");
}

TEST(Entities, VariablesThatKernelsNameAreRegionsToo) {
  const EntityImport import = import_of(
      "static int counter; static float sums[4]; static const int table[4] = {3, 2, 1, 0};\n"
      "static int f(void *p) { (void)p; ++counter; sums[table[1]] += 1.0f; return 0; }\n"
      "static int g(void *p) { (void)p; for (int i = 0; i < 4; ++i) sums[table[i]] = 0; return 0; }\n"
      "struct t { int (*run)(void *); void *args; int succ[1], nsucc, indegree; };\n"
      "static struct t tab[] = {{f, 0, {0}, 0, 0}, {f, 0, {0}, 0, 0}, {g, 0, {0}, 0, 0}};\n"
      "void go(int i) { tab[i].run(tab[i].args); }\n");
  EXPECT_EQ(import.unknown_count(), 0U) << import.notes.front();
  EXPECT_EQ(bytes_of(import, 0), "r counter[0,4) r sums[8,12) w counter[0,4) w sums[8,12)");
  EXPECT_EQ(racing(import), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Entities, WhatIsNotKnownIsSaidAndNamed) {
  const std::string rows = "{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 1}, {KERNEL, ARGS, 0, 0, 1}";
  const auto note_of = [&](const std::string& kernel, const std::string& args, const std::string& more) {
    std::string text = rows;
    text.replace(text.find("KERNEL"), 6, kernel);
    text.replace(text.find("ARGS"), 4, args);
    const EntityImport import = import_of(with_rows(text, more));
    EXPECT_EQ(import.unknown_count(), 1U) << more;
    EXPECT_EQ(import.model.ops[2].footprint, Footprint::kUnknown) << more;
    return import.entities[2].why;
  };
  EXPECT_EQ(note_of("outside", "&ac", "int outside(void *);\n"), "its body is not here");
  EXPECT_NE(note_of("copy", "&ac", "void other(void *); void set(void) { other(&ac); }\n"), "")
      << "another file is given the arguments' address";
  EXPECT_NE(note_of("f", "&ac", "int rand(void); static int f(void *p) { return rand() + (p != 0); }\n").find("rand"),
            std::string::npos);
  EXPECT_NE(note_of("f", "&ac", "static int f(void *p) { struct args *s = p; return asm_thing(s->out); }\n").find("it"),
            std::string::npos);
  EXPECT_NE(note_of("copy", "&open", "static struct args open;\n").find("pointer that was read from memory"),
            std::string::npos);
  EXPECT_NE(note_of("copy", "&none", "static struct args none = {0, c, 4};\n").find("null pointer"), std::string::npos);
  EXPECT_NE(
      note_of("copy", "&far", "static struct args far = {a, c, 17};\n").find("bytes [64, 68) of a, which has 64 bytes"),
      std::string::npos);
  EXPECT_NE(note_of("copy", "&late",
                    "static struct args late = {a, c, 4};\n"
                    "void set(float *x) { late.out = x; }\n")
                .find("may change late"),
            std::string::npos);
  EXPECT_NE(note_of("copy", "&late",
                    "static struct args late = {a, c, 4};\nextern void *memset(void *, int, unsigned long);\n"
                    "void set(void) { memset(&late, 0, sizeof late); }\n")
                .find("late"),
            std::string::npos);
  EXPECT_NE(
      note_of("f", "&ac", "static int f(void *p) { static int n; ++n; return p != 0; }\n").find("file-scope data"),
      std::string::npos);
}

TEST(Entities, WritesThroughPointersToRecordsCountForAllOfThem) {
  const EntityImport import = import_of(with_rows("{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, 1}",
                                                  "void set(struct args *s, float *x) { s->out = x; }\n"));
  EXPECT_EQ(import.unknown_count(), 3U);
  const EntityImport number = import_of(with_rows("{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, 1}",
                                                  "void grow(struct args *s) { s->n++; }\n"));
  EXPECT_EQ(number.unknown_count(), 3U) << "how many elements is not known";
}

TEST(Entities, WhatARunFunctionCountsDownIsNoChange) {
  const EntityImport import = import_of(with_rows(
      "{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, 1}",
      "static int *heap; static node *queue[8]; void *malloc(unsigned long);\n"
      "struct pool { node **ready; int tail; };\n"
      "static void step(int *counter) { --*counter; }\n"
      "static void lower(int *counter, int by) { step(counter); counter[0] -= by; }\n"
      "void start(struct pool *p, node *n) { heap = malloc(12); p->ready = malloc(64); p->ready[p->tail++] = n;\n"
      "  lower(&n->indegree, 1); queue[p->tail] = n; --n->indegree; int *local = malloc(4); local[0] = 3; }\n"));
  EXPECT_EQ(import.unknown_count(), 0U) << import.notes.front();
}

TEST(Entities, ArgumentsThatEntitiesChangeAreNoConstants) {
  const EntityImport import =
      import_of(with_rows("{shrink, &ab, one, 1, 0}, {copy, &ab, 0, 0, 1}",
                          "static int shrink(void *p) { struct args *s = p; s->n = 4; return 0; }\n"));
  EXPECT_EQ(bytes_of(import, 0), "w ab[16,20)");
  EXPECT_EQ(import.model.ops[1].footprint, Footprint::kUnknown) << "its bound is what the other has written";
}

TEST(Entities, ARunFunctionMayKeepWhatItCallsInVariables) {
  std::string text = with_rows("{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, 1}");
  const auto with_body = [&](const std::string& body) {
    const std::size_t begin = text.find("int go(void) {");
    text = text.substr(0, begin) + "int go(void) {" + body + " return 0; }\n";
    return import_of(text);
  };
  EXPECT_EQ(
      with_body("for (int i = 0; i < 3; ++i) { node *e = &nodes[i]; void *a = e->args; e->run(a); }").unknown_count(),
      0U);
  EXPECT_EQ(with_body("int (*f)(void *) = nodes[0].run; f(nodes[0].args);").unknown_count(), 0U);
  EXPECT_EQ(with_body("switch (3) { case 3: nodes[0].run(nodes[0].args); }").unknown_count(), 0U);
  const EntityImport other = with_body("void *a = nodes[1].args; a = 0; nodes[0].run(a);");
  EXPECT_EQ(other.unknown_count(), 3U);
  EXPECT_NE(other.notes[0].find("an argument in line"), std::string::npos) << other.notes[0];
  EXPECT_EQ(with_body("nodes[0].run(nodes[0].args); nodes[1].run(&ab);").unknown_count(), 3U) << "calls differ";
}

TEST(Entities, IndegreesThatContradictTheListsAreErrors) {
  EXPECT_EQ(refusal_of(with_rows("{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 2}, {copy, &ac, 0, 0, 1}")),
            "net.c:11: entity 1 (copy) has an initial indegree of 2 (indegree), but stands in 1 list of successors: it "
            "would never start; correct the number, or add it to the list of a predecessor");
  EXPECT_NE(refusal_of(with_rows("{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 0}, {copy, &ac, 0, 0, 1}"))
                .find("entity 1 (copy) has an initial indegree of 0 (indegree), but stands in 1 list of successors: it "
                      "would start too early"),
            std::string::npos);
  EXPECT_NE(refusal_of(with_rows("{copy, &ab, two, 1, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, 1}"))
                .find("entity 1 (copy) has an initial indegree of 1 (indegree), but stands in 0 lists"),
            std::string::npos);
}

TEST(Entities, BrokenRowsAreErrorsWithTheirEntity) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{copy, &ab, nine, 1, 0}, {copy, &bc, 0, 0, 1}", "has successor 9; there are entities 0 to 1"},
      {"{copy, &ab, one, 3, 0}, {copy, &bc, 0, 0, 1}", "counts 3 successors, and one ends after 1"},
      {"{copy, &ab, 0, 1, 0}, {copy, &bc, 0, 0, 1}", "counts 1 successors and has no list of them"},
      {"{copy, &ab, one, 1, 1}, {copy, &bc, zero, 1, 1}", "successors close a cycle: entity"},
      {"{copy, &ab, one, 1, 0}, {0, &bc, 0, 0, 1}", "entity 1 of nodes has no entry function"},
      {"{copy, &ab, one, 1, 0}, {(int (*)(void *))a, &bc, 0, 0, 1}", "has an entry that is no function of this file"},
      {"{copy, &ab, no_such, 1, 0}", "use of undeclared identifier 'no_such'"},
  };
  for (const auto& [rows, what] : cases) {
    const std::string refusal = refusal_of(
        with_rows(rows, "static const int nine[] = {9}, zero[] = {0}; extern const int *given;\n#define some given\n"));
    EXPECT_NE(refusal.find(what), std::string::npos) << rows << "\n" << refusal;
    EXPECT_TRUE(refusal.starts_with("net.c:")) << refusal;
  }
}

TEST(Entities, ATableThatIsFilledInAtRunTimeIsRefused) {
  const std::string rows = "{copy, &ab, both, 2, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, 1}";
  for (const std::string change : {"nodes[1].next = both;", "nodes[i].run = 0;", "p->next_count = 0;", "*q = 0;",
                                   "switch (i) { case 1: nodes[i].next = both; break; default: break; }",
                                   "switch (i) { case 1: --p->next_count; }", "lower(&nodes[1].next_count);",
                                   "memcpy(nodes, p, sizeof nodes);", "memset(&nodes[1], 0, sizeof nodes[1]);"}) {
    const std::string text = with_rows(rows) +
                             "void lower(int *n) { --*n; }\n"
                             "void *memcpy(void *, const void *, unsigned long);\n"
                             "void *memset(void *, int, unsigned long);\n"
                             "void set(node *p, int i, const int **q) { " +
                             change + " }\n";
    const std::string refusal = refusal_of(text);
    EXPECT_NE(refusal.find("which tells entries and successors"), std::string::npos) << change << "\n" << refusal;
  }
}

TEST(Entities, FilesWithoutOneTableAreRefused) {
  EXPECT_NE(refusal_of("int f(void) { return 0; }\n").find("has no table of entities"), std::string::npos);
  EXPECT_NE(refusal_of("").find("has no table of entities"), std::string::npos);
  EXPECT_NE(refusal_of("struct t { int (*f)(void); int n; };\nint g(void);\nstatic struct t tab[] = {{g, 0}};\n")
                .find("has no list of successors with a number of predecessors"),
            std::string::npos);
  const std::string rows = "{copy, &ab, 0, 0, 0}";
  const std::string two = with_rows(rows) + "static node others[] = {{copy, &bc, 0, 0, 0}};\n";
  EXPECT_NE(refusal_of(two).find("several tables of entities: nodes (line 10), others"), std::string::npos)
      << refusal_of(two);
  EntityOptions options;
  options.table = "others";
  EXPECT_EQ(bytes_of(import_entities_text(two, "net.c", options), 0), "r b[0,32) w c[0,32)");
  options.table = "nothing";
  EXPECT_NE(error_text([&] { import_entities_text(two, "net.c", options); }).find("has no variable nothing"),
            std::string::npos);
  options.table = "ab";
  EXPECT_NE(error_text([&] { import_entities_text(two, "net.c", options); }).find("ab is no table of records"),
            std::string::npos);
  EXPECT_NE(
      refusal_of(with_kernels("struct t { int (*f)(void *); union { int a; float b; } u; int succ[1], n, indegree; };\n"
                              "static struct t tab[] = {{copy, {1}, {0}, 0, 0}};\n"))
          .find("net.c"),
      std::string::npos);
}

TEST(Entities, NumbersThatAgreeWithTwoReadingsAreRefused) {
  const std::string text = with_kernels(
      "struct t { int (*f)(void *); void *q; const int *x; int m; const int *y; int n; };\n"
      "static const int s0[] = {1}, s1[] = {0};\n"
      "static struct t tab[] = {{copy, &ab, s0, 1, 0, 0}, {copy, &bc, 0, 0, s1, 1}};\n");
  EXPECT_NE(refusal_of(text).find("agree with several readings of its members"), std::string::npos) << refusal_of(text);
}

/// Two lists and two numbers that agree with two readings: the names of the members tell which it is.
std::string edges_with_names(const std::string& list, const std::string& m, const std::string& other,
                             const std::string& n) {
  const std::string text =
      with_kernels("struct t { int (*f)(void *); void *q; const int *" + list + "; int " + m + "; const int *" + other +
                   "; int " + n +
                   "; };\nstatic const int s0[] = {1}, s1[] = {0};\n"
                   "static struct t tab[] = {{copy, &ab, s0, 1, 0, 0}, {copy, &bc, 0, 0, s1, 1}};\n");
  std::string edges;
  const std::string refusal = error_text([&] {
    for (const auto& [from, to] : edges_of(import_of(text))) edges += std::to_string(from) + "-" + std::to_string(to);
  });
  return refusal.find("agree with several readings") != std::string::npos ? "several" : edges + refusal;
}

TEST(Entities, NamesTellSuccessorsFromPredecessors) {
  for (const std::string word : {"succ", "next", "child", "kids", "out", "consumer", "dependents", "edge", "targets",
                                 "user", "successors", "Next_Ops"}) {
    EXPECT_EQ(edges_with_names(word, "m", "y", "n"), "0-1") << word;
    EXPECT_EQ(edges_with_names("x", "m", word, "n"), "1-0") << word;
  }
  for (const std::string word : {"indeg", "pred", "dep", "waits", "pending", "parents", "remaining", "join", "need",
                                 "producers", "InDegree", "num_deps"}) {
    EXPECT_EQ(edges_with_names("x", "m", "y", word), "0-1") << word;
    EXPECT_EQ(edges_with_names("x", word, "y", "n"), "1-0") << word;
    EXPECT_EQ(edges_with_names("x", "m", word, "n"), "0-1") << "a list of predecessors: " << word;
  }
  EXPECT_EQ(edges_with_names("x", "next_count", "y", "n"), "0-1");
  EXPECT_EQ(edges_with_names("x", "m", "y", "succ_n"), "1-0");
  for (const std::string word : {"output", "z", "other", "count"}) {
    EXPECT_EQ(edges_with_names(word, "m", "y", "n"), "several") << word;
    EXPECT_EQ(edges_with_names("x", "m", "y", word), "several") << word;
  }
}

TEST(Entities, EmptyRowsAtTheEndAreNoEntities) {
  std::string text = with_rows("{copy, &ab, 0, 0, 0}");
  text.replace(text.find("nodes[]"), 7, "nodes[8]");
  const EntityImport import = import_of(text);
  EXPECT_EQ(import.model.ops.size(), 1U);
  ASSERT_EQ(import.notes.size(), 1U);
  EXPECT_NE(import.notes[0].find("the last 7 of 8 rows of nodes are empty"), std::string::npos);
}

TEST(Entities, HeadersBesideTheFileAndInGivenFoldersAreRead) {
  const TempDirectory directory;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(directory.path() / name) << text;
    return (directory.path() / name).string();
  };
  const std::string path =
      write("net.c", "#include \"node.h\"\n#include <vendor.h>\n" + with_rows("{copy, &ab, 0, 0, PREDECESSORS}"));
  EXPECT_EQ(error_text([&] { import_entities(path); }), path +
                                                            ":1: includes node.h, which is not here; give its "
                                                            "directory with --include DIR");
  write("node.h", "#define PREDECESSORS VENDOR_ZERO\n");
  EXPECT_NE(error_text([&] { import_entities(path); }).find("includes vendor.h"), std::string::npos);
  std::filesystem::create_directory(directory.path() / "include");
  write("include/vendor.h", "#define VENDOR_ZERO 0\n");
  EntityOptions options;
  options.includes = {(directory.path() / "include").string()};
  EXPECT_EQ(import_entities(path, options).model.ops.size(), 1U);
  EXPECT_NE(error_text([&] { import_entities(directory.path() / "no.c"); }).find("no.c"), std::string::npos);
}

TEST(Entities, HostileTextsEndWithAnError) {
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string head =
      "typedef struct { int (*f)(void *); void *q; int succ[1], n, indegree; } node;\nint k(void *);\n";
  EXPECT_NE(refusal_of(head + "node tab[] = {" + repeated("{k, 0, {0}, 0, 0},", 5000) + "};\n")
                .find("at most 4096 are possible"),
            std::string::npos);
  EXPECT_NE(
      refusal_of(head + "node tab[] = {" + repeated("{k, 0, {0}, 0, 0},", 150000) + "};\n").find("tables of more than"),
      std::string::npos);
  EXPECT_NE(refusal_of(head + "node tab[] = " + repeated("{", 100000) + repeated("}", 100000) + ";\n"), "");
  EXPECT_NE(refusal_of(head + "node tab[1] = {{k, " + repeated("(void *)", 20000) + "0, {0}, 0, 0}};\n"), "");
  EXPECT_EQ(import_of(head + "node tab[99999999999] = {{k}};\n").model.ops.size(), 1U) << "all other rows are empty";
  EXPECT_NE(refusal_of(head + "node tab[4000000000] = {[3999999999] = {k, 0, {0}, 0, 0}};\n"), "");
  EXPECT_NE(refusal_of(head + "node tab[] = {{k, 0, {0}, 0, 0}"), "");
  EXPECT_NE(refusal_of(std::string("\0int", 4)), "");
}

const std::string kThreeOfAName =
    "static float a[16], b[16], c[16];\n"
    "struct args { const float *in; float *out; int n; };\n"
    "static int copy(void *p) { struct args *s = p; for (int i = 0; i < s->n; ++i) s->out[i] = s->in[i]; return 0; }\n"
    "static struct args ab = {a, b, 16}, bc = {b, c, 8}, ac = {a, c + 8, 8};\n"
    "typedef struct { int (*run)(void *); void *args; const int *next; int next_count; int indegree; } node;\n"
    "static const int both[] = {1, 2};\n"
    "static node nodes[] = {{copy, &ab, both, FOLLOWERS, 0}, {copy, &bc, 0, 0, 1}, {copy, &ac, 0, 0, THIRD}};\n"
    "int go(void) { for (int i = 0; i < 3; ++i) nodes[i].run(nodes[i].args); return 0; }\n";

/// Each literal is an object more, while the table that holds it is being read.
TEST(Entities, AListForEachEntityAsALiteral) {
  std::string rows;
  Pairs chain;
  for (std::uint32_t i = 0; i < 70; ++i) {
    rows += "{copy, &ab, (const int[]){" + std::to_string(i + 1) + "}, " + (i < 69 ? "1" : "0") + ", " +
            (i > 0 ? "1" : "0") + "},\n";
    if (i < 69) chain.insert({i, i + 1});
  }
  std::string text = kThreeOfAName;
  const std::size_t begin = text.find("static node nodes[]"), end = text.find("int go(");
  text.replace(begin, end - begin, "static node nodes[] = {\n" + rows + "};\n");
  EXPECT_EQ(edges_of(import_of(text)), chain);
}

TEST(Entities, MacrosOfTheCompilersFlagsHaveTheirValues) {
  EntityOptions options;
  options.flags = {"-DFOLLOWERS=2", "-DTHIRD=1"};
  EXPECT_EQ(edges_of(import_entities_text(kThreeOfAName, "net.c", options)), (Pairs{{0, 1}, {0, 2}}));
  options.flags = {"-DFOLLOWERS=1", "-DTHIRD=0"};
  EXPECT_EQ(edges_of(import_entities_text(kThreeOfAName, "net.c", options)), (Pairs{{0, 1}}));
}

/// FOLLOWERS is behind `count` names, each of which stands for the next one.
std::string chain_of_names(int count) {
  std::string text = "#define FOLLOWERS n0\n#define THIRD 1\nenum { last = 2 };\nstatic const int n" +
                     std::to_string(count - 1) + " = last;\n";
  for (int i = count - 2; i >= 0; --i)
    text += "static const int n" + std::to_string(i) + " = n" + std::to_string(i + 1) + ";\n";
  return text + kThreeOfAName;
}

TEST(Entities, NamesThatStandForOtherNamesAreFollowedSoFar) {
  EXPECT_EQ(edges_of(import_of(chain_of_names(1996))), (Pairs{{0, 1}, {0, 2}}));
  EXPECT_NE(refusal_of(chain_of_names(1997)).find("net.c:2007: entity 0 (copy) has a next_count that is not known"),
            std::string::npos);
}

TEST(Entities, TheSameTextGivesTheSameModel) {
  const std::string text = text_of("racy.c");
  EXPECT_EQ(import_of(text).model, import_of(text).model);
}

}  // namespace
}  // namespace detent::models::tvm::entities
