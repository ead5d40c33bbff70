// AccessProbe: instrumented module + bitmaps -> intervals per op and region.
#include "harness/access/probe.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "harness/access/bits.hpp"
#include "harness/access/probed_memory.hpp"
#include "harness/access/recheck.hpp"
#include "harness/instance.hpp"
#include "runtime/sources_text.h"

/// harness/access/probe_prelude.h and harness/access/probe_recorder.c, embedded by the build.
extern "C" const detent_source_file* detent_probe_sources(std::uint32_t* count);

namespace detent::harness {
namespace {

using Attach = void (*)(std::uintptr_t, std::uint64_t, std::uint64_t*, std::uint64_t*, std::uint64_t*, std::uint8_t*);
using Watch = void (*)(std::uintptr_t, std::uint64_t, std::uint64_t*);

/// Where the loaded object that holds an address keeps its variables, and what they were at the last look.
class Variables {
 public:
  explicit Variables(std::uintptr_t inside) : inside_(inside) { dl_iterate_phdr(find, this); }

  [[nodiscard]] std::uintptr_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t bytes() const { return begin_ < end_ ? end_ - begin_ : 0; }

  void keep() {
    for (Segment& segment : segments_) std::memcpy(segment.kept.data(), segment.at, segment.kept.size());
  }
  [[nodiscard]] bool have_changed() const {
    return std::ranges::any_of(segments_, [](const Segment& segment) {
      return std::memcmp(segment.kept.data(), segment.at, segment.kept.size()) != 0;
    });
  }

 private:
  struct Segment {
    const void* at;
    std::vector<std::uint8_t> kept;
  };

  static int find(dl_phdr_info* object, std::size_t /*size*/, void* arg) {
    Variables& self = *static_cast<Variables*>(arg);
    const std::span segments(object->dlpi_phdr, object->dlpi_phnum);
    const auto begin_of = [&](const auto& segment) { return object->dlpi_addr + segment.p_vaddr; };
    const bool is_wanted = std::ranges::any_of(segments, [&](const auto& segment) {
      return segment.p_type == PT_LOAD && self.inside_ - begin_of(segment) < segment.p_memsz;
    });
    if (!is_wanted) return 0;
    for (const auto& segment : segments) {
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
      self.begin_ = std::min<std::uintptr_t>(self.begin_, begin_of(segment));
      self.end_ = std::max<std::uintptr_t>(self.end_, begin_of(segment) + segment.p_memsz);
      self.segments_.push_back(
          {reinterpret_cast<const void*>(begin_of(segment)), std::vector<std::uint8_t>(segment.p_memsz)});
    }
    return 1;
  }

  std::uintptr_t inside_;
  std::uintptr_t begin_ = UINTPTR_MAX, end_ = 0;
  std::vector<Segment> segments_{};
};

std::vector<CSource> with_recorder(std::vector<CSource> sources) {
  std::uint32_t count = 0;
  const detent_source_file* const files = detent_probe_sources(&count);
  for (std::uint32_t i = 0; i < count; ++i) {
    sources.push_back({.name = std::string("detent_") + files[i].path,
                       .text = std::string(files[i].text, files[i].size),
                       .is_support = true});
  }
  return sources;
}

CModuleOptions instrumented(CModuleOptions options, bool watches_thread_local) {
  CCompileOptions& compile = options.compile;
  const bool is_clang = find_compiler(compile.compiler).is_clang;
  compile.flags.push_back("-fno-lto");
  compile.instrument_flags = {"-fsanitize=thread", "-O1", "-fno-builtin", "-U_FORTIFY_SOURCE",
                              "-includedetent_probe_prelude.h"};
  if (watches_thread_local) compile.instrument_flags.push_back("-DDETENT_PROBE_THREAD_LOCAL");
  if (is_clang) {
    // Else a load that a store to the same address follows would not be reported.
    for (const char* const flag : {"-mllvm", "-tsan-instrument-read-before-write=1"}) {
      compile.instrument_flags.push_back(flag);
    }
  } else {
    compile.instrument_flags.push_back("-fno-tree-loop-distribute-patterns");
  }
  compile.link_flags = {"-Wl,--wrap=memcpy", "-Wl,--wrap=memmove", "-Wl,--wrap=memset", "-Wl,--wrap=memcmp"};
  options.private_image = true;  // the recorder's variables belong to this probe
  return options;
}

/// Library functions that touch no memory of a region but what the recorder has seen: the four that it wraps, the
/// allocator, what ends the process, and functions of numbers alone (a trailing f or l says float or long double).
bool is_observed(const std::string& name) {
  static const std::set<std::string> kHarmless = {
      "memcpy", "memmove", "memset",        "memcmp",         "malloc",           "calloc",          "aligned_alloc",
      "free",   "abort",   "__assert_fail", "__tls_get_addr", "__errno_location", "__stack_chk_fail"};
  static const std::set<std::string> kNumeric = {
      "abs",   "acos",      "acosh",   "asin",    "asinh",     "atan",        "atan2", "atanh",     "cbrt",
      "ceil",  "copysign",  "cos",     "cosh",    "erf",       "erfc",        "exp",   "exp10",     "exp2",
      "expm1", "fabs",      "fdim",    "floor",   "fma",       "fmax",        "fmin",  "fmod",      "hypot",
      "ilogb", "labs",      "ldexp",   "llabs",   "llrint",    "llround",     "log",   "log10",     "log1p",
      "log2",  "logb",      "lrint",   "lround",  "nearbyint", "nextafter",   "pow",   "remainder", "rint",
      "round", "roundeven", "scalbn",  "sin",     "sinh",      "sqrt",        "tan",   "tanh",      "tgamma",
      "trunc", "__finite",  "__isinf", "__isnan", "__signbit", "__fpclassify"};
  if (kHarmless.contains(name) || kNumeric.contains(name)) return true;
  return (name.ends_with('f') || name.ends_with('l')) && kNumeric.contains(name.substr(0, name.size() - 1));
}

std::vector<std::string> unobserved(const std::vector<std::string>& imports) {
  std::vector<std::string> result;
  for (const std::string& name : imports) {
    if (!is_observed(name)) result.push_back(name);
  }
  return result;
}

}  // namespace

AccessProbe::AccessProbe(const std::vector<CSource>& sources, const CModuleOptions& options, bool watches_thread_local)
    : module_(with_recorder(sources), instrumented(options, watches_thread_local)),
      unobserved_functions_(unobserved(module_.imports())) {}

AccessProbe::~AccessProbe() = default;

AccessReport AccessProbe::measure(const detent_desc& desc, const ObserveOptions& options) const {
  AccessReport report{.error = check_desc(desc), .ops = {}, .unobserved_functions = unobserved_functions_};
  if (report.error.status != DETENT_OK) return report;
  report.ops.resize(desc.op_count);
  const ProbedMemory memory(desc, 0);
  AccessBits bits(memory.block_bytes());
  const auto attach = reinterpret_cast<Attach>(module_.symbol("detent_probe_attach"));
  std::uint64_t own_writes = 0;
  Variables own(reinterpret_cast<std::uintptr_t>(attach));
  reinterpret_cast<Watch>(module_.symbol("detent_probe_watch"))(own.begin(), own.bytes(), &own_writes);
  const auto base = reinterpret_cast<std::uintptr_t>(memory.block());
  AccessRecheck recheck(memory);
  const Observer observer = [&](const detent_entity& entity, std::size_t backend) {
    if (backend != 0) return entity.run(&entity.args);
    recheck.begin();
    attach(base, memory.block_bytes(), bits.reads(), bits.writes(), bits.early(), bits.dirty());
    own_writes = 0;
    own.keep();
    const std::int32_t code = entity.run(&entity.args);
    const bool changes_variables = own.have_changed();
    attach(0, 0, nullptr, nullptr, nullptr, nullptr);
    const AccessBits::Sets sets = bits.take();
    const ByteRanges writes = unite(sets.writes, recheck.changed());
    OpAccess& access = report.ops[entity.args.op];
    access = memory.by_region(sets.reads, writes, sets.early, AccessMethod::kInstrumented);
    access.variable_writes = std::max<std::uint64_t>(own_writes, changes_variables ? 1 : 0);
    access.is_incomplete = code == 0 && (writes != sets.writes || !recheck.agrees(entity, code, sets.early, writes));
    return code;
  };
  ObserveOptions with_module = options;
  with_module.backends.insert(with_module.backends.begin(), module_.backend());
  report.error = run_observed(memory, with_module, observer);
  return report;
}

}  // namespace detent::harness
