#include "app/manual/examples.hpp"

#include <initializer_list>

namespace detent::app {
namespace {

struct Row {
  const char* command;
  const char* details;
  std::initializer_list<const char*> examples;
};

const Row* find_row(const std::string& command) {
  static const std::initializer_list<Row> kRows = {
      {"",
       "MODEL is a zoo name (detent list models), a package made by import, an op graph file (detent.graph/1, /2), or "
       "a table of ops (.csv).",
       {"detent check diamond --platform quad_npu --out build/diamond", "detent import tvm model.tar -o model.pkg",
        "detent explore bad_reuse_war"}},
      {"check",
       "Proves the static laws, runs natively and in simulation, explores schedules, bounds the time, and writes "
       "report.html.",
       {"detent check diamond --out build/diamond",
        "detent check yolov8n --platform quad_npu --runs 200 --out build/demo",
        "detent check model.pkg --cores cpu=2,npu=1 --out build/model",
        "detent check diamond --bundle build/evidence"}},
      {"run",
       "",
       {"detent run resnet18 --workers 2 --policy critical-path", "detent run diamond --mode serial --json -",
        "detent run branchnet --repeat 20 --sweep", "detent run diamond --late-op 1=2ms",
        "detent run fallback --fail-device npu,2+"}},
      {"simulate",
       "",
       {"detent simulate diamond --platform am62a", "detent simulate resnet18 --runs 1000 --timing-only",
        "detent simulate diamond --cores cpu=2 --jitter uniform:0.2 --out traces",
        "detent simulate branchnet --platform am62a --runs 400 --search 2000 --timing-only",
        "detent simulate fallback --no-npu --runs 20 --fail-device npu,15+"}},
      {"merge",
       "The shards may be simulated by several processes or machines, in any order.",
       {"detent simulate diamond --timing-only --runs 1e4 --campaign a --shard 0/2",
        "detent simulate diamond --timing-only --runs 1e4 --campaign b --shard 1/2",
        "detent merge a b --json all.json"}},
      {"campaign",
       "COMMAND may stand before, between or behind campaign's own options. Files and machines: "
       "docs/guides/campaigns.md.",
       {"detent campaign simulate diamond --timing-only --runs 1e6 --out runs --json answer.json",
        "detent campaign explore model.json --budget 1e7 --engine parallel --hosts hosts --shards 40 --out traces",
        "detent campaign simulate diamond --runs 1e8 --engine slurm --shards 200 --time 00:10:00 --out night",
        "detent campaign --resume --out night"}},
      {"calibrate",
       "",
       {"detent calibrate resnet18 -o resnet18.costs.toml", "detent calibrate --host -o host.toml",
        "detent calibrate --validate --max-error 20 resnet18"}},
      {"verify",
       "",
       {"detent verify bad_reuse_war", "detent verify resnet18 --smt", "detent verify diamond --smt2 diamond.smt2"}},
      {"verify-bundle",
       "Compares every file of a bundle with its hash, what bundle.json says with the report, and bundle.json with its "
       "root. Hashes find changes; they are no signature: who may write the folder can write hashes that fit. Keep the "
       "root elsewhere and give it as --root. --again executes what the check executed, the C of an imported model "
       "among it. Exit code 0: whole; 1: something differs, all of it named; 2: no bundle; 3: it could not be made "
       "again.",
       {"detent verify-bundle build/evidence", "detent verify-bundle build/evidence --again"}},
      {"explore",
       "Orders of ops that touch no common bytes are one schedule (a trace); only traces are counted and run.",
       {"detent explore bad_reuse_war", "detent explore resnet18 --count",
        "detent explore diamond --level threads --budget 200"}},
      {"bound",
       "",
       {"detent bound resnet18 --platform am62a", "detent bound diamond --cores cpu=4,npu=1",
        "detent bound diamond --cores 2 --method exact",
        "detent bound diamond --method lists --lists lists.json --cores 2"}},
      {"synthesize",
       "Each core executes its list in order, so the worst case of lists is their makespan when all ops take "
       "their worst times: nothing is longer, and no op that takes less delays another (bound --method lists). "
       "First lists come from orders of ops, then a search refutes or finds shorter deadlines. 'optimal' is said "
       "where the makespan is equal to the proven lower bound. Exit code 0: optimal; 3: a limit ended the search, "
       "the lists are written all the same. Times are of the ops alone: what the runtime and other clients of a "
       "chip add, bound --method lists adds.",
       {"detent synthesize diamond --cores 2 -o lists.json",
        "detent synthesize graph.json --cores cpu=2,npu=1 --seconds 60",
        "detent simulate diamond --cores 2 --lists lists.json"}},
      {"tasks",
       "FILE names networks that are released again and again, each by a context of its own on the workers that all "
       "share (as simulate A B does), and chains of them. The responses seen in two simulations, one with drawn times "
       "and one with all at their worst, stand beside two bounds: exact, of all runs until the releases repeat, and "
       "rta, a response-time analysis that holds whatever the phases. Deadlines are those of FILE, else of the model's "
       "file, else the next release of the same context; contexts = 2 lets two runs overlap. Both bounds need a "
       "platform whose runtime costs nothing (--cores, or --no-overheads), and on some chips --no-contention. Exit "
       "code 0: all deadlines and latencies "
       "are proved; 1: one is missed, or cores have more work than time; 3: neither.",
       {"detent tasks tasks.toml --cores cpu=2,npu=1", "detent tasks tasks.toml --platform quad_npu --no-overheads"}},
      {"npu",
       "",
       {"detent npu --gemm 64,64,256 --array 32,32", "detent npu --conv 58,58,3,3,64,64,1 --array 32,32 --dataflow os",
        "detent npu resnet18 --platform am62a"}},
      {"op",
       "Files hold elements from the lowest address to the highest, gaps of strides included. Half types are computed "
       "in double precision and rounded once. What the operator refuses is an answer with its status, and exit code 2.",
       {"detent op silu --dtype f16 --shape 13,4 --in-strides 10,1 --out-strides 10,1 --input x.bin --output y.bin",
        "detent op add --dtype f32 --shape 4,1024 --in-strides 1024,1 --in-strides 0,1 --input a.bin --input b.bin "
        "--output y.bin",
        "detent op clip --dtype bf16 --shape 1000 --params -1,1"}},
      {"partition",
       "MODEL is a network: its ops are put on the classes of cores of --platform by NNAPI's rules, by a search for "
       "the "
       "shortest simulated run, and by one for the lowest upper bound; each is shown, and -o writes one for --set. "
       "--set also gives classes that stay, and what transfers between classes take ([[transfers]]). "
       "Or it is a plan case: which device executes which ops and why, the steps of the plan, and runs in which "
       "devices "
       "fail at their n-th attempt, with the way back to the CPU that they take. The CPU is the last device and does "
       "everything; of all devices that do an op the fastest gets it. IF and WHILE that no device does as a whole "
       "become "
       "steps of the plan. A model that cannot be compiled is an answer too (kind ERROR, with the reason).",
       {"detent partition mobilenetv2 --platform rk3588 -o placed.toml",
        "detent partition branchnet --set transfers.toml --by bound -o placed.toml", "detent partition case.json"}},
      {"plan",
       "--problem FILE.csv places buffers of any origin instead of a model's tensors: a line each with id, lower, "
       "upper "
       "(it lives from lower on and no longer at upper), size and, if need be, alignment, as MiniMalloc reads them. An "
       "exact search looks for a placement within --capacity, without one for the lowest; every placement is checked "
       "pair by pair. Exit code 1: not placed within the capacity. Whether that is proven, because the search is "
       "complete or more bytes live at one time, or only not found within --max-nodes, is said, and is \"proven\" in "
       "the JSON. Ctrl-C ends the search with what it has.\n"
       "--pareto asks what less memory costs: plans between the one of --order serial and the one of --order parallel, "
       "each with the reuse edges that make it valid for every schedule, each checked, and each with the longest that "
       "a run can take: exactly where --max-states suffice, else by the lowest bound, and which of the two is said of "
       "each plan. -o writes a package of each, for verify, bound and every other command; --html a page with the "
       "picture. Exit code 3: a time is a bound.",
       {"detent plan resnet18", "detent plan resnet18 --order serial", "detent plan resnet18 --capacity 8MiB",
        "detent plan --problem buffers.csv --capacity 1MiB",
        "detent plan buffers.json --pareto --cores 3 --html front.html"}},
      {"import",
       "",
       {"detent import tvm model.tar -o model.pkg", "detent import graph graph.json -o graph.pkg",
        "detent import entities network.c -o network.json", "detent help import tvm"}},
      {"import tvm",
       "Reads every call of the artifact's main and the bytes each one touches, tells which pairs would race if the "
       "calls were ordered by the names of their tensors only, and writes a package whose edges keep all of them "
       "safe.\n"
       "--replan parallel gives every tensor and every scratch buffer a new place instead, so that only true "
       "dependencies remain; where that takes more memory than TVM's plan, plans with less parallelism are printed "
       "beside it, and --arena-limit takes the best that fits. Nothing of the artifact is executed without --audit or "
       "--measure; run, check and emit audit a package before its kernels run. Exit code 1: the audit found other "
       "bytes "
       "or results; 3: it cannot tell.\n"
       "Code of a vendor that the artifact calls (CMSIS-NN, muRISCV-NN, ESP-NN) is given with --include and --source; "
       "without it the artifact is analysed all the same, and what is missing is said.",
       {"detent import tvm model.tar -o model.pkg",
        "detent import tvm model.tar --replan parallel --audit -o model.pkg",
        "detent import tvm kws.tar --include CMSIS-NN/Include --source CMSIS-NN/Source -o kws.pkg"}},
      {"import graph",
       "An op names what computes it: an operator (detent list operators), or a function of a C file beside the graph, "
       "\"kernel\": \"mine.c:my_op\" (int32_t my_op(const detent_kernel_args *args) of <detent/kernel.h>). The package "
       "holds the C files and the headers beside them. A file that is not there yet leaves the graph to verify and "
       "bound.\n"
       "Exit code 2: no op graph, a C file outside of its folder, or a link.",
       {"detent import graph graph.json -o graph.pkg", "detent import graph graph.json -o graph.pkg --json -"}},
      {"import entities",
       "Reads an array of records, each with an entry function, pointers to its arguments, successors (indices or "
       "pointers, in a list, an array or a range of one array) and an initial indegree; members are recognised by "
       "their types, in any order and of any names. What each entity touches is found from the text of its entry "
       "function with its own arguments; nothing is executed.\n"
       "The graph has an op per entity, with the bytes of the file's variables that it reads and writes. Where these "
       "are not known (no body, an argument that is set while the program runs), the op says so, and verify and "
       "check answer unknown, exit code 3, unless they find a race. Indegrees that contradict the lists, successors "
       "that do not exist and cycles are errors, exit code 2, with the entity and its line.",
       {"detent import entities network.c -o network.json", "detent verify network.json",
        "detent import entities network.c --include include --cflags -DSTAGES=4 -o network.json"}},
      {"show", "", {"detent show yolov8n", "detent show model.pkg --json -"}},
      {"graph", "", {"detent graph resnet18 -o resnet18.json", "detent graph diamond"}},
      {"emit", "", {"detent emit c resnet18 -o firmware", "detent help emit c"}},
      {"emit c", "", {"detent emit c resnet18 -o firmware", "detent emit c diamond --workers 2,3 -o firmware --force"}},
      {"replay",
       "FILE_OR_LINE is a line that begins with detent-replay/1, a JSON answer that holds one, or a file of explore "
       "--failure.",
       {"detent replay build/diamond/report.json", "detent replay failure.txt --on sim",
        "detent replay failure.txt --model model.pkg"}},
      {"log",
       "An emitted firmware writes such a file with ./model --log FILE; any other target writes its rings as "
       "docs/FORMATS.md says.",
       {"detent run diamond --log diamond.log", "detent log diamond.log", "detent log diamond.log -o traces"}},
      {"report", "", {"detent report build/diamond", "detent report build/diamond --json -"}},
      {"list", "", {"detent list models", "detent list platforms", "detent list kernels --json -"}},
      {"help", "", {"detent help check", "detent help import tvm", "detent help --man | man -l -"}},
      {"completion", "", {"source <(detent completion bash)", "detent completion zsh > _detent"}},
  };
  for (const Row& row : kRows) {
    if (command == row.command) return &row;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> examples_of(const std::string& command) {
  const Row* const row = find_row(command);
  return row == nullptr ? std::vector<std::string>{}
                        : std::vector<std::string>(row->examples.begin(), row->examples.end());
}

std::string details_of(const std::string& command) {
  const Row* const row = find_row(command);
  return row == nullptr ? "" : row->details;
}

}  // namespace detent::app
