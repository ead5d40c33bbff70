#include "tests/e2e/random/command_lines.hpp"

#include <algorithm>

#include "tests/e2e/random/random_graph_file.hpp"
#include "tests/support/xorshift.hpp"

namespace detent::e2e {
namespace {

using Options = std::vector<std::vector<std::string>>;

/// Small networks, with everything that one can have: two classes of cores, guards, waits, faults of every kind.
const std::vector<std::string> kModels = {
    "branchnet",     "branchnet_int8",   "cascade",        "refine",      "fallback",
    "diamond",       "diamond:5",        "chain:6",        "wide:9",      "random:7:14",
    "erdos:3:12",    "erdos:8:20",       "yolov8n_npu:32", "yolov8n:32",  "series_parallel:4:10",
    "calibration:2", "bad_reuse_war",    "bad_reuse_waw",  "bad_cycle",   "bad_duplicate_edge",
    "bad_overlap",   "bad_out_of_arena", "bad_branch",     "bad_retry",   "graph1.json",
    "graph2.json",   "graph3.json",      "graph4.json",    "graph5.json", "graph6.json"};
const std::vector<std::string> kSmallModels = {"branchnet",     "cascade",     "refine",      "fallback",   "diamond",
                                               "chain:4",       "erdos:2:8",   "random:3:9",  "bad_branch", "bad_retry",
                                               "bad_reuse_war", "graph1.json", "graph2.json", "graph7.json"};

/// `models`, and some of which the line says more.
std::vector<std::string> and_timed(std::vector<std::string> models) {
  models.insert(models.end(),
                {"branchnet --costs costs.toml", "cascade --outcome is_sure=then", "bad_retry --outcome step=fails",
                 "refine --outcome refined.0.cond=else", "fallback --outcome second.npu=fails"});
  return models;
}

const std::vector<std::string> kChip = {"--platform quad_npu", "--platform rk3588",   "--platform orin_nano",
                                        "--platform am62a",    "--platform imx93",    "--platform tda4vm",
                                        "--cores 2",           "--cores cpu=2,npu=1", "--cores cpu=1,npu=2",
                                        "--platform nowhere",  "--cores cpu=0"};
const std::vector<std::string> kPolicy = {"--policy id", "--policy priority", "--policy critical-path", "--policy fifo",
                                          "--policy lifo"};
const std::vector<std::string> kWorkers = {"--workers 1", "--workers 2", "--workers 3", "--workers 4", "--workers 65"};
const std::vector<std::string> kMode = {"--mode serial", "--mode layered", "--mode closed-loop", "--mode static",
                                        "--mode fast"};
const std::vector<std::string> kScheduler = {"--scheduler role", "--scheduler thread", "--scheduler none"};
const std::vector<std::string> kJitter = {"--jitter uniform:0.2",    "--jitter worst",
                                          "--jitter triangular:0.5", "--jitter npu=uniform:0.4,worst",
                                          "--jitter pareto:0.3:2",   "--jitter 'lognormal:0.2;corr=core:0.5'",
                                          "--jitter uniform:-1"};
const std::vector<std::string> kDeadline = {"--deadline 1us", "--deadline 400us", "--deadline 9ms", "--deadline 9"};
const std::vector<std::string> kFailures = {"--failures 0", "--failures 1", "--failures 2", "--failures -1"};
const std::vector<std::string> kSet = {"--set first.toml", "--set second.toml", "--set third.toml", "--set bad.toml"};
const std::vector<std::string> kSplit = {"--split 2", "--split 3", "--split 99999"};
const std::vector<std::string> kSeed = {"--seed 5", "--seed 77", "--seed x"};
const std::vector<std::string> kInputSeed = {"--input-seed 3", "--input-seed 4", "--input-seed -"};
const std::vector<std::string> kNoOverheads = {"--no-overheads"};
const std::vector<std::string> kNoContention = {"--no-contention"};
const std::vector<std::string> kPrivatePorts = {"--private-ports"};
const std::vector<std::string> kNoNpu = {"--no-npu"};
const std::vector<std::string> kDevice = {"--device software", "--device absent.so"};
const std::vector<std::string> kQuiet = {"--quiet"};

/// The options of both, those of `more` behind.
Options with(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

Options faults() {
  return {{"--fail-op 1", "--fail-op 2=42", "--fail-op 1,2", "--fail-op 900"},
          {"--late-op 1=2ms", "--late-op 0=5us", "--late-op 1"},
          {"--fail-device npu", "--fail-device npu,2", "--fail-device cpu,2+=7", "--fail-device moon"},
          {"--deadline-op 5ms", "--deadline-op 1us", "--deadline-op soon"},
          {"--cancel-at 1", "--cancel-at 2:end", "--cancel-at x"},
          {"--answer-twice 1", "--answer-twice x"}};
}

std::vector<LineParts> make_parts() {
  const Options checking = {kChip,
                            kWorkers,
                            kPolicy,
                            kMode,
                            kScheduler,
                            kJitter,
                            kDeadline,
                            kSet,
                            kSplit,
                            kSeed,
                            kInputSeed,
                            kNoOverheads,
                            kNoContention,
                            kPrivatePorts,
                            kNoNpu,
                            {"--runs 4", "--runs 9", "--runs 0"},
                            {"--search 6", "--search 2000000000"},
                            {"--execute-runs 0", "--execute-runs 2", "--execute-runs x"},
                            {"--timing-only"},
                            {"--migrating"}};
  const Options simulation = with(checking, {kDevice});
  const Options times = {kChip, kWorkers, kPolicy, kJitter, kSet, kSplit, kNoNpu};
  return {
      {"verify",
       "verify {}",
       kModels,
       {kSplit,
        {"--smt", "--smt --smt-steps 20000", "--smt --smt-steps 0"},
        kQuiet,
        {"--sarif out.sarif"},
        {"--junit out.xml"},
        {"--fix edges -o fixed.json", "--fix places -o fixed.json", "--fix all -o fixed.json"}},
       32},
      {"bound", "bound {}", and_timed(kModels),
       with(times, {{"--method all", "--method graham", "--method he2022", "--method typed", "--method serial",
                     "--method exact", "--method sag", "--method lists", "--method best"},
                    {"--budget"},
                    {"--max-states 50", "--max-states 3000", "--max-states x"},
                    {"--sag-width 1", "--sag-width 3", "--sag-width 0"},
                    {"--method exact --witness out.json"},
                    kDeadline,
                    kFailures,
                    kNoOverheads,
                    kNoContention,
                    kPrivatePorts}),
       64},
      {"simulate", "simulate {}", and_timed(kModels),
       with(simulation, {{"--keep-worst 2", "--keep-worst 0"},
                         {"--sensitivity", "--sensitivity --sensitivity-step 0.2", "--sensitivity-step -1"},
                         {"--out out"},
                         {"--campaign out.json --shard 1/2", "--campaign out.json", "--shard 2/2"}}),
       64},
      {"simulate_faults", "simulate {} --runs 2", kSmallModels,
       with({kChip, kWorkers, kPolicy, kSet, kSeed, {"--hang-op 1", "--hang-device npu"}}, faults()), 32},
      {"simulate_together",
       "simulate {} branchnet diamond:3 --runs 3",
       kSmallModels,
       {kChip,
        kWorkers,
        kPolicy,
        kMode,
        kJitter,
        kSeed,
        {"--priorities 2,1,0", "--priorities 1", "--priorities a,b,c"},
        {"--period 3ms", "--period 1ms,2ms,0", "--period 5"},
        kNoOverheads,
        kNoContention,
        kDeadline},
       24},
      {"explore",
       "explore {} --budget 40",
       kSmallModels,
       {kWorkers,
        kSeed,
        kFailures,
        kSet,
        kInputSeed,
        {"--count"},
        {"--strategy dfs", "--strategy sample", "--strategy pairs", "--strategy pct", "--strategy pos",
         "--strategy random", "--strategy best"},
        {"--mutex-orders"},
        {"--commuting-orders"},
        {"--max-states 500", "--max-states 5", "--max-states x"},
        {"--max-traces 100", "--max-traces x"},
        {"--simulate 2", "--simulate 17"},
        {"--failure failure.json"},
        {"--shard 0/2", "--shard 2/2"}},
       48},
      {"explore_threads",
       "explore {} --level threads --budget 40",
       {"diamond", "chain:2", "refine", "bad_branch", "erdos:2:3"},
       {{"--workers 1", "--workers 2", "--workers 99"},

        {"--strategy dfs", "--strategy bounded", "--strategy pct", "--strategy pos", "--strategy random",
         "--strategy rotate", "--strategy sample"},
        kMode,
        kScheduler,
        {"--memory sc", "--memory c11", "--memory tso"},
        {"--spurious 1", "--spurious 9"},
        {"--cancel"},
        {"--deadline 5us", "--deadline 5"},
        {"--runs 2", "--runs 9"},
        {"--spin 1", "--spin 9"},
        {"--fail-op 1", "--fail-op 77"},
        {"--failing-starts 1", "--failing-starts 9"},
        kSeed},
       32},
      {"plan",
       "plan {}",
       kModels,
       {kSplit,
        {"--order serial", "--order parallel", "--order random"},
        {"--capacity 64KiB", "--capacity 1MiB", "--capacity 5", "--capacity five"},
        kQuiet},
       24},
      {"plan_front",
       "plan {} --pareto",
       kSmallModels,
       {kChip,
        kWorkers,
        kPolicy,
        kJitter,
        kNoNpu,
        {"--points 2", "--points 5", "--points 65"},
        {"--max-states 100", "--max-states 2000", "--max-states x"},
        {"--html out.html"},
        {"-o out"}},
       16},
      {"partition",
       "partition {}",
       kModels,
       {{"--platform quad_npu", "--platform rk3588", "--platform imx93", "--platform x"},
        kWorkers,
        kPolicy,
        kJitter,
        kSet,
        kSplit,
        {"--devices cpu", "--devices cpu,npu", "--devices gpu"},
        {"--can npu=conv2d_f32", "--can 'npu=*'", "--can npu"},
        {"--by nnapi", "--by makespan", "--by bound", "--by x"},
        {"--max-trials 30", "--max-trials 0"},
        {"-o out.toml"}},
       32},
      {"synthesize", "synthesize {} --max-nodes 3000", kModels,
       with(times, {{"--objective makespan", "--objective worst-case", "--objective best"}, {"-o out.json"}}), 24},
      {"check", "check {} --out out --schedules 12", and_timed(kModels),
       with(checking, {kFailures, {"--max-states 0", "--max-states 400"}, {"--junit out.xml"}, {"--no-audit"}}), 32},
      {"show", "show {}", kModels, {kSplit, kSet, kQuiet}, 32},
      {"graph", "graph {}", kModels, {kSplit, kSet}, 32},
      {"run", "run {} --workers 1", kModels,
       with({kPolicy,
             kMode,
             kScheduler,
             kSet,
             kSplit,
             kInputSeed,
             kDevice,
             {"--output out.npy", "--output out.raw", "--output nothing=x.raw"}},
            faults()),
       48},
      {"emit",
       "emit c {} --out out",
       kModels,
       {kSplit, kSet, kWorkers, {"--force"}, {"--no-audit"}, {"--workers 2,3"}},
       24},
      {"npu",
       "npu {}",
       {"--gemm 64,32,128 --array 8,32", "--gemm 7,9,300 --array 8,32", "--conv 30,30,3,3,16,32,1 --array 16,16",
        "--conv 9,9,3,3,4,8,2", "--conv 2,9,3,3,4,8,2", "--depthwise 18,18,3,3,32,1 --array 16,16",
        "--elementwise 4000,2 --array 16,16", "branchnet", "yolov8n:32", "--gemm 1,2 --conv 3"},
       {{"--array 4,4", "--array 0,1"},
        {"--platform am62a", "--platform imx93", "--platform x"},
        {"--dataflow os", "--dataflow ws", "--dataflow is", "--dataflow rs"},
        {"--bandwidth 4", "--bandwidth 8,4,2", "--bandwidth 0"},
        {"--buffers 1024,512,256", "--buffers 64KiB,32KiB,16KiB", "--buffers 1"},
        {"--word-bytes 2", "--word-bytes 4", "--word-bytes 17"},
        {"--lanes 8", "--lanes -1"},
        {"--private-ports", "--shared-port"}},
       96},
      {"list",
       "list {}",
       {"models", "platforms", "devices", "policies", "kernels", "operators", "fruits"},
       {{"--platform rk3588", "--platform x"}, {"--markdown"}, {"--device software"}},
       24},
      {"tasks",
       "tasks tasks.toml",
       {},
       {{"--platform quad_npu", "--platform rk3588", "--cores 2", "--cores cpu=2,npu=1", "--cores 0"},
        kWorkers,
        kPolicy,
        kJitter,
        {"--runs 3", "--runs 0"},
        {"--max-states 0", "--max-states 3000", "--max-states x"},
        kNoOverheads,
        kNoContention,
        kPrivatePorts,
        kNoNpu},
       24},
      {"replay_simulated",
       "replay 'detent-replay/1 model={} on=sim workers=2 seed=3 mode=closed-loop policy=id split=1 input_seed=0",
       kSmallModels,
       {{"platform=cores:2", "platform=cores:cpu=2,npu=1", "platform=quad_npu", "platform=rk3588", "platform=x"},
        {"jitter=uniform:0.1", "jitter=lognormal:0.2", "jitter=worst", "jitter=x"},
        {"npu=0", "npu=1", "npu=2"},
        {"overheads=0", "overheads=1", "overheads=x"},
        {"scheduler=thread", "scheduler=role", "scheduler=x"},
        {"times=worst", "times=1:20", "times=x"},
        {"contention=0", "contention=1", "contention=-"},
        {"before=1<0", "before=0<1", "before=x"},
        {"makespan_ps=29809351", "makespan_ps=1", "makespan_ps=x"},
        {"digest=a2348100a7e0de4c", "digest=x"},
        {"given=0,1", "unknown=1"}},
       40},
      {"pool",
       "explore {} chain:2 --level threads --budget 12 --workers 1",
       {"chain:1", "chain:2", "diamond:2"},
       {{"--strategy pct", "--strategy pos", "--strategy random", "--strategy rotate", "--strategy pairs"},
        {"--priorities 1,0", "--priorities 0,0", "--priorities 1"},
        {"--memory sc", "--memory c11"},
        {"--spurious 1", "--spurious 99"},
        {"--cancel"},
        {"--fail-op 0", "--fail-op 0,1", "--fail-op 99"},
        {"--device software", "--failure failure.json", "--duplicate-answers 1", "--level ops"},
        kSeed},
       16},
      {"memory_problem",
       "plan --problem {}",
       {"problem.csv", "larger.csv", "first.toml"},
       {{"--capacity 64KiB", "--capacity 24", "--capacity 13", "--capacity five"},
        {"--max-nodes 10", "--max-nodes 1000", "--max-nodes 1", "--max-nodes x"},
        {"--order serial", "--split 2", "--pareto"}},
       24},
      {"operator",
       "op {} --dtype f32 --shape 2,3",
       {"relu", "add", "silu", "clip", "leaky_relu", "mul", "equal", "nothing"},
       {{"--in-shape 2,3", "--in-shape 1,3", "--in-shape 4"},
        {"--in-strides 3,1", "--in-strides 1,2", "--in-strides 0,1", "--in-strides 1"},
        {"--out-strides 3,1", "--out-strides 1,2", "--out-strides 4,1", "--out-strides 0,1"},
        {"--in-dtype f16", "--in-dtype f64", "--in-dtype i8"},
        {"--params 0.5", "--params 0,1", "--params 2,1", "--params x"},
        {"--device gpu", "--device npu", "--device x"},
        {"--parts 2", "--parts 3", "--parts 0"},
        {"--in-place"},
        {"--input in.raw --output out.raw", "--input in.raw --input in.raw --output out.raw", "--input out.raw"}},
       64},
  };
}

/// A value that is refused stands last of several ways.
std::string draw_way(support::Xorshift& draw, const std::vector<std::string>& ways, bool may_be_bad) {
  const std::uint64_t good = ways.size() > 1 && !may_be_bad ? ways.size() - 1 : ways.size();
  return ways[draw.below(good)];
}

std::string random_line(const LineParts& parts, std::uint64_t seed) {
  support::Xorshift draw(seed);
  const bool may_be_bad = draw.chance(4);
  const std::uint64_t one_in = 2 + draw.below(6);
  std::string line = parts.command;
  if (const std::size_t place = line.find("{}"); place != std::string::npos) {
    line.replace(place, 2, parts.models[draw.below(parts.models.size())]);
  }
  for (const std::vector<std::string>& ways : parts.options) {
    if (draw.chance(one_in)) line += " " + draw_way(draw, ways, may_be_bad);
  }
  if (parts.command.find('\'') != std::string::npos) line += "'";  // that opens there
  return line;
}

}  // namespace

const std::vector<LineParts>& all_line_parts() {
  static const std::vector<LineParts> parts = make_parts();
  return parts;
}

std::vector<std::string> random_lines(const LineParts& parts, LineSet set) {
  constexpr std::uint64_t kMostFurther = 40, kFurther = 1000;
  const bool is_further = set == LineSet::kFurther;
  std::uint64_t first = is_further ? kFurther : 0;
  for (const char letter : parts.name) first = first * 31 + static_cast<unsigned char>(letter);
  const std::uint64_t count = is_further ? std::min(parts.lines, kMostFurther) : parts.lines;
  std::vector<std::string> lines;
  for (std::uint64_t i = 0; i < count; ++i) lines.push_back(random_line(parts, first + i));
  return lines;
}

std::vector<LineFile> line_files() {
  std::vector<LineFile> files = {
      {"first.toml",
       "schema = \"detent.set/1\"\n[ops]\n\"*\" = { priority = 3 }\n"
       "[[transfers]]\nfrom = \"cpu\"\nto = \"npu\"\ntime = \"2us\"\nbytes_per_s = 4_000_000_000\n"},
      {"second.toml",
       "schema = \"detent.set/1\"\n[ops]\n\"*\" = { workers = [0] }\n"
       "[[fallbacks]]\nfrom = \"npu\"\nslower = 3\nwatchdog = \"900us\"\n"},
      {"third.toml",
       "schema = \"detent.set/1\"\n[ops]\n\"*\" = { class = \"npu\" }\n[[memories]]\nclass = \"npu\"\ncapacity = "
       "\"4MiB\"\n"
       "align = 64\n"},
      {"bad.toml", "schema = \"detent.set/1\"\n[ops]\n\"nothing like it\" = { priority = 1 }\n"},
      {"costs.toml",
       "schema = \"detent.costs/1\"\nmodel = \"branchnet\"\nmeasured = \"target\"\n[[op]]\nname = \"stem\"\nkernel = "
       "\"conv2d_f32\"\nwarm = { min_ps = 1000, median_ps = 2000, p99_ps = 3000, max_ps = 4000 }\n"},
      {"problem.csv", "id,lower,upper,size\na,0,3,4\nb,3,9,4\nc,0,9,3\nd,9,21,4\ne,0,21,4\n"},
      {"larger.csv",
       "id,lower,upper,size,alignment\na,0,6,7,4\nb,2,9,5,1\nc,4,12,9,8\nd,8,16,3,2\ne,1,15,4,4\nf,10,20,11,1\n"
       "g,13,22,6,16\nh,0,22,2,1\n"},
      {"in.raw", std::string("\0\0\x80\x3f\0\0\0\xc0\0\0\x40\x40\0\0\0\0\0\0\x80\xbf\0\0\x20\x41", 24)},
      {"tasks.toml",
       "schema = \"detent.task_set/1\"\n[[tasks]]\nname = \"fast\"\nmodel = \"diamond:3\"\nperiod = "
       "\"400us\"\n[[tasks]]\n"
       "name = \"slow\"\nmodel = \"erdos:2:9\"\nperiod = \"2ms\"\npriority = 1\njitter = \"50us\"\ncontexts = 2\n"
       "[[chains]]\nname = \"both\"\ntasks = [\"fast\", \"slow\"]\nlatency = \"5ms\"\n"}};
  for (std::uint64_t seed = 1; seed <= 7; ++seed) {
    files.push_back({"graph" + std::to_string(seed) + ".json", random_graph_file(seed)});
  }
  return files;
}

}  // namespace detent::e2e
